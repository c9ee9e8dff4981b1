"""The three forms of effectors: to hold a point of a joint's frame at a place, to turn a joint, to point one of its
axes at a place. All that can be done with an effector is defined once for each form, and every kind inherits it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.effectors.effector import Effector
from solver.effectors.form_ids import AIM, POINT, TURN
from solver.effectors.kind import ARM_M
from solver.errors import PoserError
from solver.kinematics.fk import WorldJoints
from solver.kinematics.mirror import MirrorPlane
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import from_6d, geodesic_angle, interpolate, nearest_rotation, to_6d
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS
from solver.size_limits import FARTHEST_M
from solver.values import FloatArray, changed, frozen_array

LOOK_DISTANCE = 1.0  # metres from the joint to a new target to look at
NEAREST_LOOK = 0.1  # metres: nearer than that no target is put
NO_OFFSET = frozen_array(np.zeros(3), (3,), "offset")
AHEAD = frozen_array(np.array([0, 0, 1]), (3,), "axis")


@dataclass(frozen=True, eq=False)
class PointEffector(Effector):
    """Asks that a point of the joint's frame, `offset` (3,) metres from the joint, be at `target`, (3,) metres."""

    form: ClassVar[int] = POINT
    offset: FloatArray = field(default_factory=lambda: NO_OFFSET)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "target", _place(self, self.target))
        if self.offset is not NO_OFFSET:
            offset = frozen_array(self.offset, (3,), "offset")
            object.__setattr__(self, "offset", offset if offset.any() else NO_OFFSET)

    @property
    def holds_joint(self) -> bool:
        """Whether its target is the place of the joint itself."""
        return self.offset is NO_OFFSET

    @classmethod
    def on(cls, skeleton: Skeleton, joint: str, world: WorldJoints) -> Self:
        """A new effector that holds the kind's point of the joint where it is."""
        offset = np.array(cls.spec.offset, np.float32) if any(cls.spec.offset) else NO_OFFSET
        return cls(joint, world.positions[skeleton.index(joint)], offset).at_pose(skeleton, world)

    def at_pose(self, skeleton: Skeleton, world: WorldJoints, before: WorldJoints | None = None) -> Self:
        """The effector with its target where the pose has its point."""
        return changed(self, target=self.held_at(skeleton, world))

    def moved_by(self, rigid: RigidMotion) -> Self:
        """The effector with its target carried along."""
        return changed(self, target=rigid.points(self.target))

    def scaled(self, factor: float) -> Self:
        """The effector in a world so many times as large about its origin."""
        offset = NO_OFFSET if self.holds_joint else factor * self.offset
        return changed(self, target=factor * self.target, offset=offset)

    def mirrored(self, plane: MirrorPlane, joint: str) -> Self:
        """The effector on the joint of the other side, target and offset seen in the mirror."""
        offset = NO_OFFSET if self.holds_joint else plane.joint_vectors(self.offset)
        return changed(self, joint=joint, target=plane.points(self.target), offset=offset)

    def on_joint(self, joint: str, turn: FloatArray | None = None) -> Self:
        """The effector on a joint of that name, its offset in that joint's frame."""
        if joint == self.joint and turn is None:
            return self
        offset = self.offset if turn is None or self.holds_joint else turn @ self.offset
        return changed(self, joint=joint, offset=offset)

    def encode_into(self, row: NDArray[np.float64]) -> None:
        """The target and the offset."""
        row[0] = self.target
        if self.offset is not NO_OFFSET:
            row[1] = self.offset

    def numbers_into(self, row: NDArray[np.floating]) -> None:
        """The target and three zeros."""
        row[:3] = self.target

    @classmethod
    def of_numbers(cls, joint: str, numbers: NDArray[np.floating]) -> Self:
        """The effector with that target."""
        return cls(joint, numbers[:3])

    def distance_from(self, other: Self) -> float:
        """Metres between the targets."""
        return _length(self.target - other.target)

    def partway_from(self, start: Self, share: float) -> Self:
        """The effector with its target on the straight line from `start`'s."""
        return changed(self, target=_between(start.target, self.target, share))

    def held_at(self, skeleton: Skeleton, world: WorldJoints) -> NDArray[np.floating]:
        """(3,) metres, where the pose has the point that should meet the target."""
        j = skeleton.index(self.joint)
        return world.positions[j] if self.holds_joint else world.positions[j] + world.rotations[j] @ self.offset


@dataclass(frozen=True, eq=False)
class TurnEffector(Effector):
    """Asks that the joint be turned as `target`, (3, 3) R_world_joint."""

    form: ClassVar[int] = TURN

    def __post_init__(self) -> None:
        super().__post_init__()
        target = frozen_array(self.target, (3, 3), "target")
        if not _is_rotation(target):
            raise ValueError("target is not a rotation matrix")
        object.__setattr__(self, "target", target)

    @classmethod
    def on(cls, skeleton: Skeleton, joint: str, world: WorldJoints) -> Self:
        """A new effector that holds the joint turned as it is."""
        return cls(joint, nearest_rotation(world.rotations[skeleton.index(joint)]).astype(np.float32))

    def at_pose(self, skeleton: Skeleton, world: WorldJoints, before: WorldJoints | None = None) -> Self:
        """The effector with the joint's own turn as its target."""
        return changed(self, target=nearest_rotation(world.rotations[skeleton.index(self.joint)]))

    def moved_by(self, rigid: RigidMotion) -> Self:
        """The effector with its target turned along; a mere move leaves it unchanged."""
        return changed(self, target=nearest_rotation(rigid.rotations(self.target))) if rigid.turns else self

    def scaled(self, factor: float) -> Self:
        """The effector unchanged, since a turn has no size."""
        return self

    def mirrored(self, plane: MirrorPlane, joint: str) -> Self:
        """The effector on the joint of the other side, its target seen in the mirror."""
        return changed(self, joint=joint, target=nearest_rotation(plane.world_rotations(self.target)))

    def on_joint(self, joint: str, turn: FloatArray | None = None) -> Self:
        """The effector on a joint of that name, its target the turn of that joint's frame."""
        if joint == self.joint and turn is None:
            return self
        return changed(self, joint=joint, target=self.target if turn is None else self.target @ turn.T)

    def encode_into(self, row: NDArray[np.float64]) -> None:
        """The matrix."""
        row[:] = self.target

    def numbers_into(self, row: NDArray[np.floating]) -> None:
        """The matrix's first two columns."""
        row[:] = to_6d(self.target)

    @classmethod
    def of_numbers(cls, joint: str, numbers: NDArray[np.floating]) -> Self:
        """The effector with the rotation whose first two columns these are."""
        return cls(joint, from_6d(numbers).astype(np.float32))

    def distance_from(self, other: Self) -> float:
        """Metres that the end of an arm would go from one target to the other."""
        if other.target is self.target:  # as most are from one step of a drag to the next
            return 0.0
        return ARM_M * float(geodesic_angle(other.target, self.target))

    def partway_from(self, start: Self, share: float) -> Self:
        """The effector with its target on the shortest arc from `start`'s."""
        return changed(self, target=interpolate(start.target, self.target, share).astype(np.float32))

    def handle_at(self, skeleton: Skeleton, world: WorldJoints) -> NDArray[np.floating]:
        """(3,) metres, where its handle is: on the joint."""
        return world.positions[skeleton.index(self.joint)]


@dataclass(frozen=True, eq=False)
class AimEffector(Effector):
    """Asks that the joint's `local_axis`, (3,) unit in its frame, point at `target`, (3,) metres in the world."""

    form: ClassVar[int] = AIM
    local_axis: FloatArray = field(default_factory=lambda: AHEAD)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "target", _place(self, self.target))
        axis = frozen_array(self.local_axis, (3,), "local axis")
        length = _length(axis)
        if length < 1e-6:
            raise ValueError("the local axis has no length")
        if abs(length - 1.0) > 1e-5:
            axis = frozen_array(axis / length, (3,), "local axis")
        object.__setattr__(self, "local_axis", axis)

    @classmethod
    def on(cls, skeleton: Skeleton, joint: str, world: WorldJoints) -> Self:
        """A new effector that points where the joint points, to a target 1 m ahead."""
        return cls.along(skeleton, joint, world, pointing_axis(skeleton, joint), LOOK_DISTANCE)

    @classmethod
    def along(cls, skeleton: Skeleton, joint: str, world: WorldJoints, axis: FloatArray, distance: float) -> Self:
        """A new effector whose target is `distance` metres ahead along a local axis (3,)."""
        j = skeleton.index(joint)
        return cls(joint, world.positions[j] + distance * (world.rotations[j] @ axis), axis)

    def at_pose(self, skeleton: Skeleton, world: WorldJoints, before: WorldJoints | None = None) -> Self:
        """The effector with its target where the joint points, as far away as it was."""
        j = skeleton.index(self.joint)
        away = float(np.linalg.norm(self.target - (before or world).positions[j]))
        ahead = world.rotations[j] @ self.local_axis
        return changed(self, target=world.positions[j] + max(away, NEAREST_LOOK) * ahead)

    def moved_by(self, rigid: RigidMotion) -> Self:
        """The effector with its target carried along."""
        return changed(self, target=rigid.points(self.target))

    def scaled(self, factor: float) -> Self:
        """The effector in a world so many times as large about its origin."""
        return changed(self, target=factor * self.target)

    def mirrored(self, plane: MirrorPlane, joint: str) -> Self:
        """The effector on the joint of the other side, target and axis seen in the mirror."""
        return changed(
            self,
            joint=joint,
            target=plane.points(self.target),
            local_axis=plane.joint_vectors(self.local_axis),
        )

    def on_joint(self, joint: str, turn: FloatArray | None = None) -> Self:
        """The effector on a joint of that name, its axis in that joint's frame."""
        if joint == self.joint and turn is None:
            return self
        return changed(self, joint=joint, local_axis=self.local_axis if turn is None else turn @ self.local_axis)

    def encode_into(self, row: NDArray[np.float64]) -> None:
        """The target and the axis."""
        row[0], row[1] = self.target, self.local_axis

    def numbers_into(self, row: NDArray[np.floating]) -> None:
        """The target and the axis."""
        row[:3], row[3:] = self.target, self.local_axis

    @classmethod
    def of_numbers(cls, joint: str, numbers: NDArray[np.floating]) -> Self:
        """The effector with that target and axis."""
        return cls(joint, numbers[:3], numbers[3:])

    def distance_from(self, other: Self) -> float:
        """Metres between the targets, at most what half a turn is worth."""
        return min(_length(self.target - other.target), ARM_M * np.pi)

    def partway_from(self, start: Self, share: float) -> Self:
        """The effector with its target on the straight line from `start`'s."""
        return changed(self, target=_between(start.target, self.target, share))


def pointing_axis(skeleton: Skeleton, joint: str) -> FloatArray:
    """(3,) unit axis in the joint's frame with which it points: along the bone for arms, straight ahead otherwise."""
    role = rig_of(skeleton).role_of(joint)
    if any(role in arm.joints for arm in ARMS):
        j = skeleton.index(joint)
        children = skeleton.children(j)
        bone = skeleton.offsets[children[0] if children else j]
        length = float(np.linalg.norm(bone))
        if length > 1e-4:
            return np.asarray(bone / length, dtype=np.float32)
    return AHEAD


def _place(effector: Effector, target: ArrayLike) -> FloatArray:
    """The target as a place, (3,), that single precision and a scene file can hold; PoserError otherwise."""
    place = frozen_array(target, (3,), "target")
    if max(map(abs, place.tolist())) > FARTHEST_M:  # plain numbers, as in `_is_rotation`
        which = f"{effector.spec.title.lower()} effector on the {effector.joint.replace('_', ' ')}"
        raise PoserError(f"The target of a {which} would be more than {FARTHEST_M / 1e3:,.0f} km away. Keep it nearer.")
    return place


def _length(vector: NDArray[np.floating]) -> float:
    return float(np.sqrt(vector.dot(vector)))  # all that np.linalg.norm does, in a third of its time


def _is_rotation(matrix: FloatArray) -> bool:
    """Whether a matrix (3, 3) is a rotation to a thousandth; in plain numbers, as numpy takes five times as long."""
    (a, b, c), (d, e, f), (g, h, i) = matrix.tolist()
    lengths = (a * a + b * b + c * c, d * d + e * e + f * f, g * g + h * h + i * i)
    across = (a * d + b * e + c * f, a * g + b * h + c * i, d * g + e * h + f * i)
    right_handed = a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g) >= 0.0
    return right_handed and all(abs(n - 1.0) <= 1e-3 for n in lengths) and all(abs(n) <= 1e-3 for n in across)


def _between(a: NDArray[np.floating], b: NDArray[np.floating], share: float) -> NDArray[np.float32]:
    return np.asarray(a + share * (b - a), dtype=np.float32)
