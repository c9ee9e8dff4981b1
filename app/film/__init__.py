"""Films of the view: what they show, and the files that come of them."""
