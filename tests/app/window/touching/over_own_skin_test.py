"""A hand that is led over its owner's skin by the mouse, with S held: the arm moves, the rest stays or helps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, activated, active, place_of, settled

from app.document.library.shelf import shelf_of
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.contact_patches import own_limb
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from rendering.picking.skin_picking import hit_skin
from scripts.drags.lying_drags import taken
from solver.effectors.contact import Contact
from solver.effectors.sources import SkinSource
from solver.resources import resource_folder

pytestmark = pytest.mark.gl
S = Qt.Key.Key_S
LEGS = ("pelvis", "left_knee", "right_knee", "left_ankle", "right_ankle")
TRUNK = (*LEGS, "spine3", "head")
OTHER_ARM = ("left_shoulder", "left_elbow", "left_wrist")
RIGHT_ARM = ("right_elbow", "right_wrist")
FAR_SHIN = (0.258, 0.446, 0.237)  # metres, of the female body in *Sit, one knee up*
NEAR = 0.011  # metres


def seen(editor: Editor) -> None:
    """The whole person from the front."""
    middle = place_of(editor, "spine1")
    editor.viewport.set_camera(OrbitCamera(target=tuple(middle.tolist()), distance=3.0, yaw=0.0, pitch=0.1))
    editor.refresh()


def places(editor: Editor, joints: tuple[str, ...]) -> np.ndarray:
    person = active(editor)
    return joints_of(person).positions[[skeleton_of(person).index(joint) for joint in joints]].astype(np.float64)


def hand_on(editor: Editor) -> tuple[Contact, float]:
    """The right hand's contact with the person's own skin, and by how much it is missed."""
    for e, left in zip(active(editor).effectors, editor.session.finding.residuals, strict=True):
        if isinstance(e, Contact) and e.joint == "right_wrist":
            assert isinstance(e.source, SkinSource)
            assert e.source.character == active(editor).id
            return e, left.value
    raise AssertionError("the hand lies on nothing")


def led(editor: Editor, *ends: QPoint, release: bool = True) -> Iterator[None]:
    """Lead the right hand with S held; yields after each move."""
    mouse = ViewMouse(editor)
    mouse.drag(mouse.place(place_of(editor, "right_wrist")), QPoint(4, 4), QPoint(8, 8), release=False)
    activated(editor.window)
    editor.viewport.setFocus()
    QTest.keyPress(editor.viewport, S)
    for end in ends:
        mouse.move(end)
        settled(editor.session)
        yield
    if release:
        mouse.release(ends[-1])
        QTest.keyRelease(editor.viewport, S)
        settled(editor.session)


def between(editor: Editor, first: str, last: str, share: float = 0.5) -> QPoint:
    """Where the view shows a place between two joints."""
    start, end = place_of(editor, first), place_of(editor, last)
    return ViewMouse(editor).place(start + share * (end - start))


def crown(editor: Editor) -> QPoint:
    """The highest pixel of the head above its joint."""
    pixel, view = ViewMouse(editor).place(place_of(editor, "head")), editor.viewport.current_view
    (figure,) = [each for each in editor.viewport.scene.figures if not each.ghost]
    while hit_skin(*view.ray(np.array(pixel.toTuple(), np.float64)), figure, own_limb(active(editor), "right_wrist")):
        pixel -= QPoint(0, 1)
    return pixel + QPoint(0, 1)


def test_only_the_arm_moves_as_a_hand_goes_from_the_belly_over_the_ribs_to_the_chest(editor: Editor) -> None:
    seen(editor)
    kept = (*TRUNK, *OTHER_ARM)
    before, steps = places(editor, kept), editor.session.history.steps()
    belly, chest = between(editor, "spine1", "spine2"), between(editor, "spine3", "neck", 0.2)
    for _ in led(editor, belly, (belly + chest) / 2, chest):
        assert places(editor, kept) == pytest.approx(before, abs=1e-5)
        assert hand_on(editor)[1] < NEAR
    assert len(editor.session.history.steps()) == len(steps) + 1
    assert editor.session.history.steps()[-1] == "Hold right palm on own chest", "where it is in the end"


def test_a_hand_that_does_not_reach_the_thigh_is_helped_by_the_spine_over_legs_that_stay(editor: Editor) -> None:
    seen(editor)
    legs, chest = places(editor, LEGS), place_of(editor, "spine3")
    for _ in led(editor, between(editor, "right_hip", "right_knee", 0.7)):
        assert places(editor, LEGS) == pytest.approx(legs, abs=1e-5)
    assert hand_on(editor)[1] < NEAR
    assert np.linalg.norm(place_of(editor, "spine3") - chest) > 0.02


@pytest.mark.slow
def test_a_hand_on_the_floor_gets_to_the_far_shin_as_s_goes_down_and_does_not_leap_after(editor: Editor) -> None:
    shelf = shelf_of(resource_folder("assets", "poses"))
    entry = next(each for each in shelf.entries if each.name == "Sit, one knee up")
    editor.session.open(taken(entry, "female", "smplik"))
    settled(editor.session)
    middle = (place_of(editor, "left_knee") + place_of(editor, "pelvis")) / 2
    editor.viewport.set_camera(OrbitCamera(target=tuple(middle.tolist()), distance=3.2, yaw=0.6, pitch=0.25))
    editor.refresh()
    mouse = ViewMouse(editor)
    end = mouse.place(np.array(FAR_SHIN))
    start = mouse.place(place_of(editor, "right_wrist"))
    mouse.drag(start, QPoint(4, 4), release=False)
    for n in range(1, 5):
        mouse.move(start + (end - start) * n / 4)
        settled(editor.session)
    activated(editor.window)
    editor.viewport.setFocus()
    QTest.keyPress(editor.viewport, S)
    settled(editor.session)
    assert hand_on(editor)[1] < NEAR, "it hung there, 39 cm off"
    was = places(editor, RIGHT_ARM)
    for by in (QPoint(3, 2), QPoint(5, 4)):
        mouse.move(end + by)
        settled(editor.session)
        now = places(editor, RIGHT_ARM)
        assert np.linalg.norm(now - was, axis=1).max() < 0.25, "it leapt by 40 cm"
        was = now
    mouse.release(end)
    QTest.keyRelease(editor.viewport, S)


@pytest.mark.slow
def test_the_other_forearm_comes_to_meet_a_hand_and_the_trunk_stays(editor: Editor) -> None:
    seen(editor)
    trunk, wrist = places(editor, TRUNK[:-1]), place_of(editor, "left_wrist")
    for _ in led(editor, between(editor, "spine1", "spine2"), between(editor, "left_elbow", "left_wrist", 0.6)):
        assert places(editor, TRUNK[:-1]) == pytest.approx(trunk, abs=1e-5)
    assert hand_on(editor)[1] < NEAR
    assert np.linalg.norm(place_of(editor, "left_wrist") - wrist) > 0.02


@pytest.mark.slow
def test_a_hand_stays_on_the_body_a_few_pixels_beyond_its_edge_and_not_far_beyond(editor: Editor) -> None:
    seen(editor)
    top, history = crown(editor), editor.session.history
    pixels = led(editor, *(top + QPoint(0, down) for down in (8, -8, -60)), release=False)
    for _ in range(2):
        next(pixels)
        assert "head" in history.steps()[-1]
    next(pixels)
    assert "head" not in history.steps()[-1]
    QTest.keyClick(editor.viewport, Qt.Key.Key_Escape)


@pytest.mark.slow
def test_with_symmetric_posing_both_hands_go_and_nothing_is_held(editor: Editor) -> None:
    seen(editor)
    editor.session.set_view(symmetry=True)
    for _ in led(editor, between(editor, "right_hip", "right_knee", 0.1)):
        pass
    held = {e.joint for e in active(editor).effectors if isinstance(e, Contact)}
    assert held == {"left_wrist", "right_wrist"}
