"""Common edits of two people in any order, by mouse and keys: nobody moves for what is done to somebody else or for
what asks less of them, the list says how well all is met, undo and redo lead back, and a file has the poses."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, active, settled, strike

from app.document import edits
from app.document.model.document import Character
from app.document.model.figure import joints_of
from app.document.posing.solving import residuals_of
from app.document.posing.sources import character_with_resolved_targets
from app.document.posing.tied_groups import tied_groups
from app.document.scene_file.io import load_scene, save_scene
from app.window.editor import Editor
from solver.effectors.forms import PointEffector

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("whole_view")]
Key, CTRL, SHIFT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
STEPS = 8
STILL, SAVED, ROUNDED = 0.002, 1e-4, 0.0015  # metres; the last one of a residual, also radians
HOLDS = ("hips", "shoulder", "hands", "crossed", "chin")


class User:
    """Somebody who edits at random, the same for the same seed. Each edit returns whether people may move for it."""

    def __init__(self, editor: Editor, seed: int) -> None:
        self.editor, self.session, self.mouse = editor, editor.session, ViewMouse(editor)
        self.random, self.done = random.Random(seed), list[str]()

    def one_edit(self) -> bool:
        """Do any of them; whether the active person, and who is tied to them, may move for it."""
        moving = (self.drag, self.drag, self.drag, self.hold, self.undo, self.redo, self.paste, self.mirror, self.shape,
                  self.solver)  # fmt: skip
        quiet = (self.delete, self.delete_all, self.pin, self.loosen, self.switch_off, self.let_go, self.other_person)
        edit = self.random.choice([*moving, *quiet])
        edit()
        self.done.append(f"{edit.__name__} {[e.joint for e in self.session.selected_effectors]}")
        self.rest()
        return edit in moving

    def rest(self) -> None:
        """Until everybody is where they go."""
        while True:
            settled(self.session)
            if self.session.settle(5.0) and not self.session.solving:
                break
        self.editor.refresh()

    def drag(self) -> None:
        if handles := [e for e in active(self.editor).effectors if isinstance(e, PointEffector)]:
            way = QPoint(self.random.randint(-50, 50), self.random.randint(-50, 50))
            self.mouse.drag(self.mouse.place(self.random.choice(handles).target), way / 4, way / 2, way)

    def select_some(self, most: int = 1) -> None:
        ids = [e.id for e in active(self.editor).effectors]
        self.session.select(active(self.editor).id, self.random.sample(ids, min(most, len(ids))))
        self.editor.refresh()

    def delete(self) -> None:
        self.select_some()
        if self.session.selected_effectors:
            strike(self.editor, Key.Key_Delete)

    def delete_all(self) -> None:
        strike(self.editor, Key.Key_A, CTRL)
        if self.session.selected_effectors:
            strike(self.editor, Key.Key_Delete)

    def pin(self) -> None:
        self.select_some()
        if (
            all(isinstance(e, PointEffector) for e in self.session.selected_effectors)
            and self.session.selected_effectors
        ):
            strike(self.editor, Key.Key_P)

    def loosen(self) -> None:
        self.select_some(2)
        self.editor.actions["pose.loose"].trigger()

    def switch_off(self) -> None:
        self.select_some()
        person = active(self.editor)
        off = [edits.set_enabled(person.id, effector.id, False) for effector in self.session.selected_effectors]
        self.session.edit("Switch effector off", edits.chain(*off), solve=True)

    def hold(self) -> None:
        self.editor.actions[f"contact.{self.random.choice(HOLDS)}"].trigger()

    def let_go(self) -> None:
        strike(self.editor, Key.Key_A, CTRL)
        if self.editor.actions["contact.let_go"].isEnabled():
            self.editor.actions["contact.let_go"].trigger()

    def undo(self) -> None:
        strike(self.editor, Key.Key_Z, CTRL)

    def redo(self) -> None:
        strike(self.editor, Key.Key_Z, CTRL | SHIFT)

    def other_person(self) -> None:
        strike(self.editor, Key.Key_PageDown)

    def paste(self) -> None:
        strike(self.editor, Key.Key_C, CTRL)
        self.other_person()
        strike(self.editor, Key.Key_V, CTRL)

    def mirror(self) -> None:
        strike(self.editor, Key.Key_M, CTRL)

    def shape(self) -> None:
        person = active(self.editor)
        betas = person.shape.betas.copy()
        betas[0] = self.random.uniform(-2.0, 2.0)
        self.session.edit("Shape", edits.set_shape(person.id, replace(person.shape, betas=betas)), solve=True)

    def solver(self) -> None:
        other = self.random.choice(["smplik", "dls", "skelik"])
        self.session.edit("Solver", edits.set_solver(active(self.editor).id, other), solve=True)


def people(editor: Editor) -> Mapping[str, Character]:
    return {c.id: c for c in editor.session.document.characters}


def moved(one: Character, other: Character) -> float:
    """Metres between the places of the joint that has moved most."""
    return float(np.linalg.norm(joints_of(one).positions - joints_of(other).positions, axis=1).max())


def with_whom(editor: Editor) -> set[str]:
    """The active person and all who are tied to them."""
    id = active(editor).id
    groups = ({c.id for c in group} for group in tied_groups(editor.session.document.characters))
    return next(group for group in groups if id in group)


def check_the_list(editor: Editor) -> None:
    person = active(editor)
    really = residuals_of(character_with_resolved_targets(editor.session.document, person))
    for effector, told, true in zip(person.effectors, editor.session.finding.residuals, really, strict=True):
        if effector.is_active:
            assert told.state == true.state, effector.joint
            assert told.value == pytest.approx(true.value, abs=ROUNDED), effector.joint


@pytest.mark.parametrize("seed", [6, pytest.param(3, marks=pytest.mark.slow), pytest.param(5, marks=pytest.mark.slow)])
def test_edits_in_any_order_leave_who_is_not_concerned_and_lead_back(editor: Editor, seed: int, tmp_path: Path) -> None:
    user, session = User(editor, seed), editor.session
    strike(editor, Key.Key_A, SHIFT)
    user.rest()
    for _ in range(STEPS):
        before, concerned, missed = people(editor), with_whom(editor), session.finding.residuals
        may_move = user.one_edit()
        concerned |= with_whom(editor)
        may_move |= any(residual.state == "unreachable" for residual in missed)
        undone = user.done[-1].startswith(("undo", "redo"))
        for id in before.keys() & people(editor).keys():
            if not undone and not (may_move and id in concerned):
                assert moved(before[id], people(editor)[id]) < STILL, ", ".join(user.done)
        check_the_list(editor)
    steps = []
    while session.history.undo_text is not None:
        steps.append(session.history.document)
        strike(editor, Key.Key_Z, CTRL)
        user.rest()
    for document in reversed(steps):
        strike(editor, Key.Key_Z, CTRL | SHIFT)
        user.rest()
        assert session.history.document == document, ", ".join(user.done)
    save_scene(tmp_path / "scene.json", session.document)
    for one, other in zip(session.document.characters, load_scene(tmp_path / "scene.json").characters, strict=True):
        assert moved(one, other) < SAVED
