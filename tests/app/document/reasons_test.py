"""Why a handle does not get where it was pulled is said in its row, at the pointer and in the status bar."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from window_driver import ViewMouse, settled, until

from app.document import edits
from app.document.model.figure import joints_of
from app.document.posing.contact_patches import contact_of, patches_of, place_of_patch
from app.look.wording import reason_text, reason_word
from app.panels.effector_row import EffectorRow
from app.window.editor import Editor
from solver.effectors.kinds import Position, Rotation
from solver.ik.problem import Cause, Reason

pytestmark = pytest.mark.gl


def row_of(editor: Editor, joint: str) -> EffectorRow:
    active = editor.session.active
    assert active is not None
    place = next(i for i, e in enumerate(active.effectors) if (e.joint, e.kind) == (joint, "position"))
    return editor.panels.effectors.rows[place]


def test_a_wrist_pulled_out_of_reach_says_by_how_much_it_is(editor: Editor) -> None:
    mouse, session = ViewMouse(editor), editor.session
    active = session.active
    assert active is not None
    wrist = next(e for e in active.effectors if e.joint == "left_wrist")
    start = mouse.place(wrist.target)
    mouse.drag(start, QPoint(-40, -40), QPoint(-900, -300) - start)  # held beyond the edge of the view
    settled(session)
    row = row_of(editor, "left_wrist")
    until(lambda: "out of reach by" in row.toolTip())
    assert row.detail.text() == "Too far"
    assert row.error.text() in row.toolTip()
    assert "(left wrist · position): out of reach" in editor.window.status.facts["worst"].text()
    moved = session.document.character(active.id).effector(wrist.id)
    mouse.hover(mouse.place(moved.target))
    assert editor.hover_label.text().startswith("Left wrist · position: out of reach by")
    session.undo()  # back within reach: nothing is left of it
    settled(session)
    editor.refresh()
    assert "reach" not in row.toolTip()
    assert row.detail.text() != "Too far"


def test_after_the_last_key_whose_pose_stays_the_reason_is_said_as_at_that_key(editor: Editor) -> None:
    session = editor.session
    active = session.active
    assert active is not None
    wrist = next(e for e in active.effectors if e.joint == "left_wrist")
    session.edit("Make longer", edits.set_clip_length(active.id, 90))
    session.edit("Pull", edits.set_target(active.id, wrist.id, np.float32([2.0, 1.5, 0.0])), solve=True)
    settled(session)
    editor.player.go_to(88)  # before anybody has asked at the key
    until(lambda: "out of reach by" in row_of(editor, "left_wrist").toolTip())
    assert len(session.document.character(active.id).clip.keys) == 1


def test_an_effector_that_another_one_stops_names_it(editor: Editor) -> None:
    session = editor.session
    active = session.active
    assert active is not None
    joints = joints_of(active)
    elbow = joints.positions[18]
    session.edit("Hold", edits.add_effector(active.id, Position("left_elbow", elbow, id="elbow")), solve=True)
    wrist = next(e for e in active.effectors if e.joint == "left_wrist")
    session.edit("Pull", edits.set_target(active.id, wrist.id, elbow + np.array([0.1, 0, 0], np.float32)), solve=True)
    settled(session)
    editor.refresh()
    until(lambda: any("is in the way" in row.toolTip() for row in editor.panels.effectors.rows))
    said = {row.joint.text(): row.toolTip() for row in editor.panels.effectors.rows if "in the way" in row.toolTip()}
    assert said.get("Left wrist", "Left elbow is in the way").endswith("Left elbow is in the way")
    assert said.get("Left elbow", "Left wrist is in the way").endswith("Left wrist is in the way")


def test_a_sole_that_the_leg_cannot_turn_flat_up_to_a_table_says_so_and_one_that_lies_flat_does_not(
    editor: Editor,
) -> None:
    mouse, session = ViewMouse(editor), editor.session
    active = session.active
    assert active is not None
    patch, down = patches_of(active)["left_sole"], np.float32([0.0, -1.0, 0.0])
    stands = place_of_patch(active, patch)
    place = stands + np.float32([0.0, 0.6, 0.3])
    under_table, sole = (replace(contact_of(patch, at, way), id="sole") for at, way in ((place, down), (stands, -down)))
    session.edit("Hold", edits.hold(active.id, under_table), solve=True)
    settled(session)
    editor.refresh()
    until(lambda: any("tilted" in row.toolTip() for row in editor.panels.effectors.rows))
    row = next(row for row in editor.panels.effectors.rows if row.joint.text() == "Left sole")
    assert row.detail.text() == "Tilted"
    assert re.search(r": met\. It lies tilted by \d+°, as the leg turns no further$", row.toolTip())
    mouse.hover(mouse.place(place))
    assert editor.hover_label.text().startswith("Left sole · contact: it lies tilted by")
    session.edit("Put down", edits.hold(active.id, sole, instead_of="sole"), solve=True)
    settled(session)
    editor.refresh()
    assert session.unexplained_character is None
    assert "tilted" not in row.toolTip()


def test_a_new_drag_does_not_wait_for_reasons(editor: Editor) -> None:
    mouse, session = ViewMouse(editor), editor.session
    active = session.active
    assert active is not None
    wrist = next(e for e in active.effectors if e.joint == "left_wrist")
    start = mouse.place(wrist.target)
    away = QPoint(8, 8) - start
    mouse.drag(start, away)
    settled(session)
    session.request_reasons()
    mouse.drag(start + away, -away)
    settled(session)
    active = session.active
    assert active is not None
    assert all(residual.state != "unreachable" for residual in session.finding.residuals)
    assert session.finding.reasons == (None,) * len(active.effectors)


@pytest.mark.parametrize(
    ("reason", "why"),
    [
        (Reason(Cause.TURN, part="arm"), "the arm turns no further"),
        (Reason(Cause.FLOOR), "the floor is in the way"),
        (Reason(Cause.EFFECTOR, "left_ankle", "rotation"), "rotation of left ankle is in the way"),
        (Reason(Cause.SEVERAL), "several others are in the way together"),
    ],
)
def test_whatever_keeps_a_patch_tilted_the_list_says_by_how_much_it_is(reason: Reason, why: str) -> None:
    tilted = replace(reason, angle=float(np.radians(20)))
    assert reason_word(tilted) == "Tilted"
    assert reason_text(tilted) == f"It lies tilted by 20°, as {why}"


@pytest.mark.parametrize(
    ("reason", "why"),
    [
        (Reason(Cause.EFFECTOR, "left_ankle", "position"), "The left ankle cannot turn that far in the place where"),
        (Reason(Cause.EFFECTOR, "right_ankle", "position"), "Right ankle is in the way"),
        (Reason(Cause.FLOOR), "The floor is in the way"),
    ],
)
def test_a_turn_that_the_handle_of_its_own_place_or_the_floor_stops_says_so(reason: Reason, why: str) -> None:
    assert reason_text(reason, of=Rotation("left_ankle", np.eye(3, dtype=np.float32))).startswith(why)


def test_a_place_that_the_handle_of_its_own_turn_stops_says_so() -> None:
    reason, ankle = Reason(Cause.EFFECTOR, "left_ankle", "rotation"), Position("left_ankle", np.zeros(3, np.float32))
    assert reason_text(reason, of=ankle) == "The left ankle cannot get there with the turn in which it is held"
