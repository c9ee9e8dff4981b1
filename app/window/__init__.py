"""The window and its commands, put together."""
