"""How bodies stand and lie: on a solid floor, in balance, without passing through themselves."""
