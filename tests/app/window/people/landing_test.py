"""Files let go of over the view: props and people land where the pointer is, and before that the card says on what."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from photographed_people import CAMERA, put_before_green
from prop_driver import added, the_prop
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication
from window_driver import ViewMouse, active, settled, strike, until

from app.document.model.figure import body_of
from app.library import folders
from app.viewport.prop_place import floor_ahead
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.body.floor import posed_vertices

pytestmark = pytest.mark.gl
COPY, LEFT, NO_KEYS = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """A small thing: a pyramid of 10 cm."""
    path = tmp_path / "cup.obj"
    corners = ((-0.05, 0, -0.05), (0.05, 0, -0.05), (0.05, 0, 0.05), (-0.05, 0, 0.05), (0, 0.1, 0))
    faces = ((1, 2, 3), (1, 3, 4), (1, 5, 2), (2, 5, 3), (3, 5, 4), (4, 5, 1))
    lines = [f"v {x} {y} {z}" for x, y, z in corners] + [f"f {a} {b} {c}" for a, b, c in faces]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def from_above(editor: Editor) -> None:
    editor.viewport.set_camera(OrbitCamera(target=(0.4, 0.5, 0.0), distance=5.0, yaw=0.3, pitch=0.5))


def held(editor: Editor, file: Path, place: QPoint) -> str:
    """Hold a file over a place of the window; what the card says beside its name."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    for kind in (QDragEnterEvent, QDragMoveEvent):
        QApplication.sendEvent(editor.window, kind(place, COPY, data, LEFT, NO_KEYS))
    ((_, what),) = editor.drops.preview.card.lines
    return what.partition(" – ")[2]


def let_go(editor: Editor, file: Path, place: QPoint) -> str:
    """Hold a file over a place of the window and drop it there; what was said before."""
    said, before = held(editor, file, place), editor.session.document
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    QApplication.sendEvent(editor.window, QDropEvent(QPointF(place), COPY, data, LEFT, NO_KEYS))
    until(lambda: not editor.jobs.busy and editor.session.document is not before)
    return said


def in_window(editor: Editor, place: tuple[float, float, float]) -> QPoint:
    """The pixel of the window at which a place of the world is seen."""
    pixel = ViewMouse(editor).place(place)
    assert editor.viewport.rect().contains(pixel)
    return editor.viewport.mapTo(editor.window, pixel)


@pytest.mark.slow
def test_a_prop_lands_on_the_floor_under_the_pointer(editor: Editor, cup: Path) -> None:
    said = let_go(editor, cup, in_window(editor, (1.2, 0.0, 0.6)))
    assert said == "on the floor, where the pointer is"
    assert the_prop(editor).place == pytest.approx([1.2, 0.0, 0.6], abs=0.02)
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not editor.session.document.props


@pytest.mark.slow
def test_a_prop_stands_on_the_one_whose_top_is_under_the_pointer_and_beside_one_whose_side_is(
    editor: Editor, cup: Path
) -> None:
    box = added(editor, "box", (1.0, 0.0, 0.0))
    top = box.frame.points((0.2, 1.0, 0.1))
    assert let_go(editor, cup, in_window(editor, tuple(top))) == "on Box, where the pointer is"
    assert the_prop(editor).place == pytest.approx(top, abs=0.01)
    front = box.frame.points((0.0, 0.5, 0.5))
    assert let_go(editor, cup, in_window(editor, tuple(front))) == "on the floor, where the pointer is"
    beside = the_prop(editor).place
    assert beside[1] == 0.0
    assert np.abs(beside - box.place)[[0, 2]].max() > 0.25


@pytest.mark.slow
def test_a_prop_lies_on_somebody_whose_skin_faces_up_there(editor: Editor, cup: Path) -> None:
    person = active(editor)
    skin = posed_vertices(body_of(person), person.shape, person.pose)
    crown = skin[skin[:, 1].argmax()]
    editor.viewport.set_camera(OrbitCamera(target=(0.0, 1.5, 0.0), distance=3.0, yaw=0.3, pitch=0.9))
    assert held(editor, cup, in_window(editor, tuple(crown))) == f"on {person.name}, where the pointer is"
    let_go(editor, cup, in_window(editor, tuple(crown)))
    assert the_prop(editor).place == pytest.approx(crown, abs=0.03)


def test_what_the_card_says_leaves_free_the_middle_of_the_view_where_something_is_to_land(
    editor: Editor, cup: Path
) -> None:
    card, middle = editor.drops.preview.card, QPointF(editor.viewport.rect().center())
    held(editor, cup, editor.viewport.mapTo(editor.window, middle.toPoint()))
    until(lambda: not card.box.isEmpty())
    assert not card.box.adjusted(-40, -40, 40, 40).contains(middle)
    assert editor.viewport.rect().contains(card.box.toAlignedRect())


@pytest.mark.slow
def test_beside_the_view_a_prop_lands_ahead_of_it_and_the_card_follows_the_pointer(editor: Editor, cup: Path) -> None:
    assert held(editor, cup, in_window(editor, (1.2, 0.0, 0.6))) == "on the floor, where the pointer is"
    ahead = floor_ahead(editor.viewport.camera)
    assert let_go(editor, cup, QPoint(5, 300)) == "on the floor in front of you"
    assert the_prop(editor).place == pytest.approx(ahead, abs=0.5)


def test_a_new_person_is_put_at_the_pointer_beside_the_others(editor: Editor) -> None:
    pose = next(folders.shipped_folder().rglob("*.json"))
    assert held(editor, pose, in_window(editor, (1.2, 0.0, 0.6))) == "in place of the person of the start"
    editor.window.hovered([])
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    settled(editor.session)
    editor.viewport.set_camera(OrbitCamera(target=(0.4, 0.5, 0.0), distance=8.0, yaw=0.3, pitch=0.5))
    where = (-0.9, 0.0, 1.0)
    assert let_go(editor, pose, in_window(editor, where)) == "on the floor, where the pointer is"
    root = active(editor).pose.root_position
    assert root[[0, 2]] == pytest.approx([where[0], where[2]], abs=0.02)
    assert len(editor.session.document.characters) == 3


def test_a_person_let_go_over_the_photo_stands_there_and_is_still_seen_by_its_camera(
    editor: Editor, tmp_path: Path
) -> None:
    put_before_green(editor, tmp_path, CAMERA)
    editor.session.set_view(through_photo=True)
    editor.refresh()
    where = (-0.8, 0.0, -0.6)
    pixel, pose = in_window(editor, where), next(folders.shipped_folder().rglob("*.json"))
    assert let_go(editor, pose, pixel) == "on the floor, where the pointer is"
    assert active(editor).pose.root_position[[0, 2]] == pytest.approx([where[0], where[2]], abs=0.03)
    assert editor.session.view.through_photo


def test_a_prop_from_the_menu_at_the_pointer_stands_on_what_is_there(editor: Editor) -> None:
    box = added(editor, "box", (1.0, 0.0, 0.0))
    top = box.frame.points((0.0, 1.0, 0.0))
    pixel = ViewMouse(editor).place(top)
    editor.props.add("ball", (pixel.x(), pixel.y()))
    assert the_prop(editor).place == pytest.approx(top, abs=0.01)


@pytest.mark.slow
def test_a_person_opened_beside_others_is_put_clear_of_a_prop(editor: Editor) -> None:
    pose = next(folders.shipped_folder().rglob("*.json"))
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    settled(editor.session)

    def opened() -> np.ndarray:
        before = editor.session.document
        editor.files.open_path(pose)
        until(lambda: not editor.jobs.busy and editor.session.document is not before)
        return active(editor).pose.root_position

    first = opened()
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    added(editor, "box", (float(first[0]), 0.0, float(first[2])))
    second = opened()
    skin = posed_vertices(body_of(active(editor)), active(editor).shape, active(editor).pose).astype(np.float64)
    assert min(float(solid.distances(skin).min()) for solid in the_prop(editor).solids()) > 0.0
    assert 0.1 < np.linalg.norm(second - first) < 2.0
