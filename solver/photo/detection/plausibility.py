"""How plausible it is that a person who was seen is there: agreement of looks, proportions, repeats of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.photo.detection.blazepose import MIRRORED, Landmarks

Array = NDArray[np.float64]
Bone = tuple[int, int, float]  # from a landmark to another, and metres
# From a logistic regression on renderings, log odds for: a constant; the share of looks that saw the same person; how
# far apart those looks have the landmarks in the picture, and how far from them the landmarks in space would be seen,
# both as shares of the extent; and how much shorter than a grown-up's the bones are, as a mean logarithm.
_CERTAIN = np.array([-1.24, 7.13, -26.9, -64.6, -7.06])
_ALONE = 0.15  # how far apart looks are taken to be where there is only one
_JOINTS = (11, 12, 13, 14, 15, 16, 23, 24, 25, 26, 27, 28)
_SPINE = ((11, 23, 0.47), (12, 24, 0.47))
_LIMBS = (
    (11, 13, 0.23), (12, 14, 0.23), (13, 15, 0.22), (14, 16, 0.22),
    (23, 25, 0.385), (24, 26, 0.385), (25, 27, 0.37), (26, 28, 0.37),
)  # fmt: skip
_LENGTHS = (*_SPINE, *_LIMBS, (11, 12, 0.31))  # of the landmarks in space, metres
# All of a person's bones: limbs, the trunk with its diagonals, head, hands and feet.
_BONES = (
    *((start, end) for start, end, _ in _LENGTHS),
    (23, 24), (11, 24), (12, 23), (0, 11), (0, 12), (15, 19), (16, 20), (27, 31), (28, 32),
)  # fmt: skip
# What shows of a person at a table: head, arms and trunk. And about how much larger than that a whole person is.
_UPPER, _UPPER_JOINTS, _WHOLE = (*range(17), 23, 24), (11, 12, 13, 14, 15, 16, 23, 24), 1.5
_UPPER_LENGTHS = tuple(bone for bone in _LENGTHS if bone[0] in _UPPER_JOINTS and bone[1] in _UPPER_JOINTS)
_NEAREST = 0.2  # of the hips' distance: anything nearer to the camera than this was seen wrongly
_LIMB = 0.07  # share of a person's extent, on either side of a bone, that is still the limb
_MADE_OF = 0.6  # share of a reading's joints on another person's limbs, from which it is made of those limbs
# Where a known person is painted over, anybody seen as surely as this is partly behind them, unless nearly all of the
# joints lie on the known person's limbs, or it is much smaller, or another reading of the same size, left and right
# exchanged or not.
_BEHIND, _ALL_ON, _SMALLER, _SAME_JOINTS, _SAME_SIZE = 2.5, 0.95, 0.55, 0.1, 0.85
_SMALL = 0.4  # of the other's extent, below which a person may stand in front of them
QUICK_LOOKS = 6  # looks by the quick network, which come before those by the heavy one


def extent(person: Landmarks) -> float:
    """The diagonal of a person's landmarks in pixels."""
    return float(np.linalg.norm(np.ptp(person.pixels[:33], axis=0)))


def certainty(person: Landmarks, focal: float = np.inf) -> float:
    """How surely a person is there in this pose, after several looks: log odds, 0 for even ones.

    focal: pixels, of the camera; by default the person is far away, and nearer parts look no larger.
    """
    return _certain(person, range(33), _JOINTS, _LENGTHS, extent(person), focal)


def upper_certainty(person: Landmarks, focal: float = np.inf) -> float:
    """`certainty` of head, arms and trunk alone."""
    size = _WHOLE * float(np.linalg.norm(np.ptp(person.pixels[list(_UPPER)], axis=0)))
    return _certain(person, _UPPER, _UPPER_JOINTS, _UPPER_LENGTHS, size, focal)


def _certain(
    person: Landmarks, marks: Sequence[int], joints: Sequence[int], lengths: Sequence[Bone], size: float, focal: float
) -> float:
    size, apart = max(size, 1.0), _ALONE
    if len(person.looks) > 1:
        looks = np.stack([look.pixels[list(marks)] for look in person.looks])
        apart = min(float(looks.std(axis=0).mean()) / size, _ALONE)
    distorted = _distorted(person, joints, focal) / size
    return float(_CERTAIN @ [1.0, person.presence, apart, distorted, _shortness(person, lengths)])


def is_worth_more_looks(look: Landmarks, gone: Sequence[Landmarks], least: float) -> bool:
    """Whether more looks are worth it: if all agreed, it would reach this certainty, and it is no remnant of others."""
    return certainty_if_all_agreed(look) >= least and not is_part_of(look, gone)


def certainty_if_all_agreed(look: Landmarks) -> float:
    """How certain a person would be if every look saw the same as this one."""
    return certainty(replace(look, presence=1.0, looks=(look, look)))


def _distorted(person: Landmarks, joints: Sequence[int], focal: float) -> float:
    """Pixels between joints and where those in space would be seen, from far away or as near as they seem."""
    seen: Array = person.pixels[list(joints)]
    space: Array = person.world[list(joints)]
    seen = seen - seen.mean(axis=0)
    far, scale = _off(seen, space[:, :2])
    if not np.isfinite(focal):
        return far
    # The hips are focal / scale metres away. With a guessed lens this may be wrong, so whichever fits better counts.
    near, _ = _off(seen, space[:, :2] / np.maximum(1 + scale / focal * space[:, 2:], _NEAREST))
    return min(far, near)


def _off(seen: Array, space: Array) -> tuple[float, float]:
    """The smallest distance in pixels from points to those seen (N, 2), about their middle; and pixels per metre."""
    space = space - space.mean(axis=0)
    scale = max(float((seen * space).sum() / max(float((space**2).sum()), 1e-9)), 0.0)
    return float(np.linalg.norm(seen - scale * space, axis=1).mean()), scale


def _shortness(person: Landmarks, bones: Sequence[Bone]) -> float:
    starts, ends = [bone[0] for bone in bones], [bone[1] for bone in bones]
    lengths = np.linalg.norm(person.world[starts] - person.world[ends], axis=1)
    usual = np.array([bone[2] for bone in bones])
    return float(np.log(usual / np.clip(lengths, 1e-3, usual)).mean())


def is_rereading_of(person: Landmarks, others: Sequence[Landmarks]) -> bool:
    """Whether this is only another reading of one of the others, such as upside down, or left for right."""
    return any(extent(person) > _SMALL * extent(other) and _share_on(person, other) > _MADE_OF for other in others)


def lies_on(person: Landmarks, other: Landmarks, share: float = _MADE_OF) -> bool:
    """Whether more than this share of the joints of a person's limbs, by default most, lies on another's limbs and
    trunk."""
    return _share_on(person, other) > share


def joints_apart(a: Landmarks, b: Landmarks) -> float:
    """The mean distance between the same joints of two readings' limbs in the picture, as a share of b's extent."""
    joints = list(_JOINTS)
    return float(np.linalg.norm(a.pixels[joints] - b.pixels[joints], axis=1).mean()) / max(extent(b), 1.0)


def limbs_apart(looks: Sequence[Landmarks]) -> float | None:
    """The share of the extent by which the heavy network's looks, or all where there are few, disagree about the median
    joint of arms and legs; None where there was one."""
    close = looks[QUICK_LOOKS:] if len(looks) > QUICK_LOOKS + 1 else looks
    across = spread_in_picture(close)
    if across is None:
        return None
    size = float(np.linalg.norm(np.ptp(np.median([look.pixels[:33] for look in close], axis=0), axis=0)))
    return round(float(np.median(across[list(_JOINTS)])) / max(size, 1.0), 4)


def spread_in_picture(looks: Sequence[Landmarks]) -> Array | None:
    """(33,) pixels by which looks disagree; None where there was one."""
    if len(looks) < 2:
        return None
    return np.asarray(np.sqrt(np.stack([look.pixels[:33] for look in looks]).var(axis=0).sum(axis=-1)))


def is_part_of(look: Landmarks, gone: Sequence[Landmarks]) -> bool:
    """Whether a look sees only parts of another person, as of somebody who was not painted over: it needs no second."""
    return any(_share_on(look, other) > _ALL_ON for other in gone)


def is_remnant_of(person: Landmarks, gone: Sequence[Landmarks]) -> bool:
    """Whether this is only the unpainted remnant of the others, and not a person partly behind them."""
    return any(_share_on(person, other) > _MADE_OF and not is_behind(person, other) for other in gone)


def is_behind(person: Landmarks, other: Landmarks, least: float = _BEHIND) -> bool:
    """Whether a person seen where another is painted over is certain enough, and different enough, to be somebody else.

    least: the certainty that takes.
    """
    if certainty(person) < least or _share_on(person, other) > _ALL_ON:
        return False
    joints, size = list(_JOINTS), extent(other)
    if extent(person) < _SMALLER * size:
        return False
    apart = min(
        float(np.linalg.norm(marks[joints] - other.pixels[joints], axis=1).mean())
        for marks in (person.pixels, person.pixels[:33][MIRRORED])
    )
    alike = _SAME_SIZE < extent(person) / max(size, 1.0) < 1 / _SAME_SIZE
    return apart > _SAME_JOINTS * size or not alike


def shares_limbs(person: Landmarks, other: Landmarks) -> bool:
    """Whether any joint of one of two people's limbs lies on the other's limbs or trunk."""
    return _share_on(person, other) > 0 or _share_on(other, person) > 0


def _share_on(person: Landmarks, other: Landmarks) -> float:
    """The share of the joints of a person's limbs that lies on another's limbs and trunk."""
    points = person.pixels[list(_JOINTS)]
    starts, ends = (other.pixels[[bone[end] for bone in _BONES]] for end in (0, 1))
    along = ends - starts
    at = np.einsum("jbx,bx->jb", points[:, None] - starts, along) / np.maximum((along**2).sum(axis=1), 1e-9)
    nearest = starts + np.clip(at, 0, 1)[..., None] * along
    away = np.linalg.norm(points[:, None] - nearest, axis=2).min(axis=1)
    return float((away < _LIMB * extent(other)).mean())
