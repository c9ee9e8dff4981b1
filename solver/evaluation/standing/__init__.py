"""How bodies stand and lie: on a solid floor, in balance, within themselves."""
