"""What is painted over the view and can be grabbed there."""
