"""The panel of hands and the timeline: what is chosen at a frame is a key there, scrubbing shows what is between."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from timeline_driver import TimelineMouse, gliding, keys_of
from window_driver import active, hands_of, laid_out, move_held, settled, until

from app.document import edits
from app.look.mnemonics import unmarked
from app.panels.hands_panel import HandsPanel
from app.panels.widgets.section import Section
from app.window.editor import Editor
from solver.body.catalog import load_body
from solver.body.hand_presets import preset_hands
from solver.body.hands import relaxed_hands

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton
BODY = load_body("anny")
FIST, FLAT = preset_hands("fist", BODY), preset_hands("flat", BODY)


@pytest.fixture
def desk(editor: Editor) -> Editor:
    """The window with somebody who has sixty frames and no motion, and the panel opened by a click."""
    editor.session.edit("Animate", edits.set_clip_length("c1", 60))
    section = next(each for each in editor.panels.right if editor.panels.hands.parent() is each)
    assert isinstance(section, Section)
    QTest.mouseClick(section.header, LEFT)
    editor.refresh()
    laid_out()
    return editor


def panel(editor: Editor) -> HandsPanel:
    found = editor.panels.hands.panel
    assert isinstance(found, HandsPanel)
    return found


def choose(editor: Editor, id: str) -> None:
    """Click one of the hands, and let its solve come to rest."""
    button = panel(editor).grid.buttons[id]
    QTest.mouseClick(button, LEFT, pos=button.rect().center())
    settled(editor.session)
    editor.refresh()


def to_frame(editor: Editor, frame: int) -> None:
    TimelineMouse(editor).to_frame(frame)


def pick(editor: Editor, text: str) -> None:
    """Open the panel's menu and click an entry."""
    more = panel(editor).when.more

    def answer() -> None:
        menu = next(w for w in QApplication.topLevelWidgets() if isinstance(w, QMenu) and w.isVisible())
        action = next(a for a in menu.actions() if unmarked(a.text()) == text)
        assert action.isEnabled()
        QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())

    QTimer.singleShot(50, answer)
    QTest.mouseClick(more, LEFT)
    editor.refresh()


@pytest.mark.slow
def test_a_fist_at_frame_10_and_an_open_hand_at_frame_30_and_scrubbing_shows_the_way(desk: Editor) -> None:
    assert panel(desk).when.said.text() == "Held alike at all frames"
    to_frame(desk, 9)
    choose(desk, "fist")
    to_frame(desk, 29)
    choose(desk, "flat")
    assert keys_of(desk) == [0, 9, 29]
    assert panel(desk).when.said.text() == "Frame 30, a key"
    assert panel(desk).grid.buttons["flat"].isChecked()
    before = desk.session.document
    TimelineMouse(desk).scrub(9, 14, 19)
    desk.refresh()
    assert desk.session.document == before, "scrubbing looks, and changes nothing"
    assert panel(desk).when.said.text() == "Frame 20, between keys"
    assert hands_of(desk) not in (FIST, FLAT)
    curls = [bar.slider.value() for (_, what), bar in panel(desk).rows.bars.items() if what == "curl"]
    assert all(5 < value < 95 for value in curls), "half closed"
    to_frame(desk, 9)
    assert hands_of(desk) == FIST
    assert panel(desk).grid.buttons["fist"].isChecked()
    to_frame(desk, 0)
    assert hands_of(desk) == relaxed_hands()


@pytest.mark.slow
def test_one_undo_takes_back_a_frames_hands_and_goes_there(desk: Editor) -> None:
    to_frame(desk, 9)
    steps = len(desk.session.history.steps())
    choose(desk, "fist")
    assert len(desk.session.history.steps()) == steps + 1
    to_frame(desk, 40)
    desk.session.undo()
    settled(desk.session)
    desk.refresh()
    assert active(desk).frame == 9
    assert hands_of(desk) == relaxed_hands()
    assert keys_of(desk) == [0]


@pytest.mark.slow
def test_a_dragged_bar_bends_the_fingers_of_the_frame_looked_at_alone(desk: Editor) -> None:
    to_frame(desk, 20)
    bar = next(iter(panel(desk).rows))
    start = bar.slider.rect().center()
    QTest.mousePress(bar.slider, LEFT, pos=start)
    for way in (10, 30, 60):
        move_held(bar.slider, start + QPoint(way, 0))
    QTest.mouseRelease(bar.slider, LEFT, pos=start + QPoint(60, 0))
    settled(desk.session)
    desk.refresh()
    assert hands_of(desk) != relaxed_hands()
    assert keys_of(desk) == [0, 20]
    to_frame(desk, 0)
    assert hands_of(desk) == relaxed_hands()


@pytest.mark.slow
def test_mirroring_is_of_the_frame_looked_at(desk: Editor) -> None:
    to_frame(desk, 9)
    QTest.mouseClick(panel(desk).sides.button("left"), LEFT)
    choose(desk, "fist")
    QTest.mouseClick(panel(desk).to_right, LEFT)
    settled(desk.session)
    desk.refresh()
    assert np.abs(hands_of(desk).rotations - hands_of(desk).mirrored().rotations).max() < 1e-5
    to_frame(desk, 0)
    assert hands_of(desk) == relaxed_hands()


@pytest.mark.slow
def test_the_menu_holds_them_so_at_all_frames_in_one_step(desk: Editor) -> None:
    to_frame(desk, 9)
    choose(desk, "fist")
    steps = len(desk.session.history.steps())
    pick(desk, "Apply to all frames")
    settled(desk.session)
    desk.refresh()
    assert len(desk.session.history.steps()) == steps + 1
    assert panel(desk).when.said.text() == "Held alike at all frames"
    for frame in (0, 30, 59):
        to_frame(desk, frame)
        assert hands_of(desk) == FIST
    desk.session.undo()
    desk.refresh()
    to_frame(desk, 0)
    assert hands_of(desk) == relaxed_hands()


def test_a_still_person_is_told_nothing_of_frames(editor: Editor) -> None:
    section = next(each for each in editor.panels.right if editor.panels.hands.parent() is each)
    QTest.mouseClick(section.header, LEFT)  # type: ignore[attr-defined]
    laid_out()
    assert not panel(editor).when.isVisible()
    choose(editor, "fist")
    assert hands_of(editor) == FIST
    assert keys_of(editor) == [0]


@pytest.mark.slow
def test_the_view_draws_the_fingers_of_each_frame_and_the_keys_beside_it(desk: Editor) -> None:
    to_frame(desk, 9)
    choose(desk, "fist")
    to_frame(desk, 20)
    desk.session.set_view(onion=True)
    desk.refresh()
    until(lambda: len(desk.viewport.scene.figures) == 2)
    shown, before = desk.viewport.scene.figures
    assert np.abs(np.asarray(shown.mesh.vertices) - np.asarray(before.mesh.vertices)).max() < 1e-6
    to_frame(desk, 4)
    shown, *ghosts = desk.viewport.scene.figures
    assert len(ghosts) == 2
    skins = [np.asarray(f.mesh.vertices) for f in (shown, *ghosts)]
    assert min(np.abs(skins[0] - other).max() for other in skins[1:]) > 0.005


@pytest.mark.slow
def test_a_motions_hands_change_at_a_key_and_the_ghost_of_before_holds_them_as_they_were(desk: Editor) -> None:
    desk.session.edit("Import", edits.import_motion("c1", gliding(active(desk), 60)))
    settled(desk.session)
    desk.refresh()
    laid_out()
    to_frame(desk, 30)
    choose(desk, "fist")
    desk.session.set_view(before=True)
    desk.refresh()
    until(lambda: len(desk.viewport.scene.figures) == 2)
    shown, ghost = desk.viewport.scene.figures
    assert np.abs(np.asarray(shown.mesh.vertices) - np.asarray(ghost.mesh.vertices)).max() > 0.02
    to_frame(desk, 55)
    assert hands_of(desk) == relaxed_hands()


def test_the_pose_menu_does_the_same_where_hands_move(desk: Editor) -> None:
    menu = next(a.menu() for a in desk.window.menuBar().actions() if unmarked(a.text()) == "Pose")
    action = next(a for a in menu.actions() if unmarked(a.text()) == "Apply hands to all frames")
    assert not action.isEnabled()
    to_frame(desk, 9)
    choose(desk, "fist")
    assert action.isEnabled()
    desk.actions.commands["pose.hands_throughout"].run()
    desk.refresh()
    assert not action.isEnabled()
    to_frame(desk, 0)
    assert hands_of(desk) == FIST
