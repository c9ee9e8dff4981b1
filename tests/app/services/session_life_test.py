"""A session over time: edits at several frames, ties, sleepers and streams, undone, saved and opened again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from document_samples import random_photo, random_pose
from motion_samples import look_at_frame, strolling
from window_driver import settled

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.history import Edit
from app.document.posing.create import new_character, new_document
from app.document.posing.fitting_effectors import new_effector
from app.document.scene_file.io import load_scene, read_scene_text, save_scene, scene_text
from app.services.session import Session
from solver.effectors.asleep import is_asleep
from solver.effectors.sources import JointSource

MAGNET = {"id": "t1", "type": "magnet", "joint": "left_wrist", "pull": 1.5}
SCENE = Path("/scenes/scene.json")


@pytest.fixture
def stroll(session: Session) -> Session:
    """Somebody who walks for 60 frames, looked at from the first."""
    session.edit("Import", edits.import_motion("c1", strolling()))
    settled(session)
    return session


def active(session: Session) -> Character:
    found = session.active
    assert found is not None
    return found


def lift(session: Session, joint: str = "left_wrist", metres: float = 0.25) -> None:
    """Raise the target of that joint at the frame looked at, and wait for the body."""
    effector = next(e for e in active(session).effectors if e.joint == joint and e.kind == "position")
    target = height(active(session), joint)[0] + np.float32([0, metres, 0.1])
    assert session.edit(f"Lift {joint}", edits.set_target(session.view.character, effector.id, target), solve=True)
    settled(session)


def height(character: Character, joint: str) -> np.ndarray:
    """(1, 3) metres of the joint."""
    return joints_of(character).positions[[skeleton_of(character).index(joint)]]


def keyed(session: Session, id: str = "c1") -> list[int]:
    return [key.frame for key in session.document.actor(id).clip.keys]


def test_edits_at_three_frames_are_taken_back_in_their_order_each_where_it_was_made(stroll: Session) -> None:
    seen = []
    for frame in (10, 50, 30):
        look_at_frame(stroll, "c1", frame)
        before = active(stroll).pose
        lift(stroll)
        seen.append((frame, before, active(stroll).pose))
    assert keyed(stroll) == [0, 10, 30, 50]
    look_at_frame(stroll, "c1", 0)
    for frame, before, _after in reversed(seen):
        assert stroll.undo()
        assert active(stroll).frame == frame
        assert active(stroll).pose == before
    assert keyed(stroll) == [0]
    for frame, _before, after in seen:
        assert stroll.redo()
        assert (active(stroll).frame, active(stroll).pose) == (frame, after)


def test_scrubbing_between_edits_makes_no_step_and_leaves_what_redo_brings(stroll: Session) -> None:
    look_at_frame(stroll, "c1", 20)
    lift(stroll)
    lifted, steps = active(stroll).pose, stroll.history.steps()
    stroll.undo()
    for frame in range(0, 60, 7):
        look_at_frame(stroll, "c1", frame)
        settled(stroll)
    assert stroll.history.redo_text == "Lift left_wrist"
    assert stroll.redo()
    assert stroll.history.steps() == steps
    assert (active(stroll).frame, active(stroll).pose) == (20, lifted)


@pytest.mark.parametrize(
    "edit",
    [
        edits.set_beta("c1", 0, 3.0), edits.set_gender("c1", "male"), edits.turn_character("c1", 1.0),
        edits.move_character("c1", (1, 0, 1)), edits.mirror_pose("c1"),
    ],
    ids=["height", "gender", "turn", "move", "mirror"],
)  # fmt: skip
def test_what_is_done_to_the_whole_person_is_done_at_every_frame_and_taken_back_at_every_frame(
    stroll: Session, edit: Edit
) -> None:
    look_at_frame(stroll, "c1", 40)
    lift(stroll)
    actor = stroll.document.actor("c1")
    before = {frame: actor.at(frame).pose for frame in (0, 17, 40, 59)}
    stroll.edit("Whole", edit)
    settled(stroll)
    after = stroll.document.actor("c1")
    assert all(after.at(frame).pose != pose or after.build != actor.build for frame, pose in before.items())
    assert keyed(stroll) == [0, 40]
    assert active(stroll).frame == 40
    stroll.undo()
    assert {frame: stroll.document.actor("c1").at(frame).pose for frame in before} == before


def test_a_key_that_is_removed_comes_back_with_undo_and_its_effectors(stroll: Session) -> None:
    look_at_frame(stroll, "c1", 25)
    motion = active(stroll).pose
    lift(stroll)
    posed = active(stroll)
    assert stroll.edit("Remove key", edits.remove_key("c1"))
    settled(stroll)
    assert active(stroll).pose == motion
    stroll.undo()
    assert active(stroll) == posed


def test_edits_across_frames_are_saved_and_opened_with_the_frame_looked_at(stroll: Session, tmp_path: Path) -> None:
    for frame in (5, 45):
        look_at_frame(stroll, "c1", frame)
        lift(stroll)
    stroll.solve_now()
    document = stroll.document
    save_scene(tmp_path / "walk.json", document)
    stroll.open(load_scene(tmp_path / "walk.json"))
    assert stroll.document == document
    assert keyed(stroll) == [0, 5, 45]
    for frame in (0, 5, 20, 45, 59):
        assert stroll.document.actor("c1").at(frame).pose == document.actor("c1").at(frame).pose


def tied_pair() -> Document:
    """Two people; the second's right hand holds on to the first's left."""
    document = new_document()
    document = edits.add_character(new_character(document))(document)
    first, second = document.characters
    tie = new_effector(second, "position", "right_wrist", id="tie")
    tie = replace(tie, source=JointSource(first.id, "left_wrist"))
    others = tuple(e for e in second.effectors if e.joint != "right_wrist")
    second = replace(second, solver="dls", effectors=(*others, tie))
    return document.with_characters([replace(first, solver="dls"), second])


def test_a_tie_outlives_the_person_it_holds_and_takes_hold_again_after_undo(session: Session, tmp_path: Path) -> None:
    session.open(tied_pair())
    settled(session)
    session.select("c1")
    lift(session)
    target = session.document.character("c2").effector("tie").target
    session.edit("Delete", edits.remove_character("c1"))
    settled(session)
    left = session.document.character("c2").effector("tie")
    assert left.source == JointSource("c1", "left_wrist")
    assert np.array_equal(left.target, target)
    save_scene(tmp_path / "alone.json", session.document)
    assert load_scene(tmp_path / "alone.json") == session.document
    session.undo()
    session.select("c1")
    lift(session, metres=0.1)
    first, second = session.document.characters
    assert second.effector("tie").target == pytest.approx(height(first, "left_wrist")[0], abs=1e-3)


def test_undo_of_an_edit_of_the_one_takes_the_tied_other_back_too(session: Session) -> None:
    session.open(tied_pair())
    settled(session)
    before = session.document
    session.select("c1")
    lift(session)
    assert session.document.character("c2").pose != before.character("c2").pose
    session.undo()
    assert session.document == before
    assert read_scene_text(scene_text(before, SCENE.parent), SCENE) == before


def with_sleeper() -> Document:
    """Somebody with an effector of a newer version."""
    value = json.loads(scene_text(new_document(), SCENE.parent))
    value["version"] = 99
    value["characters"][0]["clip"]["keys"][0]["effectors"].append(MAGNET)
    return read_scene_text(json.dumps(value), SCENE)


def sleepers(document: Document) -> list[object]:
    """What is written of the effectors that sleep, in the first key of everybody."""
    written = json.loads(scene_text(document, SCENE.parent))["characters"]
    return [e for c in written for e in c["clip"]["keys"][0]["effectors"] if e.get("type") == "magnet"]


@pytest.mark.parametrize(
    "edit",
    [
        edits.set_beta("c1", 2, -3.0), edits.set_gender("c1", "female"), edits.reset_to_base("c1"),
        edits.set_current_as_base("c1"), edits.settle_effectors("c1"), edits.stand_on_floor("c1"),
        edits.move_character("c1", (2, 0, 0)), edits.turn_character("c1", 0.4), edits.mirror_pose("c1"),
        edits.make_strict("c1", ["t1"]), edits.make_loose("c1", ["t1"]), edits.set_pinned("c1", "t1", True),
        edits.set_solver("c1", "dls"), edits.keep_place("c1", ["head"], True),
        edits.import_motion("c1", strolling(5)), edits.set_pose("c1", random_pose(np.random.default_rng(4))),
    ],
    ids=[
        "shape", "gender", "return", "base", "settle", "floor", "move", "turn", "mirror", "strict", "loose", "pin",
        "solver", "keep", "import", "pose",
    ],
)  # fmt: skip
def test_an_effector_that_sleeps_is_written_as_it_came_whatever_is_done(session: Session, edit: Edit) -> None:
    session.open(with_sleeper())
    settled(session)
    session.edit("Edit", edit, solve=True)
    settled(session)
    assert sleepers(session.document) == [MAGNET]
    assert is_asleep(session.document.character("c1").effectors[-1])
    while session.undo():
        pass
    assert session.document == with_sleeper()


def test_options_of_solvers_are_undone_and_saved_with_the_one_they_are_for(session: Session) -> None:
    session.open(tied_pair())
    session.edit("Raw", edits.set_solver_option("c2", "raw", True))
    session.edit("Mood", edits.set_solver_option("c2", "mood", "calm"))
    session.edit("Solver", edits.set_solver("c2", "smplik"))
    again = read_scene_text(scene_text(session.document, SCENE.parent), SCENE)
    assert dict(again.character("c2").solver_options) == {"raw": True, "mood": "calm"}
    assert again.character("c1").solver_options == tied_pair().character("c1").solver_options
    for _ in range(3):
        session.undo()
    assert dict(session.document.character("c2").solver_options) == {}
    assert session.document.character("c2").solver == "dls"


def test_a_live_pose_shows_over_edits_and_leaves_them_when_it_ends(session: Session) -> None:
    live = random_pose(np.random.default_rng(0))
    session.show_live("c1", live)
    lift(session)
    edited = active(session).pose
    assert session.shown.character("c1").pose == live
    assert session.document.character("c1").pose == edited != live
    session.undo()
    assert session.shown.character("c1").pose == live
    session.redo()
    session.show_live("c1", None)
    assert session.shown.character("c1").pose == edited


def test_a_live_pose_goes_with_whom_it_poses_and_is_never_saved(session: Session) -> None:
    session.edit("Add", lambda d: edits.add_character(new_character(d))(d))
    text = scene_text(session.document, SCENE.parent)
    session.show_live("c2", random_pose(np.random.default_rng(0)))
    assert scene_text(session.document, SCENE.parent) == text
    session.edit("Delete", edits.remove_character("c2"))
    assert session.live == {}
    session.undo()
    assert session.shown == session.document


def test_photos_come_go_and_come_back_in_their_order(session: Session) -> None:
    rng = np.random.default_rng(0)
    photos = [random_photo(rng, f"/photos/{name}.jpg") for name in "abc"]
    for photo in photos:
        session.edit("Add photo", edits.add_photo(photo))
    session.set_view(through_photo=True)
    session.edit("Remove", edits.set_photo(None))
    assert session.document.photos == tuple(photos[1:])
    assert session.view.through_photo
    session.edit("Fade", edits.set_photo_opacity(0.125))
    assert [photo.opacity for photo in session.document.photos] == [0.125, photos[2].opacity]
    again = read_scene_text(scene_text(session.document, SCENE.parent), SCENE)
    assert again.photos == session.document.photos
    session.undo()
    session.undo()
    assert session.document.photos == tuple(photos)
    for _ in photos:
        session.undo()
    assert session.document.photos == ()
    assert not session.view.through_photo


def test_a_refused_edit_leaves_document_history_and_redo(session: Session) -> None:
    lift(session)
    session.undo()
    before, redo = session.document, session.history.redo_text
    told: list[str] = []
    session.refused.connect(told.append)
    assert not session.edit("Delete", edits.remove_effectors("c1", ["e99"]))
    assert not session.edit("Nobody", edits.set_visible("c9", False))
    assert ["e99" in told[0], "c9" in told[1]] == [True, True]
    assert (session.document, session.history.redo_text) == (before, redo)
    assert session.redo()
