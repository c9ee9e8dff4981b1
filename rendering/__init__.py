"""Arrays in, pixels out. Knows no solver and no document."""
