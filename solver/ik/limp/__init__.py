"""A person without strength: how limbs of which nothing is asked come to rest on the floor."""
