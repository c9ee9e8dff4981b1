"""Effectors between keys: what is asked in a gap, and where each target goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.between import Frames, Gap, Knot
from app.document.model.clip import Key
from app.document.model.on_hands import regripped
from app.document.over_time.departures import departed, departure
from solver.body.body import Body, BodyShape
from solver.body.hands import Hands
from solver.effectors.effector import Effector
from solver.effectors.forms import TurnEffector
from solver.kinematics.curves import through, turned_through
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.skeleton import Skeleton

Name = tuple[str, str, str]


class Track(NamedTuple):
    """One effector over the frames of a gap. effector: its settings there. departures: one for each frame, from the
    joints of the motion beneath; where there is none they are the targets themselves. hands: of which the effector's
    settings hold a point or a patch, if they hold one of a hand."""

    effector: Effector
    departures: NDArray[np.floating]
    absolute: bool
    hands: Hands | None

    def on(self, body: Body, shape: BodyShape, hands: Hands | None) -> Track:
        """The track at a frame that holds the fingers another way: on the same point or patch of the hand."""
        if hands is self.hands:
            return self
        (effector,) = regripped((self.effector,), body, shape, self.hands, hands)
        return self._replace(effector=effector)

    def at(self, place: int, skeleton: Skeleton, world: WorldJoints) -> Effector:
        """The effector at one of the frames, whose motion beneath has its joints in `world`."""
        value = self.departures[place]
        if self.absolute:
            return replace(self.effector, target=value.astype(np.float32))
        return departed(self.effector, skeleton, world, value)


def tracks_of(
    skeleton: Skeleton, gap: Gap, knots: Sequence[Knot], beneath: Mapping[int, WorldJoints], frames: Frames
) -> list[Track]:
    """The tracks of all effectors that ask for something at one of the two keys about a gap, at these frames.

    beneath: where the source motion has the joints at the knots' frames; empty where there is no source motion. An
    effector that only one key has goes to where the other one's pose has its joint.
    """
    near = [key for key in gap.keys[1:3] if key is not None]
    times = [knot.frame for knot in knots]
    tracks = []
    for name, own in _asked(near).items():
        effector = _between(own)
        values = [_value(skeleton, effector, name, knot, beneath) for knot in knots]
        away = next((value[3] for value in values if value is not None and value.shape == (4,)), 0.0)
        curve = turned_through if isinstance(effector, TurnEffector) else through
        nothing = np.eye(3) if isinstance(effector, TurnEffector) else np.array([0.0, 0.0, 0.0, away])
        departures = curve(times, np.stack([nothing if value is None else value for value in values]), frames)
        giver = next(key for key in near if any(e is own[0] for e in key.effectors))
        tracks.append(Track(effector, departures, not beneath, giver.hands))
    return tracks


def name_of(effector: Effector) -> Name:
    """By which an effector is known again at another key."""
    return effector.id, effector.joint, effector.kind


def _asked(keys: Sequence[Key]) -> dict[Name, list[Effector]]:
    """What asks for something at some of the keys, as each of these has it."""
    found: dict[Name, list[Effector]] = {}
    for key in keys:
        for effector in key.effectors:
            if effector.asks:
                found.setdefault(name_of(effector), []).append(effector)
    return found


def _between(own: Sequence[Effector]) -> Effector:
    """The settings of an effector that one key asks for or both: as strict as the stricter of the two."""
    return replace(own[0], tolerance=min(e.tolerance for e in own), pinned=any(e.pinned for e in own), source=None)


def _value(
    skeleton: Skeleton, effector: Effector, name: Name, knot: Knot, beneath: Mapping[int, WorldJoints]
) -> NDArray[np.floating] | None:
    """What the curve goes through at a knot; None where nothing is added."""
    if knot.key is None:
        return None
    there = next((e for e in knot.key.effectors if name_of(e) == name and e.asks), None)
    if there is None:
        there = effector.at(skeleton, forward_kinematics(skeleton, knot.key.pose))
    return departure(there, skeleton, beneath[knot.frame]) if beneath else there.target
