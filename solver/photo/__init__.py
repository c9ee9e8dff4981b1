"""From a picture to people posed in 3D."""
