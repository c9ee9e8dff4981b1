"""The solvers, one file or folder each; loaded by name through `solver.ik.catalog`."""
