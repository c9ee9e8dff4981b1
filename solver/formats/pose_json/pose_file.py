"""What a pose file holds: people with body, pose and effectors, and the camera that saw them."""

from __future__ import annotations

from dataclasses import dataclass, field

from solver.body.body import BodyShape
from solver.body.hands import HandMotion, Hands
from solver.camera import PinholeCamera
from solver.effectors.effector import Effector
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.skeleton import Skeleton
from solver.values import ArrayValue


@dataclass(frozen=True, eq=False)
class PosePerson(ArrayValue):
    """One posed person. body: the body model's id. skeleton: already shaped by `shape`.

    hands: how the fingers are held; None if nothing is said.
    motion: all frames, if there are several; the pose is that of its `frame`, from 0. moving_hands: the fingers in each
    of them, if they move.
    """

    name: str
    skeleton: Skeleton
    pose: Pose
    id: str = ""
    body: str = "anny"
    shape: BodyShape = field(default_factory=BodyShape)
    effectors: tuple[Effector, ...] = ()
    base_pose: Pose | None = None
    motion: Motion | None = None
    frame: int = 0
    hands: Hands | None = None
    moving_hands: HandMotion | None = None

    def __post_init__(self) -> None:
        first = None if self.motion is None else self.motion.pose(0)
        for pose in (self.pose, self.base_pose, first):
            if pose is not None and len(pose.rotations) != len(self.skeleton):
                raise ValueError(f"a pose has {len(pose.rotations)} joints, the skeleton {len(self.skeleton)}")
        if not 0 <= self.frame < (1 if self.motion is None else len(self.motion)):
            raise ValueError(f"there is no frame {self.frame}")


@dataclass(frozen=True)
class PosePhoto:
    """The photo the poses come from. sha256: of its bytes. relative_path: from the pose file, with forward slashes."""

    sha256: str
    relative_path: str


@dataclass(frozen=True, eq=False)
class PoseFile(ArrayValue):
    """Everything in one pose file. name, tags: what a library of poses knows it by, "" and none if not given."""

    people: tuple[PosePerson, ...]
    camera: PinholeCamera | None = None
    photo: PosePhoto | None = None
    name: str = ""
    tags: tuple[str, ...] = ()
