"""A body's stature and weight, and the shape that has them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from solver.body.body import SHAPE_COMPONENTS, SHAPE_LIMIT, Body, BodyShape, mean_shape
from solver.memoise import memoised

DENSITY = 985.0  # kilograms in a cubic metre of a body, with air in its lungs
STATURE_M, WEIGHT_KG = 1e-5, 1e-3  # near enough
TRIES = 40
UNSEEN_M, ROUNDS = 2e-4, 4  # of stature, while the weight is found: fields show millimetres


def stature(body: Body, shape: BodyShape) -> float:
    """Metres from the soles to the crown, standing upright."""
    return float(np.ptp(body.vertices(shape)[:, 1]))


def weight(body: Body, shape: BodyShape) -> float:
    """Kilograms: what the skin encloses, by a body's mean density."""
    vertices = body.vertices(shape).astype(np.float64)
    a, b, c = (vertices[body.faces[:, i]] for i in range(3))
    return float(np.einsum("ni,ni->", a, np.cross(b, c))) / 6.0 * DENSITY


def with_stature(body: Body, shape: BodyShape, metres: float) -> BodyShape:
    """The shape with that stature, by the component that changes it most; as near as that component reaches."""
    return _reaching(lambda other: stature(body, other), shape, _strongest(body)[0], metres, STATURE_M)


def with_weight(body: Body, shape: BodyShape, kilograms: float) -> BodyShape:
    """The shape of the same stature with that weight, by the component that changes it most; as near as that reaches.

    That component makes a body a little taller, too, which the one for stature makes up for.
    """
    metres = stature(body, shape)
    for _ in range(ROUNDS):
        shape = _reaching(lambda other: weight(body, other), shape, _strongest(body)[1], kilograms, WEIGHT_KG)
        if abs(stature(body, shape) - metres) < UNSEEN_M:
            break
        shape = with_stature(body, shape, metres)
    return shape


@memoised(8)
def _strongest(body: Body) -> tuple[int, int]:
    """The component that changes stature most, and the one of the others that changes weight most."""
    mean = mean_shape(body)
    each = [BodyShape(row, mean.gender) for row in np.eye(SHAPE_COMPONENTS, dtype=np.float32)]
    tall = np.abs([stature(body, shape) - stature(body, mean) for shape in each])
    heavy = np.abs([weight(body, shape) - weight(body, mean) for shape in each])
    heavy[tall.argmax()] = 0.0
    return int(tall.argmax()), int(heavy.argmax())


def _reaching(
    measure: Callable[[BodyShape], float], shape: BodyShape, component: int, wanted: float, near: float
) -> BodyShape:
    """The shape with one component set so that the measure is as wanted; at the end of its range if that cannot be."""

    def at(value: float) -> BodyShape:
        betas = np.array(shape.betas)
        betas[component] = value
        return BodyShape(betas, shape.gender)

    low, high = -SHAPE_LIMIT, SHAPE_LIMIT
    ends = sorted(((measure(at(low)), low), (measure(at(high)), high)))
    (least, low), (most, high) = ends
    if wanted <= least:
        return at(low)
    if wanted >= most:
        return at(high)
    found = at(low)
    for turn in range(TRIES):  # alternates between the chord, which is quick, and the middle, which is sure
        chord = low + (wanted - least) / (most - least) * (high - low)
        value = 0.5 * (low + high) if turn % 3 == 2 else chord
        found = at(value)
        got = measure(found)
        if abs(got - wanted) < near:
            break
        if got < wanted:
            low, least = value, got
        else:
            high, most = value, got
    return found
