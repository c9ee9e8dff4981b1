"""The user's own characters, as the renderer takes them."""
