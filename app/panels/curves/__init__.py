"""The curves below the timeline: speed, foot skate, places and errors, before and after the edit."""
