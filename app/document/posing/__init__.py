"""What is computed for a character: its solve, effectors that follow, mirror images, places, new bodies."""
