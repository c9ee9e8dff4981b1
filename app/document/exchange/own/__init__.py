"""The user's own character as it is drawn."""
