"""DragPoser's networks: a latent space of poses, and where a motion goes in it."""
