"""The window and its commands, assembled."""
