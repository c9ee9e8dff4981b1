"""What a moving picture shows, image by image: the motions as they play, or one turn round the people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import cos, pi, sin
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.exchange.own.own_reach import own_reach
from app.document.model.actor import Actor
from app.document.model.bookmark import Bookmark
from app.document.model.document import Document
from app.document.model.figure import joints_of, with_margin
from app.film.camera_way import camera_on_way
from app.services.clock import Span, frames_at, timed
from solver.body.catalog import load_body
from solver.errors import PoserError
from solver.kinematics.fk import forward_kinematics_batch

if TYPE_CHECKING:
    from rendering.camera.camera import Camera, OrbitCamera

MOST_SAMPLES = 60  # frames of a motion looked at to find the framing
ROUND = 16  # directions looked from to find the framing of a turntable


@dataclass(frozen=True)
class Film:
    """fps: frames a second. turntable: once round the people as they stand, in `seconds`; still: past them as they
    stand, in as long, through views; else their motions.

    span: start and end in seconds; without it, the longest motion from its first frame to its last,
    be it a person's or a prop's.
    whole: the camera steps back where people would leave the picture.
    through: views through which the camera goes meanwhile, not round them; it stands still without two of them.
    """

    fps: float = 25.0
    turntable: bool = False
    seconds: float = 6.0
    span: Span | None = None
    whole: bool = False
    through: tuple[Bookmark, ...] = ()
    still: bool = False

    @property
    def stands(self) -> bool:
        """Whether everybody stays as they stand, and only the camera moves."""
        return self.turntable or self.still


class Shot(NamedTuple):
    """One image: the document at its frames, and the camera that sees it."""

    document: Document
    camera: Camera


def images_of(film: Film, document: Document) -> int:
    """How many images the film has. PoserError where nothing would move."""
    if film.stands:
        return max(2, round(film.seconds * film.fps))
    if _end_s(document) <= 0.0:
        raise PoserError(
            "Nobody in the scene moves, so there is no motion to show. Make a turntable instead: from a terminal by "
            "“render” with --turntable."
        )
    first, last = _span(film, document)
    return 1 + int((last - first) * film.fps + 1e-6)


def shots(film: Film, document: Document, camera: Camera) -> Iterator[Shot]:
    """The images of the film, from where the camera stands, or along its way through views; a turntable turns an orbit
    camera about the people."""
    count = images_of(film, document)
    if not film.turntable:
        moves = len(film.through) > 1
        for number in range(count):
            seen = camera_on_way(film.through, number / max(count - 1, 1)) if moves else camera
            yield Shot(document if film.still else _image(film, document, number), seen)
        return
    from rendering.camera.camera import OrbitCamera

    if not isinstance(camera, OrbitCamera):
        raise PoserError(
            "A film once round the people cannot be made through a photo's camera. Look from elsewhere first."
        )
    for number in range(count):
        yield Shot(document, turned(camera, middle_of(document, camera), 2 * pi * number / count))


def turned(camera: OrbitCamera, pivot: NDArray[np.floating], angle: float) -> OrbitCamera:
    """The camera carried round the vertical through (3,) metres by radians."""
    turn = np.array([[cos(angle), 0.0, sin(angle)], [0.0, 1.0, 0.0], [-sin(angle), 0.0, cos(angle)]])
    x, y, z = pivot + turn @ (np.asarray(camera.target) - pivot)
    return replace(camera, target=(float(x), float(y), float(z)), yaw=camera.yaw + angle)


def middle_of(document: Document, camera: OrbitCamera) -> NDArray[np.float64]:
    """(3,) metres, the middle of all visible people; the camera's target where there are none."""
    places = _joints(document)
    return (places.min(axis=0) + places.max(axis=0)) / 2 if len(places) else np.asarray(camera.target)


def reach_of(film: Film, document: Document, flesh: float = 0.0) -> NDArray[np.float64]:
    """(N, 3) metres, what a camera that shows the whole film must have in view. flesh: metres around the
    joints; of people who move around the own skin, too, as they are looked at in some frames alone."""
    if not film.stands:
        count = images_of(film, document)
        numbers = np.unique(np.linspace(0, count - 1, MOST_SAMPLES).astype(int))
        times = _span(film, document)[0] + numbers / film.fps
        seen = (actor for actor in document.actors if actor.identity.visible)
        places = np.concatenate([np.empty((0, 3)), *(_joints_at(actor, times) for actor in seen)])
        return np.asarray(with_margin(places, flesh), np.float64)
    joints = _joints(document)
    if not len(joints):
        return joints
    pivot = (joints.min(axis=0) + joints.max(axis=0)) / 2
    skin = np.concatenate([joints[:0], *(own_reach(c) for c in document.characters if c.visible)])
    return np.concatenate([with_margin(_round(pivot, joints), flesh), _round(pivot, skin)])


def _round(pivot: NDArray[np.float64], places: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N, 3) metres, where a full turn about the vertical through a pivot brings places."""
    radius = np.linalg.norm((places - pivot)[:, [0, 2]], axis=1)
    angles = np.linspace(0, 2 * pi, ROUND, endpoint=False)[:, None]
    ring = np.stack([np.sin(angles) * radius, np.zeros((ROUND, 1)) + places[:, 1] - pivot[1], np.cos(angles) * radius])
    return pivot + np.moveaxis(ring, 0, -1).reshape(-1, 3)


def _joints_at(actor: Actor, times: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N, 3) metres, all joints of somebody, and how far an own skin reaches, at times in seconds; of a clip that ends
    earlier, at its last frame."""
    clip = actor.clip
    frames = np.unique(np.clip(np.rint(times * clip.fps), 0, len(clip) - 1).astype(np.int64))
    skeleton = load_body(actor.build.body).skeleton(actor.build.shape)
    places = forward_kinematics_batch(skeleton.parents, skeleton.offsets, *actor.poses(frames)).positions
    points = np.asarray(clip.placement.points(places), np.float64).reshape(-1, 3)
    if actor.identity.own_skin is None or not actor.identity.own_skin.shown:
        return points
    return np.concatenate([points, *(own_reach(actor.at(frame)) for frame in frames.tolist())])


def _span(film: Film, document: Document) -> Span:
    return film.span or (0.0, _end_s(document))


def _end_s(document: Document) -> float:
    """The time of the last frame of the longest clip that is seen, in seconds; 0 where nothing moves."""
    seen = {actor.id for actor in document.actors if actor.identity.visible}
    seen |= {prop.slot for prop in document.props if prop.visible}
    return max((each.end_s for each in timed(document).values() if each.slot in seen), default=0.0)


def _image(film: Film, document: Document, number: int) -> Document:
    """The document as one image of its motion shows it; people with shorter clips stay at their ends."""
    return document.at(frames_at(document, _span(film, document)[0] + number / film.fps))


def _joints(document: Document) -> NDArray[np.float64]:
    """(N, 3) metres, all joints of all visible people."""
    places = [joints_of(c).positions for c in document.characters if c.visible]
    return np.concatenate(places).astype(np.float64) if places else np.empty((0, 3))
