"""Somebody in front of a photo's camera whom networks saw, and what the view says of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image
from PySide6.QtCore import QPoint, QPointF
from window_driver import active, place_of

from app.document import edits
from app.document.model.document import Character, Photo
from app.document.model.figure import body_of
from app.viewport.overlays.hover_label import HoverLabel
from app.viewport.overlays.photo_points import PhotoPoints
from app.window.editor import Editor
from rendering.camera.camera import PhotoView
from solver.body.floor import posed_vertices
from solver.camera import PinholeCamera
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.image_file import load_image
from solver.photo.refit import marked_points
from solver.photo.sighting import NAMES, SeenPoint, Sighting

CAMERA = PinholeCamera(np.float32([0.3, 1.0, 3.6]), np.eye(3, dtype=np.float32), 600.0, (400.0, 300.0), (800, 600))
LIMB_MARKS = {11: "shoulder", 13: "elbow", 15: "wrist", 23: "hip", 25: "knee", 27: "ankle"}


def put_before_green(editor: Editor, folder: Path, camera: PinholeCamera) -> None:
    """Put a plain green picture behind the scene, as the camera (800 x 600 pixels) saw it."""
    path = folder / "green.png"
    Image.new("RGB", (800, 600), (20, 160, 60)).save(path)
    editor.session.edit("Photo", edits.set_photo(Photo(str(path), load_image(path).sha256, camera)))


def ear_and_nose(person: Character, camera: PinholeCamera) -> np.ndarray:
    """(2, 2) pixels of the photo: the outermost place of the left ear's skin, and the nose's tip."""
    body = body_of(person)
    rest = body.vertices(person.shape)
    head = np.flatnonzero(body.weights.argmax(axis=1) == SMPL_JOINTS.index("head"))
    only = head[[rest[head, 0].argmax(), rest[head, 2].argmax()]].astype(np.int32)
    return camera.project(posed_vertices(body, person.shape, person.pose, only=only))


def depths(editor: Editor) -> dict[int, float]:
    """How much farther than the hips the joints of the limbs are, metres, by BlazePose's numbers."""
    hips = (place_of(editor, "left_hip") + place_of(editor, "right_hip")) / 2
    sight = (hips - CAMERA.position) / np.linalg.norm(hips - CAMERA.position)
    return {
        mark + right: float((place_of(editor, f"{side}_{part}") - hips) @ sight)
        for mark, part in LIMB_MARKS.items()
        for right, side in enumerate(("left", "right"))
    }


def see(editor: Editor, **changed: SeenPoint) -> None:
    """Networks saw the active person exactly as it is and surely, but for these points."""
    person, deep = active(editor), depths(editor)
    marks = marked_points(body_of(person), person.shape, person.pose, CAMERA, by_networks=True)
    at = dict(zip(marks.landmark.tolist(), marks.pixels, strict=True))
    points = tuple(
        changed.get(name)
        or SeenPoint(name, (float(at[mark][0]), float(at[mark][1])), 1.0, deep.get(mark, 0.0), 2.0, 0.01)
        for mark, name in NAMES.items()
    )
    photo = editor.session.document.photo
    assert photo is not None
    sighting = Sighting(photo.sha256, points)
    character = replace(active(editor), sighting=sighting)
    editor.session.edit("Seen", lambda document: document.with_character(character))


def seen(editor: Editor, name: str) -> SeenPoint:
    sighting = active(editor).sighting
    assert sighting is not None
    return next(point for point in sighting.points if point.name == name)


def label(editor: Editor) -> str:
    return " ".join(each.text() for each in editor.viewport.findChildren(HoverLabel) if each.isVisible())


def middle(points: PhotoPoints, mark: int) -> QPointF:
    at = points.at(mark)
    assert at is not None
    return at


def corner(editor: Editor, x: float, y: float) -> QPoint:
    """Where a pixel of the photo is in the view."""
    camera = editor.viewport.camera
    assert isinstance(camera, PhotoView)
    left, top, scale = camera.image_rect(editor.viewport.width(), editor.viewport.height())
    return QPoint(round(left + scale * x), round(top + scale * y))
