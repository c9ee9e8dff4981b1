"""How people get up between two poses, or lie down: by which stages, and how these are posed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from app.document.over_time.getting_up.lying_stages import STEPS_BACK, knees_in, onto_knees, over
from app.document.over_time.getting_up.rising import Rising
from app.document.over_time.getting_up.routes import Low, down, stands
from app.document.over_time.getting_up.seat_stages import RISES_S, OffTheEdge
from app.document.over_time.getting_up.seats import Posture, Seated, Thing, edge_of, seated, with_head_beside
from app.document.over_time.getting_up.sitting_up import SitsUp
from app.document.over_time.getting_up.stage_poses import Build, Frame, Stays, bearing, borne_already, stage_pose
from app.document.over_time.getting_up.stages import BELLY_TO_SEAT, FROM_BELLY, FROM_SEAT, Part, Stage
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.rig.roles import LEGS, Role

PASSES_S, STANDS_S, STEP_S, WALK_S = 0.35, 0.35, 0.7, 1.5  # seconds to bring the foot ahead, to stand, and from there
SEAT_S, SITS_S = 0.6, 0.4  # seconds to sit as at the key, from the belly and from the back
DOWN_S, KNEE_S = 0.8, 0.55  # seconds to lie or to kneel as at the key; to put down the other knee there
PASSES, STANDS = 1, 4  # how needed these are, as `Stage.needed`
BEARS = "bears "  # begins the ids of effectors that say what bears the body

Posed = Iterator[tuple[Pose, frozenset[Role]]]


class Plan(NamedTuple):
    """How somebody gets up. parts: the stages in turn. last: what follows them. made: the poses of some of them, and
    what bears the body there, given the build at each. high: the index of the key at which they are further up."""

    parts: Sequence[Part]
    last: Part
    made: Callable[[Sequence[Build], Sequence[Part]], Posed]
    high: int


def plan_between(build: Build, poses: Sequence[Pose], things: Sequence[Thing]) -> Plan | None:
    """How somebody gets up between two poses, or lies down; None if they do not. things: what they lie or sit on."""
    worlds = [forward_kinematics(build.rig, pose) for pose in poses]
    on = [seated(build.rig, world, things) for world in worlds]
    up = [
        2 if stands(build.rig, world) and each is None else int(each is not None and each.posture is Posture.SITS)
        for world, each in zip(worlds, on, strict=True)
    ]
    high = int(up[1] > up[0])
    if up[0] != up[1] and (low := on[1 - high]) is not None:
        return _over_an_edge(build, poses, worlds, (low, on[high]), things, high)
    if any(each is not None for each in on):
        return None
    return _off_the_floor(build, poses, worlds, [each == 2 for each in up])


def _off_the_floor(
    build: Build, poses: Sequence[Pose], worlds: Sequence[WorldJoints], up: Sequence[bool]
) -> Plan | None:
    """How somebody gets up from the floor, or sits up from the belly. up: whether they stand."""
    if all(up):
        return None
    ankles = [build.rig.joint(leg.end) for leg in LEGS]
    lows = [
        None if stood else down(build.rig, world, other.positions[ankles].astype(np.float64))
        for stood, world, other in zip(up, worlds, reversed(worlds), strict=True)
    ]
    high = up.index(True) if any(up) else _seated(lows)
    if high is None:
        return _while_down(build, poses, worlds, lows)
    low = lows[1 - high]
    if low is None:
        return None
    before, rising = poses[1 - high], Rising.to(build, poses[high], low.frame)
    if up[high]:
        low = low._replace(frame=rising.frame)
    parts = [Part(stage, stage.needed, stage.seconds) for stage in (low.stages if up[high] else BELLY_TO_SEAT)]
    last = Part(None, STANDS, SEAT_S if not up[high] else WALK_S if rising.walks else STEP_S)
    if up[high]:
        parts += [Part(None, PASSES, PASSES_S)] + [Part(None, STANDS, STANDS_S)] * rising.steps
    return Plan(parts, last, lambda builds, kept: _poses(builds, kept, low, before, rising), high)


def _while_down(
    build: Build, poses: Sequence[Pose], worlds: Sequence[WorldJoints], lows: Sequence[Low | None]
) -> Plan | None:
    """How somebody who is down at both keys turns over, or gets to the knees."""
    for high in (1, 0):
        low, then = lows[1 - high], lows[high]
        if low is None or then is None:
            continue
        if sits := SitsUp.between(build, (poses[1 - high], poses[high]), (low, then)):
            return Plan(sits.parts, Part(None, STANDS, SITS_S), sits.made, high)
        way = over(build.rig, (worlds[1 - high], low), (worlds[high], then))
        way = way or onto_knees(build.rig, (worlds[1 - high], low), then)
        if way:
            parts = [Part(stage, stage.needed, stage.seconds) for stage in way]
            then_s = KNEE_S if STEPS_BACK in way else DOWN_S
            return Plan(parts, Part(None, STANDS, then_s), partial(_in, way, poses[1 - high], poses[high]), high)
    return None


def _in(way: Mapping[Stage, Frame], lies: Pose, then: Pose, builds: Sequence[Build], parts: Sequence[Part]) -> Posed:
    """The pose of each part, each in a frame of its own. lies: of whoever is down. then: of how they are in the end."""
    bore, before = frozenset[Role](), lies
    for build, part in zip(builds, parts, strict=True):
        assert part.stage is not None
        frame = way[part.stage]
        bears, ends = bearing(part.stage, frame.first), [forward_kinematics(build.rig, pose) for pose in (lies, then)]
        knees = knees_in(way, part.stage, build.rig, ends[0], ends[1])
        bore, before = bears, _stage(build, part.stage, frame, bears & bore, before, knees)
        yield before, bears


def _stage(
    build: Build, stage: Stage, frame: Frame, stays: frozenset[Role], before: Pose, knees: Stays | None = None
) -> Pose:
    """The pose of a stage in which some joints stay where they were before. knees: where they bear, if it is given."""
    world = forward_kinematics(build.rig, before)
    places, turns = world.positions.astype(np.float64), world.rotations.astype(np.float64)
    joints = {role: build.rig.joint(role) for role in stays}
    kept = {role: (places[joint], turns[joint]) for role, joint in joints.items()}
    return stage_pose(build, stage, frame, {**kept, **(knees or {})})


def _seated(lows: Sequence[Low | None]) -> int | None:
    """Which of two people who are down sits where the other one lies on the belly; None if that is not so."""
    stages = [low and low.stages for low in lows]
    return next((at for at in (0, 1) if stages[at] == FROM_SEAT and stages[1 - at] == FROM_BELLY), None)


def _over_an_edge(
    build: Build,
    poses: Sequence[Pose],
    worlds: Sequence[WorldJoints],
    on: tuple[Seated, Seated | None],
    things: Sequence[Thing],
    high: int,
) -> Plan | None:
    """How somebody gets up from a thing. on: how they are there at the lower key, and at the other one."""
    low, sits = worlds[1 - high], on[1]
    frame = edge_of(build.rig, worlds[high], sits, things, low.positions[0]) if sits else None
    if sits is None:
        frame = edge_of(build.rig, low, on[0], things, worlds[high].positions[0].astype(np.float64))
    elif frame is not None:
        frame = with_head_beside(frame, on[0])
    if frame is None:
        return None
    goal = None if sits else poses[high]
    way = OffTheEdge.of(build.rig, on[0], frame, low, goal)
    parts = [Part(stage, stage.needed, stage.seconds) for stage in way.stages]
    parts += [Part(None, STANDS, RISES_S)] if way.moved else []
    return Plan(parts, Part(None, STANDS, way.last_s), way.made, high)


def _poses(builds: Sequence[Build], parts: Sequence[Part], low: Low, before: Pose, rising: Rising) -> Posed:
    """The pose of each part, and what bears the body there. builds: of each, with its fingers as they are then. before:
    the pose of whoever is down."""
    bore = borne_already(builds[0], parts[0].stage, low.frame, before) if parts and parts[0].stage else frozenset()
    for build, part in zip(builds, parts, strict=True):
        if part.stage is not None:
            bears = bearing(part.stage, low.frame.first)
            bore, before = bears, _stage(build, part.stage, low.frame, bears & bore, before)
            yield before, bears
            continue
        then = rising.standing(build, before) if rising.steps else rising.goal
        yield then if part.needed == STANDS else rising.passing(build, before, then), rising.bears
