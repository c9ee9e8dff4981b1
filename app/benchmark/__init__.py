"""What `bench` measures, and what it compares the figures with."""
