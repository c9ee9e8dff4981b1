"""Where knees, feet and hands go through the stages: they stay where they bear the body, and are lifted elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.between import Frames
from app.document.over_time.getting_up.over_support import brought_over
from solver.contact.balance import MassShares
from solver.contact.floor_points import FloorPoints
from solver.ik.multi_solve.between_keys import smoothed
from solver.kinematics.curves import curve_through, each_eased, even_way, rotation_curve_through
from solver.kinematics.fk import WorldJoints, forward_kinematics_batch
from solver.kinematics.limits import BEND, joint_limits
from solver.kinematics.pose import Poses
from solver.kinematics.rotations import from_rotation_vector, rotation_between, to_rotation_vector
from solver.kinematics.two_bones import brought_to
from solver.rig.rig import Rig
from solver.rig.roles import ARMS, LEGS, LIMBS, Limb, Role

Array = NDArray[np.floating]

UP = np.array([0.0, 1.0, 0.0])
FADE_S = 0.4  # seconds in which a limb that is let go comes to be where the joints' curves have it, at most
# of its way that the skin of what goes through the air is above the floor; metres at most; and of a way that counts
LIFT, MOST_M, LEAST_M = 0.25, 0.045, 0.04
OFF_M = 0.005  # metres above the floor, from which on a foot at a stage is in the air
AGAIN_M = 0.03  # likewise at most in later rounds: knees on other ways, and a body elsewhere, put feet and hands down
RISES, RISEN = 0.4, 0.3  # of the time of a way, in which it is lifted and put down; of a lift that is to do it
LEG_M, ARM_M, ROLLING_M = 0.08, 0.15, 0.22  # metres that legs, arms, and arms of who rolls over are lifted at most
SWEEPS_M, SWEPT_M = 0.02, 0.12  # metres that feet are clear of the floor in later rounds; lifted for that at most
REACH_M, LOW_M = 0.12, 0.004  # around a knee, within which skin is its own; above its lowest skin, up to which it bears
ROUNDS = 2  # how often knees are let down onto the floor, and the body is brought over what bears it
HIGH = (0.47, 0.54)  # legs that the pelvis is high, from where and up to where the body is brought over what bears it
# Of a knee that goes over the floor, where its way is nearer to the hip than the thigh is long: by how much of a thigh
# for all of it to count; metres aside where its way is below the hip; metres that the knee is high at most; how steep
# the thigh is, from where and up to twice of which it counts; and seconds to each side over which that is smoothed.
NEARER, ASIDE_M, LOW_KNEE_M, STEEP, AROUND_S = 0.04, 0.08, 0.4, 0.3, 0.1
STRAIGHT = 0.2  # sine of the bend up to which a limb has no side that it is bent to
# Of a leg's length, from hip to ankle: below the first a foot gives way to the knee, above the other not.
FOLDED = (0.2, 0.5)


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


class Ways(NamedTuple):
    """What the limbs' ways depend on. frames: those in a row. knots: the frames of the stages, from the first of those
    to the last. holds: what bears the body. mass: what each joint carries of it. beneath: gives metres (...) of what is
    below points (..., 3). limbs: those that go their own ways. seated: whether the seat bears the body, so that both
    feet may be lifted, and the mass need not be over them."""

    rig: Rig
    floor: FloorPoints
    frames: Frames
    knots: tuple[int, ...]
    holds: tuple[Hold, ...]
    fps: float
    mass: MassShares
    beneath: Callable[[Array], Array]
    limbs: tuple[Limb, ...] = LIMBS
    seated: bool = False

    @property
    def legs(self) -> list[Limb]:
        """Those of the limbs."""
        return [limb for limb in self.limbs if limb in LEGS]

    def over(self, role: Role) -> list[NDArray[np.bool_]]:
        """For each hold of a joint (N,), which frames it bears the body at."""
        return [hold.over(self.frames) for hold in self.holds if hold.role == role]


class Goals(NamedTuple):
    """Where knees, feet by their balls, and hands are to be, (N, 3) metres, and (N, 3, 3) R_world_joint of ankles and
    wrists. held: (N,) at which frames they must be there. borne: (N,) 0..1, the same fading before and after."""

    places: dict[Role, Array]
    turns: dict[Role, Array]
    held: dict[Role, NDArray[np.bool_]]
    borne: dict[Role, Array]


def with_limbs(ways: Ways, poses: Poses) -> Poses:
    """Poses of frames in a row on the joints' curves with their limbs on ways of their own."""
    goals = _goals(ways, _world(ways.rig, poses))
    for again in range(ROUNDS):
        poses = _near_knees(ways, poses, goals)
        if not ways.seated:
            for leg in ways.legs:
                goals.places[leg.hinge] = goals.places[leg.hinge] + _out_of_the_floor(ways, poses, leg, goals)
        found = _world(ways.rig, _aimed(ways, poses, goals))
        skins = np.stack([ways.floor.places(WorldJoints(*each)) for each in zip(*found, strict=True)])
        for role, moved in _moves(ways, found, skins, first=not again):
            goals.places[role] = goals.places[role] + moved
        if ways.seated:
            continue
        up = each_eased((found.positions[:, 0, 1] / ways.rig.leg_length - HIGH[0]) / (HIGH[1] - HIGH[0]))
        moved = brought_over(ways.mass, found, skins, up, ways.fps)
        poses = poses._replace(roots=(poses.roots + moved).astype(np.float32))
        for role in goals.places:
            goals.places[role] = goals.places[role] + (1.0 - goals.borne[role])[:, None] * moved
    return _aimed(ways, _near_knees(ways, poses, goals), goals)


def _goals(ways: Ways, world: WorldJoints) -> Goals:
    """Legs go straight from stage to stage, as a knee or a foot that bears must not move; arms as their joints do, but
    for hands that bear."""
    rig, frames, knots, at = ways.rig, ways.frames, ways.knots, np.searchsorted(ways.frames, ways.knots)
    places: dict[Role, Array] = {}
    turns: dict[Role, Array] = {}
    for leg in ways.legs:
        for role in _led(leg):
            places[role] = curve_through(knots, world.positions[at, rig.joint(role)], frames, even=True)
        turns[leg.end] = rotation_curve_through(knots, world.rotations[at, rig.joint(leg.end)], frames, even=True)
    for arm in (limb for limb in ways.limbs if limb in ARMS):
        hand, over = rig.joint(arm.end), ways.over(arm.end)
        place, turn = world.positions[:, hand], world.rotations[:, hand]
        own = [hold for hold in ways.holds if hold.role == arm.end]
        aside = [np.asarray(to_rotation_vector(np.swapaxes(turn, -1, -2) @ hold.turned(frames))) for hold in own]
        places[arm.end] = place + faded([hold.at(frames) - place for hold in own], over, ways.fps)
        turns[arm.end] = turn @ from_rotation_vector(faded(aside, over, ways.fps))
    held = {role: np.any([*ways.over(role), frames < 0], axis=0) for role in places}
    return Goals(places, turns, held, {role: _around(each, round(FADE_S * ways.fps)) for role, each in held.items()})


def _around(held: NDArray[np.bool_], fade: int) -> Array:
    """(N,) 1 where (N,) frames are held, and less before and after, down to 0."""
    far = np.abs(np.subtract.outer(np.arange(len(held)), np.flatnonzero(held))).min(axis=1, initial=fade)
    return each_eased(1.0 - far / fade)


def _near_knees(ways: Ways, poses: Poses, goals: Goals) -> Poses:
    """Poses with the body as far from knees that bear as thighs are long."""
    rig = ways.rig
    for leg in 2 * ways.legs:  # what one thigh asks for moves the other
        over, thigh = ways.over(leg.hinge), float(np.linalg.norm(rig.offsets[rig.joint(leg.hinge)]))
        way = goals.places[leg.hinge] - _world(rig, poses).positions[:, rig.joint(leg.root)]
        far = np.linalg.norm(way, axis=1, keepdims=True)
        moved = faded([(1.0 - thigh / far) * way] * len(over), over, ways.fps)
        poses = poses._replace(roots=(poses.roots + moved).astype(np.float32))
    return poses


def _led(limb: Limb) -> tuple[Role, ...]:
    return (limb.hinge, limb.tip) if limb in LEGS else (limb.end,)


def _aimed(ways: Ways, poses: Poses, goals: Goals) -> Poses:
    """Poses with feet and hands at their goals, and knees towards theirs."""
    rig = ways.rig
    for limb in ways.limbs:
        root, hinge, end = (rig.joint(role) for role in limb.line)
        goal, turn = goals.places[_led(limb)[-1]], goals.turns[limb.end]
        if limb in LEGS:
            poses = _towards(rig, poses, root, hinge, goals.places[limb.hinge])
            goal, turn = _ankles(rig, poses, limb, goals)
            poses = _twisted(rig, poses, (root, hinge, end), goal)
        poses = _turned(rig, brought_to(rig, poses, (root, hinge, end), goal), end, turn)
    return poses


def _turned(rig: Rig, poses: Poses, joint: int, turns: Array) -> Poses:
    """Poses with a joint turned in the world as (N, 3, 3) says."""
    rotations = np.array(poses.rotations)
    rotations[:, joint] = np.swapaxes(_world(rig, poses).rotations[:, rig.parents[joint]], -1, -2) @ turns
    return poses._replace(rotations=rotations)


def _out_of_the_floor(ways: Ways, poses: Poses, leg: Limb, goals: Goals) -> Array:
    """(N, 3) metres by which a knee's goals are moved where they are low and nearer than the thigh is long: as far
    along the floor as it reaches, and aside where they are below. Towards them, the knee would be in the floor."""
    rig, margin = ways.rig, round(AROUND_S * ways.fps)
    hip, goal, places = rig.joint(leg.root), goals.places[leg.hinge], _world(rig, poses).positions
    length = float(np.linalg.norm(rig.offsets[rig.joint(leg.hinge)]))
    way, outward = goal - places[:, hip], places[:, hip] - places[:, 0]
    side = (way + outward * (ASIDE_M / np.linalg.norm(outward, axis=1, keepdims=True))) * [1.0, 0.0, 1.0]
    reach = np.sqrt(np.maximum(length**2 - way[:, 1] ** 2, 0.0))
    far = side * (reach / np.linalg.norm(side, axis=1).clip(1e-3))[:, None] + way * UP
    near = each_eased((1.0 - np.linalg.norm(way, axis=1) / length) / NEARER) * each_eased(1.0 - goal[:, 1] / LOW_KNEE_M)
    near *= each_eased(-way[:, 1] / length / STEEP - 1.0)
    fixed = goals.held[leg.hinge] | np.isin(np.arange(len(goal)), [0, len(goal) - 1])  # and at the keys
    free = 1.0 - _around(fixed, margin)[:, None]
    moved = np.pad(near[:, None] * (far - way), ((margin, margin), (0, 0)))
    return smoothed(moved, margin) * free


def _towards(rig: Rig, poses: Poses, joint: int, child: int, goals: Array) -> Poses:
    """Poses with a joint turned by the shortest way for its child to be towards goals."""
    world = _world(rig, poses)
    ways = zip(world.positions[:, child] - world.positions[:, joint], goals - world.positions[:, joint], strict=True)
    swing = np.stack([rotation_between(now, then) for now, then in ways])
    return _turned(rig, poses, joint, swing @ world.rotations[:, joint])


def _ankles(rig: Rig, poses: Poses, leg: Limb, goals: Goals) -> tuple[Array, Array]:
    """(N, 3) metres and (N, 3, 3) R_world_joint, where and how a leg's ankle is to be. The nearer the foot comes to the
    hip, and where the knee bears, it is as far from the knee as the shin is long: so a knee keeps to its way while the
    foot passes below the seat, and stays on the floor. A foot that is held turns about its ball for that. Nearer to the
    hip than a knee that bears can bend it does not come: the knee would be pushed into the floor."""
    tip, turn = goals.places[leg.tip], goals.turns[leg.end]
    place = tip - turn @ rig.offsets[rig.joint(leg.tip)].astype(np.float64)
    root, hinge, end = (_world(rig, poses).positions[:, rig.joint(role)] for role in leg.line)
    thigh, shin, foot = (float(np.linalg.norm(rig.offsets[rig.joint(role)])) for role in (*leg.line[1:], leg.tip))
    near = np.linalg.norm(place - root, axis=1) / (thigh + shin)
    low = each_eased(1.0 - 2.0 * goals.places[leg.hinge][:, 1] / LOW_KNEE_M)
    share = np.max([each_eased((FOLDED[1] - near) / (FOLDED[1] - FOLDED[0])), low, goals.borne[leg.hinge]], axis=0)
    way = place - hinge
    far = np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-3)
    free = place + share[:, None] * (shin / far - 1.0) * way
    held = goals.borne[leg.tip][:, None]
    planted = place + goals.borne[leg.hinge][:, None] * (_meeting(hinge, shin, tip, foot, place) - place)
    ways = zip(tip - place, tip - planted, strict=True)
    about = from_rotation_vector(held * [to_rotation_vector(rotation_between(now, then)) for now, then in ways])
    found = free + held * (planted - free)
    least = _least(rig, leg, np.linalg.norm(end - root, axis=1))
    kept = (goals.borne[leg.hinge] ** 2 * (np.linalg.norm(found - root, axis=1) < least))[:, None]
    found += kept * (_meeting(hinge, shin, root, least[:, None], found) - found)
    return found, about @ turn


def _least(rig: Rig, leg: Limb, now: Array) -> Array:
    """(N,) metres between hip and ankle at least, as far as the knee bends; (N,) metres `now` where it is bent more."""
    thigh, shin = (float(np.linalg.norm(rig.offsets[rig.joint(role)])) for role in leg.line[1:])
    most = np.cos(joint_limits((rig.name(leg.hinge),)).high[0, BEND])
    return np.asarray(np.minimum(now, np.sqrt(thigh**2 + shin**2 + 2.0 * thigh * shin * most)))


def _meeting(first: Array, radius: float, second: Array, other: float | Array, near: Array) -> Array:
    """(N, 3) the points at a radius from the first points and another one from the second that are nearest to some; as
    near as may be where there are none."""
    way = second - first
    far = np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-3)
    along = way / far
    at = (radius**2 - other**2 + far**2) / (2.0 * far)
    aside = near - first
    aside -= (aside * along).sum(axis=1, keepdims=True) * along
    aside /= np.maximum(np.linalg.norm(aside, axis=1, keepdims=True), 1e-6)
    return np.asarray(first + at * along + np.sqrt(np.maximum(radius**2 - at**2, 0.0)) * aside)


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
    return _turned(rig, poses, joints[0], from_rotation_vector(angle[:, None] * along) @ world.rotations[:, joints[0]])


def faded(ways: Sequence[Array], over: Sequence[NDArray[np.bool_]], fps: float) -> Array:
    """(N, 3) departures of frames in a row: each of some ways (N, 3) where it counts, (N,), and between them from one
    to the next and to nothing without a jolt. Zeros where there is none."""
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
    scale = np.array([1.0, count, count**2])[:, None]
    (a, leaving, *bends), (b, arriving, *bent) = first * scale, last * scale
    return a + even_way((np.arange(count + 1) / count)[:, None], b - a, leaving, arriving, (bends[0], bent[0]))


def _moves(ways: Ways, world: WorldJoints, skins: Array, first: bool) -> Iterator[tuple[Role, Array]]:
    """(N, 3) metres by which a knee that bears is let down onto the floor and rolls there, and feet and hands are
    lifted where they go. skins: (N, P, 3) metres. first: whether it is the first round, where knees are, too."""
    above = skins[..., 1] - ways.beneath(skins)
    for limb, role in ((each, role) for each in ways.limbs for role in _led(each)):
        ends = world.positions[:, ways.rig.joint(role)]
        mine = _skin(ways, limb, role, skins[0], ends[0])
        skin, heights = skins[:, mine], above[:, mine].min(axis=1)
        moved = np.multiply.outer(_lifted(ways, limb, role, ends, heights, first), UP)
        if role == limb.hinge:
            over = ways.over(role)
            moved += faded([_rolled(skin, heights, each, round(FADE_S * ways.fps)) for each in over], over, ways.fps)
        yield role, moved


def _lifted(ways: Ways, limb: Limb, role: Role, ends: Array, heights: Array, first: bool) -> Array:
    """(N,) metres by which a joint, at (N, 3) metres, is lifted for its skin, (N,) metres high, to be clear of the
    floor from stage to stage where it does not bear. first: whether for the first time; later knees are not
    lifted, and feet and hands only where limbs bear the body."""
    by, most = np.zeros(len(ways.knots) + 1), MOST_M if first else AGAIN_M
    for number, (a, b) in enumerate(pairwise(ways.knots), 1):
        at = np.flatnonzero((ways.frames >= a) & (ways.frames <= b))
        held = [hold.role for hold in ways.holds if hold.over(ways.frames[at]).all()]
        share = (ways.frames[at] - a) / (b - a)
        up = each_eased(share / RISES) * each_eased((1.0 - share) / RISES)
        risen = up > RISEN
        if role in held or not risen.any() or not (first or (held and role != limb.hinge)):
            continue
        far = float(np.linalg.norm(np.diff(ends[at], axis=0)[:, [0, 2]], axis=1).sum())
        clear = min(LIFT * far, most) if far > LEAST_M and _may_lift(ways, limb, role, held) else 0.0
        lacks, sweeps = (float(((over * up - heights[at])[risen] / up[risen]).max()) for over in (clear, SWEEPS_M))
        cap = AGAIN_M if not first else LEG_M if limb in LEGS else ROLLING_M if ways.seated else ARM_M
        swept = min(sweeps, SWEPT_M) if clear and not first and role == limb.tip else 0.0
        by[number] = max(min(lacks, cap), swept, 0.0)
    stays = np.minimum(by[:-1], by[1:]) * (limb in LEGS and role != limb.hinge)
    stays *= heights[np.searchsorted(ways.frames, ways.knots)] > OFF_M
    return _raised(ways, by[1:-1], stays)


def _raised(ways: Ways, by: Array, stays: Array) -> Array:
    """(N,) metres that a joint is raised: by so much (K - 1,) between two stages, and (K,) at each of them."""
    lift = np.zeros(len(ways.frames))
    for up, (a, b), (before, after) in zip(by.tolist(), pairwise(ways.knots), pairwise(stays.tolist()), strict=True):
        at = np.flatnonzero((ways.frames >= a) & (ways.frames <= b))
        share = (ways.frames[at] - a) / (b - a)
        rises, falls = each_eased(share / RISES), each_eased((1.0 - share) / RISES)
        lift[at] = before * (1.0 - rises) + after * (1.0 - falls) + up * rises * falls
    return lift


def _rolled(skin: Array, heights: Array, over: NDArray[np.bool_], fade: int) -> Array:
    """(N, 3) metres by which a knee goes down to the floor and rolls on it, at the frames `over`; beyond them as at the
    nearest; where it still bears at the last one, it comes to be where that has it. skin: (N, P, 3) metres. heights:
    (N,) of the lowest. fade: frames from the keys, which stay as posed."""
    low = (skin[1:, :, 1] < heights[1:, None] + LOW_M)[..., None]
    slides = (np.diff(skin, axis=0) * low).sum(axis=1) / low.sum(axis=1)
    rolled = -np.concatenate([np.zeros((1, 3)), np.cumsum(slides * over[1:, None] * over[:-1, None], axis=0)])
    frames = np.arange(len(over))
    rolled -= rolled[-1] * over[-1]
    rolled[:, 1] = -heights * each_eased(np.minimum(frames, frames[::-1]) / fade)
    at = np.flatnonzero(over)
    return np.asarray(rolled[np.clip(frames, at[0], at[-1])])


def _may_lift(ways: Ways, limb: Limb, role: Role, held: Sequence[Role]) -> bool:
    """Whether a knee, a foot or a hand goes through the air while others bear the body; the trunk, if none does."""
    if limb in ARMS or ways.seated:
        return role in (limb.end, limb.tip)
    other = LEGS[limb is LEGS[0]]
    bearing = {other.hinge, other.tip, *(arm.end for arm in ARMS), *([limb.hinge] if role == limb.tip else [])}
    return not held or not bearing.isdisjoint(held)


def _skin(ways: Ways, limb: Limb, role: Role, skin: Array, place: Array) -> NDArray[np.bool_]:
    """Which of a floor's points are a hinge's, foot's or hand's. skin, place: (P, 3) and (3,) metres of a frame."""
    own = (limb.root, limb.hinge) if role == limb.hinge else (limb.end, limb.tip, *limb.fingers)
    mine = np.isin(ways.floor.carriers, [joint for joint in map(ways.rig.find, own) if joint is not None])
    return np.asarray(mine & ((role != limb.hinge) | (np.linalg.norm(skin - place, axis=-1) < REACH_M)))


def _world(rig: Rig, poses: Poses) -> WorldJoints:
    return WorldJoints(
        *(each.astype(np.float64) for each in forward_kinematics_batch(rig.parents, rig.offsets, *poses))
    )
