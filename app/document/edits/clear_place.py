"""Where somebody can stand: the place nearest to a wish where their body is in nobody else's and in no prop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character, Document
from app.document.model.prop import MESH, Prop
from app.document.posing.placing import ARM_SPAN, Place, moved, place_of, skin_of
from solver.contact.solids import Solid
from solver.memoise import memoised

CELL_M = 0.05  # of the floor, to tell bodies apart from above
AIR_CELLS = 2  # that stay free between two bodies
AIR_M = 0.03  # to a prop
UNDERFOOT_M, OVERHEAD_M = 0.06, 2.2  # metres: lower things are stepped on, higher ones are no obstacle
NEAR_M, NEAR_STEP_M, FAR_M, FAR_STEP_M = 2.0, 0.1, 20.0, 0.5  # how far and how finely places are tried
SKIN_STEP = 4  # every fourth vertex stands for the skin
FEW = 100  # points of the skin, to be looked at first
SPARSE, TOGETHER = 8, 256  # every eighth cell below a body comes first; how many ways are looked at together
SPLITS = 12  # of each side of a mesh's large triangles
ROW = 1 << 24  # cells in a row of the floor, more than anything is wide

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Taken:
    """What stands on the floor already. cells: numbers of those below bodies and meshes, ascending. solids: S of them.
    low, high: (S, 3) metres, the corners of boxes around them, wherever these come too near."""

    cells: NDArray[np.int64]
    solids: tuple[Solid, ...]
    low: Array
    high: Array

    def first_clear(self, skins: Sequence[Array], ways: Array) -> Array | None:
        """The first of the ways (W, 3), in whole cells over the floor, by which bodies that have these skins, (N, 3)
        metres, are moved together to where none is in anything; None if there is none.

        From above all ways are looked at together; then each body only meets the solids that are near it.
        """
        below, bodies = _cells(np.concatenate(skins)), [_Body.of(skin) for skin in skins]
        for start in range(0, len(ways), TOGETHER):
            some = ways[start : start + TOGETHER]
            for cells in (below[::SPARSE], below) if len(self.cells) else ():
                some = some[~self._hold_cells(cells, some)]
            near = [self._near(body, some) for body in bodies]
            for i, way in enumerate(some):
                meets = (self._hold(body, way, np.flatnonzero(n[i])) for body, n in zip(bodies, near, strict=True))
                if not any(meets):
                    return np.asarray(way)
        return None

    def _hold_cells(self, cells: NDArray[np.int64], ways: Array) -> NDArray[np.bool_]:
        """(W,) whether any of the cells, moved each way, is taken."""
        steps = np.rint(ways / CELL_M).astype(np.int64)
        numbers = (steps[:, 0] * ROW + steps[:, 2])[:, None] + cells
        at = np.minimum(np.searchsorted(self.cells, numbers), len(self.cells) - 1)
        return np.asarray((self.cells[at] == numbers).any(axis=1))

    def _near(self, body: _Body, ways: Array) -> NDArray[np.bool_]:
        """(W, S) whether the box around a body, moved each way, meets that of each solid."""
        if not self.solids or not len(body.skin):
            return np.zeros((len(ways), len(self.solids)), np.bool_)
        low, high = body.skin.min(axis=0) + ways[:, None], body.skin.max(axis=0) + ways[:, None]
        return np.asarray(((low < self.high) & (self.low < high)).all(axis=2))

    def _hold(self, body: _Body, way: Array, which: NDArray[np.intp]) -> bool:
        """Whether a body moved so is in one of some solids. In the midst of something large, few points tell."""
        return any(self._holds(which, points + way) for points in (body.few, body.skin))

    def _holds(self, which: NDArray[np.intp], points: Array) -> bool:
        within = (points[:, None] > self.low[which]) & (points[:, None] < self.high[which])
        close = np.asarray(within.all(axis=2))
        return any(
            float(self.solids[which[s]].distances(points[close[:, s]]).min()) < AIR_M
            for s in np.flatnonzero(close.any(axis=0))
        )


class _Body(NamedTuple):
    """The skin of a body above what one steps on, (N, 3) metres, and a few of its points."""

    skin: Array
    few: Array

    @classmethod
    def of(cls, skin: Array) -> _Body:
        above = skin[skin[:, 1] > UNDERFOOT_M]
        return cls(above, above[:: max(1, len(above) // FEW)])


def placed_clear(document: Document, character: Character, wish: Place) -> Character:
    """The whole character moved over the floor to where it is clear of everybody else and of all props, as near to the
    wish (x and z of its pelvis in metres) as possible."""
    x, z = place_of(character)
    shift = np.array([wish[0] - x, 0.0, wish[1] - z])
    way = _taken(document, character.id).first_clear([_skin(character) + shift], _ways(NEAR_M, FAR_M))
    if way is None:
        return moved(character, (_beyond(document, character.id) - x, 0.0, wish[1] - z))
    shift += way
    return moved(character, shift) if shift.any() else character


def clear_of_all(document: Document, people: Sequence[Character], shift: Array) -> Array:
    """The (3,) metres by which people who come to the document, at least one, are moved together, or the nearest to it
    over the floor by which none of them is in a prop or in anybody, as their bodies are; the same where there is no
    room for 20 m around.
    """
    way = _taken(document, "").first_clear([_skin(character) + shift for character in people], _ways(NEAR_M, FAR_M))
    return shift if way is None else shift + way


def clear_of(document: Document, people: Sequence[Character], ways: Array) -> Array:
    """(0 or 1, 3) metres, the first of the ways (W, 3) by which people, moved together, are in nobody and nothing of
    the document."""
    way = _taken(document, "").first_clear([_skin(character) for character in people], ways)
    return np.empty((0, 3)) if way is None else way[None]


def first_clear_way(document: Document, character: Character, ways: Array, below: float = np.inf) -> Array | None:
    """The first of the ways (W, 3), metres, by which the character in its base pose is in nobody and in no prop; None
    if there is none. below: metres above the floor; only skin that is lower counts."""
    skin = _skin(replace(character, pose=character.base_pose))
    return _taken(document, character.id).first_clear([skin[skin[:, 1] < below]], ways)


def _taken(document: Document, besides: str) -> _Taken:
    below = [_skin(other) for other in document.characters if other.id != besides]
    below += [_points(prop) for prop in document.props if prop.kind == MESH]
    large_first = sorted(document.props, key=lambda prop: float(prop.size.max()), reverse=True)
    solids = tuple(solid for prop in large_first for solid in prop.solids())
    half = np.array([np.abs(solid.turn) @ solid.size / 2.0 + AIR_M for solid in solids]).reshape(-1, 3)
    middle, taken = np.array([solid.place for solid in solids], np.float64).reshape(-1, 3), np.empty(0, np.int64)
    if below:
        cells, around = _cells(np.concatenate(below)), range(-AIR_CELLS, AIR_CELLS + 1)
        taken = np.unique(np.concatenate([cells + ROW * i + j for i in around for j in around]))
    return _Taken(taken, solids, middle - half, middle + half)


def _skin(character: Character) -> Array:
    return np.asarray(skin_of(character), np.float64)[::SKIN_STEP]


def _points(prop: Prop) -> Array:
    """(N, 3) metres, points of a mesh's surface where a body would meet it, close enough together to notice one."""
    triangles = prop.frame.points(prop.surface.vertices)[prop.surface.faces]
    long = np.linalg.norm(triangles - np.roll(triangles, 1, axis=1), axis=2).max(axis=1) > 2 * CELL_M
    steps = [(i, j) for i in range(SPLITS + 1) for j in range(SPLITS + 1 - i)]
    weights = np.array([(i, j, SPLITS - i - j) for i, j in steps]) / SPLITS
    points = np.concatenate([triangles.reshape(-1, 3), (weights @ triangles[long]).reshape(-1, 3)])
    return np.asarray(points[(points[:, 1] > UNDERFOOT_M) & (points[:, 1] < OVERHEAD_M)], np.float64)


def _cells(points: Array) -> NDArray[np.int64]:
    """(M,) the numbers of the floor's cells below the points (N, 3)."""
    at = np.floor(points[:, [0, 2]] / CELL_M).astype(np.int64)
    return np.unique(at[:, 0] * ROW + at[:, 1])


@memoised(2)
def _ways(near_m: float, far_m: float) -> Array:
    """(W, 3) metres, shifts over the floor, the shortest first, to the side before forwards and back."""
    rings = []
    for most, step, least in ((near_m, NEAR_STEP_M, 0.0), (far_m, FAR_STEP_M, near_m)):
        count = round(most / step)
        ways = [(step * i, 0.0, step * j) for i in range(-count, count + 1) for j in range(-count, count + 1)]
        ways.sort(key=lambda way: (way[0] ** 2 + way[2] ** 2, abs(way[2]), -way[0], -way[2]))
        rings += [way for way in ways if least <= float(np.hypot(way[0], way[2])) <= most]
    return np.array(rings)


def _beyond(document: Document, besides: str) -> float:
    """Metres along x beyond which there is nobody and nothing."""
    ends = [float(_skin(other)[:, 0].max()) for other in document.characters if other.id != besides]
    ends += [float(prop.corners[:, 0].max()) for prop in document.props]
    return max(ends, default=0.0) + ARM_SPAN
