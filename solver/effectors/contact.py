"""Contacts: a patch of skin held on a surface, lying flat on it where the patch is flat; or a hand around a thing."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.effectors.basic_kinds import Position
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.effectors.kind import Kind, Unit
from solver.kinematics.fk import WorldJoints
from solver.kinematics.mirror import MirrorPlane
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.skeleton import Skeleton
from solver.values import FloatArray, changed, frozen_array

ANY_WAY = frozen_array(np.zeros(3), (3,), "direction")  # a direction that is not asked for, or not known
SIDES = {"left": "right", "right": "left"}


@dataclass(frozen=True, eq=False)
class Contact(PointEffector):
    """Asks that a patch of the joint's skin lie on a surface at `target`, (3,) metres.

    patch: the patch's name, as `solver.contact.patches` has it, such as "left_palm"; "" for one that is not known.
    offset and `normal`, (3,), are the patch's middle and its outward normal in the joint's frame for the body's present
    shape; when the shape changes, they are found again by the patch's name. facing: (3,) unit, the surface's normal in
    the world. Where both normals are known, the patch is turned to face the surface; zeros stand for any way.
    radius: metres, that of the thing a hand closes around. Then `target` is on the thing's axis, or is its middle,
    `normal` goes through the hand, out on the thumb's side, and `facing` along the axis, the opposite way; about the
    axis the hand is free. tilt: radians by which the thing leans in the hand, on the thumb's side towards the wrist.
    """

    spec = Kind(
        id="contact", title="Contact", verb="Hold", unit=Unit.METRES, met=1e-3, loosest=0.3, pin_weight=3e7,
        pin_force=5e3, firm_weight=1e6, firm_force=400.0, weight_decades=7.0, handle="contact",
    )  # fmt: skip
    patch: str = ""
    normal: FloatArray = field(default_factory=lambda: ANY_WAY)
    facing: FloatArray = field(default_factory=lambda: ANY_WAY)
    radius: float = 0.0
    tilt: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("normal", "facing"):
            object.__setattr__(self, name, _direction(getattr(self, name), name))
        if not 0.0 <= self.radius < np.inf:
            raise ValueError(f"what a hand closes around has a radius of 0 or more, not {self.radius}")
        if not abs(self.tilt) <= np.pi / 2:
            raise ValueError(f"what a hand closes around leans in it by a quarter turn at most, not by {self.tilt}")

    @property
    def around(self) -> bool:
        """Whether it is a hand that closes around something."""
        return self.radius > 0.0

    @cached_property
    def lies_flat(self) -> bool:  # type: ignore[override]
        """Whether it asks for a turn as well: both patch and surface have a known side."""
        return bool(self.normal.any() and self.facing.any())

    @property
    def holds_joint(self) -> bool:
        """No: it holds skin, even where a patch lies on the joint itself."""
        return False

    def onto(self, place: ArrayLike, facing: ArrayLike = ANY_WAY) -> Self:
        """The contact at another place of a surface, (3,) metres, whose normal there is `facing`, (3,)."""
        if place is self.target and facing is self.facing:
            return self
        return changed(self, target=np.asarray(place, np.float32), facing=np.asarray(facing, np.float32))

    def at_pose(self, skeleton: Skeleton, world: WorldJoints, before: WorldJoints | None = None) -> Self:
        """The contact with a surface where the pose has its patch, and facing it."""
        turned = -(world.rotations[skeleton.index(self.joint)] @ self.normal)
        return changed(self, target=self.held_at(skeleton, world), facing=turned if self.lies_flat else self.facing)

    def moved_by(self, rigid: RigidMotion) -> Self:
        """The contact with its surface carried along."""
        return changed(self, target=rigid.points(self.target), facing=np.asarray(rigid.turn @ self.facing, np.float32))

    def scaled(self, factor: float) -> Self:
        """The contact in a world scaled by the factor about its origin."""
        return changed(super().scaled(factor), radius=factor * self.radius)

    def mirrored(self, plane: MirrorPlane, joint: str) -> Self:
        """The contact of the other side's patch with the surface seen in the mirror."""
        seen = super().mirrored(plane, joint)
        return changed(
            seen,
            offset=plane.joint_vectors(self.offset),
            patch=other_side(self.patch),
            normal=plane.joint_vectors(self.normal),
            facing=self.facing @ plane.matrix,
        )

    def on_joint(self, joint: str, turn: FloatArray | None = None) -> Self:
        """The contact on a joint of that name, its patch in that joint's frame."""
        if turn is None:
            return super().on_joint(joint)
        return changed(self, joint=joint, offset=turn @ self.offset, normal=turn @ self.normal)

    def partway_from(self, start: Self, share: float) -> Self:
        """The contact a share of the way from `start`'s place, its surface turned by the same share; facing any way if
        the two face away from each other."""
        way = (1.0 - share) * start.facing + share * self.facing
        return changed(super().partway_from(start, share), facing=np.asarray(way, np.float32))

    def with_target_of(self, other: Self) -> Self:
        """The contact at the other's place on a surface."""
        return self.onto(other.target, other.facing)

    def as_networks_read(self) -> tuple[Effector, ...]:
        """The place of its patch: networks know nothing of surfaces."""
        return self._as_place

    @cached_property
    def _as_place(self) -> tuple[Effector, ...]:
        return (Position(self.joint, self.target, self.offset, tolerance=self.tolerance, pinned=self.pinned),)


def other_side(patch: str) -> str:
    """The patch's counterpart: "right_palm" of "left_palm"; itself in the middle."""
    side, _, rest = patch.partition("_")
    return f"{SIDES[side]}_{rest}" if side in SIDES else patch


def _direction(value: NDArray[np.floating], name: str) -> FloatArray:
    if value is ANY_WAY:
        return ANY_WAY
    vector = frozen_array(value, (3,), name)
    length = float(np.sqrt(vector.dot(vector)))
    if length < 1e-6:
        return ANY_WAY
    return vector if abs(length - 1.0) < 1e-5 else frozen_array(vector / length, (3,), name)
