"""Stature in centimetres, weight in kilograms and bodies by name, in the body panel."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolTip
from small_window import scrolled_to
from window_driver import ViewMouse, active, answer_once_shown, move_held, place_of, settled, typed, until

from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.solving import usable_of
from app.look.mnemonics import unmarked
from app.panels import body_panel
from app.window.editor import Editor
from solver.body.catalog import VARIANTS, load_body
from solver.body.embedded_body import EmbeddedBody
from solver.body.floor import posed_vertices
from solver.effectors.kinds import Position
from solver.kinematics.rotations import geodesic_angle

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("unfolded")]
LEFT = Qt.MouseButton.LeftButton


def shape_of(editor: Editor):  # type: ignore[no-untyped-def]
    active = editor.session.active
    assert active is not None
    return active.shape


@pytest.mark.slow
def test_a_stature_that_is_typed_is_the_bodys_stature_and_one_step(editor: Editor) -> None:
    editor.refresh()
    panel = editor.panels.body
    assert panel.stature.text() == "170.0 cm"
    typed(panel.stature, "182")
    settled(editor.session)
    editor.refresh()
    assert panel.stature.text() == "182.0 cm"
    assert shape_of(editor).betas[0] == pytest.approx(1.77, abs=0.03)
    assert len(editor.session.history.steps()) == 1
    assert editor.session.history.undo_text == "Change stature"
    editor.session.undo()
    editor.refresh()
    assert panel.stature.text() == "170.0 cm"


@pytest.mark.slow
def test_a_stature_that_is_scrubbed_beyond_reach_shows_what_the_body_has(editor: Editor) -> None:
    stature = scrolled_to(editor.panels.body.stature)
    middle = stature.rect().center()
    QTest.mousePress(stature, LEFT, pos=middle)
    for step in range(1, 11):
        move_held(stature, middle - QPoint(step * stature.width() // 10, 0))
    QTest.mouseRelease(stature, LEFT, pos=middle - QPoint(stature.width(), 0))
    settled(editor.session)
    assert shape_of(editor).betas[0] == -5.0
    until(lambda: stature.text() == "136.0 cm")


@pytest.mark.slow
def test_a_childs_bars_of_stature_and_weight_begin_at_their_ends_and_follow_the_pointer(editor: Editor) -> None:
    clicked_preset(editor.panels.body, "Child")
    settled(editor.session)
    stature = scrolled_to(editor.panels.body.stature)
    usual, (low, high) = stature.value(), (stature.low, stature.high)
    assert low < usual < high
    ends = [stature._x(each) for each in (low, usual, high)]
    assert ends == pytest.approx([0, stature.width() / 2, stature.width()], abs=2)
    assert stature._x(stature._fills_from) == stature._x(low)
    middle = stature.rect().center()
    QTest.mousePress(stature, LEFT, pos=middle)
    for step in range(1, 6):
        move_held(stature, middle + QPoint(step * stature.width() // 50, 0))
    assert stature._x(stature.value()) == pytest.approx(middle.x() + stature.width() / 10, abs=4)
    QTest.mouseRelease(stature, LEFT, pos=middle + QPoint(stature.width() // 10, 0))
    settled(editor.session)


def test_a_weight_that_is_typed_is_met_and_one_out_of_reach_goes_as_far_as_it_can(editor: Editor) -> None:
    editor.refresh()
    panel = editor.panels.body
    typed(panel.weight, "80")
    settled(editor.session)
    editor.refresh()
    assert panel.weight.text() == "80.0 kg"
    typed(panel.weight, "160")
    settled(editor.session)
    editor.refresh()
    assert shape_of(editor).betas[1] == 5.0
    assert 100 < panel.weight.value() < 130, "what the body really weighs then"
    QToolTip.hideText()


def test_a_stature_that_was_typed_stays_while_the_weight_is_typed(editor: Editor) -> None:
    editor.refresh()
    panel = editor.panels.body
    for field, text in ((panel.stature, "182"), (panel.weight, "90 kg")):
        typed(field, text)
        settled(editor.session)
        editor.refresh()
    assert (panel.stature.text(), panel.weight.text()) == ("182.0 cm", "90.0 kg")
    assert editor.session.history.undo_text == "Change body weight"


@pytest.mark.parametrize("beyond", ["150", "1500"])
def test_a_weight_that_the_stature_does_not_allow_is_explained_where_it_was_typed(editor: Editor, beyond: str) -> None:
    editor.refresh()
    panel = editor.panels.body
    typed(panel.weight, beyond)
    until(lambda: QToolTip.text() == f"With the other sliders as they are, {panel.weight.text()} is the most.")
    assert 100 < panel.weight.value() < 130
    QToolTip.hideText()
    typed(panel.weight, "70")
    until(lambda: (panel.weight.text(), QToolTip.text()) == ("70.0 kg", ""))


@pytest.mark.slow
def test_another_body_by_name_is_one_step_and_shows_in_every_slider(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def choose(_parent: object, _place: object, fill, _title: str) -> None:  # type: ignore[no-untyped-def]
        menu = QMenu()
        fill(menu)
        assert [unmarked(a.text()) for a in menu.actions()][:3] == ["Average", "Child", "Teenager"]
        next(a for a in menu.actions() if unmarked(a.text()) == "Strong").trigger()

    monkeypatch.setattr(body_panel, "show_menu", choose)
    editor.refresh()
    panel = editor.panels.body
    QTest.mouseClick(panel.presets, LEFT)
    settled(editor.session)
    editor.refresh()
    assert panel.sliders[2].value() == pytest.approx(2.8)
    assert panel.stature.value() > 174
    assert len(editor.session.history.steps()) == 1
    assert "Strong" in editor.session.history.undo_text


@pytest.mark.slow
def test_bodies_by_name_load_in_the_background_while_the_menu_shows(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads: list[tuple[str, threading.Thread]] = []
    real = EmbeddedBody._loaded

    def loaded(body: EmbeddedBody, gender: str) -> object:
        loads.append((body.id, threading.current_thread()))
        return real(body, gender)

    load_body.cache_clear()
    monkeypatch.setattr(EmbeddedBody, "_loaded", loaded)
    editor.refresh()
    clicked_preset(editor.panels.body, "Average")
    editor.panels.body.warm_up.wait()
    clicked_preset(editor.panels.body, "Child")
    settled(editor.session)
    editor.refresh()
    active = editor.session.active
    assert active is not None
    assert active.body == "anny:child"
    variants = {id: thread for id, thread in loads if id in VARIANTS}
    assert set(variants) == set(VARIANTS)
    assert threading.main_thread() not in variants.values()


@pytest.mark.slow
def test_a_child_by_name_keeps_the_pose_and_its_handles_on_the_body_and_says_that_solvers_read_no_age(
    editor: Editor,
) -> None:
    editor.refresh()
    panel, before = editor.panels.body, editor.session.document
    clicked_preset(panel, "Child")
    settled(editor.session)
    editor.refresh()
    child = editor.session.active
    assert child is not None
    assert child.body == "anny:child"
    assert panel.stature.value() == pytest.approx(123.9, abs=1)
    assert panel.stature.low < 100 < panel.stature.high
    assert not panel.age.isHidden()
    assert "Child" in panel.age.text()
    assert "age" in panel.age.text()
    assert all(slider.isEnabled() for slider in panel.sliders)
    adult = before.character(child.id)
    angle = np.degrees(geodesic_angle(child.pose.rotations, adult.pose.rotations))
    assert angle.max() < 1.0, "the pose stays"
    joints = joints_of(child)
    for effector in child.effectors:
        if isinstance(effector, Position):
            way = effector.held_at(skeleton_of(child), joints) - effector.target
            assert np.linalg.norm(way) < 1e-3
    assert len(editor.session.history.steps()) == 1
    editor.session.undo()
    editor.refresh()
    assert editor.session.document == before
    assert panel.age.isHidden()


def test_a_childs_hand_follows_the_mouse(editor: Editor) -> None:
    editor.refresh()
    clicked_preset(editor.panels.body, "Child")
    settled(editor.session)
    editor.refresh()
    mouse = ViewMouse(editor)
    before = active(editor)
    mouse.drag(mouse.place(place_of(editor, "left_wrist")), QPoint(15, -30), QPoint(30, -60))
    settled(editor.session)
    after = active(editor)
    assert after.solver == "smplik"
    assert usable_of(after).refusal == ""
    raised = joints_of(after).positions - joints_of(before).positions
    assert raised[skeleton_of(after).index("left_wrist"), 1] > 0.08
    (moved,) = [e for e in after.effectors if e.joint == "left_wrist" and isinstance(e, Position)]
    assert np.linalg.norm(moved.held_at(skeleton_of(after), joints_of(after)) - moved.target) < 1e-4
    skin = posed_vertices(body_of(after), after.shape, after.pose)
    assert skin[:, 1].min() > -0.005


def clicked_preset(panel: body_panel.BodyPanel, name: str) -> None:
    """Click Presets… and then an entry of the menu that opens, with the mouse."""

    def take(menu: QMenu) -> None:
        (action,) = [a for a in menu.actions() if unmarked(a.text()) == name]
        QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())

    answer_once_shown(QMenu, take)
    QTest.mouseClick(panel.presets, LEFT)
    until(lambda: QApplication.activePopupWidget() is None)
