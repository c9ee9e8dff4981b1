"""Compiled parts of DragPoser's temporal predictor, between its matrix products."""

from __future__ import annotations

from math import exp, sqrt

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel

Array = NDArray[np.float32]

EPS = 1e-5


@kernel
def add_and_normalise(x: Array, more: Array, weight: Array, bias: Array) -> None:
    """x (N, S) becomes x + more, of mean 0 and spread 1 in each row, times weight plus bias (S,)."""
    rows, size = x.shape
    for n in range(rows):
        total, square = 0.0, 0.0
        for i in range(size):
            x[n, i] += more[n, i]
            total += x[n, i]
        mean = total / size
        for i in range(size):
            square += (x[n, i] - mean) ** 2
        scale = 1.0 / sqrt(square / size + EPS)
        for i in range(size):
            x[n, i] = (x[n, i] - mean) * scale * weight[i] + bias[i]


@kernel
def attend(queries: Array, seen: Array, heads: int, in_turn: bool, out: Array) -> None:
    """Fill out (N, S): what rows of queries (N, S) draw from seen (M, 2 S), keys then values, in each of the heads.

    in_turn: whether each row sees those alone that do not come after it.
    """
    rows, size = queries.shape
    width = size // heads
    scores, scale = np.empty(seen.shape[0]), 1.0 / sqrt(width)
    for n in range(rows):
        count = n + 1 if in_turn else seen.shape[0]
        for h in range(heads):
            first, most, total = h * width, -np.inf, 0.0
            for m in range(count):
                score = 0.0
                for i in range(first, first + width):
                    score += queries[n, i] * seen[m, i]
                scores[m] = score * scale
                most = max(most, scores[m])
            for m in range(count):
                scores[m] = exp(scores[m] - most)
                total += scores[m]
            for i in range(first, first + width):
                out[n, i] = 0.0
            for m in range(count):
                share = scores[m] / total
                for i in range(first, first + width):
                    out[n, i] += share * seen[m, size + i]
