"""Sections of the panels: their order, which are folded at first, folding by mouse and keys, and what is remembered."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from window_driver import activated, active, laid_out, until

from app.panels.all_panels import AllPanels
from app.panels.body_panel import BodyPanel
from app.panels.panel_column import PANEL_NARROWEST, PANEL_WIDTH, VIEW_WANTS, SideArea
from app.panels.solver_panel import SolverPanel
from app.panels.widgets.section import Section
from app.services.settings import SettingsStore
from app.window.editor import Editor

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton
Key = Qt.Key


def anew(editor: Editor, store: SettingsStore) -> AllPanels:
    """The panels as a window has them that starts with these settings."""
    return AllPanels(editor.session, store, editor.player)


def side_of(widget: QWidget) -> SideArea:
    while not isinstance(widget, SideArea):
        widget = widget.parentWidget()
    return widget


def sections(editor: Editor) -> list[Section]:
    panels = editor.panels
    return [*panels.left, *panels.right, panels.base_pose.advanced, panels.solver.advanced]


@pytest.mark.usefixtures("unfolded")
def test_what_one_uses_comes_first_and_what_one_needs_less_is_folded(editor: Editor, tmp_path) -> None:
    fresh = SettingsStore(QSettings(str(tmp_path / "none.ini"), QSettings.Format.IniFormat))
    panels = anew(editor, fresh)
    titles = [[section.title for section in side] for side in (panels.left, panels.right)]
    assert titles == [
        ["People and props", "Prop", "Effectors", "Target"],
        ["Base pose", "Library", "Photo", "Body", "Hands", "Solver"],
    ]
    folded = {section.title for section in (*panels.left, *panels.right) if not section.is_open()}
    assert folded == {"Body", "Hands", "Solver"}
    assert not panels.base_pose.advanced.is_open()
    assert not panels.solver.advanced.is_open()
    assert panels.prop.isHidden(), "it shows with a prop that is selected"


@pytest.mark.usefixtures("unfolded")
def test_expert_options_are_under_advanced(editor: Editor) -> None:
    panels = editor.panels
    for section, inside in (
        (panels.base_pose.advanced, tuple(panels.base_pose.strengths.values())),
        (panels.solver.advanced, (panels.solver.options, panels.solver.count, panels.solver.threshold)),
    ):
        assert all(section.isAncestorOf(widget) and widget.isVisible() for widget in inside)
        QTest.mouseClick(section.header, LEFT)
        assert not any(widget.isVisible() for widget in inside)


@pytest.mark.slow
@pytest.mark.usefixtures("unfolded")
def test_what_is_folded_by_a_click_stays_folded_at_the_next_start(editor: Editor, store: SettingsStore) -> None:
    for title in ("Target", "Body"):
        QTest.mouseClick(editor.panels.section(title).header, LEFT)
    QTest.mouseClick(editor.panels.section("Hands").header, LEFT)
    panels = anew(editor, store)
    states = {title: panels.section(title).is_open() for title in ("Target", "Body", "Hands", "Effectors")}
    assert states == {"Target": False, "Body": False, "Hands": True, "Effectors": True}


@pytest.mark.slow
def test_what_is_folded_at_the_start_is_made_when_it_unfolds_and_then_works(editor: Editor) -> None:
    panels, made = editor.panels, editor.window.findChild
    for title, kind in (("Body", BodyPanel), ("Solver", SolverPanel)):
        assert made(kind) is None, "the window starts without"
        QTest.mouseClick(panels.section(title).header, LEFT)
        panel = made(kind)
        assert panel is not None
        assert panel.isVisible()
        laid_out()
        section, view = panels.section(title), side_of(panel).viewport()
        top = section.mapTo(view, QPoint()).y()
        assert top >= 0, "its header is still seen"
        assert top + section.height() <= view.height() or top == 0, "all of it, or from its header on"
    before = active(editor)
    assert panels.solver.choice.currentData() == before.solver
    assert panels.body.gender.current() == before.shape.gender
    QTest.mouseClick(panels.solver.recover, LEFT)
    until(lambda: active(editor).effectors != before.effectors)


def test_a_title_folds_and_unfolds_by_keys(editor: Editor) -> None:
    section = editor.panels.section("Library")
    activated(editor.window)
    section.header.setFocus(Qt.FocusReason.TabFocusReason)
    assert section.header.hasFocus()
    for key, open in (
        (Key.Key_Space, False), (Key.Key_Space, True), (Key.Key_Left, False), (Key.Key_Left, False),
        (Key.Key_Right, True), (Key.Key_Right, True), (Key.Key_Return, False),
    ):  # fmt: skip
        QTest.keyClick(section.header, key)
        assert section.is_open() is open, key
    QTest.keyClick(section.header, Key.Key_Tab)
    assert not section.header.hasFocus()


def test_a_title_that_has_the_keyboard_shows_it(editor: Editor) -> None:
    header = editor.panels.section("Library").header
    before = header.grab().toImage()
    activated(editor.window)
    header.setFocus(Qt.FocusReason.TabFocusReason)
    assert header.grab().toImage() != before


def test_poses_can_be_browsed_and_saved_from_the_library_section(editor: Editor) -> None:
    buttons = editor.panels.library.by_id
    QTest.mouseClick(buttons["pose.library"], LEFT)
    assert editor.pose_browsers.library_is_open()
    editor.refresh()
    assert buttons["pose.library"].isChecked()
    QTest.mouseClick(buttons["pose.library"], LEFT)
    assert not editor.pose_browsers.library_is_open()
    editor.posing.remove_person()
    editor.refresh()
    assert not buttons["pose.library_save"].isEnabled()


@pytest.mark.slow
@pytest.mark.usefixtures("unfolded")
def test_nothing_is_cut_off_in_the_narrowest_panels(editor: Editor) -> None:
    editor.actions["prop.box"].trigger()
    editor.refresh()
    assert editor.panels.prop.isVisible()
    editor.window.resize(1024, 700)
    for section in sections(editor):
        section.set_open(True)
    laid_out()
    assert editor.window.width() == 1024
    for section in sections(editor):
        room = side_of(section).viewport().width()
        assert section.mapTo(side_of(section).viewport(), section.rect().topRight()).x() < room, section.title
        assert section.minimumSizeHint().width() <= PANEL_NARROWEST - 10, section.title


def test_panels_leave_the_view_room_in_a_narrow_window_and_take_it_back(editor: Editor) -> None:
    left, right = side_of(editor.panels.left[0]), side_of(editor.panels.right[0])
    assert (left.width(), right.width()) == (PANEL_WIDTH, PANEL_WIDTH)
    editor.window.resize(1024, 700)
    laid_out()
    assert (left.width(), right.width()) == (PANEL_NARROWEST, PANEL_NARROWEST)
    assert editor.viewport.width() > 1024 - 2 * PANEL_WIDTH
    editor.window.resize(1400, 800)
    laid_out()
    assert (left.width(), right.width()) == (PANEL_WIDTH, PANEL_WIDTH)
    assert editor.viewport.width() >= VIEW_WANTS


def test_a_width_that_the_user_gave_a_panel_comes_back_too(editor: Editor) -> None:
    left = side_of(editor.panels.left[0])
    columns = left.parentWidget()
    editor.window.resize(1500, 800)
    laid_out()
    handle = columns.handle(1)
    middle = handle.rect().center()
    from window_driver import move_held

    QTest.mousePress(handle, LEFT, Qt.KeyboardModifier.NoModifier, middle)
    move_held(handle, middle + handle.rect().topLeft() + type(middle)(60, 0))
    QTest.mouseRelease(handle, LEFT, Qt.KeyboardModifier.NoModifier, middle)
    laid_out()
    wide = left.width()
    assert wide > PANEL_WIDTH + 30
    editor.window.resize(1024, 700)
    laid_out()
    assert left.width() == PANEL_NARROWEST
    editor.window.resize(1500, 800)
    laid_out()
    assert left.width() == wide


def test_a_panel_that_was_pushed_away_stays_away_in_a_narrow_window(editor: Editor) -> None:
    left = side_of(editor.panels.left[0])
    columns = left.parentWidget()
    columns.setSizes([0, 900, PANEL_WIDTH])
    editor.window.resize(1024, 700)
    laid_out()
    assert columns.sizes()[0] == 0


@pytest.mark.usefixtures("unfolded")
def test_what_unfolds_below_the_end_of_the_panels_is_scrolled_into_view(editor: Editor) -> None:
    solver = editor.panels.solver
    section, area = next(s for s in editor.panels.right if s.title == "Solver"), side_of(solver)
    for each in (solver.advanced, section):
        if each.is_open():
            each.toggle()
    laid_out()
    area.verticalScrollBar().setValue(0)
    area.ensureWidgetVisible(section.header, 0, 0)
    for each in (section, solver.advanced):
        QTest.mouseClick(each.header, LEFT)
        laid_out()
        until(lambda each=each: each.height() > 100)  # type: ignore[misc]
        laid_out()
        top = each.mapTo(area.viewport(), QPoint()).y()
        assert top >= 0, "its header is still seen"
        assert top + each.height() <= area.viewport().height() or top == 0, "all of it, or from its header on"


@pytest.mark.usefixtures("unfolded")
def test_the_wheel_over_a_list_scrolls_the_panel_and_leaves_the_keyboard_with_the_view(editor: Editor) -> None:
    box = editor.panels.solver.choice
    side_of(box).ensureWidgetVisible(box)
    activated(editor.window)
    editor.viewport.setFocus()
    chosen, window = box.currentIndex(), editor.window.windowHandle()
    place = box.mapTo(editor.window, box.rect().center())
    QTest.wheelEvent(window, QPointF(place), QPoint(0, -120))
    laid_out()
    assert editor.viewport.hasFocus()
    assert box.currentIndex() == chosen
