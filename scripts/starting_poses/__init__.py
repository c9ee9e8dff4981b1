"""The poses that come with the program, each made from a few effectors and solved by it."""
