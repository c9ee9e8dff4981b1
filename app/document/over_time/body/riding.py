"""Riding: who sits, lies or stands on a prop that moves goes along with it between two keys, before the first of theirs
and behind the last, wherever its own keys take it.

They go along as an edit of the prop would take them: so they are given keys of theirs wherever the prop has one. These
are never shown as keys.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from app.document.model.actor import Actor
from app.document.model.clip import SOLVED, Clip, Key
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.finger_curve import hands_at
from app.document.model.prop import Prop
from app.document.posing.placing import carried
from app.document.posing.rest.borne import borne_by, sits_on_lap, way_along, with_feet_down
from app.document.posing.solving import problem_of
from solver.effectors.effector import Effector
from solver.effectors.resolve import Context, resolved
from solver.effectors.resolve import Prop as Thing
from solver.effectors.sources import FloorSource, PropSource, Tie
from solver.kinematics.curves import curve_through
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, pose_between
from solver.kinematics.rigid_motion import RigidMotion
from solver.solvers.catalog import usable_solver

MISSED = 1e-3  # metres or radians, from which a pose that was taken along is solved


class Ride(NamedTuple):
    """Frames without keys of somebody at which a prop takes them along. ends: the keys before and behind, None for
    none. at: frames at which the prop has a key or stands still from, in order. laps: on whose lap they sit, on whose
    lap those sit, and so on, as far as whom the prop bears: at each end."""

    ends: tuple[Key | None, Key | None]
    first: int
    last: int
    at: tuple[int, ...]
    prop: Prop
    laps: tuple[tuple[Actor, ...], tuple[Actor, ...]]


def rides_of(actor: Actor, actors: Sequence[Actor], props: Sequence[Prop]) -> list[Ride]:
    """The rides of a clip, in order of time; none over a source motion, or where joints follow curves."""
    clip, moving = actor.clip, [prop for prop in props if prop.clip is not None]
    sources = (e.source for key in clip.keys for e in key.effectors if e.is_active)
    may_ride = moving and clip.source is None and clip.between.by == SOLVED
    if not may_ride or not any(isinstance(source, PropSource | Tie) for source in sources):
        return []
    apart = replace(actor)  # a copy with its own memory of the frame read last
    bearers = [_bearer(apart, key.frame / clip.fps, actors, moving) for key in clip.keys]
    pairs = zip(pairwise((None, *clip.keys, None)), pairwise((None, *bearers, None)), strict=True)
    rides = (_ride(apart, *pair) for pair in pairs)
    return [ride for ride in rides if ride is not None]


_Bearer = tuple[Prop, tuple[Actor, ...]]


def _bearer(actor: Actor, time_s: float, actors: Sequence[Actor], props: Sequence[Prop]) -> _Bearer | None:
    """Which of the props bears somebody at a time, and on whose laps, in turn, they sit meanwhile."""
    laps, person = list[Actor](), actor.at(round(time_s * actor.clip.fps))
    while True:
        for prop in props:
            if borne_by(person, prop):
                return prop, tuple(laps)
        left = (other for other in actors if other.id != actor.id and all(other.id != lap.id for lap in laps))
        below = next((other for other in left if sits_on_lap(person, other.id)), None)
        if below is None:
            return None
        laps.append(below := replace(below))
        person = below.at(round(time_s * below.clip.fps))


def _ride(actor: Actor, ends: tuple[Key | None, Key | None], on: tuple[_Bearer | None, _Bearer | None]) -> Ride | None:
    a, b = ends
    first, last = a.frame + 1 if a else 0, b.frame - 1 if b else len(actor.clip) - 1
    there = [each for key, each in zip(ends, on, strict=True) if key is not None]
    if first > last or there[0] is None or there[-1] is None or there[0][0].id != there[-1][0].id:
        return None
    prop, fps = there[0][0], actor.clip.fps
    assert prop.clip is not None
    keyed = {round(key.frame / prop.clip.fps * fps) for key in prop.clip.keys}
    frames = sorted(frame for frame in keyed | ({first} - ({first} if a else set())) if first <= frame <= last)
    if b is None and frames[-1:] != [last]:
        frames.append(last)
    ride = Ride(ends, first, last, tuple(frames), prop, (there[0][1], there[-1][1]))
    moves = any(_way(actor, ride, end, frame) is not None for end in (0, 1) if ends[end] for frame in frames)
    return ride if moves else None


def riders_on(document: Document, props: Collection[str]) -> dict[str, int]:
    """Who rides on some props, by their ids, where they are looked at and have no key: their frames by their ids."""
    rides = ((actor.id, ride) for actor in document.actors for ride in rides_of(actor, document.actors, document.props))
    here = ((id, ride, document.frames.get(id, 0)) for id, ride in rides if ride.prop.id in props)
    return {id: frame for id, ride, frame in here if ride.first <= frame <= ride.last}


def with_rides(actor: Actor, rides: Sequence[Ride], props: Sequence[Prop]) -> Actor:
    """The actor with keys of where they ride. props: all there are."""
    apart, clip = replace(actor), actor.clip
    for ride in rides:
        for key in _keys(apart, ride, props):
            clip = clip.with_key(key)
    return replace(actor, clip=clip)


def stays_between(clip: Clip, first: int, last: int, ride: Ride) -> bool:
    """Whether somebody who rides, and the prop, stay where they are from the key before some frames to that behind."""
    a, b = clip.key(first - 1), clip.key(last + 1)
    there = [ride.prop.at_time(frame / clip.fps) for frame in range(first - 1, last + 2)]
    return a is not None and b is not None and a.pose == b.pose and all(one is there[0] for one in there)


def _way(actor: Actor, ride: Ride, end: int, frame: int) -> RigidMotion | None:
    """How the prop takes somebody along from the key before, end 0, or behind, 1, to a frame; None where it stays."""
    key = ride.ends[end]
    assert key is not None
    person, before = actor.at(key.frame), key.frame / actor.clip.fps
    for lap in ride.laps[end]:
        person = lap.at(round(before * lap.clip.fps))
    return way_along(person, ride.prop.at_time(before), ride.prop.at_time(frame / actor.clip.fps))


def _keys(actor: Actor, ride: Ride, props: Sequence[Prop]) -> Iterator[Key]:
    clip = actor.clip
    for frame in ride.at:
        there = tuple(prop.at_time(frame / clip.fps) for prop in props)
        known = {prop.id: Thing(prop.middle, prop.turn, prop.size) for prop in there}
        others = [prop for prop in there if prop.visible and prop.id != ride.prop.id]
        near = [(key.frame, _taken(actor, ride, end, frame, others)) for end, key in enumerate(ride.ends) if key]
        person = _between(near[0], near[-1], frame)
        held = tuple(resolved(e, Context(props=known)) if _holds_thing(e) else e for e in person.effectors)
        pose = _met(replace(person, effectors=held, hands=hands_at(clip, frame)))
        back = clip.placement.inverse
        shown = back.pose(pose)
        yield Key(frame, shown, shown, tuple(map(back.effector, held)), person.preserve, hands=hands_at(clip, frame))


def _holds_thing(effector: Effector) -> bool:
    return isinstance(effector.source, PropSource | FloorSource)


def _taken(actor: Actor, ride: Ride, end: int, frame: int, others: Sequence[Prop]) -> Character:
    """Somebody as they are at the key before or behind, taken along to a frame. others: the props that stay."""
    key, way = ride.ends[end], _way(actor, ride, end, frame)
    assert key is not None
    person = actor.at(key.frame)
    if way is None:
        return person
    return with_feet_down(person, carried(person, way, whole=False), float(way.shift[1]), others)


def _between(before: tuple[int, Character], after: tuple[int, Character], frame: int) -> Character:
    """Somebody at a frame, as they are taken along from that before and from that behind."""
    (first, one), (last, other) = before, after
    if first == last or one.pose == other.pose:
        return one
    share = float(curve_through([first, last], np.array([[0.0], [1.0]]), np.array([frame]))[0, 0])
    near, pose = one if share < 0.5 else other, pose_between(one.pose, other.pose, share)
    skeleton = skeleton_of(near)
    there = forward_kinematics(skeleton, pose)
    effectors = tuple(e.at_pose(skeleton, there, joints_of(near)) for e in near.effectors)
    return replace(near, pose=pose, effectors=effectors)


def _met(person: Character) -> Pose:
    """The pose with which somebody meets what is asked of them, as near to theirs as can be."""
    world, skeleton = joints_of(person), skeleton_of(person)
    there = ((skeleton.index(e.joint), e) for e in person.effectors if e.is_active)
    if all(e.residual_at(world.positions[joint], world.rotations[joint]) < MISSED for joint, e in there):
        return person.pose
    problem = problem_of(replace(person, base_pose=person.pose))
    (pose,) = usable_solver(person.solver, problem).solver.finish([problem], [person.pose], person.solver_options)
    return pose
