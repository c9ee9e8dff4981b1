"""From a character's options to how its solver makes it stand and look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from solver.body.catalog import load_body
from solver.ik.options import BALANCE, LEFT_FOOT, RIGHT_FOOT, SOLID_FLOOR, Options

if TYPE_CHECKING:
    from app.document.model.document import Character
    from app.document.model.prop import Prop
    from solver.body.body import Body, BodyShape
    from solver.body.hands import Hands
    from solver.contact.feet import Feet, FootStand
    from solver.contact.weight_shift import Balancing
    from solver.ik.stance.stance import Stance


def stance_of(body: Body, shape: BodyShape, hands: Hands | None, options: Options) -> Stance:
    """How a body stands and looks with these options.

    Raises InputRefused where the embedded body's file of contact vertices is needed and cannot be read.
    """
    from solver.ik.stance.stance import Stance

    return Stance(True, _feet_of(body, shape, options), _balancing_of(body, shape, hands, options))


def standing_on(stance: Stance, character: Character, props: Sequence[Prop]) -> Stance:
    """The stance of somebody whose feet stand on the level tops of props, where they are asked to be above these."""
    from solver.ik.limp.underfoot import feet_on_things
    from solver.kinematics.fk import forward_kinematics

    skeleton = load_body(character.body).skeleton(character.shape)
    base, things = forward_kinematics(skeleton, character.base_pose), [s for prop in props for s in prop.solids()]
    feet = stance.feet and feet_on_things(stance.feet, skeleton, character.effectors, base, things)
    return replace(stance, feet=feet)


def _feet_of(body: Body, shape: BodyShape, options: Options) -> Feet | None:
    if not SOLID_FLOOR.of(options):
        return None
    from solver.contact.feet import Feet, foot_shapes
    from solver.contact.floor_points import floor_points

    stands = [cast("FootStand", option.of(options)) for option in (LEFT_FOOT, RIGHT_FOOT)]
    if stands == ["free", "free"]:
        return None
    # Feet are the same however the fingers are held.
    return Feet(foot_shapes(floor_points(body, shape), body.skeleton(shape)), tuple(stands))


def _balancing_of(body: Body, shape: BodyShape, hands: Hands | None, options: Options) -> Balancing | None:
    how = BALANCE.of(options)
    if how == "off":
        return None
    from solver.contact.balance import mass_shares
    from solver.contact.floor_points import floor_points
    from solver.contact.weight_shift import Balancing

    return Balancing(floor_points(body, shape, hands), mass_shares(body, shape), how == "strict")
