"""Who is pressed down onto a box or a chair by the pelvis goes no deeper than flesh gives, and stays as upright.

Where the flesh of a seat gives no more, a search would find what is left of the way by turning the pelvis, which is
rounder elsewhere: by tens of degrees for a centimetre, with trunk and head. So the pelvis is looked for no deeper in
things than its flesh may be, turned as it is shown, and leans to that turn. Along their surfaces it may go, as far as
legs reach from there: a place within their reach that is deeper in the seat would turn it just as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.effectors.kinds import Rotation
from solver.ik.stance.hips import leg_lines
from solver.ik.stance.leans import Lean, Strength, asked_at, strict_places
from solver.ik.stance.reach import HARDLY_TURNS_FOR, pelvis_to_place, within_reach
from solver.kinematics.curves import eased
from solver.kinematics.fk import WorldJoints
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised

if TYPE_CHECKING:
    from solver.contact.obstacles import Obstacles
    from solver.contact.solid_body import SolidBody
    from solver.contact.solids import Solid

Array = NDArray[np.float64]
STEP_M, MOST = 0.01, 40  # metres of the way into a thing after each of which flesh is brought out; how many such steps
ROUNDS, OUT_M = 4, 1e-4  # of bringing it out; metres by which it may still be too deep
GOES = 0.2  # the least that counts of how far flesh goes with the pelvis
REACHES = 4  # rounds of bringing a place within reach of the legs and out of things in turn
KEPT = Strength(3e3, 3e3)  # how the pelvis leans to its turn,
FIRMLY = 0.02  # wholly where flesh gives way by so many metres
BESIDE = np.concatenate([np.eye(3), -np.eye(3)]) * 1e-4  # metres, to places whose distances say which way is out


class Pressed(NamedTuple):
    """Effectors with the pelvis where it can be, and how much it is pressed onto something there, 0..1."""

    effectors: tuple[Effector, ...]
    share: float = 0.0


class _Flesh(NamedTuple):
    """What lies on T things. places: (N, 3) metres. room: (T, N) metres that each has to be off each thing, negative
    for what may be within. goes: (N,) how far each goes with the pelvis, of a thigh the less, the nearer to the knee.
    """

    things: Sequence[Solid]
    places: Array
    room: Array
    goes: Array

    def deepest(self, by: Array) -> tuple[float, int, Solid]:
        """Metres that any of it is too deep once the pelvis has gone by (3,), the most; which it is, and in what."""
        places = self.places + self.goes[:, None] * by
        depths = self.room - [thing.distances(places) for thing in self.things]
        thing, which = np.unravel_index(int(depths.argmax()), depths.shape)
        return float(depths[thing, which]), int(which), self.things[int(thing)]

    def brought_out(self, by: Array) -> Array:
        """(3,) a way of the pelvis, and from its end out to where nothing is too deep."""
        for _ in range(ROUNDS):
            depth, which, thing = self.deepest(by)
            if depth <= OUT_M:
                break
            gaps = thing.distances(self.places[which] + self.goes[which] * by + BESIDE)
            out = gaps[:3] - gaps[3:]
            by = by + out * (depth / max(float(np.linalg.norm(out)), 1e-12) / max(self.goes[which], GOES))
        return by


@memoised(16, by_identity=True)  # called before a solve and after it with the same arguments
def no_deeper_than_flesh(
    skeleton: Skeleton, effectors: tuple[Effector, ...], obstacles: Obstacles, shown: WorldJoints
) -> tuple[Effector, ...]:
    """The effectors of somebody whose seat is in something, with the pelvis no deeper than its flesh may be; the
    effectors themselves if it is not asked to be, or if it is pinned, or asked to turn. shown: the joints as shown."""
    pelvis = pelvis_to_place(skeleton, effectors)
    if pelvis is None:
        return effectors
    seats = [touch for touch in obstacles.touches if touch.joint == 0 and touch.depths]
    lain_on = [(obstacles.support_things[n], dict(touch.depths)) for touch in seats for n in sorted(touch.things)]
    if not lain_on:
        return effectors
    flesh = _flesh(skeleton, obstacles.body, shown, lain_on)
    was = shown.positions[0].astype(np.float64)
    way, by = pelvis.target - was, np.zeros(3)
    if flesh.deepest(way)[0] <= OUT_M:
        return effectors
    steps = int(np.clip(np.ceil(np.linalg.norm(way) / STEP_M), 1, MOST))
    for _ in range(steps):
        by = flesh.brought_out(by + way / steps)
    return asked_at(effectors, pelvis, was + by)


@memoised(16, by_identity=True)
def pressed_within_reach(
    skeleton: Skeleton,
    effectors: tuple[Effector, ...],
    base: WorldJoints,
    obstacles: Obstacles,
    shown: WorldJoints,
    turns_for: float | None,
) -> Pressed:
    """The effectors with the pelvis no further away than legs reach, the more out of things the deeper it would be.

    base, turns_for: as for `within_reach`; None where reach does not count. shown: the joints as shown.
    """
    near = effectors if turns_for is None else within_reach(skeleton, effectors, base, turns_for)
    told = no_deeper_than_flesh(skeleton, effectors, obstacles, shown)
    share = pressed_by(skeleton, effectors, told)
    if near is not effectors:
        share = max(share, pressed_by(skeleton, near, no_deeper_than_flesh(skeleton, near, obstacles, shown)))
    if share <= 0.0:
        return Pressed(near)
    for _ in range(0 if turns_for is None else REACHES):
        nearer = within_reach(skeleton, told, base, HARDLY_TURNS_FOR)
        if nearer is told:
            break
        told = no_deeper_than_flesh(skeleton, nearer, obstacles, shown)
        if told is nearer:
            break
    before, out = (strict_places(skeleton, some)[0] for some in (near, told))
    return Pressed(asked_at(near, before, before.target + share * (out.target - before.target)), share)


def pressed_by(skeleton: Skeleton, asked: tuple[Effector, ...], outside: tuple[Effector, ...]) -> float:
    """How much somebody is pressed onto something, 0..1. outside: those asked for, by `no_deeper_than_flesh`."""
    if outside is asked:
        return 0.0
    off = strict_places(skeleton, asked)[0].target - strict_places(skeleton, outside)[0].target
    return eased(float(np.linalg.norm(off)) / FIRMLY)


def pressed_turn(skeleton: Skeleton, share: float, shown: WorldJoints) -> tuple[Lean, ...]:
    """A lean of the pelvis of who is pressed onto something, by that share, to how it is turned as it is shown."""
    return (Lean(Rotation(skeleton.names[0], shown.rotations[0]), KEPT.times(share)),) if share > 0.0 else ()


def _flesh(
    skeleton: Skeleton, body: SolidBody, shown: WorldJoints, lain_on: Sequence[tuple[Solid, Mapping[int, float]]]
) -> _Flesh:
    """The flesh that lies on these things, each with the metres that it may be within it, by the joint it is of. A
    thigh that has just come off counts as well, or its owner would drop onto it at once."""
    lines = [line for line in leg_lines(skeleton) if len(line) > 1]
    bears = {0, *(line[0] for line in lines)}.union(*(depths for _, depths in lain_on))
    own = np.flatnonzero(body.leading & np.isin(body.joints, sorted(bears)))
    joints, places = body.joints[own], body.placed(shown)[own, :3]
    within = np.array([[depths.get(j, 0.0) for j in joints.tolist()] for _, depths in lain_on])
    goes = np.ones(len(own))
    for line in lines:
        start, end = shown.positions[list(line[:2])].astype(np.float64)
        along = (places - start) @ (end - start) / float((end - start) @ (end - start))
        goes = np.where(joints == line[0], 1.0 - np.clip(along, 0.0, 1.0), goes)
    return _Flesh(tuple(thing for thing, _ in lain_on), places, body.balls[own, 3] - within, goes)
