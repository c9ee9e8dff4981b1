"""The curves asked for of a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.document.curves.effector import miss_curves, place_curves
from app.document.curves.motions import motions_of, speed
from app.document.curves.skate import skate_curves
from app.document.curves.values import FEET, MISS, SPEED, Array, CurveRequest, Curves, Line
from app.document.model.actor import Actor
from app.document.model.prop import Prop
from solver.effectors.effector import Effector
from solver.kinematics.joint_paths import joint_paths
from solver.kinematics.pose import Motion

WAYS = ("joints", "solved")  # what is compared where there are keys and no source motion
NOBODY = "Add a person to see curves of a motion."
NO_MOTION = (
    "This person has no motion. Open a motion file (File › Open), or press Animate on the timeline and pose at frames."
)
NO_EFFECTOR = "Select an effector, in the view or in the list, to see its curves."


def why_no_curves(actor: Actor | None, request: CurveRequest) -> str:
    """Why nothing can be drawn, as far as can be told at once; "" where there is something to compute."""
    if actor is None:
        return NOBODY
    if len(actor.clip) < 2:
        return NO_MOTION
    if request.what not in (SPEED, FEET) and not request.effector:
        return NO_EFFECTOR
    return ""


def curves_of(actor: Actor, request: CurveRequest, actors: Sequence[Actor] = (), props: Sequence[Prop] = ()) -> Curves:
    """The wanted curves of somebody who moves. For a long motion this takes a while.

    actors, props: everybody and everything that its effectors may go along with.
    """
    found = _curves_of(actor, request, actors, props)
    return found if found.lacks or actor.clip.source is not None else replace(found, names=WAYS)


def _curves_of(actor: Actor, request: CurveRequest, actors: Sequence[Actor], props: Sequence[Prop]) -> Curves:
    if request.what == FEET:
        return skate_curves(actor)
    if request.what == SPEED:
        return speed_curves(actor, request.joint)
    effector = _effector(actor, request.effector)
    if effector is None:
        return Curves(lacks=NO_EFFECTOR)
    return miss_curves(actor, effector, actors, props) if request.what == MISS else place_curves(actor, effector)


def speed_curves(actor: Actor, joint: str) -> Curves:
    """How fast a joint goes, in metres a second."""
    motions = motions_of(actor)
    rig = motions.rig

    def fast(motion: Motion) -> Array:
        return speed(joint_paths(rig, motion, [rig.index(joint)]).positions[:, 0], motion.fps)

    return Curves("m/s", (Line("Speed", *motions.both(fast)),))


def _effector(actor: Actor, id: str) -> Effector | None:
    """An effector of any of the keys, by its id."""
    return next((effector for key in actor.clip.keys for effector in key.effectors if effector.id == id), None)
