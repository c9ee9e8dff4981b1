"""Feet that stand at both of two keys, in different places, step from one place to the other.

Between keys a foot's path would be straight, along the floor. People lift a foot that they put elsewhere: it stays
where it stands, swings over, turning if it has to, and stays where it comes to stand. One foot steps half way between
the keys; of two, the one that is behind steps first, sideways the one on that side, and of somebody who turns on the
spot the one on the side that they turn to. Where both go further than a step goes on level ground, they walk there;
where there is no time for it, they jump, or glide if they cannot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.between import Frames, Gap
from app.document.model.clip import Key
from app.document.over_time.arrivals import Arrival, sits_where, walk_with_arrival
from app.document.over_time.body.arms_in_step import with_arms_ahead
from app.document.over_time.body.body_ways import (
    BodyWay,
    Pivot,
    bend,
    feet_turned,
    turn_of,
    with_body_turned,
    with_hips_held,
    with_hips_turned,
)
from app.document.over_time.body.raised_legs import kicks
from app.document.over_time.body.turned_walks import turns_where
from app.document.over_time.body.walks import LEVEL_M, STILL, paces_of, times_of, walk, wider
from app.document.over_time.ground import Ground, is_low
from app.document.over_time.hips import with_hips
from app.document.over_time.jumps import jump
from app.document.over_time.kicks import Kick, kick, with_kicking_feet, with_kicks
from app.document.over_time.rolls import (
    Roll,
    amounts,
    goes_back,
    held_by_ankle,
    may_roll,
    times_with_roll,
    with_rolling_foot,
)
from app.document.over_time.seated_steps import seated_steps
from app.document.over_time.standing_feet import BallTurn, ball_turns, farness, firmly_turned, rides, stands_at
from app.document.over_time.swings import (
    LEAST_M,
    STRIDE,
    Swing,
    height_shares,
    levels_done,
    moved_by_roll,
    parts_done,
    pitched_by,
    pitches_of,
    place_on,
    share_along,
    step_beside_lifted,
    swing_of,
    time_taken,
    turns_done,
    turns_on,
)
from solver.contact.feet import Feet
from solver.effectors.effector import Effector
from solver.ik.problem import IKProblem
from solver.kinematics.curves import curve_through, each_eased
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.level_feet import heading
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import LEGS

Array = NDArray[np.float64]

ON_THE_SPOT = 0.7  # of the sum of how far both feet go: less is left of their ways together where the body stays
RATHER_M = 0.25  # metres down, from which on people would rather jump than run
BESIDE_M = 0.08  # metres that one foot is ahead of the other at most where both stand side by side
UP = np.array([0.0, 1.0, 0.0])
_HIPS, _ANKLES = tuple(leg.root for leg in LEGS), tuple(leg.end for leg in LEGS)


class Steps(NamedTuple):
    """The steps between some keys in a row, without a motion beneath. ways: how the body goes as it walks. kicks: of
    legs that are up at one of two keys. turns: of feet that turn where they stand."""

    swings: tuple[Swing, ...]
    ways: tuple[BodyWay, ...] = ()
    kicks: tuple[Kick, ...] = ()
    turns: tuple[BallTurn, ...] = ()

    @classmethod
    def between(
        cls, skeleton: Skeleton, keys: Sequence[Key], fps: float, feet: Feet | None = None, ground: Ground | None = None
    ) -> Steps:
        """Those between keys in order of time. feet: how feet stand on the floor; None if they do not roll. ground:
        what else they stand on."""
        rig = rig_of(skeleton)
        if any(rig.lacking([leg.end, leg.tip]) for leg in LEGS):
            return cls(())
        worlds = [forward_kinematics(skeleton, key.pose) for key in keys]
        found, ways, kicking, turns = list[Swing](), list[BodyWay](), list[Kick](), list[BallTurn]()
        gaps = list(zip(pairwise(keys), pairwise(worlds), strict=True))
        planned = [_steps(rig, keys, *gap, fps, feet, ground) for gap in gaps]
        taken = [time_taken(steps) for steps, _ in planned]
        for number, ((both, ends), (flat, way)) in enumerate(zip(gaps, planned, strict=True)):
            steps = list(_rolling(rig, flat, ends, feet, fps))
            found += steps
            if way is not None:
                ways.append(with_hips(rig, way, steps, ends))
            elif kicked := kick(rig, number, keys, worlds, ground, taken, fps):
                kicking.append(kicked[0])
                ways.append(kicked[1])
            turns += ball_turns(rig, both, ends, ground, {step.ankle for step in steps})
        return cls(tuple(found), tuple(ways), tuple(kicking), tuple(turns))

    def with_body_aside(self, rig: Rig, poses: Sequence[Pose], frames: Frames) -> list[Pose]:
        """Poses on the straight way from key to key at some frames, where the body goes as it walks, its hips turned as
        the legs go."""
        aside, turned = (
            sum((of(way, frames) for way in self.ways), np.zeros((len(frames), 3)))
            for of in (BodyWay.aside, BodyWay.tilted)
        )
        roots = [(pose.root_position + off).astype(np.float32) for pose, off in zip(poses, aside, strict=True)]
        moved = [replace(pose, root_position=root) for pose, root in zip(poses, roots, strict=True)]
        arms = sum((way.arms_at(frames) for way in self.ways), np.zeros(len(frames))).tolist()
        moved = [with_arms_ahead(rig, pose, angle) for pose, angle in zip(moved, arms, strict=True)]
        whole = sum((way.turned_at(frames) for way in self.ways), np.zeros((len(frames), 3)))
        moved = [with_body_turned(pose, turn) for pose, turn in zip(moved, whole, strict=True)]
        moved = [with_hips_turned(rig, pose, turn) for pose, turn in zip(moved, turned, strict=True)]
        return with_kicks(rig, self.kicks, moved, frames)

    def carried(self, joint: str, times: Sequence[int], targets: Array, way: Array, frames: Frames) -> Array:
        """The way (N, ...) of what is asked of a joint, going as the body does, as far as it goes along with that; a
        foot that steps or turns where it stands goes by itself. targets: (K, ...) metres, at `times`."""
        known, made = list(times), np.array(way, np.float64)
        if any(joint == turn.ankle for turn in self.turns):
            return made
        for each in self.ways:
            if {each.first, each.last} <= set(known) and not any(joint in swing.joints for swing in self.swings):
                start, end = (targets[known.index(frame)][:3] for frame in (each.first, each.last))
                made[:, :3] += each.share_of(end - start) * each.aside(frames)
        return made

    def along(
        self, joint: str, times: Sequence[int], targets: Array, way: Array, frames: Frames, rolls: bool = True
    ) -> Array:
        """The way (N, 3) of what is asked of a joint, stepping where its foot does.

        targets: (K, 3) metres, at `times`. rolls: whether it is the joint that is asked for, which goes as the foot
        rolls.
        """
        made = np.array(way, np.float64)
        for inside, turn in self._turning_on(joint, times, frames):
            made[inside] += turn.aside(frames[inside]) * rolls
        for inside, (start, end), swings in self._of(joint, times, targets, frames):
            share, turned = parts_done(swings, frames[inside]), turns_done(swings, frames[inside])
            if swings[0].rides:
                share = share_along(start, end, made[inside])
            if swings[0].path is not None:
                made[inside] = swings[0].place(start, end, frames[inside])
                if rolls:
                    made[inside] += moved_by_roll(swings, joint, turned, frames[inside])
                continue
            lifted = sum(swing.height * height_shares(swing.shares(frames[inside])) for swing in swings)
            made[inside] = place_on(swings[0].pivot, start, end, share, turned) + np.multiply.outer(lifted, UP)
            if swings[0].levels is not None and swings[-1].levels is not None:
                made[inside, 1] += levels_done(swings, frames[inside])
                made[inside, 1] -= share * (swings[-1].levels[1] - swings[0].levels[0])
            if rolls:
                made[inside] += moved_by_roll(swings, joint, turned, frames[inside])
        return made

    def turning(self, joint: str, times: Sequence[int], turns: Array, way: Array, frames: Frames) -> Array:
        """The turns (N, 3, 3) asked of a joint: a foot that steps turns in its steps, and not while it stands.

        turns: (K, 3, 3) what is asked of it at `times`. way: (N, 3, 3) the turns without steps.
        """
        made = np.array(way, np.float64)
        for inside, turn in self._turning_on(joint, times, frames):
            made[inside] = turn.turned(frames[inside])
        for inside, ends, swings in self._of(joint, times, turns, frames):
            if swings[0].rides:
                continue
            made[inside] = turns_on(swings[0].body, ends, turns_done(swings, frames[inside]))
            made[inside] = made[inside] @ pitched_by(pitches_of(swings, frames[inside]) * (joint == swings[0].ankle))
        return made

    def rolling(self, rig: Rig, effectors: Sequence[Effector], frame: int, base: Pose) -> tuple[Effector, ...]:
        """The effectors of a frame with feet turned as they roll, and hips held on their way. base: the frame's base
        pose, which has them there."""
        firm = firmly_turned(effectors, self.turns, frame)
        made, at = with_kicking_feet(firm, rig, self.kicks, frame, base), np.array([frame])
        for leg, limb in enumerate(LEGS):
            own = [swing for swing in self.swings if swing.leg == leg and swing.first < frame < swing.last]
            pitch = pitches_of(own, at)
            if own and own[0].roll is not None and (pitch[0] != 0.0 or own[0].levels is not None):
                flat = turns_on(own[0].body, own[0].roll.turns, turns_done(own, at))[0]
                foot, toes = (flat @ pitched_by(each)[0] for each in (pitch, np.minimum(pitch, 0.0)))
                moved = moved_by_roll(own, own[0].ankle, turns_done(own, at), at)[0]
                made = with_rolling_foot(held_by_ankle(made, rig, limb, flat, moved), rig, limb, foot, toes)
        now = [way for way in self.ways if way.lower is not None and way.first < frame < way.last]
        return with_hips_held(made, rig, base, min(way.hips_turned for way in now)) if now else made

    def _of(
        self, joint: str, times: Sequence[int], asked: Array, frames: Frames
    ) -> Iterator[tuple[NDArray[np.bool_], Array, list[Swing]]]:
        """Between each two keys: at which of the frames a foot's joint is there, what is asked of it at both, and its
        steps."""
        known = list(times)
        own = [swing for swing in self.swings if joint in swing.joints and {swing.first, swing.last} <= set(known)]
        for (first, last), swings in groupby(own, lambda swing: (swing.first, swing.last)):
            ends = asked[[known.index(first), known.index(last)]].astype(np.float64)
            if (inside := (frames > first) & (frames < last)).any():
                yield inside, ends, list(swings)

    def _turning_on(
        self, joint: str, times: Sequence[int], frames: Frames
    ) -> Iterator[tuple[NDArray[np.bool_], BallTurn]]:
        """At which of the frames an ankle turns about its ball, and how."""
        for turn in self.turns:
            inside = (frames > turn.first) & (frames < turn.last)
            if turn.ankle == joint and {turn.first, turn.last} <= set(times) and inside.any():
                yield inside, turn

    def inside(self, gap: Gap) -> bool:
        """Whether there are steps among the frames of a gap."""
        return any(gap.first <= swing.end and swing.start <= gap.last for swing in self.swings)

    def kicking(self, gap: Gap) -> bool:
        """Whether there are kicks among the frames of a gap."""
        return any(each.first <= gap.first and gap.last <= each.last for each in self.kicks)

    def standing(self, frame: int) -> tuple[float, ...] | None:
        """How much of each foot's standing on the floor is left at a frame, 0..1; None if no foot steps then."""
        left = [1.0] * len(LEGS)
        for swing in self.swings:
            if swing.levels is not None and swing.first < frame < swing.last:
                left[swing.leg] = 0.0  # it goes by its own ground
            elif swing.start < frame < swing.end:
                done = float(swing.shares(np.array([frame]))[0])
                left[swing.leg] = max(1.0 - 2.0 * float(np.sin(np.pi * done)) ** 2, 0.0)
        for each in self.kicks:
            if each.within(frame):
                left[each.leg] = 0.0  # it is asked for, also as it stands
        return tuple(left) if min(left) < 1.0 else None


NO_STEPS = Steps(())


def stepping(problem: IKProblem, left: tuple[float, ...]) -> IKProblem:
    """A problem with that much left of how each foot stands, 0..1, as some of them step."""
    stance = problem.stance
    if stance is None or stance.feet is None or len(stance.feet.shapes) != len(left):
        return problem
    return replace(problem, stance=replace(stance, feet=replace(stance.feet, shares=left)))


def _steps(
    rig: Rig,
    keys: Sequence[Key],
    both: tuple[Key, Key],
    worlds: tuple[WorldJoints, WorldJoints],
    fps: float,
    feet: Feet | None,
    ground: Ground | None,
) -> tuple[list[Swing], BodyWay | None]:
    """The steps from one of `keys` to the next, and how the body goes if it walks or jumps there."""
    (one, other), (before, after) = both, worlds
    ankles = [rig.joint(leg.end) for leg in LEGS]
    ways = after.positions[ankles].astype(np.float64) - before.positions[ankles]
    far = farness(rig, before, after)
    far[[rides(rig, leg, one, other) for leg in LEGS]] = 0.0
    stands = np.array([[stands_at(rig, leg, *at, ground) for at in zip(both, worlds, strict=True)] for leg in LEGS])
    if (seated := seated_steps(rig, both, worlds, far, ways, stands, fps)) is not None:
        return seated, None
    if not stands.all():
        own = int(stands[1].all())
        balls = np.array([world.positions[[rig.joint(leg.tip) for leg in LEGS]] for world in worlds])
        low = [is_low(place, ground) for place in balls[:, 1 - own]]
        if not stands[own].all() or sum(low) != 1 or abs(np.diff(balls[:, own, 1])[0]) > LEVEL_M:
            return [], None
        quick = any(kicks(rig, leg, *order) for leg in LEGS for order in (worlds, worlds[::-1]))
        return step_beside_lifted(rig, own, both, far, ways, fps, low[1], quick), None
    alone = far.min() <= LEAST_M
    if far.max() <= LEAST_M or (alone and far.max() > STRIDE * rig.leg_length):
        return [], None
    gap, paces = other.frame - one.frame, paces_of(rig.leg_length)
    if alone:
        return [swing_of(rig, int(np.argmax(far)), both, far, ways, fps)], None
    level = np.abs(ways[:, 1]).max() <= LEVEL_M
    turns = np.stack([before.rotations[0], after.rotations[0]]).astype(np.float64)
    turned, pivot, way = feet_turned(before.rotations[ankles], after.rotations[ankles], turn_of(turns)), None, None
    ends = np.stack([before.positions[0], after.positions[0]]).astype(np.float64)
    if np.linalg.norm(ways.sum(axis=0)) < ON_THE_SPOT * far.sum():
        first, aside, gone = int(turned < 0.0), True, each_eased(np.linspace(0.0, 1.0, gap + 1)).astype(np.float64)
        pivot = Pivot((before.positions[ankles] + after.positions[ankles]).mean(axis=0) / 2.0, turned)
    else:
        gone = _gone(keys, one, other, ways)
        pivot = bend(ends, turns)
        way = BodyWay(one.frame, other.frame, ends, gone, pivot)
        first, aside = _first(rig, before.positions.astype(np.float64), way.sets_out(ways.sum(axis=0)))
        arrival = Arrival(
            turns_where(ends, turns),
            sits_where(rig, ends, before.positions[ankles], after.positions[ankles]),
            first,
            aside,
        )
        if pivot is None and (arrival.turns or arrival.sits):
            walked = walk_with_arrival(rig, keys, both, worlds, arrival, way, fps)
            if walked[0] or arrival.sits:
                return walked
            return jump(rig, keys, both, worlds, way, feet, ground, fps)
        if ground is not None and not level and not arrival.sits:
            from app.document.over_time.climbs import climb  # only where there is something to step onto

            for some in (paces[:-1], paces[-1:]) if ways[:, 1].mean() < -RATHER_M else (paces,):
                climbed = climb(rig, keys, both, worlds, (first, aside), way, ground, fps, some)
                found = climbed if climbed[0] else jump(rig, keys, both, worlds, way, feet, ground, fps)
                if found[0]:
                    break
            return found
    longest = float(far.max()) * (pivot.longer if way and pivot else 1.0)
    for reach, turn, least_s, overlap in paces:
        steps = walk(first, max(longest / (reach * rig.leg_length), abs(turned) / turn), aside)
        if len(steps) > 2 and not level:
            continue
        if (1.0 - 2.0 * STILL / len(steps)) * gap >= len(steps) * least_s * fps:
            times = [wider(time, overlap) for time in times_of(steps, gone)]
            return [
                swing_of(rig, step.leg, both, far, ways, fps, step.end - step.start, time, len(steps) > 2)._replace(
                    pivot=pivot
                )
                for step, time in zip(steps, times, strict=True)
            ], way
    if not level:
        return [], None
    way = way or BodyWay(one.frame, other.frame, ends, gone, None)
    return jump(rig, keys, both, worlds, way, feet, ground, fps)


def _rolling(
    rig: Rig,
    steps: Sequence[Swing],
    worlds: tuple[WorldJoints, WorldJoints],
    feet: Feet | None,
    fps: float,
) -> Iterator[Swing]:
    """The steps with how their feet roll."""
    done = np.zeros((len(LEGS), 2))
    for swing in steps:
        leg, before = LEGS[swing.leg], done[swing.leg].copy()
        done[swing.leg] += swing.part, swing.turn
        places, turns = (
            np.array([each[rig.joint(leg.end)] for each in both], np.float64)
            for both in ([world.positions for world in worlds], [world.rotations for world in worlds])
        )
        if swing.path is not None or swing.flat or feet is None or not may_roll(feet, swing.leg, turns):
            yield swing
            continue
        at = np.stack([before, done[swing.leg]])
        way = np.diff(place_on(swing.pivot, places[0], places[1], at[:, 0], at[:, 1]), axis=0)[0] / rig.leg_length
        headed = heading(turns_on(swing.body, turns, at.mean(axis=0)[1:])[0])[:, 2]
        far, ahead = float(np.hypot(way[0], way[2])), float(way @ headed)
        down, up = amounts(far, ahead, abs(swing.rise) / rig.leg_length)
        times = times_with_roll(swing.start, swing.end, swing.first, swing.last, fps, goes_back(far, ahead))
        roll = Roll(feet.shapes[swing.leg], *times, down, up, turns)
        yield swing._replace(start=times.leaves, end=times.lands, roll=roll)


def _gone(keys: Sequence[Key], one: Key, other: Key, ways: Array) -> Array:
    """(N,) how much of its way the body has gone at each frame from one key to another, from 0 to 1 and rising."""
    frames = np.arange(one.frame, other.frame + 1)
    way = curve_through([key.frame for key in keys], np.stack([key.pose.root_position for key in keys]), frames)
    along = (way - way[0])[:, [0, 2]] @ ways.mean(axis=0)[[0, 2]]
    return np.asarray(np.maximum.accumulate(np.clip(along / max(along[-1], 1e-6), 0.0, 1.0)))


def _first(rig: Rig, places: Array, way: Array) -> tuple[int, bool]:
    """The index in `LEGS` of the foot that steps first, and whether they go sideways. places: (J, 3) metres; way: (3,)
    metres, of both in sum.

    Feet side by side: the one on the side that they go to. The other one would have to come past it, and legs cross.
    """
    hips, ankles = (places[[rig.joint(role) for role in roles]] for roles in (_HIPS, _ANKLES))
    ahead = np.cross(hips[0] - hips[1], UP)
    ahead /= max(float(np.linalg.norm(ahead)), 1e-9)
    aside, on = float(way @ np.cross(UP, ahead)), float(way @ ahead)
    lead = float((ankles[0] - ankles[1]) @ ahead) * np.sign(on)
    if abs(on) > abs(aside) and abs(lead) > BESIDE_M:
        return int(lead > 0.0), False
    return int(aside < 0.0), abs(on) <= abs(aside)
