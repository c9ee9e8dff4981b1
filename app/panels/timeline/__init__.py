"""The timeline: frames, keys and the range that is played, below the view."""
