"""The gizmo's shape and the maths of dragging it: pure, and always computed from where the drag began.

A drag is a value: start_move or start_rotate makes it, advance moves the pointer, moved_position and turned_rotation
say where that leads. Lengths of the gizmo are logical pixels on the screen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rendering.camera.camera import View
from rendering.scene.values import Gizmo

Array = NDArray[np.float64]

AXES: tuple[str, ...] = ("x", "y", "z")
PLANES: tuple[str, ...] = ("xy", "yz", "zx")
RINGS: tuple[str, ...] = ("x", "y", "z")
TURNS: tuple[str, ...] = ("turn x", "turn y", "turn z")  # the rings around the arrows of a gizmo that does both
ARROW, ARROW_START = 84.0, 16.0
SHORT_ARROW = 62.0  # within rings
PLANE_NEAR, PLANE_FAR = 22.0, 48.0
CENTRE = 11.0
RING, OUTER_RING, TURN_RING = 78.0, 94.0, 92.0
RING_STEPS = 72
EDGE_ON = 0.18  # cosine below which a ring or plane is too edge-on to be hit by a ray
PRECISE = 0.1
FARTHEST_MOVE = 6.0  # times the distance from the eye


@dataclass(frozen=True, eq=False)
class Drag:
    """A drag of one part of a gizmo. position: (3,) metres and rotation: (3, 3) at its start.

    frame: (3, 3) columns are the axes it acts along. start, pointer: pixels; `pointer` is where the drag has got to,
    slowed while it was precise; `anchor` and `origin` tie it to the mouse. exact: metres along its axis, or radians
    about it, that count instead of where the pointer is; None if not given.
    """

    part: str
    position: Array
    rotation: Array
    frame: Array
    start: Array
    pointer: Array
    anchor: Array
    origin: Array
    precise: bool = False
    exact: float | None = None


def start_move(gizmo: Gizmo, part: str, pixel: ArrayLike) -> Drag:
    """Begin to move along an axis ("x"), in a plane ("xy") or in the plane of the picture ("view")."""
    return _start(gizmo, part, pixel, np.asarray(gizmo.rotation, dtype=np.float64))


def start_rotate(gizmo: Gizmo, part: str, pixel: ArrayLike, rotation: ArrayLike | None = None) -> Drag:
    """Begin to turn about an axis ("x"), the line of sight ("view") or freely ("ball").

    rotation: (3, 3), what is being turned, if it is not the gizmo's own frame.
    """
    return _start(gizmo, part, pixel, np.asarray(gizmo.rotation if rotation is None else rotation, dtype=np.float64))


def _start(gizmo: Gizmo, part: str, pixel: ArrayLike, rotation: Array) -> Drag:
    p = np.asarray(pixel, dtype=np.float64)
    position, frame = (np.asarray(v, dtype=np.float64) for v in (gizmo.position, gizmo.rotation))
    return Drag(part, position, rotation, frame, p, p, p, p)


def advance(drag: Drag, pixel: ArrayLike, precise: bool = False) -> Drag:
    """The drag with the mouse at `pixel`; when `precise` changes, it goes on from there without a jump."""
    p = np.asarray(pixel, dtype=np.float64)
    if precise != drag.precise:
        here = _pointer(drag, p)
        return replace(drag, precise=precise, anchor=here, origin=p, pointer=here)
    return replace(drag, pointer=_pointer(drag, p))


def _pointer(drag: Drag, pixel: Array) -> Array:
    return drag.anchor + (pixel - drag.origin) * (PRECISE if drag.precise else 1.0)


def moved_position(drag: Drag, view: View, snap: float | None = None) -> Array:
    """(3,) metres, where the drag has moved its point. snap: round the movement to multiples of this on each axis."""
    if drag.part in AXES:
        move, axis = np.zeros(3), AXES.index(drag.part)
        if drag.exact is not None:
            return drag.position + drag.frame[:, axis] * drag.exact
        move[axis] = _along_axis(drag, view, drag.frame[:, axis])
    else:
        normal = _plane_normal(drag, view)
        move = drag.frame.T @ (_in_plane(drag, view, normal))
    if snap:
        move = np.round(move / snap) * snap
    return drag.position + drag.frame @ move


def turned_rotation(drag: Drag, view: View, snap: float | None = None) -> Array:
    """(3, 3), how the drag has turned its frame. snap: round the angle to this many radians."""
    if drag.part == "ball" and drag.exact is None:
        return _ball_turn(drag, view, snap) @ drag.rotation
    axis = _to_eye(drag.position, view) if drag.part in ("ball", "view") else drag.frame[:, AXES.index(drag.part)]
    if drag.exact is not None:
        return axis_rotation(axis, drag.exact) @ drag.rotation
    angle = _screen_angle(drag, view) if drag.part == "view" else _ring_angle(drag, view, axis)
    if snap:
        angle = round(angle / snap) * snap
    return axis_rotation(axis, angle) @ drag.rotation


def axis_rotation(axis: ArrayLike, angle: float) -> Array:
    """(3, 3) rotation about an axis (3,) of any length by an angle in radians."""
    x, y, z = np.asarray(axis, dtype=np.float64) / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def outline(gizmo: Gizmo, part: str, view: View) -> Array:
    """(N, 3) metres, the polyline that draws a part and that the pointer is measured against."""
    centre, frame = np.asarray(gizmo.position, dtype=np.float64), np.asarray(gizmo.rotation, dtype=np.float64)
    pixel = view.metres_per_pixel(centre)
    if part in TURNS:
        i = TURNS.index(part)
        return centre + _circle(frame[:, (i + 1) % 3], frame[:, (i + 2) % 3], TURN_RING * pixel)
    if part == "view":
        right, up = np.asarray(view.camera.rotation)[:, :2].T
        return centre + _circle(right, up, (OUTER_RING if gizmo.kind == "rotate" else CENTRE) * pixel)
    if gizmo.kind == "rotate":
        i = RINGS.index(part)
        return centre + _circle(frame[:, (i + 1) % 3], frame[:, (i + 2) % 3], RING * pixel)
    if part in PLANES:
        a, b = (frame[:, AXES.index(letter)] * pixel for letter in part)
        corners = ((PLANE_NEAR, PLANE_NEAR), (PLANE_FAR, PLANE_NEAR), (PLANE_FAR, PLANE_FAR), (PLANE_NEAR, PLANE_FAR))
        return np.array([centre + a * s + b * t for s, t in (*corners, corners[0])])
    axis = frame[:, AXES.index(part)] * pixel
    return np.array([centre + axis * ARROW_START, centre + axis * (ARROW if gizmo.kind == "move" else SHORT_ARROW)])


def axis_visibility(gizmo: Gizmo, part: str, view: View) -> float:
    """0..1: an arrow that points at the viewer, or a plane seen from its edge, fades out."""
    towards = _to_eye(np.asarray(gizmo.position, dtype=np.float64), view)
    frame = np.asarray(gizmo.rotation, dtype=np.float64)
    if part in PLANES:
        across = abs(float(frame[:, PLANES.index(part) - 1] @ towards))  # along the axis not in the plane
        return min(max((across - 0.08) / 0.15, 0.0), 1.0)
    return min(max((1.0 - abs(float(frame[:, AXES.index(part)] @ towards)) - 0.01) / 0.04, 0.0), 1.0)


def _circle(a: Array, b: Array, radius: float) -> Array:
    t = np.linspace(0.0, 2 * np.pi, RING_STEPS + 1)[:, None]
    return radius * (np.cos(t) * a + np.sin(t) * b)


def _to_eye(point: Array, view: View) -> Array:
    """Unit direction against the line of sight through a point; the same everywhere for parallel projection."""
    back = np.asarray(view.camera.rotation)[:, 2]
    if view.projection_matrix[3, 3] != 0.0:
        return back
    towards = view.camera.eye - point
    length = float(np.linalg.norm(towards))
    return towards / length if length > 1e-9 else back


def _plane_normal(drag: Drag, view: View) -> Array:
    if drag.part == "view":
        return np.asarray(view.camera.rotation)[:, 2]
    a, b = (drag.frame[:, AXES.index(letter)] for letter in drag.part)
    return np.cross(a, b)


def _hit(pixel: Array, point: Array, normal: Array, view: View) -> Array | None:
    """Where the ray through a pixel meets a plane.

    A point too far off is brought nearer along the plane, and past the plane's horizon, where no ray meets it, it stays
    that far away, so that a drag up to the horizon and over it is calm. None if the eye is in the plane.
    """
    origin, direction = view.ray(pixel)
    slope, height = float(direction @ normal), float((point - origin) @ normal)
    along = direction - slope * normal
    flat = float(np.linalg.norm(along))
    if view.projection_matrix[3, 3] != 0.0:
        return None if abs(slope) < 1e-6 else np.asarray(origin + height / slope * direction)
    foot = origin + height * normal
    if abs(height) < 1e-6:
        return None
    if flat < 1e-9:
        return np.asarray(foot)
    reach = FARTHEST_MOVE * max(float(np.linalg.norm(origin - point)), 0.1)
    ahead = height / slope * flat if height * slope > 0.0 else np.inf
    return np.asarray(foot + min(ahead, reach) / flat * along)


def _in_plane(drag: Drag, view: View, normal: Array) -> Array:
    """(3,) movement within a plane, metres in the world."""
    if abs(float(normal @ _to_eye(drag.position, view))) > EDGE_ON or drag.part == "view":
        start, now = _hit(drag.start, drag.position, normal, view), _hit(drag.pointer, drag.position, normal, view)
        if start is not None and now is not None:
            return now - start
    # Too edge-on: the pointer's movement in the plane of the picture, projected into the plane.
    pixel = view.metres_per_pixel(drag.position)
    right, up = np.asarray(view.camera.rotation)[:, :2].T
    dx, dy = drag.pointer - drag.start
    moved = pixel * (dx * right - dy * up)
    return moved - normal * (moved @ normal)


def _along_axis(drag: Drag, view: View, axis: Array) -> float:
    """Metres moved along a unit axis."""
    towards = _to_eye(drag.position, view)
    across = towards - axis * (towards @ axis)  # normal of the plane through the axis that faces the viewer most
    steep = float(np.linalg.norm(across))
    if steep > EDGE_ON:
        normal = across / steep
        start, now = _hit(drag.start, drag.position, normal, view), _hit(drag.pointer, drag.position, normal, view)
        if start is not None and now is not None:
            return float((now - start) @ axis)
    # The axis points at the viewer, or the pointer left the plane: follow the axis's direction on the screen.
    right, up = np.asarray(view.camera.rotation)[:, :2].T
    on_screen = np.array([axis @ right, -(axis @ up)])
    length = max(float(np.linalg.norm(on_screen)), EDGE_ON)
    share = float((drag.pointer - drag.start) @ on_screen) / length**2
    limit = FARTHEST_MOVE * max(float(np.linalg.norm(view.camera.eye - drag.position)), 0.1)
    return float(np.clip(share * view.metres_per_pixel(drag.position), -limit, limit))


def _screen_angle(drag: Drag, view: View) -> float:
    """Angle turned about the line of sight, counter-clockwise positive."""
    centre = view.project(drag.position)
    a, b = drag.start - centre, drag.pointer - centre
    if min(np.linalg.norm(a), np.linalg.norm(b)) < 1e-6:
        return 0.0
    return -float(np.arctan2(a[0] * b[1] - a[1] * b[0], a @ b))


def _ring_angle(drag: Drag, view: View, axis: Array) -> float:
    facing = float(axis @ _to_eye(drag.position, view))
    if abs(facing) > EDGE_ON:
        start, now = _hit(drag.start, drag.position, axis, view), _hit(drag.pointer, drag.position, axis, view)
        if start is not None and now is not None:
            a, b = start - drag.position, now - drag.position
            if min(np.linalg.norm(a), np.linalg.norm(b)) > 1e-9:
                return float(np.arctan2(axis @ np.cross(a, b), a @ b))
    # Seen edge-on a ring is a line: moving along it by its radius turns by one radian.
    right, up = np.asarray(view.camera.rotation)[:, :2].T
    along = np.cross(axis, _to_eye(drag.position, view))
    on_screen = np.array([along @ right, -(along @ up)])
    length = max(float(np.linalg.norm(on_screen)), 1e-6)
    return float((drag.pointer - drag.start) @ on_screen) / length / RING


def _ball_turn(drag: Drag, view: View, snap: float | None) -> Array:
    dx, dy = drag.pointer - drag.start
    right, up = np.asarray(view.camera.rotation)[:, :2].T
    axis = up * dx + right * dy
    length = float(np.hypot(dx, dy))
    if length < 1e-9:
        return np.eye(3)
    angle = length / RING
    if snap:
        angle = round(angle / snap) * snap
    return axis_rotation(axis, angle)
