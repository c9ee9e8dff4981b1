"""The desktop application: composes solver and rendering."""

__version__ = "0.1.0"
