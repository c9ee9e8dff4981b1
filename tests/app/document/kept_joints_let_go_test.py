"""Which kept joints have let go is said of whoever is posed by a solver that holds them, and of nobody else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from document_samples import only

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.posing.create import new_document
from app.document.posing.fitting_effectors import new_effector
from app.document.posing.modes import off_their_places
from solver.body.catalog import fitted_body_id
from solver.ik.options import PROPOSAL_ALONE
from solver.ik.preserve_modes import PLACE_FREEZE
from solver.rig.roles import ARMS

WRIST = "left_wrist"


def pulled(document: Document, solver: str = "skelik", metres: float = 0.9) -> Document:
    """Somebody whose chest is asked for ahead, over feet that may go along; not solved."""
    person = only(document)
    chest = new_effector(person, "position", skeleton_of(person).names[9])
    ahead = replace(chest, target=chest.target + np.float32([0.0, 0.0, metres]))
    alone = replace(person, effectors=(ahead,), solver=solver)
    return document.with_character(alone)


def keeping(solver: str = "skelik", metres: float = 0.9) -> Document:
    return edits.solve("c1")(edits.keep_place("c1", [WRIST], True)(pulled(new_document(), solver, metres)))


def test_a_kept_hand_that_lets_go_is_told_and_one_that_stays_is_not() -> None:
    assert off_their_places(only(edits.solve("c1")(pulled(new_document())))) == ()
    (told,) = off_their_places(only(keeping()))
    assert told.joint == WRIST
    assert off_their_places(only(keeping(metres=0.05))) == ()


@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_of_a_solver_that_holds_no_places_nothing_is_told(solver: str) -> None:
    assert off_their_places(only(keeping(solver))) == ()


def test_of_a_network_alone_nothing_is_told() -> None:
    alone = edits.set_solver_option("c1", PROPOSAL_ALONE.id, True)(keeping())
    assert off_their_places(only(alone)) == ()


def test_between_keys_nothing_is_told() -> None:
    longer = edits.set_clip_length("c1", 20)(keeping())
    assert off_their_places(only(longer))
    assert off_their_places(only(longer.at_frame("c1", 10))) == ()


def test_where_all_is_kept_pelvis_and_head_may_go_along_without_a_word() -> None:
    whole = edits.solve("c1")(edits.set_preserve_mode("c1", PLACE_FREEZE)(pulled(new_document())))
    told = {each.joint for each in off_their_places(only(whole))}
    assert {"left_wrist", "right_wrist"} <= told
    assert told.isdisjoint({"pelvis", "head"})


def test_of_a_body_that_lacks_joints_it_is_told_as_well() -> None:
    document = new_document()
    person = only(document)
    hands = tuple(arm.tip for arm in ARMS)
    body = fitted_body_id(skeleton_of(person).rest_positions, person.shape, None, hands)
    lacking = document.with_character(replace(person, body=body))
    kept = edits.solve("c1")(edits.keep_place("c1", [WRIST], True)(pulled(lacking)))
    assert [each.joint for each in off_their_places(only(kept))] == [WRIST]
