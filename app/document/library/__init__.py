"""The library of poses: its files, and what taking a pose from it does."""
