"""Somebody whose pose is mostly off shows at once, and is tried again: what is seen better joins the same step."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from askew_looks import BOX, apart, seen_askew
from dialog_driver import answering, key
from photographed_people import corner
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from sample_files import TWO_PEOPLE
from window_driver import active, move_held, strike, until

from app.dialogs.people_dialog import PeopleDialog
from app.document import edits
from app.document.exchange import person_in_photo
from app.document.model.document import Photo
from app.viewport.overlays.photo_box import PhotoBox
from app.viewport.photo_reading import PhotoReading
from app.window.editor import Editor
from solver.camera import PinholeCamera
from solver.photo import estimate
from solver.photo.depth_ambiguity import LOOK_FIRST
from solver.photo.image_file import load_image
from solver.photo.second_try.tried_again import tried_again

pytestmark = [pytest.mark.gl, pytest.mark.slow]
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
NONE, LEFT = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton


class Gate:
    """Holds a second try before it begins, until `open` is set. reached: whether it has come so far."""

    def __init__(self) -> None:
        self.reached, self.open = threading.Event(), threading.Event()

    def __call__(self, *asked: Any) -> Any:
        self.reached.set()
        assert self.open.wait(60)
        return tried_again(*asked)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    """The second try waits; the first reading is by real looks, in a square that lies askew."""
    gate = Gate()
    monkeypatch.setattr(person_in_photo, "tried_again", gate)
    monkeypatch.setattr(estimate, "tried_again", gate)
    monkeypatch.setattr(person_in_photo, "person_in_box", lambda rgb, box, _: seen_askew(Image.fromarray(rgb), BOX))
    return gate


@pytest.fixture
def boxed(editor: Editor, gate: Gate) -> Editor:
    """One of the two people of a photo, found in a box; the second try has begun."""
    width, height = load_image(TWO_PEOPLE).size
    level = np.eye(3, dtype=np.float32)
    camera = PinholeCamera(np.float32([0, 1.2, 4.0]), level, 1.2 * width, (width / 2, height / 2), (width, height))
    photo = edits.set_photo(Photo(str(TWO_PEOPLE), load_image(TWO_PEOPLE).sha256, camera))
    (start,) = editor.session.document.characters
    editor.session.edit("Photo", edits.chain(edits.remove_character(start.id), photo))
    editor.session.set_view(through_photo=True)
    until(lambda: editor.viewport.scene.backplate is not None)
    strike(editor, Qt.Key.Key_F, SHIFT)
    tool = editor.viewport.findChild(PhotoBox)
    assert tool is not None
    start_at, end_at = corner(editor, *BOX[:2]), corner(editor, *BOX[2:])
    QTest.mousePress(tool, LEFT, NONE, start_at)
    for share in (0.4, 1.0):
        move_held(tool, start_at + (end_at - start_at) * share)
    QTest.mouseRelease(tool, LEFT, NONE, end_at)
    until(gate.reached.is_set)
    return editor


def doubt(editor: Editor) -> str:
    """What the photo's panel says of the poses, "" for nothing."""
    label = editor.panels.photo.unsure
    return label.text() if label.isVisible() else ""


def limbs_apart(editor: Editor) -> float:
    sighting = active(editor).sighting
    assert sighting is not None
    assert sighting.limbs_apart is not None
    return sighting.limbs_apart


def test_who_is_found_in_a_box_shows_at_once_and_better_after_a_second_try_in_the_same_step(
    boxed: Editor, gate: Gate
) -> None:
    first, steps = active(boxed), len(boxed.session.history.steps())
    until(lambda: doubt(boxed).startswith(f"{first.name} was found, but the pose is mostly a guess:"))
    assert limbs_apart(boxed) >= LOOK_FIRST
    assert boxed.jobs.busy
    strike(boxed, Qt.Key.Key_L, SHIFT)
    until(boxed.actions["view.points"].isChecked)  # meanwhile keys and panels answer
    gate.open.set()
    until(lambda: not boxed.jobs.busy)
    until(lambda: doubt(boxed) == "")
    assert limbs_apart(boxed) < LOOK_FIRST
    assert (active(boxed).id, active(boxed).name, active(boxed).color) == (first.id, first.name, first.color)
    assert np.abs(active(boxed).pose.rotations - first.pose.rotations).max() > 0.01
    assert active(boxed).effectors
    until(lambda: boxed.window.status.notices.shown == f"A second try saw {first.name} better.")
    assert len(boxed.session.history.steps()) == steps
    strike(boxed, Qt.Key.Key_Z, CONTROL)
    assert boxed.session.document.characters == ()
    strike(boxed, Qt.Key.Key_Z, CONTROL | SHIFT)
    assert limbs_apart(boxed) < LOOK_FIRST


def pressed_esc(editor: Editor) -> None:
    strike(editor, Qt.Key.Key_Escape)


def clicked_cancel(editor: Editor) -> None:
    QTest.mouseClick(editor.job_bar.cancel, LEFT)


@pytest.mark.parametrize("given_up", [pressed_esc, clicked_cancel])
def test_cancelling_the_second_try_leaves_the_person_as_first_read(
    boxed: Editor, gate: Gate, given_up: Callable[[Editor], None]
) -> None:
    first = active(boxed)
    until(boxed.job_bar.isVisible)
    given_up(boxed)
    gate.open.set()
    until(lambda: not boxed.jobs.busy)
    assert active(boxed) is first
    until(lambda: doubt(boxed).startswith(f"{first.name} was found, but the pose is mostly a guess:"))


def nudged(editor: Editor) -> None:
    strike(editor, Qt.Key.Key_PageUp, SHIFT)


def undone(editor: Editor) -> None:
    strike(editor, Qt.Key.Key_Z, CONTROL)


@pytest.mark.parametrize("meanwhile", [nudged, undone])
def test_what_was_done_during_the_second_try_stays_and_its_result_is_dropped(
    boxed: Editor, gate: Gate, meanwhile: Callable[[Editor], None]
) -> None:
    before = boxed.session.document
    meanwhile(boxed)
    until(lambda: boxed.session.document is not before and not boxed.session.solving)
    done = boxed.session.document
    gate.open.set()
    until(lambda: not boxed.jobs.busy)
    assert boxed.session.document is done


def test_who_is_read_again_is_tried_again_too(boxed: Editor, gate: Gate) -> None:
    boxed.jobs.cancel()
    gate.open.set()
    until(lambda: not boxed.jobs.busy)
    first = active(boxed)
    strike(boxed, Qt.Key.Key_R, SHIFT)
    until(lambda: boxed.session.history.undo_text == f"Read {first.name} again")
    until(lambda: not boxed.jobs.busy)
    until(lambda: doubt(boxed) == "")
    assert limbs_apart(boxed) < LOOK_FIRST
    strike(boxed, Qt.Key.Key_Z, CONTROL)
    assert limbs_apart(boxed) >= LOOK_FIRST


@pytest.fixture
def opened(editor: Editor, gate: Gate, monkeypatch: pytest.MonkeyPatch) -> Editor:
    """A photo that is being opened, in which somebody's pose is mostly off; the second try has begun."""
    picture = Image.fromarray(load_image(Path(TWO_PEOPLE)).rgb)
    found = [seen_askew(picture, BOX)]
    assert apart(found[0]) >= LOOK_FIRST
    monkeypatch.setattr(estimate, "find_people", lambda *_: found)
    editor.files.open_path(TWO_PEOPLE)
    until(gate.reached.is_set)
    return editor


def test_esc_ends_a_second_try_while_a_photo_is_opened_and_nothing_is_left_behind(opened: Editor, gate: Gate) -> None:
    before, shown = opened.session.document, opened.viewport.findChild(PhotoReading)
    assert shown is not None
    until(lambda: shown.bodies is not None)  # whom the first reading found is there to be seen meanwhile
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    gate.open.set()
    until(lambda: not opened.jobs.busy)
    assert not shown.isVisible()
    assert opened.session.document == before


def test_whom_a_second_try_sees_clearly_is_not_called_unsure_in_the_list_of_people_found(
    opened: Editor, gate: Gate
) -> None:
    words: list[tuple[str, bool]] = []

    def read(dialog: PeopleDialog) -> None:
        words.append((dialog.ticks[0].text(), dialog.pose_unsure.isVisible()))
        key(Qt.Key.Key_Escape)(dialog)

    with answering(read, kind=PeopleDialog):
        gate.open.set()
        until(lambda: not opened.jobs.busy and bool(words))
    ((text, explained),) = words
    assert text.startswith("Person 1")
    assert "pose unsure" not in text
    assert not explained
