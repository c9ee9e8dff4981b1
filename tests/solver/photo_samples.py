"""People made up for the tests of the way from a photo to poses: natural poses seen by a known camera."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.body.catalog import load_body
from solver.body.floor import posed_vertices
from solver.camera import PinholeCamera
from solver.ik.pose_prior import pose_prior, whole_pose_stiffness
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.limits import joint_limits
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, rotation_between
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.detection.blazepose import Landmarks
from solver.photo.fit.evidence import body_points
from solver.photo.image_file import PhotoImage

Array = NDArray[np.float64]
Shape = BodyShape | None

_LIMB = np.ones(33)
_LIMB[:11], _LIMB[[11, 12]], _LIMB[[13, 14, 25, 26]], _LIMB[[23, 24]] = 0.4, 0.35, 0.6, 0.1


@dataclass(frozen=True, eq=False)
class Camera:
    """x right, y up, looks along -z. position (3,), rotation (3, 3) world from camera."""

    position: Array
    rotation: Array
    focal: float = 900.0
    size: tuple[int, int] = (800, 800)

    @property
    def principal(self) -> tuple[float, float]:
        return self.size[0] / 2, self.size[1] / 2

    def before(self, points: Array) -> Array:
        return (points - self.position) @ self.rotation

    def pixels(self, points: Array) -> Array:
        p = self.before(points)
        return self.focal * p[:, :2] * [1, -1] / -p[:, 2:] + self.principal


def level_camera(distance: float = 4.0, height: float = 1.3, down: float = 0.0) -> Camera:
    return Camera(np.array([0.0, height, distance]), np.array(from_rotation_vector([-down, 0.0, 0.0])))


@cache
def body() -> Body:
    return load_body("anny")


def natural(seed: int, facing: float = 0.0, at: tuple[float, float] = (0.0, 0.0), spread: float = 1.5) -> Pose:
    """A pose drawn from the natural prior as a whole, within the joints' ranges, its lowest point on the floor."""
    rng = np.random.default_rng(seed)
    prior, limits = pose_prior(SMPL_JOINTS), joint_limits(SMPL_JOINTS)
    rotations = prior.mean.copy()
    together = np.linalg.inv(whole_pose_stiffness(SMPL_JOINTS)[3:, 3:])
    for j, drawn in enumerate((np.linalg.cholesky(together) @ rng.normal(size=3 * 23)).reshape(23, 3), start=1):
        share = spread
        for _ in range(20):
            turned = rotations.copy()
            turned[j] = prior.mean[j] @ from_rotation_vector(share * drawn)
            if limits.excess(turned)[j] <= 0.02:
                rotations = turned
                break
            share *= 0.7
    rotations[0] = from_rotation_vector([0.0, facing, 0.0]) @ rotations[0]
    return on_floor(Pose(np.zeros(3, np.float32), rotations.astype(np.float32)), at)


def on_floor(pose: Pose, at: tuple[float, float] = (0.0, 0.0), height: float = 0.0, shape: Shape = None) -> Pose:
    low = posed_vertices(body(), shape or BodyShape(), pose)[:, 1].min()
    return Pose(np.array([at[0], pose.root_position[1] - low + height, at[1]], np.float32), pose.rotations)


def joints(pose: Pose, shape: Shape = None) -> Array:
    return np.asarray(forward_kinematics(body().skeleton(shape or BodyShape()), pose).positions, dtype=np.float64)


def landmarks_of(
    pose: Pose, camera: Camera, seed: int = 0, pixel: float = 0.0, depth: float = 0.0, shape: Shape = None
) -> Landmarks:
    """What the network would see. pixel: noise in the picture in pixels; depth: of the metres along the view, at
    the ends of the limbs; the nearer to the trunk, the less, as with the network."""
    points, rng = body_points(body()), np.random.default_rng(seed)
    found = forward_kinematics(body().skeleton(shape or BodyShape()), pose)
    places = points.places(found.positions, found.rotations)
    pixels, world = np.zeros((39, 2)), np.zeros((33, 3))
    pixels[points.landmark] = camera.pixels(places) + pixel * rng.normal(size=(len(places), 2))
    before = camera.before(places)
    hips = [int(np.flatnonzero(points.landmark == mark)[0]) for mark in (23, 24)]
    before -= before[hips].mean(axis=0)
    before[:, 2] += depth * _LIMB[points.landmark] * rng.normal(size=len(before))
    middle = (pixels[23] + pixels[24]) / 2 - camera.principal
    towards = rotation_between(np.array([0.0, 0.0, -1.0]), np.array([middle[0], -middle[1], -camera.focal]))
    world[points.landmark] = before @ towards * [1.0, -1.0, -1.0]
    return Landmarks(1.0, pixels, np.ones(33), world)


def lens_of(camera: Camera) -> PinholeCamera:
    """The camera as scenes have it."""
    return PinholeCamera(camera.position, camera.rotation, camera.focal, camera.principal, camera.size)


def rendered(camera: Camera, *poses: Pose, children: tuple[int, ...] = ()) -> PhotoImage:
    """A picture of mean bodies in these poses, the focal length noted. children: who are, by number."""
    from rendering.camera.camera import PhotoView
    from rendering.drawing.offscreen import render_image
    from rendering.scene.values import Figure, Mesh, Scene

    shape, figures = BodyShape(), list[Figure]()
    for i, pose in enumerate(poses):
        b = load_body("anny:child") if i in children else body()
        skeleton, mesh = b.skeleton(shape), Mesh(b.vertices(shape), b.faces, b.weights, b.suit_mask)
        places = forward_kinematics(skeleton, pose).positions.astype(np.float64)
        figures.append(Figure(i, mesh, skinning_matrices(skeleton, pose), places, skeleton.parents))
    pixels = render_image(Scene(tuple(figures), grid=False), PhotoView(lens_of(camera)), camera.size)
    return PhotoImage(np.ascontiguousarray(pixels[..., :3]), "rendered", "", camera.focal)


def seen_at(pixels: NDArray[np.float64], presence: float) -> Landmarks:
    """Somebody of whom two looks say the same, and whose metres fit the picture."""
    size = float(np.linalg.norm(np.ptp(pixels[:33], axis=0)))
    world = np.concatenate([pixels[:33] / size * 2.2, np.zeros((33, 1))], axis=1)
    one = Landmarks(1.0, pixels, np.ones(33), world)
    return replace(one, presence=presence, looks=(one, one))
