"""Where somebody can stand: the place nearest to a wish where their body is in nobody else's and in no prop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character, Document
from app.document.model.prop import MESH, Prop
from app.document.posing.placing import ARM_SPAN, Place, moved, place_of
from app.document.posing.solving import body_of
from solver.body.floor import posed_vertices
from solver.contact.solids import Solid

CELL_M = 0.05  # of the floor, to tell bodies apart from above
AIR_CELLS = 2  # that stay free between two bodies
AIR_M = 0.03  # to a prop
UNDERFOOT_M, OVERHEAD_M = 0.06, 2.2  # metres: lower things are stepped on, higher ones are no obstacle
NEAR_M, NEAR_STEP_M, FAR_M, FAR_STEP_M = 2.0, 0.1, 20.0, 0.5  # how far and how finely places are tried
SKIN_STEP = 4  # every fourth vertex stands for the skin
FEW = 100  # points of the skin, to be looked at first
SPLITS = 12  # of each side of a mesh's large triangles
ROW = 1 << 24  # cells in a row of the floor, more than anything is wide

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Taken:
    """What stands on the floor already. cells: numbers of those below bodies and meshes. solids: the largest first."""

    cells: NDArray[np.int64]
    solids: tuple[Solid, ...]

    def meets(self, skin: Array) -> bool:
        """Whether a body with this skin, (N, 3) metres, is in something."""
        above = skin[skin[:, 1] > UNDERFOOT_M]
        if self._hold(above[:: max(1, len(above) // FEW)]):  # in the midst of something large few points tell
            return True
        if len(self.cells) and np.isin(_cells(skin), self.cells).any():
            return True
        return self._hold(above)

    def _hold(self, points: Array) -> bool:
        return any(float(solid.distances(points).min(initial=np.inf)) < AIR_M for solid in self.solids)


def placed_clear(document: Document, character: Character, wish: Place) -> Character:
    """The whole character moved over the floor to where it is clear of everybody else and of all props, as near to the
    wish (x and z of its pelvis in metres) as possible."""
    skin = _skin(character)
    x, z = place_of(character)
    taken = _taken(document, character.id)
    for way_x, way_z in _ways():
        shift = np.array([wish[0] - x + way_x, 0.0, wish[1] - z + way_z])
        if not taken.meets(skin + shift):
            return moved(character, shift) if shift.any() else character
    return moved(character, (_beyond(document, character.id) - x, 0.0, wish[1] - z))


def clear_of_props(document: Document, people: Sequence[Character], shift: Array) -> Array:
    """The (3,) metres by which people who come to the document, at least one, are moved together, or the nearest to it
    over the floor by which none of them is in a prop or in anybody; the same where there is no room for 20 m around.
    """
    skin = np.concatenate([_skin(character) for character in people]) + shift
    if not _taken(replace(document, actors=()), "").meets(skin):
        return shift
    taken = _taken(document, "")
    ways = (np.array([x, 0.0, z]) for x, z in _ways())
    return shift + next((way for way in ways if not taken.meets(skin + way)), np.zeros(3))


def _taken(document: Document, besides: str) -> _Taken:
    below = [_skin(other) for other in document.characters if other.id != besides]
    below += [_points(prop) for prop in document.props if prop.kind == MESH]
    large_first = sorted(document.props, key=lambda prop: float(prop.size.max()), reverse=True)
    solids = tuple(solid for prop in large_first for solid in prop.solids())
    if not below:
        return _Taken(np.empty(0, np.int64), solids)
    cells, around = _cells(np.concatenate(below)), range(-AIR_CELLS, AIR_CELLS + 1)
    return _Taken(np.unique(np.concatenate([cells + ROW * i + j for i in around for j in around])), solids)


def _skin(character: Character) -> Array:
    return np.asarray(posed_vertices(body_of(character), character.shape, character.pose), np.float64)[::SKIN_STEP]


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


def _ways() -> Iterator[Place]:
    """Shifts over the floor, the shortest first, to the side before forwards and back."""
    for most, step, least in ((NEAR_M, NEAR_STEP_M, 0.0), (FAR_M, FAR_STEP_M, NEAR_M)):
        count = round(most / step)
        ways = [(step * i, step * j) for i in range(-count, count + 1) for j in range(-count, count + 1)]
        ways.sort(key=lambda way: (way[0] ** 2 + way[1] ** 2, abs(way[1]), -way[0], -way[1]))
        yield from (way for way in ways if least <= float(np.hypot(*way)) <= most)


def _beyond(document: Document, besides: str) -> float:
    """Metres along x beyond which there is nobody and nothing."""
    ends = [float(_skin(other)[:, 0].max()) for other in document.characters if other.id != besides]
    ends += [float(prop.corners[:, 0].max()) for prop in document.props]
    return max(ends, default=0.0) + ARM_SPAN
