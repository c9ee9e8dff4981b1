"""Hands on a prop that moves over time: they stay on it frame by frame, and are solved anew when it moves otherwise."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from copies import copy_of_prop
from solved_together import solved
from window_driver import settled, until

from app.document import edits
from app.document.curves.curves import curves_of
from app.document.curves.values import MISS, CurveRequest
from app.document.edits.matching_frames import with_matching_frames
from app.document.edits.props import new_prop
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.over_time.in_betweens import document_completed, missing
from app.document.posing.contact_patches import UP, contact_of, patches_of
from app.document.posing.create import new_document
from app.document.posing.sources import character_with_resolved_targets
from app.services.background.in_betweens import InBetweens
from app.services.background.jobs import Jobs
from app.services.clock import frames_at
from app.services.session import Session
from app.services.solve_requests import slots_to_solve
from app.services.solve_service import SolveService
from scripts.contacts.carried_between_keys import carries, measured
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource

pytestmark = pytest.mark.usefixtures("compiled_solver")
FRAMES, LAST = 21, 20
SPOTS = {"left_palm": (0.35, 0.5, 0.0), "right_palm": (-0.35, 0.5, 0.0)}


def looked_at(document: Document, frame: int) -> Document:
    return document.at(frames_at(document, frame / 30.0))


def on_box(document: Document, patch: str, spot: tuple[float, float, float]) -> Contact:
    box = document.prop("p1")
    own = np.array(spot) + (0.0, 0.5, 0.0)
    made = contact_of(patches_of(document.characters[0])[patch], box.frame.points(own), UP)
    return replace(made, source=PropSource(box.id, np.array(spot), UP))


def holding(frames: int = 1) -> Document:
    """Somebody with both palms on a box before the chest."""
    document = edits.set_solver("c1", "dls")(new_document())
    if frames > 1:
        document = edits.set_clip_length("c1", frames)(document)
    x, y, z = document.characters[0].pose.root_position.tolist()
    box = replace(new_prop(document, "box"), size=np.array([0.5, 0.2, 0.3]), place=np.array([x, y + 0.05, z + 0.35]))
    document = edits.add_prop(box)(document)
    for patch, spot in SPOTS.items():
        document = edits.hold("c1", on_box(document, patch, spot))(document)
    return solved(document)


def lifted() -> Document:
    """Both keys of the person hold the box, which goes up by 20 cm and back between them."""
    document = edits.set_key("c1", LAST)(holding(FRAMES))
    document = edits.animate_prop("p1", FRAMES)(document)
    document = edits.set_prop_key("p1", LAST)(looked_at(document, LAST))
    return edits.move_prop("p1", (0.0, 0.2, 0.05))(looked_at(document, LAST // 2))


def missed(document: Document, frame: int) -> float:
    """Metres by which the hands are off the box at a frame."""
    there = looked_at(document, frame)
    person = there.characters[0]
    asked = character_with_resolved_targets(there, person)
    world = joints_of(person)
    names = skeleton_of(person).names
    found = [
        e.residual_at(*(part[names.index(e.joint)] for part in (world.positions, world.rotations)))
        for e in asked.effectors
        if isinstance(e, Contact)
    ]
    assert len(found) == 2
    return max(found)


def test_hands_follow_a_box_that_moves_between_keys_frame_by_frame() -> None:
    document = lifted()
    assert missed(document, LAST // 2) > 0.15, "by the joints alone they stay where they were"
    done = document_completed(document)
    assert max(missed(done, frame) for frame in range(FRAMES)) < 2e-3
    assert document_completed(done) is done


def test_the_error_of_a_hand_on_a_moving_box_is_measured_from_where_the_box_is() -> None:
    document = document_completed(lifted())
    (actor,) = document.actors
    palm = next(e for e in actor.clip.keys[0].effectors if isinstance(e, Contact) and e.joint == "left_wrist")
    (line,) = curves_of(actor, CurveRequest(MISS, effector=palm.id), document.actors, document.props).lines
    assert np.isfinite(line.after).all()
    assert line.after.max() < 2.0  # millimetres
    assert line.before is not None
    assert line.before[LAST // 2] > 150.0, "the joints' own way from key to key stays below it"


def test_hands_that_slide_along_a_moving_box_are_on_it_all_the_way() -> None:
    document = lifted()
    there = looked_at(document, LAST)
    (left,) = (e for e in there.characters[0].effectors if isinstance(e, Contact) and e.joint == "left_wrist")
    source = left.source
    assert isinstance(source, PropSource)
    slid = edits.on_effector("c1", left.id, lambda e: replace(e, source=replace(source, place=[0.3, 0.5, 0.2])))(there)
    done = document_completed(solved(slid))
    middle = looked_at(done, LAST // 2)
    person = middle.characters[0]
    (palm,) = (e for e in person.effectors if e.id == left.id)
    on = middle.prop("p1").frame.own(palm.at_pose(skeleton_of(person), joints_of(person)).target)
    assert on[1] == pytest.approx(1.0, abs=0.01), "on its top"
    assert 0.05 < on[2] < 0.15, "half way along it"


@pytest.mark.slow
def test_who_holds_a_plate_tilted_at_a_key_does_not_jump_beside_it() -> None:
    low_to_high = next(islice(carries("plate", "male", "smplik"), 1, None))
    assert max(measured(low_to_high).jerk) < 1500.0, "m/s³; a hand that is laid flat one frame before makes it 2,800"


def test_in_betweens_are_solved_anew_when_the_box_moves_otherwise_and_only_then() -> None:
    done = document_completed(lifted())
    (actor,) = done.actors
    assert not missing(actor, done.actors, done.props)
    other = edits.move_prop("p1", (0.0, 0.05, 0.0))(looked_at(done, 5))
    assert missing(*other.actors, other.actors, other.props)
    wider = edits.set_prop_size("p1", (0.6, 0.2, 0.3))(done)
    assert missing(*wider.actors, wider.actors, wider.props)
    beside = edits.chain(
        edits.rename_prop("p1", "Crate"),
        edits.set_prop_color("p1", "#123456"),
        edits.add_prop(copy_of_prop(done, "p1")),
    )(looked_at(done, 7))
    assert not missing(*beside.actors, beside.actors, beside.props)


def test_only_keys_at_which_the_prop_is_elsewhere_now_are_solved_again() -> None:
    document = edits.set_key("c1", LAST)(holding(FRAMES))
    document = edits.animate_prop("p1", FRAMES)(document)
    there = looked_at(document, LAST)
    assert slots_to_solve(there, edits.move_prop("p1", (0, 0.1, 0))(there)) == {("c1", LAST)}
    still = edits.delete_prop_keys("p1", [0])(document)
    there = looked_at(still, LAST)
    assert slots_to_solve(there, edits.move_prop("p1", (0, 0.1, 0))(there)) == {("c1", 0), ("c1", LAST)}


def test_moving_a_prop_at_a_frame_without_keys_makes_keys_of_both_and_moving_its_keys_makes_none() -> None:
    document = edits.set_key("c1", LAST)(holding(FRAMES))
    document = looked_at(edits.animate_prop("p1", FRAMES)(document), 10)
    moved = edits.move_prop("p1", (0, 0.1, 0))(document)
    assert ("c1", 10) in slots_to_solve(document, moved)
    shifted = edits.move_prop_keys("p1", [10], 2)(moved)
    assert slots_to_solve(moved, shifted) == set()


def test_keys_elsewhere_are_solved_for_where_the_prop_is_at_their_time(qapp: object) -> None:
    document = edits.animate_prop("p1", FRAMES)(edits.set_key("c1", LAST)(holding(FRAMES)))
    document = edits.move_prop("p1", (0.05, 0.15, 0.0))(looked_at(document, 10))
    document = edits.set_prop_place("p1", document.prop("p1").at(0).place)(looked_at(document, LAST))
    service = SolveService()
    service.start()
    session = Session(service)
    try:
        session.open(document)
        session.look_at_time(0.0)
        assert session.edit("Copy key", edits.copy_prop_keys("p1", [10], LAST), solve=True)
        assert missed(session.history.document, LAST) > 0.1
        settled(session)
        assert missed(session.history.document, LAST) < 2e-3
        assert session.view.time_s == 0.0
        assert [key.frame for key in session.history.document.actors[0].clip.keys] == [0, LAST]
    finally:
        service.stop()


def test_scrubbing_before_an_edit_does_not_count_as_moving_the_prop() -> None:
    document = lifted()
    renamed = edits.rename_prop("p1", "Crate")(looked_at(document, 3))
    assert slots_to_solve(looked_at(document, LAST), renamed) == set()


def test_somebody_still_who_holds_a_prop_that_begins_to_move_gets_as_many_frames() -> None:
    document = holding()
    assert len(document.actors[0].clip) == 1
    after = with_matching_frames(edits.animate_prop("p1", FRAMES))(document)
    assert len(after.actors[0].clip) == FRAMES
    unheld = edits.remove_effectors("c1", [e.id for e in document.characters[0].effectors if isinstance(e, Contact)])
    alone = with_matching_frames(edits.animate_prop("p1", FRAMES))(unheld(document))
    assert len(alone.actors[0].clip) == 1


def test_a_box_moved_in_the_session_takes_the_hands_along_at_that_frame_alone(qapp: object) -> None:
    service = SolveService()
    service.start()
    session = Session(service)
    try:
        session.open(holding(FRAMES))
        assert session.edit("Animate", edits.animate_prop("p1", FRAMES), solve=True)
        session.look_at_time(LAST / 30)
        assert session.edit("Move Box", edits.move_prop("p1", (0.05, 0.15, 0)), solve=True)
        settled(session)
        document = session.history.document
        assert [key.frame for key in document.actors[0].clip.keys] == [0, LAST]
        assert missed(document, 0) < 2e-3
        assert missed(document, LAST) < 2e-3
        assert looked_at(document, 0).prop("p1").place == pytest.approx(holding().prop("p1").place)
        assert session.undo()
        assert [key.frame for key in session.history.document.actors[0].clip.keys] == [0]
    finally:
        service.stop()


def test_hands_are_solved_in_the_background_and_again_when_the_prop_has_other_keys(
    qapp: object, no_leaked_threads: object
) -> None:
    session, jobs = Session(SolveService()), Jobs()
    in_betweens = InBetweens(session, jobs)
    session.service.start()
    try:
        session.open(lifted())
        until(lambda: not jobs.busy and not in_betweens.missing("c1"))
        assert missed(session.history.document, LAST // 2) < 2e-3
        assert session.edit("Move key", edits.move_prop_keys("p1", [LAST // 2], 4), solve=True)
        assert in_betweens.missing("c1") == LAST - 1
        assert missed(session.history.document, LAST // 2) > 2e-3
        until(lambda: not jobs.busy and not in_betweens.missing("c1"))
        assert max(missed(session.history.document, frame) for frame in (5, 10, 14)) < 2e-3
        assert session.undo()
        assert in_betweens.missing("c1") == 0, "what was solved for those keys comes back with them"
    finally:
        in_betweens.stop()
        jobs.stop()
        session.service.stop()


def test_deleting_a_moving_prop_lets_go_of_it_at_every_key() -> None:
    gone = edits.remove_prop("p1")(lifted())
    assert gone.props == ()
    assert all(e.source is None for key in gone.actors[0].clip.keys for e in key.effectors if isinstance(e, Contact))
