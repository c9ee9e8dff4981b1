"""Photos with known truth, and how well their people are read."""
