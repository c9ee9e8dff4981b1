"""The parts of a picture, one file each; every item uploads in prepare() and draws in paint()."""
