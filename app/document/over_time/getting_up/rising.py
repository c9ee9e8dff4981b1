"""The end of getting up: the foot behind comes ahead as people rise, and the other one follows, or they walk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from app.document.over_time.getting_up.stage_poses import Build, Frame
from app.document.over_time.getting_up.stages import UNDER
from solver.body.catalog import load_body
from solver.contact.balance import mass_shares
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position, Rotation
from solver.ik.memory import FRESH
from solver.ik.problem import IKProblem
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose, pose_moved
from solver.kinematics.rotations import from_rotation_vector, interpolate
from solver.rig.roles import LEGS, Limb, Role
from solver.solvers.catalog import STAND_IN, load_solver

NEAR, TURNED = 0.75, np.radians(70.0)  # legs, and radians, up to which somebody comes to their place by one step
OVER = 0.6  # of the way over the foot that stands, that the body goes
THERE_M = 0.05  # metres up to which a foot stays where it is
LIFTED, KEPT = 0.17, 0.5  # legs that the foot behind is lifted as it comes ahead; how firmly the rest keeps its shape
UP = np.array([0.0, 1.0, 0.0])


class Rising(NamedTuple):
    """How somebody comes to stand. goal: the pose in which they stand at the key. stood: its joints. frame: of the
    stages before. steps: whether the foot that came under the body has to step then; walks: whether both do."""

    goal: Pose
    stood: WorldJoints
    frame: Frame
    steps: bool
    walks: bool

    @classmethod
    def to(cls, build: Build, goal: Pose, frame: Frame) -> Rising:
        """The way from the stages in a frame to a pose that stands."""
        stood = forward_kinematics(build.rig, goal)
        ends = stood.positions[[build.rig.joint(leg.end) for leg in LEGS]].astype(np.float64)
        under = frame.place(UNDER.x, 0.0, UNDER.z)
        level = np.array([1.0, 0.0, 1.0])
        far = float(np.linalg.norm((ends.mean(axis=0) - under) * level))
        off = (ends[frame.first] - under) * level
        steps = float(np.linalg.norm(off)) > THERE_M
        if not steps:
            frame = frame._replace(origin=frame.origin + off)
        walks = far > NEAR * build.rig.leg_length or abs(_turn(frame, stood)) > TURNED
        return cls(goal, stood, frame, steps, steps and walks)

    @property
    def bears(self) -> frozenset[Role]:
        """What stays meanwhile: the foot that came under the body."""
        near = LEGS[self.frame.first]
        return frozenset((near.end, near.tip))

    def standing(self, build: Build, rising: Pose) -> Pose:
        """Standing on both feet, before that foot steps. rising: the pose before."""
        rig, near = build.rig, LEGS[self.frame.first]
        before, ends = forward_kinematics(rig, rising), self.stood.positions.astype(np.float64)
        moves, stays = rig.joint(near.end), rig.joint(LEGS[1 - self.frame.first].end)
        under = before.positions[moves].astype(np.float64)
        under[1] = ends[moves, 1]
        if self.walks:
            turned = from_rotation_vector(_turn(self.frame, self.stood) * UP)
            rotations = np.array(self.goal.rotations)
            rotations[0] = turned @ rotations[0]
            root = under + turned @ (self.goal.root_position - ends[moves])
            return Pose(root.astype(np.float32), rotations.astype(np.float32))
        leg, apart = rig.leg_length, float(np.linalg.norm((under - ends[stays])[[0, 2]])) / 2.0
        lower = leg - float(np.sqrt(max(leg**2 - apart**2, 0.25 * leg**2)))
        root = ends[0] + 0.5 * (under - ends[moves]) - lower * UP
        rotations = np.array(self.goal.rotations)
        rotations[0] = from_rotation_vector(0.5 * _turn(self.frame, self.stood) * UP) @ rotations[0]
        asked = [
            Position(rig.names[moves], under.astype(np.float32), id="under"),
            Rotation(rig.names[moves], before.rotations[moves], id="under, flat"),
            Position(rig.names[stays], self.stood.positions[stays], id="stays"),
            Rotation(rig.names[stays], self.stood.rotations[stays], id="stays, flat"),
            Position(rig.names[0], root.astype(np.float32), id="hips", tolerance=0.05),
            Rotation(rig.names[0], rotations[0], id="hips' turn", tolerance=0.1),
        ]
        return _solved(build, Pose(root.astype(np.float32), rotations), asked)

    def passing(self, build: Build, rising: Pose, then: Pose) -> Pose:
        """Half way from one pose to another, with the foot that was behind in the air."""
        rig, far, near = build.rig, LEGS[1 - self.frame.first], LEGS[self.frame.first]
        before, after = (forward_kinematics(rig, pose) for pose in (rising, then))
        rotations = interpolate(rising.rotations, then.rotations, 0.5).astype(np.float32)
        base = Pose((0.5 * (rising.root_position + then.root_position)).astype(np.float32), rotations)
        foot = after.positions[[rig.joint(near.end), rig.joint(near.tip)]].mean(axis=0)
        mass = mass_shares(load_body(build.body), build.shape).centre(forward_kinematics(rig, base))
        base = pose_moved(base, OVER * (foot - mass) * [1.0, 0.0, 1.0])
        ankle = rig.joint(far.end)
        level = interpolate(before.rotations[ankle], after.rotations[ankle], 0.5).astype(np.float32)
        asked: list[Effector] = [
            _lifted(build, far, before, after),
            Rotation(rig.name(far.end), level, id="passes, level", tolerance=0.1),
            Position(rig.name(near.end), after.positions[rig.joint(near.end)], id="stays"),
            Rotation(rig.name(near.end), after.rotations[rig.joint(near.end)], id="stays, flat"),
            Position(rig.names[0], base.root_position, id="hips", tolerance=0.05),
            Rotation(rig.names[0], base.rotations[0], id="hips' turn", tolerance=0.1),
        ]
        return _solved(build, base, asked)


def _turn(frame: Frame, stood: WorldJoints) -> float:
    """Radians from how somebody stands at the end to how the stages face."""
    facing = float(np.arctan2(*stood.rotations[0][[0, 2], 2]))
    return float((frame.yaw - facing + np.pi) % (2.0 * np.pi) - np.pi)


def _lifted(build: Build, foot: Limb, before: WorldJoints, after: WorldJoints) -> Position:
    ankle = build.rig.joint(foot.end)
    place = 0.5 * (before.positions[ankle].astype(np.float64) + after.positions[ankle])
    place[1] = LIFTED * build.rig.leg_length + 0.5 * after.positions[ankle, 1]
    return Position(build.rig.name(foot.end), place.astype(np.float32), id="passes")


def _solved(build: Build, base: Pose, asked: Sequence[Effector]) -> Pose:
    """The base pose with some joints elsewhere, all else as nearly as may be."""
    joints = len(build.rig)
    none, shape = np.zeros(joints, np.float32), np.full(joints, KEPT, np.float32)
    problem = IKProblem(build.rig, build.shape, tuple(asked), base, none, shape, build.body, floor=build.floor)
    return load_solver(STAND_IN).solve(problem, FRESH).pose
