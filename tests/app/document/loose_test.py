"""Loose effectors: a new character's hands and look follow the body until they are touched."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu
from window_driver import ViewMouse, active, double_click, settled, until

from app.cli.main import main
from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of
from app.document.model.history import Edit
from app.document.posing.create import new_document
from app.document.posing.fitting_effectors import new_effector
from app.document.posing.loose_effectors import asked_more_firmly
from app.document.scene_file.io import load_scene, save_scene
from app.panels.effector_menu import effector_menu
from app.panels.effector_row import EffectorRow
from app.panels.widgets.value_slider import ValueSlider
from app.window.editor import Editor
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt
from solver.kinematics.skeleton import SMPL_JOINTS

LOOSE = [("position", "left_wrist"), ("position", "right_wrist"), ("lookat", "head")]


def effector(character: Character, joint: str, kind: str = "position") -> Effector:
    return next(e for e in character.effectors if (e.joint, e.kind) == (joint, kind))


def place(character: Character, joint: str) -> np.ndarray:
    return joints_of(character).positions[SMPL_JOINTS.index(joint)]


def loose_ones(character: Character) -> list[tuple[str, str]]:
    return [(e.kind, e.joint) for e in character.effectors if e.loose]


def pulled(document: Document, joint: str, way: tuple[float, float, float], steps: int = 6) -> Document:
    """The first character after a drag of a joint by (3,) metres, solved at each step."""
    character = document.characters[0]
    held = [e for e in character.effectors if (e.joint, e.kind) == (joint, "position")]
    grabbed = held[0] if held else new_effector(character, "position", joint)
    if not held:
        document = edits.add_effector(character.id, grabbed)(document)
    start = grabbed.target  # type: ignore[attr-defined]
    for step in range(1, steps + 1):
        document = edits.set_target(character.id, grabbed.id, start + np.float32(way) * step / steps)(document)
        document = edits.solve(character.id)(document)
    return document


def stride(document: Document) -> Character:
    """A step forward, the pelvis over it, and the left hand raised."""
    document = pulled(document, "left_ankle", (0.0, 0.0, 0.45))
    document = pulled(document, "pelvis", (0.0, -0.06, 0.15))
    return pulled(document, "left_wrist", (0.15, 0.6, 0.3)).characters[0]


def held_in_place(character: Character) -> Character:
    return replace(character, effectors=tuple(replace(e, loose=False) for e in character.effectors))


def test_a_new_characters_feet_are_strict_and_its_hands_and_look_are_loose() -> None:
    character = new_document().characters[0]
    assert loose_ones(character) == LOOSE
    assert all(not e.loose and e.tolerance <= 0.2 for e in character.effectors if "ankle" in e.joint)


def test_in_a_stride_the_other_hand_goes_where_it_would_without_any_handle() -> None:
    document = new_document()
    character = document.characters[0]
    bare = replace(character, effectors=tuple(e for e in character.effectors if not e.loose))
    with_handles, without = stride(document), stride(document.with_character(bare))
    assert with_handles.solver == "smplik"
    assert joints_of(with_handles).positions == pytest.approx(joints_of(without).positions, abs=1e-5)
    held = stride(document.with_character(held_in_place(character)))
    assert np.linalg.norm(place(held, "right_wrist") - place(with_handles, "right_wrist")) > 0.05


def test_loose_targets_are_on_their_joints_after_every_solve() -> None:
    document = pulled(new_document(), "right_ankle", (0.0, 0.2, 0.4))
    character = document.characters[0]
    wrist, look = effector(character, "right_wrist"), effector(character, "head", "lookat")
    assert isinstance(look, LookAt)
    assert wrist.target == pytest.approx(place(character, "right_wrist"), abs=1e-6)  # type: ignore[attr-defined]
    ahead = joints_of(character).rotations[SMPL_JOINTS.index("head")] @ look.local_axis
    assert look.target == pytest.approx(place(character, "head") + ahead, abs=1e-5)


@pytest.mark.parametrize(
    "touch",
    [
        lambda id: edits.set_target("c1", id, [0.5, 1.2, 0.3]),
        lambda id: edits.set_tolerance("c1", id, 0.3),
        lambda id: edits.set_pinned("c1", id, True),
        lambda id: edits.make_strict("c1", [id]),
    ],
)
def test_a_touched_effector_holds(touch: Callable[[str], Edit]) -> None:
    document = touch("e1")(new_document())
    assert loose_ones(document.characters[0]) == LOOSE[1:]


def test_made_loose_it_lets_go_of_its_pin_and_tolerance_comes_back_as_strict() -> None:
    document = edits.set_pinned("c1", "e3", True)(edits.set_tolerance("c1", "e3", 0.4)(new_document()))
    loosened = edits.make_loose("c1", ["e3", "e5"])(document).characters[0]
    assert [(loosened.effector(id).loose, loosened.effector(id).pinned) for id in ("e3", "e5")] == [(True, False)] * 2
    strict = edits.make_strict("c1", ["e3"])(document.with_character(loosened)).characters[0].effector("e3")
    assert (strict.loose, strict.pinned, strict.tolerance) == (False, False, 0.0)


def test_settled_effectors_stand_where_their_joints_are_and_the_base_pose_stays() -> None:
    document = edits.set_target("c1", "e3", (2.0, 1.0, 0.0))(new_document())
    settled_one = edits.settle_effectors("c1")(edits.solve("c1")(document)).characters[0]
    held = settled_one.effector("e3")
    assert held.target == pytest.approx(place(settled_one, held.joint), abs=1e-6)
    assert settled_one.base_pose == document.characters[0].base_pose


def test_a_loose_effector_is_left_out_by_solvers_and_kept_by_a_file(tmp_path: Path) -> None:
    document = pulled(new_document(), "left_ankle", (0.0, 0.3, 0.2), steps=2)
    save_scene(tmp_path / "scene.json", document)
    written = json.loads((tmp_path / "scene.json").read_text(encoding="utf-8"))["characters"][0]["clip"]["keys"][0][
        "effectors"
    ]
    assert [(e["type"], e["joint"]) for e in written if e.get("loose")] == LOOSE
    assert ["loose" in e for e in written].count(True) == len(LOOSE)
    again = load_scene(tmp_path / "scene.json")
    assert again == document
    main(["solve", str(tmp_path / "scene.json"), "-o", str(tmp_path / "solved.json")])
    character = load_scene(tmp_path / "solved.json").characters[0]
    assert loose_ones(character) == LOOSE
    assert effector(character, "left_wrist").target == pytest.approx(place(character, "left_wrist"), abs=1e-6)  # type: ignore[attr-defined]


@pytest.mark.gl
def test_a_hand_is_strict_once_it_is_dragged_and_the_other_goes_along_in_the_same_step(editor: Editor) -> None:
    mouse, before = ViewMouse(editor), editor.session.document
    start = mouse.place(effector(active(editor), "left_wrist").target)  # type: ignore[attr-defined]
    mouse.drag(start, QPoint(10, -20), QPoint(40, -90), QPoint(60, -160))
    after = active(editor)
    assert loose_ones(after) == LOOSE[1:]
    for joint in ("left_wrist", "right_wrist"):
        assert effector(after, joint).target == pytest.approx(place(after, joint), abs=2e-3)  # type: ignore[attr-defined]
    assert np.linalg.norm(place(after, "right_wrist") - place(before.characters[0], "right_wrist")) > 0.02
    assert len(editor.session.history.steps()) == 1
    editor.session.undo()
    assert editor.session.document == before


@pytest.mark.gl
def test_escape_makes_a_dragged_hand_loose_again(editor: Editor) -> None:
    mouse, before = ViewMouse(editor), editor.session.document
    start = mouse.place(effector(active(editor), "right_wrist").target)  # type: ignore[attr-defined]
    mouse.drag(start, QPoint(-10, -20), QPoint(-40, -90), release=False)
    assert loose_ones(active(editor)) == [LOOSE[0], LOOSE[2]]
    QTest.keyClick(editor.window, Qt.Key.Key_Escape)
    mouse.release(start)
    assert editor.session.document == before
    assert loose_ones(active(editor)) == LOOSE


@pytest.mark.gl
def test_a_typed_number_makes_an_effector_strict(editor: Editor) -> None:
    session, look = editor.session, effector(active(editor), "head", "lookat")
    session.select(active(editor).id, [look.id])
    until(editor.panels.target.places[1].isVisible)
    field: ValueSlider = editor.panels.target.places[1]
    double_click(field)
    typing = field.findChild(QLineEdit)
    QTest.keyClicks(typing, "120")
    QTest.keyClick(typing, Qt.Key.Key_Return)
    settled(session)
    look = active(editor).effector(look.id)
    assert not look.loose
    assert look.target[1] == pytest.approx(1.2)  # type: ignore[attr-defined]


@pytest.mark.gl
def test_the_menu_and_the_commands_make_strict_and_loose_in_one_step(editor: Editor) -> None:
    session, id = editor.session, effector(active(editor), "left_wrist").id
    assert menu_states(editor, id) == {"Strict": False, "Loose": True}
    trigger(editor, id, "Strict")
    assert menu_states(editor, id) == {"Strict": True, "Loose": False}
    editor.actions["edit.select_all"].trigger()
    until(editor.actions["pose.loose"].isEnabled)
    editor.actions["pose.loose"].trigger()
    settled(session)
    assert all(e.loose for e in active(editor).effectors)
    assert session.history.steps() == ("Make strict", "Make loose")
    editor.actions["pose.strict"].trigger()
    settled(session)
    assert not loose_ones(active(editor))
    assert all(r.state == "met" for r in session.finding.residuals)


def test_handles_of_loose_effectors_are_faint(editor: Editor) -> None:
    editor.session_view.refresh()
    faint = [h.id[1] for h in editor.viewport.scene.handles if h.faint]  # type: ignore[index]
    assert faint == [e.id for e in active(editor).effectors if e.loose]


def menu_states(editor: Editor, id: str) -> dict[str, bool]:
    menu = QMenu()
    effector_menu(menu, editor.session, id)
    return {a.text(): a.isChecked() for a in menu.actions() if a.text() in ("Strict", "Loose")}


def trigger(editor: Editor, id: str, title: str) -> None:
    menu = QMenu()
    effector_menu(menu, editor.session, id)
    next(a for a in menu.actions() if a.text() == title).trigger()
    settled(editor.session)


@pytest.mark.gl
def test_one_click_in_the_list_makes_strict_and_another_makes_loose(editor: Editor) -> None:
    def row(id: str) -> EffectorRow:
        return next(row for row in editor.panels.effectors.rows if row.effector_id == id)

    def click(id: str) -> None:
        QTest.mouseClick(row(id).strict, Qt.MouseButton.LeftButton)
        settled(editor.session)
        editor.refresh()

    id = effector(active(editor), "left_wrist").id
    assert row(id).detail.text() == "Loose"
    click(id)
    assert loose_ones(active(editor)) == LOOSE[1:]
    assert row(id).detail.text() == "Position"
    click(id)
    assert loose_ones(active(editor)) == LOOSE
    ankle = effector(active(editor), "left_ankle", "rotation").id
    click(ankle)
    assert active(editor).effector(ankle).tolerance == 0.0
    assert editor.session.history.steps() == ("Make strict", "Make loose", "Make strict")


@pytest.mark.parametrize(
    ("change", "asked"),
    [
        (lambda e: replace(e, pinned=True), True),
        (lambda e: replace(e, tolerance=0.0), True),
        (lambda e: replace(e, tolerance=0.9), False),
        (lambda e: replace(e, pinned=True, target=np.eye(3, dtype=np.float32)), False),
        (lambda e: replace(e, enabled=False), False),
        (lambda e: e, False),
    ],
)
def test_what_is_pinned_or_strict_is_asked_more_firmly(change: Callable[[Effector], Effector], asked: bool) -> None:
    before = new_document().characters[0]
    foot = effector(before, "left_ankle", "rotation")
    changed = tuple(change(e) if e is foot else e for e in before.effectors)
    assert asked_more_firmly(before, replace(before, effectors=changed)) == ({foot.id} if asked else set())


def test_what_is_added_is_asked_and_nothing_if_anything_else_was_edited_too() -> None:
    before = new_document().characters[0]
    added = new_effector(before, "rotation", "head")
    after = replace(before, effectors=(*before.effectors, added))
    assert asked_more_firmly(before, after) == {added.id}
    assert not asked_more_firmly(before, replace(after, name="Somebody else"))
    assert not asked_more_firmly(before, replace(before, effectors=(*before.effectors[1:], added)))
    held = new_effector(before, "contact", "left_wrist")
    assert not asked_more_firmly(before, replace(before, effectors=(*before.effectors, held)))
