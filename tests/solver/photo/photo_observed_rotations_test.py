"""Head and wrists turned as face and hands show them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from photo_samples import Camera, body, landmarks_of, level_camera, natural
from PIL import Image

from solver.body.body import BodyShape
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.detection.blazepose import Face, Hand, Landmarks
from solver.photo.detection.face_and_hands import with_face_and_hands
from solver.photo.detection.repeated_looks import sides_are_open, with_sides_exchanged
from solver.photo.fit.evidence import body_points, evidence
from solver.photo.fit.fit import fit_person
from solver.photo.fit.least_squares import Weights, gradient, posed_joints
from solver.photo.fit.lifting import lifted_evidence
from solver.photo.fit.observed_rotations import FACE_POINTS, MIDLINE, PAIRED, PALM, PALM_POINTS, observed_rotations
from solver.photo.fit.open_sides import fit_landmarks
from solver.photo.fit.start import analytic_start
from solver.rig.roles import Role

HEAD, LEFT, RIGHT = (SMPL_JOINTS.index(role) for role in (Role.HEAD, Role.LEFT_WRIST, Role.RIGHT_WRIST))
TO_CAMERA = np.array([1.0, -1.0, -1.0])
MIRROR = np.array([-1.0, 1.0, 1.0])


def _turned(pose: Pose, camera: Camera, joint: int) -> np.ndarray:
    """A joint's rotation in the camera's frame."""
    posed = forward_kinematics(body().skeleton(BodyShape()), pose)
    return np.asarray(camera.rotation.T @ posed.rotations[joint].astype(np.float64))


def _face(rotation: np.ndarray, at: tuple[float, float], size: float = 30.0) -> Face:
    right = [np.array(place) * MIRROR for place in PAIRED.values()]
    rest = np.array([*MIDLINE.values(), *PAIRED.values(), *right])
    points = np.zeros((468, 3))
    points[FACE_POINTS] = size * rest @ rotation.T * TO_CAMERA + [*at, 0.0]
    return Face(1.0, points)


def _hand(rotation: np.ndarray, at: tuple[float, float], mirror: np.ndarray, others: float = 0.0) -> Hand:
    """others: radians by which the other looks see it turned about the camera's upward axis."""
    looks = []
    for turn in (0.0, others, -others):
        metres = np.zeros((21, 3))
        off = from_rotation_vector([0.0, turn, 0.0])
        metres[PALM_POINTS] = 0.05 * np.array(list(PALM.values())) * mirror @ (off @ rotation).T * TO_CAMERA
        looks.append(metres)
    return Hand(1.0, 0.9, 80.0, np.broadcast_to(np.array(at), (21, 2)).copy(), np.stack(looks))


def _angle(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.degrees(np.linalg.norm(to_rotation_vector(a.T @ b))))


def _seen(camera: Camera, head: np.ndarray, left: np.ndarray, right: np.ndarray) -> Landmarks:
    marks = landmarks_of(natural(2), camera, 2)
    middle = camera.principal  # where the networks see what the camera sees
    return replace(
        marks, face=_face(head, middle), hands=(_hand(left, middle, np.ones(3)), _hand(right, middle, MIRROR))
    )


def test_face_and_hands_turn_head_and_wrists_as_they_show() -> None:
    camera, pose = level_camera(), natural(2)
    wanted = {j: _turned(pose, camera, j) for j in (HEAD, LEFT, RIGHT)}
    wanted[HEAD] = wanted[HEAD] @ from_rotation_vector([0.2, 0.5, 0.0])
    for wrist in (LEFT, RIGHT):
        wanted[wrist] = wanted[wrist] @ from_rotation_vector([0.6, 0.0, 0.0])
    marks = _seen(camera, *wanted.values())
    plain, told = (
        posed_joints(body(), fit_person(body(), evidence(m, body_points(body()), camera.focal, camera.principal)))[1]
        for m in (replace(marks, face=None, hands=(None, None)), marks)
    )
    for joint, rotation in wanted.items():
        assert _angle(told[joint], rotation) < 0.6 * _angle(plain[joint], rotation)
    assert _angle(told[HEAD], wanted[HEAD]) < 8


def test_the_gradient_is_that_of_the_cost_with_turns_too() -> None:
    camera = level_camera()
    rotations = from_rotation_vector(np.array([[0.3, -0.4, 0.1], [0.0, 1.4, 0.5], [-0.6, 0.2, 2.0]]))
    seen = evidence(_seen(camera, *rotations), body_points(body()), camera.focal, camera.principal)
    assert len(seen.turns.joints) == 3
    fit, step = analytic_start(body(), seen), 1e-6
    _, exact = gradient(body(), seen, fit, Weights())
    for joint in (0, 9, 12, HEAD, 13, 18, LEFT, RIGHT):
        for axis in range(3):
            costs = []
            for sign in (1.0, -1.0):
                turned = fit.rotations.copy()
                turned[joint] = turned[joint] @ from_rotation_vector(sign * step * np.eye(3)[axis])
                costs.append(gradient(body(), seen, replace(fit, rotations=turned), Weights())[0])
            assert exact[3 * joint + axis] == pytest.approx((costs[0] - costs[1]) / (4 * step), rel=1e-3, abs=1e-2)


def test_faces_and_hands_beside_the_middle_are_seen_as_the_camera_looks_there() -> None:
    camera = level_camera()
    marks = landmarks_of(natural(2), camera, 2)
    side = (camera.principal[0] + camera.focal, camera.principal[1])  # 45 degrees to the right
    turns = observed_rotations(replace(marks, face=_face(np.eye(3), side)), camera.focal, camera.principal)
    assert list(turns.joints) == [HEAD]
    # who faces a camera that looks straight at them is turned towards this one
    assert turns.rotations[0] == pytest.approx(from_rotation_vector([0.0, -np.pi / 4, 0.0]), abs=0.02)


@pytest.mark.parametrize(("turn", "own"), [(-0.9, True), (0.9, True), (2.4, False), (np.pi, False)])
def test_a_face_that_looks_where_no_neck_turns_a_head_is_somebody_elses(turn: float, own: bool) -> None:
    camera, pose = level_camera(), natural(2)
    chest = _turned(pose, camera, SMPL_JOINTS.index(Role.SPINE3))
    looks = chest @ from_rotation_vector([0.0, turn, 0.0])
    plain = landmarks_of(pose, camera, 2)
    marks = replace(plain, face=_face(looks, camera.principal))
    found, seen, fit = fit_landmarks(body(), marks, camera.focal, camera.principal)
    assert (found.face is marks.face) is own
    assert (HEAD in seen.turns.joints) is own
    without = fit_landmarks(body(), plain, camera.focal, camera.principal)[2]
    assert np.array_equal(fit.rotations, without.rotations) is not own


def test_hands_seen_wrongly_do_not_turn_a_body_round() -> None:
    camera = level_camera()
    true = replace(landmarks_of(natural(3, 0.3), camera), spread=np.zeros((33, 3)))
    hands = [_hand(from_rotation_vector([0.0, 0.0, turn]), camera.principal, side) for turn, side in
             ((np.pi / 2, np.ones(3)), (-np.pi / 2, MIRROR))]  # fmt: skip
    marks = replace(true, hands=(hands[0], hands[1]), looks=(*5 * [true], *5 * [with_sides_exchanged(true)]))
    assert sides_are_open(marks)
    found, _, fit = fit_landmarks(body(), marks, camera.focal, camera.principal)
    assert found is marks
    other = fit_person(body(), lifted_evidence(body(), with_sides_exchanged(true), camera.focal, camera.principal))
    assert fit.cost > other.cost, "with what the hands show, the right side costs more"


@pytest.mark.parametrize("what", ["looks disagree", "other side", "unsure", "small"])
def test_a_hand_that_is_not_seen_well_turns_nothing(what: str) -> None:
    camera = level_camera()
    marks = landmarks_of(natural(2), camera, 2)
    good = _hand(np.eye(3), camera.principal, np.ones(3))
    bad = {
        "looks disagree": _hand(np.eye(3), camera.principal, np.ones(3), others=0.8),
        "other side": replace(good, own_side=0.2),
        "unsure": replace(good, presence=0.6),
        "small": replace(good, side=20.0),
    }[what]
    turned = [
        list(observed_rotations(replace(marks, hands=(hand, None)), camera.focal, camera.principal).joints)
        for hand in (good, bad)
    ]
    assert turned == [[LEFT], []]


def test_where_no_face_and_no_hand_are_none_is_seen() -> None:
    noise = Image.fromarray(np.random.default_rng(0).integers(0, 256, (800, 800, 3)).astype(np.uint8))
    found = with_face_and_hands(noise, landmarks_of(natural(2), level_camera()))
    assert found.face is None or found.face.presence < 0.5
    assert all(hand is None or hand.presence < 0.5 for hand in found.hands)


@pytest.mark.gl
@pytest.mark.usefixtures("qapp")
def test_a_rendered_face_and_hand_show_how_they_are_turned() -> None:
    camera = level_camera(distance=1.7, height=1.4)
    pose = natural(2, 0.3, spread=0.2)
    rotations = pose.rotations.copy()
    rotations[HEAD] = rotations[HEAD] @ from_rotation_vector([0.1, -0.5, 0.0])
    # the left arm up, its back of the hand to the camera
    rotations[16] = from_rotation_vector([0.0, 0.0, 0.5]) @ from_rotation_vector([0.6, 0.0, 0.0])
    rotations[18] = from_rotation_vector([0.0, 0.0, 0.9]) @ from_rotation_vector([0.6, 0.0, 0.0])
    rotations[LEFT] = np.eye(3)
    pose = Pose(pose.root_position, rotations)
    marks = with_face_and_hands(_rendered(camera, pose), landmarks_with_face(pose, camera))
    turns = observed_rotations(marks, camera.focal, camera.principal)
    found = dict(zip(turns.joints.tolist(), turns.rotations, strict=True))
    assert _angle(found[HEAD], _turned(pose, camera, HEAD)) < 10
    assert _angle(found[LEFT], _turned(pose, camera, LEFT)) < 25


def landmarks_with_face(pose: Pose, camera: Camera) -> Landmarks:
    """The landmarks, with eyes and mouth, where the head has them."""
    marks = landmarks_of(pose, camera)
    posed = forward_kinematics(body().skeleton(BodyShape()), pose)
    skin = body().vertices(BodyShape())
    rest = body().skeleton(BodyShape()).rest_positions
    nose = skin[body().weights.argmax(axis=1) == HEAD]
    tip = nose[nose[:, 2].argmax()]
    for numbers, off in (((1, 2, 3), (0.03, 0.04, -0.02)), ((4, 5, 6), (-0.03, 0.04, -0.02)),
                         ((9,), (0.02, -0.04, -0.01)), ((10,), (-0.02, -0.04, -0.01))):  # fmt: skip
        place = posed.positions[HEAD] + posed.rotations[HEAD] @ (tip + np.array(off) - rest[HEAD])
        marks.pixels[list(numbers)] = camera.pixels(place[None])
    return marks


def _rendered(camera: Camera, pose: Pose) -> Image.Image:
    from rendering.camera.camera import PhotoView
    from rendering.drawing.offscreen import render_image
    from rendering.scene.values import Figure, Mesh, Scene
    from solver.camera import PinholeCamera

    b, shape = body(), BodyShape()
    skeleton = b.skeleton(shape)
    mesh = Mesh(b.vertices(shape), b.faces, b.weights, b.suit_mask)
    joints = forward_kinematics(skeleton, pose).positions
    figure = Figure(0, mesh, skinning_matrices(skeleton, pose), joints, skeleton.parents)
    lens = PinholeCamera(camera.position, camera.rotation, camera.focal, camera.principal, camera.size)
    pixels = render_image(Scene((figure,), grid=False), PhotoView(lens), camera.size)
    return Image.fromarray(np.ascontiguousarray(pixels[..., :3]))
