"""How whoever lies on the back sits up: onto an elbow, and from there onto the hands, which stay where they are set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.over_time.getting_up.routes import Low
from app.document.over_time.getting_up.stage_poses import Build, Frame, gaps_below, settled, stage_pose
from app.document.over_time.getting_up.stages import FLOOR, FROM_BACK, FROM_SEAT, Held, Part, Stage
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import interpolate
from solver.rig.rig import Rig
from solver.rig.roles import ARMS, LEGS, Role

Array = NDArray[np.float64]
Spot = tuple[Array, Array]

FACES, NEAR_M = 0.5, 0.6  # cosine between how they face, and metres that the hips go, up to which somebody sits up
# Metres above the floor, up to which a hand bears; of a leg of `LEG_M` from the hips, ahead of which it does not; and
# from the middle, up to which a hand beyond the neck is by the head.
PLANTED_M, BEHIND_Z, ASIDE_X = 0.10, 0.08, 0.3
LEVEL = np.array([1.0, 0.0, 1.0])

# As in `stages`, but 0 are the hips. Feet are as on the straight way between the keys, and hands that bear as at the
# seat's. The first side is the one whose hand bears the body first.
ON_ELBOW = Stage(
    "sits up on an elbow", Held(0.0, FLOOR, 0.0, (-70.0, 0.0, 8.0)), (-52.0, 0.0, 16.0), (None, None),
    hands=(None, Held(-0.40, 0.20, -0.08, None, 0.3)), elbows=(Held(0.26, FLOOR, -0.54, None, 0.15), None),
    seconds=0.7, needed=3, stays_hands=(0,),
)  # fmt: skip
ON_HANDS = Stage(
    "sits up on the hands", Held(0.0, FLOOR, 0.0, (-46.0, 0.0, 0.0)), (-36.0, 0.0, 0.0), (None, None),
    seconds=0.6, needed=2, stays_hands=(0, 1),
)  # fmt: skip
LOOSE = 0.3  # how freely a hand that goes through the air may miss its place
SHARES = {ON_ELBOW: 0.35, ON_HANDS: 0.75}  # of the way of legs and hips from lying to sitting


class SitsUp(NamedTuple):
    """The way from lying on the back to a seat. lies, sits: the poses at its ends. frame: of the stages. planted: where
    hands bear in the seat, (3,) metres and (3, 3) R_world_joint; none where they do not come up by them."""

    lies: Pose
    sits: Pose
    frame: Frame
    planted: dict[Role, Spot]

    @classmethod
    def between(cls, build: Build, poses: tuple[Pose, Pose], lows: tuple[Low, Low]) -> SitsUp | None:
        """The way from how somebody is down to how they are then; None if it is another one."""
        (lies, sits), (low, then), rig = poses, lows, build.rig
        lay, sat = (forward_kinematics(rig, pose) for pose in poses)
        frames = [
            Frame.of(rig, world.positions[0].astype(np.float64), each.frame.yaw, low.frame.first)
            for world, each in zip((lay, sat), lows, strict=True)
        ]
        far = float(np.linalg.norm(frames[1].origin - frames[0].origin))
        if low.stages is not FROM_BACK or then.stages is not FROM_SEAT:
            return None
        if far > NEAR_M or np.cos(low.frame.yaw - then.frame.yaw) < FACES:
            return None
        neck, planted = frames[0].within(lay.positions[rig.joint(Role.NECK)])[2], dict[Role, Spot]()
        for role, gap in gaps_below(build, {arm.end for arm in ARMS}, sat).items():
            before, behind = (
                frame.within(world.positions[rig.joint(role)]) for frame, world in zip(frames, (lay, sat), strict=True)
            )
            by_the_head = before[2] < neck and abs(before[0]) < ASIDE_X
            if gap < PLANTED_M and behind[2] < BEHIND_Z and not by_the_head:
                planted[role] = _spot(rig, sat, role)
        first = frames[1].first
        if ARMS[first].end not in planted:
            first = 1 - first
        return cls(lies, sits, frames[1]._replace(first=first), planted)

    @property
    def parts(self) -> list[Part]:
        """The stages in turn."""
        return [Part(stage, stage.needed, stage.seconds) for stage in SHARES]

    def made(self, builds: Sequence[Build], parts: Sequence[Part]) -> Iterator[tuple[Pose, frozenset[Role]]]:
        """The poses of some of the stages, and what bears the body there. builds: of each."""
        for build, part in zip(builds, parts, strict=True):
            assert part.stage is not None
            rig, stage, share = build.rig, part.stage, SHARES[part.stage]
            root = (1.0 - share) * self.lies.root_position + share * self.sits.root_position
            turns = interpolate(self.lies.rotations, self.sits.rotations, share).astype(np.float32)
            way = Pose(root.astype(np.float32), turns)
            if not self.planted:
                yield settled([build], [way], [{}])[0], frozenset()
                continue
            frame, world = self.frame._replace(origin=root * LEVEL), forward_kinematics(rig, way)
            sides = [ARMS[frame.first].end, ARMS[1 - frame.first].end]
            stays = {role: spot for role, spot in self.planted.items() if sides.index(role) in stage.stays_hands}
            if sides[1] not in self.planted:
                free = frame.held(world.positions[rig.joint(sides[1])], LOOSE)
                stage = stage._replace(hands=(None, free))
            pose = _with_legs(rig, stage_pose(build, stage, frame, stays), world)
            held = {role: place for role, (place, _) in stays.items()}
            yield settled([build], [pose], [held])[0], frozenset(stays)


def _spot(rig: Rig, world: WorldJoints, role: Role) -> Spot:
    joint = rig.joint(role)
    return world.positions[joint].astype(np.float64), world.rotations[joint].astype(np.float64)


def _with_legs(rig: Rig, pose: Pose, world: WorldJoints) -> Pose:
    """A pose with the legs turned in the world as joints have them."""
    rotations = np.array(pose.rotations)
    pelvis = rotations[0]
    for leg in LEGS:
        root = rig.joint(leg.root)
        rotations[root] = pelvis.T @ world.rotations[root]
        for role in (leg.hinge, leg.end, leg.tip):
            joint = rig.joint(role)
            rotations[joint] = world.rotations[rig.parents[joint]].T @ world.rotations[joint]
    return Pose(pose.root_position, rotations)
