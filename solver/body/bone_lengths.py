"""The lengths of any skeleton's bones, and how those of our body follow from betas."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.body.body import SHAPE_COMPONENTS, Body, BodyShape
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS
from solver.memoise import memoised
from solver.rig.roles import ARMS, HEAD_AND_NECK, LEGS, Role

Array = NDArray[np.float64]
Lengths = Mapping[tuple[str, str], float]
"""Metres between pairs of joints by SMPL's names, the one nearer to the pelvis first; no pose changes them."""

HIPS = (LEGS[0].root.value, LEGS[1].root.value)
_SHOULDERS = (ARMS[0].root.value, ARMS[1].root.value)
_SPANNED = (Role.PELVIS, *HIPS, *_SHOULDERS, *HEAD_AND_NECK)


class RestPlaces(NamedTuple):
    """Where joints are at rest: template (24, 3) metres of the mean shape, directions (24, 3, 10) metres for 1 beta."""

    template: Array
    directions: Array

    def of(self, betas: ArrayLike) -> Array:
        """(..., 24, 3) metres, for betas (..., 10)."""
        return self.template + np.einsum("jak,...k->...ja", self.directions, np.asarray(betas, dtype=np.float64))


def rest_places(body: Body, gender: str = "neutral") -> RestPlaces:
    """How a body's joints depend on betas: affine, measured, so that any body will do."""
    return _rest_places(cast(Hashable, body), gender)


@memoised(8)
def _rest_places(body: Body, gender: str) -> RestPlaces:
    template = body.skeleton(BodyShape(gender=gender)).rest_positions.astype(np.float64)
    units = np.eye(SHAPE_COMPONENTS, dtype=np.float32)
    moved = [body.skeleton(BodyShape(one, gender)).rest_positions - template for one in units]
    return RestPlaces(template, np.stack(moved, axis=-1).astype(np.float64))


def bone_lengths(places: Mapping[str, ArrayLike]) -> dict[tuple[str, str], float]:
    """From each joint to the nearest one above it that is there, and from hip to hip. places: (3,) metres by name.

    Joints with names other than SMPL's are left out. The pose does not matter if no joint between two is missing.
    """
    known = {name: np.asarray(places[name], dtype=np.float64) for name in SMPL_JOINTS if name in places}
    pairs = [(above, name) for name in known if (above := _above(name, known)) is not None]
    if all(hip in known for hip in HIPS):
        pairs.append(HIPS)
    return {pair: float(np.linalg.norm(known[pair[1]] - known[pair[0]])) for pair in pairs}


def spans(places: Mapping[str, ArrayLike]) -> dict[tuple[str, str], float]:
    """From hips to shoulders, neck and head, and across, of somebody who stands: what shows how large a trunk is,
    wherever its spine bends. places: (3,) metres by name, at rest."""
    known = {name: np.asarray(places[name], dtype=np.float64) for name in _SPANNED if name in places}
    return {
        (one, other): float(np.linalg.norm(known[other] - known[one]))
        for place, one in enumerate(known)
        for other in tuple(known)[place + 1 :]
    }


def without_spans(lengths: Lengths) -> Lengths:
    """The bones alone: from each joint to the next one above it, and across the hips."""
    names = {name: name for pair in lengths for name in pair}
    return {pair: length for pair, length in lengths.items() if pair == HIPS or _above(pair[1], names) == pair[0]}


def in_t_pose(lengths: Lengths, rest: RestPlaces) -> dict[str, Array]:
    """(3,) metres by name: where joints would be in a T-pose with such bones, in our mean body's directions.

    Joints that no bone leads to are left out; the topmost one is where our mean body has it.
    """
    ours = dict(zip(SMPL_JOINTS, rest.template, strict=True))
    bones: dict[str, tuple[str, float]] = {}
    for (above, name), length in lengths.items():
        if _is_above(above, name):
            bones.setdefault(name, (above, length))
    found: dict[str, Array] = {}
    for name in SMPL_JOINTS:  # parents come first
        if name in bones:
            above, length = bones[name]
            way = ours[name] - ours[above]
            found[name] = found.setdefault(above, ours[above]) + way * (length / np.linalg.norm(way))
    return found


def is_span(pair: tuple[str, str]) -> bool:
    """Whether it is one of those that `spans` tells, and no bone of a limb."""
    return all(name in _SPANNED for name in pair)


def _is_above(above: str, name: str) -> bool:
    j = SMPL_JOINTS.index(name)
    while j >= 0 and SMPL_JOINTS[j] != above:
        j = SMPL_PARENTS[j]
    return j >= 0


def _above(name: str, known: Mapping[str, object]) -> str | None:
    j = SMPL_PARENTS[SMPL_JOINTS.index(name)]
    while j >= 0 and SMPL_JOINTS[j] not in known:
        j = SMPL_PARENTS[j]
    return SMPL_JOINTS[j] if j >= 0 else None
