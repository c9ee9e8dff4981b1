"""Films of the view: what they show, and the files they become."""
