"""Pose edition in the window: what its network alone knows nothing of is greyed, what it cannot place is said."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from window_hand import settled

from app.document import edits
from app.document.model.document import Character
from app.document.posing.solving import heeds, refusal_for, takes
from app.panels.effector_menu import effector_menu, fill_add_menu, joint_menu
from app.panels.effector_row import TOLERANCE_TIP, UNTOLERATED_TIP
from app.panels.option_rows import SwitchRow
from app.window.editor import Editor
from solver.ik.options import PROPOSAL_ALONE
from solver.ik.solver import PRESERVATION, TOLERANCE
from solver.solvers.catalog import SOLVERS


@pytest.fixture
def desk(editor: Editor) -> Iterator[Editor]:
    """The window with a person whom pose edition poses."""
    choose(editor, "pose_edition")
    yield editor
    choose(editor, "dls")


def choose(editor: Editor, solver: str) -> None:
    editor.session.edit("Choose", edits.set_solver("c1", solver), solve=True)
    settled(editor.session)
    editor.refresh()


def person(editor: Editor) -> Character:
    return editor.session.document.characters[0]


def network_alone(editor: Editor) -> None:
    row = editor.panels.solver.options.rows[PROPOSAL_ALONE.id]
    assert isinstance(row, SwitchRow)
    QTest.mouseClick(
        row.box, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(8, row.box.height() // 2)
    )
    settled(editor.session)
    editor.refresh()


def entries(menu: QMenu) -> dict[str, QAction]:
    return {action.text(): action for action in menu.actions()}


@pytest.mark.gl
def test_tolerance_and_what_is_kept_are_greyed_while_the_network_alone_is_shown(desk: Editor) -> None:
    rows, base = desk.panels.effectors.rows, desk.panels.base_pose
    placed = next(row for row, e in zip(rows, person(desk).effectors, strict=True) if e.kind == "position")
    assert refusal_for(person(desk)) == ""
    assert placed.tolerance.isEnabled()
    assert placed.tolerance.toolTip() == TOLERANCE_TIP
    assert base.modes.isEnabled()
    network_alone(desk)
    assert not placed.tolerance.isEnabled()
    assert placed.tolerance.toolTip() == UNTOLERATED_TIP
    assert not base.modes.isEnabled()
    assert not base.table.isEnabled()
    assert not any(slider.isEnabled() for slider in base.strengths.values())
    assert base.about.text().startswith("Pose edition alone keeps nothing")
    menu = QMenu()
    effector_menu(menu, desk.session, person(desk).effectors[0].id)
    assert not entries(menu)["Tolerance"].isEnabled()
    network_alone(desk)
    assert placed.tolerance.isEnabled()
    assert base.table.isEnabled()


@pytest.mark.gl
def test_a_network_that_heeds_tolerance_alone_keeps_its_slider(editor: Editor) -> None:
    choose(editor, "smplik")
    network_alone(editor)
    assert heeds(person(editor), TOLERANCE)
    assert not heeds(person(editor), PRESERVATION)
    assert editor.panels.effectors.rows[0].tolerance.isEnabled()
    assert not editor.panels.base_pose.modes.isEnabled()
    network_alone(editor)
    choose(editor, "dls")


@pytest.mark.gl
def test_places_that_it_cannot_be_asked_for_stand_grey_in_the_menus(desk: Editor) -> None:
    spec, menu = SOLVERS["pose_edition"], QMenu()
    fill_add_menu(menu, spec, ["left_knee", "left_wrist"], lambda kind, joint: None)
    assert not entries(menu)["Position of left knee"].isEnabled()
    assert entries(menu)["Position of left wrist"].isEnabled()
    assert entries(menu)["Rotation of left knee"].isEnabled()
    knee = QMenu()
    joint_menu(knee, desk.session, "left_knee", lambda kind, joint: None)
    assert not entries(knee)["Add position"].isEnabled()
    assert takes(person(desk), "position", "head")
    assert not takes(person(desk), "position", "pelvis")


@pytest.mark.gl
def test_who_asks_for_another_place_anyway_is_told_which_and_who_stands_in(desk: Editor) -> None:
    desk.panels.effectors.add_effector("position", "left_knee")
    settled(desk.session)
    desk.refresh()
    assert "no position of the left knee" in desk.panels.solver.refusal.text()
    assert "stands in" in desk.panels.solver.refusal.text()
    assert desk.panels.effectors.rows[-1].detail.text() == "Unsupported"
    desk.session.undo()
    settled(desk.session)
    desk.refresh()
    assert desk.panels.solver.refusal.text() == ""
