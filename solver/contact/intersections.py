"""Where skins pass through each other, through things or through the floor: measured on the surface itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from solver.body.body import Body, BodyShape, mean_shape
from solver.body.floor import posed_vertices
from solver.body.hands import Hands, skin_with
from solver.body.kept_volume import skin_for
from solver.contact.filling import normals_of
from solver.contact.solid_body import PRESSES, pairs_kept_apart, stances
from solver.contact.solids import Solid
from solver.contact.vertices import touchable_vertices
from solver.kinematics.pose import Pose
from solver.memoise import memoised
from solver.rig.roles import LIMBS, Limb

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
GIVES = 0.004  # metres that flesh yields
BELOW = 0.005  # metres that skin may be below the floor
FOLD = 0.2  # metres apart in the T-pose: skin of limb and trunk this close folds where they join, in armpit and groin
FURTHEST = 0.3  # metres: what is further from a surface is not within it
PUSHED = 0.02  # metres that a bend pushes skin at rest; with more, skin is deep in a fold
THICK = 0.03  # metres from a limb's surface from which a point may be beyond its end instead of in it
ALL = frozenset(range(len(LIMBS) + 1))  # groups of skin: trunk with head, and the limbs
STRAIGHT = 0.5  # how straight below the nearest vertex a point must be: beside a fold it is not within the skin


@dataclass(frozen=True)
class Skinned:
    """A person as posed; the fingers are at rest if `hands` is None."""

    body: Body
    shape: BodyShape
    pose: Pose
    hands: Hands | None = None


@dataclass(frozen=True, eq=False)
class _Surface:
    """A skin in the world. groups: for trunk with head and for each limb, the vertices that can be met from outside,
    with a tree of their places. depths: (V,) metres, filled in as intersections are found."""

    body: Body
    skin: Array
    normals: Array
    groups: tuple[tuple[Indices, cKDTree], ...]
    depths: Array


class Meeting(NamedTuple):
    """Where skin of one person is within skin of another one or of their own: K vertices each.

    inner: those of the person whose number is `of` that are within. outer: the nearest of the person whose number is
    `owner`. depths: (K,) metres along the outer one's normal; of somebody's own skin those beyond what is so at rest.
    """

    of: int
    inner: Indices
    owner: int
    outer: Indices
    depths: Array


class Met(NamedTuple):
    """People's skins in the world, (V, 3) metres each, their outward normals, (V, 3) each, and where they meet."""

    skins: tuple[Array, ...]
    normals: tuple[Array, ...]
    meetings: tuple[Meeting, ...]


def meetings(one: Skinned, limbs: Collection[Limb], others: Sequence[Skinned] = ()) -> Met:
    """Where somebody's limbs pass through the rest of their skin and that of others, either in the other.

    What counts is as for `intersections`. Of the people it tells of, `one` is the first.
    """
    people = (one, *others)
    surfaces = [_surface(each) for each in people]
    found = tuple(_meetings(people, surfaces, frozenset(LIMBS.index(limb) + 1 for limb in limbs)))
    return Met(tuple(each.skin for each in surfaces), tuple(each.normals for each in surfaces), found)


def intersections(
    people: Sequence[Skinned], things: Sequence[Solid] = (), *, floor: bool = True
) -> tuple[tuple[Array, Array], ...]:
    """For each person the skin in the world (V, 3) and the depths of its intersections (V,), both in metres.

    A vertex's depth is how far it is within another part of the body, another person, a thing, or the floor; if it lies
    within skin, the nearest vertex of that skin gets the same depth. 0 elsewhere. What overlaps in the T-pose or with
    the arms down does not count. Raises InputRefused if the embedded body's contact vertices cannot be read.
    """
    surfaces = [_surface(one) for one in people]
    for of, inner, owner, outer, depth in _meetings(people, surfaces):
        np.maximum.at(surfaces[of].depths, inner, depth)
        np.maximum.at(surfaces[owner].depths, outer, depth)
    for surface in surfaces:
        for thing in things:
            np.maximum(surface.depths, _deeper(-thing.distances(surface.skin), GIVES), out=surface.depths)
        if floor:
            np.maximum(surface.depths, _deeper(-surface.skin[:, 1], BELOW), out=surface.depths)
    return tuple((surface.skin, surface.depths) for surface in surfaces)


def is_surrounded(point: Array, skin: Array, faces: NDArray[np.integer]) -> bool:
    """Whether faces (F, 3) of a skin (V, 3) surround a point (3,) on more than half of all sides, as seen from it:
    the generalized winding number, which holes change little."""
    to = (skin - point).T
    to = to / np.maximum(np.sqrt(np.einsum("iv,iv->v", to, to)), 1e-12)
    # axis by axis: a third of the time that products of rows of three take
    (ax, bx, cx), (ay, by, cy), (az, bz, cz) = (along[faces.T] for along in to)
    volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    ab, bc, ca = ax * bx + ay * by + az * bz, bx * cx + by * cy + bz * cz, cx * ax + cy * ay + cz * az
    return bool(np.arctan2(volume, 1.0 + ab + bc + ca).sum() > np.pi)  # of 2π: each is half a solid angle


def _meetings(
    people: Sequence[Skinned], surfaces: Sequence[_Surface], limbs: frozenset[int] | None = None
) -> Iterator[Meeting]:
    """limbs: groups of the first one's skin of which alone it is asked what they are in and what is in them."""
    for i, (one, surface) in enumerate(zip(people, surfaces, strict=True)):
        if limbs is None or i == 0:
            fingers = None if one.hands is None else one.hands.rotations.tobytes()
            asked = ALL if limbs is None else limbs
            resting = _at_rest(one.body, one.shape.betas.tobytes(), one.shape.gender, fingers, asked)
            for inner, outer, depth in _within_itself(surface, asked):
                yield _meeting_of(i, inner, i, outer, depth - resting[inner])
    for i, j in permutations(range(len(surfaces)), 2):
        points, groups = _used(surfaces[i].body), ALL
        if limbs is not None:
            if i and j:
                continue
            points = points if i else np.flatnonzero(np.isin(_carriers(surfaces[i].body)[1], list(limbs)))
            groups = ALL if j else limbs
        for inner, outer, depth in _within(surfaces[i], points, surfaces[j], sorted(groups)):
            yield _meeting_of(i, inner, j, outer, depth)


def _meeting_of(of: int, inner: Indices, owner: int, outer: Indices, depth: Array) -> Meeting:
    deep = depth > GIVES
    return Meeting(of, inner[deep], owner, outer[deep], depth[deep])


def _deeper(depth: Array, than: float) -> Array:
    return np.where(depth > than, depth, 0.0)


def _within_itself(surface: _Surface, asked: frozenset[int] = ALL) -> Iterator[tuple[Indices, Indices, Array]]:
    """As `_within`, of groups of a skin in others of which one or the other is asked for."""
    carrier, group = _carriers(surface.body)
    meets, rest = _meeting(surface.body), surface.body.vertices(mean_shape(surface.body))

    def counts(inner: Indices, outer: Indices) -> NDArray[np.bool_]:
        trunk = (group[inner] == 0) | (group[outer] == 0)
        folds = trunk & (np.linalg.norm(rest[inner] - rest[outer], axis=1) < FOLD)
        return np.asarray(meets[carrier[inner], carrier[outer]] & ~folds)

    for own in range(len(surface.groups)):
        others = [other for other in range(len(surface.groups)) if other != own and asked & {own, other}]
        points = np.flatnonzero(group == own)
        yield from _within(surface, points, surface, others, counts)


def _within(
    surface: _Surface,
    points: Indices,
    other: _Surface,
    groups: Iterable[int],
    counts: Callable[[Indices, Indices], NDArray[np.bool_]] = lambda inner, _outer: np.ones(len(inner), np.bool_),
) -> Iterator[tuple[Indices, Indices, Array]]:
    """Those of a skin's points that are within some parts of another, the vertices nearest to them, and how deep.

    counts: of points and the vertices nearest to them, which are looked at.
    What is ahead of a limb's open end, as before the chest, is behind the skin there, but not in the limb.
    """
    for number in groups:
        vertices, tree = other.groups[number]
        if not len(vertices):
            continue
        places = surface.skin[points]
        inside = ((places > tree.mins) & (places < tree.maxes)).all(axis=1)
        candidates = points[inside]
        if not len(candidates):
            continue
        away, at = tree.query(places[inside], distance_upper_bound=FURTHEST)
        near = np.isfinite(away)
        candidates, away, nearest = candidates[near], away[near], vertices[at[near]]
        height = ((surface.skin[candidates] - other.skin[nearest]) * other.normals[nearest]).sum(axis=1)
        below = np.flatnonzero(height < -STRAIGHT * away)
        below = below[counts(candidates[below], nearest[below])]
        candidates, nearest, away, height = candidates[below], nearest[below], away[below], height[below]
        found = np.ones(len(below), np.bool_)
        if number and len(far := np.flatnonzero(away > THICK)):
            used, faces = _part(other.body, number)
            part = other.skin[used]
            found[far] = [is_surrounded(point, part, faces) for point in surface.skin[candidates[far]]]
        yield candidates[found], nearest[found], -height[found]


def _surface(one: Skinned) -> _Surface:
    """The skin as it is drawn. Deep in a fold, where bends push it into itself, nothing can meet it from outside.
    Normals are those of plain skin."""
    body, shape = one.body, one.shape
    plain, kept = skin_with(body, shape, one.hands), skin_for(body, shape, one.hands, one.pose)
    posed = posed_vertices(body, shape, one.pose, rest=plain).astype(np.float64)
    normals, groups = normals_of(posed, body.faces), _groups(body)
    if kept is not plain:
        posed = posed_vertices(body, shape, one.pose, rest=kept).astype(np.float64)
        flat = np.linalg.norm(kept - plain, axis=1) < PUSHED
        groups = tuple(vertices[flat[vertices]] for vertices in groups)
    met = tuple((vertices, cKDTree(posed[vertices], compact_nodes=False, balanced_tree=False)) for vertices in groups)
    return _Surface(body, posed, normals, met, np.zeros(len(posed)))


@memoised(32)
def _at_rest(body: Body, betas: bytes, gender: str, fingers: bytes | None, asked: frozenset[int]) -> Array:
    """(V,) metres that each vertex may be within other parts: as when standing, and a little more as flesh presses."""
    shape = BodyShape(np.frombuffer(betas, np.float32), gender)
    hands = None if fingers is None else Hands(np.frombuffer(fingers, np.float32).reshape(-1, 3, 3))
    deepest = np.zeros(len(body.weights))
    for pose in stances(body.rig(shape)):
        for inner, outer, depth in _within_itself(_surface(Skinned(body, shape, pose, hands)), asked):
            np.maximum.at(deepest, inner, depth)
            np.maximum.at(deepest, outer, depth)
    return np.where(deepest > 0.0, deepest + PRESSES, 0.0)


@memoised()
def _carriers(body: Body) -> tuple[Indices, Indices]:
    """(V,) the joint that carries each vertex most, and the vertex's group: 0 for trunk and head, 1 to 4 in the order
    of LIMBS, -1 for a vertex of no face."""
    rig, carrier = body.rig(mean_shape(body)), body.weights.argmax(axis=1)
    of_joint = np.zeros(len(rig), np.int64)
    for number, limb in enumerate(LIMBS, 1):
        of_joint[[rig.index(role) for role in limb.joints if role in rig.roles]] = number
    group = np.full(len(carrier), -1)
    used = _used(body)
    group[used] = of_joint[carrier[used]]
    return carrier, group


@memoised(16)
def _part(body: Body, number: int) -> tuple[Indices, Indices]:
    """The vertices of a group's faces, and these faces (F, 3) by places among them."""
    faces = body.faces[(_carriers(body)[1][body.faces] == number).all(axis=1)]
    used, places = np.unique(faces, return_inverse=True)
    return used.astype(np.int64), places.reshape(faces.shape)


@memoised()
def _used(body: Body) -> Indices:
    return np.unique(body.faces).astype(np.int64)


@memoised()
def _meeting(body: Body) -> NDArray[np.bool_]:
    """(J, J) whether it counts when the skins of two joints meet: those of neighbours always do."""
    one_way = pairs_kept_apart(body.rig(mean_shape(body)))
    return np.asarray(one_way | one_way.T)


@memoised()
def _groups(body: Body) -> tuple[Indices, ...]:
    group, met = _carriers(body)[1], touchable_vertices(body)
    return tuple(np.flatnonzero((group == number) & met) for number in range(len(LIMBS) + 1))
