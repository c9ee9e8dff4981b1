"""SKEL-IK: a network on the skeleton's own graph, which reads a base pose."""
