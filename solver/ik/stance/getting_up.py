"""Feet of somebody who gets up from the knees roll over their toes, and come to stand where they lay on their backs.

A shin that rises takes a foot on its back along, whose toes cannot go through the floor. With the ankle held where it
is, the foot would turn inside out, and at last all at once, with trunk and arms. So heels rise over the toes, as
people's do, and come down where the ankles were, by and by as the pelvis is asked to be further from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from solver.contact.feet import Feet, FootShape
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.effectors.kinds import Position
from solver.ik.stance.footing import laid_softly
from solver.ik.stance.leans import Lean, Strength, joints_with, strict_places
from solver.kinematics.curves import eased
from solver.kinematics.fk import WorldJoints
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.rig import rig_of
from solver.rig.roles import Role

Array = NDArray[np.float64]
RISES = np.radians([0.0, 60.0])  # of a shin, from how the base pose has it: between these its foot rolls over
STRETCHED = 0.88, 0.98  # of the length of a leg: from the first it begins to be so, by the second it is
PULLED = 0.95, 1.25  # likewise, how far the hip is asked to be: meanwhile a raised heel comes down
BELOW_HEAD, BELOW_HEAD_M = Strength(1e3, 30.0), 0.1  # metres that a pelvis has risen below a head as it leans firmly
HALVINGS = 10  # of the range in which the share is that a foot has rolled over


@memoised(16, by_identity=True)  # called with the same arguments in every solve of a drag of something else
def with_feet_rolled(
    skeleton: Skeleton,
    effectors: tuple[Effector, ...],
    feet: Feet,
    base: WorldJoints,
    wanted: tuple[Effector, ...],
) -> tuple[Effector, ...]:
    """The effectors with feet that lie on their backs turned, and their ankles raised, as far as the pelvis is asked to
    rise above them; the effectors themselves if nothing asks it to.

    base: of the base pose. wanted: effectors that ask for the pelvis where the user does, perhaps beyond reach.
    """
    placed, pulled = strict_places(skeleton, effectors), strict_places(skeleton, wanted)
    if 0 not in placed or 0 not in pulled:
        return effectors
    beyond = pulled[0].target.astype(np.float64) - placed[0].target
    made = list(effectors)
    for shape, stand, _ in feet.each():
        turn, place = laid_softly(skeleton, effectors, shape, base), placed.get(shape.ankle)
        if turn is None or place is None or place.pinned or stand != "auto":
            continue
        share = _rolled(skeleton, base, shape, placed, turn.target.astype(np.float64), beyond)
        if share <= 0.0:
            continue
        target = place.target.astype(np.float64)
        foot, target[1] = shape.rolled_over(turn.target.astype(np.float64), share, float(target[1]))
        made[effectors.index(place)] = replace(place, target=target.astype(np.float32))
        made[effectors.index(turn)] = replace(turn, target=foot.astype(np.float32))
    return effectors if all(a is b for a, b in zip(made, effectors, strict=True)) else tuple(made)


@memoised(16, by_identity=True)  # called before a solve and after it with the same arguments
def with_pelvis_pulled(
    skeleton: Skeleton, effectors: tuple[Effector, ...], base: WorldJoints
) -> tuple[Effector, ...] | None:
    """The effectors, and last of all one for the place to which a head that is pulled up takes the pelvis along; None
    if it takes it nowhere, or if a place or turn of the pelvis itself is asked. base: of the base pose."""
    placed = strict_places(skeleton, effectors)
    heads = [] if 0 in placed else [j for j in joints_with(rig_of(skeleton), (Role.HEAD,)) if j in placed]
    if not heads or any(e.is_active and skeleton.index(e.joint) == 0 for e in effectors):
        return None
    pelvis, head = base.positions[0].astype(np.float64), placed[heads[0]].target.astype(np.float64)
    way, length = pelvis - head, float(np.linalg.norm(base.positions[heads[0]] - pelvis))
    far = float(np.linalg.norm(way))
    if head[1] <= pelvis[1] or far <= length:
        return None
    place = (head + way * (length / far)).astype(np.float32)
    return (*effectors, Position(skeleton.names[0], place))


def pelvis_leans(effectors: Sequence[Effector], base: WorldJoints) -> tuple[Lean, ...]:
    """A lean of the pelvis to where the last of the effectors of `with_pelvis_pulled` asks for it: elsewhere, it would
    come there at once as feet that roll over become firm. base: of the base pose."""
    pelvis = cast(PointEffector, effectors[-1])
    risen = float(np.linalg.norm(pelvis.target - base.positions[0])) / BELOW_HEAD_M
    return (Lean(pelvis, BELOW_HEAD.times(eased(risen))),) if risen > 0.0 else ()


def _rolled(
    skeleton: Skeleton,
    base: WorldJoints,
    shape: FootShape,
    placed: Mapping[int, PointEffector],
    turn: Array,
    beyond: Array,
) -> float:
    """How far over a foot is, 0..1, with the pelvis where it is asked to be.

    Of a leg that is all but stretched, a little more of the way makes the shin much steeper, which would throw its foot
    over. There the ankle counts as high as it then is, which takes most of that back. Its heel comes down as the pelvis
    is asked further away than the leg reaches: any sooner, it would take the knee along, which has far to go.
    turn: (3, 3) as the foot is asked to lie. beyond: (3,) metres, from where the pelvis is looked for to where it is
    asked.
    """
    knee = skeleton.parents[shape.ankle]
    hip = skeleton.parents[knee]
    was, low = base.positions.astype(np.float64), placed[shape.ankle].target.astype(np.float64)
    thigh, shin = (float(np.linalg.norm(skeleton.offsets[j])) for j in (knee, shape.ankle))
    before = _rise(was[hip] - was[shape.ankle], thigh, shin)
    leg = placed[0].target + was[hip] - was[0] - low

    def over(share: float) -> float:
        raised = shape.raised_over(turn, share, float(low[1])) - low[1] if share > 0.0 else 0.0
        least, most = RISES
        return eased((_rise(leg - [0.0, raised, 0.0], thigh, shin) - before - least) / (most - least))

    free, (least, whole) = over(0.0), STRETCHED
    stretched = eased((float(np.linalg.norm(leg)) / (thigh + shin) - least) / (whole - least))
    least, whole = PULLED
    pulled = eased((float(np.linalg.norm(leg + beyond)) / (thigh + shin) - least) / (whole - least))
    counts = stretched * (1.0 - eased(2.0 * free - 1.0) * pulled)
    if free <= 0.0 or counts <= 0.0:
        return free
    least, most = 0.0, free
    for _ in range(HALVINGS):
        half = 0.5 * (least + most)
        least, most = (half, most) if over(half) > half else (least, half)
    return free + (most - free) * counts


def _rise(leg: Array, thigh: float, shin: float) -> float:
    """Radians by which a shin rises from its ankle, with the knee ahead. leg: (3,) metres from ankle to hip. thigh,
    shin: metres."""
    length = max(float(np.linalg.norm(leg)), 1e-6)
    bend = (shin**2 + length**2 - thigh**2) / (2.0 * shin * length)
    return float(np.arcsin(np.clip(leg[1] / length, -1.0, 1.0)) - np.arccos(np.clip(bend, -1.0, 1.0)))
