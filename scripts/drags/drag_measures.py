"""What the studies of drags share: measures that add up over drags, and how far people have moved."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Document
from app.document.model.figure import joints_of
from solver.kinematics.pose_distance import places_apart

Array = NDArray[np.float64]
SOLVERS = ("dls", "smplik")
ALL_SOLVERS = (*SOLVERS, "protores", "skelik", "pose_edition", "dragposer")
HALVES = ("tune", "report")  # of the library's poses: every second one tunes
MET = 1e-3  # metres: what is off by no more is met
FAR = 0.05  # metres: a joint that moves further in a step jumps


@dataclass
class Samples:
    """Lists of measures, one a field."""

    def add(self, more: Self) -> None:
        """Take in those of other drags."""
        for each in fields(self):
            getattr(self, each.name).extend(getattr(more, each.name))


def places_of(document: Document) -> list[Array]:
    """(J, 3) metres of everybody's joints."""
    return [joints_of(person).positions.astype(np.float64) for person in document.characters]


def apart(one: list[Array], other: list[Array]) -> float:
    """Metres between the two places of the joint that is furthest apart."""
    return max(float(places_apart(a, b).max()) for a, b in zip(one, other, strict=True))
