"""What the pointer does in the view: drags as values computed from their start, and the tool that runs them."""
