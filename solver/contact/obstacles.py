"""What a body may not pass through: itself, things in the world, other people."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.contact.floor_points import RAISED, RaisedRows, weakened_strength
from solver.contact.slide_kernels import OUTSIDE, TRIES, slide, way_out
from solver.contact.solid_body import SolidBody, carried_by, slid_feet
from solver.contact.solid_kernels import BALL, BOX, CYLINDER, GRID, REACHES, Near, Solids, find_near, new_near
from solver.contact.solids import Solid, SolidForm
from solver.contact.touching import NO_JOINTS, Touch, allow_depths
from solver.effectors.form_ids import POINT
from solver.effectors.residual_kernels import Rows
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised, memoised_on_value
from solver.values import changed

if TYPE_CHECKING:
    from solver.contact.distance_grid import DistanceGrid

Array = NDArray[np.float64]
FORMS = {SolidForm.BALL: BALL, SolidForm.BOX: BOX, SolidForm.CYLINDER: CYLINDER, SolidForm.GRID: GRID}
DEEP = 0.08  # metres below the surface; from there on a target asks as weakly as it can
STILL = 1e-5  # metres, or of a rotation's entries: more is a move, less is a placement's rounding
OTHER_SIDE = 0.1  # metres by which the far side of a body must be nearer for what is dragged through it to go there


@dataclass(frozen=True, eq=False)
class OtherBody:
    """Another person's solid body, posed. world: its joints, as the solver's skeleton has them."""

    body: SolidBody
    world: WorldJoints

    @cached_property
    def placed(self) -> Array:
        """(P, 4) centres in the world and radii, metres."""
        return self.body.placed(self.world)

    @cached_property
    def around(self) -> Array:
        """(K, 4) a ball around those of each of `body.filled`."""
        which = np.array(self.body.filled, np.int64)
        return carried_by(self.world, which, self.body.around[which])


@dataclass(frozen=True, eq=False)
class Obstacles:
    """What the balls of `body` may not enter; compared as such.

    avoids_itself: its own other parts as well. things: solids in the world. others: people in it. support_things,
    support_people: those that it lies on, where `touches` says. limbs: the only joints that are kept out of people;
    None for all. keeps_out: likewise the only ones that are kept out of what it lies on. shown: its joints as they are
    shown, if touches have depths. deeper: (P, J) metres by which each ball may be further within each joint's own balls
    than flesh yields; None for nowhere.
    """

    body: SolidBody
    avoids_itself: bool = True
    things: tuple[Solid, ...] = ()
    others: tuple[OtherBody, ...] = ()
    support_things: tuple[Solid, ...] = ()
    support_people: tuple[OtherBody, ...] = ()
    touches: tuple[Touch, ...] = ()
    limbs: frozenset[int] | None = None
    keeps_out: frozenset[int] | None = None
    shown: WorldJoints | None = None
    deeper: Array | None = None

    @property
    def has_surroundings(self) -> bool:
        """Whether anything stands around."""
        return bool(self.all_things or self._people)

    def leaving_out(self, itself: bool, around: bool) -> Obstacles:
        """Without the body itself, or without what is around it; unchanged if neither is left out."""
        if not (itself or around):
            return self
        kept = changed(self, avoids_itself=self.avoids_itself and not itself)
        return changed(kept.without_supports, things=(), others=()) if around else kept

    @cached_property
    def without_supports(self) -> Obstacles:
        """Without what it lies on; unchanged if that is nothing but the body."""
        if not (self.support_things or self.support_people):
            return self
        own = tuple(changed(touch, others=NO_JOINTS, things=NO_JOINTS) for touch in self.touches)
        return changed(self, support_things=(), support_people=(), touches=own, keeps_out=None)

    @cached_property
    def lying_limbs(self) -> frozenset[int]:
        """The joints of limbs that lie on things by a patch that is not turned to them, and so may come through."""
        return frozenset[int]().union(*(touch.skin for touch in self.touches if touch.things and not touch.flat))

    def without_supports_except(self, joints: frozenset[int]) -> Obstacles:
        """Without what it lies on, except for what these joints carry."""
        return (
            changed(self, keeps_out=joints)
            if joints and (self.support_things or self.support_people)
            else self.without_supports
        )

    @cached_property
    def with_soft_touches(self) -> Obstacles:
        """With what lies there allowed deeper than flesh yields; unchanged if it is already."""
        if not any(touch.firm and not touch.flat for touch in self.touches):
            return self
        return changed(self, touches=tuple(changed(touch, firm=False) for touch in self.touches))

    def with_support_people(self, held: Sequence[OtherBody]) -> Obstacles:
        """With the people that it lies on where they are now, in the same order."""
        return changed(self, support_people=tuple(held))

    def own_depths(self, world: WorldJoints) -> Array:
        """(P, J) metres that each ball is within each joint's balls of the same body, beyond what flesh yields."""
        near, depths = self.near(world), np.zeros(self.body.yields.shape)
        count = near.number[0]
        balls, carriers = near.pairs[:count, 0], near.pairs[:count, 3]
        own = carriers >= 0
        np.maximum.at(depths, (balls[own], carriers[own]), np.maximum(-near.gaps[:count][own], 0.0))
        return depths

    def is_placed_as(self, before: Obstacles) -> bool:
        """Whether all of it is the same and in the same place as before."""
        people = tuple(
            zip((*self.others, *self.support_people), (*before.others, *before.support_people), strict=False)
        )
        mine, theirs = (
            (
                o.body,
                o.avoids_itself,
                o.things,
                o.support_things,
                o.touches,
                o.limbs,
                o.keeps_out,
                len(o.others),
                len(o.support_people),
            )
            for o in (self, before)
        )
        same = mine == theirs and self.deeper is before.deeper
        return same and all(one.body is was.body and _together(one, was) for one, was in people)

    @cached_property
    def _people(self) -> tuple[OtherBody, ...]:
        return (*self.others, *self.support_people)

    @cached_property
    def all_things(self) -> tuple[Solid, ...]:
        """The solids in the world, with those that it lies on."""
        return (*self.things, *self.support_things)

    @cached_property
    def solids(self) -> Solids:
        """As kernels take them: the body's own parts, then people, then things."""
        body, things, people = self.body, self.all_things, self._people
        plan = _plan(
            body, self.avoids_itself, tuple(other.body for other in people), len(self.others),
            tuple(FORMS[thing.form] for thing in things), len(self.things), self.touches, self.limbs,
            self.keeps_out,
        )  # fmt: skip
        sizes, enclosing = np.zeros((len(plan.forms), 16)), np.zeros((len(plan.carriers), 4))
        grids = tuple(dict.fromkeys(thing.grid for thing in things if thing.grid is not None))
        balls = len(plan.forms) - len(things)
        sizes[:balls, :4] = np.concatenate([body.balls, *(other.placed for other in people)])
        enclosing[: len(enclosing) - len(things)] = np.concatenate([body.around, *(other.around for other in people)])
        for number, thing in enumerate(things):
            size, half = sizes[balls + number], thing.size.astype(np.float64) / 2.0
            size[:3] = thing.place
            if thing.form is SolidForm.BALL:
                size[3] = half[0]
            else:
                size[3:12], size[12:15] = thing.turn.ravel(), half
            if thing.grid is not None:
                size[15] = grids.index(thing.grid) * thing.grid.values.size
            enclosing[len(enclosing) - len(things) + number] = np.append(thing.place, np.linalg.norm(half))
        yields = plan.yields
        if self.deeper is not None:
            yields = yields.copy()
            own = yields[:, : self.deeper.shape[1]]
            own += np.where(own < 0.0, 0.0, self.deeper)
        return Solids(
            body.begin, body.plain, body.around, plan.first, plan.carriers, enclosing, plan.forms, sizes, yields,
            plan.meets, _one_after_another(grids),
        )  # fmt: skip

    def without(self, joints: Collection[int]) -> Solids:
        """As kernels take them, without what these joints, which cannot move, carry into each other or into things."""
        fixed = np.isin(self.body.joints, sorted(joints))
        yields = np.array(self.solids.yields)
        still = (self.solids.carriers < 0) | np.isin(self.solids.carriers, sorted(joints))
        yields[np.ix_(fixed, still)] = -1.0
        return self.solids._replace(yields=yields, meets=_meets(self.body, yields))

    def near(self, world: WorldJoints) -> Near:
        """The pairs no further apart than `REACHES`; joints as the solver's skeleton has them."""
        near = new_near(self.solids)
        places, turns = world.positions.astype(np.float64), world.rotations.astype(np.float64)
        find_near(self.solids, places, turns, REACHES, near)
        return near

    def least_gap(self, world: WorldJoints) -> float:
        """Metres between the nearest of the pairs, negative if they overlap; never more than how far is looked."""
        near = self.near(world)
        return float(near.gaps[: near.number[0]].min(initial=REACHES))

    def raised(
        self, rows: Rows, strengths: Array, skeleton: Skeleton, proposal: Pose, shown: bool = False
    ) -> RaisedRows:
        """Rows with places within trunk, head or something in the world brought out to the nearest place where the
        joint's flesh has room, and weakened the more they have to give way.

        Otherwise a trunk would make room for a hand that is put into it. What is to lie there stays. strengths: (E, 3).
        shown: the pose is that of a moment ago, from which joints slide there and stay on the side that they are on;
        feet slide along the other leg as well.
        """
        if self.keeps_out is not None:
            return self.without_supports.raised(rows, strengths, skeleton, proposal, shown)
        world = forward_kinematics(skeleton, proposal)
        within = self._within(rows, world)
        barred = slid_feet(self.body, rows, world) if shown and self.avoids_itself else []
        if not (within or barred):
            return RaisedRows(rows, strengths, ())
        balls = self._in_the_way(world)
        targets, weaker, which = rows.targets.copy(), strengths.copy(), []
        for e, place in barred:
            depth = float(np.linalg.norm(place - targets[e, 0]))
            which.append(e)
            targets[e, 0] = place
            if strengths[e, 0] > RAISED[0]:
                weaker[e] = weakened_strength(strengths[e], min(depth / DEEP, 1.0))
        for e, room in within:
            place = self._way_out(targets[e, 0], room, balls)
            if shown and np.linalg.norm(place - targets[e, 0]) > OUTSIDE:
                place = self._slid(_place_of(rows, e, world), targets[e, 0], room, balls, place)
            depth = float(np.linalg.norm(place - targets[e, 0]))
            if depth <= OUTSIDE:
                continue
            which.append(e)
            targets[e, 0] = place
            if strengths[e, 0] > RAISED[0]:
                weaker[e] = weakened_strength(strengths[e], min(depth / DEEP, 1.0))
        return (
            RaisedRows(rows._replace(targets=targets), weaker, tuple(which))
            if which
            else RaisedRows(rows, strengths, ())
        )

    def _within(self, rows: Rows, world: WorldJoints) -> list[tuple[int, float]]:
        """The rows whose places may be within what is in the way, and the room in metres that each joint needs."""
        asked = np.flatnonzero((rows.kinds == POINT) & self.body.outer[rows.joints])
        if not len(asked):
            return []
        joints, places, off_joint = rows.joints[asked], rows.targets[asked, 0], rows.targets[asked, 1].any(axis=1)
        rooms = np.where(off_joint, 0.0, self.body.flesh[joints])
        near = self._are_near(places, rooms, self._around(world))
        if self.touches:
            touching = {touch.joint for touch in self.touches}
            deep = {touch.joint for touch in self.touches if touch.depths}
            near &= [
                not (j in deep or (off and j in touching)) for j, off in zip(joints.tolist(), off_joint, strict=True)
            ]
        return list(zip(asked[near].tolist(), rooms[near].tolist(), strict=True))

    def _around(self, world: WorldJoints) -> Array:
        """(K, 4) balls around the people that are in the way, and around its own trunk."""
        own = [carried_by(world, *self.body.around_trunk)] if self.avoids_itself else []
        return np.concatenate([np.empty((0, 4)), *own, *(other.around for other in self._people)])

    def _are_near(self, places: Array, rooms: Array, spheres: Array) -> NDArray[np.bool_]:
        """(N,): whether spheres (K, 4), or things, are less than `rooms` (N,) metres off places (N, 3)."""
        off = spheres[:, :3] - places[:, None]
        near = ((off * off).sum(axis=2) < (spheres[:, 3] + rooms[:, None]) ** 2).any(axis=1)
        for one in self.all_things:
            near |= one.distances(places) < rooms
        return np.asarray(near)

    def _in_the_way(self, world: WorldJoints) -> Array:
        own = [carried_by(world, *self.body.trunk_balls)] if self.avoids_itself else []
        return np.concatenate([np.empty((0, 4)), *own, *(other.placed for other in self._people)])

    def _slid(self, start: Array, target: Array, room: float, balls: Array, nearest: Array) -> Array:
        """The place (3,) reached by sliding from `start` towards a target; `nearest` if that is much nearer to it."""
        place = start.copy()
        slide(place, target, balls, room)
        if self.all_things:
            place = self._way_out(place, room, balls)
        there, best = np.linalg.norm(place - target), np.linalg.norm(nearest - target)
        return place if there < best + OTHER_SIDE else nearest

    def _way_out(self, target: Array, room: float, balls: Array) -> Array:
        """The place (3,), more or less the nearest to a target, that is `room` metres off all that is in the way."""
        place = target.astype(np.float64)
        if not self.all_things:
            way_out(place, balls, room)
            return place
        middles, radii = np.ascontiguousarray(balls[:, :3]), balls[:, 3]
        for _ in range(TRIES):
            off = middles - place
            away = np.sqrt((off * off).sum(axis=1)) - radii
            gaps = [float(one.distances(place[None])[0]) for one in self.all_things]
            ball, thing = away.min(initial=np.inf), min(gaps, default=np.inf)
            if min(ball, thing) >= room - OUTSIDE:
                break
            if ball <= thing:
                middle = balls[int(away.argmin())]
                way = place - middle[:3]
                way = way / max(float(np.linalg.norm(way)), 1e-9)
                place = middle[:3] + way * (middle[3] + room)
            else:
                place = place + _slope(self.all_things[int(np.argmin(gaps))], place) * (room - thing)
        return place


def _place_of(rows: Rows, e: int, world: WorldJoints) -> Array:
    """(3,) where the pose has the point that a row asks a place for."""
    joint = int(rows.joints[e])
    way = world.rotations[joint].astype(np.float64) @ rows.targets[e, 1]
    return np.asarray(world.positions[joint].astype(np.float64) + way)


def _together(one: OtherBody, other: OtherBody) -> bool:
    """Whether two people stand at the same place in the same pose."""
    return all(np.abs(a - b).max() < STILL for a, b in zip(one.world[:2], other.world[:2], strict=True))


@memoised(4)
def _one_after_another(grids: tuple[DistanceGrid, ...]) -> NDArray[np.float32]:
    """(G,) the values of all grids."""
    return np.concatenate([np.empty(0, np.float32), *(grid.values.ravel() for grid in grids)])


class _Plan(NamedTuple):
    """The part of `Solids` that stays while people and things move."""

    first: NDArray[np.int64]
    carriers: NDArray[np.int64]
    forms: NDArray[np.int64]
    yields: Array
    meets: NDArray[np.bool_]


@memoised(32)
def _plan(
    body: SolidBody, itself: bool, people: tuple[SolidBody, ...], others: int, forms: tuple[int, ...], things: int,
    touches: tuple[Touch, ...], limbs: frozenset[int] | None, keeps_out: frozenset[int] | None,
) -> _Plan:  # fmt: skip
    """others, things: how many people and things come before those that the body lies on."""
    joints = body.yields.shape[1]
    parts = [len(one.filled) for one in people]
    counts = [*np.diff(body.begin).tolist(), *(n for one in people for n in np.diff(one.begin).tolist() if n)]
    counts += [1] * len(forms)
    own = body.yields if itself else np.full_like(body.yields, -1.0)
    leading = body.leading if limbs is None else body.leading & np.isin(body.joints, sorted(limbs))
    yields = np.concatenate(
        [own, np.repeat(np.where(leading, 0.0, -1.0)[:, None], sum(parts), axis=1),
         np.repeat(np.where(body.leading, 0.0, -1.0)[:, None], len(forms), axis=1)], axis=1,
    )  # fmt: skip
    held, rests = joints + sum(parts[:others]), joints + sum(parts) + things
    allow_depths(yields, body, touches, held, rests)
    if keeps_out is not None:
        passes = ~np.isin(body.joints, sorted(keeps_out))
        yields[passes, held : joints + sum(parts)] = yields[passes, rests:] = -1.0
    return _Plan(
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        np.concatenate([np.arange(joints), np.full(yields.shape[1] - joints, -1)]).astype(np.int64),
        np.concatenate([np.full(sum(counts) - len(forms), BALL), forms]).astype(np.int64),
        yields, _meets(body, yields),
    )  # fmt: skip


def _meets(body: SolidBody, yields: Array) -> NDArray[np.bool_]:
    meets = np.zeros((body.yields.shape[1], yields.shape[1]), bool)
    np.logical_or.at(meets, body.joints, yields >= 0.0)
    return meets


@memoised_on_value
def body_alone(body: SolidBody) -> Obstacles:
    """A body alone, which may not pass through itself; the same object for the same body."""
    return Obstacles(body)


def _slope(thing: Solid, place: Array) -> Array:
    """(3,) unit, where the distance to a solid grows."""
    step = 1e-5
    ahead = thing.distances(place + step * np.eye(3)) - thing.distances(place - step * np.eye(3))
    return np.asarray(ahead / max(float(np.linalg.norm(ahead)), 1e-12), np.float64)
