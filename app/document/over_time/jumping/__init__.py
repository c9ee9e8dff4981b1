"""Jumps between two keys, of people who have no time to walk from one to the other."""
