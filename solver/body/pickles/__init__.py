"""Pickled files of others, read without running what they hold."""
