"""Effectors: the few constraints that a user sets on a pose, each of one kind, with a target and a tolerance.

A kind is a class: its parent is one of the three forms (`forms.py`), which say what can be done with an effector, and
`spec` is the row of its constants. `kinds.py` lists the kinds.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from solver.effectors.kind import Kind
from solver.effectors.sources import Source
from solver.kinematics.fk import WorldJoints
from solver.kinematics.mirror import MirrorPlane
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.skeleton import Skeleton
from solver.values import ArrayValue, FloatArray, changed


@dataclass(frozen=True, eq=False)
class Effector(ArrayValue):  # no ABC: isinstance takes five times as long there, and a solve asks it 50 times
    """What all effectors share.

    joint: the joint's name. target: plain numbers, what a solver sees. tolerance: 0 (respect strictly) .. 1 (barely a
    hint), as in ProtoRes section 3. pinned: met exactly when reachable, whatever the tolerance. enabled: off = kept but
    ignored. loose: asks for nothing, and the document lets its target go along with the joint; a pin is never loose.
    estimated: its tolerance says how sure a picture or a pose left us, nobody chose it. is_active: whether solvers take
    it into account, as it is switched on and not loose.
    id: names the effector within its character, so that an edit finds it again. source: where the target comes from
    anew before each solve (`solver.effectors.sources`), None for a target that stays.
    """

    spec: ClassVar[Kind]
    kind: ClassVar[str] = ""
    form: ClassVar[int]

    joint: str
    target: FloatArray
    tolerance: float = field(default=0.0, kw_only=True)
    pinned: bool = field(default=False, kw_only=True)
    enabled: bool = field(default=True, kw_only=True)
    loose: bool = field(default=False, kw_only=True)
    estimated: bool = field(default=False, kw_only=True)
    id: str = field(default="", kw_only=True)
    source: Source | None = field(default=None, kw_only=True)
    is_active: bool = field(init=False, repr=False, compare=False)  # no property: a solve asks for it a thousand times

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "spec" in cls.__dict__:
            cls.kind = cls.spec.id

    def __post_init__(self) -> None:
        if not 0.0 <= self.tolerance <= 1.0:
            raise ValueError(f"tolerance must lie between 0 and 1, not {self.tolerance}")
        if self.pinned and self.loose:
            object.__setattr__(self, "loose", False)
        object.__setattr__(self, "is_active", self.enabled and not self.loose)

    @property
    def effective_tolerance(self) -> float:
        """The tolerance that solvers heed: a pin has none."""
        return 0.0 if self.pinned else self.tolerance

    @property
    def is_strict(self) -> bool:
        """Whether it is to be met strictly: it is not loose, and pinned or without tolerance."""
        return not self.loose and self.effective_tolerance == 0.0

    def touched(self) -> Self:
        """The effector in the hands of a user: not loose, and strict where only an estimate gave it a tolerance."""
        tolerance = 0.0 if self.estimated else self.tolerance
        return changed(self, tolerance=tolerance, loose=False, estimated=False)

    @property
    def holds_joint(self) -> bool:
        """Whether its target is the place of the joint itself."""
        return False

    @property
    def lies_flat(self) -> bool:
        """Whether it asks for a place and, with it, that skin face a surface."""
        return False

    @classmethod
    @abstractmethod
    def on(cls, skeleton: Skeleton, joint: str, world: WorldJoints) -> Self:
        """A new effector that holds the joint as it is in `world`."""

    @abstractmethod
    def at_pose(self, skeleton: Skeleton, world: WorldJoints, before: WorldJoints | None = None) -> Self:
        """The effector with its target where the pose has its joint: solving for it then changes nothing.

        before: where the joints were until now. A target to look at keeps the distance that it had there.
        """

    @abstractmethod
    def moved_by(self, rigid: RigidMotion) -> Self:
        """The effector with its target carried along by a motion of the world."""

    @abstractmethod
    def scaled(self, factor: float) -> Self:
        """The effector in a world scaled by the factor about its origin."""

    @abstractmethod
    def mirrored(self, plane: MirrorPlane, joint: str) -> Self:
        """The effector seen in the mirror, on `joint`, the one of the other side."""

    @abstractmethod
    def on_joint(self, joint: str, turn: FloatArray | None = None) -> Self:
        """The effector on a joint called `joint`. turn: (3, 3), this frame seen from that one; None if alike."""

    @abstractmethod
    def encode_into(self, row: NDArray[np.float64]) -> None:
        """Write the target as the compiled functions take it into `row`, (3, 3) zeros."""

    def encode(self) -> NDArray[np.float64]:
        """(3, 3), the target as the compiled functions take it."""
        row = np.zeros((3, 3))
        self.encode_into(row)
        return row

    @abstractmethod
    def numbers_into(self, row: NDArray[np.floating]) -> None:
        """Write the target as a network reads it into `row`, (6,) zeros."""

    def numbers(self) -> NDArray[np.float32]:
        """(6,) the target as a network reads it."""
        row = np.zeros(6, np.float32)
        self.numbers_into(row)
        return row

    @classmethod
    @abstractmethod
    def of_numbers(cls, joint: str, numbers: NDArray[np.floating]) -> Self:
        """The effector with the target that a network's (6,) numbers describe."""

    @abstractmethod
    def distance_from(self, other: Self) -> float:
        """How far the target is from another effector's of its kind: metres, angles as `ARM_M` would carry them."""

    @abstractmethod
    def partway_from(self, start: Self, share: float) -> Self:
        """The effector with its target a share 0..1 of the way from `start`'s to its own."""

    def with_target_of(self, other: Self) -> Self:
        """The effector with another's target."""
        return changed(self, target=other.target)

    def as_networks_read(self) -> tuple[Effector, ...]:
        """What networks read of it: itself if its kind is in their vocabulary, else what may stand for it."""
        return (self,) if self.spec.network is not None else ()

    def residual(self, skeleton: Skeleton, world: WorldJoints) -> float:
        """How far the pose is from the target, metres or radians; by the same compiled function as in a solve."""
        j = skeleton.index(self.joint)
        return self.residual_at(world.positions[j], world.rotations[j])

    def residual_at(self, place: NDArray[np.floating], turn: NDArray[np.floating]) -> float:
        """How far its joint would be from the target at `place`, (3,) metres, turned by `turn`, (3, 3)."""
        from solver.effectors.residual_kernels import residual  # the compiler takes a third of a second to import

        where, how = place.astype(np.float64), turn.astype(np.float64)
        return residual(self.form, self.encode(), where, how, np.empty((4, 3)), np.empty(3))

    def held_at(self, skeleton: Skeleton, world: WorldJoints) -> NDArray[np.floating]:
        """(3,) metres, the place on the body that the effector acts on."""
        return world.positions[skeleton.index(self.joint)]

    def handle_at(self, skeleton: Skeleton, world: WorldJoints) -> NDArray[np.floating]:
        """(3,) metres, where its handle is: at its target."""
        return self.target
