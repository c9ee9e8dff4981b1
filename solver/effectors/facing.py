"""How patches of skin lie flat: each contact gets a second row, which turns its patch towards the surface."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.form_ids import AIM
from solver.effectors.kinds import Rotation
from solver.effectors.residual_kernels import Rows

Array = NDArray[np.float64]
UP = np.array([0.0, 1.0, 0.0])
APART = 0.1  # metres between patches beyond which people choose how to take each other's hand
NO_MIDDLE = 0.5  # of a unit: the length of the middle of two directions that are 120° apart
FAR = 1e4  # metres behind the surface: to aim so far away is to aim along a direction, wherever the joint is


def halfway_between(theirs: Effector, own: Effector, away: NDArray[np.floating]) -> Effector:
    """An effector half way between where a tie has its target, `theirs`, and where its joint is, `own`.

    Of two patches that come together each turns half way to the other. If that put each behind the other, arms would
    cross: they come together from front and back instead. If both face the same way there is no middle: they turn to
    the line between the two people. away: (3,) from the other person to the one whose effector it is.
    """
    half = theirs.partway_from(own, 0.5)
    if not isinstance(half, Contact) or not isinstance(theirs, Contact) or not isinstance(own, Contact):
        return half
    middle, line = (own.facing + theirs.facing) / 2.0, away / max(float(np.linalg.norm(away)), 1e-9)
    lacking = max(0.0, NO_MIDDLE - float(np.linalg.norm(middle))) / NO_MIDDLE
    apart = min(theirs.distance_from(own) / APART, 1.0)  # hands that have met stay as they are
    crossed = min(0.0, float(middle @ line)) * apart
    return half.onto(half.target, middle - crossed * (line + np.cross(UP, line)) + lacking * line)


def with_facing(effectors: Sequence[Effector], rows: Rows, strengths: Array) -> tuple[Rows, Array]:
    """The effectors' rows, followed by one for each contact that lies flat; strengths: (E, 3) of the effectors."""
    flat = [i for i, e in enumerate(effectors) if e.lies_flat]
    if not flat:
        return rows, strengths
    targets, more = np.zeros((len(flat), 3, 3)), np.empty((len(flat), 3))
    for target, strength, i in zip(targets, more, flat, strict=True):
        contact = effectors[i]
        assert isinstance(contact, Contact)
        target[0] = contact.target.astype(np.float64) - FAR * contact.facing
        target[1] = contact.normal
        strength[:] = Rotation.spec.strength(contact.pinned, contact.tolerance)
    both = Rows(
        np.concatenate([rows.kinds, np.full(len(flat), AIM)]),
        np.concatenate([rows.joints, rows.joints[flat]]),
        np.concatenate([rows.targets, targets]),
    )
    return both, np.concatenate([strengths, more])
