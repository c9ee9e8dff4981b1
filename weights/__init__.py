"""The weights of the learned solvers, a folder each with its card."""
