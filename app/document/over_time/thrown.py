"""What somebody holds at one key of a prop and no longer at the next flies there as gravity has it.

The hand that throws it goes on a little after it has let go, and comes from behind before, so that thing and hand leave
the key at one speed. What is put down, with a hand close by, does not fly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.actor import Actor
from app.document.model.clip import SOLVED, Key
from app.document.model.prop import Prop
from app.document.model.prop_clip import PropKey, Throw
from app.document.over_time.body.arcs_of_hips import GRAVITY
from app.document.posing.holds.carried import contacts_on, is_carried
from solver.body.catalog import load_body
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS

Array = NDArray[np.float64]

BESIDE_M = 0.35  # metres from a hand, beyond half its size, within which a thing has been put down
# Metres above the higher end that things fly at most that nobody catches, or that somebody does, and more per metre on.
# What is caught later than that takes falls more slowly: keys say when hands have it, and nobody means metres up.
LEAST_HIGH_M, CAUGHT_M, HIGH = 0.02, 1.5, 0.35
FASTEST = 25.0  # m/s that something is thrown at most
SWINGS_S, GOES_ON_S = 0.3, 0.35  # seconds in which a hand comes to that speed, and in which it slows down
STRETCHES_M = 0.15  # metres short of all its length, from which an arm goes on freely along itself
MOST_M = 0.2  # metres that it swings back before and on after, at most
PEAK = 4.0 / 27.0  # of speed × time: how far a cubic at rest at one end, of that speed at the other, swings at most


class Flight(NamedTuple):
    """Between two keys of a prop. thrower: who lets go of it. throw: how the hand goes then. places, turns: (N, 3)
    metres and (N, 3, 3) R_world_prop at the frames between."""

    thrower: Actor
    throw: Throw
    places: Array
    turns: Array


def flight(prop: Prop, a: PropKey, b: PropKey, actors: Sequence[Actor]) -> Flight | None:
    """How a prop flies from one of its keys to the next; None if it does not."""
    thrower = _thrower(prop, a, b, actors)
    if thrower is None or prop.clip is None:
        return None
    times = np.arange(1, b.frame - a.frame) / prop.clip.fps
    up = np.array([0.0, 0.5 * float(prop.size[1]), 0.0])  # of its middle, which falls evenly as it turns
    ends = [key.place.astype(np.float64) + key.turn.astype(np.float64) @ up for key in (a, b)]
    way = ends[1] - ends[0]
    seconds, falls = (b.frame - a.frame) / prop.clip.fps, GRAVITY
    if not any(_key_with(actor, prop, b.frame) for actor in actors):
        seconds = min(seconds, _longest(way, LEAST_HIGH_M))
    else:
        falls *= min(_longest(way, CAUGHT_M) / seconds, 1.0) ** 2
    leaves = way / seconds + [0.0, 0.5 * falls * seconds, 0.0]
    if np.linalg.norm(leaves) > FASTEST:
        return None
    at = np.minimum(times, seconds)
    middles = ends[0] + np.multiply.outer(at, leaves)
    middles[:, 1] -= 0.5 * falls * at**2
    turn = a.turn.astype(np.float64)
    turned = to_rotation_vector(b.turn.astype(np.float64) @ turn.T).astype(np.float64)
    turns = np.asarray(from_rotation_vector(np.multiply.outer(at / seconds, turned)) @ turn, np.float64)
    return Flight(thrower, _throw(thrower, prop, a.frame, leaves), middles - turns @ up, turns)


def before_throw(throw: Throw, seconds: Array, room_s: float) -> Array:
    """(N, 3) metres that what is thrown swings aside at some `seconds` before that, as it comes from behind. room_s:
    seconds since the key before."""
    lasts = min(SWINGS_S, room_s)
    done = np.clip(1.0 - seconds / lasts, 0.0, 1.0)
    return np.multiply.outer((done**3 - done**2) * lasts, throw.speed)


def after_throw(throw: Throw, seconds: float, room_s: float) -> Array:
    """(3,) metres that the hand goes on, about the shoulder, in `seconds` after it has let go. room_s: seconds until
    its next key."""
    lasts = min(GOES_ON_S, room_s)
    done = min(seconds / lasts, 1.0)
    share, arm = done * (1.0 - done) ** 2 * lasts, throw.arm
    long = float(arm @ arm)
    onward = throw.speed - arm * (throw.speed @ arm / long)
    turn = from_rotation_vector(np.cross(arm, onward) / long * share)
    return np.asarray(turn @ arm - arm + share * (throw.speed - onward), np.float64)


def _throw(actor: Actor, prop: Prop, frame: int, leaves: Array) -> Throw:
    """How the hands go with which somebody throws a prop that leaves at (3,) m/s: not on along a stretched arm."""
    key, skeleton = actor.clip.key(frame), load_body(actor.build.body).skeleton(actor.build.shape)
    assert key is not None
    rig, world = rig_of(skeleton), forward_kinematics(skeleton, actor.clip.placement.pose(key.pose))
    holding, arms, room = {contact.joint for contact in contacts_on(prop, key.effectors)}, [], STRETCHES_M
    for limb in ARMS:
        if not rig.lacking([limb.root, limb.end]) and rig.name(limb.end) in holding:
            root, end = (world.positions[rig.joint(role)].astype(np.float64) for role in (limb.root, limb.end))
            arms.append(end - root)
            room = min(room, rig.limb_length(limb) - float(np.linalg.norm(arms[-1])))
    arm = np.mean(arms, axis=0) if arms else leaves
    along = arm * (leaves @ arm / max(float(arm @ arm), 1e-9))
    speed = leaves - along * (1.0 - max(room, 0.0) / STRETCHES_M)
    most = MOST_M / (PEAK * GOES_ON_S)
    return Throw(speed * min(1.0, most / max(float(np.linalg.norm(speed)), 1e-9)), arm)


def _longest(way: Array, least: float) -> float:
    """Seconds that something flies at most over (3,) metres: nobody throws higher than they have to. least: metres that
    it may go above the higher end of a way straight up."""
    high = least + HIGH * float(np.hypot(way[0], way[2]))
    return float(sum(np.sqrt(2.0 * (high + max(up, 0.0)) / GRAVITY) for up in (way[1], -way[1])))


def _thrower(prop: Prop, a: PropKey, b: PropKey, actors: Sequence[Actor]) -> Actor | None:
    """The only one who holds a prop at one of its keys, if they let go of it by their next key, their hands are off it
    then, and nobody holds it before the prop's next one, where it is elsewhere: what is put down and taken up again
    there does not fly."""
    if prop.locked or b.frame - a.frame < 2 or a.stays_until(b):
        return None
    held = [actor for actor in actors if _key_with(actor, prop, a.frame)]
    between = (key for actor in actors for key in actor.clip.keys_from(a.frame + 1, b.frame - 1))
    if len(held) != 1 or any(contacts_on(prop, key.effectors) for key in between):
        return None
    (actor,) = held
    after = actor.clip.around(a.frame + 1)[2]
    if after is None or contacts_on(prop, after.effectors):
        return None
    caught = any(_key_with(other, prop, b.frame) for other in actors)
    return actor if caught or not _is_beside(actor, after, prop, b) else None


def _key_with(actor: Actor, prop: Prop, frame: int) -> Key | None:
    """Somebody's key at a frame, if they carry a prop there."""
    key = actor.clip.key(frame)
    if key is None or prop.clip is None or actor.clip.fps != prop.clip.fps or actor.clip.between.by != SOLVED:
        return None
    return key if is_carried(prop.at(frame), contacts_on(prop, key.effectors)) else None


def _is_beside(actor: Actor, key: Key, prop: Prop, there: PropKey) -> bool:
    """Whether a hand is close to where a prop is at its key."""
    skeleton = load_body(actor.build.body).skeleton(actor.build.shape)
    rig, world = rig_of(skeleton), forward_kinematics(skeleton, actor.clip.placement.pose(key.pose))
    hands = [rig.joint(arm.end) for arm in ARMS if not rig.lacking([arm.end])]
    far = np.linalg.norm(world.positions[hands] - there.place, axis=1)
    return bool((far < BESIDE_M + 0.5 * float(np.linalg.norm(prop.size))).any())
