"""The benchmark as pictures, and the further runs that they are drawn from."""
