"""Other programs' pickled files, read without running what they hold."""
