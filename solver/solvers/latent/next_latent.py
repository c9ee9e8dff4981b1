"""DragPoser's temporal predictor in numpy: the transformer that says which latent comes next."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.solvers.latent.latent_weights import LatentWeights

Array = NDArray[np.floating]

HEADS = 4  # as it was trained
STRIDE, PAST, FUTURE = 2, 16, 16
_EPS = 1e-5


class NextLatent:
    """The predictor of checked weights."""

    def __init__(self, weights: LatentWeights, latent: int) -> None:
        self._tensors, self._told = weights.tensors, 0
        try:
            norms = (f"transformer.encoder.layers.{number}.norm1.weight" for number in range(len(self._tensors)))
            self._layers = sum(name in self._tensors for name in norms)
            self._told = self._tensors["read_past.weight"].shape[1] - latent
            memory = self.remember(np.zeros((PAST, latent)), np.zeros((PAST, self._told)))
            self.next(np.zeros((1, latent)), memory)
        except (KeyError, ValueError, IndexError) as error:
            way_out = "Restore the folder, or choose another solver"
            raise InputRefused("model.safetensors", f"its tensors are not the network's ({error})", way_out) from None

    def remember(self, past: Array, told: Array) -> Array:
        """What the encoder makes of latents (PAST, L), every STRIDE-th frame, and what is told of each (PAST, 9)."""
        x = self._linear("read_past", np.concatenate([past, told], axis=1).astype(np.float32))
        x = x + self._tensors["places"][:PAST]
        for number in range(self._layers):
            at = f"transformer.encoder.layers.{number}"
            x = self._normed(f"{at}.norm1", x + self._attention(f"{at}.self_attn", x, x))
            x = self._normed(f"{at}.norm2", x + self._forward(at, x))
        return self._normed("transformer.encoder.norm", x)

    def next(self, last: Array, memory: Array) -> Array:
        """The latent (L,) after latents (N, L), N up to FUTURE, the first of which followed what is remembered."""
        count = len(last)
        x = self._linear("read_next", last.astype(np.float32)) + self._tensors["places"][:count]
        later = np.triu(np.full((count, count), -1e9, np.float32), 1)
        for number in range(self._layers):
            at = f"transformer.decoder.layers.{number}"
            x = self._normed(f"{at}.norm1", x + self._attention(f"{at}.self_attn", x, x, later))
            x = self._normed(f"{at}.norm2", x + self._attention(f"{at}.multihead_attn", x, memory))
            x = self._normed(f"{at}.norm3", x + self._forward(at, x))
        x = self._normed("transformer.decoder.norm", x)[-1]
        return np.asarray(last[-1] + self._linear("change", x), np.float64)

    def _linear(self, name: str, x: Array) -> Array:
        return np.asarray(x @ self._tensors[f"{name}.weight"].T + self._tensors[f"{name}.bias"])

    def _normed(self, name: str, x: Array) -> Array:
        x = x - x.mean(axis=-1, keepdims=True)
        x = x / np.sqrt(np.square(x).mean(axis=-1, keepdims=True) + _EPS)
        return np.asarray(x * self._tensors[f"{name}.weight"] + self._tensors[f"{name}.bias"])

    def _forward(self, name: str, x: Array) -> Array:
        return self._linear(f"{name}.linear2", np.maximum(self._linear(f"{name}.linear1", x), 0.0))

    def _attention(self, name: str, x: Array, seen: Array, mask: Array | float = 0.0) -> Array:
        weight, bias = self._tensors[f"{name}.in_proj_weight"], self._tensors[f"{name}.in_proj_bias"]
        size = weight.shape[1]
        split = [slice(i * size, (i + 1) * size) for i in range(3)]
        q, k, v = (
            (rows @ weight[part].T + bias[part]).reshape(len(rows), HEADS, -1).swapaxes(0, 1)
            for rows, part in zip((x, seen, seen), split, strict=True)
        )
        scores = q @ k.swapaxes(1, 2) / np.sqrt(size / HEADS) + mask
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        return self._linear(f"{name}.out_proj", (scores @ v).swapaxes(0, 1).reshape(len(x), size))
