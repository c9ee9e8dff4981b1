"""The panels around the viewport."""
