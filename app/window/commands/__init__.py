"""The commands that menus, keys and the search run."""
