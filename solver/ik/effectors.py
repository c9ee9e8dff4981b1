"""Effectors: the few constraints a user sets on a pose (position, rotation, look-at), each with a tolerance."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from solver.errors import PoserError
from solver.size_limits import FARTHEST_M
from solver.values import ArrayValue, FloatArray, frozen_array


@dataclass(frozen=True, eq=False)
class Effector(ArrayValue):
    """What all effectors share.

    joint: the joint's name. tolerance: 0 (respect strictly) .. 1 (barely a hint), as in ProtoRes section 3.
    pinned: met exactly when reachable, whatever the tolerance. enabled: off = kept but ignored.
    loose: asks for nothing, and whoever keeps the effector lets its target go along with the joint; a pin never is.
    id: names the effector within its character, so that an edit finds it again.
    """

    kind: ClassVar[str] = ""

    joint: str
    tolerance: float = field(default=0.0, kw_only=True)
    pinned: bool = field(default=False, kw_only=True)
    enabled: bool = field(default=True, kw_only=True)
    loose: bool = field(default=False, kw_only=True)
    id: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        if not 0.0 <= self.tolerance <= 1.0:
            raise ValueError(f"tolerance must lie within 0 and 1, not {self.tolerance}")
        if self.pinned and self.loose:
            object.__setattr__(self, "loose", False)

    @property
    def asks(self) -> bool:
        """Whether a solver heeds it: it is switched on and not loose."""
        return self.enabled and not self.loose


def _place(effector: Effector, target: FloatArray) -> FloatArray:
    """The target as a place, (3,), that single precision and a scene file can hold; PoserError otherwise."""
    place = frozen_array(target, (3,), "target")
    if np.abs(place).max() > FARTHEST_M:
        raise PoserError(
            f"The target of a {effector.kind} effector on {effector.joint} would be more than "
            f"{FARTHEST_M / 1e3:,.0f} km away. Keep it nearer."
        )
    return place


@dataclass(frozen=True, eq=False)
class Position(Effector):
    """The joint shall be at `target`, (3,) metres in the world."""

    kind: ClassVar[str] = "position"
    target: FloatArray

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "target", _place(self, self.target))


@dataclass(frozen=True, eq=False)
class Rotation(Effector):
    """The joint shall be turned as `target`, (3, 3) R_world_joint."""

    kind: ClassVar[str] = "rotation"
    target: FloatArray

    def __post_init__(self) -> None:
        super().__post_init__()
        target = frozen_array(self.target, (3, 3), "target")
        if np.abs(target @ target.T - np.eye(3)).max() > 1e-3 or np.linalg.det(target) < 0:
            raise ValueError("target is not a rotation matrix")
        object.__setattr__(self, "target", target)


@dataclass(frozen=True, eq=False)
class LookAt(Effector):
    """The joint's `local_axis`, (3,) unit in the joint's frame, shall point to `target`, (3,) metres in the world."""

    kind: ClassVar[str] = "lookat"
    target: FloatArray
    local_axis: FloatArray = field(default_factory=lambda: np.array([0, 0, 1], np.float32))

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "target", _place(self, self.target))
        axis = frozen_array(self.local_axis, (3,), "local axis")
        length = float(np.linalg.norm(axis))
        if length < 1e-6:
            raise ValueError("the local axis has no length")
        if abs(length - 1.0) > 1e-5:
            axis = frozen_array(axis / length, (3,), "local axis")
        object.__setattr__(self, "local_axis", axis)


EFFECTOR_TYPES: dict[str, type[Position] | type[Rotation] | type[LookAt]] = {
    cls.kind: cls for cls in (Position, Rotation, LookAt)
}
