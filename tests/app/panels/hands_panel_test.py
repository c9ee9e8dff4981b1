"""The panel of hands, by mouse and keys: each click and each drag is one step, and the view shows it at once."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from window_driver import activated, active, hands_of, laid_out, move_held, settled, strike, until

from app.document.exchange.export import export_pose_json
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.placing import lowest_skin
from app.panels.hands_panel import HandsPanel
from app.panels.widgets.section import LAID_OUT_MS, Section
from app.panels.widgets.value_slider import ValueSlider
from app.services.background import recovery_files
from app.window.editor import Editor
from solver.body.catalog import load_body
from solver.body.finger_chain import bent_points, hand_frame
from solver.body.hand_presets import preset_hands
from solver.body.hands import relaxed_hands
from solver.contact.solids import Solid, SolidForm

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton
RIGHT_HAND = slice(15, 30)
LEFT_ARM = {"left_shoulder", "left_elbow", "left_wrist", "left_hand"}
BODY = load_body("anny")


@pytest.fixture
def panel(editor: Editor) -> HandsPanel:
    """The panel in its section, opened by a click on the header as a user does."""
    section = next(each for each in editor.panels.right if editor.panels.hands.parent() is each)
    assert isinstance(section, Section)
    assert editor.panels.hands.panel is None, "the window starts without"
    QTest.mouseClick(section.header, LEFT)
    laid_out()
    opened = editor.panels.hands.panel
    assert isinstance(opened, HandsPanel)
    return opened


def steps(editor: Editor) -> int:
    return len(editor.session.history.steps())


def click(editor: Editor, widget: QWidget) -> None:
    assert widget.isEnabled()
    QTest.mouseClick(widget, LEFT, pos=widget.rect().center())
    editor.refresh()


def drag(editor: Editor, slider: ValueSlider, *ways: int) -> None:
    """Scrub a bar by pixels, one after the other from where the button went down."""
    start = slider.rect().center()
    QTest.mousePress(slider, LEFT, pos=start)
    for way in ways:
        move_held(slider, start + QPoint(way, 0))
        editor.refresh()
    QTest.mouseRelease(slider, LEFT, pos=start + QPoint(ways[-1], 0))
    editor.refresh()


@pytest.mark.slow
def test_a_hand_that_came_back_from_a_pose_file_is_known_by_its_picture(
    editor: Editor, panel: HandsPanel, tmp_path: Path
) -> None:
    click(editor, panel.grid.buttons["fist"])
    export_pose_json(tmp_path / "fist.json", editor.session.document)
    editor.files.open_path(tmp_path / "fist.json")
    until(lambda: not editor.jobs.busy and len(editor.session.document.characters) == 2)
    editor.refresh()
    assert active(editor).id != "c1"
    assert panel.grid.buttons["fist"].isChecked()


@pytest.mark.slow
def test_a_chosen_hand_is_held_on_the_sides_asked_for_and_blends_with_what_it_held(
    editor: Editor, panel: HandsPanel
) -> None:
    assert panel.grid.buttons["relaxed"].isChecked()
    assert not panel.blend.isEnabled()
    click(editor, panel.sides.button("right"))
    click(editor, panel.grid.buttons["fist"])
    fist = preset_hands("fist", BODY)
    assert hands_of(editor) == relaxed_hands().mixed(fist, 1.0, (1,))
    assert panel.grid.buttons["fist"].isChecked()
    assert (panel.blend.value(), steps(editor)) == (100.0, 1)
    drag(editor, panel.blend, -panel.blend.width() // 4, -panel.blend.width() // 2)
    assert panel.blend.value() == pytest.approx(50, abs=2)
    half = relaxed_hands().mixed(fist, panel.blend.value() / 100, (1,))
    assert hands_of(editor).rotations == pytest.approx(half.rotations, abs=0.01)
    assert steps(editor) == 2
    editor.session.undo()
    editor.refresh()
    assert panel.blend.value() == 100.0
    editor.session.undo()
    editor.refresh()
    assert hands_of(editor) == relaxed_hands()
    assert panel.grid.buttons["relaxed"].isChecked()
    click(editor, panel.grid.buttons["relaxed"])
    assert panel.grid.buttons["relaxed"].isChecked(), "a click on what is chosen leaves it so"


@pytest.mark.slow
def test_each_bar_moves_its_fingers_in_one_step_and_esc_takes_it_back(editor: Editor, panel: HandsPanel) -> None:
    index = panel.rows.bars["Index", "curl"].slider
    was = index.value()
    drag(editor, index, 20, 60, 30)
    assert index.value() == pytest.approx(was + 30 / index.width() * 120, abs=2)
    assert steps(editor) == 1
    editor.session.undo()
    editor.refresh()
    assert index.value() == was
    QTest.mousePress(index, LEFT, pos=index.rect().center())
    move_held(index, index.rect().center() + QPoint(40, 0))
    assert hands_of(editor) != relaxed_hands()
    QTest.keyClick(index, Qt.Key.Key_Escape)
    assert hands_of(editor) == relaxed_hands()
    QTest.mouseRelease(index, LEFT, pos=index.rect().center())
    for (title, what), bar in panel.rows.bars.items():
        before = hands_of(editor)
        editor.refresh()
        value = bar.slider.value()
        bar.slider.setFocus()
        QTest.keyClick(bar.slider, Qt.Key.Key_Right)
        editor.refresh()
        assert hands_of(editor) != before, (title, what)
        assert bar.slider.value() > value


def test_the_view_shows_a_bent_finger(editor: Editor, panel: HandsPanel) -> None:
    before = np.asarray(editor.viewport.scene.figures[0].mesh.vertices)
    drag(editor, panel.rows.bars["All four", "curl"].slider, 40)
    after = np.asarray(editor.viewport.scene.figures[0].mesh.vertices)
    assert 500 < (np.linalg.norm(after - before, axis=1) > 1e-3).sum() < 4000


def test_one_hand_is_mirrored_to_the_other(editor: Editor, panel: HandsPanel) -> None:
    click(editor, panel.sides.button("left"))
    click(editor, panel.grid.buttons["peace"])
    assert hands_of(editor).rotations[RIGHT_HAND] == pytest.approx(relaxed_hands().rotations[RIGHT_HAND])
    click(editor, panel.to_right)
    assert hands_of(editor).rotations == pytest.approx(preset_hands("peace", BODY).rotations, abs=1e-5)
    editor.session.undo()
    click(editor, panel.to_left)
    assert hands_of(editor).rotations == pytest.approx(relaxed_hands().rotations, abs=1e-5)


@pytest.mark.slow
def test_a_hand_of_ones_own_is_kept_under_a_name_offered_and_deleted(editor: Editor, panel: HandsPanel) -> None:
    folder = recovery_files.recovery_folder().parent / "hands"
    click(editor, panel.grid.buttons["claw"])
    assert not panel.keep.isEnabled()
    panel.name.setFocus()
    QTest.keyClicks(panel.name, "Tiger")
    QTest.keyClick(panel.name, Qt.Key.Key_Return)
    assert [path.name for path in folder.iterdir()] == ["Tiger.json"]
    click(editor, panel.grid.buttons["flat"])
    click(editor, panel.grid.buttons["own Tiger"])
    assert hands_of(editor).rotations == pytest.approx(preset_hands("claw", BODY).rotations, abs=1e-6)
    QTest.keyClicks(panel.name, "a/b")
    click(editor, panel.keep)
    assert "is not a name for a hand" in panel.trouble.text()
    until(lambda: panel.trouble.visibleRegion().boundingRect() == panel.trouble.rect())
    assert panel.name.text() == "a/b", "nothing typed is lost"
    click(editor, panel.drop)
    assert not [*folder.iterdir()]
    assert "own Tiger" not in panel.grid.buttons
    assert hands_of(editor).rotations == pytest.approx(preset_hands("claw", BODY).rotations, abs=1e-6)


@pytest.mark.slow
def test_once_a_hand_is_kept_the_keyboard_leaves_its_name_and_a_refusal_goes_with_the_next_letter(
    editor: Editor, panel: HandsPanel
) -> None:
    activated(editor.window)
    panel.name.setFocus()
    QTest.keyClicks(panel.name, "a/b")
    QTest.keyClick(panel.name, Qt.Key.Key_Return)
    assert "digits and spaces" in panel.trouble.text()
    assert panel.name.hasFocus(), "to be corrected"
    for _ in "/b":
        QTest.keyClick(panel.name, Qt.Key.Key_Backspace)
    assert not panel.trouble.text()
    QTest.keyClick(panel.name, Qt.Key.Key_Return)
    until(panel.grid.buttons["own a"].hasFocus)
    assert not panel.name.text()


@pytest.mark.slow
def test_the_menu_opens_the_panel_and_keys_choose_a_hand(editor: Editor) -> None:
    editor.window.resize(1024, 700)
    activated(editor.window)
    editor.actions.commands["pose.hands"].run()
    header = editor.panels.section("Hands").header
    until(lambda: 0 <= header.mapTo(editor.window, QPoint(0, 0)).y() < 90)  # at the top of what one sees
    panel = editor.panels.hands.panel
    assert isinstance(panel, HandsPanel)
    assert panel.grid.buttons["relaxed"].hasFocus()
    for _ in range(4):
        QTest.keyClick(editor.window.focusWidget(), Qt.Key.Key_Tab)
    QTest.keyClick(editor.window.focusWidget(), Qt.Key.Key_Space)
    assert hands_of(editor) == preset_hands("fist", BODY)


@pytest.mark.slow
def test_the_panel_is_at_the_top_also_where_the_machine_is_busy_as_it_opens(editor: Editor) -> None:
    editor.window.resize(1024, 700)
    editor.actions.commands["pose.hands"].run()
    time.sleep(1.5 * LAID_OUT_MS / 1000)
    header = editor.panels.section("Hands").header
    until(lambda: 0 <= header.mapTo(editor.window, QPoint(0, 0)).y() < 90)


def test_the_panel_opens_beside_a_broken_file_and_names_it(editor: Editor, tmp_path: Path) -> None:
    folder = recovery_files.recovery_folder().parent / "hands"
    folder.mkdir()
    (folder / "Broken.json").write_text("{}")
    panel = HandsPanel(editor.session, folder)
    assert "Broken.json" in panel.trouble.text()
    assert len(panel.grid.buttons) == 16
    panel.deleteLater()


@pytest.mark.slow
def test_a_hand_closes_on_what_it_holds_by_a_click_and_says_when_it_holds_nothing(
    editor: Editor, tmp_path: Path
) -> None:
    session, things = editor.session, list[Solid]()
    panel = HandsPanel(session, tmp_path / "hands", lambda _document: tuple(things))
    panel.show()
    panel.refresh()
    assert panel.close_on.isHidden(), "there is nothing in the scene to hold"
    person = active(editor)
    frame = hand_frame(body_of(person), person.shape, joints_of(person), 0)
    knuckles = bent_points(body_of(person), person.shape, relaxed_hands())[0, 1:, 0].mean(axis=0)
    ball = frame.to_world(knuckles - [0, 0.045, 0]).astype(np.float32)
    things.append(Solid(SolidForm.BALL, np.full(3, 0.06, np.float32), ball))
    panel.refresh()
    assert panel.close_on.isVisible()
    click(editor, panel.close_on)
    assert hands_of(editor).mixed(relaxed_hands(), 1.0, (0,)) == relaxed_hands(), "the right hand holds nothing"
    assert hands_of(editor) != relaxed_hands()
    assert steps(editor) == 1
    said: list[str] = []
    session.refused.disconnect(editor.user_messages.refuse)
    session.refused.connect(said.append)
    click(editor, panel.sides.button("right"))
    click(editor, panel.close_on)
    assert steps(editor) == 1
    assert "right hand holds nothing" in said[0]
    panel.close()
    panel.deleteLater()


@pytest.mark.slow
def test_the_blend_names_what_it_goes_to_also_where_another_card_is_held(editor: Editor, panel: HandsPanel) -> None:
    assert panel.blend.label == "Blend"
    click(editor, panel.grid.buttons["fist"])
    assert panel.blend.label == "Blend: Fist"
    drag(editor, panel.blend, -60)
    panel.name.setFocus()
    QTest.keyClicks(panel.name, "half a fist")
    QTest.keyClick(panel.name, Qt.Key.Key_Return)
    editor.refresh()
    assert panel.blend.label == "Blend: Fist", "a kept hand is where one is, not where one goes"
    click(editor, panel.grid.buttons["own half a fist"])
    assert panel.blend.label == "Blend: half a fist"


@pytest.mark.slow
def test_the_blend_of_a_hand_goes_on_after_it_was_mirrored_and_leaves_the_other_one(
    editor: Editor, panel: HandsPanel
) -> None:
    click(editor, panel.sides.button("left"))
    click(editor, panel.grid.buttons["fist"])
    click(editor, panel.to_right)
    assert panel.blend.value() == 100.0
    drag(editor, panel.blend, -panel.blend.width() // 4)
    assert panel.blend.value() == pytest.approx(75, abs=2)
    fist, share = preset_hands("fist", BODY), panel.blend.value() / 100
    wanted = relaxed_hands().mixed(fist, share, (0,)).mixed(fist, 1.0, (1,))
    assert hands_of(editor).rotations == pytest.approx(wanted.rotations, abs=0.01)
    assert panel.grid.buttons["fist"].isChecked()


def test_another_scene_has_no_blend_yet(editor: Editor, panel: HandsPanel) -> None:
    click(editor, panel.grid.buttons["fist"])
    assert panel.blend.label == "Blend: Fist"
    editor.session.history.mark_saved()
    strike(editor, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert panel.blend.label == "Blend"
    assert not panel.blend.isEnabled()


@pytest.mark.slow
def test_bars_of_both_hands_say_that_the_hands_differ_until_they_are_mirrored(
    editor: Editor, panel: HandsPanel
) -> None:
    assert not panel.differ.isVisible()
    click(editor, panel.sides.button("right"))
    click(editor, panel.grid.buttons["fist"])
    assert not panel.differ.isVisible(), "the bars show one hand"
    click(editor, panel.sides.button("both"))
    assert panel.differ.isVisible()
    click(editor, panel.to_left)
    assert not panel.differ.isVisible()


@pytest.mark.slow
def test_a_palm_on_the_floor_is_raised_as_its_hand_becomes_a_fist(editor: Editor, panel: HandsPanel) -> None:
    session = editor.session
    wrist = next(e.id for e in active(editor).effectors if e.joint == "left_wrist")
    session.select("c1", [wrist])
    editor.refresh()
    editor.actions["contact.floor"].trigger()
    settled(session)
    flat = session.document
    click(editor, panel.sides.button("left"))
    click(editor, panel.grid.buttons["fist"])
    settled(session)
    assert len(session.history.steps()) == 2
    assert lowest_skin(active(editor)) > -0.005
    now, joints = joints_of(active(editor)), skeleton_of(active(editor))
    moved = np.linalg.norm(now.positions - joints_of(flat.characters[0]).positions, axis=1) > 1e-3
    assert {name for name, has_moved in zip(joints.names, moved, strict=True) if has_moved} == LEFT_ARM
    session.undo()
    assert session.document == flat
