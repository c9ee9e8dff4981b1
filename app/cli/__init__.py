"""The command line: the window by default, sub-commands for the same work without it."""
