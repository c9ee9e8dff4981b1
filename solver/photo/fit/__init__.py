"""The body's pose, place and proportions from landmarks."""
