"""The manual's pictures of props: somebody who sits at a table and holds a cup."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest

from app.document import edits
from scripts.pictures.manual_studio import LEFT, Picture, Studio
from scripts.pointer import move_held
from solver.rig.roles import Role

WOOD, CHINA = "#b5894f", "#e8e4da"


def table_and_cup(studio: Studio) -> QPixmap:
    """Somebody sits on a chair at a table, a hand around a cup that stands on it."""
    studio.fresh()
    who = studio.person.id
    _put(studio, "chair", (0.0, 0.0, -0.45), WOOD)
    chair = studio.session.document.props[-1]
    studio.session.select(who)
    studio.look(target=(0.0, 0.7, -0.2), distance=3.2, yaw=0.9, pitch=0.35)
    _dragged_onto(studio, Role.PELVIS, chair.frame.points((0.0, 0.5, 0.05)))
    _put(studio, "table", (0.0, 0.0, 0.35), WOOD)
    _put(studio, "cup", (-0.2, 0.74, 0.12), CHINA)
    cup = studio.session.document.props[-1]
    studio.session.select(who)
    studio.look(target=(-0.1, 0.9, 0.1), distance=2.2, yaw=-0.5, pitch=0.45)
    _dragged_onto(studio, Role.RIGHT_WRIST, cup.middle)
    studio.session.select(who)
    studio.session.set_view(handles=False)
    studio.look(target=(0.0, 0.62, 0.05), distance=4.6, yaw=-0.75, pitch=0.24)
    studio.rest_pointer()
    middle = studio.area(studio.view).center()
    picture = studio.screen(QRect(middle.x() - 270, middle.y() - 235, 560, 485))
    studio.session.set_view(handles=True)
    return picture


def _put(studio: Studio, kind: str, place: tuple[float, float, float], color: str) -> None:
    studio.editor.actions[f"prop.{kind}"].trigger()
    studio.settle()
    prop = replace(studio.session.document.props[-1], place=np.array(place, np.float32))
    studio.session.edit("Put", edits.chain(edits.put_prop(prop), edits.set_prop_color(prop.id, color)))
    studio.settle()


def _dragged_onto(studio: Studio, joint: str, place: np.ndarray) -> None:
    """Drag a joint with S held to where a place is seen."""
    start, end = studio.place(joint), studio.pixel(place)
    QTest.mousePress(studio.view, LEFT, pos=start)
    move_held(studio.view, start + QPoint(8, 8))
    QTest.keyPress(studio.view, Qt.Key.Key_S)
    move_held(studio.view, end)
    studio.solved()
    QTest.mouseRelease(studio.view, LEFT, pos=end)
    QTest.keyRelease(studio.view, Qt.Key.Key_S)
    studio.settle()


PROP_PICTURES: dict[str, Picture] = {"table-and-cup": table_and_cup}
