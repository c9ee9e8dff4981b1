"""DragPoser's temporal predictor in numpy: the transformer that predicts the next latent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.solvers.latent.latent_weights import LatentWeights
from solver.solvers.latent.predictor_kernels import add_and_normalise, attend

Array = NDArray[np.floating]

HEADS = 4  # as it was trained
STRIDE, PAST, FUTURE = 2, 16, 16


class Linear(NamedTuple):
    """weight: (inputs, outputs). bias: (outputs,)."""

    weight: Array
    bias: Array

    def __call__(self, x: Array) -> Array:
        """x (N, inputs) as (N, outputs)."""
        y: Array = x @ self.weight
        y += self.bias
        return y


class LayerNorm(NamedTuple):
    """weight, bias: (S,)."""

    weight: Array
    bias: Array


class Layer(NamedTuple):
    """A transformer layer. self_attention, cross_attention: the projections to queries, to keys and values, and of the
    output; only a decoder's layer has the second. expand, contract: its feed-forward part. norms: after each part."""

    self_attention: tuple[Linear, Linear, Linear]
    cross_attention: tuple[Linear, Linear, Linear] | None
    expand: Linear
    contract: Linear
    norms: tuple[LayerNorm, ...]


class LatentPredictor:
    """The predictor of checked weights."""

    def __init__(self, weights: LatentWeights, latent: int) -> None:
        tensors = weights.tensors
        try:
            self._read_past, self._read_next = _linear(tensors, "read_past."), _linear(tensors, "read_next.")
            self._change, self._places = _linear(tensors, "change."), tensors["places"]
            self._encoder, self._last = _layers(tensors, "encoder"), _norm(tensors, "transformer.encoder.norm.")
            self._decoder, self._end = _layers(tensors, "decoder"), _norm(tensors, "transformer.decoder.norm.")
            told = len(self._read_past.weight) - latent
            memory = self.encode_past(np.zeros((PAST, latent)), np.zeros((PAST, told)))
            self.predict(np.zeros((1, latent)), memory)
        except (KeyError, ValueError, IndexError) as error:
            way_out = "Restore the folder, or choose another solver"
            raise InputRefused("model.safetensors", f"its tensors are not the network's ({error})", way_out) from None

    def encode_past(self, past: Array, told: Array) -> tuple[Array, ...]:
        """The encoder's output for latents (PAST, L), every STRIDE-th frame, and what is told of each (PAST, 9): keys
        and values (PAST, 2 S) for each layer of the decoder."""
        x = self._read_past(np.concatenate([past, told], axis=1, dtype=np.float32))
        x += self._places[:PAST]
        for layer in self._encoder:
            _attention_block(layer.self_attention, x, layer.self_attention[1](x), layer.norms[0])
            _feed_forward(layer, x)
        add_and_normalise(x, np.zeros_like(x), *self._last)
        return tuple(layer.cross_attention[1](x) for layer in self._decoder if layer.cross_attention)

    def predict(self, last: Array, memory: tuple[Array, ...]) -> Array:
        """The latent (L,) after latents (N, L), N up to FUTURE, the first of which followed what is remembered."""
        x = self._read_next(last.astype(np.float32))
        x += self._places[: len(last)]
        for layer, seen in zip(self._decoder, memory, strict=True):
            _attention_block(layer.self_attention, x, layer.self_attention[1](x), layer.norms[0], in_turn=True)
            if layer.cross_attention:
                _attention_block(layer.cross_attention, x, seen, layer.norms[1])
            _feed_forward(layer, x)
        x = np.ascontiguousarray(x[-1:])
        add_and_normalise(x, np.zeros_like(x), *self._end)
        return np.asarray(last[-1] + self._change(x)[0], np.float64)


def _attention_block(
    part: tuple[Linear, Linear, Linear], x: Array, seen: Array, norm: LayerNorm, in_turn: bool = False
) -> None:
    drawn = np.empty_like(x)
    attend(part[0](x), seen, HEADS, in_turn, drawn)
    add_and_normalise(x, part[2](drawn), *norm)


def _feed_forward(layer: Layer, x: Array) -> None:
    h = layer.expand(x)
    np.maximum(h, 0.0, out=h)
    add_and_normalise(x, layer.contract(h), *layer.norms[-1])


def _linear(tensors: Mapping[str, Array], name: str, part: slice = slice(None)) -> Linear:
    return Linear(np.ascontiguousarray(tensors[f"{name}weight"][part].T), tensors[f"{name}bias"][part])


def _norm(tensors: Mapping[str, Array], name: str) -> LayerNorm:
    return LayerNorm(tensors[f"{name}weight"], tensors[f"{name}bias"])


def _attention(tensors: Mapping[str, Array], name: str) -> tuple[Linear, Linear, Linear]:
    size = tensors[f"{name}.in_proj_weight"].shape[1]
    into = f"{name}.in_proj_"
    return (
        _linear(tensors, into, slice(size)),
        _linear(tensors, into, slice(size, 3 * size)),
        _linear(tensors, f"{name}.out_proj."),
    )


def _layers(tensors: Mapping[str, Array], coder: str) -> tuple[Layer, ...]:
    found: list[Layer] = []
    decodes = coder == "decoder"
    while f"transformer.{coder}.layers.{len(found)}.norm1.weight" in tensors:
        at = f"transformer.{coder}.layers.{len(found)}"
        found.append(
            Layer(
                _attention(tensors, f"{at}.self_attn"),
                _attention(tensors, f"{at}.multihead_attn") if decodes else None,
                _linear(tensors, f"{at}.linear1."),
                _linear(tensors, f"{at}.linear2."),
                tuple(_norm(tensors, f"{at}.norm{number}.") for number in range(1, 4 if decodes else 3)),
            )
        )
    return tuple(found)
