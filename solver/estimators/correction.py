"""A learned correction of the landmark network's places in metres, and by how much what is left errs in depth.

The network's depths err in ways that follow from the pose and from how far its looks disagree. A small network with
two hidden layers has learned them on renderings of our own body in recorded poses; see assets/README.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.estimators.blazepose import Landmarks
from solver.estimators.many_looks import MIRRORED

Array = NDArray[np.float64]

FILE = Path(__file__).resolve().parents[2] / "assets" / "landmark_correction" / "weights.npz"
HIPS = (23, 24)
MOST_SPREAD = 0.3  # metres; looks that disagree by more say no more
# What brings metres, shares of the person's extent and metres of spread to about one; the answer is in quarter metres.
_WORLD, _PICTURE, _SPREAD, _ANSWER = 4.0, 5.0, 12.0, 4.0
_LEAST_LOG, _MOST_LOG = -4.0, 3.0
_TURN = np.array([1.0, -1.0, -1.0])  # the landmarks' axes to those the network was taught in


@dataclass(frozen=True, eq=False)
class Network:
    """landmarks: (P,) of the 33 in the network's order, then weights (out, in) and biases (out,) of each layer."""

    landmarks: NDArray[np.int64]
    layers: tuple[tuple[Array, Array], ...]


@lru_cache(maxsize=1)
def network() -> Network:
    """The network that is carried along; InputRefused where it cannot be read."""
    try:
        with np.load(FILE, allow_pickle=False) as data:
            layers = tuple(
                (data[f"weight{i}"].astype(np.float64), data[f"bias{i}"].astype(np.float64)) for i in range(3)
            )
            return Network(data["landmarks"].astype(np.int64), layers)
    except (OSError, ValueError, KeyError) as error:
        raise InputRefused(FILE, f"the correction cannot be read ({error})", "Restore the folder assets") from error


def corrected(marks: Landmarks) -> tuple[Array, Array]:
    """World places (33, 3) as in `Landmarks`, and how far each is off in depth, (33,) metres, infinite where unknown.

    Needs the spread of several looks. A person and their mirror image are corrected alike.
    """
    assert marks.spread is not None
    net = network()
    index = net.landmarks
    world, pixels = marks.world[index] * _TURN, marks.pixels[index] * _TURN[:2]
    other = [list(index).index(MIRRORED[mark]) for mark in index]
    hips = [list(index).index(hip) for hip in HIPS]
    spread = marks.spread[index, 2]
    plain = _answer(net, world, about_hips(pixels, hips), spread)
    flip = np.array([-1.0, 1.0, 1.0])
    turned = _answer(net, world[other] * flip, about_hips(pixels[other] * [-1.0, 1.0], hips), spread[other])
    places, unsure = marks.world.copy(), np.full(len(marks.world), np.inf)
    places[index] += (plain[0] + turned[0][other] * flip) / 2 * _TURN
    unsure[index] = np.sqrt(plain[1] * turned[1][other])
    return places, unsure


def about_hips(pixels: Array, hips: list[int]) -> Array:
    """(..., P, 2) places on the picture about the mid-hip, as shares of the person's extent."""
    about = pixels - pixels[..., hips, :].mean(axis=-2, keepdims=True)
    size = np.linalg.norm(np.ptp(about, axis=-2), axis=-1)
    return np.asarray(about / np.maximum(size, 1e-9)[..., None, None])


def inputs(world: Array, picture: Array, spread: Array) -> Array:
    """(N, 6 P) what the network is asked about N people: places in metres (N, P, 3), y up and z to the camera, on the
    picture (N, P, 2) as `about_hips` gives them, y up, and spreads in depth (N, P)."""
    rows = len(world)
    return np.concatenate(
        [
            world.reshape(rows, -1) * _WORLD,
            picture.reshape(rows, -1) * _PICTURE,
            np.minimum(spread, MOST_SPREAD) * _SPREAD,
        ],
        axis=1,
    )


def _answer(net: Network, world: Array, picture: Array, spread: Array) -> tuple[Array, Array]:
    values = inputs(world[None], picture[None], spread[None])[0]
    for i, (weight, bias) in enumerate(net.layers):
        values = weight @ values + bias
        if i < len(net.layers) - 1:
            values = np.maximum(values, 0.0)
    count = len(net.landmarks)
    scale = np.exp(np.clip(values[3 * count :], _LEAST_LOG, _MOST_LOG))
    return values[: 3 * count].reshape(count, 3) / _ANSWER, scale / _ANSWER
