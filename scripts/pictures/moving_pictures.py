"""The manual's pictures of moving: handles as a group and where they meet, several people, a typed number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest

from app.document import edits
from app.document.edits.props import new_prop
from scripts.pictures.manual_studio import LEFT, NO_KEYS, Picture, Studio, row
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.roles import Role


def group(studio: Studio) -> QPixmap:
    """Two wrists selected, with the gizmo in their middle."""
    studio.fresh()
    studio.look(target=(0.0, 0.95, 0.0), distance=3.6, yaw=0.45, pitch=0.16)
    ids = [studio.effector(joint).id for joint in (Role.LEFT_WRIST, Role.RIGHT_WRIST)]
    studio.session.select(studio.person.id, ids)
    studio.rest_pointer()
    return studio.screen(studio.area(studio.view).adjusted(40, 80, -40, -60))


def from_the_side(studio: Studio) -> QPixmap:
    """Both wrists and both ankles side by side, seen from the right; one of the ankles selected."""
    studio.fresh()
    studio.look(target=(0.0, 0.45, 0.0), distance=2.6, yaw=float(np.pi / 2), pitch=0.0, orthographic=True)
    whole = studio.screen(studio.area(studio.view).adjusted(90, 60, -90, -60))
    studio.session.select(studio.person.id, [studio.effector(Role.RIGHT_ANKLE).id])
    studio.rest_pointer()
    return row([("Both ankles", whole), ("The right one selected", studio.screen(
        studio.area(studio.view).adjusted(90, 60, -90, -60)))])  # fmt: skip


def several_people(studio: Studio) -> QPixmap:
    """Three people selected, each with a root handle."""
    studio.fresh()
    for _ in range(2):
        studio.editor.posing.add_person()
        studio.settle()
    studio.editor.actions["edit.select_people"].trigger()
    studio.look(target=(0.0, 0.8, 0.0), distance=7.4, yaw=0.35, pitch=0.22)
    studio.rest_pointer()
    return studio.screen(studio.area(studio.view).adjusted(60, 195, -50, -160))


def typed_number(studio: Studio) -> QPixmap:
    """In the middle of a drag along X by a typed number."""
    studio.fresh()
    studio.look(target=(0.1, 0.95, 0.0), distance=4.2, yaw=0.45, pitch=0.16)
    wrist = studio.place(Role.LEFT_WRIST)
    ways = [QPoint(4 * n, -4 * n) for n in range(1, 6)]
    studio.drag(studio.view, wrist, *ways, release=False)
    QTest.keyClicks(studio.view, "x25")
    picture = studio.screen(studio.area(studio.view).adjusted(0, 0, 0, -120))
    QTest.keyClick(studio.view, Qt.Key.Key_Escape)
    QTest.mouseRelease(studio.view, LEFT, NO_KEYS, wrist)
    return picture


def settled(studio: Studio) -> QPixmap:
    """Somebody tipped onto the left side, stiff and come to rest, and somebody come to rest across a bed."""
    shown: list[tuple[str, QPixmap]] = []
    studio.fresh()
    studio.session.edit("Tip", edits.tip_over((studio.person,), from_rotation_vector((0.0, 0.0, -np.pi / 2))))
    for title in ("As stiff as they stood", "Settled"):
        if shown:
            _come_to_rest(studio)
        shown.append((title, _lying(studio, (0.85, 0.12, 0.1))))
    studio.fresh()
    studio.session.edit("Tip", edits.tip_over((studio.person,), from_rotation_vector((-np.pi / 2, 0.0, 0.0))))
    x, _, z = studio.person.pose.root_position.tolist()
    bed = new_prop(studio.session.document, "box").sized((2.1, 0.4, 1.0))
    studio.session.edit("Bed", edits.add_prop(replace(bed, place=np.array([x, 0.0, z - 0.15], np.float32))))
    studio.session.select(studio.person.id)
    studio.editor.refresh()
    _come_to_rest(studio)
    shown.append(("On a bed", _lying(studio, (x, 0.25, z + 0.1))))
    return row(shown)


def _come_to_rest(studio: Studio) -> None:
    studio.editor.actions["pose.rest"].trigger()
    studio.until(lambda: not studio.editor.jobs.busy)


def _lying(studio: Studio, middle: tuple[float, float, float]) -> QPixmap:
    studio.settle()
    studio.look(target=middle, distance=5.9, yaw=0.35 if middle[2] > 0.0 else 1.0, pitch=0.4)
    studio.rest_pointer()
    return studio.screen(studio.area(studio.view).adjusted(193, 280, -193, -262))


MOVING_PICTURES: dict[str, Picture] = {
    "moving-group": group,
    "moving-side": from_the_side,
    "moving-people": several_people,
    "moving-number": typed_number,
    "moving-settled": settled,
}
