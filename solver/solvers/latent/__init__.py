"""DragPoser at work: a search in a latent space of poses, in plain numpy."""
