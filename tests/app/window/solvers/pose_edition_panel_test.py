"""Pose edition in the window: what its network alone knows nothing of is greyed, what it cannot place is said."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget
from window_driver import laid_out, settled

from app.document import edits
from app.document.model.document import Character
from app.document.posing.solving import kind_has_effect, refusal_for, solver_heeds, solver_takes
from app.look.mnemonics import unmarked
from app.panels.base_pose_panel import UNHEEDED
from app.panels.effector_menu import effector_menu, fill_add_menu, joint_menu
from app.panels.effector_row import PIN_TIP, PINNED_TIP, TOLERANCE_TIP, UNPINNABLE_TIP, UNTOLERATED_TIP
from app.panels.option_rows import ChoiceRow, SwitchRow
from app.window.editor import Editor
from solver.ik.options import PROPOSAL_ALONE
from solver.ik.solver import PRESERVATION, TOLERANCE
from solver.solvers.catalog import SOLVERS

pytestmark = pytest.mark.usefixtures("unfolded")


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
    return {unmarked(action.text()): action for action in menu.actions()}


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
    assert base.about.text() == UNHEEDED
    assert not placed.pin.isEnabled()
    assert placed.pin.toolTip() == UNPINNABLE_TIP
    menu, joint = QMenu(), QMenu()
    effector_menu(menu, desk.session, person(desk).effectors[0].id)
    assert not entries(menu)["Tolerance"].isEnabled()
    assert not entries(menu)["Pin"].isEnabled()
    joint_menu(joint, desk.session, "head", lambda kind, joint: None)
    assert not entries(joint)["Keep shape of the base pose"].isEnabled()
    network_alone(desk)
    assert placed.tolerance.isEnabled()
    assert placed.pin.isEnabled()
    assert placed.pin.toolTip() == PIN_TIP
    assert base.table.isEnabled()
    QTest.mouseClick(placed.pin, Qt.MouseButton.LeftButton)
    settled(desk.session)
    desk.refresh()
    assert not placed.tolerance.isEnabled()
    assert placed.tolerance.toolTip() == PINNED_TIP


def brightest(widget: QWidget) -> int:
    picture = widget.grab().toImage()
    return max(picture.pixelColor(x, y).lightness() for x in range(picture.width()) for y in range(picture.height()))


@pytest.mark.gl
def test_the_lists_of_feet_and_balance_are_drawn_grey_while_the_network_alone_is_shown(desk: Editor) -> None:
    desk.window.setFocus()
    lists = [row.box for row in desk.panels.solver.options.rows.values() if isinstance(row, ChoiceRow)]
    assert len(lists) == 3
    before = [brightest(box) for box in lists]
    network_alone(desk)
    desk.window.setFocus()
    assert all(brightest(box) < lit - 60 for box, lit in zip(lists, before, strict=True))


@pytest.mark.gl
def test_whatever_is_grey_in_the_base_pose_panel_says_why(desk: Editor) -> None:
    base, why = desk.panels.base_pose, UNHEEDED
    arm = base.rows["left arm"]
    QTest.mouseClick(arm.fold, Qt.MouseButton.LeftButton)
    controls = (
        base.modes.button("local"),
        *base.strengths.values(),
        base.release,
        arm.buttons["place"],
        next(iter(arm.children_rows.values())).buttons["shape"],
    )
    before = [control.toolTip() for control in controls]
    assert why not in before
    below = base.modes.y()
    network_alone(desk)
    laid_out()
    assert base.modes.y() == below, "nothing moves under the pointer"
    assert {control.toolTip() for control in controls} == {why}
    assert not any(control.isEnabled() for control in controls)
    network_alone(desk)
    assert [control.toolTip() for control in controls] == before


@pytest.mark.gl
def test_turns_and_aims_say_that_they_have_no_effect_on_the_network_alone(desk: Editor) -> None:
    rows = desk.panels.effectors.rows
    turned = next(row for row, e in zip(rows, person(desk).effectors, strict=True) if e.kind == "rotation")
    assert turned.tolerance.isEnabled()
    network_alone(desk)
    assert turned.detail.text() == "No effect"
    assert "uses places only" in turned.toolTip()
    assert not turned.tolerance.isEnabled()
    assert not turned.pin.isEnabled()
    one = person(desk)
    turn = next(e for e in one.effectors if e.kind == "rotation")
    desk.session.edit("Off", edits.set_enabled(one.id, turn.id, False), solve=True)
    settled(desk.session)
    assert person(desk).pose == one.pose
    menu, joint = QMenu(), QMenu()
    fill_add_menu(menu, SOLVERS["pose_edition"], ["head"], lambda kind, joint: None, partial(kind_has_effect, one))
    assert not entries(menu)["Look-at of head"].isEnabled()
    assert entries(menu)["Position of head"].isEnabled()
    joint_menu(joint, desk.session, "head", lambda kind, joint: None)
    assert not entries(joint)["Add rotation"].isEnabled()
    network_alone(desk)
    assert kind_has_effect(person(desk), "rotation")


@pytest.mark.gl
@pytest.mark.parametrize("solver", ["smplik", "dragposer"])
def test_a_network_that_heeds_tolerance_alone_keeps_its_slider(editor: Editor, solver: str) -> None:
    choose(editor, solver)
    network_alone(editor)
    assert solver_heeds(person(editor), TOLERANCE)
    assert not solver_heeds(person(editor), PRESERVATION)
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
    assert solver_takes(person(desk), "position", "head")
    assert not solver_takes(person(desk), "position", "pelvis")


@pytest.mark.gl
def test_asking_for_another_place_anyway_names_it_and_the_stand_in(desk: Editor) -> None:
    desk.panels.effectors.add_effector("position", "left_knee")
    settled(desk.session)
    desk.refresh()
    assert "no position effector on the left knee" in desk.panels.solver.refusal.text()
    assert "stands in" in desk.panels.solver.refusal.text()
    assert desk.panels.effectors.rows[-1].detail.text() == "Unsupported"
    desk.session.undo()
    settled(desk.session)
    desk.refresh()
    assert desk.panels.solver.refusal.text() == ""
