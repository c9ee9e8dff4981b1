"""The controls that panels are made of."""
