"""What `bench` measures, and what it compares its figures with."""
