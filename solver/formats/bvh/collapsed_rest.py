"""How each joint's frame stands in a file whose rest pose is not a standing pose; some programs keep none.

Nothing can be compared with a T-pose there, but what hangs on one joint keeps its place relative to it in every pose:
the hips and the spine tell how the pelvis stands, the collars and the neck how the chest does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.rotations import (
    angle_between,
    from_rotation_vector,
    geodesic_angle,
    nearest_rotation,
    rotation_between,
)
from solver.kinematics.skeleton import Skeleton
from solver.rig.roles import ARMS, HEAD_AND_NECK, LEGS, LIMBS, SPINE, TRUNK, Role
from solver.values import read_only

Array = NDArray[np.floating]
Mean = Callable[[str, str], Array]

SNAP = np.radians(25.0)  # a frame that is off an axis by no more than this is meant to stand along it
SNAP_LIMB = np.radians(15.0)
SNAP_BONE = np.radians(35.0)  # feet, hands, spines and collars differ more from body to body than limbs do
SAME_BONE = np.radians(0.2)  # as close as a file's decimals bring two spellings of one skeleton
LEAVE_ALONE = np.radians(30.0)
# What hangs on a joint in pairs: hips, collars, shoulders.
_PAIRS = (
    tuple(leg.root for leg in LEGS),
    tuple(role for arm in ARMS for role in arm.joints[:1]),
    tuple(arm.root for arm in ARMS),
)
_MIDDLE = (*SPINE, *HEAD_AND_NECK)
_COLLARS = _PAIRS[1]
_LIMB = frozenset(role for limb in LIMBS for role in (limb.root, limb.hinge))


def align_collapsed(
    skeleton: Skeleton, rest: Mapping[str, Array], above: Mapping[str, str], mean: Mean
) -> dict[str, Array]:
    """For each of our joints that the file has, (3, 3) with R_world_ours = R_world_file @ correction.

    rest, mean: as `rest_alignment.align_rest` takes them. above: our joint name -> the next of our joints above it in
    the file's own tree.

    The twist of a bone with one bone after it says nothing; the one is taken by which the mean pose twists least, for
    what lies below the chest in the trunk also against the chest.
    """
    ours = dict(zip(skeleton.names, skeleton.rest_positions.astype(np.float64), strict=True))
    frames = _branching_frames(ours, rest, above)
    bones = {joint: pair for joint in rest if joint not in frames and (pair := _bone(joint, ours, rest, above))}
    aligned = _along_axes(frames, bones)
    if aligned:
        frames = {joint: _nearest_turn(frame) for joint, frame in frames.items()}
    known = dict(frames)
    for joint in skeleton.names:
        if joint not in rest or joint in known:
            continue
        references = {_next_above(skeleton, joint, known)} - {None}
        if joint in TRUNK:
            references |= {_next_below(joint, frames, above)} - {None}
        untwisted = sum((known[other].T @ mean(other, joint) for other in references if other), np.zeros((3, 3)))
        known[joint] = _correction(joint, bones.get(joint), untwisted, aligned)
    return known


def _correction(joint: str, bone: tuple[Array, Array] | None, untwisted: Array, aligned: bool) -> Array:
    """The frame that makes `untwisted` @ frame closest to no rotation, among those that the bone and the axes allow."""
    if not untwisted.any():
        untwisted = np.eye(3)
    if bone is None:
        guess = nearest_rotation(untwisted.T)
        return _nearest_turn(guess) if aligned else guess
    ours, theirs = bone
    if not aligned:
        guess = nearest_rotation(untwisted.T)
        return _least_twist(untwisted, rotation_between(guess @ ours, theirs) @ guess, theirs)
    misses = np.array([angle_between(turn @ ours, theirs) for turn in _quarter_turns()])
    is_ours = misses.min() < SAME_BONE  # then even how the bone leans tells the twist
    limit = misses.min() + SAME_BONE if is_ours else _snap(joint)
    turns = [turn for turn, miss in zip(_quarter_turns(), misses, strict=True) if miss < limit]
    turn = max(turns, key=lambda t: float(np.trace(untwisted @ t)))
    # Limbs and feet go where the file's go; how spines and collars lie in a body is its anatomy.
    in_trunk = joint in _MIDDLE or joint in _COLLARS
    return (
        turn
        if in_trunk and angle_between(turn @ ours, theirs) < LEAVE_ALONE
        else rotation_between(turn @ ours, theirs) @ turn
    )


def _branching_frames(
    ours: Mapping[str, Array], rest: Mapping[str, Array], above: Mapping[str, str]
) -> dict[str, Array]:
    """The frames of joints on which a left, a right and a middle joint hang, which are known without any pose."""
    frames: dict[str, Array] = {}
    for joint in rest:
        pair = _pair_below(joint, above)
        if pair is None:
            continue
        middle = next((name for name in _MIDDLE if above.get(name) == joint), None)
        axes = [_axes(places, joint, pair, middle) for places in (ours, rest)]
        if axes[0] is not None and axes[1] is not None:
            frames[joint] = axes[1] @ axes[0].T
    return frames


def _pair_below(joint: str, above: Mapping[str, str]) -> tuple[str, ...] | None:
    return next((pair for pair in _PAIRS if all(above.get(name) == joint for name in pair)), None)


def _axes(places: Mapping[str, Array], joint: str, pair: tuple[str, ...], middle: str | None) -> Array | None:
    """Left, up and forward as columns; None if they lie in one line, within a file's rounding."""
    left, right = (places[name] for name in pair)
    across = left - right
    up = places[middle] - (left + right) / 2 if middle else (left + right) / 2 - places[joint]
    forward = np.cross(across, up)
    if np.linalg.norm(forward) <= 1e-3 * np.linalg.norm(across) ** 2:
        return None
    return np.stack([v / np.linalg.norm(v) for v in (across, np.cross(forward, across), forward)], axis=-1)


def _bone(
    joint: str, ours: Mapping[str, Array], rest: Mapping[str, Array], above: Mapping[str, str]
) -> tuple[Array, Array] | None:
    """The direction (3,) from a joint to the next one of its own line, in our rest pose and in the file's.

    Or from right to left of the pair that hangs on it, if it has one and no frame: that tells more than the spine.
    """
    lines = [(joint, child) for child, parent in above.items() if parent == joint and _goes_on(joint, child)]
    pair = _pair_below(joint, above)
    for start, end in [(pair[1], pair[0]), *lines] if pair else lines:
        bone = ours[end] - ours[start], rest[end] - rest[start]
        if min(np.linalg.norm(v) for v in bone) > 1e-6:
            return bone
    return None


def _goes_on(joint: str, child: str) -> bool:
    return child in _MIDDLE or Role(child).side == Role(joint).side


def _along_axes(frames: Mapping[str, Array], bones: Mapping[str, tuple[Array, Array]]) -> bool:
    """Whether every joint's frame stands along the axes of our rest pose, in whatever order and sense."""
    return all(geodesic_angle(_nearest_turn(frame), frame) < SNAP for frame in frames.values()) and all(
        min(angle_between(turn @ ours, theirs) for turn in _quarter_turns()) < _snap(joint)
        for joint, (ours, theirs) in bones.items()
    )


def _snap(joint: str) -> float:
    return SNAP_LIMB if joint in _LIMB else SNAP_BONE


def _next_above(skeleton: Skeleton, joint: str, known: Mapping[str, Array]) -> str | None:
    j = skeleton.parents[skeleton.index(joint)]
    while j >= 0 and skeleton.names[j] not in known:
        j = skeleton.parents[j]
    return skeleton.names[j] if j >= 0 else None


def _next_below(joint: str, frames: Mapping[str, Array], above: Mapping[str, str]) -> str | None:
    """The first joint below with a frame of its own: the chest."""
    for other in frames:
        way = other
        while way in above:
            way = above[way]
            if way == joint:
                return other
    return None


def _least_twist(mean: Array, correction: Array, axis: Array) -> Array:
    """`correction` turned about the file's bone so that the mean pose is twisted least.

    Maximises trace(mean @ turn(angle) @ correction), which has one closed-form angle.
    """
    d = axis / np.linalg.norm(axis)
    cross = np.array([[0, -d[2], d[1]], [d[2], 0, -d[0]], [-d[1], d[0], 0]])
    m = correction @ mean
    angle = np.arctan2(np.trace(m @ cross), np.trace(m) - d @ m @ d)
    return from_rotation_vector(angle * d) @ correction


def _nearest_turn(rotation: Array) -> Array:
    return max(_quarter_turns(), key=lambda turn: float(np.sum(turn * rotation)))


@cache
def _quarter_turns() -> tuple[Array, ...]:
    """The 24 rotations (3, 3) that carry axes to axes."""
    turns = []
    for order, signs in product(permutations(range(3)), product((1.0, -1.0), repeat=3)):
        turn = np.zeros((3, 3))
        turn[order, range(3)] = signs
        read_only(turn)
        if np.linalg.det(turn) > 0:
            turns.append(turn)
    return tuple(turns)
