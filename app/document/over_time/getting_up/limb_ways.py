"""Where knees, feet and hands go through the stages: they stay where they bear the body, and are lifted on their way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.between import Frames
from solver.contact.floor_points import FloorPoints
from solver.kinematics.curves import curve_through, each_eased, rotation_curve_through
from solver.kinematics.fk import WorldJoints, forward_kinematics_batch
from solver.kinematics.pose import Poses
from solver.kinematics.rotations import from_rotation_vector, rotation_between, to_rotation_vector
from solver.kinematics.two_bones import brought_to
from solver.rig.rig import Rig
from solver.rig.roles import ARMS, LEGS, LIMBS, Limb, Role

Array = NDArray[np.float64]

FADE_S = 0.4  # seconds in which a limb that is let go comes to be where joints have it, at most
LIFT, MOST_M, LEAST_M = 0.25, 0.045, 0.04  # of its way that skin is above the floor; metres at most; and of a way that counts
RISES = 0.4  # of the time of a way in which a limb is lifted, and put down
REACH_M = 0.12  # around a knee, within which skin is its own
ROUNDS = 2
LOW_M=0.004
STRAIGHT = 0.2
FOLDED = 0.28, 0.4
HIGHEST_M = 0.12, 0.3  # metres that a limb is lifted at most


class Hold(NamedTuple):
    """What bears the body and stays. times: the frames, rising, of the stages at which it does. places: (K, 3) metres
    and turns: (K, 3, 3) R_world_joint of it there."""

    role: Role
    times: tuple[int, ...]
    places: Array
    turns: Array

    def at(self, frames: Frames) -> Array:
        """(N, 3) metres where it is at some frames."""
        return curve_through(self.times, self.places, frames)

    def turned(self, frames: Frames) -> Array:
        """(N, 3, 3) how it is turned at some frames."""
        return rotation_curve_through(self.times, self.turns, frames)

    def over(self, frames: Frames) -> NDArray[np.bool_]:
        """(N,) which of some frames it bears the body at."""
        return (frames >= self.times[0]) & (frames <= self.times[-1])


def with_limbs(
    rig: Rig, floor: FloorPoints, poses: Poses, frames: Frames, holds: Sequence[Hold], knots: Sequence[int], fps: float
) -> Poses:
    """Poses of frames in a row with limbs on their ways. knots: the frames of the stages, the first and the last of
    which are the first and the last frame."""
    world, at = _world(rig, poses), np.searchsorted(frames, knots)
    goals = {role: world.positions[:, rig.joint(role)] for limb in LIMBS for role in _led(limb)}
    turns = {limb.end: world.rotations[:, rig.joint(limb.end)] for limb in LIMBS}
    for role in (role for leg in LEGS for role in _led(leg)):
        goals[role] = curve_through(knots, goals[role][at], frames, even=True)
    for leg in LEGS:
        ankle = rig.joint(leg.end)
        turns[leg.end] = rotation_curve_through(knots, world.rotations[at, ankle], frames, even=True)
    for arm in ARMS:
        own, place, turn = [hold for hold in holds if hold.role == arm.end], goals[arm.end], turns[arm.end]
        over = [hold.over(frames) for hold in own]
        goals[arm.end] = place + faded([hold.at(frames) - place for hold in own], over, fps)
        aside = [to_rotation_vector(np.swapaxes(turn, -1, -2) @ hold.turned(frames)) for hold in own]
        turns[arm.end] = turn @ from_rotation_vector(faded(aside, over, fps))
    held = {
        role: np.any([hold.over(frames) & (hold.role == role) for hold in holds], axis=0) for role in goals
    }
    for again in range(ROUNDS):
        poses = _near_knees(rig, poses, goals, frames, holds, fps)
        found = _world(rig, aimed(rig, poses, goals, turns, held))
        for role, moved in _moves(rig, floor, found, frames, holds, knots, fps, not again):
            goals[role] = goals[role] + moved
    return aimed(rig, _near_knees(rig, poses, goals, frames, holds, fps), goals, turns, held)


def _near_knees(
    rig: Rig, poses: Poses, goals: Mapping[Role, Array], frames: Frames, holds: Sequence[Hold], fps: float
) -> Poses:
    """Poses with the body as far from knees that bear as thighs are long."""
    for leg in 2 * LEGS:  # what one thigh asks for moves the other
        own = [hold.over(frames) for hold in holds if hold.role == leg.hinge]
        way = goals[leg.hinge] - _world(rig, poses).positions[:, rig.joint(leg.root)]
        far = np.linalg.norm(way, axis=1, keepdims=True)
        thigh = float(np.linalg.norm(rig.offsets[rig.joint(leg.hinge)]))
        moved = faded([(1.0 - thigh / far) * way] * len(own), own, fps)
        poses = poses._replace(roots=(poses.roots + moved).astype(np.float32))
    return poses


def _led(limb: Limb) -> tuple[Role, ...]:
    return (limb.hinge, limb.tip) if limb in LEGS else (limb.end,)


def aimed(
    rig: Rig, poses: Poses, goals: Mapping[Role, Array], turns: Mapping[Role, Array], held: Mapping[Role, Array]
) -> Poses:
    """Poses with knees and elbows towards, and feet and hands at their goals, (N, 3) metres, feet by their balls. turns:
    (N, 3, 3) of ankles and wrists in the world."""
    for limb in LIMBS:
        root, hinge, end = (rig.joint(role) for role in limb.line)
        goal = goals[_led(limb)[-1]]
        if limb in LEGS:
            goal = goal - turns[limb.end] @ rig.offsets[rig.joint(limb.tip)].astype(np.float64)
            poses = _aimed(rig, poses, root, hinge, goals[limb.hinge])
            goal = _from_the_hinge(rig, poses, (root, hinge, end), goal, held[limb.tip])
            poses = _twisted(rig, poses, (root, hinge, end), goal)
        poses = brought_to(rig, poses, (root, hinge, end), goal)
        poses = with_turns(rig, poses, [end], turns[limb.end][:, None])
    return poses


def with_turns(rig: Rig, poses: Poses, joints: Sequence[int], turns: Array) -> Poses:
    """Poses with joints turned in the world as (N, K, 3, 3) says."""
    over = _world(rig, poses).rotations[:, [rig.parents[joint] for joint in joints]]
    rotations = np.array(poses.rotations)
    rotations[:, joints] = np.swapaxes(over, -1, -2) @ turns
    return poses._replace(rotations=rotations)


def _aimed(rig: Rig, poses: Poses, joint: int, child: int, goals: Array) -> Poses:
    """Poses with a joint turned by the shortest way for its child to be towards goals."""
    world = _world(rig, poses)
    ways = zip(world.positions[:, child] - world.positions[:, joint], goals - world.positions[:, joint], strict=True)
    swing = np.stack([rotation_between(now, then) for now, then in ways])
    over = world.rotations[:, rig.parents[joint]]
    rotations = np.array(poses.rotations)
    rotations[:, joint] = np.swapaxes(over, -1, -2) @ swing @ world.rotations[:, joint]
    return poses._replace(rotations=rotations)


def _from_the_hinge(rig: Rig, poses: Poses, joints: tuple[int, int, int], goals: Array, held: Array) -> Array:
    """Goals (N, 3) of a limb's end that, the nearer they come to its root, are as far from the hinge as the second bone
    is long, unless they are held: so a knee keeps to its way while a foot passes below the seat."""
    root, hinge, end = joints
    places = _world(rig, poses).positions
    way, (first, second) = goals - places[:, hinge], np.linalg.norm(rig.offsets[[hinge, end]], axis=1).tolist()
    near = np.linalg.norm(goals - places[:, root], axis=1) / (first + second)
    share = ~held * each_eased((FOLDED[1] - near) / (FOLDED[1] - FOLDED[0]))
    far = np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-3)
    return np.asarray(goals + share[:, None] * (second / far - 1.0) * way)


def _twisted(rig: Rig, poses: Poses, joints: tuple[int, int, int], goals: Array) -> Poses:
    """Poses with a limb turned about its first bone, for its end to be on the side of that bone where its goal is, as
    far as the limb is bent. joints: its root, hinge and end."""
    world = _world(rig, poses)
    root, hinge, end = (world.positions[:, joint] for joint in joints)
    along = (hinge - root) / np.linalg.norm(hinge - root, axis=1, keepdims=True)
    now, then = (side - (side * along).sum(axis=1, keepdims=True) * along for side in (end - hinge, goals - hinge))
    sine, cosine = (np.cross(now, then) * along).sum(axis=1), (now * then).sum(axis=1)
    bent = np.minimum(np.linalg.norm(now, axis=1), np.linalg.norm(then, axis=1)) / np.linalg.norm(end - hinge, axis=1)
    angle = np.arctan2(sine, cosine) * each_eased((bent - STRAIGHT) / STRAIGHT)
    over, own = world.rotations[:, rig.parents[joints[0]]], world.rotations[:, joints[0]]
    rotations = np.array(poses.rotations)
    rotations[:, joints[0]] = np.swapaxes(over, -1, -2) @ from_rotation_vector(angle[:, None] * along) @ own
    return poses._replace(rotations=rotations)


def faded(ways: Sequence[Array], over: Sequence[NDArray[np.bool_]], fps: float) -> Array:
    """(N, 3) departures of frames in a row: each of some ways (N, 3) where it counts, (N,), and between them from one to
    the next and to nothing without a jolt. Zeros where there is none."""
    if not ways:
        return np.zeros(3)
    fade = round(FADE_S * fps)
    held = np.any(over, axis=0)
    made = np.zeros((3, len(held), 3))
    for way, own in zip(ways, over, strict=True):
        speeds = np.gradient(way, axis=0)
        made[:, own] = np.stack([way, speeds, np.gradient(speeds, axis=0)])[:, own]
    ends, nothing = made.copy(), np.zeros((3, 3))
    edges = np.flatnonzero(np.diff(np.concatenate([[True], held, [True]]).astype(int)))
    for a, b in edges.reshape(-1, 2) + [-1, 0]:  # the last frame before and the first after a part that is free
        if a >= 0 and b < len(held) and b - a < 2 * fade:
            made[0, a : b + 1] = _between(ends[:, a], ends[:, b], b - a)
            continue
        if a >= 0:
            count = min(fade, len(held) - 1 - a)
            made[0, a : a + count + 1] = _between(ends[:, a], nothing, count)
        if b < len(held):
            count = min(fade, b)
            made[0, b - count : b + 1] = _between(nothing, ends[:, b], count)
    return made[0]


def _between(first: Array, last: Array, count: int) -> Array:
    """(count + 1, 3) from place, speed and change of speed, (3, 3), at one frame to those `count` frames later."""
    s = (np.arange(count + 1) / count)[:, None]
    scale = np.array([1.0, count, count**2])[:, None]
    (a, va, aa), (b, vb, ab) = first * scale, last * scale
    d = b - a
    c3 = 10 * d - 6 * va - 4 * vb - 1.5 * aa + 0.5 * ab
    c4 = -15 * d + 8 * va + 7 * vb + 1.5 * aa - ab
    c5 = 6 * d - 3 * (va + vb) - 0.5 * (aa - ab)
    return np.asarray(a + va * s + 0.5 * aa * s**2 + c3 * s**3 + c4 * s**4 + c5 * s**5)


def _moves(
    rig: Rig, floor: FloorPoints, world: WorldJoints, frames: Frames, holds: Sequence[Hold], knots: Sequence[int], fps: float, lifts: bool
) -> Iterator[tuple[Role, Array]]:
    """(N, 3) metres by which knees, feet and hands are lifted for their skin to be clear of the floor where they go; a
    knee that bears is let down onto it, and rolls there."""
    skins = np.stack([floor.places(WorldJoints(*each)) for each in zip(*world, strict=True)])
    for limb, role in ((limb, role) for limb in LIMBS for role in _led(limb)):
        ends, moved = world.positions[:, rig.joint(role)], np.zeros((len(frames), 3))
        skin = skins[:, _skin(rig, floor, limb, role, skins[0], ends[0])]
        heights = skin[..., 1].min(axis=1)
        for a, b in pairwise(knots):
            at = np.flatnonzero((frames >= a) & (frames <= b))
            held = [hold.role for hold in holds if hold.over(frames[at]).all()]
            share = (frames[at] - a) / (b - a)
            up = each_eased(share / RISES) * each_eased((1.0 - share) / RISES)
            inside = up > 0.3
            if lifts and role not in held and inside.any():
                far = float(np.linalg.norm(np.diff(ends[at], axis=0)[:, [0, 2]], axis=1).sum())
                clear = min(LIFT * far, MOST_M) if far > LEAST_M and _may_lift(limb, role, held) else 0.0
                lacks = ((clear * up - heights[at])[inside] / up[inside]).max()
                moved[at, 1] += np.clip(lacks, 0.0, HIGHEST_M[limb in ARMS]) * up
        if role == limb.hinge:
            own = [hold.over(frames) for hold in holds if hold.role == role]
            moved += faded([_rolled(skin, heights, over) for over in own], own, fps)
        yield role, moved


def _rolled(skin: Array, heights: Array, over: NDArray[np.bool_]) -> Array:
    """(N, 3) metres by which a knee goes down to the floor and rolls on it, at the frames `over`; beyond them as at the
    nearest. skin: (N, P, 3) metres. heights: (N,) of the lowest."""
    low = (skin[1:, :, 1] < heights[1:, None] + LOW_M)[..., None]
    slides = (np.diff(skin, axis=0) * low).sum(axis=1) / low.sum(axis=1)
    rolled = -np.concatenate([np.zeros((1, 3)), np.cumsum(slides * over[1:, None] * over[:-1, None], axis=0)])
    rolled[:, 1] = -heights
    at = np.flatnonzero(over)
    return np.asarray(rolled[np.clip(np.arange(len(over)), at[0], at[-1])])


def _may_lift(limb: Limb, role: Role, held: Sequence[Role]) -> bool:
    """Whether a foot or a hand goes through the air while others bear the body."""
    other = LEGS[limb is LEGS[0]]
    return role == limb.end if limb in ARMS else role == limb.tip and (other.hinge in held or other.tip in held)


def _skin(rig: Rig, floor: FloorPoints, limb: Limb, role: Role, skin: Array, place: Array) -> NDArray[np.bool_]:
    """Which of a floor's points are a hinge's, foot's or hand's. skin, place: (P, 3) and (3,) metres of a frame."""
    own = (limb.root, limb.hinge) if role == limb.hinge else (limb.end, limb.tip, *limb.fingers)
    mine = np.isin(floor.carriers, [joint for joint in map(rig.find, own) if joint is not None])
    return np.asarray(mine & ((role != limb.hinge) | (np.linalg.norm(skin - place, axis=-1) < REACH_M)))


def _world(rig: Rig, poses: Poses) -> WorldJoints:
    return WorldJoints(*(each.astype(np.float64) for each in forward_kinematics_batch(rig.parents, rig.offsets, *poses)))
