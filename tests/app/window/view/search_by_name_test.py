"""Bodies, poses and hands by name, in the search for commands: typed, and taken with Enter."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidgetAction
from window_driver import active, answer_once_shown, settled, strike, until

from app.dialogs import messages
from app.document.library.own_hands import keep_hands
from app.library import folders
from app.look.mnemonics import unmarked
from app.panels.all_panels import hands_folder
from app.panels.hands_panel import HandsPanel
from app.services.background.effector_recovery import ErrorsByCount
from app.window.commands.command_search import CommandSearch
from app.window.editor import Editor
from solver.body.catalog import load_body
from solver.body.hand_presets import preset_hands
from solver.body.hands import relaxed_hands

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("own")]
RETURN, UP, DOWN = Qt.Key.Key_Return, Qt.Key.Key_Up, Qt.Key.Key_Down


def search_for(editor: Editor, text: str, *keys: Qt.Key) -> list[list[str]]:
    """Open the search by its key, type, press further keys: rows that it showed for what was typed."""
    rows: list[list[str]] = []

    def type_it() -> None:
        search = editor.window.findChild(CommandSearch)
        if search is None or not search.isVisible():
            QTimer.singleShot(20, type_it)
            return
        QTest.keyClicks(search.field, text)
        items = [search.list.topLevelItem(i) for i in range(search.list.topLevelItemCount())]
        rows.extend([item.text(0), item.text(1)] for item in items if item is not None)
        for key in keys or (Qt.Key.Key_Escape,):
            QTest.keyClick(search.field, key)

    QTimer.singleShot(50, type_it)
    strike(editor, Qt.Key.Key_Slash)
    until(lambda: bool(rows) and QApplication.activePopupWidget() is None)
    return rows


@pytest.mark.slow
def test_a_body_is_found_by_its_name_and_taken_with_enter(editor: Editor) -> None:
    before = active(editor)
    rows = search_for(editor, "elder", RETURN)
    assert rows[0] == ["Elder", "Body"]
    assert active(editor).body == "anny:elder"
    assert editor.session.history.steps() == ("Take the body “Elder”",)
    settled(editor.session)
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert active(editor).body == before.body


def test_the_search_is_as_high_as_what_it_finds(editor: Editor) -> None:
    search = CommandSearch(editor.actions, editor.window)
    search.show()
    heights = []
    for text in ("", "export", "zzzz"):
        search.field.setText(text)
        QApplication.processEvents()
        first = search.list.topLevelItem(0)
        assert first is not None
        assert search.list.viewport().rect().contains(search.list.visualItemRect(first))
        heights.append(search.height())
    assert heights == sorted(heights, reverse=True)
    assert heights[0] > heights[1] > heights[2]
    search.close()
    search.deleteLater()


def test_the_error_curve_is_found_and_the_keys_go_to_the_button_that_makes_it_then_to_the_curve(
    editor: Editor,
) -> None:
    assert search_for(editor, "error", RETURN)[0] == ["Recover effectors: error curve", "Solver"]
    panel = editor.panels.solver
    assert editor.panels.section("Solver").is_open()
    until(lambda: QApplication.focusWidget() is panel.recover)
    panel.errors = lambda: ErrorsByCount((0.08, 0.03, 0.01), 2)
    search_for(editor, "error curve", RETURN)
    until(lambda: panel.curve is not None and QApplication.focusWidget() is panel.curve)


def test_who_looks_for_somebody_tall_comes_to_the_stature(editor: Editor) -> None:
    assert search_for(editor, "tall", RETURN)[0] == ["Stature and proportions", "Body"]
    until(editor.panels.body.stature.hasFocus)


@pytest.mark.slow
def test_a_pose_is_found_by_its_name_and_taken_whether_the_library_is_open_or_not(editor: Editor) -> None:
    assert search_for(editor, "flam", RETURN)[0] == ["Flamenco", "Pose"]
    assert editor.session.history.steps() == ("Apply “Flamenco”",)
    assert not editor.pose_browsers.library_is_open()
    strike(editor, Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    library = editor.pose_browsers.library
    search_for(editor, "salute", RETURN)
    assert editor.session.history.steps()[-1] == "Apply “Salute”"
    assert library.panel.view.entry is not None
    assert library.panel.view.entry.name == "Salute"
    assert library.panel.share.value() == 100.0


def test_commands_come_before_what_fits_as_well_and_poses_by_name_before_what_commands_are_called_otherwise(
    editor: Editor,
) -> None:
    assert search_for(editor, "flip")[0][0] == "Flip limb in depth"
    kneeling = [title for title, _ in search_for(editor, "kneel")]
    assert kneeling.index("Kneel upright") < kneeling.index("Library of poses") < kneeling.index("Propose")
    assert search_for(editor, "hand")[0][0] == "Hands on hips", "what begins so before “Move handles to the joints”"
    assert search_for(editor, "hands")[0][0] == "Hands"
    assert search_for(editor, "point")[0] == ["Point", "Hands"], "what is called so before “Prop at the pointer…”"
    assert search_for(editor, "contrapposto")[0] == ["Contrapposto", "Pose"]
    assert "Stand at ease" in [title for title, _ in search_for(editor, "idle")]
    rows = search_for(editor, "stand")
    kinds = [kind for _, kind in rows]
    assert "Pose" in kinds
    assert rows[kinds.index("Pose")][0].startswith("Stand")


def test_nothing_typed_lists_commands_alone_and_nobody_takes_nothing(editor: Editor) -> None:
    assert not {kind for _, kind in search_for(editor, "")} & {"Pose", "Body"}
    shown = search_for(editor, "f\b")  # typed, and taken back
    assert shown
    assert not {kind for _, kind in shown} & {"Pose", "Body"}
    strike(editor, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    until(lambda: editor.session.active is None)
    assert not {kind for _, kind in search_for(editor, "a")} & {"Pose", "Body"}


@pytest.mark.slow
def test_a_pose_for_chosen_joints_without_any_opens_the_library_which_says_so(editor: Editor) -> None:
    strike(editor, Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    library = editor.pose_browsers.library
    library.panel.parts.setCurrentText("Selected joints")
    QTest.mouseClick(library.panel.close_button, Qt.MouseButton.LeftButton)
    assert not library.is_open
    search_for(editor, "salute", RETURN)
    assert library.is_open
    assert library.panel.said.text().startswith("No joint is selected")


@pytest.mark.slow
def test_a_pose_that_the_panel_does_not_show_is_taken_and_the_one_chosen_there_is_no_longer(
    editor: Editor,
) -> None:
    strike(editor, Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    panel = editor.pose_browsers.library.panel
    QTest.keyClicks(panel.search, "flamenco")
    QTest.keyClick(panel.search, DOWN)
    assert panel.view.entry is not None
    editor.viewport.setFocus()
    search_for(editor, "salute", RETURN)
    assert panel.view.entry is None
    assert not panel.share.isEnabled()
    QTest.mouseClick(panel.flip, Qt.MouseButton.LeftButton)
    assert editor.session.history.steps() == ("Apply “Salute”",), "what is flipped is what is chosen"


def test_a_pose_that_cannot_be_read_is_refused_by_its_file_though_the_library_is_closed(
    editor: Editor, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: refused.append(text))
    own.mkdir()
    written = json.loads(next(folders.shipped_folder().rglob("*.json")).read_text(encoding="utf-8"))
    written["name"], written["people"][0]["local_rotations"] = "Zebra", "none"
    (own / "zebra.json").write_text(json.dumps(written), encoding="utf-8")
    (own / "zebra with holes.json").write_text("{", encoding="utf-8")
    assert search_for(editor, "zebra", RETURN) == [["Zebra", "Pose"]], "what is known to be of no use is not offered"
    (text,) = refused
    assert text.startswith(str(own / "zebra.json"))
    assert not editor.session.history.steps()


@pytest.mark.slow
def test_bodies_by_name_are_a_command_of_their_own(editor: Editor) -> None:
    def take_the_second(menu: QMenu) -> None:
        heading, *choices = menu.actions()
        assert isinstance(heading, QWidgetAction)
        assert heading.defaultWidget().text() == "Body presets"  # type: ignore[attr-defined]
        assert heading.defaultWidget().isVisible()
        assert [unmarked(action.text()) for action in choices][:2] == ["Average", "Child"]
        assert editor.viewport.rect().contains(editor.viewport.mapFromGlobal(menu.pos()))
        for key in (DOWN, DOWN, RETURN):
            QTest.keyClick(menu, key)

    answer_once_shown(QMenu, take_the_second)
    assert search_for(editor, "body presets", RETURN)[0][0] == "Body presets…"
    assert active(editor).body == "anny:child"


def test_hands_are_found_by_their_names_and_taken_though_their_panel_was_never_open(editor: Editor) -> None:
    assert ["Fist", "Hands"] in search_for(editor, "fist")
    search_for(editor, "fist", RETURN)
    assert active(editor).hands == preset_hands("fist", load_body("anny"))
    assert editor.session.history.steps() == ("Take the hands “Fist”",)
    assert editor.panels.hands.panel is None
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert active(editor).hands == relaxed_hands()


@pytest.mark.slow
def test_hands_go_to_the_side_that_their_panel_says_which_blends_them_from_there(editor: Editor) -> None:
    editor.panels.show_hands()
    until(lambda: editor.panels.hands.panel is not None)
    panel = editor.panels.hands.panel
    assert isinstance(panel, HandsPanel)
    QTest.mouseClick(panel.sides.button("left"), Qt.MouseButton.LeftButton)
    assert search_for(editor, "peace", RETURN)[0] == ["Peace", "Left hand"]
    assert active(editor).hands == relaxed_hands().mixed(preset_hands("peace", load_body("anny")), 1.0, (0,))
    assert panel.grid.buttons["peace"].isChecked()
    assert panel.blend.isEnabled()


def test_hands_that_a_user_kept_are_found_too(editor: Editor) -> None:
    keep_hands(hands_folder(), "Tea time", preset_hands("pinch", load_body("anny")))
    assert search_for(editor, "tea ti", RETURN)[0] == ["Tea time", "Hands"]
    assert active(editor).hands is not None
    assert abs(active(editor).hands.rotations - preset_hands("pinch", load_body("anny")).rotations).max() < 1e-3
