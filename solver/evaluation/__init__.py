"""Measuring solvers against each other: poses, protocols, metrics, tables and plots."""
