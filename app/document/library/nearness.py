"""How near people of a pose are to each other, and how far apart others of other builds have to be for the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character
from app.document.model.figure import body_of
from solver.body.body import Body, BodyShape, mean_shape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.floor import posed_vertices
from solver.errors import PoserError
from solver.formats.pose_json.pose_file import PosePerson
from solver.kinematics.pose import Pose
from solver.memoise import memoised
from solver.rig.rig import rig_of
from solver.rig.roles import HEAD_AND_NECK, TRUNK, Role

Array = NDArray[np.floating]
CELL = 0.025  # metres: how finely bodies are compared, seen along the way from one to the other
MEET = 0.02  # metres between trunks that touch
APART = 1e-3  # metres
IN_THE_AIR = 0.05  # metres above the floor from which somebody does not stand on it


def body_here(person: PosePerson) -> Body:
    """The body of somebody in a file; ours, as the nearest, where it is not available here."""
    try:
        return load_body(person.body)
    except PoserError:
        return load_body(DEFAULT_BODY)


def way_between(one: Pose, other: Pose) -> Array:
    """(3,) unit, along the floor from one person's root to the other's; zeros where they are above each other."""
    way = (other.root_position - one.root_position).astype(np.float64) * [1.0, 0.0, 1.0]
    length = float(np.linalg.norm(way))
    return way / length if length > APART else np.zeros(3)


def as_near(there: Sequence[PosePerson], here: Sequence[Character], missed: Array) -> Array:
    """(3,) metres, along the floor, that the second of two people has to move to be as near to the first as in a file.

    Who touches the other there with trunk or head does so here. Others go by what their hands miss each other,
    `missed`, (3,) metres, clear of each other. there, here: the two in the file, and in the same poses on their builds.
    """
    way = way_between(there[0].pose, there[1].pose)
    was = _gap(way, *((body_here(each), each.shape, each.pose) for each in there))
    gap = _gap(way, *((body_of(each), each.shape, each.pose) for each in here))
    if was < MEET and np.isfinite(gap):
        return (was - gap) * way
    return max(float(missed @ way), min(was, MEET) - gap) * way


def _gap(way: Array, one: tuple[Body, BodyShape, Pose], other: tuple[Body, BodyShape, Pose]) -> float:
    """Metres between trunks, or the trunk of one and the head of the other, along a way, (3,); negative where one is in
    the other, infinite where they pass each other."""
    if not way.any():
        return np.inf
    side = np.cross(way, [0.0, 1.0, 0.0])

    def seen(part: Array, sign: float) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The part's cells as seen along the way, and how far the nearest skin in each is."""
        cells = np.floor(np.stack([part @ side, part[:, 1]], axis=1) / CELL).astype(np.int64)
        keys, order = np.unique(cells @ [1 << 20, 1], return_inverse=True)
        depths = np.full(len(keys), np.inf)
        np.minimum.at(depths, order.ravel(), sign * (part @ way))
        return keys.astype(np.int64), depths

    def apart(mine: Array, theirs: Array) -> float:
        (near, ahead), (far, behind) = seen(mine, -1.0), seen(theirs, 1.0)
        _, i, j = np.intersect1d(near, far, return_indices=True)
        return float((behind[j] + ahead[i]).min(initial=np.inf))

    (trunk, head), (their_trunk, their_head) = _trunk_and_head(*one), _trunk_and_head(*other)
    return min(apart(trunk, their_trunk), apart(trunk, their_head), apart(head, their_trunk))


def _trunk_and_head(body: Body, shape: BodyShape, pose: Pose) -> Iterator[Array]:
    skin = posed_vertices(body, shape, pose)
    return (skin[vertices] for vertices in _vertices(body))


@memoised()
def _vertices(body: Body) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Those that follow the trunk most, and those that follow the head."""
    rig, carriers = rig_of(body.skeleton(mean_shape(body))), body.weights.argmax(axis=1)

    def of(roles: Sequence[Role]) -> NDArray[np.int64]:
        return np.flatnonzero(np.isin(carriers, [rig.joint(role) for role in roles]))

    return of(TRUNK), of(HEAD_AND_NECK)
