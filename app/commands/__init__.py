"""The sub-commands: the work of the window, without a window."""
