"""The list of solvers in the panel: what each is good for and what it heeds, and choosing one with mouse and keys."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyleOptionViewItem
from window_driver import NO_KEYS, activated, settled, until

from app.look.wording import heeds_text
from app.panels.widgets.described_item_delegate import ROOM, DescribedItemDelegate
from app.window.editor import Editor
from solver.rig.roles import SMPL_ROLES
from solver.sentences import both_sides
from solver.solvers.catalog import SOLVERS

pytestmark = pytest.mark.usefixtures("unfolded")

LEFT, LINES = Qt.MouseButton.LeftButton, Qt.ItemDataRole.UserRole + 1


def solver_of(editor: Editor) -> str:
    return editor.session.document.characters[0].solver


def test_every_solver_says_what_it_is_good_for_in_one_sentence() -> None:
    for spec in SOLVERS:
        assert spec.summary.endswith("."), spec.id
        assert ". " not in spec.summary, spec.id
        assert len(spec.summary) < 100, spec.id


def test_what_a_solver_heeds_is_said_by_its_spec() -> None:
    smplik = SOLVERS["smplik"]
    assert heeds_text(SOLVERS["dls"]) == "Takes tolerances and what you keep into account."
    said = "Its network takes tolerances into account, but not what you keep"
    assert heeds_text(smplik) == f"{said}; the exact stage does."
    assert heeds_text(replace(smplik, exact=False)) == f"{said}."
    both = "Its network takes tolerances and what you keep into account; handles come first."
    assert heeds_text(SOLVERS["skelik"]) == both
    neither = "Its network takes neither tolerances nor what you keep into account"
    assert heeds_text(SOLVERS["pose_edition"]) == (
        f"{neither}; the exact stage does. It places ankles, head and wrists only."
    )
    alone = replace(smplik, heeds=frozenset(), exact=False, placeable_roles=frozenset({"head"}))
    assert heeds_text(alone) == f"{neither}. It places head only."
    other = replace(smplik, heeds=frozenset({"preservation"}))
    kept = "Its network takes what you keep into account, but not tolerances; the exact stage does."
    assert heeds_text(other) == kept


def test_joints_of_both_sides_are_named_together() -> None:
    words = [role.words for role in SMPL_ROLES if "knee" in role or role in ("head", "left_wrist")]
    assert both_sides(words) == ["knees", "head", "left wrist"]


@pytest.mark.slow
@pytest.mark.gl
def test_the_list_opens_with_sentences_and_a_click_chooses(editor: Editor, a_quick_finger: None) -> None:
    panel = editor.panels.solver
    editor.refresh()
    QTest.mouseClick(panel.choice, LEFT)
    view = panel.choice.view()
    until(view.isVisible)
    place = view.visualRect(view.model().index(panel.choice.findData("skelik"), 0))
    assert place.width() >= ROOM - 20
    assert place.height() > 3 * view.fontMetrics().height()
    row = view.viewport().grab(place).toImage()
    lower = {row.pixel(x, y) for x in range(8, 300, 2) for y in range(row.height() // 2, row.height(), 2)}
    assert len(lower) > 4, "there is nothing below the title"
    for number in range(panel.choice.count()):
        row = view.viewport().grab(view.visualRect(view.model().index(number, 0))).toImage()
        last = {row.pixel(x, y) for x in range(row.width()) for y in (row.height() - 3, row.height() - 2)}
        assert len(last) <= 2, f"the last line of row {number} runs into the next row"
    QTest.mouseMove(view.viewport(), place.center())
    QTest.mouseClick(view.viewport(), LEFT, NO_KEYS, place.center())
    until(lambda: solver_of(editor) == "skelik")
    settled(editor.session)
    editor.refresh()
    assert panel.summary.text() == SOLVERS["skelik"].summary
    assert panel.heeds.text() == heeds_text(SOLVERS["skelik"])
    assert editor.session.history.undo_text == "Choose solver SKEL-IK"


@pytest.mark.gl
def test_keys_choose_in_the_closed_list(editor: Editor) -> None:
    choice = editor.panels.solver.choice
    editor.refresh()
    activated(editor.window)
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Down)
    until(lambda: solver_of(editor) == "protores")
    assert choice.currentText() == "ProtoRes"
    settled(editor.session)


@pytest.mark.gl
def test_entries_are_as_high_as_their_sentences_need(editor: Editor) -> None:
    choice = editor.panels.solver.choice
    editor.refresh()
    delegate, option = DescribedItemDelegate(choice, LINES), QStyleOptionViewItem()
    option.font = choice.font()
    index = choice.model().index(choice.findData("dls"), 0)
    usual = delegate.sizeHint(option, index).height()
    choice.explain(index.row(), " ".join(["much to say"] * 30))
    assert delegate.sizeHint(option, index).height() > usual
    choice.setItemData(index.row(), None, LINES)
    assert delegate.sizeHint(option, index).height() < usual
