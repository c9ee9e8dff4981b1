"""Pictures of the user's own character for the manual."""

from __future__ import annotations

import tempfile
from pathlib import Path

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QPixmap

from scripts.pictures.manual_studio import Picture, Studio
from scripts.rigs.robot import robot_glb
from solver.rig.roles import Role

CUT, HEIGHT = 290, 600  # logical pixels


def own_skin(studio: Studio) -> QPixmap:
    """A robot that was opened from its file and posed by its hands, and the panel that says how it is drawn."""
    studio.fresh()
    settings = studio.editor.settings
    before = settings.values.look
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "robot.glb")
        path.write_bytes(robot_glb())
        studio.open(path)
    settings.set(look="suit")
    studio.look(target=(-0.3, 0.8, 0.14), distance=5.4, yaw=0.45, pitch=0.1)
    view = studio.view
    for joint, ways in (
        (Role.RIGHT_WRIST, [QPoint(4 * n, -17 * n) for n in range(1, 10)]),
        (Role.LEFT_WRIST, [QPoint(4 * n, -9 * n) for n in range(1, 10)]),
        (Role.RIGHT_ANKLE, [QPoint(-4 * n, -3 * n) for n in range(1, 11)]),
    ):
        studio.drag(view, studio.place(joint), *ways)
    panels = studio.editor.panels
    folded = [section for section in panels.right if section.is_open()]
    for section in folded:
        section.set_open(False)
    body = panels.section("Body")
    body.set_open(True)
    studio.rest_pointer()
    right, shown = studio.area(body), studio.area(view)
    picture = studio.screen(QRect(shown.left() + CUT, shown.top(), right.right() - shown.left() - CUT + 1, HEIGHT))
    settings.set(look=before)
    body.set_open(False)
    for section in folded:
        section.set_open(True)
    return picture


OWN_CHARACTER_PICTURES: dict[str, Picture] = {"own-skin": own_skin}
