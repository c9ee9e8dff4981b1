"""Training of the learned solvers: data, effector sampling, losses, the loop, export. Never imported by the app."""
