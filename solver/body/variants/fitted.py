"""The adult with joints where somebody else's are: a body for a character of any proportions, named by its joints.

The id of such a body says all about it, so that a scene, or another computer, needs nothing else to make it.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import Callable, Collection
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.body.variants.rest import Array, Bones, RestBody, Skin, on_floor
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.fewer_joints import MERGEABLE
from solver.rig.roles import ARMS, LEGS, LIMBS, Role

_STEP = 5e-5  # metres to which joints are named
_USUAL = 0  # in place of an ankle's height: as high as with our feet
_STEP_OF_BETAS = 1e-3
SHORTEST = 0.02  # metres of a limb's bone
_NUMBERS = np.dtype("<i2")
_MOST = np.iinfo(_NUMBERS).max
_STRETCH = (0.25, 4.0)  # of bones, which skin follows
_HANDS = (0.7, 1.5)  # of hands, beside the whole body; of others the joint that stands for the knuckles is elsewhere


class FittedBody(NamedTuple):
    """change: how the adult becomes it. merged: roles of joints that do not bend."""

    change: Callable[[str, RestBody, Skin], RestBody]
    merged: frozenset[Role]


def fitted_name(
    joints: NDArray[np.floating],
    betas: NDArray[np.floating],
    ankle: float | None = None,
    merged: Collection[Role] = (),
) -> str:
    """The name of the adult of these betas, with its joints at other places. joints: (24, 3) metres at rest.

    ankle: metres from the soles to the ankles; None for feet as high as ours. merged: roles of `MERGEABLE` joints that
    do not bend. ValueError for joints that are more than 1.6 m from the pelvis.
    """
    away = np.round((joints[1:] - joints[0]) / _STEP)
    height = _USUAL if ankle is None else np.clip(np.round(ankle / _STEP), 1, _MOST)
    if not np.abs(away).max() < _MOST:
        raise ValueError("joints are too far from the pelvis")
    bits = sum(1 << number for number, role in enumerate(MERGEABLE) if role in merged)
    told = [height, bits] if bits else [height]
    numbers = np.concatenate([away.ravel(), np.round(betas / _STEP_OF_BETAS), told]).astype(_NUMBERS)
    return urlsafe_b64encode(numbers.tobytes()).decode("ascii")


def as_named(joints: NDArray[np.floating]) -> Array:
    """(24, 3) metres, the joints as a name tells them."""
    return np.asarray(joints[0] + _STEP * np.round((joints - joints[0]) / _STEP))


def shortest_bone(joints: NDArray[np.floating]) -> float:
    """Metres of the shortest bone of arms and legs."""
    lines = np.array([[SMPL_JOINTS.index(role) for role in limb.line] for limb in LIMBS])
    return float(np.linalg.norm(np.diff(joints[lines], axis=1), axis=-1).min())


def fitted_body(name: str, components: int, limit: float) -> FittedBody | None:
    """The body of that name; None for a name that says none, whose betas are so many, within ±limit."""
    try:
        numbers = np.frombuffer(urlsafe_b64decode(name.encode("ascii")), _NUMBERS).astype(np.float64)
    except (UnicodeEncodeError, Error, ValueError):
        return None
    joints = 3 * (len(SMPL_JOINTS) - 1)
    plain = joints + components + 1
    bits = int(numbers[-1]) if len(numbers) == plain + 1 else 0
    if len(numbers) not in (plain, plain + 1) or not 0 <= bits < 1 << len(MERGEABLE):
        return None
    places = np.concatenate([np.zeros((1, 3)), _STEP * numbers[:joints].reshape(-1, 3)])
    betas, ankle = _STEP_OF_BETAS * numbers[joints : plain - 1], _STEP * float(numbers[plain - 1])
    if np.abs(betas).max() > limit or ankle < 0 or shortest_bone(places) < SHORTEST:
        return None
    merged = frozenset(role for number, role in enumerate(MERGEABLE) if bits >> number & 1)
    return FittedBody(lambda gender, adult, on: _fitted(adult, on, places, betas, ankle), merged)


def _fitted(adult: RestBody, on: Skin, places: Array, betas: Array, ankle: float) -> RestBody:
    shaped = adult._replace(
        skin=adult.skin + adult.skin_per_beta @ betas,
        joints=adult.joints + adult.joints_per_beta @ betas,
        rigid=adult.rigid + adult.rigid_per_beta @ betas,
    )
    scales = _scales(shaped.joints, places)
    if ankle:
        _raise_feet(scales, shaped, places, ankle)
    return on_floor(Bones(scales, on).rest(shaped, places + shaped.joints[0]))


def _raise_feet(scales: Array, ours: RestBody, theirs: Array, ankle: float) -> None:
    """Let ankles be so many metres above the soles, whatever the height of the balls of the feet."""
    sole = float(ours.skin[:, 1].min())
    for leg in LEGS:
        end, tip = SMPL_JOINTS.index(leg.end), SMPL_JOINTS.index(leg.tip)
        ball = ankle + float(theirs[tip, 1] - theirs[end, 1])
        for joint, height in ((end, ankle), (tip, ball)):
            scales[joint, 1] = np.clip(height / (float(ours.joints[joint, 1]) - sole), *_STRETCH)


def _scales(ours: Array, theirs: Array) -> Array:
    """(24, 3): by which the skin around each joint grows along the world's axes: along bones as they get longer, and
    across them as the whole body does."""

    def longer(above: str, below: str) -> float:
        ends = SMPL_JOINTS.index(above), SMPL_JOINTS.index(below)
        one, other = (float(np.linalg.norm(joints[ends[1]] - joints[ends[0]])) for joints in (ours, theirs))
        return float(np.clip(other / one, *_STRETCH))

    def of(joint: str) -> Array:
        return np.asarray(scales[SMPL_JOINTS.index(joint)])

    lines = [bone for limb in LIMBS for bone in pairwise(limb.line)]
    girth = float(np.median([longer(*bone) for bone in lines]))
    scales = np.full((len(SMPL_JOINTS), 3), girth)
    trunk = [longer(LEGS[side].root, ARMS[side].root) for side in (0, 1)]
    hips, shoulders = (longer(pair[0].root, pair[1].root) for pair in (LEGS, ARMS))
    of(Role.PELVIS)[:2] = hips, np.mean(trunk)
    for share, joint in zip((0.33, 0.67, 1.0), (Role.SPINE1, Role.SPINE2, Role.SPINE3), strict=True):
        of(joint)[:2] = hips + share * (shoulders - hips), np.mean(trunk)
    of(Role.NECK)[1] = longer(Role.NECK, Role.HEAD)
    for arm in ARMS:
        of(arm.root)[0], of(arm.hinge)[0] = longer(arm.root, arm.hinge), longer(arm.hinge, arm.end)
        if arm.girdle:
            of(arm.girdle)[0] = shoulders
        hand = longer(arm.end, arm.tip)
        for joint in (arm.end, arm.tip):
            of(joint)[:] = hand if _HANDS[0] < hand / girth < _HANDS[1] else girth
    for leg in LEGS:
        of(leg.root)[1], of(leg.hinge)[1] = longer(leg.root, leg.hinge), longer(leg.hinge, leg.end)
        of(leg.end)[2] = longer(leg.end, leg.tip)
    return scales
