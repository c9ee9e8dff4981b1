"""The desktop application: composes solver and rendering."""
