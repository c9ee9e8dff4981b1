"""The manual's pictures of bodies by name and of their faces."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QImage, QPixmap

from app.document import edits
from app.document.model.figure import body_of, joints_of, skeleton_of
from rendering.camera.camera import OrbitCamera
from scripts.pictures.manual_studio import Picture, Studio, row, stacked
from solver.body.body import BodyShape
from solver.body.measures import stature
from solver.body.shape_presets import SHAPE_PRESETS
from solver.rig.roles import Role

BODY, FACE = (150, 285), (227, 230)  # pixels
STANDING = OrbitCamera((0.0, 0.88, 0.0), distance=4.1, yaw=0.35, pitch=0.06)
FACES = (
    ("Adult, female", "anny", "female"), ("Adult, male", "anny", "male"), ("Child", "anny:child", "female"),
    ("Elder, female", "anny:elder", "female"), ("Elder, male", "anny:elder", "male"), ("Chibi", "anny:chibi", "female"),
)  # fmt: skip
SHORT = {"Stylised, 8 heads": "8 heads", "Stylised, 6 heads": "6 heads", "Chibi, 3 heads": "Chibi"}


def bodies(studio: Studio) -> QPixmap:
    """All bodies that have a name, at one size, and six faces."""
    studio.fresh()
    everybody, faces = [], []
    for preset in SHAPE_PRESETS:
        shape = preset.shape(body_of(studio.person).component_names, "neutral")
        assert shape is not None
        _take(studio, preset.body, shape)
        everybody.append((SHORT.get(preset.name, preset.name), _drawn(studio, STANDING, BODY)))
    for title, body, gender in FACES:
        _take(studio, body, BodyShape(gender=gender))
        person = studio.person
        head = joints_of(person).positions[skeleton_of(person).index(Role.HEAD)]
        top = stature(body_of(person), person.shape)
        size = top - float(head[1])  # from the middle of the head's bone to the crown
        middle = (float(head[0]), float(head[1]) + 0.42 * size, float(head[2]))
        faces.append((title, _drawn(studio, OrbitCamera(middle, distance=3.5 * size, yaw=0.45, pitch=0.05), FACE)))
    return stacked([row(everybody), row(faces)])


def _take(studio: Studio, body: str, shape: BodyShape) -> None:
    studio.session.edit("Body", edits.set_body(studio.person.id, body, shape), solve=True)
    studio.settle()


def _drawn(studio: Studio, camera: OrbitCamera, size: tuple[int, int]) -> QPixmap:
    pixels = studio.view.grab_scene(studio.view.scene.without_tools(), camera, size, transparent=False)
    height, width = pixels.shape[:2]
    image = QImage(np.ascontiguousarray(pixels).data, width, height, QImage.Format.Format_RGBA8888).copy()
    return QPixmap.fromImage(image)


BODY_PICTURES: dict[str, Picture] = {"bodies": bodies}
