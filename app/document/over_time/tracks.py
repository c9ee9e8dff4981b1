"""Effectors between keys: what is asked in a gap, and where each target goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.between import Frames, Gap, Knot
from app.document.model.clip import Key
from app.document.model.hand_effectors import regripped
from app.document.over_time.arcs import Arc, Arcs
from app.document.over_time.departures import departed, departure
from app.document.over_time.steps import NO_STEPS, Steps
from solver.body.body import Body, BodyShape
from solver.body.hands import Hands
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector, TurnEffector
from solver.effectors.sources import FloorSource, JointSource, PropSource, SkinSource, Source, Tie
from solver.ik.residuals import residuals
from solver.kinematics.curves import curve_through, rotation_curve_through
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.rotations import rotation_between
from solver.kinematics.skeleton import Skeleton

Name = tuple[str, str, str]


class Track(NamedTuple):
    """One effector over the frames of a gap. effector: its settings there. departures: one for each frame, from the
    joints of the motion beneath; where there is none, and for what is held, the targets themselves. hands: those the
    effector's settings hold a point or a patch of, if of any. facings: for a contact the surface's normals, likewise:
    (N, 3, 3) turns from how the motion beneath has the patch, or (N, 3) the normals themselves. on_prop: where on a
    prop it is held at each frame. spots: (N, 2, 3) where on the body a patch that rocks lies at each frame, its offset
    and its normal. arc: how it swings aside from its targets; None if it does not.
    """

    effector: Effector
    departures: NDArray[np.floating]
    absolute: bool
    hands: Hands | None
    facings: NDArray[np.floating] | None = None
    on_prop: tuple[PropSource, ...] = ()
    spots: NDArray[np.floating] | None = None
    arc: Arc | None = None

    def on(self, body: Body, shape: BodyShape, hands: Hands | None) -> Track:
        """The track for a frame that holds the fingers another way, on the same point or patch of the hand."""
        if hands is self.hands:
            return self
        (effector,) = regripped((self.effector,), body, shape, self.hands, hands)
        return self._replace(effector=effector)

    def at(self, place: int, skeleton: Skeleton, world: WorldJoints) -> Effector:
        """The effector at one of the frames, whose motion beneath has its joints in `world`."""
        there = self._target(place, skeleton, world)
        return replace(there, source=self.on_prop[place]) if self.on_prop else there

    def _target(self, place: int, skeleton: Skeleton, world: WorldJoints) -> Effector:
        value = self.departures[place]
        if self.arc is not None:
            value = value + self.arc.aside(place, world.positions)
        if isinstance(self.effector, Contact):
            assert self.facings is not None
            facing = self.facings[place]
            contact = self.effector if self.spots is None else _on_spot(self.effector, self.spots[place])
            if self.absolute:
                return contact.onto(value, facing)
            there = departed(contact, skeleton, world, value)
            return contact.onto(there.target, facing @ contact.at_pose(skeleton, world).facing)
        if self.absolute:
            return replace(self.effector, target=value.astype(np.float32))
        return departed(self.effector, skeleton, world, value)


def tracks_of(
    skeleton: Skeleton,
    gap: Gap,
    knots: Sequence[Knot],
    beneath: Mapping[int, WorldJoints],
    frames: Frames,
    arcs: Arcs | None = None,
    steps: Steps = NO_STEPS,
) -> list[Track]:
    """The tracks, over these frames, of all effectors that ask for something at either of the keys around a gap.

    beneath: where the source motion has the joints at the knots' frames; empty if there is no source motion. An
    effector that only one key has goes to where the other key's pose has its joint. What both keys hold on one surface
    stays on it, whatever the motion beneath does. arcs, steps: those between the knots, if there is no source motion.
    """
    near = [key for key in gap.keys[1:3] if key is not None]
    times = [knot.frame for knot in knots]
    bodies = None if beneath else np.stack([knot.key.pose.rotations[0] for knot in knots if knot.key is not None])
    tracks = []
    for name, own in _asked(near).items():
        effector, giver = _between(own), next(key for key in near if any(e is own[0] for e in key.effectors))
        if len(near) == 2 and is_held(own):
            spots = _spots(skeleton, name, near, frames)
            held = _held(own, giver.hands, [key.frame for key in near], frames)
            tracks.append(_stepping(held._replace(spots=spots), steps, own, [key.frame for key in near], frames))
            continue
        spots = _spots(skeleton, name, near, frames)
        if spots is not None:
            assert isinstance(effector, Contact)
            effector = _on_spot(effector, spots[0])  # of a key that does not ask for it, the same spot counts
        values = [_value(skeleton, effector, name, knot, beneath) for knot in knots]
        away = next((value[3] for value in values if value is not None and value.shape == (4,)), 0.0)
        nothing = np.eye(3) if isinstance(effector, TurnEffector) else np.array([0.0, 0.0, 0.0, away])
        through = np.stack([nothing if value is None else value for value in values])
        if isinstance(effector, TurnEffector):
            departures = rotation_curve_through(times, through, frames, body=bodies)
            departures = steps.turning(effector.joint, times, through, departures, frames)
        else:
            departures = curve_through(times, through, frames)
        if isinstance(effector, PointEffector):
            departures = steps.along(effector.joint, times, through, departures, frames, effector.holds_joint)
            departures = steps.carried(effector.joint, times, through, departures, frames)
        facings = _facings(skeleton, effector, name, knots, beneath, frames)
        arc = arcs.of(skeleton, effector, through, frames) if arcs is not None else None
        tracks.append(Track(effector, departures, not beneath, giver.hands, facings, spots=spots, arc=arc))
    return tracks


def name_of(effector: Effector) -> Name:
    """What an effector is recognised by at another key."""
    return effector.id, effector.joint, effector.kind


def _asked(keys: Sequence[Key]) -> dict[Name, list[Effector]]:
    """By name, the effectors that ask for something at some of the keys, as these keys have them."""
    found: dict[Name, list[Effector]] = {}
    for key in keys:
        for effector in key.effectors:
            if effector.is_active:
                found.setdefault(name_of(effector), []).append(effector)
    return found


def _between(own: Sequence[Effector]) -> Effector:
    """The settings of an effector that one or both keys ask for: as strict as the stricter of the two."""
    return replace(own[0], tolerance=min(e.tolerance for e in own), pinned=any(e.pinned for e in own), source=None)


def is_held(own: Sequence[Effector]) -> bool:
    """Whether an effector lies on the same surface at both of two keys."""
    if len(own) != 2:
        return False
    first, last = (effector.source for effector in own)
    if isinstance(first, PropSource) and isinstance(last, PropSource):
        return first.prop == last.prop
    if isinstance(first, SkinSource) and isinstance(last, SkinSource):
        return first.character == last.character
    return (isinstance(first, FloorSource) and isinstance(last, FloorSource)) or _same_joint(first, last)


def _same_joint(first: Source | None, last: Source | None) -> bool:
    """Whether both are the same joint of the same person."""
    if not isinstance(first, JointSource) or not isinstance(last, JointSource):
        return False
    return (first.character, first.joint) == (last.character, last.joint)


def _held(own: Sequence[Effector], hands: Hands | None, times: Sequence[int], frames: Frames) -> Track:
    """The track of what is held on a surface from key to key, moving along it if the keys hold it at different places.

    If it goes along with a joint or skin at one place, that stays its source.
    """
    effector, targets = _between(own), np.stack([e.target.astype(np.float64) for e in own])
    if own[0].source == own[1].source and isinstance(own[0].source, Tie):
        effector = replace(effector, source=own[0].source)
    curve = rotation_curve_through if isinstance(effector, TurnEffector) else curve_through
    facings = [e.facing for e in own if isinstance(e, Contact)]
    turning = _turning(facings, times, frames) if facings else None
    on_prop = _way_on_prop(own[0].source, own[1].source, times, frames)
    return Track(effector, curve(times, targets, frames), True, hands, turning, on_prop)


def _stepping(track: Track, steps: Steps, own: Sequence[Effector], times: Sequence[int], frames: Frames) -> Track:
    """The track of what is held on one surface at both keys; a foot that is held elsewhere on it steps there."""
    effector = track.effector
    if not isinstance(effector, PointEffector):
        return track
    targets = np.stack([e.target.astype(np.float64) for e in own])
    way = steps.along(effector.joint, times, targets, np.asarray(track.departures, np.float64), frames, False)
    return track if (way == track.departures).all() else track._replace(departures=way, on_prop=())


def _way_on_prop(
    first: Source | None, last: Source | None, times: Sequence[int], frames: Frames
) -> tuple[PropSource, ...]:
    """Where on a prop something is held at each frame, if both keys hold it there; nothing otherwise."""
    if not isinstance(first, PropSource) or not isinstance(last, PropSource):
        return ()
    if first == last:
        return (first,) * len(frames)
    places = curve_through(times, np.stack([first.place, last.place]), frames)
    normals = _turning([first.normal, last.normal], times, frames)
    return tuple(
        PropSource(first.prop, place.astype(np.float32), normal.astype(np.float32))
        for place, normal in zip(places, normals, strict=True)
    )


def _facings(
    skeleton: Skeleton,
    effector: Effector,
    name: Name,
    knots: Sequence[Knot],
    beneath: Mapping[int, WorldJoints],
    frames: Frames,
) -> NDArray[np.floating] | None:
    """Where a contact's surface faces from key to key, in the form of `Track.facings`; None for another kind."""
    if not isinstance(effector, Contact):
        return None
    times, found = [knot.frame for knot in knots], []
    for knot in knots:
        there = effector if knot.key is None else _there(skeleton, effector, name, knot.key)
        assert isinstance(there, Contact)
        if beneath:
            before = effector.at_pose(skeleton, beneath[knot.frame]).facing
            turns = knot.key is not None and before.any() and there.facing.any()
            found.append(rotation_between(before, there.facing) if turns else np.eye(3))
        else:
            found.append(there.facing)
    return rotation_curve_through(times, np.stack(found), frames) if beneath else _turning(found, times, frames)


def _spots(skeleton: Skeleton, name: Name, near: Sequence[Key], frames: Frames) -> NDArray[np.floating] | None:
    """Where a patch that rocks, or a hand around something, lies from key to key, in the form of `Track.spots`, so that
    each key's own pose has it lying flat; None for any other effector, and where fingers are held otherwise meanwhile.

    A hand that is tilted at a key would be laid flat one frame before it, and the body with it.
    """
    from solver.ik.stance.rocking import rocks, spot_as_posed  # not needed to show the window

    times, found, same = [], [], near[0].hands == near[-1].hands
    for key in near:
        own = next((e for e in key.effectors if name_of(e) == name and e.is_active), None)
        if isinstance(own, Contact) and own.lies_flat and (rocks(own) or (own.around and same)):
            turns = forward_kinematics(skeleton, key.pose).rotations
            times.append(key.frame)
            found.append(spot_as_posed(own, turns[skeleton.index(own.joint)].astype(np.float64)))
    return curve_through(times, np.stack(found), frames) if found else None


def _on_spot(contact: Contact, spot: NDArray[np.floating]) -> Contact:
    offset, normal = spot.astype(np.float32)
    return replace(contact, offset=offset, normal=normal)


def _turning(facings: Sequence[NDArray[np.floating]], times: Sequence[int], frames: Frames) -> NDArray[np.floating]:
    """(N, 3) directions on a smooth way from each to the next; of unit length, or zeros."""
    way = curve_through(times, np.stack(facings).astype(np.float64), frames)
    return np.asarray(way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9))


def _there(skeleton: Skeleton, effector: Effector, name: Name, key: Key) -> Effector:
    """The effector as a key has it, else as its pose does; also where that misses the place or the turn of a joint:
    pulled further, the frames beside the key would jump."""
    own = next((e for e in key.effectors if name_of(e) == name and e.is_active), None)
    if own is not None and not _missed(skeleton, own, key):
        return own
    return (own or effector).at_pose(skeleton, forward_kinematics(skeleton, key.pose))


def _missed(skeleton: Skeleton, effector: Effector, key: Key) -> bool:
    if not (effector.holds_joint or isinstance(effector, TurnEffector)):
        return False
    (left,) = residuals(skeleton, key.pose, (effector,))
    return left.state == "unreachable"


def _value(
    skeleton: Skeleton, effector: Effector, name: Name, knot: Knot, beneath: Mapping[int, WorldJoints]
) -> NDArray[np.floating] | None:
    """What the curve goes through at a knot; None where nothing is added."""
    if knot.key is None:
        return None
    there = _there(skeleton, effector, name, knot.key)
    return departure(there, skeleton, beneath[knot.frame]) if beneath else there.target
