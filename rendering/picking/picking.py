"""What lies under a pixel: the gizmo's parts, handles, joints, bodies and props, without asking the GPU."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rendering.camera.camera import View
from rendering.picking.skin_picking import SkinHit, hit_skin
from rendering.scene.values import Figure, Gizmo, Handle, JointDots, Scene
from rendering.shapes.capsules import bone_capsules, bone_owners
from rendering.shapes.fanned_handles import fanned, middles
from rendering.shapes.gizmo import AXES, PLANES, RING, RINGS, TURNS, axis_visibility, outline
from rendering.shapes.root_handle import LIFT, inside, pick_root

if TYPE_CHECKING:
    from rendering.scene.props import DrawnProp

Array = NDArray[np.float64]

HANDLE_RADIUS = 14.0  # logical pixels
MARK_RADIUS = 10.0  # as handles are drawn
JOINT_RADIUS = 11.0
DOT_RADIUS = 5.5  # as joints are drawn
LINE_RADIUS = 7.0
WIDE_RING, BAND = 13.2, 7.0  # of a handle around another one: its radius, and how far off a pixel on it counts
SAME = 3.0  # pixels within which the one nearer to the eye wins


@dataclass(frozen=True, eq=False)
class Hit:
    """What was found. depth: metres from the eye.

    id: the part's name for a gizmo, ("root", part) for the root handle, ("root", part, person) for that of another one,
    else the id in the scene. A finger is a figure about which the application knows more.
    place, joint: for a figure, where on it, (3,) metres, and the index of the joint that carries it there.
    """

    kind: Literal["gizmo", "handle", "joint", "figure", "root", "prop", "finger"]
    id: Hashable
    depth: float
    place: Array | None = None
    joint: int | None = None


def pick(view: View, scene: Scene, pixel: ArrayLike) -> Hit | None:
    """The topmost thing under a pixel: gizmo before handles before joints; then a body, a prop or the root handle on
    the floor, whichever is nearest. A joint's dot goes before a handle beside whose mark the pixel is."""
    mark = (
        pick_gizmo(view, scene.gizmo, pixel)
        or pick_handle(view, scene.handles, pixel, MARK_RADIUS)
        or pick_joint(view, scene.joints, pixel, DOT_RADIUS)
        or pick_handle(view, scene.handles, pixel)
        or pick_joint(view, scene.joints, pixel)
    )
    if mark is not None:
        return mark
    figure, root = pick_figure(view, scene.figures, pixel), _pick_roots(view, scene, pixel)
    found = [hit for hit in (figure, pick_prop(view, scene.props, pixel), root) if hit is not None]
    return min(found, key=lambda hit: hit.depth, default=None)


def _pick_roots(view: View, scene: Scene, pixel: ArrayLike) -> Hit | None:
    """The active person's root handle, else the nearest of the others'."""
    own = pick_root(view, scene.root, pixel)
    if own is not None:
        return Hit("root", ("root", own.part), own.depth - LIFT)
    found = [(id, hit) for id, root in scene.roots if (hit := pick_root(view, root, pixel)) is not None]
    id, nearest = min(found, key=lambda pair: pair[1].depth, default=(None, None))
    return None if nearest is None else Hit("root", ("root", nearest.part, id), nearest.depth - LIFT)


def pick_handle(view: View, handles: Sequence[Handle], pixel: ArrayLike, radius: float = HANDLE_RADIUS) -> Hit | None:
    """The handle that is drawn nearest to the pixel, within `radius` pixels."""
    rings = (middles(handles) != np.arange(len(handles))) | np.array([h.wide for h in handles], bool)
    return _nearest(view, "handle", [h.id for h in handles], fanned(view, handles), pixel, radius, rings)


def pick_aside(view: View, handles: Sequence[Handle], pixel: ArrayLike) -> Hit | None:
    """The handle whose mark is under the pixel, if it has stepped aside: a gizmo's arrow may pass there."""
    hit, places = pick_handle(view, handles, pixel, MARK_RADIUS), fanned(view, handles)
    aside = {h.id for h, place in zip(handles, places, strict=True) if (place != h.position).any()}
    return hit if hit is not None and hit.id in aside else None


def pick_joint(view: View, joints: JointDots, pixel: ArrayLike, radius: float = JOINT_RADIUS) -> Hit | None:
    """The joint nearest to the pixel, within `radius` pixels."""
    return _nearest(view, "joint", joints.ids, joints.positions, pixel, radius)


def _nearest(
    view: View,
    kind: Literal["handle", "joint"],
    ids: Sequence[Hashable],
    places: NDArray[np.floating],
    pixel: ArrayLike,
    radius: float,
    rings: NDArray[np.bool_] | bool = False,
) -> Hit | None:
    """rings: (N,), which are drawn around others, and so are pressed there."""
    if not ids:
        return None
    seen = view.project_with_depth(np.asarray(places, dtype=np.float64))
    away = np.linalg.norm(seen[:, :2] - np.asarray(pixel, dtype=np.float64), axis=1)
    away[~np.isfinite(away)] = np.inf
    away = np.where(rings, _to_band(away), away)
    if away.min() > radius:
        return None
    tied = np.flatnonzero(away <= away.min() + SAME)
    tied = tied[away[tied] <= radius]
    best = tied[np.lexsort((away[tied], np.round(seen[tied, 2], 3)))[0]]
    return Hit(kind, ids[best], float(seen[best, 2]))


def _to_band(away: Array) -> Array:
    """The distance that counts for a mark drawn only as a band around another one, from that to its middle; pixels."""
    beyond = away - WIDE_RING
    return BAND + np.maximum(5.0 * beyond, -2.0 * beyond)


def pick_gizmo(view: View, gizmo: Gizmo | None, pixel: ArrayLike) -> Hit | None:
    """The gizmo's part under the pixel."""
    if gizmo is None:
        return None
    centre, p = view.project_with_depth(gizmo.position), np.asarray(pixel, dtype=np.float64)
    if not np.isfinite(centre).all():
        return None
    if gizmo.kind == "rotate":
        part = _rotate_part(view, gizmo, p, centre[:2])
    else:
        part = _move_part(view, gizmo, p, centre[:2])
    return Hit("gizmo", part, float(centre[2])) if part else None


def _move_part(view: View, gizmo: Gizmo, pixel: Array, centre: Array) -> str | None:
    if np.linalg.norm(pixel - centre) <= LINE_RADIUS + 4.0:
        return "view"
    for part in PLANES if gizmo.kind != "scale" else ():
        if axis_visibility(gizmo, part, view) > 0.3 and inside(view.project(outline(gizmo, part, view)[:4]), pixel):
            return part
    away = {
        part: _to_polyline(view.project(_longer(outline(gizmo, part, view))), pixel)
        for part in AXES
        if axis_visibility(gizmo, part, view) > 0.3
    }
    if gizmo.kind == "both":
        away |= _from_rings(view, gizmo, pixel, TURNS)
    part = min(away, key=lambda name: away[name], default="")
    return part if part and away[part] <= LINE_RADIUS else None


def _longer(shaft: Array) -> Array:
    """The line with the arrow's head, which can be grabbed too."""
    return np.array([shaft[0], shaft[1] + 0.2 * (shaft[1] - shaft[0])])


def _rotate_part(view: View, gizmo: Gizmo, pixel: Array, centre: Array) -> str | None:
    away = _from_rings(view, gizmo, pixel, RINGS)
    away["view"] = _to_polyline(view.project(outline(gizmo, "view", view)), pixel)
    part = min(away, key=lambda name: away[name])
    if away[part] <= LINE_RADIUS:
        return part
    return "ball" if np.linalg.norm(pixel - centre) < RING else None


def _from_rings(view: View, gizmo: Gizmo, pixel: Array, rings: tuple[str, ...]) -> dict[str, float]:
    """Pixels from the nearer half of each ring, the half that is not behind what it turns."""
    towards = view.camera.eye - np.asarray(gizmo.position)
    away: dict[str, float] = {}
    for part in rings:
        ring = outline(gizmo, part, view)
        near = (ring - gizmo.position) @ towards >= -0.05 * np.linalg.norm(towards) * np.linalg.norm(
            ring[0] - gizmo.position
        )
        points = view.project(ring)
        pieces = [points[i : i + 2] for i in range(len(points) - 1) if near[i] and near[i + 1]]
        if pieces:
            away[part] = min(_to_polyline(piece, pixel) for piece in pieces)
    return away


def _to_polyline(points: Array, pixel: Array) -> float:
    a, along = points[:-1], points[1:] - points[:-1]
    length2 = np.maximum((along**2).sum(axis=1), 1e-12)
    t = np.clip(((pixel - a) * along).sum(axis=1) / length2, 0.0, 1.0)
    away = np.linalg.norm(a + t[:, None] * along - pixel, axis=1)
    return float(np.where(np.isfinite(away), away, np.inf).min())


def pick_prop(view: View, props: Iterable[DrawnProp], pixel: ArrayLike) -> Hit | None:
    """The prop that the ray through the pixel meets first."""
    best: Hit | None = None
    for prop in props:
        from rendering.picking.prop_picking import hit_prop  # not loaded before there is one

        depth = hit_prop(*view.ray(pixel), prop)
        if depth is not None and (best is None or depth < best.depth):
            best = Hit("prop", prop.id, depth)
    return best


def pick_figure(view: View, figures: Iterable[Figure], pixel: ArrayLike) -> Hit | None:
    """The body, as drawn, that the ray through the pixel meets first; ghosts are ignored."""
    origin, direction = view.ray(pixel)
    best: Hit | None = None
    for figure in figures:
        if figure.ghost:
            continue
        bones_only = figure.show == "bones" or figure.mesh is None
        touched = (hit_bones if bones_only else hit_skin)(origin, direction, figure)
        if touched is not None and (best is None or touched.depth < best.depth):
            best = Hit("figure", figure.id, touched.depth, touched.place, touched.joint)
    return best


def hit_bones(origin: Array, direction: Array, figure: Figure) -> SkinHit | None:
    """The first of a skeleton's bones that the ray passes within a finger's breadth."""
    start, end, radius = bone_capsules(figure)
    owner = bone_owners(figure)
    depth = _ray_capsules(origin, direction, start, end, radius)
    if not len(depth) or not np.isfinite(depth.min()):
        return None
    first = int(np.argmin(depth))
    return SkinHit(float(depth[first]), origin + depth[first] * direction, owner[first])


def _ray_capsules(origin: Array, direction: Array, start: Array, end: Array, radius: Array) -> Array:
    """(N,) approximate distance along the ray to where it enters each capsule; inf for those it misses."""
    along, gap = end - start, start - origin
    aa, ad = (along**2).sum(axis=1), along @ direction
    gd, ga = gap @ direction, (gap * along).sum(axis=1)
    spread = np.maximum(aa - ad * ad, 1e-12)
    t = np.clip((gd * ad - ga) / spread, 0.0, 1.0)
    near = start + t[:, None] * along
    ahead = (near - origin) @ direction
    away = np.linalg.norm(near - origin - ahead[:, None] * direction, axis=1)
    hit = (away <= radius) & (ahead > 0)
    return np.where(hit, ahead - np.sqrt(np.maximum(radius**2 - away**2, 0.0)), np.inf)
