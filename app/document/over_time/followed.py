"""The people and props an actor holds on to between keys: they move on their own clips, and its contacts go along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.document.model.actor import Actor
from app.document.model.prop import Prop
from app.document.model.spans import SpanInputs, span_inputs
from app.document.over_time.ground import ground_beside, ground_of, seats_below
from app.document.over_time.thrown import GOES_ON_S, after_throw
from solver.body.catalog import load_body
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.effectors.resolve import Context, Figure, props_under, resolved, tied_figures
from solver.effectors.resolve import Prop as Thing
from solver.effectors.sources import PropSource, SkinSource, Tie
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rigid_motion import RigidMotion

if TYPE_CHECKING:
    from solver.effectors.skin import Skin

Array = NDArray[np.float64]
Beside = tuple[object, ...]


def followed(actor: Actor, actors: Sequence[Actor]) -> tuple[Actor, ...]:
    """Those of `actors` whom the actor holds on to; of two who hold each other, the later one follows the earlier.

    Earlier and later go by ids, not by places in the list, so that reordering the list moves nobody.
    """
    mine = _holds(actor)
    return tuple(
        other
        for other in _by_id(actors)
        if other.id in mine and (actor.id not in _holds(other) or _came(other) < _came(actor))
    )


def followed_first(actors: Sequence[Actor]) -> list[Actor]:
    """The actors ordered so that those who are followed come before those who follow, except in rings."""
    order: list[Actor] = []
    begun: set[str] = set()

    def put(actor: Actor) -> None:
        if actor.id in begun:
            return
        begun.add(actor.id)
        for other in followed(actor, actors):
            put(other)
        order.append(actor)

    for actor in _by_id(actors):
        put(actor)
    return order


def beside(actor: Actor, others: Sequence[Actor]) -> tuple[tuple[SpanInputs, Beside], ...]:
    """What in-betweens that go along with others depend on, to be compared; nothing without others."""
    mine = actor.clip.placement
    return tuple(
        (span_inputs(other, other.clip.keys), (other.id, other.clip.placement, mine, other.clip.fps))
        for other in others
    )


def props_beside(
    actor: Actor, props: Sequence[Prop], rides: frozenset[str] = frozenset()
) -> tuple[tuple[SpanInputs, Beside], ...]:
    """As `beside`, of the props with a clip that the actor holds on to, and those that it may step onto. rides: the ids
    of those that it rides on, on whosever lap."""
    mine = actor.clip.placement
    moving = tuple(
        (SpanInputs((*clip.keys, *clip.ways), tuple(prop.size.tolist())), (prop.slot, mine, clip.fps, actor.clip.fps))
        for prop in _moving(actor, props, rides)
        if (clip := prop.clip) is not None
    )
    return (*moving, *ground_beside(actor, props))


def _moving(actor: Actor, props: Sequence[Prop], rides: frozenset[str] = frozenset()) -> list[Prop]:
    moving = [prop for prop in props if prop.clip is not None]
    if not moving:
        return []
    mine = rides.union(id for key in actor.clip.keys for id in props_under(key.effectors))
    return [prop for prop in moving if prop.id in mine]


class Following:
    """Where the people an actor follows, and props with a clip that it holds, are at each of its frames. ground: what
    it may step onto, if anything. seats: what it may sit and lie on."""

    def __init__(self, actor: Actor, others: Sequence[Actor], props: Sequence[Prop] = ()) -> None:
        self.ground, self.seats = ground_of(actor, props), seats_below(actor, props)
        self._actor, self._others = actor, {other.id: other for other in others}
        self._props = {prop.id: prop for prop in _moving(actor, props)}
        self._motions = {other.id: other.motion() for other in others}
        self._skins: dict[str, Skin] = {}
        touched = {e.source.character for k in actor.clip.keys for e in k.effectors if isinstance(e.source, SkinSource)}
        for other in others:
            if other.id in touched:
                from solver.contact.skins import skin  # not needed to show the window

                self._skins[other.id] = skin(load_body(other.build.body), other.build.shape, other.clip.keys[0].hands)

    def aimed(self, effector: Effector, frame: int) -> Effector:
        """An effector of the clip at a frame, its target where the person or the prop it holds is; itself if there is
        none."""
        source = effector.source
        if isinstance(source, PropSource):
            return self._on_prop(effector, source.prop, frame)
        if source is None:
            return self._gone_on(effector, frame)
        if not isinstance(source, Tie) or source.character not in self._others:
            return effector
        other, place = self._others[source.character], self._actor.clip.placement
        skeleton = load_body(other.build.body).skeleton(other.build.shape)
        figure = Figure(skeleton, forward_kinematics(skeleton, self._pose(other, frame)))
        there = resolved(place.effector(effector), Context(figures={other.id: figure}, skins=self._skins))
        return replace(place.inverse.effector(there), source=None)

    def _on_prop(self, effector: Effector, id: str, frame: int) -> Effector:
        if id not in self._props:
            return replace(effector, source=None)  # it stands still, where the keys have it
        place, moving = self._actor.clip.placement, self._props[id]
        prop = moving.at_time(frame / self._actor.clip.fps)
        if isinstance(effector, PointEffector) and (away := self._thrown(moving, frame)) is not None:
            prop = moving.at(away[0]).moved(away[1])
        there = resolved(place.effector(effector), Context(props={id: Thing(prop.middle, prop.turn, prop.size)}))
        return replace(place.inverse.effector(there), source=None)

    def _thrown(self, prop: Prop, frame: int) -> tuple[int, Array] | None:
        """The prop's frame at which somebody lets go of it, if it flies at a frame of the actor's, and (3,) metres that
        the hand has gone since; nearer to its end the frame where it flies to, and none. None if it does not fly."""
        if prop.clip is None:
            return None
        fps = prop.clip.fps
        now = frame * fps / self._actor.clip.fps
        for way in prop.clip.ways:
            last = way.first + len(way.places)
            if way.throw is not None and way.first <= now < last:
                if 2 * now > way.first + last:
                    return last, np.zeros(3)
                return way.first - 1, after_throw(way.throw, (now - way.first + 1) / fps, GOES_ON_S)
        return None

    def _gone_on(self, effector: Effector, frame: int) -> Effector:
        """An effector at a frame, going on as it has thrown what it held at the key before."""
        before, after = self._actor.clip.around(frame)[1:3]
        if before is None or after is None or not isinstance(effector, PointEffector):
            return effector
        held = (e.source for e in before.effectors if e.joint == effector.joint and e.is_active)
        props = (self._props.get(source.prop) for source in held if isinstance(source, PropSource))
        ways = [way for prop in props if prop is not None and prop.clip is not None for way in prop.clip.ways]
        throw = next((way.throw for way in ways if way.first == before.frame + 1), None)
        if throw is None:
            return effector
        fps, place = self._actor.clip.fps, self._actor.clip.placement
        aside = after_throw(throw, (frame - before.frame) / fps, (after.frame - before.frame) / fps)
        return effector.moved_by(RigidMotion.move(place.inverse.rigid.turn @ aside))

    def _pose(self, other: Actor, frame: int) -> Pose:
        """The other's pose in the world at the time of a frame of the actor's."""
        motion = self._motions[other.id]
        if motion is None:
            return other.at(0).pose
        return motion.pose(min(max(round(frame / self._actor.clip.fps * other.clip.fps), 0), len(motion) - 1))


def _by_id(actors: Sequence[Actor]) -> list[Actor]:
    return sorted(actors, key=_came)


def _came(actor: Actor) -> tuple[int, str]:
    """A key to sort people by when they were added: ids are numbered, and “c10” came after “c9”."""
    return len(actor.id), actor.id


def _holds(actor: Actor) -> frozenset[str]:
    return frozenset(id for key in actor.clip.keys for id in tied_figures(key.effectors) if id != actor.id)
