"""Feet whose toes are turned up roll on their heels: an ankle that stands gives way to the ball of the foot.

Held strictly where it stands, the ankle would press the heel into the floor as the toes go up about it, and the ball
would be missed. So it goes with the heel, as it does with the ball of the foot when the heel rises.

A leg above such a foot gets straight, and then is stiff: a pelvis that is taken down would tilt above it, with trunk
and arms, until its knee bent all at once. So the knee is led ahead as the hip begins to come nearer to the ankle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.contact.feet import Feet, FootShape
from solver.effectors.effector import Effector
from solver.effectors.form_ids import TURN
from solver.effectors.forms import PointEffector
from solver.effectors.kinds import Position
from solver.ik.stance.leans import Lean, Strength, strict_places
from solver.ik.stance.stretched_legs import stretched_legs
from solver.kinematics.curves import eased, eased_between
from solver.kinematics.fk import WorldJoints
from solver.kinematics.rotations import interpolate
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.level_feet import heading
from solver.rig.roles import LEGS

LED = Strength(300.0, 6.0)  # of a knee that has to begin to bend; more firmly it would go on as no hip does
TOES_UP = 0.02  # metres that a ball of the foot is asked higher than with the sole flat, by which its knee is led
# Metres by which a leg is shorter than straight: by the first its knee is led firmly, and by the last all the way
# ahead; between the others it is let go of.
FIRMLY, BENT, EVENLY = 0.01, (0.015, 0.03), 0.04
LIFTED = 0.0, 0.03  # metres that both ankles rise: by the second a network is not told how their feet roll


@memoised(16, by_identity=True)  # called before a solve and after it with the same arguments
def with_heels_rolled(
    skeleton: Skeleton, effectors: tuple[Effector, ...], feet: Feet, base: WorldJoints
) -> tuple[Effector, ...]:
    """The effectors with ankles where their heels have rolled to, and feet softly turned so, while balls of feet are
    asked to be higher than with the soles flat; the effectors themselves if no ball is.

    A pinned ankle stays, and so does one of a foot whose turn is asked strictly. base: of the base pose.
    """
    made = list(effectors)
    for shape, ankle, ball, turns in _balls_asked(skeleton, effectors, feet):
        rolled = shape.heel.rolled(*_asked(shape, ankle, ball, turns, base))
        if rolled is None:
            continue
        made[effectors.index(ankle)] = replace(ankle, target=rolled.ankle.astype(np.float32))
        for each in turns:
            made[effectors.index(each)] = replace(each, target=rolled.foot.astype(np.float32))
    return effectors if all(a is b for a, b in zip(made, effectors, strict=True)) else tuple(made)


def knees_ahead(skeleton: Skeleton, effectors: tuple[Effector, ...], feet: Feet, base: WorldJoints) -> tuple[Lean, ...]:
    """Leans of knees of legs that were stretched and whose toes are turned up, to where they begin to bend ahead below
    a pelvis that is asked to be somewhere. base: of the base pose."""
    pelvis, leans = strict_places(skeleton, effectors).get(0), list[Lean]()
    if pelvis is None:
        return ()
    asked = {skeleton.index(e.joint) for e in effectors if e.is_active}
    legs = {leg.ankle: leg for leg in stretched_legs(skeleton, base) if leg.knee not in asked}
    for shape, ankle, ball, turns in _balls_asked(skeleton, effectors, feet):
        leg = legs.get(shape.ankle)
        if leg is None or not shape.heel.stands(*_asked(shape, ankle, ball, turns, base)):
            continue
        hip = pelvis.target + base.rotations[0].astype(np.float64) @ skeleton.offsets[leg.hip]
        bent, lengths = leg.bent(hip[None], ankle.target)
        shorter = leg.thigh + leg.shin - float(lengths[0])
        up = float(ball.target[1]) - shape.heel.height_of_ball(float(ankle.target[1]))
        share = eased(up / TOES_UP) * eased(shorter / FIRMLY) * (1.0 - eased_between(shorter, *BENT))
        if share > 0.0:
            straight = hip + (ankle.target - hip) * (leg.thigh / (leg.thigh + leg.shin))
            place = straight + (bent[0] - straight) * min(shorter / EVENLY, 1.0)
            leans.append(Lean(Position(skeleton.names[leg.knee], place.astype(np.float32)), LED.times(share)))
    return tuple(leans)


@memoised(16, by_identity=True)
def without_turned_up(
    skeleton: Skeleton, effectors: tuple[Effector, ...], feet: Feet, base: WorldJoints
) -> tuple[Effector, ...]:
    """The effectors with feet that stand flat, and no balls of theirs: of toes that are turned up a network makes
    another posture with each step, though the rest of the body has no part in it. The effectors themselves if no ball
    of a foot that stands is asked. base: of the base pose."""
    made = list(effectors)
    for shape, ankle, ball, turns in _balls_asked(skeleton, effectors, feet):
        if not shape.heel.stands(*_asked(shape, ankle, ball, turns, base)):
            continue
        made[effectors.index(ball)] = replace(ball, enabled=False)
        for each in turns:
            level = heading(each.target.astype(np.float64))
            made[effectors.index(each)] = replace(each, target=level.astype(np.float32))
    return effectors if all(a is b for a, b in zip(made, effectors, strict=True)) else tuple(made)


@memoised(16, by_identity=True)
def with_lifted_feet_as_posed(
    skeleton: Skeleton, effectors: tuple[Effector, ...], feet: Feet, base: WorldJoints
) -> tuple[Effector, ...]:
    """The effectors with soft turns of both feet as the base pose has them, the more, the further both ankles are asked
    above where it has them: of feet that roll as they leave the floor together a network makes somebody who crouches on
    their toes. The effectors themselves if one of them stays. base: of the base pose."""
    placed, made = strict_places(skeleton, effectors), list(effectors)
    ankles = [shape.ankle for shape, _, _ in feet.each()]
    if len(ankles) < len(LEGS) or not placed.keys() >= set(ankles):
        return effectors
    share = eased_between(min(float(placed[j].target[1] - base.positions[j][1]) for j in ankles), *LIFTED)
    if share <= 0.0:
        return effectors
    for at, each in enumerate(effectors):
        ankle = skeleton.index(each.joint)
        if each.is_active and each.form == TURN and not each.is_strict and ankle in ankles:
            turn = interpolate(each.target, base.rotations[ankle], share)
            made[at] = replace(each, target=turn.astype(np.float32))
    return tuple(made)


def _asked(
    shape: FootShape, ankle: Effector, ball: Effector, turns: Sequence[Effector], base: WorldJoints
) -> tuple[NDArray[np.float64], ...]:
    """Where an ankle and a ball are asked to be, and how the foot is to be turned, or is in the base pose."""
    turn = turns[0].target if turns else base.rotations[shape.ankle]
    return tuple(each.astype(np.float64) for each in (ankle.target, ball.target, turn))


def _balls_asked(
    skeleton: Skeleton, effectors: tuple[Effector, ...], feet: Feet
) -> Iterator[tuple[FootShape, PointEffector, PointEffector, list[Effector]]]:
    """Of each foot of which both places are asked strictly, and no turn is: its shape, what asks for the ankle, unless
    that is pinned, and for the ball, and its soft turns."""
    placed = strict_places(skeleton, effectors)
    for shape, _, _ in feet.each():
        ankle, ball = placed.get(shape.ankle), placed.get(shape.ball)
        if ankle is None or ball is None or ankle.pinned:
            continue
        turns = [e for e in effectors if e.is_active and e.form == TURN and e.joint == ankle.joint]
        if not any(e.is_strict for e in turns):
            yield shape, ankle, ball, turns
