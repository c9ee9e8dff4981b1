"""Jobs beside the window: solving again, reading photos, saving unsaved work."""
