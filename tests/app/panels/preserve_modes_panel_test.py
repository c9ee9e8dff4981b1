"""The base-pose panel: four modes as presets, a strength each for place and shape, and the offer after a half turn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from document_samples import given_effectors
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from window_driver import ViewMouse, active, laid_out, move_held, place_of, settled, until

from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.fitting_effectors import new_effector
from app.document.posing.modes import half_turn, mode_of
from app.document.posing.solving import problem_of
from app.panels.base_pose_panel import ABOUT
from app.window.editor import Editor
from solver.body.catalog import fitted_body_id
from solver.ik.preserve_modes import GLOBAL, LOCAL, PLACE_FREEZE, POSE_FREEZE, PRESERVE_MODES, PreserveMode
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.roles import ARMS

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton


def choose(editor: Editor, mode: PreserveMode) -> None:
    QTest.mouseClick(editor.panels.base_pose.modes.button(mode.id), LEFT)
    settled(editor.session)
    editor.refresh()


def turn_root(editor: Editor, degrees: float) -> None:
    """Ask the hips to face so far away from the base pose."""
    session, character = editor.session, active(editor)
    held = new_effector(character, "rotation", skeleton_of(character).names[0])
    turn = from_rotation_vector([0.0, np.radians(degrees), 0.0])
    asked = replace(held, target=(turn @ character.base_pose.rotations[0]).astype(np.float32))
    others = tuple(e for e in character.effectors if e.joint != asked.joint)
    session.edit("Turn the hips", given_effectors(character.id, (*others, asked)), solve=True)
    settled(session)
    editor.refresh()


def test_a_click_on_a_mode_keeps_what_it_says_in_one_step(editor: Editor) -> None:
    for mode in sorted(PRESERVE_MODES, key=lambda mode: mode is GLOBAL):
        if mode is GLOBAL:
            choose(editor, LOCAL)
        before = active(editor).preserve
        choose(editor, mode)
        kept, every = active(editor).preserve, set(skeleton_of(active(editor)).names)
        assert (kept.place == every, kept.shape == every) == (mode.place > 0, mode.shape > 0)
        assert kept.strength == (mode.place or before.strength)
        assert kept.shape_strength == (mode.shape or before.shape_strength)
        assert mode_of(active(editor)) is mode
        assert editor.panels.base_pose.modes.current() == mode.id
        assert editor.session.history.undo_text == f"Choose {mode.title}"
        editor.session.undo()
        assert active(editor).preserve == before


def test_a_part_on_its_own_is_no_mode(editor: Editor) -> None:
    choose(editor, POSE_FREEZE)
    QTest.mouseClick(editor.panels.base_pose.rows["head"].buttons["shape"], LEFT)
    editor.refresh()
    assert mode_of(active(editor)) is None
    assert editor.panels.base_pose.modes.current() == ""


@pytest.mark.usefixtures("unfolded")
def test_each_strength_scrubs_on_its_own_as_one_step(editor: Editor) -> None:
    choose(editor, LOCAL)
    steps = len(editor.session.history.steps())
    slider = editor.panels.base_pose.strengths["shape"]
    place = QPoint(slider.width() - 4, slider.height() // 2)
    QTest.mousePress(slider, LEFT, Qt.KeyboardModifier.NoModifier, place)
    for way in (10, 30, 60):
        move_held(slider, place - QPoint(way, 0))
    QTest.mouseRelease(slider, LEFT, Qt.KeyboardModifier.NoModifier, place - QPoint(60, 0))
    settled(editor.session)
    kept = active(editor).preserve
    assert kept.strength == 1.0
    assert 0.0 < kept.shape_strength < 1.0
    assert editor.session.history.steps()[steps:] == ("Change how firmly shape is kept",)
    problem = problem_of(active(editor))
    spine = problem.skeleton.index("spine1")
    assert problem.preserve_orientation[spine] == np.float32(kept.shape_strength)
    assert problem.preserve_position[spine] == 1.0


@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_place_freeze_leaves_the_other_hand_where_it_is(editor: Editor, solver: str) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    session.edit("Choose solver", edits.set_solver(active(editor).id, solver), solve=True)
    settled(session)
    wrist = skeleton_of(active(editor)).index("right_wrist")

    def moved_with(mode: PreserveMode) -> float:
        choose(editor, mode)
        before = joints_of(active(editor)).positions[wrist]
        start = mouse.place(next(e for e in active(editor).effectors if e.joint == "left_wrist").target)
        mouse.drag(start, QPoint(30, -30), QPoint(110, -80))
        settled(session)
        after = joints_of(active(editor)).positions[wrist]
        session.undo()
        return float(np.linalg.norm(after - before))

    free = moved_with(GLOBAL)
    assert moved_with(PLACE_FREEZE) < 0.5 * free + 1e-3


def test_a_kept_hand_that_no_arm_reaches_any_more_says_so_in_the_panel_and_in_the_status_bar(editor: Editor) -> None:
    session, panel, mouse = editor.session, editor.panels.base_pose, ViewMouse(editor)
    session.edit("Let the feet go", given_effectors("c1", active(editor).effectors[:2]))  # the hands', which are loose
    session.edit("Choose solver", edits.set_solver("c1", "skelik"), solve=True)
    settled(session)
    arm, shown = panel.rows["left arm"].buttons["place"], editor.window.status.facts["worst"]
    QTest.mouseClick(arm, LEFT)
    told = []
    for far in (20, 130):
        mouse.drag(mouse.place(place_of(editor, "spine3")), QPoint(-far // 2, 0), QPoint(-far, 0))
        settled(session)
        until(lambda: not session.in_step)
        editor.refresh()
        told.append((panel.about.text(), arm.toolTip().partition("\n")[2], shown.text()))
    near, away = told
    assert near[:2] == (ABOUT, "")
    assert "off its place" not in near[2]
    assert all(text.startswith("Left wrist is ") and text.endswith(" off its place: out of reach") for text in away)
    session.undo()
    editor.refresh()
    assert panel.about.text() == ABOUT


def test_what_effectors_pose_is_free_of_a_mode_and_kept_by_a_toggle(editor: Editor) -> None:
    character = edits.set_preserve_mode("c1", LOCAL)(editor.session.document).character("c1")
    problem, names = problem_of(character), skeleton_of(character).names
    free = {names[j] for j in np.flatnonzero(problem.preserve_orientation == 0)}
    assert {"left_ankle", "left_knee", "left_hip", "right_foot"} <= free
    assert "spine1" not in free
    chosen = edits.keep_shape("c1", ["left_knee"], True)(editor.session.document).character("c1")
    assert problem_of(chosen).preserve_orientation[names.index("left_knee")] > 0


def test_a_half_turn_offers_to_solve_in_global_and_the_button_does(editor: Editor) -> None:
    session, bar = editor.session, editor.global_offer
    choose(editor, PLACE_FREEZE)
    turn_root(editor, 90.0)
    assert bar.isHidden()
    turn_root(editor, 175.0)
    until(bar.isVisible)
    assert "175°" in bar.label.text()
    steps = len(session.history.steps())
    QTest.mouseClick(bar.button, LEFT)
    settled(session)
    editor.refresh()
    assert mode_of(active(editor)) is GLOBAL
    assert session.history.steps()[steps:] == ("Solve in Global",)
    assert bar.isHidden()


@pytest.mark.slow
def test_an_offer_that_was_declined_stays_away_until_the_next_half_turn(editor: Editor) -> None:
    bar = editor.global_offer
    choose(editor, LOCAL)
    turn_root(editor, 175.0)
    until(bar.isVisible)
    QTest.mouseClick(bar.away, LEFT)
    turn_root(editor, 155.0)
    assert bar.isHidden()
    turn_root(editor, 60.0)
    turn_root(editor, 150.0)
    until(bar.isVisible)


def test_without_places_kept_a_half_turn_is_nothing_to_speak_of(editor: Editor) -> None:
    turn_root(editor, 175.0)
    assert half_turn(active(editor)) is None
    choose(editor, POSE_FREEZE)
    assert half_turn(active(editor)) is None
    assert editor.global_offer.isHidden()


def test_joints_that_a_character_lacks_are_not_listed_and_count_for_nothing(editor: Editor) -> None:
    panel, session, person = editor.panels.base_pose, editor.session, active(editor)
    arm, hand = panel.rows["left arm"], ARMS[0].tip
    QTest.mouseClick(arm.fold, LEFT)
    assert not arm.children_rows[hand].isHidden()
    body = fitted_body_id(skeleton_of(person).rest_positions, person.shape, None, (hand, ARMS[1].tip))
    session.edit("Lack hands", lambda document: document.with_character(replace(person, body=body)))
    editor.refresh()
    assert [joint for joint, row in arm.children_rows.items() if row.isHidden()] == [hand]
    for row in arm.children_rows.values():
        if row.isVisible():
            laid_out()
            QTest.mouseClick(row.buttons["place"], LEFT)
            editor.refresh()
    assert arm.buttons["place"].toolTip() == "Keep place: the global position", "all that there are"
    QTest.mouseClick(arm.buttons["place"], LEFT)
    assert active(editor).preserve.place == frozenset()
    QTest.mouseClick(arm.fold, LEFT)
    assert all(row.isHidden() for row in arm.children_rows.values())


def test_a_step_names_what_it_keeps(editor: Editor) -> None:
    panel, session = editor.panels.base_pose, editor.session
    arm, whole, selection = (panel.rows[scope] for scope in ("left arm", "whole body", "selection"))
    arm.toggle_fold()
    for button in (
        arm.buttons["place"],
        arm.children_rows["left_elbow"].buttons["place"],
        whole.buttons["shape"],
        whole.buttons["shape"],
    ):
        laid_out()
        QTest.mouseClick(button, LEFT)
        editor.refresh()
    session.set_view(joints=frozenset({"left_knee", "head"}))
    editor.refresh()
    QTest.mouseClick(selection.buttons["place"], LEFT)
    assert session.history.steps() == (
        "Keep place of left arm",
        "Release place of left elbow",
        "Keep shape of whole body",
        "Release shape of whole body",
        "Keep place of 2 joints",
    )


def saturation(button: QAbstractButton) -> float:
    """How strong the strongest colour of a button's icon is."""
    picture = button.icon().pixmap(button.iconSize()).toImage()
    every = (picture.pixelColor(x, y) for x in range(picture.width()) for y in range(picture.height()))
    return max(each.saturationF() for each in every if each.alpha() > 100)


def test_what_is_kept_weakly_is_shown_paler_and_its_tip_says_how_firmly(editor: Editor) -> None:
    panel = editor.panels.base_pose
    row = panel.rows["left arm"]
    panel.advanced.set_open(True)
    laid_out()
    button = row.buttons["place"]
    off = saturation(button)
    QTest.mouseClick(button, LEFT)
    settled(editor.session)
    editor.refresh()
    shown = [saturation(button)]
    for _ in range(2):
        for _ in range(16):  # a fortieth of the range each
            QTest.keyClick(panel.strengths["place"], Qt.Key.Key_Left)
        settled(editor.session)
        editor.refresh()
        shown.append(saturation(button))
    assert active(editor).preserve.strength == pytest.approx(0.2)
    assert shown[0] > shown[1] > shown[2] > off
    assert button.toolTip() == "Keep place: the global position, at strength 0.2"
    assert "strength" not in row.buttons["shape"].toolTip(), "of shape nothing is kept"
