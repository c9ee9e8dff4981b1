"""The solver's menu and options in the window: what a solver declares is drawn, set by the mouse, kept and undone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made_up_solvers import LEAN, LEANING, MIRRORED, SIDE, registered
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_driver import move_held, settled, until

from app.cli.main import main
from app.dialogs.settings_dialog import SettingsDialog
from app.document import edits
from app.document.model.document import Character
from app.document.posing.create import new_document
from app.document.posing.solving import refusal_for, solution_of, usable_of
from app.document.scene_file.io import load_scene, save_scene
from app.panels.option_rows import ChoiceRow, NumberRow, SwitchRow
from app.window.editor import Editor
from solver.ik.options import PROPOSAL_ALONE, SOLID_FLOOR, STANDING
from solver.solvers.catalog import SOLVERS

pytestmark = pytest.mark.usefixtures("unfolded")

LEFT, NO_KEYS = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def leaning(editor: Editor) -> Iterator[Editor]:
    """The window with a character that a solver with options of every type poses."""
    with registered(LEANING):
        editor.session.edit("Choose", edits.set_solver("c1", LEANING.id), solve=True)
        settled(editor.session)
        editor.refresh()
        yield editor
        editor.session.edit("Choose", edits.set_solver("c1", "dls"), solve=True)
        settled(editor.session)


def person(editor: Editor) -> Character:
    return editor.session.document.characters[0]


def menu(editor: Editor) -> list[str]:
    editor.refresh()
    choice = editor.panels.solver.choice
    return [choice.itemData(i) for i in range(choice.count())]


@pytest.mark.gl
def test_every_declared_option_has_its_row(leaning: Editor) -> None:
    rows = leaning.panels.solver.options.rows
    assert list(rows) == [option.id for option in LEANING.options]
    assert [type(rows[o.id]) for o in (MIRRORED, LEAN, SIDE)] == [SwitchRow, NumberRow, ChoiceRow]
    assert all(row.isVisible() for row in rows.values())
    number = rows[LEAN.id]
    assert isinstance(number, NumberRow)
    assert number.slider.text() == "0.0 °"
    assert number.slider.toolTip() == LEAN.tip


@pytest.mark.gl
def test_a_switch_is_clicked_and_undone(leaning: Editor) -> None:
    row = leaning.panels.solver.options.rows[MIRRORED.id]
    assert isinstance(row, SwitchRow)
    before = person(leaning)
    QTest.mouseClick(row.box, LEFT, NO_KEYS, QPoint(8, row.box.height() // 2))
    assert person(leaning).solver_options == {**before.solver_options, MIRRORED.id: True}
    assert leaning.session.history.undo_text == "Turn on “Other way round”"
    settled(leaning.session)
    leaning.session.undo()
    leaning.refresh()
    assert person(leaning) == before
    assert not row.box.isChecked()


@pytest.mark.gl
def test_a_number_is_dragged_in_one_step_and_the_body_leans_with_it(leaning: Editor) -> None:
    row = leaning.panels.solver.options.rows[LEAN.id]
    assert isinstance(row, NumberRow)
    steps, upright = len(leaning.session.history.steps()), person(leaning).pose
    middle = row.slider.rect().center()
    QTest.mousePress(row.slider, LEFT, NO_KEYS, middle)
    for way in (10, 20, 40):
        move_held(row.slider, middle + QPoint(way, 0))
    QTest.mouseRelease(row.slider, LEFT, NO_KEYS, middle + QPoint(40, 0))
    settled(leaning.session)
    assert LEAN.of(person(leaning).solver_options) > 1.0
    assert len(leaning.session.history.steps()) == steps + 1
    assert np.abs(person(leaning).pose.rotations - upright.rotations).max() > 0.01
    row.slider.commit(1000.0)
    assert LEAN.of(person(leaning).solver_options) == LEAN.high


@pytest.mark.gl
def test_a_choice_is_made_with_the_mouse(leaning: Editor, a_quick_finger: None) -> None:
    row = leaning.panels.solver.options.rows[SIDE.id]
    assert isinstance(row, ChoiceRow)
    QTest.mouseClick(row.box, LEFT)
    list_view = row.box.view()
    until(list_view.isVisible)
    second = list_view.visualRect(list_view.model().index(1, 0)).center()
    QTest.mouseMove(list_view.viewport(), second)
    QTest.mouseClick(list_view.viewport(), LEFT, NO_KEYS, second)
    until(lambda: SIDE.of(person(leaning).solver_options) == "aside")
    assert leaning.session.history.undo_text == "Set “Leans”"


@pytest.mark.gl
def test_options_that_are_not_the_solvers_are_kept_but_not_shown(leaning: Editor) -> None:
    session, panel = leaning.session, leaning.panels.solver
    session.edit("Lean", edits.set_solver_option("c1", LEAN.id, 12.0), solve=True)
    session.edit("Choose", edits.set_solver("c1", "dls"), solve=True)
    settled(session)
    leaning.refresh()
    assert list(panel.options.rows) == [option.id for option in STANDING]
    session.edit("Choose", edits.set_solver("c1", "smplik"), solve=True)
    settled(session)
    leaning.refresh()
    assert list(panel.options.rows) == [PROPOSAL_ALONE.id, *(option.id for option in STANDING)]
    assert person(leaning).solver_options[LEAN.id] == 12.0


def test_a_file_keeps_all_options_of_a_solver(tmp_path: Path) -> None:
    options = {PROPOSAL_ALONE.id: True, SOLID_FLOOR.id: False, LEAN.id: 12.5, SIDE.id: "aside", MIRRORED.id: False}
    document = new_document()
    for id, value in options.items():
        document = edits.set_solver_option("c1", id, value)(document)
    save_scene(tmp_path / "scene.json", document)
    read = load_scene(tmp_path / "scene.json")
    assert dict(read.characters[0].solver_options) == options
    assert read.characters[0] == document.characters[0]


@pytest.mark.gl
def test_solvers_that_are_there_to_be_compared_with_are_shown_when_one_wants_them(editor: Editor) -> None:
    assert menu(editor) == [spec.id for spec in SOLVERS if not spec.baseline]
    assert {"smplik", "protores", "skelik", "pose_edition", "dragposer", "dls"} == set(menu(editor))
    dialog = SettingsDialog(editor.settings, editor.window)
    dialog.show()
    QApplication.processEvents()
    for shown in (True, False):
        QTest.mouseClick(dialog.baselines, LEFT, NO_KEYS, QPoint(8, dialog.baselines.height() // 2))
        assert editor.settings.values.show_baselines is shown
        choice = editor.panels.solver.choice
        assert (choice.findData("fabrik") >= 0) is shown
    dialog.close()
    dialog.deleteLater()


@pytest.mark.gl
@pytest.mark.parametrize("id", ["fabrik", "ccd"])
def test_a_scene_that_names_one_of_them_opens_shows_and_solves(id: str, editor: Editor, tmp_path: Path) -> None:
    save_scene(tmp_path / "scene.json", edits.set_solver("c1", id)(new_document()))
    editor.files.open_path(tmp_path / "scene.json")
    until(lambda: person(editor).solver == id)
    assert id in menu(editor)
    assert editor.panels.solver.choice.currentData() == id
    assert usable_of(person(editor)).solver.spec.id == id
    assert main(["solve", str(tmp_path / "scene.json"), "-o", str(tmp_path / "solved.json"), "-q"]) == 0
    assert load_scene(tmp_path / "solved.json").characters[0].solver == id


def test_a_solver_that_is_not_there_is_stood_in_for_and_told() -> None:
    character = replace(new_document().characters[0], solver="tomorrows")
    assert "no solver named “tomorrows”" in refusal_for(character)
    assert solution_of(character).pose == solution_of(replace(character, solver="dls")).pose
