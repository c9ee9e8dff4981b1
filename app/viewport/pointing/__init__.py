"""What the pointer is over: the part that a press would take, and its name."""
