"""Who sits on a prop that moves rides along: before their first key, behind their last, and between two of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.edits.copies import Things, add_things, copies_of, copy_on
from app.document.edits.matching_frames import with_matching_frames
from app.document.edits.room import way_on
from app.document.model.document import Document
from app.document.over_time.in_betweens import document_completed, left_over, missing, without_left_over
from app.document.over_time.shown_motion import shown_motion
from app.document.posing.contact_patches import UP, contact_of, on_patch, patches_of
from app.document.posing.create import new_character, new_document
from app.document.posing.sources import character_with_resolved_targets
from app.services.clock import frames_at
from app.services.steps.contacts import with_people_on
from scripts.drags.contact_depths import sits, solved
from solver.effectors.contact import Contact
from solver.kinematics.rotations import from_rotation_vector
from solver.size_limits import MAX_FRAMES

pytestmark = pytest.mark.usefixtures("compiled_solver")
FRAMES, LAST = 13, 12
AWAY, ASIDE = np.array([0.0, 0.0, 1.2]), np.array([0.8, 0.0, 0.6])


def looked_at(document: Document, frame: int) -> Document:
    return document.at(frames_at(document, frame / 30.0))


@pytest.fixture(scope="module")
def seated() -> Document:
    """Somebody who sits on a box."""
    return solved(sits(edits.set_solver("c1", "dls")(new_document())), {}, {})[0]


@pytest.fixture(scope="module")
def cart(seated: Document) -> Document:
    """The box has moved away at the last frame, and aside half way there; its sitter has a key at the first."""
    document = edits.animate_prop("p1", FRAMES)(edits.set_clip_length("c1", FRAMES)(seated))
    document = edits.move_prop("p1", AWAY)(looked_at(document, LAST))
    return edits.move_prop("p1", ASIDE)(looked_at(document, LAST // 2))


def on_prop(document: Document, frame: int, id: str = "c1") -> np.ndarray:
    """(3,) metres from the box to somebody's pelvis at a frame."""
    there = looked_at(document, frame)
    return np.asarray(there.character(id).pose.root_position - there.prop("p1").place)


def goes_about(document: Document, id: str = "c1") -> float:
    """Metres that a pelvis goes about on the box at most."""
    places = [on_prop(document, frame, id) for frame in range(0, FRAMES, 2)]
    return float(np.linalg.norm(np.array(places) - places[0], axis=1).max())


def test_who_has_one_key_rides_wherever_the_box_goes_and_a_key_made_on_the_way_holds_on_to_it(cart: Document) -> None:
    done = document_completed(cart)
    assert len(done.actor("c1").clip.keys) == 1
    assert goes_about(done) < 5e-3
    assert not missing(done.actor("c1"), done.actors, done.props)
    motion = shown_motion(done.character("c1"))
    assert motion is not None, "it is exported as one"
    assert motion.root_positions[LAST] - motion.root_positions[0] == pytest.approx(AWAY, abs=5e-3)
    keyed = looked_at(edits.set_key("c1", LAST)(looked_at(done, LAST)), LAST)
    person = character_with_resolved_targets(keyed, keyed.character("c1"))
    (seat,) = (e for e in person.effectors if isinstance(e, Contact))
    assert seat.target == pytest.approx(keyed.character("c1").effector(seat.id).target, abs=2e-3)


def test_who_is_mirrored_on_the_way_rides_on_with_one_key_or_with_several(cart: Document) -> None:
    straight = edits.delete_prop_keys("p1", [LAST // 2])(cart)
    done = document_completed(straight)
    mirrored = edits.mirror_pose("c1")(looked_at(done, LAST))
    assert mirrored.frames == looked_at(done, LAST).frames
    assert goes_about(document_completed(mirrored)) < 5e-3
    keyed = edits.set_key("c1", LAST)(looked_at(done, LAST))
    assert goes_about(document_completed(edits.mirror_pose("c1")(keyed))) < 0.01


def test_a_key_of_the_box_that_is_moved_takes_its_sitter_along_between_their_own(seated: Document) -> None:
    document = with_matching_frames(edits.animate_prop("p1", FRAMES))(seated)
    document = with_people_on(edits.move_prop("p1", AWAY))(looked_at(document, LAST))
    document = with_people_on(edits.move_prop_keys("p1", [LAST], -LAST // 2), keys_alone=True)(document)
    assert [key.frame for key in document.actor("c1").clip.keys] == [0, LAST]
    assert goes_about(document_completed(document)) < 5e-3
    later = with_people_on(edits.move_prop_keys("p1", [0], LAST - 4), keys_alone=True)(looked_at(document, 3))
    assert [key.frame for key in later.actor("c1").clip.keys] == [0, LAST]
    assert goes_about(document_completed(later)) < 5e-3


def test_without_the_keys_of_the_box_nobody_rides_any_more(cart: Document) -> None:
    done = document_completed(cart)
    still = edits.delete_prop_keys("p1", [0, LAST // 2, LAST])(looked_at(done, 0))
    assert left_over(still.actor("c1"), still.actors, still.props)
    assert without_left_over(still).actor("c1").spans() == []
    assert without_left_over(done) is done
    after = document_completed(still)
    assert after.actor("c1").spans() == []
    assert not left_over(after.actor("c1"), after.actors, after.props)


def test_whoever_rides_has_as_many_frames_as_the_box_but_stays_as_short_as_they_are_cut(cart: Document) -> None:
    longer = with_matching_frames(edits.set_prop_clip_length("p1", 2 * FRAMES))(cart)
    assert len(longer.actor("c1").clip) == 2 * FRAMES
    short = with_matching_frames(edits.set_clip_length("c1", FRAMES))(longer)
    assert len(short.actor("c1").clip) == FRAMES
    keyed = with_matching_frames(edits.set_key("c1", 3))(looked_at(short, 3))
    moved = with_matching_frames(edits.move_prop("p1", ASIDE))(looked_at(keyed, LAST))
    assert len(moved.actor("c1").clip) == FRAMES


def test_whoever_has_only_a_hand_on_a_box_that_goes_on_keeps_their_frames(cart: Document) -> None:
    (seat,) = (e for e in cart.character("c1").effectors if isinstance(e, Contact))
    palm = contact_of(patches_of(cart.character("c1"))["left_palm"], seat.target, UP)
    leans = edits.chain(edits.let_go("c1", [seat.id]), edits.hold("c1", replace(palm, source=seat.source)))(cart)
    longer = with_matching_frames(edits.set_prop_clip_length("p1", 2 * FRAMES))(leans)
    assert len(longer.actor("c1").clip) == FRAMES


def test_whoever_rides_for_hours_has_as_many_frames_as_a_motion_may(cart: Document) -> None:
    slow = edits.chain(edits.set_prop_clip_rate("p1", 1.0), edits.set_prop_clip_length("p1", MAX_FRAMES // 20))
    assert len(with_matching_frames(slow)(cart).actor("c1").clip) == MAX_FRAMES


def test_keys_set_one_after_the_other_before_anything_is_solved_are_where_their_owner_rides(cart: Document) -> None:
    done, keyed = document_completed(cart), cart
    for frame in (LAST // 2, LAST - 3):
        before = looked_at(keyed, frame)
        keyed = edits.set_key("c1", frame)(before)
        assert keyed.frames == before.frames
        assert on_prop(keyed, frame) == pytest.approx(on_prop(done, frame), abs=5e-3)
    assert goes_about(document_completed(keyed)) < 5e-3


def test_a_copy_on_a_bench_rides_beside_the_original_round_a_bend_and_on_a_small_box_there_is_no_room(
    cart: Document,
) -> None:
    turn = from_rotation_vector(np.array([0.0, 0.8, 0.0]))
    bend = document_completed(edits.set_prop_turn("p1", turn)(looked_at(cart, LAST)))
    assert (
        way_on(looked_at(bend, LAST), looked_at(bend, LAST).character("c1"), looked_at(bend, LAST).prop("p1")) is None
    )
    upset = edits.set_prop_turn("p1", from_rotation_vector(np.array([1.6, 0.0, 0.0])))(bend)
    assert way_on(upset, upset.character("c1"), upset.prop("p1")) is None
    bench = edits.set_prop_size("p1", bend.prop("p1").size * [4.0, 1.0, 1.0])(bend)
    now = document_completed(bench)
    person, prop = now.character("c1"), now.prop("p1")
    way = way_on(now, person, prop)
    assert way is not None
    there = way_on(now, person, prop, lambda corners, ways: (ways @ way <= 0.0).astype(np.float64))
    assert there is not None
    assert there @ way < 0.0, "on the other side it is seen"
    (copy,) = copies_of(now, Things((person,))).people
    both = add_things(Things((copy_on(copy, person, prop, way),)), {})(now)
    (seat,) = (e for e in both.character(copy.id).effectors if isinstance(e, Contact))
    assert seat.source is not None
    assert len(both.actor(copy.id).clip.keys) == 1
    done = document_completed(both)
    for frame in (0, LAST // 2, LAST):
        there = looked_at(done, frame)
        apart = there.character(copy.id).pose.root_position - there.character("c1").pose.root_position
        assert there.prop("p1").turn.T @ apart == pytest.approx(prop.turn.T @ way, abs=0.01)


@pytest.mark.slow
def test_who_sits_on_the_lap_of_who_rides_rides_too(cart: Document) -> None:
    document = cart.with_characters((*cart.characters, replace(new_character(cart), id="c2", solver="dls")))
    source, place, _ = on_patch(looked_at(document, 0).character("c1"), "left_thigh")
    seat = replace(contact_of(patches_of(document.character("c2"))["seat"], place, UP), source=source)
    document = solved(edits.hold("c2", seat)(looked_at(document, 0)), {}, {})[0]
    document = with_matching_frames(lambda now: document)(cart)
    assert len(document.actor("c2").clip) == FRAMES
    done = document_completed(document)
    assert goes_about(done, "c2") < 0.03
    keyed = edits.set_key("c2", LAST)(looked_at(document, LAST))
    assert on_prop(keyed, LAST, "c2") == pytest.approx(on_prop(done, LAST, "c2"), abs=0.01)
