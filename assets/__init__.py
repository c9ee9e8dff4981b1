"""Data that the program carries along: bodies, photo networks, the natural pose. Its README says where each is from."""
