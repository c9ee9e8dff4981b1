"""The user's own character in the window: it moves while it is dragged, and the body panel says how it is drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dialog_driver import answering, button
from gltf_changes import changed
from prop_driver import added, dragged_with_s, shown
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton
from window_driver import active, move_held, place_of, settled, strike, until

from app.dialogs.export_dialog import NO_OWN_SKIN, ExportDialog
from app.document import edits
from app.document.exchange.own.own_pose import own_matrices
from app.document.model.figure import joints_of
from app.document.posing.create import new_character
from app.panels.hands_panel import HandsPanel
from app.panels.own_skin_row import OURS, OWN
from app.window.editor import Editor
from rendering.picking.picking import pick_figure
from rendering.scene.values import Figure
from rendering.shapes.posed_skin import posed_skin
from solver.body.catalog import is_fitted
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.roles import Role

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def with_robot(editor: Editor, robot: Path) -> Editor:
    before = editor.session.document
    editor.files.open_path(robot)
    until(lambda: not editor.jobs.busy and editor.session.document is not before)
    editor.panels.section("Body").set_open(True)
    editor.refresh()
    return editor


def figure(editor: Editor, id: str = "") -> Figure:
    """Somebody as drawn, by default the active person."""
    return next(f for f in editor.viewport.scene.figures if f.id == (id or active(editor).id))


def is_robot(shown: Figure) -> bool:
    return shown.mesh is not None and shown.mesh.carried is not None


def pixel(editor: Editor, place: np.ndarray) -> QPoint:
    x, y = editor.viewport.current_view.project(np.asarray(place, np.float64))
    return QPoint(round(float(x)), round(float(y)))


@pytest.mark.slow
def test_an_avatar_that_faces_away_opens_seen_from_the_front_and_where_its_colours_show_is_said(
    editor: Editor, robot: Path, tmp_path: Path
) -> None:
    def turned(content: dict[str, Any]) -> None:
        content["nodes"][0]["rotation"] = [0.0, 1.0, 0.0, 0.0]

    path = tmp_path / "avatar.glb"
    path.write_bytes(robot.read_bytes())
    before = editor.session.document
    editor.files.open_path(changed(path, turned))
    until(lambda: not editor.jobs.busy and editor.session.document is not before)
    assert editor.window.status.notices.shown == "Opened avatar.glb. Look › Suit and Flat show its colours."
    ahead = joints_of(active(editor)).rotations[0][:, 2]
    assert ahead[2] < -0.9, "it stays as its file has it"
    assert ahead @ editor.viewport.final_view.camera.rotation[:, 2] > 0.5
    strike(editor, Qt.Key.Key_5, Qt.KeyboardModifier.AltModifier)
    assert editor.settings.values.look == "suit"
    editor.files.open_path(path)
    until(lambda: editor.window.status.notices.shown == "Opened avatar.glb.")
    editor.session.history.mark_saved()


def test_the_panel_draws_our_body_instead_and_undo_brings_the_robot_back(with_robot: Editor) -> None:
    editor, body = with_robot, with_robot.panels.body
    assert is_robot(figure(editor))
    assert body.own_skin.choice.current() == OWN
    assert body.own_skin.choice.button(OWN).text() == "robot.glb"
    assert not body.sliders[0].isEnabled()
    assert "off the joints of robot.glb" in body.own_skin.note.text()
    QTest.mouseClick(body.own_skin.choice.button(OURS), LEFT)
    editor.refresh()
    assert not is_robot(figure(editor))
    assert not body.sliders[0].isEnabled(), "its joints are the robot's, however it is drawn"
    assert not body.own_skin.note.isHidden()
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    editor.refresh()
    assert is_robot(figure(editor))
    assert body.own_skin.choice.current() == OWN


@pytest.mark.slow
def test_the_hands_panel_says_that_the_robot_has_no_fingers_while_it_is_drawn(with_robot: Editor) -> None:
    editor, body = with_robot, with_robot.panels.body
    editor.panels.section("Hands").set_open(True)
    hands = editor.panels.hands.made()
    assert isinstance(hands, HandsPanel)
    editor.refresh()
    assert not hands.none.isHidden()
    assert hands.none.text() == "robot.glb has no finger joints: what you choose here shows on our body alone."
    QTest.mouseClick(body.own_skin.choice.button(OURS), LEFT)
    editor.refresh()
    assert hands.none.isHidden()


def test_a_dropped_robot_is_wholly_in_view_with_its_helmet(editor: Editor, robot: Path, tmp_path: Path) -> None:
    def taller(content: dict[str, Any]) -> None:
        next(node for node in content["nodes"] if node["name"] == "helmet")["scale"] = [1.0, 4.0, 1.0]

    path, before = tmp_path / "tall.glb", editor.session.document
    path.write_bytes(robot.read_bytes())
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(changed(path, taller)))])
    place = QPointF(50, 50)
    editor.window.dropEvent(QDropEvent(place, Qt.DropAction.CopyAction, data, LEFT, Qt.KeyboardModifier.NoModifier))
    until(lambda: not editor.jobs.busy and editor.session.document is not before)
    editor.refresh()
    view = editor.viewport.final_view
    pixels = view.project(posed_skin(figure(editor)))
    assert (pixels >= 0).all()
    assert (pixels <= (view.width, view.height)).all()


def test_the_export_of_a_mesh_says_that_the_robot_is_left_out(with_robot: Editor) -> None:
    said: list[str] = []

    def look(dialog: ExportDialog) -> None:
        for title in ("Mesh", "Your character"):
            QTest.mouseClick(next(b for b in dialog.format.findChildren(QPushButton) if b.text() == title), LEFT)
            said.append(dialog.hint.text())
        button("Cancel")(dialog)

    with answering(look, kind=ExportDialog):
        strike(with_robot, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert [NO_OWN_SKIN in hint for hint in said] == [True, False]
    assert not any("  " in hint for hint in said), "one space between sentences"


def test_its_skin_follows_the_hand_that_is_dragged(with_robot: Editor) -> None:
    editor = with_robot
    shown, view = figure(editor), editor.viewport
    assert shown.mesh is not None
    hand = shown.mesh.by_joint[:, SMPL_JOINTS.index(Role.LEFT_WRIST)] > 0.5
    wrist = place_of(editor, Role.LEFT_WRIST)
    before, start = posed_skin(shown), pixel(editor, place_of(editor, Role.LEFT_WRIST))
    QTest.mousePress(view, LEFT, Qt.KeyboardModifier.NoModifier, start)
    for step in range(1, 6):
        move_held(view, start + QPoint(0, -12 * step))
        settled(editor.session)
    halfway = posed_skin(figure(editor))
    QTest.mouseRelease(view, LEFT, Qt.KeyboardModifier.NoModifier, start + QPoint(0, -60))
    settled(editor.session)
    assert figure(editor).mesh is shown.mesh, "nothing but its bones is new"
    assert (halfway - before)[hand, 1].mean() > 0.05, "it moves before the button is released"
    went = place_of(editor, Role.LEFT_WRIST) - wrist
    assert np.linalg.norm((posed_skin(figure(editor)) - before)[hand].mean(axis=0) - went) < 0.1, "as the wrist does"


@pytest.mark.slow
def test_the_robots_own_ankle_lies_on_the_handle_that_is_dragged(with_robot: Editor) -> None:
    editor = with_robot
    view, before = editor.viewport, place_of(editor, Role.LEFT_ANKLE)
    start = pixel(editor, before)
    QTest.mousePress(view, LEFT, Qt.KeyboardModifier.NoModifier, start)
    for step in range(1, 8):
        move_held(view, start + QPoint(3 * step, -8 * step))
        settled(editor.session)
    QTest.mouseRelease(view, LEFT, Qt.KeyboardModifier.NoModifier, start + QPoint(21, -56))
    settled(editor.session)
    person = active(editor)
    (handle,) = (e for e in person.effectors if isinstance(e, Position) and e.joint == Role.LEFT_ANKLE)
    assert np.linalg.norm(handle.target - before) > 0.1
    assert person.own_skin is not None
    rig = person.own_skin.rig()
    node = (rig.person.places or ())[rig.person.joint_map.joints[Role.LEFT_ANKLE]]
    bone = rig.bones.tolist().index(node)
    ankle = (own_matrices(person, person.own_skin) @ np.linalg.inv(rig.binds))[bone, :3, 3]
    assert np.linalg.norm(ankle - handle.target) < 1e-3


def test_a_click_on_a_robot_selects_it(with_robot: Editor) -> None:
    editor = with_robot
    robot = active(editor).id
    ann = new_character(editor.session.document, name="Ann")
    editor.session.edit("Add", edits.add_character(ann))
    editor.session.edit("Move", edits.move_character(ann.id, (1.2, 0.0, 0.0)))
    editor.session.select(ann.id)
    editor.session_view.frame_all(glide=False)
    editor.refresh()
    chest = posed_skin(figure(editor, robot))[spot_of(figure(editor, robot), Role.SPINE3)]
    view = editor.viewport.current_view
    hit = pick_figure(view, editor.viewport.scene.figures, view.project(chest))
    assert hit is not None
    assert (hit.id, hit.joint) == (robot, SMPL_JOINTS.index(Role.SPINE3))
    QTest.mouseClick(editor.viewport, LEFT, Qt.KeyboardModifier.NoModifier, pixel(editor, chest))
    assert active(editor).id == robot


def spot_of(shown: Figure, role: Role) -> int:
    """The vertex of a joint's part that is farthest in front."""
    assert shown.mesh is not None
    mine = shown.mesh.by_joint[:, SMPL_JOINTS.index(role)] > 0.5
    return int(np.where(mine, posed_skin(shown)[:, 2], -np.inf).argmax())


def test_somebody_posed_here_is_drawn_as_a_robot_that_one_chooses(
    editor: Editor, robot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def choose(_parent: object, title: str, *_: object) -> tuple[str, str]:
        asked.append(title)
        return str(robot), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", choose)
    editor.panels.section("Body").set_open(True)
    editor.refresh()
    row = editor.panels.body.own_skin
    assert row.choice.isHidden(), "there is nothing to choose between"
    until(lambda: row.file is not None)
    assert row.file is not None
    assert row.file.text() == "Draw as your own character…"
    assert not any(each.text() == "Drawn as" for each in row.findChildren(QLabel) if each.isVisible())
    name, pose = active(editor).name, active(editor).pose
    QTest.mouseClick(row.file, LEFT)
    until(lambda: not editor.jobs.busy and active(editor).own_skin is not None)
    editor.refresh()
    assert asked == [f"Draw “{name}” as"]
    assert is_robot(figure(editor))
    assert np.array_equal(active(editor).pose.rotations, pose.rotations)
    assert is_fitted(active(editor).body), "its joints are where the robot has them"
    assert not row.choice.isHidden()
    assert any(each.text() == "Drawn as" for each in row.findChildren(QLabel) if each.isVisible())
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert active(editor).own_skin is None
    assert active(editor).pose == pose


@pytest.mark.slow
def test_a_hand_on_a_box_stays_there_as_its_person_is_drawn_as_a_robot(
    editor: Editor, robot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was left 18 cm beside the box until the next drag, as the robot's arm is shorter."""

    def missed() -> float:
        asked = zip(active(editor).effectors, editor.session.finding.residuals, strict=True)
        return next(residual.value for effector, residual in asked if isinstance(effector, Contact))

    box = added(editor, "box", (0.35, 0.0, 0.45))
    editor.session.select("c1")
    shown(editor)
    dragged_with_s(editor, place_of(editor, "left_wrist"), box.frame.points(np.array([0.0, 0.45, 0.0])))
    settled(editor.session)
    assert missed() < 0.001
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(robot), ""))
    editor.files.choose_own_skin()
    until(lambda: active(editor).own_skin is not None)
    settled(editor.session)
    assert missed() < 0.001
    editor.session.undo()
    assert active(editor).own_skin is None
    assert missed() < 0.001
