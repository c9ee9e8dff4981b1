"""The window on a screen of 1024 x 700 at 150%: all is in sight or can be scrolled to, and is really clicked."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from document_samples import random_photo
from odd_rigs import nameless
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QStyle, QToolBar, QToolButton
from small_window import SMALL, TITLE_BAR, cut_off, make_small, on_top, scrolled_to, seen, used, whole
from timeline_driver import set_moving
from window_driver import activated, active, laid_out, move_held, settled, strike, until

from app.dialogs.export_dialog import ExportDialog
from app.dialogs.joint_map_dialog import JointMapDialog
from app.dialogs.people_dialog import PeopleDialog
from app.document import edits
from app.labelling.bar import LabelBar
from app.labelling.values import Standing
from app.look.mnemonics import unmarked
from app.panels.panel_column import PANEL_NARROWEST, PANEL_WIDTH, SideArea
from app.panels.widgets.section import Section
from app.window.commands.command_search import CommandSearch
from app.window.editor import Editor
from solver.formats.gltf.mapped_people import mapped_people
from solver.rig.joint_map_file import JointMaps

pytestmark = pytest.mark.gl
LEFT, Key = Qt.MouseButton.LeftButton, Qt.Key
EFFECTORS, BODY = "Effectors", "Pose and body"


@pytest.fixture
def small(editor: Editor) -> Editor:
    """The window at that size."""
    make_small(editor)
    return editor


def side(editor: Editor, title: str) -> SideArea:
    return next(each for each in editor.window.findChildren(SideArea) if each.title == title)


def switch_to(editor: Editor, title: str) -> SideArea:
    """Click the switch above the panels that show."""
    (shown,) = [each for each in editor.window.findChildren(SideArea) if each.isVisible()]
    button = shown.switch.button(title)
    assert whole(button)
    ends = [shown.switch.rect().topLeft(), shown.switch.rect().bottomRight()]
    assert all(shown.childAt(shown.switch.mapTo(shown, end)) is shown.switch for end in ends), "nothing lies over it"
    QTest.mouseClick(button, LEFT)
    laid_out()
    return side(editor, title)


def unfolded(editor: Editor, title: str) -> Section:
    """A section that was opened by a click on its title, where it was not open."""
    section = editor.panels.section(title)
    if not section.is_open():
        QTest.mouseClick(scrolled_to(section.header), LEFT)
        laid_out()
    return section


def test_all_parts_of_the_window_are_within_it_and_none_lies_over_another(small: Editor) -> None:
    window = small.window
    set_moving(small, 30)
    small.settings.set(curves=True)
    laid_out()
    assert small.viewport.width() >= 360
    assert small.viewport.height() >= 100
    places = [QRect(area.mapTo(window, QPoint()), area.size()) for area in window.areas]
    assert len(places) == 4, "panels, view, timeline, curves"
    assert all(window.rect().contains(place) for place in places)
    assert not any(a.intersects(b) for n, a in enumerate(places) for b in places[:n])
    assert all(whole(area) for area in window.areas)


@pytest.mark.sweep("Effectors")
@pytest.mark.usefixtures("unfolded")
@pytest.mark.parametrize("title", [EFFECTORS, BODY])
def test_nothing_one_uses_in_a_panel_is_cut_off(small: Editor, title: str) -> None:
    small.actions["prop.box"].trigger()
    if title == BODY:
        photo = random_photo(np.random.default_rng(3), "a photo with quite a long name.png")
        small.session.edit("Photo", edits.set_photo(photo))
    settled(small.session)
    small.refresh()
    area = side(small, title)
    if not area.isVisible():
        area = switch_to(small, title)
    for section in area.sections:
        section.set_open(True)
    small.panels.base_pose.advanced.set_open(True)
    small.panels.solver.advanced.set_open(True)
    laid_out()
    assert len(list(used(area.widget()))) > 20
    assert cut_off(area) == []


def test_what_an_effector_is_can_be_read(small: Editor) -> None:
    effectors, rows = active(small).effectors, small.panels.effectors.rows
    shown = [row.detail.shown() for row, effector in zip(rows, effectors, strict=True) if not effector.loose]
    assert {"Position", "Rotation"} <= set(shown)
    assert not any(text.endswith("…") for text in shown)


@pytest.mark.slow
def test_on_which_side_of_the_own_body_a_hand_lies_can_be_read(small: Editor) -> None:
    small.actions["contact.hips"].trigger()
    settled(small.session)
    small.refresh()
    laid_out()
    rows = small.panels.effectors.rows
    assert [row.detail.shown() for row in rows[:2]] == ["On own left hip", "On own right hip"]
    assert [row.detail.text() for row in rows[:2]] == ["On front of own left hip", "On front of own right hip"]


@pytest.mark.slow
@pytest.mark.usefixtures("unfolded")
def test_a_slider_of_the_body_is_dragged_and_a_button_of_the_photo_clicked(small: Editor) -> None:
    switch_to(small, BODY)
    unfolded(small, "Body")
    stature, before = small.panels.body.stature, active(small).shape
    start = scrolled_to(stature).rect().center()
    QTest.mousePress(stature, LEFT, Qt.KeyboardModifier.NoModifier, start)
    for by in (20, 50):
        move_held(stature, start + QPoint(by, 0))
    QTest.mouseRelease(stature, LEFT, Qt.KeyboardModifier.NoModifier, start + QPoint(50, 0))
    assert active(small).shape != before
    asked = []
    small.panels.photo.open_asked.disconnect()
    small.panels.photo.open_asked.connect(lambda: asked.append(True))
    QTest.mouseClick(scrolled_to(small.panels.photo.open), LEFT)
    assert asked


def test_the_tools_without_room_are_behind_a_button(small: Editor) -> None:
    bar = small.window.findChild(QToolBar, "toolbar")
    more = bar.findChild(QToolButton, "qt_toolbar_ext_button")
    light, shown = bar.widgetForAction(small.actions["view.light"]), small.settings.values.theme
    assert not light.isVisible()
    assert whole(more)
    assert not more.icon().isNull()
    QTest.mouseClick(more, LEFT)
    until(lambda: light.isVisible() and on_top(light))
    QTest.mouseClick(light, LEFT)
    assert small.settings.values.theme != shown


def test_a_menu_that_is_higher_than_the_screen_scrolls(small: Editor) -> None:
    menu = next(action.menu() for action in small.window.menuBar().actions() if unmarked(action.text()) == "View")
    assert menu.sizeHint().height() > SMALL.height()
    assert menu.style().styleHint(QStyle.StyleHint.SH_Menu_Scrollable, None, menu), "in columns keys would be cut off"


def test_a_section_that_is_asked_for_comes_to_the_front(small: Editor) -> None:
    assert not side(small, BODY).isVisible()
    small.actions["pose.hands"].trigger()
    laid_out()
    assert side(small, BODY).isVisible()
    assert not side(small, EFFECTORS).isVisible()
    assert whole(small.panels.section("Hands").header)
    assert small.panels.hands.isAncestorOf(small.window.focusWidget())
    assert side(small, BODY).switch.current() == BODY


@pytest.mark.slow
def test_the_library_takes_the_place_of_the_panels_until_one_of_them_is_asked_for(small: Editor) -> None:
    width = small.viewport.width()
    strike(small, Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    laid_out()
    panel = small.pose_browsers.library.panel
    assert not any(each.isVisible() for each in small.window.findChildren(SideArea))
    assert abs(small.viewport.width() - width) < 40
    assert [each for each in used(panel) if not whole(each)] == []
    assert panel.view.height() > 130, "a row of cards is seen in full"
    small.actions["pose.hands"].trigger()
    laid_out()
    assert not panel.isVisible()
    assert side(small, BODY).isVisible()
    small.refresh()
    assert not small.actions["pose.library"].isChecked()
    strike(small, Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    QTest.mouseClick(panel.close_button, LEFT)
    laid_out()
    assert side(small, BODY).isVisible(), "what was there comes back"


@pytest.mark.slow
def test_the_library_stays_when_a_photo_comes_and_its_panel_is_there_afterwards(small: Editor) -> None:
    strike(small, Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    small.session.edit("Photo", edits.set_photo(random_photo(np.random.default_rng(3), "a.png")))
    settled(small.session)
    small.refresh()
    laid_out()
    panel = small.pose_browsers.library.panel
    assert panel.isVisible()
    QTest.mouseClick(panel.close_button, LEFT)
    laid_out()
    assert side(small, BODY).isVisible()


@pytest.mark.usefixtures("unfolded")
def test_the_panel_that_one_works_in_is_in_front_when_a_window_becomes_small(editor: Editor) -> None:
    activated(editor.window)
    unfolded(editor, "Body")
    field = editor.panels.body.stature
    field.setFocus()
    make_small(editor)
    assert side(editor, BODY).isVisible()
    assert field.hasFocus()


def test_the_switch_is_used_from_the_keyboard(small: Editor) -> None:
    strike(small, Key.Key_F6)
    shown = side(small, EFFECTORS)
    first = shown.switch.button(EFFECTORS)
    for _ in range(40):
        if first.hasFocus():
            break
        QTest.keyClick(QApplication.focusWidget(), Key.Key_Tab)
    assert first.hasFocus()
    QTest.keyClick(first, Key.Key_Right)
    laid_out()
    other = side(small, BODY)
    assert other.isVisible()
    assert other.switch.button(BODY).hasFocus()
    QTest.keyClick(other.switch.button(BODY), Key.Key_Left)
    until(shown.isVisible)
    assert first.hasFocus()


def test_tab_hides_the_panels_and_brings_the_one_back_that_was_there(small: Editor) -> None:
    area = switch_to(small, BODY)
    strike(small, Key.Key_Tab)
    until(lambda: small.viewport.width() == SMALL.width())
    strike(small, Key.Key_Tab)
    until(area.isVisible)
    assert not side(small, EFFECTORS).isVisible()


@pytest.mark.parametrize("by", ["command", "tab"])
def test_panels_that_were_pushed_to_the_edge_come_back(by: str, small: Editor) -> None:
    area = side(small, EFFECTORS if by == "tab" else BODY)
    if not area.isVisible():
        switch_to(small, area.title)
    handle = area.parentWidget().handle(area.parentWidget().indexOf(small.window._columns.view))
    middle = handle.rect().center()
    QTest.mousePress(handle, LEFT, pos=middle)
    for by_px in (60, 180, 290, 303):
        move_held(handle, handle.mapFromGlobal(area.mapToGlobal(QPoint(304 - by_px, middle.y()))))
    QTest.mouseRelease(handle, LEFT, pos=middle)
    until(lambda: small.viewport.width() > 660)
    if by == "tab":
        strike(small, Key.Key_Tab)
        strike(small, Key.Key_Tab)
    else:
        small.actions["pose.hands"].trigger()
    laid_out()
    assert area.width() == PANEL_NARROWEST
    assert seen(area) == area.rect()


def test_in_a_large_window_both_sides_are_back_where_they_were(small: Editor) -> None:
    switch_to(small, BODY)
    small.window.resize(1440, 900)
    laid_out()
    left, right = side(small, EFFECTORS), side(small, BODY)
    assert (left.width(), right.width()) == (PANEL_WIDTH, PANEL_WIDTH)
    places = [area.mapTo(small.window, QPoint()).x() for area in (left, small.viewport, right)]
    assert places == sorted(places)
    assert not left.switch.isVisible()
    assert not right.switch.isVisible()
    assert left.viewport().y() == 0
    make_small(small)
    assert right.isVisible(), "and it is still the one that was chosen"
    assert not left.isVisible()


def test_the_search_of_commands_stays_within_the_window(small: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    places = []
    monkeypatch.setattr(CommandSearch, "exec", lambda self: places.append(self.geometry()))
    small.actions["help.search"].trigger()
    (place,) = places
    assert QRect(small.window.mapToGlobal(QPoint()), small.window.size()).contains(place)
    assert place.height() > 200


@pytest.mark.parametrize("title", ["Comparing solvers", "Finding the people in a photo with quite a long name"])
def test_what_runs_and_its_cancel_are_within_the_view(title: str, small: Editor) -> None:
    bar = small.job_bar
    small.jobs.started.emit(title)
    small.jobs.progressed.emit(0.3, "")
    until(bar.isVisible)
    assert all(whole(part) for part in (bar.title, bar.bar, bar.cancel))
    assert bar.title.width() >= bar.title.sizeHint().width()
    assert bar.title.text() == f"{title}…" or bar.title.toolTip() == f"{title}…"
    assert on_top(bar.cancel)
    assert bar.geometry().contains(small.window.hint.geometry()), "nothing of what is to be done shows beside it"
    small.jobs.finished.emit()


def test_a_folder_is_labelled_there(small: Editor) -> None:
    bar, holder = LabelBar("Ctrl+Return"), small.viewport.parentWidget()
    holder.layout().insertWidget(0, bar)
    bar.show_standing(Standing(118, 1200, "a picture of quite a long name.jpg", "new", checked=117))
    bar.show()
    laid_out()
    assert holder.width() + PANEL_NARROWEST < SMALL.width()
    assert [each for each in used(bar) if not whole(each)] == []
    assert bar.state.width() >= 60
    assert bar.place.toolTip().endswith("name.jpg"), "for its name there is no room"
    small.window.resize(1280, 800)
    laid_out()
    assert whole(bar.name)
    bar.show_standing(Standing(118, 1200, "a picture of quite a long name.jpg", "new", checked=117))
    laid_out()
    assert bar.state.shown() == "Not checked", "the name makes room for it"
    assert bar.name.shown().startswith("a pic")
    assert bar.name.toolTip() == "a picture of quite a long name.jpg"
    bar.deleteLater()


@pytest.mark.parametrize(("count", "shown"), [(1, "1 picture"), (2, "2 pictures")])
def test_a_folder_without_an_open_picture_shows_how_many_it_has(count: int, shown: str, small: Editor) -> None:
    bar, holder = LabelBar("Ctrl+Return"), small.viewport.parentWidget()
    holder.layout().insertWidget(0, bar)
    bar.show_standing(Standing(0, count, "", "new"))
    bar.show()
    laid_out()
    assert bar.place.text() == shown
    assert whole(bar.place)
    bar.deleteLater()


def make_screen_small(kind: type[QDialog], monkeypatch: pytest.MonkeyPatch) -> None:
    room = SimpleNamespace(availableGeometry=lambda: SMALL, availableSize=SMALL.size)
    monkeypatch.setattr(kind, "screen", lambda _: room)


def on_small_screen(dialog: QDialog, monkeypatch: pytest.MonkeyPatch) -> None:
    """Show a dialog on a screen of that size, as its class finds it, and no larger than that lets it be."""
    make_screen_small(type(dialog), monkeypatch)
    dialog.show()
    most = SMALL.size() - QSize(0, TITLE_BAR)
    dialog.resize(dialog.size().boundedTo(most))
    laid_out()
    assert dialog.size().boundedTo(most) == dialog.size()


@pytest.mark.parametrize(("count", "like"), [(1, ""), (12, ""), (12, "drawing")])
def test_the_people_of_a_photo_are_chosen_there(
    count: int, like: str, small: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = np.full((600, 800, 3), 90, np.uint8)
    boxes = [(60.0 * n, 100.0, 60.0 * n + 50, 500.0) for n in range(count)]
    dialog = PeopleDialog(image, boxes, [0.4] * count, small.window, [like] * count)
    on_small_screen(dialog, monkeypatch)
    assert all(whole(button) for button in dialog.buttons.buttons())
    assert dialog.picture.width() >= (240 if like else 320)
    QTest.mouseClick(dialog.picture, LEFT, pos=dialog.picture.box_on_screen(0).center().toPoint())
    assert dialog.ticks[0].isChecked()
    QTest.mouseClick(dialog.buttons.buttons()[0], LEFT)
    assert dialog.result() == QDialog.DialogCode.Accepted


def test_joints_in_doubt_are_told_there(small: Editor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (person,) = mapped_people(nameless(tmp_path / "hero.bvh"), True, JointMaps())
    make_screen_small(JointMapDialog, monkeypatch)
    dialog = JointMapDialog("hero.bvh", person.skeleton, person.guess, small.window)
    on_small_screen(dialog, monkeypatch)
    cut = [each for each in used(dialog) if not whole(each) and not dialog._area.isAncestorOf(each)]
    assert cut == []
    assert dialog.picture.width() >= 240
    dialog.close()


@pytest.mark.slow
def test_everything_is_exported_there(small: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    set_moving(small, 30)
    small.actions["prop.box"].trigger()
    for format in ("bvh", "json", "npz", "mesh", "png", "film"):
        dialog = ExportDialog(small.session, small.settings.values, (800, 600), format, small.window)
        on_small_screen(dialog, monkeypatch)
        assert [each for each in used(dialog) if not whole(each)] == [], format
        dialog.close()
