"""From a photo to people."""
