"""What somebody carries goes with their body from key to key: round with it as they turn, and in a bend as they walk.

By its own keys alone a box before the chest of somebody who turns about would go straight through them, and one carried
in a bend would cut the corner. So its way is found where the body is: from key to key it goes over smoothly from where
it is before the body at one to where it is at the other. How far the trunk is turned about the vertical counts, and
where the pelvis is; where a person has further keys on the way, it is where the hands have it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.actor import Actor
from app.document.model.between import Frames, gaps_of, knots_of
from app.document.model.clip import SOLVED, Key
from app.document.model.prop import Prop
from app.document.model.prop_clip import CarriedWay, PropKey, Spot, Throw
from app.document.model.spans import SpanInputs, span_inputs
from app.document.over_time.arcs import arcs_and_steps
from app.document.over_time.ground import ground_beside, ground_of
from app.document.over_time.thrown import Flight, before_throw, flight
from app.document.posing.holds.carried import contacts_on, is_carried
from solver.body.catalog import load_body
from solver.effectors.resolve import Context, resolved
from solver.effectors.resolve import Prop as Thing
from solver.kinematics.curves import curve_through, rotation_curve_through
from solver.kinematics.fk import forward_kinematics, forward_kinematics_batch
from solver.kinematics.pose import Poses
from solver.kinematics.rotations import geodesic_angle, nearest_rotation, rotation_between
from solver.rig.rig import rig_of
from solver.rig.roles import Role

Array = NDArray[np.float64]

HALF = np.radians(170.0)  # from which something may turn to either side
MOST = 0.2  # of the way from key to key: as far as what is carried swings aside


class _Stands(NamedTuple):
    """Where a body is at some frames. places: (F, 3) metres of the pelvis. turns: (F, 3, 3) of the trunk, level.
    joints: (F, J, 3) metres."""

    places: Array
    turns: Array
    joints: Array

    def along(self, one: int, other: int, place: Array, turn: Array) -> tuple[Array, Array]:
        """Where something is that goes along with the body from one of the frames to the other, from a place (3,) and a
        turn (3, 3)."""
        turned = self.turns[other] @ self.turns[one].T
        return self.places[other] + turned @ (place - self.places[one]), turned @ turn

    def beside(self, joint: int, frame: int) -> Array:
        """(F, 3) metres where the joint would be if the body were as at one of the frames."""
        turned = self.turns[frame] @ np.swapaxes(self.turns, -1, -2)
        return np.asarray(self.places[frame] + (turned @ (self.joints[:, joint] - self.places)[..., None])[..., 0])


def with_carried_ways(props: Sequence[Prop], actors: Sequence[Actor]) -> tuple[Prop, ...]:
    """The props with the ways of those that somebody carries between two of their keys; each the same where nothing is
    new."""
    return tuple(_with_ways(prop, props, actors) for prop in props)


def _with_ways(prop: Prop, props: Sequence[Prop], actors: Sequence[Actor]) -> Prop:
    clip = prop.clip
    if clip is None:
        return prop
    ways, there = [], {way.first: way for way in clip.ways}
    flights = [flight(prop, a, b, actors) for a, b in pairwise(clip.keys)]
    for (a, b), flies, goes in zip(pairwise(clip.keys), flights, [*flights, None][1:], strict=True):
        bearer = _bearer(prop, a, b, actors, goes is not None)
        along = flies.thrower if flies else bearer or _turned_with(prop, a, b, actors)
        if along is None:
            continue
        around, throw = clip.around(a.frame + 1), goes.throw if goes and goes.thrower is bearer else None
        thrown = flies.throw if flies else throw
        how = bearer is not None, thrown and tuple(map(tuple, thrown)), flies and flies.places.tobytes()
        inputs = _inputs(prop, props, along, around, how)
        known = there.get(a.frame + 1)
        if known is None or not known.made_of.is_as(inputs) or not _same(known.keys, around):
            places, turns = _made(prop, props, along, around, flies, bearer, throw)
            known = CarriedWay(a.frame + 1, places, turns, around, inputs, flies and flies.throw)
        ways.append(known)
    return prop.with_ways(tuple(ways))


def _made(
    prop: Prop,
    props: Sequence[Prop],
    along: Actor,
    around: tuple[PropKey | None, ...],
    flies: Flight | None,
    bearer: Actor | None,
    throw: Throw | None,
) -> tuple[Array, Array]:
    """The places and turns of a prop between two keys, along with somebody. throw: how it is thrown then."""
    if flies is not None:
        return flies.places, flies.turns
    return _way(prop, props, along, around, throw) if bearer else _way_round(prop, along, around)


def _bearer(prop: Prop, a: PropKey, b: PropKey, actors: Sequence[Actor], thrown: bool) -> Actor | None:
    """The only one who carries a prop from one of its keys to the next; None if nobody does, or it stays in place and
    is not thrown then."""
    if prop.locked or (a.stays_until(b) and not thrown) or b.frame - a.frame < 2:
        return None
    found = [actor for actor in actors if _carries(actor, prop, a, b)]
    return found[0] if len(found) == 1 else None


def _turned_with(prop: Prop, a: PropKey, b: PropKey, actors: Sequence[Actor]) -> Actor | None:
    """The first one who holds on to a prop at one of its keys and at the next, to which it makes half a turn; None if
    nobody does, or it turns by less."""
    if geodesic_angle(a.turn, b.turn) < HALF or b.frame - a.frame < 2:
        return None
    return next((actor for actor in actors if _holds(actor, prop, a, b)), None)


def _holds(actor: Actor, prop: Prop, a: PropKey, b: PropKey) -> bool:
    ends = (actor.clip.key(a.frame), actor.clip.key(b.frame))
    same_rate = prop.clip is not None and actor.clip.fps == prop.clip.fps
    return same_rate and all(key is not None and bool(contacts_on(prop, key.effectors)) for key in ends)


def _way_round(prop: Prop, actor: Actor, around: tuple[PropKey | None, ...]) -> tuple[Array, Array]:
    """The places and turns of a prop between two keys by its own keys alone, but turned to the side that somebody
    turns to."""
    assert prop.clip is not None
    _, a, b, _ = around
    assert a is not None
    assert b is not None
    keys = [key for key in around if key is not None]
    times, frames = [key.frame for key in keys], np.arange(a.frame + 1, b.frame)
    roots = actor.poses(np.minimum(times, len(actor.clip) - 1)).rotations[:, 0]
    body = np.asarray(actor.clip.placement.rigid.rotations(roots.astype(np.float64)), np.float64)
    places, _ = replace(prop.clip, ways=()).over(frames)
    return places, rotation_curve_through(times, np.stack([key.turn for key in keys]), frames, body=body)


def _carries(actor: Actor, prop: Prop, a: PropKey, b: PropKey) -> bool:
    clip = actor.clip
    if clip.between.by != SOLVED or prop.clip is None or clip.fps != prop.clip.fps:
        return False
    keys = clip.keys_from(a.frame, b.frame)
    if not keys or (keys[0].frame, keys[-1].frame) != (a.frame, b.frame):
        return False
    return all(is_carried(prop.at(key.frame), contacts_on(prop, key.effectors)) for key in keys)


def _inputs(
    prop: Prop, props: Sequence[Prop], along: Actor, around: Iterable[PropKey | None], how: tuple[object, ...]
) -> SpanInputs:
    """What a way depends on besides the prop's own keys around it."""
    frames = [key.frame for key in around if key is not None]
    keys = (None, None, *along.clip.keys, None, None)
    near = [i for i, key in enumerate(keys) if key is not None and frames[0] <= key.frame <= frames[-1]]
    made_of = span_inputs(along, keys[near[0] - 2 : near[-1] + 3])
    below = tuple((each.settings, *there) for each, there in ground_beside(along, props))
    settings = (along.id, along.clip.placement, tuple(prop.size), below, how)
    return SpanInputs(made_of.things, (*made_of.settings, *settings))


def _way(
    prop: Prop, props: Sequence[Prop], bearer: Actor, around: tuple[PropKey | None, ...], throw: Throw | None
) -> tuple[Array, Array]:
    """The places (N, 3) and turns (N, 3, 3) of a prop between two keys at which somebody carries it. throw: how
    they throw it at the second one, if they do."""
    before, a, b, after = around
    assert prop.clip is not None
    assert a is not None
    assert b is not None
    frames = np.arange(a.frame, b.frame + 1)
    body, last = _stands(bearer, frames, props), len(frames) - 1
    knots = [(a.frame, *_exact(a.spot)), (b.frame, *body.along(last, 0, *_exact(b.spot)))]
    inner = bearer.clip.keys_from(a.frame + 1, b.frame - 1)
    straight = _through(knots, np.array([key.frame for key in inner])) if inner else ()
    for key, place, turn in zip(inner, *straight, strict=True) if inner else ():
        at = key.frame - a.frame
        there = _in_hands(prop, bearer, key, *body.along(0, at, place, turn))
        knots.insert(-1, (key.frame, *body.along(at, 0, *there)))
    if before is not None:
        knots.insert(0, (before.frame, *_beside(prop, props, bearer, before, a, _exact(before.spot))))
    if after is not None and throw is None:
        there = _beside(prop, props, bearer, after, b, _exact(after.spot))
        knots.append((after.frame, *body.along(last, 0, *there)))
    beside, turned = _through(knots, frames[1:-1])
    beside += _swing(prop, props, bearer, frames)[1:-1]
    found = [body.along(0, at + 1, *each) for at, each in enumerate(zip(beside, turned, strict=True))]
    places, turns = np.array([place for place, _ in found]), np.array([turn for _, turn in found])
    if throw is not None:
        since, fps = max([a.frame, *(key.frame for key in inner)]), bearer.clip.fps
        late = frames[1:-1] > since
        places[late] += before_throw(throw, (b.frame - frames[1:-1][late]) / fps, (b.frame - since) / fps)
    return places, turns


def _swing(prop: Prop, props: Sequence[Prop], bearer: Actor, frames: Frames) -> Array:
    """(F, 3) metres by which hands swing aside from their straight way beside the body, in the mean of those that hold
    the prop, between two of its keys; as far as `MOST` says."""
    a, b = int(frames[0]), int(frames[-1])
    keyed = [key.frame for key in bearer.clip.keys]
    near = keyed[max(keyed.index(a) - 1, 0) : keyed.index(b) + 2]
    wide = np.union1d(frames, near)
    body, knots = _stands(bearer, wide, props), np.searchsorted(wide, near)
    first, inside = int(np.searchsorted(wide, a)), np.isin(wide, frames)
    key = bearer.clip.key(a)
    assert key is not None
    skeleton, swings = load_body(bearer.build.body).skeleton(bearer.build.shape), []
    for joint in {skeleton.index(contact.joint) for contact in contacts_on(prop, key.effectors)}:
        own = body.beside(joint, first)
        aside = (own - curve_through(near, own[knots], wide))[inside]
        way = np.linalg.norm(np.diff(own[np.searchsorted(wide, [f for f in near if a <= f <= b])], axis=0), axis=1)
        most = np.linalg.norm(aside, axis=1).max()
        swings.append(aside * min(MOST * float(way.max()) / max(float(most), 1e-9), 1.0))
    return np.asarray(np.mean(swings, axis=0), np.float64)


def _through(knots: Sequence[tuple[int, Array, Array]], frames: Frames) -> tuple[Array, Array]:
    times = [knot[0] for knot in knots]
    places, turns = (np.stack([knot[part] for knot in knots]) for part in (1, 2))  # type: ignore[arg-type]
    return curve_through(times, places, frames), rotation_curve_through(times, turns, frames)


def _beside(
    prop: Prop, props: Sequence[Prop], bearer: Actor, key: PropKey, near: PropKey, spot: tuple[Array, Array]
) -> tuple[Array, Array]:
    """Where the prop is at the key on the far side of one between which and another it is carried: as seen by the body
    at the near one, if it is carried there too."""
    first, last = sorted((key, near), key=lambda each: each.frame)
    if not _carries(bearer, prop, first, last):
        return spot
    body = _stands(bearer, np.array([first.frame, last.frame]), props)
    return body.along(*((0, 1) if key is first else (1, 0)), *spot)


def _in_hands(prop: Prop, bearer: Actor, key: Key, place: Array, turn: Array) -> tuple[Array, Array]:
    """Where the hands have a prop at a key of who carries it, from a place (3,) and a turn (3, 3) close by; turned as
    well where several hold it."""
    skeleton, placement = load_body(bearer.build.body).skeleton(bearer.build.shape), bearer.clip.placement
    near = replace(prop, clip=None, place=place.astype(np.float32), turn=nearest_rotation(turn).astype(np.float32))
    context = Context(props={prop.id: Thing(near.middle, near.turn, near.size)})
    world, hands, spots = forward_kinematics(skeleton, placement.pose(key.pose)), [], []
    for contact in contacts_on(prop, key.effectors):
        wanted = resolved(placement.effector(contact), context)
        hands.append(wanted.at_pose(skeleton, world).target.astype(np.float64))
        spots.append(wanted.target.astype(np.float64))
    middle = np.mean(spots, axis=0)
    if len(hands) == 1:
        return hands[0] + place - middle, turn
    apart = (each[1] - each[0] for each in (spots, hands))
    turned = rotation_between(*(way / max(float(np.linalg.norm(way)), 1e-9) for way in apart))
    return np.mean(hands, axis=0) + turned @ (place - middle), turned @ turn


def _stands(actor: Actor, frames: Frames, props: Sequence[Prop]) -> _Stands:
    """Where the body is at frames in order, as far as the keys alone say."""
    clip = actor.clip
    skeleton = load_body(actor.build.body).skeleton(actor.build.shape)
    rig = rig_of(skeleton)
    roots, rotations = replace(actor, clip=replace(clip, solved=())).poses(frames)
    ground = ground_of(actor, props)
    for gap in gaps_of(clip, actor.source) if clip.source is None else ():
        part = slice(*np.searchsorted(frames, (gap.first, gap.last + 1)))
        if part.start < part.stop:
            _, steps = arcs_and_steps(actor, skeleton, knots_of(clip, gap), ground)
            poses = Poses(roots[part], rotations[part]).each()
            roots[part], rotations[part] = Poses.of(steps.with_body_aside(rig, poses, frames[part]))
    trunk = rig.find(Role.SPINE3) or 0
    joints = forward_kinematics_batch(skeleton.parents, skeleton.offsets, roots, rotations)
    level = _level(joints.rotations[:, trunk].astype(np.float64))
    places = np.asarray(clip.placement.points(joints.positions.astype(np.float64)), np.float64)
    return _Stands(places[:, 0], np.asarray(clip.placement.rigid.rotations(level), np.float64), places)


def _level(turns: Array) -> Array:
    """(F, 3, 3) turns about the vertical, each the nearest to a turn."""
    sines, cosines = turns[:, 0, 2] - turns[:, 2, 0], turns[:, 0, 0] + turns[:, 2, 2]
    far = np.hypot(sines, cosines)
    made = np.zeros((len(turns), 3, 3))
    made[:, 0, 0] = made[:, 2, 2] = np.where(far > 1e-6, cosines / np.maximum(far, 1e-6), 1.0)
    made[:, 0, 2] = np.where(far > 1e-6, sines / np.maximum(far, 1e-6), 0.0)
    made[:, 2, 0] = -made[:, 0, 2]
    made[:, 1, 1] = 1.0
    return made


def _exact(spot: Spot) -> tuple[Array, Array]:
    return spot.place.astype(np.float64), spot.turn.astype(np.float64)


def _same(one: Iterable[object], other: Iterable[object]) -> bool:
    before, after = tuple(one), tuple(other)
    return len(before) == len(after) and all(a is b for a, b in zip(before, after, strict=True))
