"""The curves below the timeline: speed, foot skate, places and errors, before the edit and after it."""
