"""Somebody who sits with their arms squeezed, dragged by the head: the body follows evenly, and comes to rest."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, settled, strike, until

from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.create import new_character
from app.document.posing.holds.nearest_surface import resting_on_floor
from app.services import solves
from app.services.solves import Solves
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from scripts.drags.contact_depths import Hold, before
from scripts.drags.drag_steps import handle
from scripts.drags.seat_drags import library
from solver.ik.memory import goes_on
from solver.rig.rig import rig_of
from solver.rig.roles import Role
from solver.values import FloatArray

pytestmark = [pytest.mark.gl, pytest.mark.slow, pytest.mark.usefixtures("whole_view")]
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
STEP = 8  # pixels, under 2 cm here
PATIENCE_S = 60.0  # a busy machine takes a while


def is_led(editor: Editor) -> bool:
    return goes_on(editor.session.findings.of(active(editor)).memory)


def joints(editor: Editor) -> FloatArray:
    return joints_of(active(editor)).positions


class Pull:
    """A thinker whose head is pulled down until the body is led. places: (J, 3) metres, as shown after each solve."""

    def __init__(self, editor: Editor) -> None:
        session = editor.session
        document = library()["Thinker"](before(Hold(()), "neutral", "dls"), {})
        document, id = handle(document, rig_of(skeleton_of(document.characters[0])), Role.HEAD)
        person = document.characters[0].id
        session.open(edits.add_character(new_character(document, "Ben"))(document))
        session.select(person)
        editor.viewport.set_camera(OrbitCamera(target=(0.0, 0.9, 0.1), yaw=1.2, pitch=0.05, distance=2.5))
        editor.refresh()
        settled(session)
        self.places = [joints(editor)]
        session.solved.connect(lambda: self.places.append(joints(editor)))
        self.mouse = ViewMouse(editor)
        start = self.mouse.place(active(editor).effector(id).target)
        self.mouse.drag(start, QPoint(0, 3), release=False)
        for way in range(STEP, 17 * STEP, STEP):
            self.end = start + QPoint(0, way)
            self.mouse.move(self.end)
            settled(session)
            if way > 5 * STEP and is_led(editor):
                break


def test_a_thinker_whose_head_is_pulled_down_goes_on_while_the_mouse_rests_and_no_further(editor: Editor) -> None:
    pull = Pull(editor)
    places, at_end = pull.places, len(pull.places)
    until(lambda: not is_led(editor))
    assert len(places) > at_end, "it was still on its way"
    rested = places[-1]
    QTest.qWait(200)
    pull.mouse.release(pull.end)
    QTest.qWait(200)
    steps = [float(np.linalg.norm(b - a, axis=1).max()) for a, b in pairwise(places)]
    assert max(steps) < 0.1
    assert np.abs(places[-1] - rested).max() < 1e-3


@pytest.fixture
def fast_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever does the next thing before a body that is led goes on by itself; however busy the machine is, that waits
    until the body is there."""
    monkeypatch.setattr(solves, "GOES_ON_MS", 60_000)
    for wait in (Solves.settle, Solves.finish):
        monkeypatch.setattr(Solves, wait.__name__, lambda solves, _, wait=wait: wait(solves, PATIENCE_S))


@pytest.mark.usefixtures("fast_user")
def test_a_click_on_somebody_elses_eye_lets_the_thinker_arrive_and_undo_and_redo_show_whole_steps(
    request: pytest.FixtureRequest,
) -> None:
    editor: Editor = request.getfixturevalue("editor")  # after the fixture that the window has to find
    session, pull = editor.session, Pull(editor)
    pull.mouse.release(pull.end)
    half_way = joints(editor)
    QTest.mouseClick(editor.panels.people.rows[1].eye, Qt.MouseButton.LeftButton)
    assert not session.document.characters[1].visible
    there = joints(editor)
    assert np.linalg.norm(there - half_way, axis=1).max() > 0.005, "it was still on its way"
    shown = []
    for keys in (CTRL, CTRL, CTRL | SHIFT, CTRL | SHIFT):
        strike(editor, Qt.Key.Key_Z, keys)
        shown.append(joints(editor))
    for place, expected in zip(shown, (there, pull.places[0], there, there), strict=True):
        assert np.abs(place - expected).max() < 1e-5
    assert not is_led(editor)


@pytest.mark.usefixtures("fast_user")
def test_a_copy_made_at_once_is_of_the_thinker_where_the_head_was_pulled_to(request: pytest.FixtureRequest) -> None:
    editor: Editor = request.getfixturevalue("editor")
    pull = Pull(editor)
    thinker = active(editor).id
    pull.mouse.release(pull.end)
    half_way = active(editor).pose
    strike(editor, Qt.Key.Key_D, CTRL)
    people = {person.id: person for person in editor.session.document.characters}
    assert np.abs(people[thinker].pose.rotations - half_way.rotations).max() > 1e-3
    assert active(editor).id != thinker
    assert np.abs(active(editor).pose.rotations - people[thinker].pose.rotations).max() < 1e-5


@pytest.mark.usefixtures("fast_user")
def test_a_pose_copied_at_once_and_given_to_somebody_else_is_the_whole_one(request: pytest.FixtureRequest) -> None:
    editor: Editor = request.getfixturevalue("editor")
    pull = Pull(editor)
    pull.mouse.release(pull.end)
    strike(editor, Qt.Key.Key_C, CTRL)
    thinker, other = editor.session.document.characters
    editor.session.select(other.id)
    strike(editor, Qt.Key.Key_V, CTRL)
    assert editor.session.document.characters[0] == thinker, "it was there already"
    assert np.abs(active(editor).pose.rotations[1:] - thinker.pose.rotations[1:]).max() < 1e-5


@pytest.mark.usefixtures("fast_user")
@pytest.mark.parametrize(
    ("how", "trunk"), [("hands on hips", ("spine1", "spine2")), ("a wrist nudged alone", ("spine1",))]
)
def test_arms_moved_alone_at_once_leave_the_rest_of_the_thinker_where_the_head_was_pulled_to(
    request: pytest.FixtureRequest, how: str, trunk: tuple[str, ...]
) -> None:
    editor: Editor = request.getfixturevalue("editor")
    pull = Pull(editor)
    pull.mouse.release(pull.end)
    half_way = active(editor).pose
    if how == "hands on hips":
        editor.actions["contact.hips"].trigger()
    else:
        strike(editor, Qt.Key.Key_Up, CTRL | SHIFT)
    settled(editor.session)
    moved = active(editor).pose
    strike(editor, Qt.Key.Key_Z, CTRL)
    there = active(editor).pose
    stay = [skeleton_of(active(editor)).index(name) for name in ("pelvis", *trunk, "left_knee")]
    assert np.abs(there.rotations[stay] - half_way.rotations[stay]).max() > 1e-3, "it was still on its way"
    assert np.array_equal(moved.rotations[stay], there.rotations[stay])


def by_key(editor: Editor) -> None:
    strike(editor, Qt.Key.Key_G)


def by_panel(editor: Editor) -> None:
    editor.panels.effectors.add_effector("position", "right_elbow")


@pytest.mark.parametrize("add", [by_key, by_panel])
@pytest.mark.usefixtures("fast_user")
def test_a_handle_added_at_once_is_where_the_thinker_comes_to(
    request: pytest.FixtureRequest, add: Callable[[Editor], None]
) -> None:
    editor: Editor = request.getfixturevalue("editor")
    pull = Pull(editor)
    pull.mouse.release(pull.end)
    half_way = joints(editor)
    editor.session.select(active(editor).id, joints=["right_elbow"])
    add(editor)
    settled(editor.session)
    added = next(e for e in active(editor).effectors if (e.joint, e.kind) == ("right_elbow", "position"))
    strike(editor, Qt.Key.Key_Z, CTRL)
    there, elbow = joints(editor), skeleton_of(active(editor)).index("right_elbow")
    assert np.linalg.norm(there[elbow] - half_way[elbow]) > 0.005, "it was still on its way"
    assert added.target == pytest.approx(there[elbow], abs=1e-4)


@pytest.mark.usefixtures("fast_user")
def test_an_elbow_put_on_the_floor_at_once_is_below_where_the_thinker_comes_to(request: pytest.FixtureRequest) -> None:
    editor: Editor = request.getfixturevalue("editor")
    pull = Pull(editor)
    pull.mouse.release(pull.end)
    editor.session.select(active(editor).id, joints=["right_elbow"])
    editor.actions["contact.floor"].trigger()
    (put,) = editor.session.selected_effectors
    strike(editor, Qt.Key.Key_Z, CTRL)
    expected = resting_on_floor(active(editor), "right_elbow")
    assert expected is not None
    assert put.target == pytest.approx(expected.target, abs=1e-4)
