"""The widget that shows the scene and receives the pointer."""
