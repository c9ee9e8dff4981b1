"""What is computed of a character: its solve, effectors that follow, mirror images, places, new bodies."""
