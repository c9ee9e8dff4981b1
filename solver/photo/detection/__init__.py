"""People and their landmarks in a picture."""
