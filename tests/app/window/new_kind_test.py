"""A kind of effector that the program does not have: once it is registered, the whole window knows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made_up_kind import Grip
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from window_driver import ViewMouse, settled, strike

from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.document.scene_file.io import load_scene, save_scene
from app.look.mnemonics import unmarked
from app.panels.effector_menu import fill_add_menu
from app.window.commands.command_search import CommandSearch
from app.window.editor import Editor
from rendering.drawing.offscreen import render_image
from solver.effectors.kinds import forget, register
from solver.solvers.catalog import SOLVERS

pytestmark = pytest.mark.gl
JOINT = "right_elbow"


@pytest.fixture
def grip_kind() -> Iterator[None]:
    """The kind, known for as long as a window is there."""
    register(Grip)
    yield
    forget(Grip.kind)


@pytest.fixture
def desk(grip_kind: None, editor: Editor) -> Editor:
    return editor


def active(desk: Editor) -> Character:
    assert desk.session.active is not None
    return desk.session.active


def grip(desk: Editor) -> Grip:
    return next(e for e in active(desk).effectors if isinstance(e, Grip))


def add_grip(desk: Editor) -> None:
    """Click the joint, search the command, press Enter."""
    mouse = ViewMouse(desk)
    mouse.click(mouse.place(joints_of(active(desk)).positions[skeleton_of(active(desk)).index(JOINT)]))
    assert desk.session.view.joints == {JOINT}
    desk.refresh()
    search = CommandSearch(desk.actions, desk.window)
    QTest.keyClicks(search.field, "grip")
    titles = [search.list.topLevelItem(i).text(0) for i in range(search.list.topLevelItemCount())]
    assert [title for title in titles if "grip" in title.lower()] == ["Grip"]
    assert titles[0] == "Grip", "before what is only called so elsewhere"
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    settled(desk.session)


@pytest.mark.slow
def test_a_new_kind_is_added_dragged_solved_measured_listed_and_undone(desk: Editor) -> None:
    session, mouse, before = desk.session, ViewMouse(desk), desk.session.document
    add_grip(desk)
    assert session.history.steps() == ("Add grip to right elbow",)
    held = grip(desk)
    skeleton = skeleton_of(active(desk))
    place = joints_of(active(desk)).positions[skeleton.index(JOINT)]
    assert np.linalg.norm(held.target - place) == pytest.approx(np.linalg.norm(Grip.spec.offset), abs=2e-3)
    assert session.view.effectors == {held.id}

    mouse.drag(mouse.place(held.target), QPoint(5, -10), QPoint(20, -35))
    settled(session)
    moved = grip(desk)
    assert np.linalg.norm(moved.target - held.target) > 0.05
    assert moved.residual(skeleton, joints_of(active(desk))) < Grip.spec.met
    finding = session.findings.of(active(desk))
    number = active(desk).effectors.index(moved)
    assert finding.residuals[number].state == "met"
    assert finding.residuals[number].value == pytest.approx(moved.residual(skeleton, joints_of(active(desk))), abs=1e-5)

    desk.refresh()
    row = desk.panels.effectors.rows[number]
    assert row.detail.text() == "Grip"
    assert row.error.text().endswith("mm")
    assert [round(field.value(), 1) for field in desk.panels.target.places] == pytest.approx(
        [100 * v for v in moved.target], abs=0.06
    )

    undo = (Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    strike(desk, *undo)
    assert grip(desk) == held
    strike(desk, *undo)
    assert session.document == before


@pytest.mark.slow
def test_a_new_kind_is_drawn_as_its_row_says(desk: Editor) -> None:
    add_grip(desk)
    desk.session.select(active(desk).id)
    desk.session_view.refresh()
    view = desk.viewport
    handle = next(h for h in view.scene.handles if h.id == ("effector", grip(desk).id))
    assert handle.shape == Grip.spec.handle
    rest = replace(view.scene, handles=tuple(h for h in view.scene.handles if h is not handle))
    size = (view.width(), view.height())
    pictures = [render_image(scene, view.current_view.camera, size).astype(int) for scene in (view.scene, rest)]
    rows, columns = np.nonzero(np.abs(pictures[0] - pictures[1]).sum(axis=-1) > 30)
    assert len(rows) > 20
    assert [columns.mean(), rows.mean()] == pytest.approx(list(view.current_view.project(handle.position)), abs=4)


def test_a_new_kind_stands_in_the_menu_with_the_others(desk: Editor) -> None:
    menu, asked = QMenu(), []
    fill_add_menu(menu, SOLVERS[active(desk).solver], [JOINT], lambda kind, joint: asked.append((kind, joint)))
    entry = next(a for a in menu.actions() if unmarked(a.text()) == "Grip of right elbow")
    assert entry.isEnabled()
    entry.trigger()
    assert asked == [("grip", JOINT)]


def test_a_new_kind_is_saved_and_read_again(desk: Editor, tmp_path: Path) -> None:
    add_grip(desk)
    file = tmp_path / "grip.json"
    save_scene(file, desk.session.document)
    again = load_scene(file).characters[0]
    assert [e for e in again.effectors if isinstance(e, Grip)] == [grip(desk)]


def test_a_scene_with_a_new_kind_goes_unharmed_through_a_program_without_it(tmp_path: Path) -> None:
    from app.document import edits
    from app.document.posing.create import new_document

    document, file = new_document(), tmp_path / "grip.json"
    character = document.characters[0]
    register(Grip)
    try:
        held = replace(Grip.on(skeleton_of(character), JOINT, joints_of(character)), id="g", tolerance=0.25)
        save_scene(file, edits.add_effector(character.id, held)(document))
    finally:
        forget(Grip.kind)
    stranger = load_scene(file)
    asleep = next(e for e in stranger.characters[0].effectors if e.id == "g")
    assert not isinstance(asleep, Grip)
    assert not asleep.is_active
    save_scene(file, stranger)
    register(Grip)
    try:
        assert held in load_scene(file).characters[0].effectors
    finally:
        forget(Grip.kind)


@pytest.mark.slow
def test_each_solver_meets_a_new_kind(grip_kind: None, compiled_solver: None) -> None:
    from app.document.posing.create import new_document
    from app.document.posing.solving import solution_of

    character = new_document().characters[0]
    skeleton, world = skeleton_of(character), joints_of(character)
    for spec in SOLVERS:
        held = Grip.on(skeleton, "left_wrist", world)
        asked = replace(held, target=held.target + np.array([0.05, 0.1, 0.1], np.float32), id="g")
        solution = solution_of(replace(character, solver=spec.id, effectors=(*character.effectors, asked)))
        assert solution.residuals[-1].state == "met", spec.id


def test_a_mirror_takes_a_new_kind_to_the_other_side(grip_kind: None, compiled_solver: None) -> None:
    from app.document import edits
    from app.document.posing.create import new_document

    document = new_document()
    character = document.characters[0]
    held = Grip.on(skeleton_of(character), "left_wrist", joints_of(character))
    document = edits.add_effector("c1", replace(held, id="g", pinned=True))(document)
    flipped = next(e for e in edits.mirror_pose("c1")(document).characters[0].effectors if e.id == "g")
    assert isinstance(flipped, Grip)
    assert flipped.joint == "right_wrist"
    assert flipped.offset == pytest.approx(held.offset * [-1, 1, 1])
    assert flipped.pinned
