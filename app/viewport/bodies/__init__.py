"""The meshes of people, as the renderer takes them."""
