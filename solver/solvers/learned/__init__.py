"""Solvers that ask a trained network, run by onnxruntime."""
