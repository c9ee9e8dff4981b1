"""The poses that come with the program, each made of a few effectors and solved by it."""
