"""FABRIK and cyclic coordinate descent: baselines of the benchmark."""
