"""One person in a box that a user drew: read, or put there standing, under the camera that the photo has already."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from photo_samples import Camera, body, joints, lens_of, level_camera, natural, on_floor, rendered
from PIL import Image
from sample_files import TWO_PEOPLE

from solver.body.body import BodyShape
from solver.body.floor import posed_vertices
from solver.camera import PinholeCamera
from solver.errors import PoserError
from solver.evaluation.metrics import pa_mpjpe_mm
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.photo.accuracy import shared_indices, shared_landmarks
from solver.photo.detection.people2d import find_people
from solver.photo.detection.turned_looks import box_of
from solver.photo.image_file import load_image
from solver.photo.person_in_box import as_landmarks, clipped_box, person_in_box, posed_in_camera, standing_in_box

Box = tuple[float, float, float, float]
LEFT, RIGHT = natural(1, 0.3, (-0.8, 0.0)), natural(2, -0.4, (0.8, -0.8))


def box_round(camera: Camera, pose: Pose, air: float = 10.0) -> Box:
    pixels = camera.pixels(posed_vertices(body(), BodyShape(), pose).astype(np.float64))
    low, high = pixels.min(axis=0) - air, pixels.max(axis=0) + air
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def outline(camera: Camera, shape: BodyShape, pose: Pose) -> NDArray[np.float64]:
    pixels = lens_of(camera).project(posed_vertices(body(), shape, pose))
    return np.concatenate([pixels.min(axis=0), pixels.max(axis=0)])


@pytest.mark.sweep("False")
@pytest.mark.gl
@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("right", [False, True])
def test_of_two_rendered_people_the_one_in_the_box_is_read_where_they_stand(right: bool) -> None:
    camera, true = level_camera(distance=4.5), RIGHT if right else LEFT
    image = rendered(camera, LEFT, RIGHT)
    marks = person_in_box(image.rgb, box_round(camera, true))
    assert marks is not None
    assert len(marks.looks) >= 8, "quick looks and close ones"
    assert marks.spread is not None
    person = posed_in_camera(body(), marks, lens_of(camera))
    assert pa_mpjpe_mm(joints(person.pose), joints(true)) < 100
    apart = np.linalg.norm(camera.pixels(joints(person.pose, person.shape)) - camera.pixels(joints(true)), axis=1)
    assert apart.mean() < 12
    assert person.pose.root_position == pytest.approx(true.root_position, abs=0.6)
    assert person.on_floor
    assert posed_vertices(body(), person.shape, person.pose)[:, 1].min() == pytest.approx(0.0, abs=1e-3)


@pytest.mark.slow
def test_somebody_of_thirty_pixels_is_read_in_a_narrow_box() -> None:
    whole = Image.fromarray(load_image(TWO_PEOPLE).rgb)
    box, share = (437.0, 58.0, 854.0, 661.0), 0.05
    tiny = np.asarray(whole.resize((round(share * whole.width), round(share * whole.height)), Image.Resampling.LANCZOS))
    large, small = person_in_box(np.asarray(whole), box), person_in_box(tiny, tuple(share * v for v in box))  # type: ignore[arg-type]
    assert large is not None
    assert small is not None
    limbs = [11, 12, 23, 24, 25, 26, 27, 28]
    off = np.linalg.norm(small.pixels[limbs] / share - large.pixels[limbs], axis=1)
    assert np.median(off) < 0.05 * (box[3] - box[1])


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.usefixtures("qapp")
def test_somebody_lying_is_read_by_turned_looks() -> None:
    camera, pose = level_camera(), natural(4, 0.5, spread=0.6)
    turned = pose.rotations.copy()
    turned[0] = from_rotation_vector([0.0, 0.0, np.pi / 2]) @ turned[0]
    lying = on_floor(Pose(pose.root_position, turned.astype(np.float32)))
    marks = person_in_box(rendered(camera, lying).rgb, box_round(camera, lying))
    assert marks is not None
    person = posed_in_camera(body(), marks, lens_of(camera))
    assert pa_mpjpe_mm(joints(person.pose), joints(lying)) < 110


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.usefixtures("qapp")
def test_a_known_person_is_not_added_again() -> None:
    camera = level_camera(distance=4.5)
    image = rendered(camera, LEFT, RIGHT)
    known = [as_landmarks(body(), BodyShape(), pose, lens_of(camera)) for pose in (LEFT,)]
    assert person_in_box(image.rgb, box_round(camera, LEFT), known) is None
    assert person_in_box(image.rgb, box_round(camera, RIGHT), known) is not None


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.usefixtures("qapp")
def test_limbs_of_somebody_close_who_is_known_are_not_taken_for_those_of_the_person_in_the_box() -> None:
    camera, (one, other) = level_camera(), (natural(3, 0.2, (-0.1, 0.2), 0.6), natural(4, -0.3, (0.15, -0.2), 0.6))
    image, true = rendered(camera, one, other), camera.pixels(joints(one))[shared_indices()]
    known = [as_landmarks(body(), BodyShape(), other, lens_of(camera))]
    marks = person_in_box(image.rgb, box_round(camera, one), known)
    assert marks is not None
    off = np.linalg.norm(marks.pixels[shared_landmarks()] - true, axis=1)
    assert np.median(off) < 0.03 * np.linalg.norm(np.ptp(true, axis=0))


@pytest.mark.slow
def test_in_a_photograph_a_box_finds_the_same_person_as_the_full_search() -> None:
    image = load_image(TWO_PEOPLE)
    for person in find_people(image.rgb):
        again = person_in_box(image.rgb, box_of(person, image.size))
        assert again is not None
        extent = np.linalg.norm(np.ptp(person.pixels[:33], axis=0))
        off = np.linalg.norm(again.pixels[:33] - person.pixels[:33], axis=1)
        assert np.median(off) < 0.03 * extent


@pytest.mark.sweep
@pytest.mark.parametrize("kind", ["noise", "gradient", "black"])
def test_in_a_picture_without_anybody_a_box_holds_nobody(kind: str) -> None:
    picture = {
        "noise": np.random.default_rng(0).integers(0, 256, (240, 320, 3)),
        "gradient": np.broadcast_to(np.linspace(0, 255, 320)[None, :, None], (240, 320, 3)),
        "black": np.zeros((240, 320, 3)),
    }[kind].astype(np.uint8)
    for box in ((40.0, 20.0, 140.0, 220.0), (0.0, 0.0, 320.0, 240.0), (200.0, 100.0, 240.0, 240.0)):
        assert person_in_box(np.ascontiguousarray(picture), box) is None


@pytest.mark.parametrize(("down", "top"), [(0.0, 240.0), (0.3, 20.0)])
def test_a_standing_figure_fills_the_box_from_head_to_feet_upright_and_faces_the_camera(
    down: float, top: float
) -> None:
    camera = level_camera(down=down)
    box = (520.0, top, 640.0, top + 280.0)
    shape, pose = standing_in_box(body(), box, lens_of(camera))
    left, top, right, bottom = outline(camera, shape, pose)
    assert (top, bottom) == pytest.approx((box[1], box[3]), abs=3.0)
    assert (left + right) / 2 == pytest.approx(580.0, abs=4.0)
    places = joints(pose, shape)
    assert places[15][1] - places[0][1] > 0.5, "the head above the pelvis"
    ahead, to_camera = pose.rotations[0][:, 2], camera.position - pose.root_position
    assert ahead @ to_camera / np.linalg.norm(to_camera * [1, 0, 1]) > 0.97


def test_a_standing_figure_is_on_the_floor_where_its_size_allows_it() -> None:
    camera = level_camera()
    true = natural(0, spread=0.0)
    shape, pose = standing_in_box(body(), box_round(camera, true, 0.0), lens_of(camera))
    assert posed_vertices(body(), shape, pose)[:, 1].min() == pytest.approx(0.0, abs=1e-3)
    assert pose.root_position[[0, 2]] == pytest.approx(true.root_position[[0, 2]], abs=0.15)
    shape, pose = standing_in_box(body(), (380.0, 100.0, 420.0, 200.0), lens_of(camera))  # high up in the sky
    assert posed_vertices(body(), shape, pose)[:, 1].min() > 0.5
    assert outline(camera, shape, pose)[[1, 3]] == pytest.approx((100.0, 200.0), abs=2.0)


def box_of_height(camera: PinholeCamera, away: float, tall: float, aside: float = 0.2) -> Box:
    """The box of something so tall that stands so far before the camera, and so far aside; metres."""
    ends = np.array([[aside, tall, -away], [aside, 0.0, -away]]) + camera.position * [1.0, 0.0, 1.0]
    (x, top), (_, bottom) = camera.project(ends).tolist()
    return x - 40.0, max(top, 0.0), x + 40.0, min(bottom, float(camera.image_size[1]))


@pytest.mark.parametrize(
    ("height", "down", "focal", "away", "tall", "stature"),
    [
        (1.5, 0.1, 900.0, 4.0, 1.4, -3.0),  # a child, as tall as the smallest body nearly
        (1.5, 0.1, 900.0, 4.0, 0.9, 0.0),  # somebody crouching
        (2.5, 0.35, 900.0, 8.0, 1.0, 0.0),
        (1.0, 0.1, 400.0, 1.2, 1.5, -2.6),  # so near that growing and shrinking alone would not do
    ],
)
def test_a_figure_in_a_box_too_low_for_people_stands_on_the_floor_where_its_feet_would_be(
    height: float, down: float, focal: float, away: float, tall: float, stature: float
) -> None:
    tilt = from_rotation_vector([-down, 0.0, 0.0]).astype(np.float32)
    camera = PinholeCamera(np.array([0.0, height, 1.0], np.float32), tilt, focal, (400.0, 300.0), (800, 600))
    box = box_of_height(camera, away, tall, aside=0.2 if away > 2.0 else 0.0)
    shape, pose = standing_in_box(body(), box, camera)
    skin = posed_vertices(body(), shape, pose)
    assert skin[:, 1].min() == pytest.approx(0.0, abs=1e-4)
    assert 1.0 - pose.root_position[2] == pytest.approx(away, abs=0.25), "not behind those who stand there"
    low, high = (edge(camera.project(skin), axis=0) for edge in (np.min, np.max))
    assert high[1] == pytest.approx(box[3], abs=0.1)
    assert (low[0] + high[0]) / 2 == pytest.approx((box[0] + box[2]) / 2, abs=0.1)
    assert low[1] <= box[1] + 2.0
    assert shape.betas[0] == pytest.approx(stature, abs=0.1)


@pytest.mark.parametrize(("height", "down"), [(1.2, 0.0), (2.5, 0.35)])
def test_a_figure_whose_feet_the_picture_cuts_off_stands_on_the_floor_with_its_head_at_the_box_s_top(
    height: float, down: float
) -> None:
    tilt = from_rotation_vector([-down, 0.0, 0.0]).astype(np.float32)
    camera = PinholeCamera(np.array([0.0, height, 1.0], np.float32), tilt, 900.0, (400.0, 300.0), (800, 600))
    box = box_of_height(camera, 2.0, 1.69)
    assert box[3] == 600.0
    shape, pose = standing_in_box(body(), box, camera)
    skin = posed_vertices(body(), shape, pose)
    assert skin[:, 1].min() == pytest.approx(0.0, abs=1e-4)
    assert 1.0 - pose.root_position[2] == pytest.approx(2.0, abs=0.15)
    pixels = camera.project(skin)
    assert pixels[:, 1].min() == pytest.approx(box[1], abs=0.1)
    assert pixels[:, 1].max() > 600.0


def test_a_figure_seen_from_below_the_floor_is_not_below_it() -> None:
    camera = PinholeCamera(
        np.array([0.0, -3.0, 1.0], np.float32), np.eye(3, dtype=np.float32), 900.0, (400.0, 300.0), (800, 600)
    )
    shape, pose = standing_in_box(body(), (350.0, 300.0, 450.0, 580.0), camera)
    assert posed_vertices(body(), shape, pose)[:, 1].min() == pytest.approx(0.0, abs=1e-4)


@pytest.mark.sweep
@pytest.mark.parametrize("box", [(0.0, 0.0, 800.0, 60.0), (0.0, 0.0, 20.0, 800.0), (780.0, 0.0, 800.0, 30.0)])
@pytest.mark.parametrize("down", [0.0, 1.2, 1.57])
def test_even_odd_boxes_and_a_camera_that_looks_down_give_a_figure_before_the_camera(box: Box, down: float) -> None:
    camera = level_camera(height=5.0, down=down)
    shape, pose = standing_in_box(body(), box, lens_of(camera))
    assert np.isfinite(outline(camera, shape, pose)).all()
    assert np.linalg.norm(pose.root_position - camera.position) < 500.0


@pytest.mark.parametrize(
    ("box", "reason"),
    [
        ((-200.0, 10.0, -20.0, 200.0), "outside the photo"),
        ((10.0, 500.0, 200.0, 700.0), "outside the photo"),
        ((float("nan"), 10.0, 20.0, 200.0), "outside the photo"),
        ((10.0, 10.0, 14.0, 200.0), "too small: 4 × 190 pixels"),
        ((-100.0, 10.0, 7.0, 200.0), "too small"),
    ],
)
def test_a_box_outside_the_photo_or_of_a_few_pixels_is_refused(box: Box, reason: str) -> None:
    with pytest.raises(PoserError, match=reason):
        clipped_box(box, (640, 480))
    with pytest.raises(PoserError, match=reason):
        person_in_box(np.zeros((480, 640, 3), np.uint8), box)


def test_a_box_may_be_drawn_from_any_corner_and_over_the_edge() -> None:
    assert clipped_box((300.0, 200.0, -40.0, 20.0), (640, 480)) == (0.0, 20.0, 300.0, 200.0)
