"""The solvers that the application offers: a spec and a proposer each."""
