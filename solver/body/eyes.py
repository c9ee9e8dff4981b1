"""Eyeballs in a body's sockets, and where they turn: further than the head, within the range of eyes.

They belong to the picture: no joint turns, and no pose, solver or file knows of them. Their places follow the shape as
the eyes' joints do, and their turn follows from where the head is and what it looks at.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from math import acos, atan2, cos, hypot, pi, radians, sin
from typing import cast

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.memoise import memoised
from solver.rig.roles import Role
from solver.values import ArrayValue, FloatArray, frozen_array, read_only

SIDE, UP, DOWN = radians(35), radians(18), radians(25)  # off the head's front; still lids would hide anything beyond
BEHIND = radians(150)  # off the front, beyond which they come back, as neither side is nearer
NEAREST = 0.25  # metres: nearer things are looked at as if they were this far away, so that eyes do not cross
FILLS = 1.08  # of the way to the nearest skin: the lids lie on the ball, and it reaches their corners

Array = NDArray[np.floating]
Triple = tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Eyes(ArrayValue):
    """A body's eyes at rest. places: (2, 3) metres, their middles, the left one first. radius: metres.

    head: index of the joint that carries them.
    """

    places: FloatArray
    radius: float
    head: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "places", frozen_array(self.places, (2, 3), "eyes"))

    def posed(self, head: Array, target: Iterable[float] | None) -> FloatArray:
        """(2, 3, 4) from a ball of radius 1 that looks along +Z to each eye in the world.

        head: (4, 4) from rest to the world, of the joint that carries them. target: three numbers, metres, what is
        looked at; None to look straight ahead.
        """
        at_rest = self._ahead
        if target is not None:
            at_rest = at_rest.copy()
            turns = [_level(*ahead) for ahead in self._aims(head.tolist(), target)]
            at_rest[:, :3, :3] = self.radius * np.array(turns)
        balls = np.asarray(head[:3], np.float32) @ at_rest
        read_only(balls)
        return balls

    @cached_property
    def _ahead(self) -> FloatArray:
        """(2, 4, 4) from a ball of radius 1 to each eye at rest, looking straight ahead."""
        at_rest = np.zeros((2, 4, 4), np.float32)
        at_rest[:, :3, :3] = self.radius * np.eye(3)
        at_rest[:, :3, 3], at_rest[:, 3, 3] = self.places, 1.0
        return at_rest

    @cached_property
    def _middle(self) -> tuple[Triple, Triple]:
        """Metres: the middle between both eyes at rest, and from there to the left one."""
        left, right = self.places.astype(np.float64)
        x, y, z = ((left + right) / 2).tolist()
        a, b, c = ((left - right) / 2).tolist()
        return (x, y, z), (a, b, c)

    def _aims(self, head: list[list[float]], target: Iterable[float]) -> tuple[Triple, Triple]:
        """Unit directions of both eyes, seen from the head: they meet where both can turn to. Numbers one by one, as
        this is done for each picture and arrays of three are slow."""
        (x, y, z), (a, b, c) = self._middle
        off = [goal - (row[0] * x + row[1] * y + row[2] * z + row[3]) for goal, row in zip(target, head, strict=False)]
        away = [head[0][i] * off[0] + head[1][i] * off[1] + head[2][i] * off[2] for i in range(3)]
        distance = hypot(*away)
        if distance < 1e-6:
            return (0.0, 0.0, 1.0), (0.0, 0.0, 1.0)
        p, q, r = (max(distance, NEAREST) * part for part in _turned_to(*away))
        return _turned_to(p - a, q - b, r - c), _turned_to(p + a, q + b, r + c)


def gaze(away: Array) -> NDArray[np.float64]:
    """(3,) the unit direction in which an eye looks for something in a direction (3,) seen from the head."""
    return np.array(_turned_to(*away.tolist()))


def _turned_to(x: float, y: float, z: float) -> Triple:
    """What `gaze` gives, number by number."""
    length, aside = hypot(x, y, z), hypot(x, y)
    angle, around = acos(min(max(z / length, -1.0), 1.0)), atan2(y, x) if aside > 1e-9 * length else 0.0
    most = 1.0 / hypot(cos(around) / SIDE, sin(around) / (UP if y > 0.0 else DOWN))
    turned = min(angle, most) * min(1.0, (pi - angle) / (pi - BEHIND))
    return sin(turned) * cos(around), sin(turned) * sin(around), cos(turned)


def eyes_of(body: Body, shape: BodyShape) -> Eyes | None:
    """The eyes of a body of that shape, the same object for the same shape; None without joints for them."""
    return _eyes_of(cast(Hashable, body), shape.betas.tobytes(), shape.gender)


@memoised(64)
def _eyes_of(body: Body, betas: bytes, gender: str) -> Eyes | None:
    shape = BodyShape(np.frombuffer(betas, np.float32), gender)
    rig = body.whole_rig(shape)
    head, left, right = (rig.find(role) for role in (Role.HEAD, Role.LEFT_EYE, Role.RIGHT_EYE))
    if head is None or left is None or right is None:
        return None
    places, skin = rig.rest_positions[[left, right]], body.vertices(shape)
    nearest = min(float(np.linalg.norm(skin - place, axis=1).min()) for place in places)
    return Eyes(places, FILLS * nearest, head)


def _level(x: float, y: float, z: float) -> tuple[Triple, Triple, Triple]:
    """Rows of the turn of an eye that looks along a unit direction, without rolling."""
    level = hypot(x, z)
    sx, sz = z / level, -x / level
    return (sx, y * sz, x), (0.0, level, y), (sz, -y * sx, z)  # aside, upwards, ahead
