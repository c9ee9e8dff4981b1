"""Several people in one camera, on one floor, none of whom leaves the picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from photo_samples import Camera, body, joints, landmarks_of, level_camera, natural, on_floor
from scipy.spatial.transform import Rotation

from solver.body.body import BodyShape
from solver.body.floor import posed_vertices
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.fit.evidence import Evidence, body_points, evidence
from solver.photo.fit.fit import fit_person, shape_of
from solver.photo.fit.least_squares import Fit, posed_joints
from solver.photo.floor.common_floor import PlacedPeople, place_people
from solver.photo.floor.floor_level import lowest_points

Place = tuple[float, float, float]  # left, up and towards the camera


@dataclass(frozen=True, eq=False)
class Group:
    """People before one camera, as they are and as they were fitted and placed."""

    camera: Camera
    shapes: tuple[BodyShape, ...]
    poses: tuple[Pose, ...]
    seen: list[Evidence]
    fits: list[Fit]
    placed: PlacedPeople

    def offsets(self) -> tuple[list[float], list[float], list[float]]:
        """Per person the median offset in the picture as a share of the extent: of the fit's points from the
        landmarks, of the placed points from the landmarks, and of the placed joints from the true ones."""
        own = Camera(np.zeros(3), np.eye(3), self.camera.focal, self.camera.size)
        after = Camera(self.placed.position, self.placed.rotation, self.camera.focal, self.camera.size)
        rows = []
        for i, (seen, fit) in enumerate(zip(self.seen, self.fits, strict=True)):
            posed = forward_kinematics(body().skeleton(shape_of(self.placed.fits[i])), self.placed.poses[i])
            places = seen.points.places(posed.positions, posed.rotations)
            marks = seen.pixels * [1.0, -1.0] + self.camera.principal
            fitted = own.pixels(seen.points.places(*posed_joints(body(), fit))) - marks
            shown = after.pixels(places) - marks
            off = after.pixels(posed.positions.astype(np.float64)) - self.camera.pixels(
                joints(self.poses[i], self.shapes[i])
            )
            rows.append([np.median(np.linalg.norm(apart, axis=1)) / seen.size_px for apart in (fitted, shown, off)])
        fit, shown, truth = np.array(rows).T.tolist()
        return fit, shown, truth


def _group(camera: Camera, *poses: Pose, shapes: tuple[BodyShape, ...] = ()) -> Group:
    seen, shapes = [], shapes or (BodyShape(),) * len(poses)
    for seed, (pose, shape) in enumerate(zip(poses, shapes, strict=True)):
        size = np.ptp(camera.pixels(joints(pose, shape)), axis=0).max()
        marks = landmarks_of(pose, camera, seed, pixel=0.006 * size, depth=0.05, shape=shape)
        seen.append(evidence(marks, body_points(body()), camera.focal, camera.principal))
    fits = [fit_person(body(), one) for one in seen]
    return Group(camera, shapes, poses, seen, fits, place_people(body(), fits, seen))


def _person(seed: int, place: Place, shape: BodyShape, seated: bool) -> Pose:
    left, up, near = place
    pose = natural(seed, (0.3, -0.6, 2.0, -2.6)[seed], spread=0.8)
    return on_floor(_seated(pose) if seated else pose, (left, near), up, shape)


def _seated(pose: Pose) -> Pose:
    rotations = pose.rotations.copy()
    for side in ("left", "right"):
        rotations[SMPL_JOINTS.index(f"{side}_hip")] = from_rotation_vector([-1.4, 0.0, 0.0])
        rotations[SMPL_JOINTS.index(f"{side}_knee")] = from_rotation_vector([1.5, 0.0, 0.0])
    return Pose(pose.root_position, rotations)


def _camera(distance: float = 4.5, height: float = 1.4, down: float = 0.06, roll: float = 0.0) -> Camera:
    return Camera(
        np.array([0.0, height, distance]), Rotation.from_euler("xz", [-down, roll]).as_matrix(), 900.0, (1000, 800)
    )


@cache
def _case(name: str) -> Group:
    if name == "near and far people":
        places: list[Place] = [(-0.4, 0.0, 1.2), (0.9, 0.0, 0.2), (-1.9, 0.0, -6.0), (3.0, 0.0, -12.0)]
    elif name == "a slope":  # down towards the camera and to the right
        places = [(left, 0.35 * left - 0.3 * near, near) for left, near in ((-1.2, 0.2), (0.5, 1.0), (1.4, -2.0))]
    elif name == "a platform":
        places = [(-1.1, 0.6, -0.3), (0.2, 0.0, 0.4), (1.2, 0.0, -1.0)]
    elif name == "somebody in the air":
        places = [(-1.1, 0.0, -0.3), (0.2, 0.45, 0.2), (1.2, 0.0, -1.0)]
    else:
        places = [(-1.1, 0.0, -0.3), (0.2, 0.0, 0.4), (1.2, 0.0, -1.0)]
    tall = (-2.0, 1.5, 2.0, -1.0) if name == "near and far people" else (0.0,) * 4
    shapes = tuple(BodyShape(np.eye(10, dtype=np.float32)[0] * one) for one in tall[: len(places)])
    seated = {"somebody sitting": 2, "near and far people": 1}.get(name, 0)
    people = [_person(i, place, shape, i < seated) for i, (place, shape) in enumerate(zip(places, shapes, strict=True))]
    camera = _camera(roll=0.08, down=0.3, height=2.4) if name == "a camera held askew" else _camera()
    return _group(camera, *people, shapes=shapes)


CASES = (
    "near and far people", "a slope", "a platform", "somebody in the air", "somebody sitting", "a camera held askew",
)  # fmt: skip


@pytest.mark.sweep
@pytest.mark.parametrize("name", CASES)
def test_nobody_leaves_the_picture_for_the_floor(name: str) -> None:
    fit, placed, truth = _case(name).offsets()
    assert max(placed) < 0.0125
    assert max(truth) < 0.0125
    assert max(after - before for before, after in zip(fit, placed, strict=True)) < 0.005


@pytest.mark.parametrize("name", ["near and far people", "somebody sitting", "a camera held askew"])
def test_people_on_the_floor_stand_or_sit_on_it(name: str) -> None:
    group = _case(name)
    assert all(group.placed.on_floor)
    assert _soles(group.placed) == pytest.approx([0.0] * len(group.fits), abs=1e-4)


@pytest.mark.parametrize(("name", "who", "height"), [("a platform", 0, 0.6), ("somebody in the air", 1, 0.45)])
def test_people_above_the_floor_stay_where_the_picture_shows_them(name: str, who: int, height: float) -> None:
    placed = _case(name).placed
    assert [i for i, on in enumerate(placed.on_floor) if not on] == [who]
    soles = _soles(placed)
    assert soles.pop(who) == pytest.approx(height, abs=0.15)
    assert soles == pytest.approx([0.0, 0.0], abs=1e-4)


def test_on_a_slope_the_floor_is_below_everybody() -> None:
    soles = _soles(_case("a slope").placed)
    assert min(soles) == pytest.approx(0.0, abs=1e-4)
    assert max(soles) > 0.1


def test_people_keep_their_poses_and_their_sizes_as_far_as_people_differ() -> None:
    for name in CASES:
        for fit, placed in zip(_case(name).fits, _case(name).placed.fits, strict=True):
            assert np.abs(placed.betas).max() <= max(3.0, np.abs(fit.betas).max())
            turned = Rotation.from_matrix(np.swapaxes(fit.rotations, 1, 2) @ placed.rotations)
            assert np.degrees(turned.magnitude()).max() < 4.0


@pytest.mark.parametrize("seed", range(3))
def test_the_lowest_points_are_those_of_the_whole_skin_however_the_camera_is_tilted(seed: int) -> None:
    fallen = natural(seed, spread=1.5)
    turned = Rotation.from_rotvec([0.6 * seed, 0.0, 0.8 * seed]).as_matrix() @ fallen.rotations[0]
    skin = posed_vertices(body(), BodyShape(), Pose(fallen.root_position, np.array([turned, *fallen.rotations[1:]])))
    skin = skin.astype(np.float64)
    points = lowest_points(skin)
    assert len(points) < 60
    for pitch in np.linspace(-40, 40, 9):
        for roll in np.linspace(-40, 40, 9):
            up = from_rotation_vector(np.radians([pitch, 0.0, roll]))[1]
            assert (points @ up).min() == pytest.approx((skin @ up).min(), abs=1e-12)


def test_one_person_is_left_as_fitted() -> None:
    group = _case("somebody sitting")
    placed = place_people(body(), group.fits[:1], group.seen[:1])
    assert placed.on_floor == (True,)
    assert placed.fits[0].betas == pytest.approx(group.fits[0].betas, abs=0.02)
    assert placed.fits[0].root == pytest.approx(group.fits[0].root, abs=2e-3)


def _soles(placed: PlacedPeople) -> list[float]:
    return [
        float(posed_vertices(body(), shape_of(fit), pose)[:, 1].min())
        for fit, pose in zip(placed.fits, placed.poses, strict=True)
    ]


@pytest.fixture(scope="module")
def couple() -> Group:
    return _group(level_camera(), natural(1, 0.4, (-0.6, 0.3), 0.8), natural(3, -0.5, (0.9, -1.5), 0.8))


def test_two_people_keep_their_places_beside_each_other(couple: Group) -> None:
    first, second = couple.poses
    true = second.root_position - first.root_position
    found = couple.placed.poses[1].root_position - couple.placed.poses[0].root_position
    assert found[0] == pytest.approx(true[0], abs=0.12)
    assert found[2] == pytest.approx(true[2], abs=0.35)  # depth is the size in the picture, within a few percent
    assert couple.placed.poses[0].root_position[[0, 2]] == pytest.approx([0.0, 0.0], abs=0.1)


def test_everybody_stands_on_the_floor(couple: Group) -> None:
    assert _soles(couple.placed) == pytest.approx([0.0, 0.0], abs=1e-4)


@pytest.mark.sweep
@pytest.mark.parametrize("down", [-0.12, 0.0, 0.2])
def test_the_tilt_of_the_camera_shows_in_standing_people(down: float) -> None:
    camera = level_camera(distance=4.5, height=1.2 + 3.0 * max(down, 0.0), down=down)
    people = ((1, 0.0, (-0.8, 0.0)), (2, 2.5, (0.7, 0.4)), (5, 1.0, (0.0, -1.2)))
    placed = _group(camera, *(natural(seed, facing, at, 0.8) for seed, facing, at in people)).placed
    looks = -placed.rotation[:, 2]
    assert -np.arcsin(looks[1]) == pytest.approx(down, abs=0.1)
    assert placed.position[1] == pytest.approx(camera.position[1], abs=0.35)


def test_whoever_lies_alone_shows_how_far_down_the_camera_looks() -> None:
    camera, pose = _camera(down=0.35, height=2.2), natural(2, 0.0, spread=0.3)
    rotations = pose.rotations.copy()
    rotations[0] = from_rotation_vector([0.0, 0.3, 0.0]) @ from_rotation_vector([-np.pi / 2, 0.0, 0.0])  # on the back
    placed = _group(camera, on_floor(Pose(pose.root_position, rotations), (0.0, 0.0))).placed
    assert -np.arcsin(-placed.rotation[1, 2]) == pytest.approx(0.35, abs=0.1)


def test_high_jumps_stay_in_the_air_and_nobody_sinks(couple: Group) -> None:
    (first, second), (one, two) = couple.fits, couple.seen
    high = Fit(first.root + [0.0, 0.9, 0.0], first.rotations, first.betas, first.ground)
    # Lying, so that the one who stands alone says where the floor is.
    turned = second.rotations.copy()
    turned[0] = from_rotation_vector([-np.pi / 2, 0.0, 0.0]) @ turned[0]
    deep = Fit(second.root - [0.0, 2.0, 0.0], turned, second.betas, second.ground)
    assert min(_soles(place_people(body(), [second, deep], [two, two]))) > -1e-4
    fits = [second, high, Fit(second.root + [1.0, 0, 0], second.rotations, second.betas, second.ground)]
    assert _soles(place_people(body(), fits, [two, one, two]))[1] > 0.3
