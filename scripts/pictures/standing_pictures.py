"""The pictures of how people stand and look: balance, feet that roll, and looks that go far."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRect
from PySide6.QtGui import QPixmap

from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from scripts.pictures.manual_studio import Picture, Studio, row
from solver.effectors.kinds import LookAt
from solver.ik.options import BALANCE, LEFT_FOOT
from solver.rig.roles import Role

CELL = (250, 400)  # logical pixels of one figure


def balance(studio: Studio) -> QPixmap:
    """A hand far ahead, with balance off, helped and strict."""
    return row([(title, _reaching(studio, value)) for value, title in BALANCE.choices])


def feet(studio: Studio) -> QPixmap:
    """The rear foot of a stride: free, flat, and left to itself."""
    shown = [(value, title) for value, title in LEFT_FOOT.choices if value in ("free", "flat", "auto")]
    return row([(title, _striding(studio, value)) for value, title in reversed(shown)])


def looks(studio: Studio) -> QPixmap:
    """Looks further and further round, and up."""
    ways = {"To the side": (1.6, 0.0, 0.4), "Over the shoulder": (1.2, 0.1, -1.2), "Straight up": (0.0, 1.5, 0.05)}
    return row([(title, _looking(studio, way)) for title, way in ways.items()])


def _reaching(studio: Studio, value: str) -> QPixmap:
    studio.fresh()
    studio.session.set_view(balance=True)
    studio.session.edit("Balance", edits.set_solver_option(studio.person.id, BALANCE.id, value))
    studio.look(target=(0.0, 0.78, 0.22), distance=6.2, yaw=-1.15, pitch=0.14)
    studio.move(Role.LEFT_WRIST, (-0.2, -0.1, 0.62))
    studio.session.select(studio.person.id)
    picture = _figure(studio)
    studio.session.set_view(balance=False)
    return picture


def _striding(studio: Studio, value: str) -> QPixmap:
    studio.fresh()
    studio.session.edit("Foot", edits.set_solver_option(studio.person.id, LEFT_FOOT.id, value))
    studio.look(target=(0.0, 0.42, -0.22), distance=4.6, yaw=1.3, pitch=0.1)
    studio.move(Role.LEFT_ANKLE, (0.0, 0.07, -0.5))
    studio.session.select(studio.person.id)
    return _figure(studio)


def _looking(studio: Studio, way: tuple[float, float, float]) -> QPixmap:
    studio.fresh()
    studio.look(target=(0.0, 1.2, 0.0), distance=4.4, yaw=0.75, pitch=0.06)
    head = joints_of(studio.person).positions[skeleton_of(studio.person).index(Role.HEAD)]
    look, id = studio.effector(Role.HEAD, LookAt.kind), studio.person.id
    studio.session.edit("Look", edits.set_target(id, look.id, head + np.asarray(way, np.float32)), solve=True)
    studio.settle()
    studio.session.select(id)
    return _figure(studio)


def _figure(studio: Studio) -> QPixmap:
    studio.rest_pointer()
    middle, (width, height) = studio.area(studio.view).center(), CELL
    return studio.screen(QRect(middle.x() - width // 2, middle.y() - height // 2, width, height))


STANDING_PICTURES: dict[str, Picture] = {"balance": balance, "feet": feet, "gaze": looks}
