"""Real drags through somebody with a solid body: an arm that jumps is drawn on its way over."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from solid_people import held_person
from window_driver import Clock, ViewMouse, active, place_of, settled, until

from app.document.model.figure import joints_of, skeleton_of
from app.window.editor import Editor
from rendering.camera.moving import standard_view

pytestmark = pytest.mark.gl
FRONT, BACK, STEPS = 0.2, -0.14, 12  # metres ahead of the pelvis; steps from front to back
PICTURE_S = 1 / 60


@pytest.fixture
def clock(editor: Editor) -> Clock:
    clock = editor.session_view.swings.clock = Clock()
    return clock


@pytest.fixture
def mouse(editor: Editor) -> ViewMouse:
    """With somebody whose right hand is before the trunk, seen from the side."""
    person = held_person()
    there = replace(
        next(e for e in person.effectors if e.joint == "right_wrist"), target=np.array([0.0, 1.18, FRONT], np.float32)
    )
    asked = replace(person, effectors=tuple(there if e.id == there.id else e for e in person.effectors))
    editor.session.edit("Person", lambda document: document.with_character(replace(asked, id="c1")), solve=True)
    settled(editor.session)
    camera = standard_view(editor.session_view.moves.orbit_camera(), "left", orthographic=True)
    editor.viewport.set_camera(camera)
    return ViewMouse(editor)


def drawn(editor: Editor) -> np.ndarray:
    """(J, 3) metres, the joints as drawn now."""
    editor.session_view.refresh()
    return editor.viewport.scene.figures[0].joints.astype(np.float64)


def solved(editor: Editor) -> np.ndarray:
    return joints_of(active(editor)).positions.astype(np.float64)


def apart(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.linalg.norm(one - other, axis=1).max())


def drag_until_it_jumps(editor: Editor, mouse: ViewMouse, clock: Clock) -> tuple[np.ndarray, np.ndarray]:
    """Drag the hand back until the body jumps; the joints as drawn before and after that step, mouse held."""
    start = mouse.place(place_of(editor, "right_wrist"))
    mouse.drag(start, QPoint(3, -3), release=False)
    before = drawn(editor)
    for z in np.linspace(FRONT, BACK, STEPS):
        was = solved(editor)
        mouse.move(mouse.place([0.0, 1.18, z]))
        settled(editor.session)
        clock.now_s += PICTURE_S
        if apart(was, solved(editor)) > 0.3:
            return before, drawn(editor)
        before = drawn(editor)
    raise AssertionError("nothing jumped")


def test_an_arm_that_jumps_is_drawn_on_its_way_and_the_pose_is_there_at_once(
    editor: Editor, mouse: ViewMouse, clock: Clock
) -> None:
    steps = len(editor.session.history.steps())
    before, after = drag_until_it_jumps(editor, mouse, clock)
    assert apart(before, after) < 0.1
    assert apart(after, solved(editor)) > 0.3
    clock.now_s += 0.1
    halfway = drawn(editor)
    assert 0.1 < apart(halfway, solved(editor)) < apart(after, solved(editor))
    clock.now_s += 0.2
    assert apart(drawn(editor), solved(editor)) < 1e-6, "the mouse rests, and 0.3 s have passed"
    mouse.release(mouse.place([0.0, 1.18, BACK]))
    assert len(editor.session.history.steps()) == steps + 1


@pytest.mark.slow
def test_undo_shows_the_pose_before_the_drag_at_once(editor: Editor, mouse: ViewMouse, clock: Clock) -> None:
    there = solved(editor)
    drag_until_it_jumps(editor, mouse, clock)
    mouse.release(mouse.place([0.0, 1.18, BACK]))
    assert editor.session_view.swings.swinging
    editor.session.undo()
    assert apart(solved(editor), there) == 0.0
    assert apart(drawn(editor), there) < 1e-6
    assert not editor.session_view.swings.swinging


@pytest.mark.slow
def test_pictures_follow_one_another_until_a_swing_is_over(editor: Editor, mouse: ViewMouse, clock: Clock) -> None:
    drag_until_it_jumps(editor, mouse, clock)
    seen = [drawn(editor)]

    def is_over() -> bool:
        clock.now_s += PICTURE_S / 2
        seen.append(editor.viewport.scene.figures[0].joints.astype(np.float64))
        return not editor.session_view.swings.swinging

    until(is_over)
    assert len({round(apart(joints, solved(editor)), 6) for joints in seen}) > 4, "without a move of the mouse"
    assert apart(seen[-1], solved(editor)) < 1e-6


def test_a_press_while_somebody_is_drawn_on_their_way_takes_what_the_document_has_there(
    editor: Editor, mouse: ViewMouse, clock: Clock
) -> None:
    drag_until_it_jumps(editor, mouse, clock)
    mouse.release(mouse.place([0.0, 1.18, BACK]))
    editor.session.select(active(editor).id)
    assert editor.session_view.swings.swinging
    elbow = place_of(editor, "left_elbow")
    seen = drawn(editor)[skeleton_of(active(editor)).index("left_elbow")]
    assert np.linalg.norm(seen - elbow) > 0.2
    mouse.drag(mouse.place(elbow), QPoint(3, 3), QPoint(6, 6))
    settled(editor.session)
    assert editor.session.history.steps()[-1] == "Move left elbow"
