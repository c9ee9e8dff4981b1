"""What a body may not pass through: itself, things in the world, other people."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solver.contact.floor_points import RAISED, Raised, between
from solver.contact.solid_body import SolidBody, enclosing
from solver.contact.solid_kernels import BALL, BOX, CYLINDER, REACHES, Near, Solids, find_near, room_for_near
from solver.contact.solids import Solid, SolidForm
from solver.effectors.residual_kernels import Rows
from solver.effectors.rows import POINT
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.made_once import kept_within

Array = NDArray[np.float64]
FORMS = {SolidForm.BALL: BALL, SolidForm.BOX: BOX, SolidForm.CYLINDER: CYLINDER}
DEEP = 0.08  # metres below the surface, from which on a target there asks as weakly as it can
TRIES, OUTSIDE = 12, 1e-4  # to find a way out of several solids; metres that count as out


@dataclass(frozen=True, eq=False)
class Obstacles:
    """What the balls of `body` may not enter; compared as such.

    itself: its own other parts as well. things: solids in the world. others: (N, 4) centres in the world and radii,
    metres, of other people's balls, one array for each part of them.
    """

    body: SolidBody
    itself: bool = True
    things: tuple[Solid, ...] = ()
    others: tuple[Array, ...] = ()

    @property
    def surrounded(self) -> bool:
        """Whether anything stands around."""
        return bool(self.things or self.others)

    def less(self, itself: bool, around: bool) -> Obstacles:
        """Without the body itself, and without what is around it; itself where neither is left out."""
        if not (itself or around):
            return self
        things, others = ((), ()) if around else (self.things, self.others)
        return Obstacles(self.body, self.itself and not itself, things, others)

    @cached_property
    def solids(self) -> Solids:
        """As kernels take them; things and others behind the body's own parts."""
        return self._solids(self.body.yields if self.itself else np.full_like(self.body.yields, -1.0))

    def without(self, joints: Collection[int]) -> Solids:
        """As kernels take them, without what these joints, which cannot move, carry into each other or into things."""
        fixed = np.isin(self.body.joints, sorted(joints))
        yields = np.array(self.solids.yields)
        still = (self.solids.carriers < 0) | np.isin(self.solids.carriers, sorted(joints))
        yields[np.ix_(fixed, still)] = -1.0
        return self.solids._replace(yields=yields, meets=self._meets(yields))

    def near(self, world: WorldJoints, within: float = REACHES) -> Near:
        """The pairs that are no further apart than `within` metres; joints as the solver's skeleton has them."""
        near = room_for_near(self.solids)
        places, turns = world.positions.astype(np.float64), world.rotations.astype(np.float64)
        find_near(self.solids, places, turns, within, near)
        return near

    def least_gap(self, world: WorldJoints) -> float:
        """Metres between the two of the pairs that are nearest to each other, negative where they overlap; never more
        than what is looked at."""
        near = self.near(world)
        return float(near.gaps[: near.number[0]].min(initial=REACHES))

    def raised(self, rows: Rows, strengths: Array, skeleton: Skeleton, proposal: Pose) -> Raised:
        """Rows with places within trunk, head or something in the world brought out to the nearest place where the
        joint's flesh has room, and no stronger than suits what has to give way.

        A trunk would else make room for a hand that is put into it. strengths: (E, 3).
        """
        balls = self._in_the_way(skeleton, proposal)
        targets, weaker, which = rows.targets.copy(), strengths.copy(), []
        for e in np.flatnonzero((rows.kinds == POINT) & self._outer[rows.joints]).tolist():
            room = 0.0 if targets[e, 1].any() else self._flesh[rows.joints[e]]
            place = self._way_out(targets[e, 0], room, balls if self.itself else balls[:0])
            depth = float(np.linalg.norm(place - targets[e, 0]))
            if depth <= OUTSIDE:
                continue
            which.append(e)
            targets[e, 0] = place
            if strengths[e, 0] > RAISED[0]:
                weaker[e] = between(strengths[e], min(depth / DEEP, 1.0))
        return Raised(rows._replace(targets=targets), weaker, tuple(which)) if which else Raised(rows, strengths, ())

    def _in_the_way(self, skeleton: Skeleton, proposal: Pose) -> Array:
        placed = self.body.placed(forward_kinematics(skeleton, proposal))
        return placed[np.isin(self.body.joints, sorted(self.body.trunk))]

    def _way_out(self, target: Array, room: float, trunk: Array) -> Array:
        """The place (3,) nearest to a target, more or less, that is `room` metres off all that is in the way."""
        place, balls = target.astype(np.float64), np.concatenate([trunk, *self.others])
        for _ in range(TRIES):
            away = np.linalg.norm(balls[:, :3] - place, axis=1) - balls[:, 3]
            gaps = [float(one.distances(place[None])[0]) for one in self.things]
            ball, thing = away.min(initial=np.inf), min(gaps, default=np.inf)
            if min(ball, thing) >= room - OUTSIDE:
                break
            if ball <= thing:
                middle = balls[int(away.argmin())]
                way = place - middle[:3]
                way = way / max(float(np.linalg.norm(way)), 1e-9)
                place = middle[:3] + way * (middle[3] + room)
            else:
                place = place + _slope(self.things[int(np.argmin(gaps))], place) * (room - thing)
        return place

    @cached_property
    def _flesh(self) -> Array:
        """(J,) metres that each joint needs around it: of its own balls the furthest that the joint is within one."""
        balls, joints = self.body.balls, self.body.joints
        inside = balls[:, 3] - np.linalg.norm(balls[:, :3], axis=1)
        flesh = np.zeros(self.body.yields.shape[1])
        np.maximum.at(flesh, joints, inside)
        return flesh

    @cached_property
    def _outer(self) -> NDArray[np.bool_]:
        """(J,): whether a joint is of those limbs' parts that may not enter the trunk, and may be asked to."""
        outer = np.zeros(self.body.yields.shape[1], bool)
        np.logical_or.at(outer, self.body.joints, (self.body.yields[:, sorted(self.body.trunk)] >= 0.0).any(axis=1))
        return outer

    def _solids(self, own: Array) -> Solids:
        body, world = self.body, [*self.others, *(None for _ in self.things)]
        joints = own.shape[1]
        counts = [*np.diff(body.begin).tolist(), *map(len, self.others), *(1 for _ in self.things)]
        sizes, forms = np.zeros((sum(counts), 15)), np.zeros(sum(counts), np.int64)
        balls = np.concatenate([body.balls, *self.others])
        sizes[: len(balls), :4], forms[: len(balls)] = balls, BALL
        around = [*body.around, *map(enclosing, self.others)]
        for row, thing in enumerate(self.things, len(balls)):
            half = thing.size.astype(np.float64) / 2.0
            forms[row], sizes[row, :3] = FORMS[thing.form], thing.place
            if thing.form is SolidForm.BALL:
                sizes[row, 3] = half[0]
            else:
                sizes[row, 3:12], sizes[row, 12:] = thing.turn.ravel(), half
            around.append(np.append(thing.place, np.linalg.norm(half)))
        outside = np.where(self.body.leading, 0.0, -1.0)[:, None]
        yields = np.concatenate([own, np.repeat(outside, len(world), axis=1)], axis=1)
        return Solids(
            body.begin, np.ascontiguousarray(body.balls), np.ascontiguousarray(body.around),
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            np.concatenate([np.arange(joints), np.full(len(world), -1)]).astype(np.int64),
            np.array(around, np.float64).reshape(-1, 4), forms, sizes, yields, self._meets(yields),
        )  # fmt: skip

    def _meets(self, yields: Array) -> NDArray[np.bool_]:
        meets = np.zeros((self.body.yields.shape[1], yields.shape[1]), bool)
        np.logical_or.at(meets, self.body.joints, yields >= 0.0)
        return meets


@kept_within
def itself(body: SolidBody) -> Obstacles:
    """A body alone, which may not pass through itself; the same object for the same one."""
    return Obstacles(body)


def around_of(body: SolidBody, world: WorldJoints) -> tuple[Array, ...]:
    """Somebody's balls as what others may not pass through: (N, 4) in the world for each joint that carries any."""
    placed = body.placed(world)
    return tuple(
        placed[first:last] for first, last in zip(body.begin[:-1], body.begin[1:], strict=True) if first < last
    )


def among(obstacles: Obstacles, things: Sequence[Solid], others: Sequence[Array]) -> Obstacles:
    """What is in the way with these things and other people's balls added; unchanged where there are none."""
    return replace(obstacles, things=tuple(things), others=tuple(others)) if things or others else obstacles


def _slope(thing: Solid, place: Array) -> Array:
    """(3,) unit, where the distance to a solid grows."""
    step = 1e-5
    ahead = thing.distances(place + step * np.eye(3)) - thing.distances(place - step * np.eye(3))
    return np.asarray(ahead / max(float(np.linalg.norm(ahead)), 1e-12), np.float64)
