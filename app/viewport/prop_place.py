"""Where something is added: on the floor ahead of the view, or under the pointer, on top of what is seen there."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.edits.room import Seen
from app.document.model.document import Document
from app.document.model.figure import joints_of
from app.document.model.prop_spots import spot_of
from app.document.posing.contact_patches import on_skin
from app.viewport.camera.framing import seen_moved
from rendering.camera.camera import Camera, OrbitCamera, View
from rendering.picking.picking import Hit, pick
from rendering.picking.prop_picking import spot_on_prop
from rendering.scene.values import NO_DOTS, Scene

AHEAD_M, FARTHEST_M = 3.0, 20.0  # metres from the eye: the place if no floor is in sight, and how far floor counts
BEHIND = 2.0  # times as far away as what a view turns about: what is put near the horizon is still seen well there

LEVEL = 0.7  # of a surface's normal upwards, from which something can stand on it
FLOOR = "the floor"
SOMEBODY = ("figure", "joint", "finger", "prop")  # kinds of hits that count; a handle may be far from its body
IN_PART_BEHIND = 1  # of `clearly_seen`: hidden by somebody, and not even wholly within the view


class Reach(NamedTuple):
    """Metres over the floor from the eye: how far away the floor counts, where something is put beyond, and where if no
    floor is in sight."""

    farthest: float
    beyond: float
    nowhere: float


PHOTO_REACH = Reach(FARTHEST_M, AHEAD_M, AHEAD_M)


class Landing(NamedTuple):
    """place: (3,) metres. onto: the name of what is there."""

    place: NDArray[np.float64]
    onto: str


def floor_ahead(camera: Camera) -> NDArray[np.float64]:
    """(3,) metres on the floor: below what the view turns about, or where a photo's camera looks."""
    if isinstance(camera, OrbitCamera):
        return np.array([camera.target[0], 0.0, camera.target[2]])
    return _on_floor(np.asarray(camera.eye, np.float64), -np.asarray(camera.rotation, np.float64)[:, 2], PHOTO_REACH)


def clearly_seen(document: Document, view: View) -> Seen:
    """How well a view shows things moved over the floor, as `room.Seen`: worse behind somebody than beside them, but
    better there than where only a part of them is in the view."""
    eye = np.asarray(view.camera.eye, np.float64)
    people = [joints_of(c).positions.astype(np.float64) for c in document.characters if c.visible]
    boxes = [(view.project(joints), np.linalg.norm(joints - eye, axis=1).mean()) for joints in people]

    def seen(corners: NDArray[np.float64], ways: NDArray[np.float64]) -> NDArray[np.int64]:
        places = (corners.min(axis=0) + corners.max(axis=0)) / 2.0 + ways
        at, far = view.project(places), np.linalg.norm(places - eye, axis=1)
        hidden = np.zeros(len(ways), np.int64)
        for box, away in boxes:
            hidden |= ((box.min(axis=0) <= at) & (at <= box.max(axis=0))).all(axis=1) & (far > away)
        return 2 * seen_moved(view, corners, ways) - hidden

    return seen


def floor_under(view: View, pixel: tuple[float, float], scene: Scene | None = None) -> NDArray[np.float64]:
    """(3,) metres on the floor, under a pixel of the view; below a person or a prop of the scene seen there.

    Where the floor there is far away, or the sky is seen, a place that way which is near enough.
    """
    origin, direction = view.ray(pixel)
    hit = pick(view, scene, pixel) if scene is not None else None
    if hit is not None and hit.kind in SOMEBODY:
        return np.asarray((origin + hit.depth * direction) * [1.0, 0.0, 1.0])
    return _on_floor(np.asarray(origin, np.float64), np.asarray(direction, np.float64), _reach(view.camera))


def landing_under(document: Document, view: View, pixel: tuple[float, float], scene: Scene) -> Landing:
    """Where something lands under a pixel: on a prop or a person whose top is seen there, below one whose side is, else
    on the floor, as `floor_under`. document: the one the scene shows."""
    bare = replace(scene, handles=(), joints=NO_DOTS, gizmo=None, root=None, roots=())
    hit = pick(view, bare, pixel)
    found = _surface(document, view, pixel, bare, hit) if hit is not None else None
    if found is not None and found[1][1] >= LEVEL:
        return Landing(np.asarray(found[0], np.float64), found[2])
    return Landing(floor_under(view, pixel, bare), FLOOR)


def _surface(
    document: Document, view: View, pixel: tuple[float, float], scene: Scene, hit: Hit
) -> tuple[NDArray[np.float64], NDArray[np.float64], str] | None:
    """The place and the normal there, both (3,), and the name of its owner."""
    if hit.kind == "prop":
        prop = next(prop for prop in document.props if hit.id == ("prop", prop.id))
        origin, direction = (np.asarray(part, np.float64) for part in view.ray(pixel))
        met = spot_on_prop(origin, direction, next(drawn for drawn in scene.props if drawn.id == hit.id))
        if met is not None:
            _, at, outward = spot_of(prop, met.own, met.normal)
            return at, outward, prop.name
    if hit.kind == "figure" and hit.place is not None:
        for character in document.characters:
            if character.id == hit.id:
                _, skin, facing = on_skin(character, hit.place)
                return skin.astype(np.float64), facing.astype(np.float64), character.name
    return None


def _reach(camera: Camera) -> Reach:
    if not isinstance(camera, OrbitCamera):
        return PHOTO_REACH
    farthest = max(BEHIND * camera.distance, AHEAD_M)
    return Reach(farthest, farthest, camera.distance if camera.orthographic else farthest)


def _on_floor(eye: NDArray[np.float64], way: NDArray[np.float64], reach: Reach) -> NDArray[np.float64]:
    """Where a ray meets the floor; ahead if it does not, or only far away."""
    level = way * [1.0, 0.0, 1.0]
    length = float(np.linalg.norm(level))
    times = -eye[1] / way[1] if abs(way[1]) > 1e-9 else -1.0
    if times > 0.0 and times * length < reach.farthest:
        place = eye + times * way
    else:
        place = eye + (reach.beyond if times > 0.0 else reach.nowhere) * level / max(length, 1e-9)
    return np.asarray(place * [1.0, 0.0, 1.0])
