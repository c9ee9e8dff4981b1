"""The surfaces that contacts touch: people's skins, and props; and hands on the edges of flat ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from app.document.model.document import Character, Document
from app.document.model.figure import skeleton_of
from app.document.model.prop import KINDS
from solver.body.catalog import load_body
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.resolve import Prop
from solver.effectors.skin import Skin
from solver.effectors.sources import SkinSource
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import geodesic_angle
from solver.values import changed

if TYPE_CHECKING:
    from solver.contact.fingertips.thumb_and_fingers import Spans
    from solver.ik.stance.leans import Lean


def skins_of(characters: Sequence[Character]) -> Mapping[str, Skin]:
    """By id, the skins of people that some effector of these characters touches."""
    touched = {e.source.character for c in characters for e in c.effectors if isinstance(e.source, SkinSource)}
    if not touched:
        return {}
    from solver.contact.skins import skin  # not needed to show the window

    return {c.id: skin(load_body(c.body), c.shape, c.hands) for c in characters if c.id in touched}


def props_of(document: Document) -> Mapping[str, Prop]:
    """The document's props, by their ids."""
    return {prop.id: Prop(prop.middle, prop.turn, prop.size, KINDS[prop.kind].has_axis) for prop in document.props}


def with_square_hands(
    problem: IKProblem, person: Character, props: Mapping[str, Prop], shown: Pose, share: float | None = None
) -> IKProblem:
    """The problem with hands that hold flat things about square to their edges, if any does. shown: the pose that the
    solve goes on from. share: of how firmly they keep so, as in `square_hand_leans`."""
    leans = _square_hands(person, problem.effectors, props, shown, share)
    return changed(problem, leans=problem.leans + leans) if leans else problem


def off_square(person: Character, props: Mapping[str, Prop], pose: Pose) -> float | None:
    """Radians that a hand on something flat is turned, in a pose, beyond what is about square to its edge; None where
    no hand is on such a thing."""
    world = forward_kinematics(skeleton_of(person), pose).rotations
    leans = (lean.effector for lean in _square_hands(person, person.effectors, props, pose))
    asked = ((each, skeleton_of(person).index(each.joint)) for each in leans)
    return max((float(geodesic_angle(each.target, world[j])) for each, j in asked), default=None)


def _square_hands(
    person: Character, effectors: Sequence[Effector], props: Mapping[str, Prop], shown: Pose, share: float | None = None
) -> tuple[Lean, ...]:
    if not any(isinstance(e, Contact) and e.around for e in effectors):
        return ()
    from app.document.posing.contact_patches import patches_of
    from solver.ik.stance.square_hands import square_hand_leans

    def spans(patch: str) -> Spans | None:
        found = patches_of(person).get(patch)
        return None if found is None else found.spans

    return square_hand_leans(skeleton_of(person), spans, effectors, props, shown, share)
