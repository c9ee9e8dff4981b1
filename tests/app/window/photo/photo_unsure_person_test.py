"""The photo panel says who is hardly more than a guess, and no longer once their points are put right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from photographed_people import CAMERA, put_before_green, see, seen
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, laid_out, move_held, press_photo_button, settled, strike, until

from app.document import edits
from app.document.in_photo.unsure_people import doubtful_text, facing_text, first_to_look_at, unsure_text
from app.document.model.document import Document
from app.document.scene_file.io import load_scene, save_scene
from app.viewport.overlays.photo_points import PhotoPoints
from app.window.editor import Editor
from solver.photo.depth_ambiguity import LOOK_FIRST, is_mostly_guessed
from solver.photo.sighting import NAMES, Sighting

pytestmark = pytest.mark.gl


@pytest.fixture
def read(editor: Editor, tmp_path: Path) -> Editor:
    """Somebody whom networks saw before a photo, seen by its camera."""
    put_before_green(editor, tmp_path, CAMERA)
    editor.session.set_view(through_photo=True)
    see(editor)
    return editor


def doubt(editor: Editor, *names: str) -> None:
    """Looks disagreed about these points."""
    see(editor, **{name: replace(seen(editor, name), pixel_spread=40.0) for name in names})


def said(editor: Editor) -> str:
    editor.refresh()
    laid_out()
    label = editor.panels.photo.unsure
    return label.text() if label.isVisible() else ""


def drag_head_point(read: Editor) -> None:
    """Show the points, and drag the head's by a few pixels."""
    press_photo_button(read, "view.points")
    points = read.viewport.findChild(PhotoPoints)
    assert points is not None
    until(points.isVisible)
    at = points.at(15)
    assert at is not None
    start = at.toPoint()
    QTest.mousePress(read.viewport, Qt.MouseButton.LeftButton, pos=start)
    move_held(read.viewport, start + QPoint(8, -6))
    QTest.mouseRelease(read.viewport, Qt.MouseButton.LeftButton, pos=start + QPoint(8, -6))
    settled(read.session)


def test_it_says_who_is_a_guess_if_most_of_their_points_are(read: Editor) -> None:
    names = [*NAMES.values()]
    assert said(read) == ""
    doubt(read, *names[: len(names) // 2])
    assert said(read) == ""
    doubt(read, *names[: len(names) // 2 + 1])
    assert said(read).startswith(f"{active(read).name} was found, but the pose is mostly a guess:")
    see(read, **{name: replace(seen(read, name), pixel_spread=2.0, depth_spread=0.3) for name in names})
    assert said(read) == "", "a depth alone that is unsure leaves the body on the picture"
    doubt(read, *names)
    assert said(read)
    read.session.edit("Hide the photo for good", edits.set_photo(None))
    assert said(read) == ""


def close_looks_disagree(editor: Editor, apart: float) -> None:
    """By such a share of the extent, about the median joint of the active person's arms and legs."""
    doubted = replace(active(editor), sighting=replace(sighting_of_active(editor), limbs_apart=apart))
    editor.session.edit("Seen", lambda document: document.with_character(doubted))


def sighting_of_active(editor: Editor) -> Sighting:
    sighting = active(editor).sighting
    assert sighting is not None
    return sighting


def test_it_names_those_about_whose_arms_and_legs_close_looks_disagreed_the_most_doubtful_first(read: Editor) -> None:
    close_looks_disagree(read, 0.5 * LOOK_FIRST)
    assert said(read) == ""
    assert first_to_look_at(read.session.document) is None
    close_looks_disagree(read, 1.1 * LOOK_FIRST)
    assert said(read).startswith(f"Look closely at {active(read).name}: the pose may be off,")
    more = replace(sighting_of_active(read), limbs_apart=1.2 * LOOK_FIRST)
    other = replace(active(read), id="other", name="Zoe", sighting=more)
    read.session.edit("Add", lambda document: document.with_characters((*document.characters, other)))
    assert said(read).startswith(f"Look closely at Zoe and {active(read).name}: their poses may be off,")
    found = first_to_look_at(read.session.document)
    assert found is not None
    assert found.name == "Zoe"
    drag_head_point(read)
    until(lambda: said(read).startswith("Look closely at Zoe: the pose may be off,"))


def test_a_point_dragged_to_its_place_counts_as_sure(read: Editor) -> None:
    names = [*NAMES.values()]
    doubt(read, "left_wrist", *[name for name in names if name != "left_wrist"][: len(names) // 2])
    assert said(read)
    drag_head_point(read)
    until(lambda: said(read) == "")


def test_it_says_who_may_face_the_other_way_until_they_are_turned_round(read: Editor) -> None:
    sighting = active(read).sighting
    assert sighting is not None
    doubted = replace(active(read), sighting=replace(sighting, facing_unsure=True))
    read.session.edit("Seen", lambda document: document.with_character(doubted))
    assert said(read).startswith(f"{active(read).name} may face the other way: some looks took the front for the back.")
    strike(read, Qt.Key.Key_D, Qt.KeyboardModifier.ShiftModifier)
    settled(read.session)
    assert said(read) == ""
    strike(read, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert said(read)
    doubt(read, *NAMES.values())
    assert said(read).startswith(f"{active(read).name} was found, but the pose is mostly a guess:"), (
        "one thing at a time"
    )
    assert "the other way" not in said(read)


def test_whoever_is_selected_need_not_be(read: Editor) -> None:
    doubt(read, *NAMES.values())
    assert "Press Points" in said(read)
    strike(read, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    assert active(read).sighting is None, "somebody else is active now"
    assert "Select this person, press Points" in said(read)
    row = read.panels.people.rows[0]
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(60, row.height() // 2))
    assert "Select" not in said(read)
    see(read)
    sighting = active(read).sighting
    assert sighting is not None
    doubted = replace(active(read), sighting=replace(sighting, facing_unsure=True))
    read.session.edit("Seen", lambda document: document.with_character(doubted))
    assert "If so, press Shift+D" in said(read)


def test_several_are_named_and_many_are_counted() -> None:
    assert unsure_text([]) == ""
    assert unsure_text(["Ann"]).startswith("Ann was found, but the pose is mostly a guess:")
    assert unsure_text(["Ann", "Ben"]).startswith("Ann and Ben were found, but their poses are mostly guesses:")
    assert unsure_text(["Ann", "Ben", "Cid"]).startswith(
        "Ann, Ben and Cid were found, but their poses are mostly guesses:"
    )
    assert unsure_text([*"ABCDE"]).startswith("A, B, C and 2 more were found, but their poses are mostly guesses:")
    assert doubtful_text([]) == facing_text([]) == ""
    assert first_to_look_at(Document()) is None
    assert facing_text(["Ann", "Ben"]).startswith("Ann and Ben may face the other way:")


def test_nobody_without_points_is_a_guess(read: Editor) -> None:
    sighting = active(read).sighting
    assert sighting is not None
    assert not is_mostly_guessed(replace(sighting, points=()))
    apart = replace(sighting, points=tuple(replace(point, pixel_spread=200.0) for point in sighting.points))
    assert is_mostly_guessed(apart)
    assert len(apart.points) == len(NAMES)


@pytest.fixture
def doubted(read: Editor) -> Editor:
    """A person about whose arms and legs the close looks disagree."""
    close_looks_disagree(read, 1.1 * LOOK_FIRST)
    assert said(read).startswith("Look closely at")
    return read


def drag_hand(editor: Editor, *ways: QPoint) -> None:
    """Drag the left hand's handle, over the places on the way."""
    mouse = ViewMouse(editor)
    target = next(e for e in active(editor).effectors if e.joint == "left_wrist").target
    mouse.drag(mouse.place(target), *ways)
    settled(editor.session)
    until(lambda: not editor.session.in_step)


def test_nobody_is_sent_to_a_person_whose_limb_was_dragged_until_that_is_undone(doubted: Editor) -> None:
    drag_hand(doubted, QPoint(10, -20), QPoint(20, -40))
    assert said(doubted) == ""
    assert first_to_look_at(doubted.session.document) is None
    strike(doubted, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert said(doubted).startswith("Look closely at")


def test_a_person_who_is_moved_as_a_whole_is_as_doubtful_as_before(doubted: Editor) -> None:
    place = active(doubted).pose.root_position
    strike(doubted, Qt.Key.Key_PageUp, Qt.KeyboardModifier.ShiftModifier)
    settled(doubted.session)
    assert (active(doubted).pose.root_position != place).any()
    assert said(doubted).startswith("Look closely at")


def test_a_button_says_that_the_active_person_is_right_and_undo_takes_it_back(doubted: Editor, tmp_path: Path) -> None:
    button, buttons = doubted.panels.photo.is_right, doubted.panels.photo.buttons
    assert buttons is not None
    place, slider = buttons.mapToGlobal(QPoint()), doubted.panels.photo.focal
    assert button.text() == f"{active(doubted).name} is fine"
    until(button.isVisible)
    below = slider.mapToGlobal(QPoint())
    QTest.mouseMove(button)
    until(button.underMouse)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    laid_out()
    assert slider.mapToGlobal(QPoint()) == below, "no slider comes up under the mouse"
    QTest.mouseMove(doubted.viewport)
    until(lambda: slider.mapToGlobal(QPoint()).y() < below.y())
    assert (said(doubted), button.isVisible()) == ("", False)
    assert buttons.mapToGlobal(QPoint()) == place, "buttons stay under the mouse as notes come and go"
    save_scene(tmp_path / "kept.json", doubted.session.document)
    assert first_to_look_at(load_scene(tmp_path / "kept.json")) is None
    strike(doubted, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert said(doubted).startswith("Look closely at")
    strike(doubted, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    assert "Select this person" in said(doubted), "somebody else is active, who is not in doubt"
    assert not button.isVisible()
