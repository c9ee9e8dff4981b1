"""One floor for all people of a picture."""
