"""Inverse kinematics: the problem, its effectors, and how a solver answers."""
