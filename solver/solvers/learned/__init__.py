"""Solvers that ask a trained network, run by compiled functions or by onnxruntime."""
