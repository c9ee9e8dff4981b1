"""Jobs that run beside the window: solving again, reading photos, saving unsaved work."""
