"""The widget that shows the scene and hears the pointer."""
