"""Learned inverse kinematics: the networks' common parts, and the solvers that run shipped weights."""
