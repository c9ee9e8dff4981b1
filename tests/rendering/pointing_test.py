"""What lies under the pointer, what a drag does to the camera, and what the GPU is given."""

from __future__ import annotations

import numpy as np
import pytest
from rendering_capsule_man import mesh, skeleton

from rendering.camera.camera import OrbitCamera, View
from rendering.camera.navigation import PRESETS, Pointer, drag_action, dragged, scroll_action, scrolled
from rendering.drawing.quality import ENOUGH, FLUENT_MS, PATIENT_MS, Quality
from rendering.picking.picking import pick, pick_figure, pick_gizmo, pick_handle
from rendering.scene.mesh_data import smooth_normals, strongest_weights
from rendering.scene.values import Figure, Gizmo, Handle, JointDots, RootHandle, Scene
from rendering.shapes.gizmo import AXES, RINGS, outline
from rendering.shapes.root_handle import arrows, pick_root, ring
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.pose import rest_pose

VIEW = View(OrbitCamera(yaw=0.3, pitch=0.1), 1280, 800)


def handle(id: str, place: tuple[float, float, float]) -> Handle:
    at = np.array(place)
    return Handle(id, "ball", at, at)


def figure(ghost: bool = False) -> Figure:
    bones = skeleton()
    pose = rest_pose(bones)
    joints = forward_kinematics(bones, pose).positions
    return Figure("man", mesh(bones), skinning_matrices(bones, pose), joints, bones.parents, ghost=ghost)


def test_the_handle_nearest_to_the_pointer_is_taken() -> None:
    handles = [handle("a", (0, 1, 0)), handle("b", (0.1, 1, 0))]
    near_b = VIEW.project(handles[1].position) + [2, 1]
    found = pick_handle(VIEW, handles, near_b)
    assert found is not None
    assert found.id == "b"
    assert pick_handle(VIEW, handles, near_b + [60, 60]) is None


def test_of_two_handles_at_one_pixel_the_one_in_front_is_taken() -> None:
    back = np.array([0.0, 1.0, 0.0])
    front = back + 0.6 * (VIEW.camera.eye - back)
    found = pick_handle(VIEW, [handle("back", tuple(back)), handle("front", tuple(front))], VIEW.project(back))
    assert found is not None
    assert found.id == "front"


def test_a_dot_beside_the_mark_of_a_handle_is_taken_by_itself() -> None:
    grip = handle("grip", (0, 1, 0))
    at = VIEW.project(grip.position)
    origin, way = VIEW.ray(at + [12, 0])
    dots = JointDots(("dot",), (origin + 4.0 * way)[None])
    found = {}
    for right in (4, 9, 12, 16):
        hit = pick(VIEW, Scene((), (grip,), dots), at + [right, 0])
        found[right] = hit.id if hit else None
    assert found == {4: "grip", 9: "grip", 12: "dot", 16: "dot"}
    beside = pick(VIEW, Scene((), (grip,), dots), at - [12, 0])
    assert beside is not None
    assert beside.id == "grip"


def test_gizmo_comes_before_handle_before_joint_before_body() -> None:
    man = figure()
    wrist = man.joints[20]
    dots, grip = JointDots(("dot",), wrist[None]), handle("grip", tuple(wrist))
    gizmo = Gizmo("move", wrist, np.eye(3))
    pixel = VIEW.project(wrist)
    kinds = []
    for scene in (
        Scene((man,), (grip,), dots, gizmo),
        Scene((man,), (grip,), dots),
        Scene((man,), (), dots),
        Scene((man,)),
        Scene(),
    ):
        hit = pick(VIEW, scene, pixel)
        kinds.append(hit.kind if hit else None)
    assert kinds == ["gizmo", "handle", "joint", "figure", None]


@pytest.mark.parametrize(("kind", "parts"), [("move", AXES), ("rotate", RINGS)])
def test_every_axis_and_ring_can_be_taken_where_it_is_drawn(kind: str, parts: tuple[str, ...]) -> None:
    gizmo = Gizmo(kind, np.array([0.0, 1.0, 0.0]), np.eye(3))  # type: ignore[arg-type]
    view = View(OrbitCamera(yaw=0.6, pitch=0.5), 1280, 800)
    for part in parts:
        points = outline(gizmo, part, view)
        towards = (points - gizmo.position) @ (view.camera.eye - gizmo.position)
        shown = points[int(np.argmax(towards))] if kind == "rotate" else points[-1]
        hit = pick_gizmo(view, gizmo, view.project(shown))
        assert hit is not None
        assert hit.id == part


def test_an_arrow_that_points_at_the_viewer_cannot_be_taken() -> None:
    view = View(OrbitCamera(yaw=0, pitch=0, target=(0, 1, 0), orthographic=True), 1280, 800)
    gizmo = Gizmo("move", np.array([0.0, 1.0, 0.0]), np.eye(3))
    hit = pick_gizmo(view, gizmo, view.project(gizmo.position))
    assert hit is not None
    assert hit.id == "view"


def test_a_ghost_is_looked_through() -> None:
    pixel = VIEW.project(figure().joints[6])
    assert pick_figure(VIEW, [figure()], pixel) is not None
    assert pick_figure(VIEW, [figure(ghost=True)], pixel) is None
    assert pick_figure(VIEW, [figure()], (5, 5)) is None


@pytest.mark.parametrize(
    ("preset", "pointer", "empty", "action"),
    [
        ("blender", Pointer(0, 0, "middle"), False, "orbit"),
        ("blender", Pointer(0, 0, "middle", shift=True), False, "pan"),
        ("blender", Pointer(0, 0, "middle", ctrl=True), False, "zoom"),
        ("blender", Pointer(0, 0, "left"), False, None),
        ("blender", Pointer(0, 0, "left"), True, "orbit"),
        ("maya", Pointer(0, 0, "left", alt=True), False, "orbit"),
        ("maya", Pointer(0, 0, "middle", alt=True), False, "pan"),
        ("maya", Pointer(0, 0, "right", alt=True), False, "zoom"),
        ("maya", Pointer(0, 0, "left"), True, None),
        ("trackpad", Pointer(0, 0, "left", shift=True), True, "pan"),
    ],
)
def test_presets_do_what_their_programs_do(preset: str, pointer: Pointer, empty: bool, action: str | None) -> None:
    assert drag_action(PRESETS[preset], pointer, empty=empty) == action


def test_a_wheel_zooms_and_two_fingers_orbit_on_a_trackpad() -> None:
    assert scroll_action(PRESETS["trackpad"], Pointer(0, 0), wheel=False) == "orbit"
    assert scroll_action(PRESETS["trackpad"], Pointer(0, 0), wheel=True) == "zoom"
    nearer = scrolled(VIEW, "zoom", (0, 1), (640, 400), (0, 1, 0))
    assert isinstance(nearer, OrbitCamera)
    assert nearer.distance < 4.2


def test_a_drag_is_computed_from_its_start() -> None:
    there = dragged(VIEW, "orbit", (120, 40), (0, 0), (0, 1, 0))
    back = dragged(VIEW, "orbit", (0, 0), (0, 0), (0, 1, 0))
    assert there != VIEW.camera
    assert np.allclose(back.eye, VIEW.camera.eye)


def test_software_opengl_moves_without_multisampling_and_rests_with_it() -> None:
    slow, fast = Quality(software=True), Quality(software=False)
    assert (slow.samples(moving=True), slow.samples(moving=False)) == (0, 4)
    assert fast.samples(moving=True) == 4
    for _ in range(ENOUGH):
        fast.note(FLUENT_MS * 2, moving=True)
    assert fast.samples(moving=True) == 0
    slow.note(PATIENT_MS * 2, moving=False)
    assert slow.samples(moving=False) == 2


def test_normals_are_unit_and_look_outward() -> None:
    man = mesh()
    normals = smooth_normals(man.vertices, man.faces)
    assert np.allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-4)


def test_the_four_strongest_weights_sum_to_one() -> None:
    weights = np.random.default_rng(0).dirichlet(np.full(24, 0.2), 200)
    joints, strongest = strongest_weights(weights)
    assert np.allclose(strongest.sum(axis=1), 1.0, atol=1e-6)
    for row, index, value in zip(weights, joints.astype(int), strongest, strict=True):
        assert set(index[value > 0]) <= set(np.argsort(row)[-4:])
    few_joints, few = strongest_weights(np.array([[1.0, 0.0]]))
    assert few.shape == few_joints.shape == (1, 4)
    assert few.sum() == 1.0


ROOT = RootHandle(np.array([0.3, 0.0, -0.2]), 0.4)


@pytest.mark.parametrize(
    "camera",
    [OrbitCamera(yaw=0.3, pitch=0.2), OrbitCamera(yaw=2.0, pitch=1.5), OrbitCamera(pitch=0.3, orthographic=True)],
)
def test_the_root_handles_ring_turns_and_all_within_moves(camera: OrbitCamera) -> None:
    view = View(camera, 1280, 800)
    circle = ring(ROOT, view)
    for share, part in ((0.0, "move"), (0.6, "move"), (1.0, "turn"), (1.6, None)):
        for place in circle[::9]:
            hit = pick_root(view, ROOT, view.project(ROOT.position + share * (place - ROOT.position)))
            assert (hit.part if hit else None) == part


@pytest.mark.parametrize(("pitch", "distance"), [(0.2, 3.0), (0.2, 12.0), (0.1, 12.0)])
def test_the_cross_of_a_root_handle_moves_and_its_ring_turns_also_where_both_are_seen_flat(
    pitch: float, distance: float
) -> None:
    view = View(OrbitCamera(yaw=0.3, pitch=pitch, distance=distance), 1280, 800)
    for arrow in arrows(ROOT, view):
        hit = pick_root(view, ROOT, view.project(arrow.mean(axis=0)))
        assert hit is not None
        assert hit.part == "move"
    for place in ring(ROOT, view):
        hit = pick_root(view, ROOT, view.project(place))
        assert hit is not None
        assert hit.part == "turn"


def test_seen_from_the_side_the_middle_of_the_root_handle_moves_and_its_ends_turn() -> None:
    view = View(OrbitCamera(pitch=0.0, yaw=0.0, orthographic=True), 1280, 800)
    for left, part in ((0.0, "move"), (0.2, "move"), (0.48, "turn"), (-0.48, "turn"), (0.7, None)):
        hit = pick_root(view, ROOT, view.project(ROOT.position + [left, 0.0, 0.0]) + [0, 5])
        assert (hit.part if hit else None) == part


def test_of_body_and_root_handle_the_nearer_is_taken() -> None:
    man, view = figure(), View(OrbitCamera(yaw=0.0, pitch=0.3), 1280, 800)
    shin = (man.joints[4] + man.joints[7]) / 2
    pixel = view.project(shin)
    origin, direction = view.ray(pixel)
    place = origin - origin[1] / direction[1] * direction  # what the shin hides
    hidden, before = RootHandle(place, 0.0), RootHandle(np.array([0.0, 0.6, 0.6]), 0.0)
    assert pick(view, Scene((man,), root=hidden), pixel).kind == "figure"  # type: ignore[union-attr]
    assert pick(view, Scene(root=hidden), pixel).kind == "root"  # type: ignore[union-attr]
    on_top = view.project(before.position)
    assert pick(view, Scene((man,), root=before), on_top).kind == "root"  # type: ignore[union-attr]
