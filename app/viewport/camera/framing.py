"""What the view is filled with: the points of the people and things looked at, and who is wholly in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.document.edits.body import is_own
from app.document.in_photo.photo_membership import belongs_to_photo
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of, whole_points, with_margin
from app.document.model.prop import Prop
from app.document.posing.placing import skin_of
from app.services.session import Session
from app.services.view_state import selected_people, selected_prop, selected_props
from rendering.camera.camera import Camera, OrbitCamera, PhotoView, View
from rendering.camera.moving import frame, pan, pan_photo, zoom
from rendering.camera.photo_halves import photo_half

BODY_MARGIN = 0.12  # metres of flesh around the joints
NEAR_MARGIN = 0.3  # metres around single joints
PROP_MARGIN = 0.45  # metres around a prop alone: with whoever sits on it or holds it, a cup with its hand and arm
SKIN_MARGIN = 0.05  # metres around all of somebody's skin
STEP_MARGIN = 1.08  # of a picture, around what a camera steps back for
MOST_STEPPED_BACK = 4.0  # times the distance for people at one frame, to have all of a motion in view
LEAST_METRE_PX = 70.0  # of the view, for a metre then: in a small view handles would hide a smaller body
CLOSEST_PX = 40.0  # of the view, the least size that something framed in a photo counts as: a single joint has none
FROM_BEHIND = -0.3  # cosine between where somebody looks and the way to the camera


def selected_points(session: Session, through_photo: bool = False) -> NDArray[np.floating] | None:
    """(N, 3) metres, corners of what is around the selected props, joints and handles, or of all people selected.

    through_photo: the people's skin instead of their joints, as that view has no room to spare, and of people selected
    those of the photo, if any is. None where nobody is active.
    """
    active, document, view = session.active, session.document, session.view
    props = selected_props(document, view)
    if selected_prop(document, view) is not None:
        return np.concatenate([with_margin(prop.corners, PROP_MARGIN) for prop in props])
    if active is None:
        return None
    joints, skeleton = joints_of(active).positions, skeleton_of(active)
    names = {e.joint for e in session.selected_effectors} | view.joints
    if names:
        return with_margin(np.array([joints[skeleton.index(name)] for name in sorted(names)]), NEAR_MARGIN)
    people = selected_people(view, document)
    if through_photo:
        people = tuple(each for each in people if belongs_to_photo(each, document)) or people
    around = [with_margin(_skin(each), SKIN_MARGIN) if through_photo else _flesh(each) for each in people]
    return np.concatenate([*around, *(with_margin(prop.corners, BODY_MARGIN) for prop in props)])


def shown_points(
    document: Document, camera: OrbitCamera | None = None, size: tuple[int, int] = (1, 1)
) -> NDArray[np.floating] | None:
    """(N, 3) metres, corners of what is around everybody and every prop; None if nothing is visible.

    camera: include the places people's motions take them to, unless people would look tiny with all of those in a view
    of that size, logical pixels.
    """
    shown = [_flesh(c) for c in document.characters if c.visible]
    shown += [with_margin(prop.corners, BODY_MARGIN) for prop in document.props if prop.visible]
    if not shown:
        return None
    points = np.concatenate(shown)
    if camera is None or not any(len(c.clip) > 1 for c in document.characters if c.visible):
        return points
    from app.film.film import Film, reach_of  # only once a motion is opened

    way = np.concatenate([points, reach_of(Film(), document, BODY_MARGIN)])
    near, far = (frame(camera, each, 1.0).distance for each in (points, way))
    seen = frame(camera, way, size[0] / size[1])
    metre_px = size[1] / (2 * seen.distance * np.tan(seen.fov_y / 2))
    return way if far <= MOST_STEPPED_BACK * near and metre_px >= LEAST_METRE_PX else points


def points_of(people: Iterable[Character], props: Iterable[Prop]) -> NDArray[np.float64]:
    """(N, 3) metres, these people and props, at least one."""
    return np.concatenate([*(_points(each) for each in people), *(prop.corners for prop in props)])


def framed(
    camera: OrbitCamera,
    points: NDArray[np.floating],
    people: Iterable[Character],
    size: tuple[int, int],
    corner: tuple[int, int] = (0, 0),
) -> Camera:
    """The camera moved so that points (N, 3), metres, fill a picture of that size, with all of the skin of people.

    A head or a hand reaches beyond its joint, which shows where somebody lies with it towards the camera.
    corner: pixels at the top right that something else lies over: everybody is to the left of it, if any skin would be
    in it.
    """
    skin = list(map(_skin, people))
    everything = np.concatenate([points, *skin])
    seen = stepped_back(frame(camera, points, size[0] / size[1]), everything, size)
    if not (corner[0] and skin and isinstance(seen, OrbitCamera)):
        return seen
    pixels = View(seen, *size).project(np.concatenate(skin))
    if not ((pixels[:, 0] > size[0] - corner[0]) & (pixels[:, 1] < corner[1])).any():
        return seen
    left = size[0] - corner[0], size[1]
    there = stepped_back(frame(camera, points, left[0] / left[1]), everything, left)
    return pan(there, -corner[0] / 2, 0.0, size[1]) if isinstance(there, OrbitCamera) else seen


def from_front(camera: OrbitCamera, people: Sequence[Character]) -> OrbitCamera:
    """The camera on the other side of somebody from a file with a skin who is alone and shows their back, as avatars do
    that face -Z."""
    if len(people) != 1 or people[0].own_skin is None:
        return camera
    ahead = joints_of(people[0]).rotations[0][:, 2]
    return replace(camera, yaw=camera.yaw + np.pi) if ahead @ camera.rotation[:, 2] < FROM_BEHIND else camera


def framed_people(session: Session) -> tuple[Character, ...]:
    """The people that `selected_points` are around: those selected, if no prop, joint or handle is."""
    view, document = session.view, session.document
    parts = selected_prop(document, view) is not None or session.selected_effectors or view.joints
    return () if parts or session.active is None else selected_people(view, document)


def seen_moved(view: View, points: NDArray[np.floating], ways: NDArray[np.floating]) -> NDArray[np.int64]:
    """(W,) how well a view shows points (N, 3) moved (W, 3) ways: 2 all of them, 1 their middle, 0 not even that."""
    middle = (points.min(axis=0) + points.max(axis=0)) / 2.0
    whole = _seen(view, points + ways[:, None]).all(axis=1)
    return np.asarray(_seen(view, middle + ways).astype(np.int64) + whole)


def is_wholly_in_view(view: View, character: Character) -> bool:
    """Whether all of the skin is within the view."""
    return _within(view, _skin(character))


def _points(character: Character) -> NDArray[np.floating]:
    """(N, 3) metres: the joints of somebody, and how far an own skin reaches."""
    if not is_own(character):
        return whole_points(character)
    from app.document.exchange.own.own_reach import drawn_points  # the window starts without

    return drawn_points(character)


def _flesh(character: Character) -> NDArray[np.floating]:
    """(N, 3) metres: corners of what is around the joints of somebody, and how far an own skin reaches."""
    if not is_own(character):
        return with_margin(whole_points(character), BODY_MARGIN)
    from app.document.exchange.own.own_reach import with_flesh

    return with_flesh(character, BODY_MARGIN)


def _skin(character: Character) -> NDArray[np.floating]:
    """(N, 3) metres: all of the skin that somebody is drawn with."""
    if not is_own(character):
        return skin_of(character)
    from app.document.exchange.own.own_reach import own_reach

    return own_reach(character)


def cut_off(view: View, document: Document) -> frozenset[str]:
    """The ids of visible people who are not wholly in the view."""
    return frozenset(c.id for c in document.characters if c.visible and not is_wholly_in_view(view, c))


def all_or_none_in_view(document: Document, camera: Camera, size: tuple[int, int]) -> bool | None:
    """Whether the joints of all visible people, or of none of them, are within a picture of that size.

    None through a photo, whose camera stands still.
    """
    if not isinstance(camera, OrbitCamera):
        return None
    people = [joints_of(c).positions for c in document.characters if c.visible]
    within = [_seen(View(camera, *size), points) for points in people]
    return bool(people) and (all(seen.all() for seen in within) or not any(seen.any() for seen in within))


def stepped_back(camera: Camera, points: NDArray[np.floating], size: tuple[int, int]) -> Camera:
    """The camera moved so that a picture of that size has (N, 3) metres in view, from the same side.

    The camera itself if it has them already, or is a photo's.
    """
    if not isinstance(camera, OrbitCamera) or not len(points) or _within(View(camera, *size), points):
        return camera
    return frame(camera, points, size[0] / size[1], margin=STEP_MARGIN)


def _within(view: View, points: NDArray[np.floating]) -> bool:
    return bool(_seen(view, points).all())


def _seen(view: View, points: NDArray[np.floating]) -> NDArray[np.bool_]:
    """(...) which of (..., 3) metres are within the view."""
    pixels = view.project(points)
    return np.all((pixels >= 0) & (pixels <= (view.width, view.height)), axis=-1)  # NaN behind the camera


def close_up(view: View, session: Session) -> PhotoView | None:
    """The view through a photo's camera that fills the view with what is selected, or with all of the active person;
    beside the photo's copy, it fills the half that is the photo's.

    It zooms out no further than to the whole photo, and shows that where the selection is of another photo and out of
    this one. None if the view is not through a photo, nobody is active, or part of them is behind its camera.
    """
    camera = view.camera
    if not isinstance(camera, PhotoView) or (points := selected_points(session, through_photo=True)) is None:
        return None
    if _is_elsewhere(camera, points, session):
        return PhotoView(camera.lens, halved=camera.halved)
    pixels = view.project(points)
    if not np.isfinite(pixels).all():
        return None
    low, high, half = pixels.min(axis=0), pixels.max(axis=0), photo_half(camera, view.width, view.height)
    room = np.subtract(half[2:], half[:2])
    factor = max(float((room / np.maximum(high - low, CLOSEST_PX)).min()), 1.0 / camera.zoom)
    middle = (low + high) / 2
    nearer = zoom(view, factor, middle)
    assert isinstance(nearer, PhotoView)
    if nearer.zoom <= 1.0:
        return PhotoView(camera.lens, halved=camera.halved)
    dx, dy = half[:2] + room / 2 - middle
    return pan_photo(nearer, float(dx), float(dy), view.width, view.height)


def _is_elsewhere(camera: PhotoView, points: NDArray[np.floating], session: Session) -> bool:
    """Whether the selection (N, 3) is of people of another photo, and its middle is not in this one."""
    active = session.active
    if active is None or session.view.prop:
        return False
    if any(belongs_to_photo(each, session.document) for each in selected_people(session.view, session.document)):
        return False
    photo = View(PhotoView(camera.lens), *camera.lens.image_size)
    return not _seen(photo, (points.min(axis=0) + points.max(axis=0)) / 2.0)
