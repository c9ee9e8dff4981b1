"""Time in the window: scrubbing and playing only look, an edit stays at its frame, and undo goes back to it."""

from __future__ import annotations

import gc
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from copies import copy_of
from document_samples import whole_motion
from motion_samples import look_at_frame
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from timeline_driver import TimelineMouse, gliding
from window_driver import NO_KEYS, ViewMouse, active, laid_out, settled, strike, until

from app.document import edits
from app.document.exchange.export import export_bvh
from app.document.model.figure import joints_of, skeleton_of
from app.document.scene_file.io import load_scene, save_scene
from app.services.session import Session
from app.window.editor import Editor
from solver.formats.bvh.read import read_bvh, to_motion
from solver.kinematics.skeleton import SMPL_JOINTS

LEFT = Qt.MouseButton.LeftButton
FRAMES = 101
WRIST = SMPL_JOINTS.index("left_wrist")


@pytest.fixture
def desk(editor: Editor) -> Editor:
    """The window with somebody who has a motion, imported, saved and looked at from its first frame."""
    session = editor.session
    session.edit("Import", edits.import_motion("c1", gliding(active(editor), FRAMES)))
    settled(session)
    session.history.mark_saved()
    editor.refresh()
    laid_out()  # the timeline takes room from the view
    return editor


def scrub(editor: Editor, *frames: int) -> None:
    TimelineMouse(editor).scrub(*frames)


def to_frame(editor: Editor, frame: int) -> None:
    TimelineMouse(editor).to_frame(frame)


def drag_wrist(editor: Editor) -> None:
    mouse = ViewMouse(editor)
    wrist = next(e for e in active(editor).effectors if e.joint == "left_wrist")
    mouse.drag(mouse.place(wrist.target), QPoint(5, -20), QPoint(20, -60), QPoint(30, -90))
    settled(editor.session)


@pytest.mark.slow
@pytest.mark.gl
def test_an_edit_is_there_again_after_scrubbing_away_and_back(desk: Editor) -> None:
    to_frame(desk, 1)
    before = joints_of(active(desk)).positions[WRIST]
    drag_wrist(desk)
    edited = active(desk)
    assert edited.frame == 1
    assert np.linalg.norm(joints_of(edited).positions[WRIST] - before) > 0.05
    scrub(desk, 10, 60, 90)
    assert active(desk).frame > 80
    assert active(desk).pose != edited.pose
    to_frame(desk, 1)
    assert active(desk) == edited
    timeline = desk.panels.timeline
    assert (timeline.field.number(), timeline.label.text()) == (2, f"of {FRAMES}  ·  0.03 s")
    assert timeline.key.isChecked()
    assert desk.viewport.scene.figures[0].joints[WRIST] == pytest.approx(joints_of(edited).positions[WRIST], abs=1e-5)


@pytest.mark.gl
def test_who_is_posed_after_their_motion_has_ended_is_said_to_be_posed_at_its_end(desk: Editor) -> None:
    strike(desk, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    settled(desk.session)
    longer = active(desk).id
    desk.session.edit("Longer", edits.import_motion(longer, gliding(active(desk), 2 * FRAMES)))
    desk.session.select("c1")
    desk.refresh()
    notices, said = desk.window.status.notices, f"Person 1 was posed at frame {FRAMES}"
    to_frame(desk, FRAMES - 1)
    drag_wrist(desk)
    strike(desk, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert said not in notices.shown, "it is just where they look"
    to_frame(desk, FRAMES + 40)
    drag_wrist(desk)
    assert [key.frame for key in active(desk).clip.keys] == [0, FRAMES - 1]
    until(lambda: said in notices.shown)
    strike(desk, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert said not in notices.shown


@pytest.mark.slow
@pytest.mark.gl
def test_a_drag_that_is_taken_back_leaves_the_frame_where_it_was(desk: Editor) -> None:
    to_frame(desk, 30)
    drag_wrist(desk)
    to_frame(desk, 12)
    before, mouse = active(desk), ViewMouse(desk)
    wrist = next(e for e in before.effectors if e.joint == "right_wrist")
    mouse.drag(mouse.place(wrist.target), QPoint(5, -20), QPoint(10, -50), release=False)
    assert active(desk).pose != before.pose
    QTest.keyClick(desk.viewport, Qt.Key.Key_Escape)
    assert active(desk).frame == 12
    assert active(desk) == before
    assert desk.session.history.steps()[-1] == "Move left wrist · position"


@pytest.mark.slow
@pytest.mark.gl
def test_another_solution_is_posed_and_seen_at_the_frame_looked_at(desk: Editor) -> None:
    to_frame(desk, 40)
    before = active(desk)
    strike(desk, Qt.Key.Key_O)
    until(lambda: desk.session.history.undo_text == "Other solution")
    assert active(desk).frame == 40
    assert active(desk).pose != before.pose
    assert [key.frame for key in active(desk).clip.keys] == [0, 40]
    desk.session.undo()
    assert active(desk) == before


@pytest.mark.slow
@pytest.mark.gl
def test_a_key_is_removed_by_command_where_there_is_one(desk: Editor) -> None:
    to_frame(desk, 30)
    before = active(desk).pose
    assert not desk.actions["pose.remove_key"].isEnabled()
    drag_wrist(desk)
    until(desk.actions["pose.remove_key"].isEnabled)
    desk.actions["pose.remove_key"].trigger()
    assert active(desk).pose == before
    assert desk.session.history.undo_text == "Remove key"
    desk.session.undo()
    assert active(desk).pose != before


@pytest.mark.gl
def test_scrubbing_and_playing_change_nothing_that_is_saved_or_undone(desk: Editor) -> None:
    session, heard = desk.session, []
    document, steps = session.history.document, session.history.steps()
    session.history.subscribe(heard.append)
    scrub(desk, 5, 40, 77)
    QTest.mouseClick(desk.panels.timeline.play, LEFT)
    started = active(desk).frame
    until(lambda: active(desk).frame not in (started, started + 1))
    QTest.mouseClick(desk.panels.timeline.play, LEFT)
    settled(session)
    assert session.history.document is document
    assert session.history.steps() == steps
    assert not session.history.dirty
    assert heard == [], "nobody who saves hears of it"
    assert not desk.window.windowTitle().startswith("*")


@pytest.mark.gl
def test_what_is_looked_at_is_measured_and_not_solved(desk: Editor) -> None:
    shown = desk.session.document.actors[0].at(50)
    scrub(desk, 50)
    to_frame(desk, 50)
    assert active(desk).pose == shown.pose
    asked = [r.state for e, r in zip(shown.effectors, desk.session.finding.residuals, strict=True) if e.is_active]
    assert asked == ["met"] * len(asked)
    assert [key.frame for key in active(desk).clip.keys] == [0]


@pytest.mark.slow
@pytest.mark.gl
def test_undo_takes_back_an_edit_made_at_another_frame_and_goes_there(desk: Editor) -> None:
    session = desk.session
    to_frame(desk, 1)
    before = active(desk)
    drag_wrist(desk)
    edited = active(desk)
    to_frame(desk, 40)
    strike(desk, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert active(desk).frame == 1
    assert active(desk).pose == before.pose
    assert session.service.idle(), "undo never solves"
    to_frame(desk, 60)
    strike(desk, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert active(desk).frame == 1
    assert active(desk) == edited


@pytest.mark.slow
@pytest.mark.gl
def test_the_whole_motion_is_exported_with_what_was_edited(desk: Editor, tmp_path: Path) -> None:
    to_frame(desk, 30)
    drag_wrist(desk)
    edited = active(desk)
    to_frame(desk, 80)
    (file,) = export_bvh(tmp_path / "walk.bvh", [active(desk)], whole_motion=True)
    read, _ = to_motion(read_bvh(file), skeleton_of(edited))
    assert len(read) == FRAMES
    assert read.rotations[30] == pytest.approx(edited.pose.rotations, abs=1e-4)
    assert read.rotations[60] == pytest.approx(active(desk).pose.rotations, abs=1e-4)
    assert np.abs(read.rotations[31] - edited.pose.rotations).max() < 0.1, "it fades over the frames about it"


@pytest.mark.gl
def test_the_frame_looked_at_is_looked_at_again_when_the_scene_is_opened(desk: Editor, tmp_path: Path) -> None:
    to_frame(desk, 42)
    save_scene(tmp_path / "scene.json", desk.session.document)
    shown = active(desk)
    desk.session.open(load_scene(tmp_path / "scene.json"))
    assert active(desk).frame == 42
    assert active(desk).pose == shown.pose


@pytest.mark.slow
@pytest.mark.gl
def test_a_person_dragged_about_keeps_the_motion_and_no_memory_grows(desk: Editor) -> None:
    session = desk.session
    session.edit("Long", edits.import_motion("c1", gliding(active(desk), 5000)))
    settled(session)
    desk.refresh()
    start, source = active(desk), active(desk).clip.source
    mouse = ViewMouse(desk)
    cross = mouse.place([start.pose.root_position[0], 0, start.pose.root_position[2]])
    mouse.drag(cross, QPoint(10, 5), release=False)
    tracemalloc.start()
    held = []
    for step in range(400):
        move = QPointF(cross + QPoint(10 + step % 300, 5 + step % 40))
        place = QPointF(mouse.view.mapToGlobal(move))
        event = QMouseEvent(QEvent.Type.MouseMove, move, place, Qt.MouseButton.NoButton, LEFT, NO_KEYS)
        QApplication.sendEvent(mouse.view, event)
        if step % 20 == 0:
            QApplication.processEvents()
        if step in (150, 399):
            gc.collect()
            ours = tracemalloc.take_snapshot().filter_traces((tracemalloc.Filter(False, "*/rendering/*"),))
            held.append(sum(each.size for each in ours.statistics("filename")))  # but for the view's pictures
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    mouse.release(cross + QPoint(309, 44))
    assert peak < 12e6, "two copies of the motion alone are 9 MB, and the view keeps a picture or two"
    assert held[1] - held[0] < 1e6
    assert active(desk).clip.source is source
    assert session.history.steps() == ("Import", "Long", "Move Person 1")
    way = active(desk).pose.root_position - start.pose.root_position
    assert np.hypot(way[0], way[2]) > 0.2
    assert whole_motion(active(desk)).root_positions[-1] == pytest.approx(
        start.pose.root_position + way + np.float32([0.5, 0, 0]), abs=1e-4
    )


@pytest.mark.gl
def test_a_shape_scrubbed_while_a_motion_is_shown_keeps_every_frame_on_the_floor(desk: Editor) -> None:
    from app.document.model.figure import body_of
    from solver.body.floor import lowest_sole_point

    to_frame(desk, 50)
    for value in (1.0, 2.0, 3.0):
        desk.session.edit("Shape", edits.set_beta("c1", 0, value), "shape", solve=True)
    desk.session.close_step()
    settled(desk.session)
    (actor,) = desk.session.document.actors
    assert [key.frame for key in actor.clip.keys] == [0], "another shape is not an edit of the frame looked at"
    for frame in range(0, FRAMES, 10):
        character = actor.at(frame)
        assert abs(lowest_sole_point(body_of(character), character.shape, character.pose)) < 2e-3


def test_a_result_that_comes_when_one_looks_elsewhere_goes_to_the_frame_that_asked(session: Session) -> None:
    settled(session)
    character = session.document.characters[0]
    session.edit("Import", edits.import_motion("c1", gliding(character, FRAMES)))
    settled(session)
    look_at_frame(session, "c1", 20)
    wrist = next(e for e in session.document.characters[0].effectors if e.joint == "left_wrist")
    target = wrist.target + np.float32([0, 0.3, 0.1])
    session.edit("Move", edits.set_target("c1", wrist.id, target), solve=True)
    look_at_frame(session, "c1", 60)
    settled(session)
    (actor,) = session.document.actors
    assert session.document.characters[0].frame == 60
    assert [key.frame for key in actor.clip.keys] == [0, 20]
    assert joints_of(actor.at(20)).positions[WRIST] == pytest.approx(target, abs=0.005)
    assert len(session.history.steps()) == 2


@pytest.mark.slow
def test_another_solution_that_comes_when_one_looks_elsewhere_goes_to_the_frame_that_asked(session: Session) -> None:
    settled(session)
    session.edit("Import", edits.import_motion("c1", gliding(session.document.characters[0], FRAMES)))
    settled(session)
    look_at_frame(session, "c1", 20)
    session.request_other()
    look_at_frame(session, "c1", 60)
    until(lambda: session.history.undo_text == "Other solution")
    assert [key.frame for key in session.document.actors[0].clip.keys] == [0, 20]


def test_a_file_with_a_motion_opens_at_the_frame_that_it_says(session: Session, tmp_path: Path) -> None:
    settled(session)
    session.edit("Import", edits.import_motion("c1", gliding(session.document.characters[0], FRAMES), frame=7))
    assert session.document.characters[0].frame == 7
    assert session.view.frames["c1"] == 7
    session.edit("Import", edits.import_motion("c1", gliding(session.document.characters[0], 5)))
    assert session.document.characters[0].frame == 0
    session.undo()
    assert session.document.characters[0].frame == 7
    assert len(session.document.characters[0].clip) == FRAMES


def test_two_people_are_looked_at_at_one_time_and_an_undo_takes_both_to_where_it_was_done(session: Session) -> None:
    settled(session)
    motion = gliding(session.document.characters[0], FRAMES)
    session.edit("Import", edits.import_motion("c1", motion))
    session.edit("Copy", edits.add_character(copy_of(session.document, "c1")))
    look_at_frame(session, "c1", 10)
    assert [c.frame for c in session.document.characters] == [10, 10]
    session.edit("Raise", edits.move_character("c2", (0, 1, 0)))
    look_at_frame(session, "c2", 90)
    assert [c.frame for c in session.document.characters] == [90, 90]
    session.undo()
    assert [c.frame for c in session.document.characters] == [10, 10]
    assert session.view.time_s == pytest.approx(10 / 30)
    session.edit("Gone", edits.remove_character("c1"))
    assert dict(session.view.frames) == {"c2": 10}
    session.undo()
    assert [c.id for c in session.document.characters] == ["c1", "c2"]


def test_people_of_other_rates_and_lengths_share_one_time(session: Session) -> None:
    settled(session)
    character = session.document.characters[0]
    session.edit("Import", edits.import_motion("c1", gliding(character, FRAMES)))
    session.edit("Copy", edits.add_character(copy_of(session.document, "c1")))
    session.edit("Slow", edits.import_motion("c2", gliding(character, 25, 12.0)))
    look_at_frame(session, "c1", 45)
    assert [c.frame for c in session.document.characters] == [45, 18]
    session.look_at_time(3.0)
    assert [c.frame for c in session.document.characters] == [90, 24], "who has come to the end stays there"
    session.look_at_time(1e9)
    assert session.view.time_s == pytest.approx(100 / 30)
