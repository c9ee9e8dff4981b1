"""What a photo leaves ambiguous about a person: guessed points, and limbs that may be mirrored in depth.

Both are judged by how far several looks at the person disagreed; see `Sighting`. docs/photo.md says how well it works.
"""

from __future__ import annotations

from itertools import product
from math import hypot

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.kinematics.skeleton import Skeleton
from solver.photo.sighting import LIMB_MARKS, SEEN, SUPPOSED, SeenPoint, Sighting
from solver.rig.rig import rig_of
from solver.rig.roles import LIMBS, Limb, Role

Array = NDArray[np.float64]
# On renderings, depths are off by 8 cm (rms) even where looks agree, plus one and a half times what they disagree by.
DEPTH_ERROR, DEPTH_SHARE = 0.08, 1.5
GUESSED_DEPTH = 0.09  # metres between looks from which a point's depth is a guess
GUESSED_PLACE = 0.03  # pixels between looks, as a share of the person's extent, from which its place is a guess
# Share of the extent by which the heavy network's looks disagree about the median joint of arms and legs, from which
# the pose is mostly off.
LOOK_FIRST = 0.01
FLAT = 0.12  # of a bone's length along the sight: below it the mirrored bone is hardly another one
LOOSE = 0.08  # metres by which the depth of one joint from another is off, beyond what looks disagree by
AMBIGUITY_MARGIN = 0.5  # how much less likely the other reading may be: half the difference of squares over variances
# Landmarks at the root, the hinge and the end of each limb.
_ENDS = {"shoulder": (11, 13, 15), "hip": (23, 25, 27)}


def extent_px(sighting: Sighting) -> float:
    """The diagonal of the box around the points, pixels."""
    if not sighting.points:
        return 1.0
    places = np.array([point.pixel for point in sighting.points])
    return max(float(np.linalg.norm(np.ptp(places, axis=0))), 1.0)


def depth_error(point: SeenPoint) -> float | None:
    """Metres by which the body's depth at a point is off (rms on renderings); None where there was a single look."""
    return None if point.depth_spread is None else hypot(DEPTH_ERROR, DEPTH_SHARE * point.depth_spread)


def is_guess(point: SeenPoint, extent: float) -> bool:
    """Whether looks disagreed much about a point, or half as much about one not seen. extent: of the person, pixels."""
    deep, wide = point.depth_spread or 0.0, point.pixel_spread or 0.0
    counted = SUPPOSED * wide if point.confidence < SEEN else wide
    return deep >= GUESSED_DEPTH or counted >= GUESSED_PLACE * extent


def is_mostly_guessed(sighting: Sighting) -> bool:
    """Whether looks disagreed much about the places of most of a person's points: then the whole person is a guess."""
    wide = GUESSED_PLACE * extent_px(sighting)
    guessed = sum((point.pixel_spread or 0.0) >= wide for point in sighting.points)
    return 2 * guessed > len(sighting.points)


def is_doubtful(sighting: Sighting) -> bool:
    """Whether the pose is mostly off in the picture, by how far the heavy network's looks disagreed about arms and
    legs; where that is not known, by how many points are guesses. No longer once the user has put most guesses right,
    or, where there were few, any joint of arms and legs."""
    if sighting.limbs_apart is None:
        return is_mostly_guessed(sighting)
    joints = [point for mark, point in sighting.by_mark.items() if mark in LIMB_MARKS]
    untouched = all(point.pixel_spread is not None for point in joints)
    return sighting.limbs_apart >= LOOK_FIRST and (untouched or is_mostly_guessed(sighting))


def depth_ambiguous_limbs(
    skeleton: Skeleton, places: ArrayLike, eye: ArrayLike, sighting: Sighting
) -> tuple[Limb, ...]:
    """The arms and legs of which another reading explains the depths seen nearly as well as this one does.

    places: (J, 3) the joints, metres; eye: (3,) the photo's camera. Whether joints can bend that way is not checked.
    Empty after a single look, which says nothing about its own error; limbs that the user has decided are left out.
    """
    rig, seen = rig_of(skeleton), sighting.by_mark
    joints, at = np.asarray(places, np.float64), np.asarray(eye, np.float64)
    hips = [rig.joint(role) for role in (Role.LEFT_HIP, Role.RIGHT_HIP) if not rig.lacking((role,))]
    middle = joints[hips].mean(axis=0) if hips else joints[0]
    sight = (middle - at) / max(float(np.linalg.norm(middle - at)), 1e-9)
    found = []
    for limb in LIMBS:
        if limb.hinge in sighting.decided:
            continue
        points = [seen.get(mark + (limb.root.side == "right")) for mark in _ENDS.get(limb.root.part, ())]
        if not points or any(point is None or point.depth_spread is None for point in points) or rig.lacking(limb.line):
            continue
        line = joints[[rig.joint(role) for role in limb.line]]
        told = np.diff([point.depth for point in points if point is not None])
        spread = np.array([point.depth_spread or 0.0 for point in points if point is not None])
        variance = spread[:-1] ** 2 + spread[1:] ** 2 + LOOSE**2
        if _is_ambiguous(np.diff(line, axis=0), sight, told, variance):
            found.append(limb)
    return tuple(found)


def _is_ambiguous(bones: Array, sight: Array, told: Array, variance: Array) -> bool:
    """bones: (2, 3) metres. told: (2,) how much farther their ends were seen than their starts, with a variance."""
    deep, length = bones @ sight, np.linalg.norm(bones, axis=1)
    for flips in tuple(product((False, True), repeat=2))[1:]:
        other = np.where(flips, -deep, deep)
        if any(flip and abs(d) < FLAT * long for flip, d, long in zip(flips, deep, length, strict=True)):
            continue
        worse = (((told - other) ** 2 - (told - deep) ** 2) / variance).sum() / 2
        if worse < AMBIGUITY_MARGIN:
            return True
    return False
