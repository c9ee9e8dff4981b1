"""How a hand lies on its owner's own skin: on what stands out under the whole hand, not only under the palm's middle.

A palm on a breastbone would turn to the bone, and have its fingers within the breast. So the plane of the hand that
touches is raised and tilted as little as brings all of the hand out of the skin beneath. As for knees, it is the
contact's patch that moves, with the way that the hand points.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape, mean_shape
from solver.body.hands import Hands, skin_with
from solver.contact.patch_table import PATCH_ROWS
from solver.contact.patches import BORNE, Patch, patches_named
from solver.contact.skins import skin
from solver.contact.vertices import touchable_vertices
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.skin import Skin
from solver.effectors.sources import SkinSource
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import rotation_between
from solver.memoise import memoised
from solver.rig.rig import Rig
from solver.rig.roles import ARMS, Limb, Role
from solver.values import changed

Array = NDArray[np.float64]
HANDS = {row.name: arm for arm in ARMS for row in PATCH_ROWS.values() if row.joint == arm.end and row.flat}
REACH = 0.14  # metres from where a hand lies within which skin may be beneath it
CELL = 0.01  # metres apart, of the points that stand for a hand's skin
NEXT = 0.015  # metres beside a point of the hand, at most, of the skin beneath it
CLOSE = 0.006  # likewise of skin that is under the point itself, of which the highest counts
GIVES = 0.003  # metres that flesh yields
STEEP = 0.25  # of skin's normal along the surface's: what is steeper is beside the hand
HIGH = 0.07  # metres above where it lies: what is higher is beside the hand, as a chin is
MOST = 0.04  # metres at most that a hand is raised
STEEPEST, STEPS, ROUNDS = 0.6, 7, 4  # slope of a hand against the skin at most; of the search for it
WAYS = np.stack(np.meshgrid(*[np.linspace(-1.0, 1.0, STEPS)] * 2), axis=-1).reshape(-1, 2)
LEVEL = 0.03  # metres that a slope of 1 is worth
SAME, SAME_WAY = 3e-3, 0.05  # metres and radians that a patch may be off before it is moved, so that hands rest


class _Near(NamedTuple):
    """Skin about a place. which: (N,) vertices. weights: (N, J) of theirs. normals: (N, 3), at rest."""

    which: NDArray[np.intp]
    weights: Array
    normals: Array


def with_hands_laid(
    effectors: tuple[Effector, ...], owner: str, body: Body, shape: BodyShape, hands: Hands | None, pose: Pose
) -> tuple[Effector, ...]:
    """The effectors, contacts of a person's hands on that person's trunk, head and legs with their patches where the
    pose has them lie; the same tuple if none has to move.

    owner: the person's id.
    """
    found = list(effectors)
    for number, hand in enumerate(effectors):
        source = _own_skin(hand, owner)
        if source is None or not isinstance(hand, Contact):
            continue
        patch = patches_named(body, shape, hands, [hand.patch]).get(hand.patch)
        if patch is None or patch.joint != hand.joint:
            continue
        offset, normal = _laid(source, patch, body, shape, hands, pose)
        if np.abs(offset - hand.offset).max() > SAME or np.abs(normal - hand.normal).max() > SAME_WAY:
            found[number] = changed(hand, offset=offset.astype(np.float32), normal=normal.astype(np.float32))
    return effectors if all(a is b for a, b in zip(found, effectors, strict=True)) else tuple(found)


def _own_skin(effector: Effector, owner: str) -> SkinSource | None:
    """Where a hand lies flat on its owner's own skin; None for any other effector, and on a patch: what is off the skin
    is on a plane over it already."""
    if not (isinstance(effector, Contact) and effector.is_active and effector.patch in HANDS and effector.lies_flat):
        return None
    source = effector.source
    return source if isinstance(source, SkinSource) and source.character == owner and not source.lift else None


@memoised(8, by_identity=True)  # a solve asks twice about the pose that it starts from
def _laid(
    source: SkinSource, patch: Patch, body: Body, shape: BodyShape, hands: Hands | None, pose: Pose
) -> tuple[Array, Array]:
    """(3,) metres, the middle of a hand's patch in its joint's frame as it comes to lie, and (3,) its normal there."""
    middle, normal = patch.middle.astype(np.float64), patch.normal.astype(np.float64)
    rig, touched = body.rig(shape), skin(body, shape, hands)
    arm = HANDS[patch.name]
    if not touched.has_triangle(source.triangle):
        return middle, normal
    if touched.carrier(source.triangle, source.shares) in _joints(rig, (*arm.joints, *_forearms())):
        return middle, normal
    world = forward_kinematics(rig, pose)
    place, up = touched.point_at(source.triangle, source.shares, world)
    turn = world.rotations[rig.index(patch.joint)].astype(np.float64)
    turn = rotation_between(turn @ normal, -up) @ turn
    points, axes = _underside(body, shape, hands, patch)
    along = turn @ axes  # to the sides, as columns
    skin_at, outward = _posed(_near(body, touched, source.triangle, arm), touched, world)
    seen, facing = skin_at - place, outward @ up
    height = seen @ up
    beneath = (facing > STEEP) & (height < HIGH)
    if not beneath.any():
        return middle, normal
    flat, height, facing, leans = (seen @ along)[beneath], height[beneath], facing[beneath], (outward @ along)[beneath]
    # A table of distances is quicker than a tree of so few; an ear's rim counts, not the hollow beside it.
    away = (points[:, :2] ** 2).sum(axis=1)[:, None] + (flat**2).sum(axis=1) - 2.0 * points[:, :2] @ flat.T
    at, top = away.argmin(axis=1), np.where(away < CLOSE**2, height, -np.inf).max(axis=1)
    aside = points[:, :2] - flat[at]
    rises = -(aside * leans[at]).sum(axis=1) / np.maximum(facing[at], STEEP)
    over = (aside**2).sum(axis=1) < NEXT**2
    points, depth = points[over], (np.maximum(height[at] + rises, top) - points[:, 2] - GIVES)[over]
    slopes, lift = _least_raised(points[:, :2], depth)
    if lift == 0.0 and not slopes.any():
        return middle, normal
    tilted = normal - axes @ slopes
    tilted /= np.linalg.norm(tilted)
    return middle + lift * tilted, tilted


def _least_raised(beside: Array, depth: Array) -> tuple[Array, float]:
    """The slopes (2,) and the lift, metres, of a hand by which the deepest of its points comes out, with the least of
    both. beside: (N, 2) metres, where its points are. depth: (N,) metres."""
    best, span = np.zeros(2), STEEPEST
    if not len(depth) or depth.max() <= 0.0:
        return best, 0.0
    for _ in range(ROUNDS):
        slopes = np.clip(best + span * WAYS, -STEEPEST, STEEPEST)
        lifts = np.maximum((depth - slopes @ beside.T).max(axis=1), 0.0)
        best = slopes[(lifts + LEVEL * (slopes**2).sum(axis=1)).argmin()]
        span *= 2.5 / (STEPS - 1)
    return best, min(max(float((depth - beside @ best).max()), 0.0), MOST)


@memoised(16, by_identity=True)
def _underside(body: Body, shape: BodyShape, hands: Hands | None, patch: Patch) -> tuple[Array, Array]:
    """(N, 3) metres, the lowest points of a patch's hand from its middle: to two sides, and up off the surface.

    Also (3, 2), these sides in the joint's frame.
    """
    rig, normal = body.rig(shape), patch.normal.astype(np.float64)
    arm = HANDS[patch.name]
    own = body.weights[:, _joints(rig, (arm.end, arm.tip))].sum(axis=1) > BORNE
    skin_of = skin_with(body, shape, hands)[own] - rig.rest_positions[rig.index(patch.joint)] - patch.middle
    side = np.cross(normal, np.eye(3)[np.abs(normal).argmin()])
    side /= np.linalg.norm(side)
    axes = np.stack([side, np.cross(normal, side)], axis=1)
    points = np.column_stack([skin_of @ axes, -(skin_of @ normal)]).astype(np.float64)
    points = points[np.argsort(points[:, 2])]
    cells = np.floor(points[:, :2] / CELL).astype(np.int64)
    lowest = np.unique(cells, axis=0, return_index=True)[1]
    return points[lowest], axes


def _joints(rig: Rig, roles: Iterable[Role]) -> list[int]:
    return [rig.index(name) for name in rig.names_of(roles)]


def _forearms() -> tuple[Role, ...]:
    """Of both arms, what is round and goes along with a hand that lies on it."""
    return tuple(role for arm in ARMS for role in (arm.hinge, arm.end, arm.tip))


@memoised()
def _outside(body: Body, hand: Limb) -> NDArray[np.intp]:
    """(N,) the vertices that can be met from outside, and are neither of the hand's arm nor of a forearm."""
    arms = _joints(body.rig(mean_shape(body)), (*hand.joints, *_forearms()))
    return np.flatnonzero(touchable_vertices(body) & ~np.isin(body.weights.argmax(axis=1), arms))


@memoised(64)
def _near(body: Body, touched: Skin, triangle: int, hand: Limb) -> _Near:
    """The skin about a triangle that a hand there may come onto."""
    middle = touched.vertices[touched.faces[triangle]].mean(axis=0)
    outside = _outside(body, hand)
    seen = touched.vertices[outside] - middle
    which = outside[np.einsum("va,va->v", seen, seen) < REACH**2]
    return _Near(which, touched.weights[which].astype(np.float64), touched.normals[which].astype(np.float64))


def _posed(near: _Near, touched: Skin, world: WorldJoints) -> tuple[Array, Array]:
    """(N, 3) metres, where skin is in the world, and (N, 3), its normals."""
    turns = world.rotations.astype(np.float64)
    shifts = world.positions - np.einsum("jab,jb->ja", turns, touched.joints)
    matrices = np.concatenate([turns, shifts[:, :, None]], axis=2).reshape(len(turns), 12)
    blended = (near.weights @ matrices).reshape(-1, 3, 4)
    at = np.einsum("vab,vb->va", blended[:, :, :3], touched.at_rest(world)[near.which]) + blended[:, :, 3]
    return at, np.einsum("vab,vb->va", blended[:, :, :3], near.normals)
