"""The comparison of solvers in the window: opened, looked at, and taken from, by mouse and keys."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from comparison_driver import click, finished, opened, press, raise_hand, shown, tile_of
from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from window_driver import ViewMouse, active, laid_out, settled, strike, until, with_keyboard

from app.dialogs.comparison import STOPPED, WAITING
from app.dialogs.gallery import Tile
from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.solver_comparison import SolverAnswer, answer_of
from app.look.mnemonics import unmarked
from app.panels.solver_panel import NOT_ASKED
from app.window.commands.command_search import CommandSearch
from app.window.controls import comparison_control
from app.window.controls.comparison_control import ASKED, OUT_OF_DATE
from app.window.editor import Editor
from solver.ik.options import PROPOSAL_ALONE
from solver.solvers.catalog import SOLVERS

pytestmark = [pytest.mark.gl, pytest.mark.timeout(600)]  # every solver may have to be compiled

LEFT, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
IDS = [spec.id for spec in SOLVERS]


@pytest.mark.slow
def test_every_solver_shows_a_pose_what_it_misses_and_its_time(editor: Editor) -> None:
    raise_hand(editor)
    gallery = opened(editor)
    assert [tile.spec.id for tile in gallery.tiles] == IDS
    assert gallery.text.text() == ASKED
    for tile in gallery.tiles:
        assert tile.drawn
        assert tile.verdict is not None
        assert tile.verdict.met.endswith(" met")
        assert " mm" in tile.verdict.off
        assert "°" in tile.verdict.off
        assert float(tile.verdict.time.split()[0]) > 0
        assert tile.toolTip().startswith(tile.spec.summary)
    pictures = [tile.grab().toImage() for tile in gallery.tiles]
    assert all(a != b for i, a in enumerate(pictures) for b in pictures[:i])


@pytest.mark.slow
def test_each_picture_appears_as_its_solver_answers(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    raise_hand(editor)
    gates = {id: threading.Event() for id in IDS}

    def answer_when_let(*asked: Any) -> SolverAnswer:
        assert gates[asked[2]].wait(60.0)
        return answer_of(*asked)

    monkeypatch.setattr(comparison_control, "answer_of", answer_when_let)
    strike(editor, Qt.Key.Key_V, SHIFT)
    gallery = shown(editor)
    for number, id in enumerate(IDS):
        gates[id].set()
        until(lambda number=number: all(tile.drawn for tile in gallery.tiles[: number + 1]))  # type: ignore[misc]
        places = {tuple((mark.x, mark.y) for mark in tile.marks) for tile in gallery.tiles[: number + 1]}
        assert len(places) == 1
        assert not any(tile.drawn for tile in gallery.tiles[number + 1 :])
    finished(gallery)


@pytest.mark.slow
def test_a_handle_is_at_the_same_place_in_every_picture(editor: Editor) -> None:
    raise_hand(editor)
    places = {tuple((mark.x, mark.y) for mark in tile.marks) for tile in opened(editor).tiles}
    assert len(places) == 1
    asked = [e for e in active(editor).effectors if e.is_active and e.kind == "position"]
    assert len(next(iter(places))) == len(asked)


@pytest.mark.slow
@pytest.mark.usefixtures("unfolded")
def test_a_click_takes_solver_and_pose_in_one_step(editor: Editor, a_few_solvers: None) -> None:
    raise_hand(editor)
    session, before, steps = editor.session, active(editor), editor.session.history.steps()
    gallery = opened(editor)
    tile = tile_of(gallery, "fabrik")
    click(tile)
    settled(session)
    assert session.history.steps() == (*steps, "Take the pose of FABRIK")
    assert active(editor).solver == "fabrik"
    assert active(editor).pose != before.pose
    assert tile.taken
    editor.refresh()
    panel = editor.panels.solver
    assert panel.choice.currentData() == "fabrik"
    assert tile.verdict is not None
    assert f"{panel.met.text()} met" == tile.verdict.met
    assert panel.time.text() == tile.verdict.time
    click(tile)  # once more: it is there already
    assert session.history.steps() == (*steps, "Take the pose of FABRIK")
    session.undo()
    assert active(editor) == before
    assert not tile.taken
    session.redo()
    assert tile.taken


@pytest.mark.slow
def test_enter_takes_the_focused_one_and_arrows_skip_solvers_that_refuse(editor: Editor) -> None:
    editor.panels.effectors.add_effector("position", "left_knee")
    settled(editor.session)
    gallery, refused = opened(editor), IDS.index("pose_edition")
    tiles = gallery.tiles
    before, after, above = tiles[refused - 1], tiles[refused + 1], tiles[refused + 1 - gallery.columns]
    before.setFocus()
    press(before, Qt.Key.Key_Right)
    assert shown(editor).focusWidget() is after
    press(after, Qt.Key.Key_Up)
    assert shown(editor).focusWidget() is above
    press(above, Qt.Key.Key_Down)
    press(after, Qt.Key.Key_Return)
    assert active(editor).solver == after.spec.id
    assert after.taken
    press(after, Qt.Key.Key_Left)
    press(before, Qt.Key.Key_Space)
    assert active(editor).solver == before.spec.id


def test_an_arrow_key_goes_to_the_first_one_as_soon_as_it_is_open(editor: Editor, a_few_solvers: None) -> None:
    comparison = opened(editor)
    with_keyboard(comparison)
    QTest.keyClick(comparison.windowHandle(), Qt.Key.Key_Right)
    assert isinstance(comparison.focusWidget(), Tile)
    assert comparison.focusWidget().isEnabled()


@pytest.mark.slow
def test_a_solver_that_refuses_is_grey_with_the_reason_and_cannot_be_taken(editor: Editor) -> None:
    editor.panels.effectors.add_effector("position", "left_knee")
    settled(editor.session)
    gallery, steps = opened(editor), editor.session.history.steps()
    tile = gallery.tiles[IDS.index("pose_edition")]
    assert not tile.isEnabled()
    assert "no position effector on the left knee" in tile.refusal
    assert "no position effector on the left knee" in tile.toolTip()
    assert tile.verdict is None
    click(tile)
    assert editor.session.history.steps() == steps
    assert all(other.isEnabled() for other in gallery.tiles if other is not tile)


@pytest.mark.usefixtures("unfolded")
@pytest.mark.slow
def test_the_menu_the_search_and_the_panel_open_it_too(editor: Editor) -> None:
    bar = editor.window.menuBar()
    entry = next(action for action in bar.actions() if unmarked(action.text()) == "Pose")
    editor.refresh()
    click_at(bar, bar.actionGeometry(entry))
    menu = entry.menu()
    assert isinstance(menu, QMenu)
    until(menu.isVisible)
    click_at(menu, menu.actionGeometry(editor.actions["pose.compare"]))
    finished(shown(editor))
    editor.pose_browsers.close()
    search = CommandSearch(editor.actions, editor.window)
    search.show()
    QTest.keyClicks(search.field, "compare sol")
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    finished(shown(editor))
    shown(editor).close()
    assert editor.pose_browsers.comparison.gallery is None
    button = editor.panels.solver.compare
    editor.refresh()
    click(button)
    finished(shown(editor))
    editor.session.edit("None left", edits.remove_effectors("c1", [e.id for e in active(editor).effectors]))
    editor.refresh()
    assert not button.isEnabled()
    assert button.toolTip() == NOT_ASKED
    assert not editor.actions["pose.compare"].isEnabled()


def click_at(widget: QWidget, place: QRect) -> None:
    QTest.mouseClick(widget, LEFT, Qt.KeyboardModifier.NoModifier, place.center())


@pytest.mark.slow
def test_what_changes_the_question_puts_it_out_of_date_until_one_compares_again(editor: Editor) -> None:
    gallery, mouse, session = opened(editor), ViewMouse(editor), editor.session
    ankle = mouse.place(joints_of(active(editor)).positions[skeleton_of(active(editor)).index("left_ankle")])
    mouse.drag(ankle, QPoint(5, -5), QPoint(30, -20))
    settled(session)
    until(lambda: gallery.text.text() == OUT_OF_DATE)
    for edit in (
        edits.set_current_as_base("c1"),
        edits.keep_shape("c1", ["head"], True),
        edits.set_solver_option("c1", PROPOSAL_ALONE.id, True),
    ):
        assert not any(tile.isEnabled() for tile in gallery.tiles)
        click(gallery.search)
        finished(gallery)
        assert gallery.text.text() == ASKED
        assert all(tile.isEnabled() for tile in gallery.tiles)
        session.edit("Ask otherwise", edit, solve=True)
        settled(session)
    assert gallery.text.text() == OUT_OF_DATE


@pytest.mark.slow
def test_stop_asks_no_further_solver_and_closing_it_neither(editor: Editor, a_few_solvers: None) -> None:
    strike(editor, Qt.Key.Key_V, SHIFT)
    gallery = shown(editor)
    assert {tile.refusal for tile in gallery.tiles} == {WAITING}
    assert not gallery.search.isEnabled()
    click(gallery.stop)
    until(lambda: not editor.jobs.busy)
    laid_out()
    assert {tile.refusal for tile in gallery.tiles} == {STOPPED}
    click(gallery.search)
    finished(gallery)
    click(gallery.search)
    gallery.close()
    until(lambda: not editor.jobs.busy)
    assert editor.pose_browsers.comparison.gallery is None


@pytest.mark.slow
def test_cancel_over_the_view_ends_it_as_well(editor: Editor, a_few_solvers: None) -> None:
    strike(editor, Qt.Key.Key_V, SHIFT)
    editor.job_bar.show()  # at once: it lets short work pass
    QApplication.processEvents()
    gallery = shown(editor)
    click(editor.job_bar.cancel)
    until(gallery.search.isEnabled)
    assert STOPPED in {tile.refusal for tile in gallery.tiles}
    click(gallery.search)
    finished(gallery)
    assert all(tile.verdict for tile in gallery.tiles)


@pytest.mark.slow
def test_the_window_lives_while_solvers_are_asked(
    editor: Editor, a_few_solvers: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each solver answers only after the window has got round to a timer of its own, however busy the machine is."""
    lives = threading.Event()
    lived: list[bool] = []

    def answer_then(*asked: Any) -> SolverAnswer:
        lives.clear()
        lived.append(lives.wait(60.0))
        return answer_of(*asked)

    def tick() -> None:
        seen.append(sum(tile.verdict is not None for tile in gallery.tiles))
        lives.set()

    monkeypatch.setattr(comparison_control, "answer_of", answer_then)
    strike(editor, Qt.Key.Key_V, SHIFT)
    gallery = shown(editor)
    seen: list[int] = []
    timer = QTimer(editor)
    timer.timeout.connect(tick)
    timer.start(0)
    finished(gallery)
    timer.stop()
    assert lived == [True] * len(gallery.tiles)
    assert len(set(seen)) > 2  # the timer ran between answers


@pytest.mark.slow
def test_the_comparison_closes_with_the_only_person_that_it_was_for(editor: Editor, a_few_solvers: None) -> None:
    opened(editor)
    strike(editor, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    until(lambda: editor.pose_browsers.comparison.gallery is None)
    editor.session.undo()
    assert tile_of(opened(editor), "ccd").isEnabled()


@pytest.mark.slow
def test_at_a_frame_of_a_motion_the_pose_becomes_a_key(editor: Editor, a_few_solvers: None) -> None:
    click(editor.panels.timeline.animate[0])
    editor.player.go_to(20)
    before = active(editor)
    gallery = opened(editor)
    click(tile_of(gallery, "ccd"))
    settled(editor.session)
    after = active(editor)
    assert after.frame == before.frame == 20
    assert after.solver == "ccd"
    assert after.clip.key(20) is not None
    editor.session.undo()
    assert active(editor) == before
