"""What the panel of hands is made of."""
