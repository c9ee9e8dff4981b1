"""A camera moved: turned, shifted and zoomed by hand, brought to a standard view or around what it shall show."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from rendering.camera.camera import Camera, OrbitCamera, PhotoView, Triple, View

STANDARD_VIEWS: dict[str, tuple[float, float]] = {  # yaw, pitch
    "front": (0.0, 0.0),
    "back": (np.pi, 0.0),
    "right": (np.pi / 2, 0.0),
    "left": (-np.pi / 2, 0.0),
    "top": (0.0, np.pi / 2),
    "bottom": (0.0, -np.pi / 2),
}
NEAREST, FARTHEST = 0.05, 200.0  # metres from the target
STEEPEST = np.pi / 2


def orbit(camera: OrbitCamera, dx: float, dy: float, pivot: ArrayLike | None = None) -> OrbitCamera:
    """Turned by a drag of (dx, dy) radians about `pivot`, or about the target: dx > 0 turns the world to the right."""
    if camera.temporary and (dx or dy):
        camera = replace(camera, orthographic=False, temporary=False)
    pitch = float(np.clip(camera.pitch + dy, -STEEPEST, STEEPEST))
    turned = replace(camera, yaw=float((camera.yaw - dx + np.pi) % (2 * np.pi) - np.pi), pitch=pitch)
    if pivot is None:
        return turned
    centre = np.asarray(pivot, dtype=np.float64)
    offset = turned.rotation @ camera.rotation.T @ (np.asarray(camera.target) - centre)
    return replace(turned, target=_triple(centre + offset))


def pan(camera: OrbitCamera, dx: float, dy: float, height: float) -> OrbitCamera:
    """Moved so that points at the target's depth follow a drag of (dx, dy) pixels, y down."""
    step = 2 * camera.distance * np.tan(camera.fov_y / 2) / height
    right, up, _ = camera.rotation.T
    return replace(camera, target=_triple(np.asarray(camera.target) + step * (dy * up - dx * right)))


def carried(camera: OrbitCamera, way: ArrayLike) -> OrbitCamera:
    """Moved by a way (3,) in metres."""
    return replace(camera, target=_triple(np.asarray(camera.target) + np.asarray(way)))


def zoom(view: View, factor: float, pixel: ArrayLike | None = None) -> OrbitCamera | PhotoView:
    """The camera of `view`, nearer by `factor` (> 1), keeping what lies under `pixel` there."""
    camera = view.camera
    if isinstance(camera, PhotoView):
        return _zoom_photo(view, camera, factor, pixel)
    if not isinstance(camera, OrbitCamera):
        raise TypeError(f"no zoom for {type(camera).__name__}")
    distance = float(np.clip(camera.distance / factor, NEAREST, FARTHEST))
    target = np.asarray(camera.target)
    if pixel is not None:
        origin, direction = view.ray(pixel)
        back = camera.rotation[:, 2]
        held = origin + direction * ((target - origin) @ back) / (direction @ back)
        target = held + (target - held) * distance / camera.distance
    return replace(camera, distance=distance, target=_triple(target))


def _zoom_photo(view: View, camera: PhotoView, factor: float, pixel: ArrayLike | None) -> PhotoView:
    new = float(np.clip(camera.zoom * factor, 0.2, 40.0))
    grown = new / camera.zoom
    fit, x, y = camera.fitted(view.width, view.height)
    middle = np.array([x, y])
    held = np.array([view.width, view.height]) / 2 if pixel is None else np.asarray(pixel, dtype=np.float64)
    fitted = fit * np.array(camera.lens.image_size)
    centre = middle + np.asarray(camera.shift) * fitted
    shift = (held + (centre - held) * grown - middle) / fitted
    return replace(camera, zoom=new, shift=(float(shift[0]), float(shift[1])))


def pan_photo(camera: PhotoView, dx: float, dy: float, width: float, height: float) -> PhotoView:
    """The look through the photo moved by (dx, dy) pixels; the camera itself stays where it is."""
    w, h = camera.lens.image_size
    fit = camera.fitted(width, height)[0]
    return replace(camera, shift=(camera.shift[0] + dx / (w * fit), camera.shift[1] + dy / (h * fit)))


def frame(camera: OrbitCamera, points: ArrayLike, aspect: float, margin: float = 1.25) -> OrbitCamera:
    """Seen from the same side so that all points (N, 3) fill the picture. aspect: width / height."""
    p = np.asarray(points, dtype=np.float64).reshape(-1, 3) @ camera.rotation
    p = p[np.isfinite(p).all(axis=1)]
    if len(p) == 0:
        return camera
    low, high = p.min(axis=0), p.max(axis=0)
    centre = (low + high) / 2
    tangents = np.tan(camera.fov_y / 2) * np.array([aspect, 1.0]) / margin
    reach = np.abs(p - centre)[:, :2] / tangents
    depth = 0.0 if camera.orthographic else (p - centre)[:, 2:]
    distance = float(np.clip((reach + depth).max(), 0.4, FARTHEST))
    return replace(camera, target=_triple(camera.rotation @ centre), distance=distance)


def standard_view(camera: OrbitCamera, name: str, orthographic: bool | None = None) -> OrbitCamera:
    """Seen from one of STANDARD_VIEWS about the same target; "right" stands at +X, as in Blender."""
    yaw, pitch = STANDARD_VIEWS[name]
    flat = camera.orthographic if orthographic is None else orthographic
    temporary = flat and (camera.temporary or not camera.orthographic)
    return replace(camera, yaw=float(yaw), pitch=float(pitch), orthographic=flat, temporary=temporary)


def standard_name(camera: Camera) -> str:
    """Which of STANDARD_VIEWS a camera looks from, whatever is up in its picture; "" for none of them."""
    if not isinstance(camera, OrbitCamera):
        return ""
    back = camera.rotation[:, 2]
    return next((n for n in STANDARD_VIEWS if back @ standard_view(camera, n).rotation[:, 2] > 1.0 - 1e-9), "")


def view_name(camera: Camera) -> str:
    """The name of a camera's view, such as "Front" or "Perspective"."""
    if not isinstance(camera, OrbitCamera):
        return "Photo's camera"
    side = standard_name(camera).capitalize()
    if camera.orthographic:
        return side or "Parallel"
    return f"{side} · perspective" if side else "Perspective"


def opposite(camera: OrbitCamera) -> OrbitCamera:
    """Seen from the other side."""
    return replace(camera, yaw=float((camera.yaw + 2 * np.pi) % (2 * np.pi) - np.pi), pitch=-camera.pitch)


def orbit_from(photo: PhotoView, about: ArrayLike) -> OrbitCamera:
    """An orbit camera that stands where the photo's stands and looks the same way, about the depth of `about` (3,)."""
    back, eye = photo.rotation[:, 2], photo.eye
    distance = float(np.clip((eye - np.asarray(about, dtype=np.float64)) @ back, 0.5, FARTHEST))
    return OrbitCamera(
        target=_triple(eye - back * distance),
        distance=distance,
        yaw=float(np.arctan2(back[0], back[2])),
        pitch=float(np.arcsin(np.clip(back[1], -1, 1))),
        fov_y=float(2 * np.arctan(photo.lens.image_size[1] / 2 / photo.lens.focal_px)),
    )


def blend(a: OrbitCamera, b: OrbitCamera, share: float) -> OrbitCamera:
    """The camera a share 0..1 of the way from a to b, turning the shorter way; b's kind of projection."""
    turn = (b.yaw - a.yaw + np.pi) % (2 * np.pi) - np.pi
    between = np.asarray(a.target) + share * (np.asarray(b.target) - np.asarray(a.target))
    return replace(
        b,
        target=_triple(between),
        distance=float(a.distance ** (1 - share) * b.distance**share),
        yaw=float(a.yaw + share * turn),
        pitch=float(a.pitch + share * (b.pitch - a.pitch)),
        fov_y=float(a.fov_y + share * (b.fov_y - a.fov_y)),
    )


def _triple(v: ArrayLike) -> Triple:
    x, y, z = np.asarray(v, dtype=np.float64)
    return float(x), float(y), float(z)
