"""Kicks: a foot that stands at one of two keys and is up at the other is swung there and back.

Straight from key to key a stretched leg would be stiff. People shift their weight onto the other foot, draw the knee up
with the shin folded below it, and let the shin follow the thigh; the way back is the same played backwards. While the
foot stands, the leg goes as the hips have it; from there on thigh, knee and ankle each turn on a curve of their own,
without a jolt where it leaves the floor, so that a leg that comes to be straight does so evenly. If it comes back at
once, the knee turns about there without a halt; where the leg would come up into the hands, trunk and arms go before
it. A leg that is up at both keys folds on the way, and one that comes up bent, as to lean on a wall, is drawn up on the
way as far as it takes to keep its foot off the floor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.between import Frames
from app.document.model.clip import Key
from app.document.over_time.body.arms_clear import out_clear, soon_clear, turned
from app.document.over_time.body.body_ways import UP, BodyWay
from app.document.over_time.body.drawn_legs import LegWay, least_drawn
from app.document.over_time.body.raised_legs import comes_up, stretched
from app.document.over_time.ground import Ground
from app.document.over_time.standing_feet import stands_at
from app.document.over_time.swings import eased, height_shares
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position, Rotation
from solver.ik.problem import IKProblem
from solver.kinematics.curves import curve_through, eased_between, even_way, rotation_curve_through
from solver.kinematics.fk import WorldJoints, forward_kinematics, forward_kinematics_batch
from solver.kinematics.limits import BEND, KNEES, joint_limits
from solver.kinematics.pose import Pose, Poses
from solver.kinematics.rotations import angle_between, from_rotation_vector, to_rotation_vector
from solver.kinematics.two_bones import brought_to
from solver.rig.rig import Rig
from solver.rig.roles import LEGS, Limb

Array = NDArray[np.float64]
Worlds = tuple[WorldJoints, WorldJoints]

HIGHER = 0.2  # parts of a leg's length that an ankle is higher than the other one, of a leg that is up at both keys
FOLDS = np.radians(95.0)  # that the knee is bent at most on the way
THRUSTS = np.radians([75.0, 110.0])  # between shin and foot: a foot stretched so far snaps; bent so far, it thrusts
NEAREST = np.radians(60.0)  # between a thigh that is drawn up to thrust and the trunk
# Shares of the time from the key at which the foot stands to the other: when it leaves the floor if the other one does
# not step, and when weight is on that.
LEAVES, SHIFTS = 0.1, 0.6
# Until when trunk and arms have gone their way whose hands the leg would else come near; and seconds for it at least.
SWINGS, SWINGS_S = 0.65, 0.5
THIGH, FOLDED = 0.8, 0.9  # shares of the time that the foot is up: when the thigh has come up; when the knee has folded
LEAST_S = 0.3  # seconds from key to key that a kick takes
SNAPS = 5.0  # how hard a knee that is straight at a key turns about there, if the leg comes back at once
# Of a leg that is up at both keys, to fold as far as ever: lengths of it that its foot goes, and seconds for that.
AGAIN_FAR, AGAIN_S = (0.2, 0.6), (0.2, 0.8)
SWAY, NEARBY_M = 0.5, 0.15  # of the way to the foot that stays, which hips sway to it; less if it is farther than that
# Of a leg that comes up bent: seconds that it takes at least, as quicker ones go more evenly straight; metres that its
# foot is off its place at most until it leaves that; when it is drawn up most, as a share of the time that it is up;
# and until when trunk and arms have gone where they go first.
BENT_S, MISSES_M, DRAWN, SOONER = 0.7, 0.002, 0.5, 0.5
LIFT_M, LIFTED = 0.06, 0.5  # metres that the foot is lifted besides, and in what share of that time: toes do not scrape


class Kick(NamedTuple):
    """leg: its index in `LEGS`. first, last: the frames of the keys. up: (F,) whether its foot is off the floor at each
    frame from the first key to the last. turns: (F, 3, 3, 3) R_parent_joint of hip, knee and ankle at each. lifts: (F,)
    metres that the foot is higher besides. place, turn: (3,) metres and (3, 3) R_world_joint of the ankle as it
    stands. swings: (J,) joints of trunk, arms and head, and (F, J, 3, 3) R_parent_joint of those; None if they go as
    the keys have them."""

    leg: int
    first: int
    last: int
    up: NDArray[np.bool_]
    turns: Array
    lifts: Array
    place: Array
    turn: Array
    swings: tuple[NDArray[np.intp], Array] | None

    def within(self, frame: int) -> bool:
        """Whether a frame is between its keys."""
        return self.first < frame < self.last


def kick(
    rig: Rig,
    number: int,
    keys: Sequence[Key],
    worlds: Sequence[WorldJoints],
    ground: Ground | None,
    steps: Sequence[float],
    fps: float,
) -> tuple[Kick, BodyWay] | None:
    """How a leg kicks from the key of that number to the next, and how the body goes; None if none does, or there is no
    time for it. worlds: the joints at all keys. steps: of the times between them, the shares for which the other foot
    steps."""
    both, ends = (keys[number], keys[number + 1]), (worlds[number], worlds[number + 1])
    if both[1].frame - both[0].frame < max(LEAST_S * fps, 2.0):
        return None
    for leg in range(len(LEGS)):
        late, stays = _late(rig, leg, both, ends, ground), rig.joint(LEGS[1 - leg].end)
        if late is not None:
            foot = np.mean([each.positions[stays] for each in ends], axis=0)
            way, beyond, snap = _way(keys, both, late, foot), number + (1 if late else -1), 0.0
            if 0 <= beyond < len(steps):
                there = keys[beyond], keys[beyond + 1]
                if _late(rig, leg, there, (worlds[beyond], worlds[beyond + 1]), ground) is (not late):
                    snap = SNAPS * FOLDS / max(_in_air(both, steps[number]), _in_air(there, steps[beyond])) ** 2
            found = _kick(rig, leg, keys, both, ends, late, steps[number], way, snap, fps)
            return None if found is None else (found, way)
        if _stays_up(rig, leg, both, ends, ground):
            way = _held(both, np.zeros((both[1].frame - both[0].frame + 1, 3)))
            return _kick_again(rig, leg, keys, both, ends, way, fps), way
    return None


def _late(rig: Rig, leg: int, both: tuple[Key, Key], worlds: Worlds, ground: Ground | None) -> bool | None:
    """Whether a leg that kicks is up at the second of two keys, and not at the first; None if it does not kick."""
    limb = LEGS[leg]
    late = comes_up(rig, limb, *worlds[::-1])
    if rig.name(limb.hinge) not in KNEES or late == comes_up(rig, limb, *worlds):
        return None
    low = 0 if late else 1
    stood = [stands_at(rig, limb, key, world, ground) for key, world in zip(both, worlds, strict=True)]
    stands = stood[low] and not stood[1 - low]  # and not up on a box: that is a step
    return late if stands and _other_stands(rig, leg, both, worlds, ground) else None


def _stays_up(rig: Rig, leg: int, both: tuple[Key, Key], worlds: Worlds, ground: Ground | None) -> bool:
    """Whether a leg is up at both of two keys, each time as in a kick."""
    limb, other = LEGS[leg], rig.joint(LEGS[1 - leg].end)
    rises = [float(each.positions[rig.joint(limb.end), 1] - each.positions[other, 1]) for each in worlds]
    up = min(rises) > HIGHER * rig.limb_length(limb) and all(stretched(rig, limb, each) for each in worlds)
    return rig.name(limb.hinge) in KNEES and up and _other_stands(rig, leg, both, worlds, ground)


def _other_stands(rig: Rig, leg: int, both: tuple[Key, Key], worlds: Worlds, ground: Ground | None) -> bool:
    return all(stands_at(rig, LEGS[1 - leg], *at, ground) for at in zip(both, worlds, strict=True))


def _in_air(both: tuple[Key, Key], steps: float) -> float:
    """Frames for which a foot that kicks is up between two keys. steps: of that time, for which the other one steps."""
    return (both[1].frame - both[0].frame) * (1.0 - max(LEAVES, steps))


def _kick_again(
    rig: Rig, leg: int, keys: Sequence[Key], both: tuple[Key, Key], worlds: Worlds, way: BodyWay, fps: float
) -> Kick:
    """The kick of a leg that is up at both keys: it folds on the way, the more the further it goes."""
    limb, count = LEGS[leg], both[1].frame - both[0].frame + 1
    joints = [rig.joint(role) for role in (limb.root, limb.hinge, limb.end)]
    start, end = (each.pose.rotations[joints].astype(np.float64) for each in both)
    ankles = [(each.positions[joints[2]] - each.positions[0]).astype(np.float64) for each in worlds]
    far = float(np.linalg.norm(ankles[1] - ankles[0])) / rig.limb_length(limb)
    shares = np.linspace(0.0, 1.0, count)
    turns = turned(start, end, eased(shares))
    fold = FOLDS * eased_between(far, *AGAIN_FAR) * eased_between((count - 1) / fps, *AGAIN_S)
    turns[:, 1] = turns[:, 1] @ from_rotation_vector(np.multiply.outer(fold * height_shares(shares), _bends(rig, limb)))
    up, still = np.ones(count, bool), (np.zeros(count), np.zeros(3), np.eye(3))
    swings = out_clear(rig, limb, both, _roots(keys, way), turns, None, height_shares(shares))
    return Kick(leg, way.first, way.last, up, turns, *still, swings)


def _bends(rig: Rig, limb: Limb) -> Array:
    """(3,) the axis about which a knee bends, in its own frame."""
    return joint_limits((rig.name(limb.hinge),)).frames[0][:, BEND].astype(np.float64)


def _kick(
    rig: Rig,
    leg: int,
    keys: Sequence[Key],
    both: tuple[Key, Key],
    worlds: Worlds,
    late: bool,
    busy: float,
    way: BodyWay,
    snap: float,
    fps: float,
) -> Kick | None:
    """The kick of a leg; None if it comes up bent with no time for it, or does not reach while its foot is to stand.

    late: whether it is up at the second key, and not at the first. busy: the share of the time for which the other foot
    steps, from the key at which this one stands. way: of the body. snap: radians per squared frame at which the knee
    turns about at the other one.
    """
    order, limb = (1 if late else -1), LEGS[leg]
    joints = rig.joint(limb.root), rig.joint(limb.hinge), rig.joint(limb.end)
    low, high = both[::order]
    stands, ends_up = worlds[::order]
    count = len(way.gone)
    first = round(max(LEAVES, busy) * (count - 1))  # the last frame at which the foot stands
    place, turn = (each[joints[2]].astype(np.float64) for each in (stands.positions, stands.rotations))
    roots, kicking = _roots(keys, way), stretched(rig, limb, ends_up)
    down = _planted(rig, joints, low.pose, roots[::order][: first + 2], place, turn)
    if not kicking and count <= BENT_S * fps:
        return None
    if not kicking:
        ankles = _with_leg(rig, low.pose, roots[::order][: first + 2], joints, down).positions[:, joints[2]]
        if np.linalg.norm(ankles - place, axis=1).max() > MISSES_M:
            return None  # it would snap straight
    share = np.linspace(0.0, 1.0, count - first)[1:]
    axis, ends = _bends(rig, limb), high.pose.rotations[list(joints)].astype(np.float64)
    lifts = np.append(np.zeros(first + 1), LIFT_M * height_shares((share / LIFTED).clip(0.0, 1.0)))[::order]
    swung = np.stack([_swung(down[:, n], ends[n], share, THIGH if n == 0 else 1.0) for n in range(len(joints))], axis=1)

    def folded(folds: Array, raises: Array) -> Array:
        """The turns with the knee bent besides and the thigh drawn up, by (N,) radians each."""
        up = swung.copy()
        up[:, 0] = up[:, 0] @ from_rotation_vector(np.multiply.outer(-raises, axis))
        up[:, 1] = up[:, 1] @ from_rotation_vector(np.multiply.outer(folds, axis))
        return np.concatenate([down[: first + 1], up])[::order]

    def drawn(draw: float) -> Array:
        folds = draw * eased((share / DRAWN).clip(0.0, 1.0)) * eased(((1.0 - share) / (1.0 - DRAWN)).clip(0.0, 1.0))
        return folded(folds, folds / 2.0)

    def way_of(draw: float) -> LegWay:
        made = drawn(draw)
        there = _with_leg(rig, low.pose, roots, joints, made)
        places = there.positions[:, joints[2]] + np.multiply.outer(lifts, UP)
        ways = places, there.rotations[:, joints[2]].astype(np.float64), to_rotation_vector(made[:, 1]) @ axis
        return LegWay(*(each[::order][first:] for each in ways))

    if kicking:
        bent = max(float(to_rotation_vector(each) @ axis) for each in (down[first][1], ends[1]))
        fold, rest = max(FOLDS - bent, 0.0), np.zeros(1)
        unfolds = even_way(share, np.ones(1), rest, rest, (0.0, -snap * len(share) ** 2 / max(fold, 1e-6)))
        folds = eased((share / FOLDED).clip(0.0, 1.0)) * (1.0 - unfolds)
        fold /= folds.max()
        turns = folded(fold * folds, fold * _thrust(rig, limb, ends_up, ends, axis, fold * folds.max()) * folds)
        swings = soon_clear(rig, limb, both, roots, turns, _soon(count, late, max(SWINGS, SWINGS_S * fps / count)))
    else:
        turns = drawn(least_drawn(rig, limb, (place, turn), way_of))
        swings = soon_clear(rig, limb, both, roots, turns, _soon(count, late, SOONER), 1.0)
        swings = out_clear(rig, limb, both, roots, turns, swings, height_shares(np.linspace(0.0, 1.0, count)))
    off = (np.arange(count) > first)[::order]
    return Kick(leg, way.first, way.last, off, turns, lifts, place, turn, swings)


def _roots(keys: Sequence[Key], way: BodyWay) -> list[tuple[Array, Array]]:
    """Where the pelvis is at each frame between two of `keys`, (3,) metres, and how it is turned, (3, 3)."""
    frames, at = np.arange(way.first, way.last + 1), [key.frame for key in keys]
    turns = rotation_curve_through(at, np.stack([key.pose.rotations[0] for key in keys]), frames)
    places = curve_through(at, np.stack([key.pose.root_position for key in keys]), frames) + way.aside(frames)
    return list(zip(places, turns, strict=True))


def _planted(
    rig: Rig, joints: tuple[int, int, int], pose: Pose, roots: Sequence[tuple[Array, Array]], place: Array, turn: Array
) -> Array:
    """(N, 3, 3, 3) R_parent_joint of hip, knee and ankle as the pelvis goes, the ankle at a place and turned so."""
    rotations = np.repeat(pose.rotations[None], len(roots), axis=0)
    rotations[:, 0] = [turned for _, turned in roots]
    poses = Poses(np.array([root for root, _ in roots], np.float32), rotations)
    poses = brought_to(rig, poses, joints, np.repeat(place[None], len(roots), axis=0))
    shins = forward_kinematics_batch(rig.parents, rig.offsets, *poses).rotations[:, joints[1]]
    found = poses.rotations[:, list(joints)].astype(np.float64)
    found[:, 2] = np.swapaxes(shins, -1, -2) @ turn
    return found


def _with_leg(
    rig: Rig, pose: Pose, roots: Sequence[tuple[Array, Array]], joints: tuple[int, int, int], turns: Array
) -> WorldJoints:
    """The joints of a pose at N frames as the pelvis goes, with a leg turned so, (N, 3, 3, 3)."""
    rotations = np.repeat(pose.rotations[None], len(roots), axis=0)
    rotations[:, 0], rotations[:, list(joints)] = [turned for _, turned in roots], turns
    places = np.array([root for root, _ in roots], np.float32)
    return forward_kinematics_batch(rig.parents, rig.offsets, places, rotations)


def _swung(down: Array, end: Array, share: Array, until: float) -> Array:
    """(N, 3, 3) turns of a joint at shares (N,) of the time that the foot is up, from how it was turned last in `down`
    (M, 3, 3), the last of which is one frame later, on at that pace; there before the end. until: when."""
    start, frame = down[-2], share[0] / until
    goes = to_rotation_vector(down[-3].T @ start) if len(down) > 2 else np.zeros(3)
    went = to_rotation_vector(start.T @ down[-1])
    rate, bend = (goes + went) / 2.0 / frame, (went - goes) / frame**2
    done = (share / until).clip(0.0, 1.0)[:, None]
    way = np.asarray(to_rotation_vector(start.T @ end), np.float64)
    return np.asarray(start @ from_rotation_vector(even_way(done, way, rate, np.zeros(3), (bend, np.zeros(3)))))


def _way(keys: Sequence[Key], both: tuple[Key, Key], late: bool, foot: Array) -> BodyWay:
    """How the body goes between two of `keys`: soon over the foot that stays, (3,) metres, and swaying to it."""
    frames = np.arange(both[0].frame, both[1].frame + 1)
    gone = _soon(len(frames), late, SHIFTS)
    start, end = (key.pose.root_position.astype(np.float64) for key in both)
    straight = curve_through([key.frame for key in keys], np.stack([key.pose.root_position for key in keys]), frames)
    way = start + gone[:, None] * (end - start)
    aside = (foot - way) * (1.0 - UP)
    aside *= np.minimum(NEARBY_M / np.maximum(np.linalg.norm(aside, axis=1, keepdims=True), 1e-6), 1.0) ** 2
    sways = SWAY * height_shares(np.linspace(0.0, 1.0, len(frames)))[:, None] * aside
    return _held(both, way + sways - straight)


def _soon(count: int, late: bool, until: float) -> Array:
    """(N,) how much is done at N frames of what is done by a share of the time from where the foot stands, 0..1."""
    share, until = np.linspace(0.0, 1.0, count), min(until, 1.0)
    return eased((share / until).clip(0.0, 1.0)) if late else 1.0 - eased(((1.0 - share) / until).clip(0.0, 1.0))


def _held(both: tuple[Key, Key], besides: Array) -> BodyWay:
    """The way of a body whose hips are held firmly between two keys, (F, 3) metres beside their straight way."""
    first, last = (key.frame for key in both)
    ends = np.stack([key.pose.root_position for key in both]).astype(np.float64)
    at = np.array([first, last], np.float64)
    way = BodyWay(first, last, ends, np.linspace(0.0, 1.0, last - first + 1), None, besides=besides)
    return way._replace(lower=(at, np.zeros(2)), leans=(at, np.zeros((2, 3))))


def with_kicks(rig: Rig, own: Sequence[Kick], poses: Sequence[Pose], frames: Frames) -> list[Pose]:
    """The poses of some frames with the legs of those that kick."""
    return [_with_legs(rig, [kick for kick in own if kick.within(frame)], pose, frame)
            for pose, frame in zip(poses, frames.tolist(), strict=True)]  # fmt: skip


def with_kicking_feet(
    effectors: Sequence[Effector], rig: Rig, own: Sequence[Kick], frame: int, base: Pose
) -> tuple[Effector, ...]:
    """The effectors of a frame with the feet of those that kick where its base pose has them, or still standing."""
    made = tuple(effectors)
    for one in own:
        if one.within(frame):
            limb, ankle = LEGS[one.leg], rig.joint(LEGS[one.leg].end)
            foot, place, turn = rig.names_of((limb.end, limb.tip)), one.place, one.turn
            if one.up[frame - one.first]:
                there = forward_kinematics(rig, base)
                place, turn = (each[ankle] for each in (there.positions, there.rotations))
                place = place + one.lifts[frame - one.first] * UP
            made = (
                *(e for e in made if e.joint not in foot),
                Position(rig.names[ankle], place.astype(np.float32), id="kicks"),
                Rotation(rig.names[ankle], turn.astype(np.float32), id="kicks' turn"),
            )
    return made


def as_kept(problems: Sequence[IKProblem], kept: Poses, proposals: Poses) -> Poses:
    """The poses on the way from key to key, in place of proposals: who kicks goes as their joints do, and networks,
    that know nothing of it, threw heads and arms about."""
    return kept


def _with_legs(rig: Rig, own: Sequence[Kick], pose: Pose, frame: int) -> Pose:
    if not own:
        return pose
    rotations = np.array(pose.rotations, np.float32)
    for one in own:
        limb = LEGS[one.leg]
        if one.swings is not None:
            rotations[one.swings[0]] = one.swings[1][frame - one.first]
        rotations[[rig.joint(role) for role in (limb.root, limb.hinge, limb.end)]] = one.turns[frame - one.first]
    return replace(pose, rotations=rotations)


def _thrust(rig: Rig, limb: Limb, up: WorldJoints, turns: Array, axis: Array, fold: float) -> float:
    """How far the thigh is drawn up as the knee folds by so many radians, as a share of that: half of it has the foot
    go straight to where it comes to, as with the sole ahead; nothing has it swing about the knee."""
    knee, ankle, ball = (up.positions[rig.joint(role)].astype(np.float64) for role in (limb.hinge, limb.end, limb.tip))
    share = 0.5 * eased_between(angle_between(ankle - knee, ball - ankle), *THRUSTS)
    shares = np.linspace(share, 0.0, 11)
    thigh = rig.offsets[rig.joint(limb.hinge)].astype(np.float64)
    thigh /= np.linalg.norm(thigh)
    drawn = (turns[0] @ from_rotation_vector(np.multiply.outer(-shares * fold, axis)) @ thigh)[:, 1]
    near = drawn < max(np.cos(NEAREST), drawn[-1])
    return float(shares[int(near.argmax())])
