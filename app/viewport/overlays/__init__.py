"""What is painted over the view, and taken hold of there."""
