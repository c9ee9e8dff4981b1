"""The ground between two keys: the floor, and the tops of props that stand still where somebody walks.

Only who stands higher at one key than at another, or higher than the floor, depends on props; and only on what is no
higher than where their feet stand at the higher one of two keys. What is higher is no ground that they go onto.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.document.model.actor import Actor
from app.document.model.placement import HERE, Placement
from app.document.model.prop import Prop
from app.document.model.spans import SpanInputs
from solver.body.catalog import load_body
from solver.contact.solids import Solid
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

Array = NDArray[np.float64]

NEAR_M = 0.5  # metres beside where feet are at keys, where props count
LOW_M = 0.06  # metres above the floor that the ball of a foot is lower that stands on it
HIGHER_M = 0.02  # metres above a foot that stands on something, up to which that something may be


class Ground(NamedTuple):
    """things: solids in the world. placement: that of the clip whose space heights and places are in."""

    things: tuple[Solid, ...]
    placement: Placement = HERE

    def things_of_clip(self, lift: Placement) -> tuple[Solid, ...]:
        """The things in the clip's space, raised by `lift` as its poses are."""
        back, up = self.placement.inverse.rigid, np.asarray(lift.shift)
        return tuple(
            replace(thing, place=(back.points(thing.place) + up).astype(np.float32), turn=back.rotations(thing.turn))
            for thing in self.things
        )

    def heights(self, points: ArrayLike, most: float) -> Array:
        """(N,) metres of the ground below points (N, 3), of which only x and z count; `most` metres high at most."""
        from solver.ik.limp.beneath import heights_beneath  # not needed to show the window

        places, up = np.array(points, np.float64), self.placement.shift[1]
        places[:, 1] = most
        found = heights_beneath(self.things, self.placement.points(places)) - up
        return np.where(found > most + HIGHER_M, -up, found)


def ground_of(actor: Actor, props: Sequence[Prop]) -> Ground | None:
    """What there is to walk on besides a level floor; None if nothing."""
    things = tuple(solid for prop in props_below(actor, props) for solid in prop.solids())
    return Ground(things, actor.clip.placement) if things else None


def is_low(ball: NDArray[np.floating], ground: Ground | None) -> bool:
    """Whether the ball of a foot at a place (3,) is on the floor or on other ground."""
    place = ball.astype(np.float64)
    return bool(place[1] < LOW_M or (ground and place[1] - ground.heights([place], place[1])[0] < LOW_M))


def ground_beside(actor: Actor, props: Sequence[Prop]) -> tuple[tuple[SpanInputs, tuple[object, ...]], ...]:
    """What in-betweens depend on that go over props, to be compared."""
    there = actor.clip.placement
    return tuple(
        (SpanInputs((prop.mesh,), (prop.kind, *(tuple(np.ravel(each).tolist()) for each in at))), (prop.id, there))
        for prop in {prop.id: prop for prop in (*props_below(actor, props), *seats_below(actor, props))}.values()
        for at in [(prop.size, prop.place, prop.turn)]
    )


def props_below(actor: Actor, props: Sequence[Prop]) -> list[Prop]:
    """The visible props that stand still where somebody walks who does not stay on the floor."""
    clip, still = actor.clip, _still(actor, props)
    if not still:
        return []
    skeleton = load_body(actor.build.body).skeleton(actor.build.shape)
    balls = clip.placement.points(np.concatenate([_balls(skeleton, key.pose) for key in clip.keys]))
    if balls[:, 1].max() < LOW_M:
        return []
    low, high = balls.min(axis=0) - NEAR_M, balls.max(axis=0) + NEAR_M
    near = []
    for prop in still:
        corners = prop.corners[:, [0, 2]]
        if (corners.min(axis=0) < high[[0, 2]]).all() and (corners.max(axis=0) > low[[0, 2]]).all():
            near.append(prop)
    return near


def seats_below(actor: Actor, props: Sequence[Prop]) -> list[Prop]:
    """The visible props that stand still and that the pelvis is above at a key: they may be sat and lain on."""
    still = _still(actor, props)
    if not still:
        return []
    roots = actor.clip.placement.points(np.array([key.pose.root_position for key in actor.clip.keys]))[:, [0, 2]]
    spans = [prop.corners[:, [0, 2]] for prop in still]
    above = [((span.min(axis=0) < roots) & (roots < span.max(axis=0))).all(axis=1).any() for span in spans]
    return [prop for prop, over in zip(still, above, strict=True) if over]


def _still(actor: Actor, props: Sequence[Prop]) -> list[Prop]:
    """The visible props that stand still, if somebody goes over them from key to key."""
    clip = actor.clip
    if clip.source is not None or not clip.between.steps or len(clip.keys) < 2:
        return []
    return [prop for prop in props if prop.visible and prop.clip is None]


@memoised(512, by_identity=True)
def _balls(skeleton: Skeleton, pose: Pose) -> Array:
    """(2, 3) metres of the balls of both feet; the root's where there are none."""
    tips = [rig_of(skeleton).find(leg.tip) or 0 for leg in LEGS]
    return forward_kinematics(skeleton, pose).positions[tips].astype(np.float64)
