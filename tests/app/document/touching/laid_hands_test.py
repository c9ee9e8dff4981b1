"""A hand on its owner's own skin lies on what stands out beneath all of it, with no fingers in the flesh."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document.model.figure import body_of
from app.document.posing.contact_patches import patches_of
from scripts.contacts.own_palms import PALM, laid
from scripts.drags.contact_depths import FIRST
from solver.body.body import mean_shape
from solver.body.catalog import load_body
from solver.contact.laid_hands import with_hands_laid
from solver.contact.vertices import contact_vertices, touchable_vertices
from solver.effectors.contact import Contact
from solver.effectors.sources import FloorSource
from solver.rig.roles import Role


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["dls", "smplik"])
@pytest.mark.parametrize("body", ["neutral", "tall"])
def test_a_palm_on_the_breastbone_has_no_fingers_in_the_breast(body: str, solver: str) -> None:
    found, document = laid(body, solver, "breastbone", 2)
    assert found.hand[0] < 0.01, "metres; 0.04 and more by the skin of the bone alone"
    assert found.gap[0] < 0.005, "it touches"
    assert found.off[0] < 1e-3
    person = document.character(FIRST)
    (palm,) = (e for e in person.effectors if isinstance(e, Contact) and e.patch == PALM)
    usual = patches_of(person)[PALM]
    assert np.linalg.norm(palm.offset - usual.middle) > 0.002 or palm.normal @ usual.normal < 0.99
    build = body_of(person), person.shape, person.hands, person.pose
    assert with_hands_laid(person.effectors, FIRST, *build) is person.effectors, "it has come to rest"

    def laid_again(contact: Contact) -> Contact:
        (again,) = with_hands_laid((contact,), FIRST, *build)
        assert isinstance(again, Contact)
        return again

    anew = replace(palm, offset=usual.middle, normal=usual.normal)
    assert np.allclose(laid_again(anew).normal, palm.normal, atol=0.05), "whatever it was before"
    for other in (
        replace(anew, source=FloorSource()),
        replace(anew, source=replace(anew.source, character="c2")),
        replace(anew, source=replace(anew.source, triangle=10**6)),
        replace(anew, enabled=False),
    ):
        assert laid_again(other) is other, "only on one's own skin"


def test_a_palm_that_lies_on_what_is_round_stays_as_it_is() -> None:
    found, document = laid("neutral", "dls", "back of head", 1)
    person = document.character(FIRST)
    (palm,) = (e for e in person.effectors if isinstance(e, Contact) and e.patch == PALM)
    assert np.array_equal(palm.offset, patches_of(person)[PALM].middle)
    assert found.hand[0] == 0.0


def test_a_palm_beside_the_top_of_the_other_shoulder_gets_there() -> None:
    found, _ = laid("neutral", "dls", "left shoulder", 1)
    assert found.off[0] < 1e-3, "metres; 4 cm while the upper arm that begins there was in its way"
    assert found.hand[0] < 0.01


def test_a_hand_on_the_far_breast_is_not_taken_for_one_in_the_arm_beside_it() -> None:
    found, _ = laid("male", "dls", "left breast", 3)
    assert found.hand[0] < 0.01, "metres; 9 cm by the skin at the arm's open end"


def test_the_skin_of_a_head_can_be_touched_but_not_the_inside_of_its_mouth() -> None:
    body = load_body("anny")
    touchable, skin = touchable_vertices(body), body.vertices(mean_shape(body))
    used = np.isin(np.arange(len(skin)), body.faces)
    head = used & (body.weights.argmax(axis=1) == body.rig(mean_shape(body)).index(Role.HEAD))
    behind_lips = head & (np.abs(skin - [0.0, 1.525, 0.065]) < [0.025, 0.035, 0.025]).all(axis=1)
    assert behind_lips.sum() > 20
    assert not touchable[behind_lips].any()
    assert touchable[contact_vertices(body)].all()
    assert (touchable & head).sum() > 2000
