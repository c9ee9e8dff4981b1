"""Labelling a folder of pictures, one after another; loaded with the first folder."""
