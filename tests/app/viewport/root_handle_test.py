"""The root handle on the floor: it moves, raises and turns a whole person, with everything that belongs to it."""

from __future__ import annotations

import numpy as np
import pytest
from document_samples import whole_motion
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from root_driver import cross, tip_onto_back, tip_ring
from window_driver import ViewMouse, active, laid_out, place_of, root_of, settled, strike

from app.document import edits
from app.document.model.document import Character, Photo
from app.document.model.figure import body_of, joints_of
from app.document.posing.mirroring import heading
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from rendering.shapes.gizmo import outline
from rendering.shapes.root_handle import ring
from solver.body.floor import posed_vertices
from solver.camera import PinholeCamera
from solver.effectors.kinds import LookAt, Position
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS

pytestmark = pytest.mark.gl
SHIFT = Qt.KeyboardModifier.ShiftModifier


def on_ring(mouse: ViewMouse, place: int = 14) -> QPoint:
    return mouse.place(ring(root_of(mouse.editor), mouse.view.current_view)[place])


def floor_point(mouse: ViewMouse, pixel: QPoint) -> np.ndarray:
    origin, direction = mouse.view.current_view.ray((pixel.x(), pixel.y()))
    return np.asarray(origin - origin[1] / direction[1] * direction)


def shift_of(before: Character, after: Character) -> np.ndarray:
    return after.pose.root_position - before.pose.root_position


def assert_carried(before: Character, after: Character) -> None:
    """Everything that has a place has gone the same way; the pose is as it was."""
    shift = shift_of(before, after)
    assert after.base_pose.root_position - before.base_pose.root_position == pytest.approx(shift, abs=1e-5)
    assert np.abs(after.pose.rotations - before.pose.rotations).max() < 1e-6
    for one, other in zip(before.effectors, after.effectors, strict=True):
        if isinstance(one, Position | LookAt):
            assert other.target - one.target == pytest.approx(shift, abs=1e-5)  # type: ignore[attr-defined]
        assert other.loose == one.loose


def test_a_drag_of_the_cross_moves_the_whole_person_over_the_floor_in_one_step(editor: Editor) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    pose = active(editor).pose
    roots = np.stack([pose.root_position, pose.root_position + np.float32(0.1)])
    session.edit("Motion", edits.import_motion("c1", Motion(roots, np.stack([pose.rotations] * 2))))
    editor.refresh()
    laid_out()  # the motion's bar takes room from the view
    document, before = session.document, active(editor)
    start = cross(mouse)
    mouse.drag(start, QPoint(20, 10), QPoint(90, 30), QPoint(140, 45))
    after = active(editor)
    wanted = floor_point(mouse, start + QPoint(140, 45)) - floor_point(mouse, start)
    assert shift_of(before, after) == pytest.approx(wanted, abs=1e-5)
    assert abs(wanted[1]) < 1e-9
    assert_carried(before, after)
    assert whole_motion(after).root_positions - roots == pytest.approx(np.tile(wanted, (2, 1)), abs=1e-5)
    assert session.history.steps()[1:] == ("Move Person 1",)
    settled(session)
    assert shift_of(before, active(editor)) == pytest.approx(wanted, abs=1e-5), "nothing is solved anew"
    session.undo()
    assert session.document == document


def test_there_and_back_and_escape_leave_no_trace(editor: Editor) -> None:
    mouse, document = ViewMouse(editor), editor.session.document
    start = cross(mouse)
    mouse.drag(start, QPoint(90, 30), QPoint(-40, 80), QPoint(0, 0))
    assert editor.session.document == document
    mouse.drag(start, QPoint(90, 30), QPoint(140, 45), release=False)
    assert editor.session.document != document
    QTest.keyClick(editor.window, Qt.Key.Key_Escape)
    mouse.release(start)
    assert editor.session.document == document


def test_with_shift_it_goes_up_and_the_floor_way_so_far_stays(editor: Editor) -> None:
    mouse, before = ViewMouse(editor), active(editor)
    start = cross(mouse)
    mouse.drag(start, QPoint(60, 20), QPoint(80, 30), release=False)
    over = shift_of(before, active(editor))
    for way in (QPoint(80, -20), QPoint(85, -90)):
        mouse.move(start + way, SHIFT)
    raised = shift_of(before, active(editor))
    assert raised[[0, 2]] == pytest.approx(over[[0, 2]], abs=1e-6)
    assert raised[1] > 0.2
    mouse.move(start + QPoint(120, -90))
    mouse.release(start + QPoint(120, -90))
    after = active(editor)
    assert shift_of(before, after)[1] == pytest.approx(raised[1], abs=1e-6)
    assert_carried(before, after)
    assert editor.session.history.steps() == ("Move Person 1",)


def test_a_click_shows_arrows_and_the_upright_one_raises(editor: Editor) -> None:
    mouse, before = ViewMouse(editor), active(editor)
    mouse.click(cross(mouse))
    editor.session_view.refresh()
    gizmo = editor.viewport.scene.gizmo
    assert gizmo is not None
    assert gizmo.position == pytest.approx(np.asarray(root_of(editor).position))
    start = mouse.place(outline(gizmo, "y", mouse.view.current_view).mean(axis=0))
    mouse.drag(start, QPoint(3, -30), QPoint(10, -80))
    shift = shift_of(before, active(editor))
    assert shift[1] > 0.1
    assert shift[[0, 2]] == pytest.approx([0, 0], abs=1e-7)
    assert_carried(before, active(editor))
    mouse.click(QPoint(5, 5))
    editor.session_view.refresh()
    assert editor.viewport.scene.gizmo is None


def test_the_ring_turns_about_the_vertical_and_everything_turns_along(editor: Editor) -> None:
    mouse, before = ViewMouse(editor), active(editor)
    circle = ring(root_of(editor), mouse.view.current_view)
    start, end = mouse.place(circle[10]), mouse.place(circle[20])
    mouse.drag(start, (end - start) / 2, end - start)
    after = active(editor)
    angle = heading(after.pose.rotations[0]) - heading(before.pose.rotations[0])
    assert np.degrees(angle) == pytest.approx(50, abs=1.5)
    assert shift_of(before, after) == pytest.approx(np.zeros(3), abs=1e-6)
    turn = from_rotation_vector([0.0, angle, 0.0])
    centre = before.pose.root_position
    for one, other in zip(before.effectors, after.effectors, strict=True):
        if isinstance(one, Position | LookAt):
            carried = centre + turn @ (one.target - centre)
            assert other.target == pytest.approx(carried, abs=1e-5)  # type: ignore[attr-defined]
    assert joints_of(after).positions == pytest.approx(
        (joints_of(before).positions - centre) @ turn.T + centre, abs=1e-5
    )
    assert editor.session.history.steps() == ("Turn Person 1",)
    assert root_of(editor).heading == pytest.approx(heading(after.pose.rotations[0]))


def test_the_pelvis_itself_still_poses_and_the_feet_stay(editor: Editor) -> None:
    mouse, before = ViewMouse(editor), active(editor)
    start = mouse.place(joints_of(before).positions[0])
    mouse.drag(start, QPoint(0, 10), QPoint(5, 50))
    settled(editor.session)
    after = active(editor)
    ankle = SMPL_JOINTS.index("left_ankle")
    assert joints_of(after).positions[0][1] < joints_of(before).positions[0][1] - 0.05
    assert joints_of(after).positions[ankle] == pytest.approx(joints_of(before).positions[ankle], abs=0.003)


def test_from_the_front_it_moves_sideways_alone_and_stays_in_reach(editor: Editor) -> None:
    mouse, before = ViewMouse(editor), active(editor)
    for flat in (True, False):
        camera = OrbitCamera(target=(0.0, 0.05, 0.0), yaw=0.0, pitch=0.0, orthographic=flat)
        editor.viewport.set_camera(camera)
        start = mouse.place(root_of(editor).position) + QPoint(0, 4)
        mouse.drag(start, QPoint(60, -30), QPoint(100, -300))
        shift = shift_of(before, active(editor))
        pixel = mouse.view.current_view.metres_per_pixel([0, 0, 0])
        assert shift == pytest.approx([100 * pixel, 0, 0], rel=0.02, abs=1e-6)
        editor.session.undo()


@pytest.mark.slow
def test_a_drag_up_to_the_horizon_and_into_the_sky_is_calm(editor: Editor) -> None:
    mouse, before = ViewMouse(editor), active(editor)
    start, gone = cross(mouse), []
    mouse.drag(start, QPoint(0, -5), release=False)
    for up in range(10, start.y(), 10):
        mouse.move(start - QPoint(0, up))
        gone.append(float(np.linalg.norm(shift_of(before, active(editor)))))
    mouse.release(start - QPoint(0, up))
    assert max(gone) < 40.0
    assert np.all(np.diff(gone) > -0.1), "it goes on and does not come back"


def test_only_the_active_person_has_one_and_no_locked_one(editor: Editor) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    editor.posing.add_person()
    settled(session)
    editor.session_view.frame_all(glide=False)
    first, second = session.document.characters
    assert np.asarray(root_of(editor).position)[[0, 2]] == pytest.approx(second.pose.root_position[[0, 2]])
    mouse.drag(cross(mouse), QPoint(30, 10), QPoint(60, 15))
    assert session.document.characters[0] is first
    assert_carried(second, session.document.characters[1])
    session.select(first.id)
    assert np.asarray(root_of(editor).position)[[0, 2]] == pytest.approx(first.pose.root_position[[0, 2]])
    session.edit("Lock", edits.set_locked(first.id, True))
    editor.session_view.refresh()
    assert editor.viewport.scene.root is None


def test_it_says_what_it_does(editor: Editor) -> None:
    mouse = ViewMouse(editor)
    mouse.hover(cross(mouse))
    assert editor.hover_label.text().startswith("Person 1: move over the floor")
    assert root_of(editor).hovered == "move"
    mouse.hover(on_ring(mouse))
    assert editor.hover_label.text() == "Person 1: turn"
    assert root_of(editor).hovered == "turn"
    assert editor.viewport.scene.without_tools().root is None


def test_it_is_there_through_a_photos_camera_too(editor: Editor) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    tilt = from_rotation_vector([-0.25, 0.0, 0.0])
    camera = PinholeCamera(np.float32([0.3, 1.9, 4.5]), tilt.astype(np.float32), 900.0, (400.0, 300.0), (800, 600))
    session.edit("Photo", edits.set_photo(Photo("gone.png", "0" * 64, camera, visible=False)))
    session.set_view(through_photo=True)
    editor.session_view.refresh()
    before, start = active(editor), cross(mouse)
    mouse.drag(start, QPoint(20, 5), QPoint(60, 12))
    wanted = floor_point(mouse, start + QPoint(60, 12)) - floor_point(mouse, start)
    assert session.view.through_photo
    assert shift_of(before, active(editor)) == pytest.approx(wanted, abs=1e-5)


def test_end_sets_the_lowest_skin_onto_the_floor_and_takes_everything_along(editor: Editor) -> None:
    session = editor.session
    standing = active(editor)
    lying = np.array(standing.pose.rotations)
    lying[0] = from_rotation_vector([-1.3, 0.4, 0.2])
    pose = Pose(np.float32([0.4, 0.03, -0.2]), lying)
    session.edit("Lie down", edits.set_pose("c1", pose))
    before = active(editor)
    strike(editor, Qt.Key.Key_End)
    after = active(editor)
    skin = posed_vertices(body_of(after), after.shape, after.pose)
    assert skin[:, 1].min() == pytest.approx(0.0, abs=1e-5)
    assert shift_of(before, after)[[0, 2]] == pytest.approx([0, 0], abs=1e-7)
    assert shift_of(before, after)[1] > 0.02
    assert_carried(before, after)
    assert session.history.steps() == ("Lie down", "Set on the floor")
    strike(editor, Qt.Key.Key_End)
    assert session.history.steps() == ("Lie down", "Set on the floor"), "it stands there already"
    session.undo()
    assert active(editor) == before


def test_a_person_in_the_air_comes_down(editor: Editor) -> None:
    up = edits.chain(edits.stand_on_floor("c1"), edits.move_character("c1", [0, 0.8, 0]), edits.stand_on_floor("c1"))
    after = up(editor.session.document).character("c1")
    skin = posed_vertices(body_of(after), after.shape, after.pose)
    assert skin[:, 1].min() == pytest.approx(0.0, abs=1e-5)


def lowest(character: Character) -> float:
    return float(posed_vertices(body_of(character), character.shape, character.pose)[:, 1].min())


def test_a_ring_tips_the_whole_person_onto_the_floor_and_everything_along(editor: Editor) -> None:
    mouse, before = ViewMouse(editor), active(editor)
    tip_onto_back(mouse)
    after = active(editor)
    turn = from_rotation_vector([-np.pi / 2, 0.0, 0.0])
    own = from_rotation_vector([0.0, heading(before.pose.rotations[0]), 0.0])
    turn = own @ turn @ own.T
    assert lowest(after) == pytest.approx(lowest(before), abs=1e-4)
    joints, fallen = joints_of(before).positions, joints_of(after).positions
    assert fallen - fallen[0] == pytest.approx((joints - joints[0]) @ turn.T, abs=1e-4)
    assert fallen[SMPL_JOINTS.index("head")][1] < 0.3
    for one, other in zip(before.effectors, after.effectors, strict=True):
        if isinstance(one, Position | LookAt):
            carried = (one.target - joints[0]) @ turn.T + fallen[0]
            assert other.target == pytest.approx(carried, abs=1e-4)  # type: ignore[attr-defined]
    assert editor.session.history.steps() == ("Tip Person 1",)
    settled(editor.session)
    assert active(editor) == after, "nothing is solved anew"
    editor.session.undo()
    assert active(editor) == before


def test_tipping_there_and_back_leaves_no_trace_and_ctrl_goes_in_steps(editor: Editor) -> None:
    mouse, document = ViewMouse(editor), editor.session.document
    mouse.click(cross(mouse))
    ring_of = tip_ring(mouse, "z")
    at = max(range(len(ring_of)), key=lambda i: float(ring_of[i][1]))
    start = mouse.place(ring_of[at])
    mouse.drag(start, mouse.place(ring_of[at + 6]) - start, QPoint(0, 0))
    assert editor.session.document == document
    mouse.drag(start, mouse.place(ring_of[at + 7]) - start, release=False)
    mouse.move(mouse.place(ring_of[at + 7]), Qt.KeyboardModifier.ControlModifier)
    mouse.release(mouse.place(ring_of[at + 7]))
    up = active(editor).pose.rotations[0] @ document.characters[0].pose.rotations[0].T
    tipped = float(np.degrees(np.arccos(np.clip(up[1, 1], -1.0, 1.0))))
    assert tipped == pytest.approx(round(tipped / 5) * 5, abs=0.01)
    assert tipped > 10


def test_two_who_are_selected_tip_each_where_they_stand(editor: Editor) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    editor.posing.add_person()
    settled(session)
    editor.session_view.frame_all(glide=False)
    laid_out()
    before = session.document.characters
    session.set_view(others=frozenset({before[0].id}))
    mouse.click(cross(mouse))
    session.set_view(others=frozenset({before[0].id}), root=True)
    top = max(tip_ring(mouse, "x"), key=lambda at: float(at[1] + at[2]))  # where no other ring crosses
    start = mouse.place(top)
    mouse.drag(start, mouse.place(top - [0.0, 0.0, 0.3]) - start)
    after = session.document.characters
    for one, other in zip(before, after, strict=True):
        assert lowest(other) == pytest.approx(lowest(one), abs=1e-4)
        assert np.abs(other.pose.rotations[0] - one.pose.rotations[0]).max() > 0.1
        assert np.linalg.norm((other.pose.root_position - one.pose.root_position)[[0, 2]]) < 1.0
    assert session.history.steps()[-1] == "Tip 2 people"


def test_in_a_close_portrait_the_background_is_nobodys_ring(editor: Editor) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    eye = place_of(editor, "pelvis") + [0.0, 0.65, 0.52]
    camera = PinholeCamera(np.float32(eye), np.eye(3, dtype=np.float32), 1100.0, (400.0, 300.0), (800, 600))
    session.edit("Photo", edits.set_photo(Photo("gone.png", "0" * 64, camera, visible=False)))
    session.set_view(through_photo=True)
    editor.session_view.refresh()
    before, view = session.document, editor.viewport
    for place in (QPoint(60, 60), QPoint(view.width() - 60, 60), QPoint(60, view.height() // 2)):
        mouse.hover(place)
        assert editor.hover_label.text() == ""
    mouse.drag(QPoint(60, 60), QPoint(20, 5), QPoint(60, 12))
    assert session.document is before
