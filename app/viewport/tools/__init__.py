"""What the pointer does in the view: drags as values computed from their start, and the controller that runs them."""
