"""People as a photo shows them: depth, distance, horizon, points."""
