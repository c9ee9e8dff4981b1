"""What runs beside the window: solving, jobs, autosave, settings."""
