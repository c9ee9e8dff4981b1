"""What menus, keys and the search run."""
