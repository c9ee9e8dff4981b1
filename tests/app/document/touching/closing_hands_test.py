"""The edit that closes hands on what they hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import body_of, joints_of
from app.document.posing.create import new_document
from solver.body.finger_chain import bent_points, hand_frame
from solver.body.hands import relaxed_hands
from solver.contact.solids import Solid, SolidForm
from solver.errors import PoserError


def ball_in(side: int) -> tuple[Document, Solid]:
    """A new document, and a ball in a hand of its person."""
    document = new_document()
    character = document.characters[0]
    body = body_of(character)
    frame = hand_frame(body, character.shape, joints_of(character), side)
    knuckles = bent_points(body, character.shape, relaxed_hands())[side, 1:, 0].mean(axis=0)
    place = frame.to_world(knuckles - [0, 0.045, 0]).astype(np.float32)
    return document, Solid(SolidForm.BALL, np.full(3, 0.06, np.float32), place)


@pytest.mark.parametrize("side", [0, 1])
def test_a_hand_closes_and_the_other_one_stays(side: int) -> None:
    document, ball = ball_in(side)
    id = document.characters[0].id
    after = edits.close_hands(id, (ball,), (0, 1))(document)
    hands = after.characters[0].hands
    assert hands is not None
    assert hands != relaxed_hands()
    assert hands.mixed(relaxed_hands(), 1.0, (side,)) == relaxed_hands()
    assert after.characters[0].pose == document.characters[0].pose


def test_hands_at_rest_close_as_well() -> None:
    document, ball = ball_in(0)
    bare = document.with_character(replace(document.characters[0], hands=None))
    assert edits.close_hands(bare.characters[0].id, (ball,), (0,))(bare).characters[0].hands is not None


@pytest.mark.parametrize(("sides", "says"), [((1,), "The right hand holds nothing"), ((0, 1), "Neither hand holds")])
def test_a_person_holding_nothing_is_told_what_to_do(sides: tuple[int, ...], says: str) -> None:
    document, ball = ball_in(0)
    solids = () if len(sides) == 2 else (ball,)
    with pytest.raises(PoserError, match=says) as refused:
        edits.close_hands(document.characters[0].id, solids, sides)(document)
    assert "palm" in str(refused.value)
