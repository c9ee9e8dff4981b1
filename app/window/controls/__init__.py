"""Parts of the window that do one job each."""
