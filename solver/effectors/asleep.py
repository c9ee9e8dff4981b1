"""Effectors of a newer version: kept, shown as such, and never used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.effectors.kind import Kind, Unit
from solver.kinematics.fk import WorldJoints
from solver.kinematics.mirror import MirrorPlane
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.skeleton import Skeleton
from solver.values import FloatArray, frozen_array

NOWHERE = frozen_array(np.zeros(3), (3,), "target")


@dataclass(frozen=True, eq=False)
class AsleepEffector(PointEffector):
    """An effector that this version does not understand. It asks for nothing and does not follow the body.

    joint: the one that it names, where the body has it, else the root. unknown: the name of its kind.
    json: all of it as it stands in the file. It can be selected, copied and deleted like any other; nothing else of it
    can be changed.
    """

    spec = Kind(
        id="asleep", title="Unknown", verb="Keep", unit=Unit.METRES, met=1e-3, loosest=0.3, pin_weight=1.0,
        pin_force=1.0, firm_weight=1.0, firm_force=1.0, weight_decades=1.0, handle="ball",
    )  # fmt: skip
    unknown: str = ""
    json: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        fixed = {"target": NOWHERE, "tolerance": 0.0, "source": None}
        off = dict.fromkeys(("pinned", "enabled", "loose", "estimated", "is_active"), False)
        for name, value in (fixed | off).items():
            object.__setattr__(self, name, value)

    @property
    def holds_joint(self) -> bool:
        """No: this version does not know what its target means."""
        return False

    def at_pose(self, skeleton: Skeleton, world: WorldJoints, before: WorldJoints | None = None) -> Self:
        """Unchanged."""
        return self

    def moved_by(self, rigid: RigidMotion) -> Self:
        """Unchanged."""
        return self

    def mirrored(self, plane: MirrorPlane, joint: str) -> Self:
        """Unchanged: it is not known how its numbers would have to change."""
        return self

    def on_joint(self, joint: str, turn: FloatArray | None = None) -> Self:
        """Unchanged."""
        return self

    def partway_from(self, start: Self, share: float) -> Self:
        """Unchanged."""
        return self


def is_asleep(effector: Effector) -> bool:
    """Whether a newer version made it, so that it is kept and not used."""
    return type(effector) is AsleepEffector
