"""A hand that is dragged over its owner's own leg finds the leg where it was: the body does not go away from it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from drags_with_hands_on_test import MET, Posed

from app.document import edits
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import poses_of, shelf_of
from app.document.model.figure import skeleton_of
from app.document.posing.contact_patches import contact_of, on_skin, own_limb, patches_of
from app.document.posing.create import new_document
from app.document.posing.sources import context_of
from solver.ik.multi_solve.self_ties import takes_hold_of_own_leg
from solver.resources import resource_folder

STAYS = 0.05  # metres


class Hugging(Posed):
    """Sits on the floor with the hands before the shins; nothing holds pelvis and feet."""

    def __init__(self, solver: str) -> None:
        super().__init__(solver)
        shelf = shelf_of(resource_folder("assets", "poses"))
        entry = next(each for each in shelf.entries if each.name == "Hug the knees")
        self.document = edits.chain(edits.set_solver("c1", solver), take_pose("c1", poses_of(entry), Taking()))(
            new_document()
        )

    def lay_right_hand(self, share: float) -> None:
        """The right palm onto the outside of the left shin, that share of the way from knee to ankle."""
        person, places = self.document.characters[0], self.places()
        index = skeleton_of(person).index
        knee, ankle = places[index("left_knee")], places[index("left_ankle")]
        arms = [j for joint in ("left_wrist", "right_wrist") for j in own_limb(person, joint)]
        source, place, normal = on_skin(person, knee + share * (ankle - knee) + [0.06, 0.02, 0.05], arms)
        palm = replace(contact_of(patches_of(person)["right_palm"], place, normal), source=source)
        held = [e.id for e in person.effectors if e.kind == "contact"]
        self.edit(edits.hold("c1", replace(palm, id=held[0] if held else palm.id), instead_of=held[0] if held else ""))

    def moved(self, before: np.ndarray) -> float:
        """Metres that pelvis or ankles have gone, at most."""
        kept = [skeleton_of(self.document.characters[0]).index(n) for n in ("pelvis", "left_ankle", "right_ankle")]
        return float(np.linalg.norm((self.places() - before)[kept], axis=1).max())


@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_pelvis_and_feet_stay_while_a_hand_takes_hold_of_the_other_shin(solver: str) -> None:
    posed = Hugging(solver)
    before = posed.places()
    posed.lay_right_hand(0.4)
    assert posed.held() < MET
    assert posed.moved(before) < STAYS


def test_a_hand_that_lies_where_it_lay_does_not_take_hold_anew() -> None:
    posed = Hugging("dls")
    posed.lay_right_hand(0.5)
    lies = posed.document.characters[0].effectors
    posed.lay_right_hand(0.6)
    slid = posed.document.characters[0].effectors
    context = context_of(posed.document)
    assert takes_hold_of_own_leg("c1", lies, (), context)
    assert takes_hold_of_own_leg("c1", slid, lies, context)
    assert not takes_hold_of_own_leg("c1", slid, slid, context)
