"""How patches of skin lie flat: a row beside that of each contact, which turns its patch towards the surface."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import Rotation
from solver.effectors.residual_kernels import Rows
from solver.effectors.rows import AIM

Array = NDArray[np.float64]
FAR = 1e4  # metres behind the surface: whoever aims there looks along a direction, wherever the joint is


def with_facing(effectors: Sequence[Effector], rows: Rows, strengths: Array) -> tuple[Rows, Array]:
    """The effectors' rows, and behind them one for each contact that lies flat; strengths: (E, 3) of the effectors."""
    flat = [i for i, e in enumerate(effectors) if isinstance(e, Contact) and e.lies_flat]
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
