"""What a picture is made of, one file each; every item uploads in prepare() and draws in paint()."""
