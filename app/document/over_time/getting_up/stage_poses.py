"""A stage as a pose of some body: solved for where the table has hips, feet, knees and hands, on a solid floor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.over_time.getting_up.stages import LEG_M, Held, Stage, Turned
from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.hands import Hands
from solver.contact.floor_points import FloorPoints
from solver.contact.solids import Solid
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position, Rotation
from solver.ik.memory import FRESH
from solver.ik.multi_solve.between_keys import smoothed
from solver.ik.options import NO_OPTIONS
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.kinematics.curves import each_eased
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose, pose_moved
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.rig.rig import Rig
from solver.rig.roles import ARMS, LEGS, LIMBS, Role
from solver.solvers.catalog import DEFAULT_SOLVER, STAND_IN, load_solver, usable_solver

if TYPE_CHECKING:
    from solver.contact.obstacles import Obstacles

Array = NDArray[np.float64]
Stays = dict[Role, tuple[Array, Array]]  # (3,) metres and (3, 3) R_world_joint, where and how joints stay

# How firmly the trunk, legs and arms are kept as they are where what bears the body is held. An elbow in the floor
# would else push the trunk up.
KEPT, LEGS_KEPT, ARMS_KEPT = 0.9, 0.6, 0.45
ROLLS = 0.3  # tolerance of an ankle whose foot stays by its ball
TURNS, ROUNDS, NEAR_M, LEAST_M = 0.15, 5, 0.003, 0.02  # tolerance of turns; how often heights are found anew
START_M = 0.08  # metres above the floor that a joint is taken to be at first whose skin lies on it
UP = np.array([0.0, 1.0, 0.0])
LIES_M = 0.03  # metres above the floor, up to which skin lies on it
SETTLES = 3.0  # times as fast as the way goes, a trunk that is a little above the floor settles on it
THIGHS = tuple(leg.root for leg in LEGS)
GIVES_M = 0.025  # metres that balls of seat and thighs are within what is sat on: they do not flatten as flesh does
BORNE_M = 0.05  # metres that all but limbs may be within a thing whose top is the floor: what hangs over keeps out
SUNK_M = 0.004  # metres below the floor that skin may be at a key
YIELDS_S = 0.4  # seconds from a key, over which things do not push what is within them there
LEFT_M = 0.001  # metres that a thing is thick at least, meanwhile
# Metres from a place in the table, and radians from its turn, up to which what is on the floor stays where it is.
CLOSE_M, TURNED = 0.15, np.radians(40.0)
ON_M = 0.012  # metres above the floor, up to which skin is on it
REACH_M = 0.16  # around a joint, within which the skin of its bones counts as its own


class Frame(NamedTuple):
    """Where a stage is. origin: (3,) metres on the floor, or on the edge of what somebody sits on. yaw: radians that it
    faces. first: the index in `LEGS` of its first side. scale: times as large as the table's."""

    origin: Array
    yaw: float
    first: int
    scale: float

    @classmethod
    def of(cls, rig: Rig, origin: Array, yaw: float, first: int) -> Frame:
        """The frame for a body of that build."""
        return cls(origin * [1.0, 0.0, 1.0], yaw, first, rig.leg_length / LEG_M)

    def place(self, x: float, y: float, z: float) -> Array:
        """(3,) metres in the world."""
        return self.origin + self._turned @ (self.scale * np.array([self.sign * x, y, z]))

    def within(self, place: NDArray[np.floating]) -> Array:
        """(3,) a place in the world as X, Y, Z of the table."""
        return np.asarray(self._turned.T @ (place - self.origin) / self.scale) * [self.sign, 1.0, 1.0]

    def held(self, place: NDArray[np.floating], loose: float) -> Held:
        """A joint at a place (3,) metres in the world."""
        x, y, z = self.within(place).tolist()
        return Held(x, y, z, None, loose)

    def turn(self, turned: Turned) -> Array:
        """(3, 3) R_world_joint."""
        pitch, yaw, roll = np.radians(turned)
        about = ([0.0, self.sign * yaw, 0.0], [pitch, 0.0, 0.0], [0.0, 0.0, -self.sign * roll])
        made = self._turned
        for vector in about:
            made = made @ from_rotation_vector(np.array(vector))
        return np.asarray(made)

    @property
    def sign(self) -> float:
        """1 if the first side is the left one, else -1."""
        return 1.0 - 2.0 * self.first

    @property
    def _turned(self) -> Array:
        return np.asarray(from_rotation_vector(np.array([0.0, self.yaw, 0.0])))


class Build(NamedTuple):
    """Whose pose it is. body: its id. things: what they lie or sit on. hands: how they hold their fingers. obstacles:
    the things with the body that may not pass through them, once they are made."""

    rig: Rig
    body: str
    shape: BodyShape
    floor: FloorPoints
    things: tuple[Solid, ...] = ()
    hands: Hands | None = None
    obstacles: Obstacles | None = None

    def beneath(self, points: NDArray[np.floating]) -> Array:
        """(...) metres of the floor, or of what is lain on, below points (..., 3)."""
        if not self.things:
            return np.zeros(points.shape[:-1])
        from solver.ik.limp.beneath import heights_beneath  # not needed to show the window

        return heights_beneath(self.things, points.reshape(-1, 3)).reshape(points.shape[:-1])

    def kept_out(self, problem: IKProblem) -> IKProblem:
        """The problem with skin above the floor, and out of the things."""
        problem = replace(problem, floor=self.floor)
        return replace(problem, obstacles=self.ready().obstacles) if self.things else problem

    def ready(self) -> Build:
        """With the obstacles, which take some milliseconds to make; itself where there are none, or they are made."""
        return self._replace(obstacles=self._obstacles()) if self.things and self.obstacles is None else self

    def _obstacles(self) -> Obstacles:
        from solver.contact.obstacles import Obstacles  # not needed to show the window
        from solver.contact.solid_body import solid_body
        from solver.contact.touching import Touch

        balls, seat = solid_body(load_body(self.body), self.shape, self.hands), [0, *map(self.rig.joint, THIGHS)]
        depths = tuple((joint, GIVES_M) for joint in seat)
        if self.beneath(np.array([thing.place for thing in self.things], np.float64)).max() < NEAR_M:
            # The floor is their top, and bears the body: they keep out what hangs over their edges.
            limbs = {self.rig.find(role) for limb in LIMBS for role in (*limb.line[1:], limb.tip, *limb.fingers)}
            seat = [joint for joint in range(len(self.rig)) if joint not in limbs]
            depths = tuple((joint, BORNE_M) for joint in seat)
        sat = Touch(-1, frozenset(seat), things=frozenset(range(len(self.things))), depths=depths)
        return Obstacles(balls, avoids_itself=False, support_things=self.things, touches=(sat,))


def stage_pose(
    build: Build, stage: Stage, frame: Frame, stays: Mapping[Role, tuple[Array, Array]] | None = None
) -> Pose:
    """The pose of a body in a stage. stays: (3,) metres and (3, 3) R_world_joint, where and how joints are in the world
    that do not move."""
    stays = stays or {}
    loosened = {leg.end for leg in LEGS if leg.tip in stays}
    held = [
        (role, each._replace(loose=max(each.loose, ROLLS * (role in loosened))))
        for role, each in _held(stage, frame.first)
    ]
    held = [(role, each) for role, each in held if role not in stays]
    low = {role for role, each in held if each.y is None and role not in loosened}
    knees = {leg.hinge for leg in LEGS if leg.hinge in stays}  # they roll, so that they may be higher or lower
    fixed: list[Effector] = []
    hands = [arm.end for arm in ARMS if arm.end in stays]
    fixed += [Rotation(build.rig.name(role), stays[role][1].astype(np.float32), id=f"{role} turned") for role in hands]
    spots = {role: frame.place(each.x, 0.0, each.z) for role, each in held if role in low}
    under = {role: float(build.beneath(spot[None])[0]) for role, spot in spots.items()} | dict.fromkeys(knees, 0.0)
    heights = {role: ground + START_M * frame.scale for role, ground in under.items()}
    base = natural_pose(build.rig)
    rotations = np.array(base.rotations)
    assert stage.hips.turn is not None
    rotations[0] = frame.turn(stage.hips.turn)
    hips = frame.place(stage.hips.x, 0.15 if stage.hips.y is None else stage.hips.y, stage.hips.z)
    base = Pose(hips.astype(np.float32), rotations)
    for _ in range(ROUNDS):
        asked = [e for role, each in held for e in _effectors(build.rig, role, each, frame, heights.get(role))]
        asked += _toes(build.rig, stage, frame)
        places = {role: _at_height(at, heights.get(role)) for role, (at, _) in stays.items()}
        asked += [
            Position(build.rig.name(role), at.astype(np.float32), id=f"{role} stays") for role, at in places.items()
        ]
        asked += [*fixed, _rotation(build.rig, Role.SPINE3, frame.turn(stage.chest))]
        problem = IKProblem.without_masks(build.rig, asked, base, build.shape, build.body)
        problem = replace(problem, floor=build.floor)
        pose = usable_solver(DEFAULT_SOLVER, problem).solver.solve(problem, FRESH).pose
        gaps = gaps_below(build, low | knees, forward_kinematics(build.rig, pose))
        least = LEAST_M * frame.scale
        heights = {role: max(height - gaps[role], under[role] + least) for role, height in heights.items()}
        if all(abs(gap) < NEAR_M for gap in gaps.values()):
            break
    found = forward_kinematics(build.rig, pose).positions.astype(np.float64)
    bears = {role: found[build.rig.joint(role)] for role in bearing(stage, frame.first)}
    return settled([build], [pose], [{**bears, **places}])[0]


def borne_already(build: Build, stage: Stage, frame: Frame, pose: Pose) -> frozenset[Role]:
    """What bears the body in a stage, and is on the floor close to its place there in a pose as well."""
    world, bears = forward_kinematics(build.rig, pose), bearing(stage, frame.first)
    table = {role: each for role, each in _held(stage, frame.first) if role in bears}
    made = set[Role]()
    for role, each in table.items():
        joint = build.rig.joint(role)
        away = np.linalg.norm((world.positions[joint] - frame.place(each.x, 0.0, each.z))[[0, 2]])
        turned = each.turn is None or geodesic_angle(world.rotations[joint], frame.turn(each.turn)) < TURNED
        if turned and away < CLOSE_M * frame.scale and gaps_below(build, {role}, world)[role] < ON_M:
            made.add(role)
    return frozenset(made | {leg.tip for leg in LEGS if leg.end in made} & bears)


def settled(builds: Sequence[Build], poses: Sequence[Pose], held: Sequence[Mapping[Role, Array]]) -> list[Pose]:
    """Poses with joints held at places, (3,) metres, and no skin in the floor; all else is as nearly as it was.
    builds: of each pose, the same but for the fingers."""
    rig = builds[0].rig
    place, turn = np.zeros(len(rig), np.float32), np.full(len(rig), KEPT, np.float32)
    place[0] = KEPT
    turn[[rig.joint(role) for leg in LEGS for role in leg.line]] = LEGS_KEPT
    turn[[rig.joint(role) for arm in ARMS for role in arm.line]] = ARMS_KEPT
    problems = []
    for build, pose, each in zip(builds, poses, held, strict=True):
        name = build.rig.name
        asked = tuple(Position(name(role), at.astype(np.float32), id=role) for role, at in each.items())
        problems.append(build.kept_out(IKProblem(build.rig, build.shape, asked, pose, place, turn, build.body)))
    return load_solver(STAND_IN).finish(problems, poses, NO_OPTIONS)


def yielding(builds: Sequence[Build], ends: tuple[WorldJoints, WorldJoints], fps: float) -> list[Build]:
    """The builds of frames in a row with things smaller near both ends by as much as the body is within them there."""
    depths = [
        max(-obstacles.least_gap(world), 0.0) if (obstacles := each.ready().obstacles) else 0.0
        for each, world in zip((builds[0], builds[-1]), ends, strict=True)
    ]
    frames = np.arange(len(builds)) / (YIELDS_S * fps)
    by = depths[0] * each_eased(1.0 - frames) + depths[1] * each_eased(1.0 - frames[::-1])
    return [
        build._replace(things=tuple(_given_way(thing, less) for thing in build.things)) if less > 0.0 else build
        for build, less in zip(builds, by.tolist(), strict=True)
    ]


def _given_way(thing: Solid, less: float) -> Solid:
    """A thing whose sides are `less` metres further in; what is too thin for that, such as a seat, goes down by the
    rest."""
    thin = (float(thing.size.min()) - LEFT_M) / 2.0
    size = np.maximum(thing.size - 2.0 * less, LEFT_M)
    return replace(thing, size=size, place=thing.place - np.float32(max(less - thin, 0.0)) * UP.astype(np.float32))


def sunk(builds: Sequence[Build], ends: tuple[WorldJoints, WorldJoints], fps: float) -> list[Build]:
    """The builds of frames in a row with the floor lower near both ends by as much as skin is more than `SUNK_M` below
    it there, as in a mattress."""
    lows = [build.floor.lowest(world) for build, world in zip((builds[0], builds[-1]), ends, strict=True)]
    deep = [-low if low < -SUNK_M else 0.0 for low in lows]
    frames = np.arange(len(builds)) / (YIELDS_S * fps)
    by = deep[0] * each_eased(1.0 - frames) + deep[1] * each_eased(1.0 - frames[::-1])
    return [build._replace(floor=build.floor.lowered(less)) for build, less in zip(builds, by.tolist(), strict=True)]


def on_the_floor(builds: Sequence[Build], poses: Sequence[Pose], legs: bool) -> list[Pose]:
    """Poses in a row in which trunk or seat lies on the floor at both ends, with them as near to it all the way; as
    they are if it does not. builds: of each pose. legs: whether they may lie there as well."""
    rig, limbs = builds[0].rig, ARMS if legs else LIMBS
    free = [rig.find(role) for limb in limbs for role in (*limb.line[limb in LEGS :], limb.tip, *limb.fingers)]
    trunk = ~np.isin(builds[0].floor.carriers, [joint for joint in free if joint is not None])
    skins = [build.floor.places(forward_kinematics(rig, pose)) for build, pose in zip(builds, poses, strict=True)]
    tops = [build.beneath(skin[trunk]) for build, skin in zip(builds, skins, strict=True)]
    lows = np.array([(skin[trunk, 1] - top).min() for skin, top in zip(skins, tops, strict=True)])
    if max(lows[0], lows[-1]) > LIES_M:
        return list(poses)
    share = np.linspace(0.0, SETTLES, len(lows))
    raised = lows[0] * each_eased(1.0 - share) + lows[-1] * each_eased(1.0 - share[::-1]) - lows
    return [pose_moved(pose, up * UP) for pose, up in zip(poses, raised, strict=True)]


def let_down(builds: Sequence[Build], poses: Sequence[Pose], margin: int) -> list[Pose]:
    """Poses in a row that are nowhere above the floor, let down evenly over `margin` frames to each side; as they are
    if they are above it at an end, as on a mattress."""
    lows = np.array(
        [build.floor.lowest(forward_kinematics(build.rig, pose)) for build, pose in zip(builds, poses, strict=True)]
    )
    if max(lows[0], lows[-1]) > LIES_M:
        return list(poses)
    downs = smoothed(np.pad(np.maximum(lows, 0.0), margin), margin)
    return [pose_moved(pose, -down * UP) for pose, down in zip(poses, downs, strict=True)]


def bearing(stage: Stage, first: int) -> frozenset[Role]:
    """The joints that stay where they are while the body is borne by them."""
    sides = (first, 1 - first)
    roles = [LEGS[sides[each]].tip for each in stage.stays_feet]
    flat = [each for each in stage.stays_feet if (foot := stage.feet[each]) and foot.turn and foot.turn[0] == 0.0]
    roles += [LEGS[sides[each]].end for each in flat]
    roles += [LEGS[sides[each]].hinge for each in stage.stays_knees]
    roles += [ARMS[sides[each]].end for each in stage.stays_hands]
    return frozenset(roles)


def _held(stage: Stage, first: int) -> Iterator[tuple[Role, Held]]:
    yield Role.PELVIS, stage.hips
    for number in (0, 1):
        leg, arm = LEGS[(first + number) % 2], ARMS[(first + number) % 2]
        own = {leg.end: stage.feet, leg.hinge: stage.knees, arm.end: stage.hands, arm.hinge: stage.elbows}
        yield from ((role, each) for role, pair in own.items() if (each := pair[number]) is not None)


def _at_height(place: Array, height: float | None) -> Array:
    return place if height is None else place * [1.0, 0.0, 1.0] + height * UP


def _effectors(rig: Rig, role: Role, held: Held, frame: Frame, height: float | None) -> Iterator[Effector]:
    place = frame.place(held.x, held.y or 0.0, held.z)
    if height is not None:
        place[1] = height
    if held.y is not None or height is not None:
        yield Position(rig.name(role), place.astype(np.float32), tolerance=held.loose, id=f"{role} place")
    if held.turn is not None:
        yield _rotation(rig, role, frame.turn(held.turn))


def _toes(rig: Rig, stage: Stage, frame: Frame) -> Iterator[Rotation]:
    """The toes of feet that bear the body, flat on the floor."""
    turned = [(number, foot.turn[1]) for number in stage.stays_feet if (foot := stage.feet[number]) and foot.turn]
    for number, yaw in turned:
        yield _rotation(rig, LEGS[(frame.first + number) % 2].tip, frame.turn((0.0, yaw, 0.0)))


def _rotation(rig: Rig, role: Role, turn: Array) -> Rotation:
    return Rotation(rig.name(role), turn.astype(np.float32), tolerance=TURNS, id=f"{role} turn")


def gaps_below(build: Build, low: set[Role], world: WorldJoints) -> dict[Role, float]:
    """Metres between the floor and what of each joint's flesh is lowest."""
    skin, rig = build.floor.places(world), build.rig
    heights, found = skin[:, 1] - build.beneath(skin), {}
    for role in low:
        j = rig.joint(role)
        limb = next((limb for limb in (*ARMS, *LEGS) if role in (limb.hinge, limb.end)), None)
        own = [Role.PELVIS, *(leg.root for leg in LEGS)]
        if limb is not None:
            own = [limb.end, limb.tip] if role == limb.end else [limb.root, limb.hinge]
        mine = np.isin(build.floor.carriers, [rig.joint(each) for each in own if rig.find(each) is not None])
        if role not in [each.end for each in (*ARMS, *LEGS)] and not (build.things and role is Role.PELVIS):
            near = mine & (np.linalg.norm(skin - world.positions[j], axis=1) < REACH_M)
            mine = near if near.any() else mine
        found[role] = float(heights[mine].min())
    return found
