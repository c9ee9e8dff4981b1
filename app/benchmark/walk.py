"""A walk for the manual's pictures and for `bench`, made by the program: feet along a gait, solved frame by frame."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position
from solver.ik.memory import FRESH, Memory
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.kinematics.curves import eased
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Motion
from solver.rig.roles import Role
from solver.solvers.catalog import STAND_IN, load_solver

Array = NDArray[np.float64]

FPS, FRAMES = 30.0, 121
PERIOD = 34.0  # frames for two steps
STRIDE_M = 1.24  # metres for two steps
STANCE, HEEL_OFF = 0.6, 0.38  # of a period
TIP_TOE, TOES_UP = np.radians(48.0), np.radians(-14.0)  # pitch of the foot
LIFT_M, SINK_M, BOB_M, SWAY_M = 0.09, 0.035, 0.014, 0.018
SWING_M = 0.24  # of the hands, back and forth


def walk(frames: int = FRAMES) -> Motion:
    """A person walking along +Z, 1.1 metres a second; by default for four and a half metres."""
    skeleton, solver = load_body(DEFAULT_BODY).skeleton(BodyShape()), load_solver(STAND_IN)
    pose = natural_pose(skeleton)
    joints = forward_kinematics(skeleton, pose).positions.astype(np.float64)
    at = dict(zip(skeleton.names, joints, strict=True))
    floor = at[Role.LEFT_FOOT][1] - 0.02
    poses = []
    memory: Memory = FRESH
    for frame in range(frames):
        effectors = _asked(at, floor, frame / PERIOD)
        solution = solver.solve(IKProblem.without_masks(skeleton, effectors, pose), memory)
        memory = solution.memory
        poses.append(solution.pose)
    lift = np.array([0.0, 0.02 - floor, 0.0])
    roots = np.stack([p.root_position for p in poses]) + lift
    return Motion(roots.astype(np.float32), np.stack([p.rotations for p in poses]), FPS)


def _asked(at: dict[str, Array], floor: float, turn: float) -> list[Effector]:
    """Effectors for where feet, hips, hands and look are after so many periods."""
    way = STRIDE_M * turn
    asked: list[Effector] = []
    swing = {}
    for side, ankle, ball, wrist, start in (
        (1.0, Role.LEFT_ANKLE, Role.LEFT_FOOT, Role.RIGHT_WRIST, 0.0),
        (-1.0, Role.RIGHT_ANKLE, Role.RIGHT_FOOT, Role.LEFT_WRIST, 0.5),
    ):
        reach = at[ball] - at[ankle]
        reach[0] = 0.03 * side
        here, toe = _foot(turn + start, reach)
        x = 0.09 * side
        shift = np.array([x, at[ankle][1] - (reach[1] + at[ankle][1] - floor - 0.02), -STRIDE_M * start])
        asked.append(Position(ankle, (here + shift).astype(np.float32), pinned=True))
        asked.append(Position(ball, (toe + shift).astype(np.float32), pinned=True))
        swing[wrist] = np.cos(2 * np.pi * (turn + start) - 0.35)
    pelvis = at[Role.PELVIS]
    behind = 0.5 * STRIDE_M * STANCE - 0.06  # over the foot in the middle of its stance
    hips = np.array(
        [
            SWAY_M * np.sin(2 * np.pi * turn),
            pelvis[1] - SINK_M - BOB_M * np.cos(4 * np.pi * turn),
            way - behind,
        ]
    )
    asked.append(Position(Role.PELVIS, hips.astype(np.float32)))
    for wrist, forth in swing.items():
        hand = at[wrist] - pelvis + hips
        hand += [0.0, 0.05 + 0.05 * max(forth, 0.0), SWING_M * forth]
        hand[0] -= 0.04 * np.sign(hand[0]) * max(forth, 0.0)
        asked.append(Position(wrist, hand.astype(np.float32), tolerance=0.1))
    asked.append(LookAt(Role.HEAD, np.array([0.0, at[Role.HEAD][1], way + 6.0], np.float32)))
    return asked


def _foot(turn: float, reach: Array) -> tuple[Array, Array]:
    """Where the ankle and the ball are; at the stance of period 0 the ankle is at the origin. reach: ankle to ball."""
    number = np.floor(turn)
    share = turn - number
    stand = np.array([0.0, 0.0, STRIDE_M * number])
    if share < STANCE:
        up = TIP_TOE * eased((share - HEEL_OFF) / (STANCE - HEEL_OFF))
        if share < 0.07:  # the heel came first
            up = TOES_UP * (1.0 - eased(share / 0.07))
            return stand, stand + _pitched(reach, up)
        ball = stand + reach
        return ball - _pitched(reach, up), ball
    forth = (share - STANCE) / (1.0 - STANCE)
    ball = stand + reach
    begin, end = ball - _pitched(reach, TIP_TOE), stand + np.array([0.0, 0.0, STRIDE_M])
    ankle = begin + (end - begin) * eased(forth)
    ankle[1] += LIFT_M * np.sin(np.pi * forth) ** 2
    up = TIP_TOE + (TOES_UP - TIP_TOE) * eased(forth * 1.15)
    return ankle, ankle + _pitched(reach, up)


def _pitched(way: Array, angle: float) -> Array:
    """The vector turned about the axis across, toes down for a positive angle."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([way[0], c * way[1] - s * way[2], s * way[1] + c * way[2]])
