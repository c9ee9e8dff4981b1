"""The stages in which people get up from a bed, a box or a chair, as a table, and how these are posed.

As in `stages`, but 0 is the edge that they get up over: X is along it to the side where the head lies, Z away from it,
and Y above it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.over_time.getting_up.seats import Posture, Seated
from app.document.over_time.getting_up.stage_poses import Build, Frame, stage_pose
from app.document.over_time.getting_up.stages import ESSENTIAL, FLOOR, Held, Part, Stage
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.level_feet import heading
from solver.rig.rig import Rig
from solver.rig.roles import LEGS, Role

Array = NDArray[np.float64]

HIPS_Z, DEEPEST_Z = -0.13, -0.30  # where the hips of who gets up are, and of who sits further on at a key
KNEE_Y, SLIPS = 0.40, 0.35  # how high a seat is whose knees are level; how much nearer the edge they sit per height
FOOT_Z, FEET_Z, REACHES_Z = 0.09, 0.30, 0.34  # ankles before the edge at least; before the hips; before it at most
BESIDE_X, FACES = 0.4, np.radians(40.0)  # how far feet are aside, and radians turned, at most, of who stands
STAYS_M, LOW, LEVEL = 0.03, 0.15, 0.85  # metres; legs that an ankle is high, and upward share of a sole, on the floor
RISES_S, WALK_S, SITS_S = 0.8, 1.5, 0.7  # seconds from rising to standing, to walk on, and from the elbow to sitting
UP = np.array([0.0, 1.0, 0.0])

_ON_FLOOR = Held(0.10, FLOOR, 0.17, (0.0, 4.0, 0.0))
_FEET = (_ON_FLOOR, _ON_FLOOR._replace(x=-_ON_FLOOR.x))
_FREE = (None, None)

ON_BACK = Stage(
    "on the back", Held(0.0, FLOOR, -0.42, (-84.0, 0.0, 88.0)), (-84.0, 0.0, 90.0),
    (Held(-0.58, 0.07, -0.34, None, 0.1), Held(-0.58, 0.07, -0.52, None, 0.1)),
    (Held(-0.25, 0.32, -0.30, None, 0.4), Held(-0.25, 0.32, -0.52, None, 0.4)),
    seconds=0.8, needed=4,
)  # fmt: skip
ON_SIDE = Stage(
    "on the side", Held(0.0, FLOOR, -0.34, (4.0, 0.0, 80.0)), (4.0, 0.0, 78.0),
    (Held(-0.58, 0.07, -0.14, None, 0.1), Held(-0.55, 0.17, -0.10, None, 0.1)),
    (Held(-0.19, 0.08, 0.0, None, 0.4), Held(-0.17, 0.18, 0.01, None, 0.4)),
    (Held(0.52, FLOOR, -0.08, None, 0.2), Held(0.34, FLOOR, -0.06, None, 0.1)),
    seconds=0.8, needed=1,
)  # fmt: skip
ON_ELBOW = Stage(
    "on the elbow", Held(0.0, FLOOR, -0.20, (-6.0, 0.0, 34.0)), (2.0, 0.0, 50.0),
    (Held(-0.15, -0.28, 0.35, None, 0.1), Held(-0.24, -0.21, 0.33, None, 0.1)),
    (Held(0.02, 0.06, 0.18, None, 0.4), Held(-0.10, 0.14, 0.17, None, 0.4)),
    (Held(0.50, FLOOR, -0.06, None, 0.1), Held(0.28, FLOOR, -0.06, None, 0.1)),
    (Held(0.40, FLOOR, -0.24, None, 0.15), None),
    seconds=0.7, needed=ESSENTIAL,
)  # fmt: skip
LEGS_OVER = Stage(
    "legs over the edge", Held(0.0, FLOOR, -0.24, (-16.0, -42.0, 0.0)), (-10.0, -40.0, 0.0),
    (Held(-0.30, 0.04, 0.24, None, 0.1), Held(-0.46, 0.04, 0.17, None, 0.1)),
    (Held(-0.14, 0.33, 0.02, None, 0.4), Held(-0.28, 0.34, -0.05, None, 0.4)),
    (Held(-0.04, 0.40, 0.02, None, 0.3), Held(-0.26, 0.42, -0.12, None, 0.3)),
    seconds=0.7, needed=ESSENTIAL,
)  # fmt: skip
SITS = Stage(
    "sits on the edge", Held(0.0, FLOOR, HIPS_Z, (-2.0, 0.0, 0.0)), (6.0, 0.0, 0.0), _FEET, _FREE,
    (Held(0.20, 0.18, 0.04, None, 0.3), Held(-0.20, 0.18, 0.04, None, 0.3)),
    seconds=0.7, needed=ESSENTIAL,
)  # fmt: skip
LEANS = Stage(
    "leans ahead", Held(0.0, FLOOR, HIPS_Z + 0.02, (30.0, 0.0, 0.0)), (42.0, 0.0, 0.0), _FEET, _FREE,
    (Held(0.22, 0.10, 0.12, None, 0.3), Held(-0.22, 0.10, 0.12, None, 0.3)),
    seconds=0.5, needed=2,
)  # fmt: skip
RISES = Stage(
    "rises off the edge", Held(0.0, 0.22, -0.02, (34.0, 0.0, 0.0)), (42.0, 0.0, 0.0), _FEET,
    _FREE,
    (Held(0.24, 0.18, 0.20, None, 0.3), Held(-0.24, 0.18, 0.20, None, 0.3)),
    seconds=0.35, needed=ESSENTIAL,
)  # fmt: skip
FEET_IN = SITS._replace(name="draws the feet in", seconds=0.4)
ONE_FOOT = SITS._replace(name="draws one foot in", seconds=0.4, needed=1)
LOW_STAGES = {
    Posture.BACK: (ON_SIDE, ON_ELBOW), Posture.BELLY: (ON_SIDE, ON_ELBOW), Posture.SIDE: (ON_SIDE, ON_ELBOW),
    Posture.LEGS_UP: (LEGS_OVER,), Posture.SITS: (),
}  # fmt: skip


class OffTheEdge(NamedTuple):
    """How somebody gets up over an edge. stages: those in turn. frame: of the edge. goal: the pose that they come to
    stand in; None if they sit then. moved: whether it is not the key's, so that they walk there. sat: the joints of who
    sits there with their feet on the floor."""

    stages: tuple[Stage, ...]
    frame: Frame
    goal: Pose | None
    moved: bool
    sat: WorldJoints | None = None

    @property
    def last_s(self) -> float:
        """Seconds from the last stage on."""
        return WALK_S if self.moved else RISES_S if self.goal is not None else SITS_S

    @classmethod
    def of(cls, rig: Rig, on: Seated, frame: Frame, low: WorldJoints, goal: Pose | None) -> OffTheEdge:
        """The way from how somebody is on a thing, `low`, to a pose that stands; to sitting on its edge for None."""
        deep = float(frame.within(low.positions[0])[2])
        slips = SLIPS * max(frame.origin[1] / frame.scale - KNEE_Y, 0.0)
        z = min(max(deep, DEEPEST_Z), HIPS_Z) if on.posture is Posture.SITS else HIPS_Z
        first = LOW_STAGES[on.posture]
        if on.posture is Posture.SIDE and float(low.rotations[0][:, 2] @ _out(frame)) < 0.0:
            first = (ON_BACK, *first)
        if goal is None:
            return cls(first, frame, None, False)
        near = _stands_before(rig, frame, forward_kinematics(rig, goal))
        there = goal if near else _before(rig, frame, goal, max(FOOT_Z, FEET_Z + z + slips))
        feet, then = (_feet(rig, world) for world in (low, forward_kinematics(rig, there)))
        far = max(float(np.linalg.norm(feet[role][0] - then[role][0])) for role in feet)
        steps = on.posture is Posture.SITS and far > STAYS_M and _on_floor(rig, low)
        sits = (ONE_FOOT, FEET_IN) if steps else (FEET_IN if on.posture is Posture.SITS else SITS,)
        stages = (*first, *(_at(stage, z - HIPS_Z + slips) for stage in (*sits, LEANS, RISES)))
        return cls(stages, frame, there, not near, low if steps else None)

    def made(self, builds: Sequence[Build], parts: Sequence[Part]) -> Iterator[tuple[Pose, frozenset[Role]]]:
        """The poses of some of the stages, and what bears the body there. builds: of each."""
        for build, part in zip(builds, parts, strict=True):
            if part.stage is None:
                assert self.goal is not None
                yield self.goal, frozenset()
                continue
            stays = self._planted(build.rig, part.stage)
            yield stage_pose(build, part.stage, self.frame, stays), frozenset(stays)

    def _planted(self, rig: Rig, stage: Stage) -> Mapping[Role, tuple[Array, Array]]:
        """Where feet stay in a stage; a foot that is drawn in later is where it was."""
        if stage.feet != _FEET or self.goal is None:
            return {}
        feet = _feet(rig, forward_kinematics(rig, self.goal))
        if stage.name == ONE_FOOT.name and self.sat is not None:
            other = LEGS[1 - self.frame.first]
            before = _feet(rig, self.sat)
            feet = {role: before[role] if role in (other.end, other.tip) else feet[role] for role in feet}
        return feet


def _feet(rig: Rig, world: WorldJoints) -> dict[Role, tuple[Array, Array]]:
    """(3,) metres and (3, 3) R_world_joint of ankles and balls."""
    joints = {role: rig.joint(role) for leg in LEGS for role in (leg.end, leg.tip)}
    places, turns = world.positions.astype(np.float64), world.rotations.astype(np.float64)
    return {role: (places[joint], turns[joint]) for role, joint in joints.items()}


def _on_floor(rig: Rig, world: WorldJoints) -> bool:
    """Whether both feet are flat on the floor, or nearly."""
    ankles = [rig.joint(leg.end) for leg in LEGS]
    return bool(
        (world.positions[ankles, 1] < LOW * rig.leg_length).all() and (world.rotations[ankles, 1, 1] > LEVEL).all()
    )


def _at(stage: Stage, z: float) -> Stage:
    """A stage with the hips, and hands beside them, so much further ahead."""
    first, other = (each and each._replace(z=each.z + z) for each in stage.hands)
    return stage._replace(hips=stage.hips._replace(z=stage.hips.z + z), hands=(first, other))


def _out(frame: Frame) -> Array:
    """(3,) where the frame faces."""
    return np.array([np.sin(frame.yaw), 0.0, np.cos(frame.yaw)])


def _stands_before(rig: Rig, frame: Frame, world: WorldJoints) -> bool:
    """Whether somebody stands close before the edge and faces away from it."""
    ankles = [frame.within(world.positions[rig.joint(leg.end)]) for leg in LEGS]
    yaws = [frame.yaw - _yaw(world.rotations[rig.joint(leg.end)]) for leg in LEGS]
    turned = max(abs((yaw + np.pi) % (2.0 * np.pi) - np.pi) for yaw in yaws)
    return bool(all(FOOT_Z * 0.7 < at[2] < REACHES_Z and abs(at[0]) < BESIDE_X for at in ankles) and turned < FACES)


def _before(rig: Rig, frame: Frame, goal: Pose, z: float) -> Pose:
    """A pose that stands, taken to stand before the edge."""
    world = forward_kinematics(rig, goal)
    turn = from_rotation_vector((frame.yaw - _yaw(world.rotations[0])) * UP)
    middle = world.positions[[rig.joint(leg.end) for leg in LEGS]].astype(np.float64).mean(axis=0)
    rotations = np.array(goal.rotations)
    rotations[0] = turn @ rotations[0]
    there = frame.place(0.0, 0.0, z) * [1.0, 0.0, 1.0] + middle[1] * UP
    root = there + turn @ (goal.root_position - middle)
    return Pose(root.astype(np.float32), rotations.astype(np.float32))


def _yaw(turn: NDArray[np.floating]) -> float:
    ahead = heading(turn.astype(np.float64))[:, 2]
    return float(np.arctan2(ahead[0], ahead[2]))
