"""The timeline below the view: frames, keys and the range to play."""
