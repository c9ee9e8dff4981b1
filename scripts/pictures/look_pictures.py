"""The manual's pictures of looks and lights."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPixmap

from app.document.model.figure import joints_of, skeleton_of
from rendering.camera.camera import OrbitCamera
from scripts.pictures.manual_studio import Picture, Studio, row, stacked
from scripts.rigs.volume_study import SHAPE, bent, picture
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.kept_volume import with_volume_kept
from solver.rig.roles import Role

CELL = (230, 320)  # pixels
LOOK_TITLES = {"clay": "Clay", "suit": "Suit", "flat": "Flat", "line": "Line", "silhouette": "Silhouette"}
LIGHT_TITLES = {"studio": "Studio light", "grey": "Grey light", "warm": "Warm light", "rim": "Rim light"}
JOINT_TITLES = {
    Role.LEFT_KNEE: "Knee", Role.LEFT_ELBOW: "Elbow", Role.LEFT_HIP: "Hip", Role.LEFT_SHOULDER: "Shoulder",
}  # fmt: skip
TRIM = 60  # pixels around a joint's picture
CAMERA = OrbitCamera((0.0, 0.95, 0.0), distance=4.0, yaw=0.45, pitch=0.12)


def looks(studio: Studio) -> QPixmap:
    """A reaching person in each of the looks."""
    return _each(studio, "look", LOOK_TITLES, "clay")


def lights(studio: Studio) -> QPixmap:
    """That person in clay, in each light set-up."""
    return _each(studio, "light_setup", LIGHT_TITLES, "studio")


def key_light(studio: Studio) -> QPixmap:
    """The ball in the view's corner, with light from the right."""
    _reaching(studio)
    studio.editor.settings.set(key_turn=62.0, key_height=24.0)
    studio.editor.actions["look.key_light"].trigger()
    studio.rest_pointer()
    picture = studio.screen(_lower_left(studio))
    studio.editor.actions["look.key_light"].trigger()
    studio.editor.settings.set(key_turn=-40.0, key_height=42.0)
    return picture


def intersections(studio: Studio) -> QPixmap:
    """A forearm inside the waist, tinted, in three looks."""
    studio.fresh()
    wrist = np.asarray(studio.effector(Role.LEFT_WRIST).target)
    waist = joints_of(studio.person).positions[skeleton_of(studio.person).index(Role.SPINE1)]
    studio.move(Role.LEFT_WRIST, waist + (0.06, -0.02, 0.05) - wrist)
    studio.session.set_view(handles=False, ghost=False, intersections=True)
    studio.session.select(studio.person.id)
    studio.look(target=(0.0, 1.0, 0.1), distance=2.6, yaw=-0.25, pitch=0.1)
    middle, cells = studio.area(studio.view).center(), []
    for id in ("clay", "suit", "flat"):
        studio.editor.settings.set(look=id)
        studio.rest_pointer()
        studio.until(lambda: any(figure.warned is not None for figure in studio.view.scene.figures))
        studio.settle()
        cells.append((LOOK_TITLES[id], studio.screen(QRect(middle.x() - 105, middle.y() - 130, 210, 260))))
    studio.editor.settings.set(look="clay")
    studio.session.set_view(handles=True, intersections=False)
    return row(cells)


def _each(studio: Studio, setting: str, titles: dict[str, str], first: str) -> QPixmap:
    _reaching(studio)
    cells = []
    for id, title in titles.items():
        studio.editor.settings.set(**{setting: id})
        pixels = studio.view.grab_scene(studio.view.scene.without_tools(), CAMERA, CELL, transparent=False)
        height, width = pixels.shape[:2]
        image = QImage(np.ascontiguousarray(pixels).data, width, height, QImage.Format.Format_RGBA8888).copy()
        cells.append((title, QPixmap.fromImage(image)))
    studio.editor.settings.set(**{setting: first})
    return row(cells)


def _reaching(studio: Studio) -> None:
    studio.fresh()
    studio.move(Role.LEFT_WRIST, (0.1, 0.5, 0.25))
    studio.move(Role.RIGHT_WRIST, (-0.05, 0.3, 0.3))
    studio.look(target=CAMERA.target, distance=CAMERA.distance, yaw=CAMERA.yaw, pitch=CAMERA.pitch)


def _lower_left(studio: Studio) -> QRect:
    area = studio.area(studio.view)
    height = min(area.height(), 480)
    return QRect(area.left(), area.bottom() - height + 1, min(area.width(), 480), height)


def volume(studio: Studio) -> QPixmap:
    """A knee, an elbow, a hip and a shoulder bent far, with plain skinning and with their volume kept."""
    body, cells = load_body(DEFAULT_BODY), []
    plain = body.vertices(SHAPE)
    for role, title in JOINT_TITLES.items():
        pose = bent(body, role, 120)
        for how, skin in (("plain", plain), ("kept", with_volume_kept(body, SHAPE, pose, plain))):
            drawn = np.ascontiguousarray(picture(body, role, pose, skin)[TRIM:-TRIM, TRIM:-TRIM])
            image = QImage(drawn.data, drawn.shape[1], drawn.shape[0], QImage.Format.Format_RGBA8888).copy()
            cells.append((f"{title}, {how}", QPixmap.fromImage(image)))
    return stacked([row(cells[:4]), row(cells[4:])])


LOOK_PICTURES: dict[str, Picture] = {
    "looks": looks,
    "lights": lights,
    "key-light": key_light,
    "intersections": intersections,
    "kept-volume": volume,
}
