"""Labelling a folder of pictures, one after another; loaded when the first folder is opened."""
