"""The path of the point that an effector holds, and how far it is from what is asked of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from app.document.curves.motions import motions_of
from app.document.curves.values import Array, Curves, Line
from app.document.model.actor import Actor
from app.document.model.between import gaps_of, knots_of, layered
from app.document.model.placement import HERE
from app.document.model.prop import Prop
from app.document.over_time.arcs import arcs_and_steps
from app.document.over_time.followed import Following, followed
from app.document.over_time.in_betweens import Stretch, stretches_of
from app.document.over_time.planted import PlantedFoot, held, planted_feet
from app.document.over_time.tracks import Name, name_of, tracks_of
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.effectors.kind import Unit
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.joint_paths import joint_paths
from solver.kinematics.pose import Motion
from solver.rig.rig import Rig

AXES = ("X", "Y", "Z")
ASKS_NOTHING = "This effector asks for nothing yet. Move its handle at some frame to see how well it is met."


def place_curves(actor: Actor, effector: Effector) -> Curves:
    """X, Y and Z of the point that an effector holds, in centimetres of the world."""
    motions = motions_of(actor)
    rig = motions.rig
    offset = effector.offset.astype(np.float64) if isinstance(effector, PointEffector) else np.zeros(3)

    def ways(motion: Motion) -> Array:
        world = joint_paths(rig, motion, [rig.index(effector.joint)])
        return 100.0 * np.asarray(world.positions[:, 0] + world.rotations[:, 0] @ offset)

    after, before = motions.both(ways)
    return Curves(
        "cm",
        tuple(Line(axis, after[:, i], None if before is None else before[:, i]) for i, axis in enumerate(AXES)),
    )


def miss_curves(actor: Actor, effector: Effector, actors: Sequence[Actor] = (), props: Sequence[Prop] = ()) -> Curves:
    """How far the motion is from an effector's target at each frame where it asks for something: mm or degrees.

    `before` is how far the source motion is from the same target. actors, props: everybody and everything that its
    target may go along with.
    """
    motions = motions_of(replace(actor, clip=replace(actor.clip, placement=HERE)))  # the space that targets are in
    following = Following(actor, followed(actor, actors), props)
    asked = dict(effectors_by_frame(actor, motions.rig, name_of(effector), following))
    if not asked:
        return Curves(lacks=ASKS_NOTHING)
    joint = motions.rig.index(effector.joint)
    metres = effector.spec.unit is Unit.METRES

    def misses(motion: Motion) -> Array:
        ways, found = joint_paths(motions.rig, motion, [joint]), np.full(len(motion), np.nan)
        for frame, there in asked.items():
            found[frame] = there.residual_at(ways.positions[frame, 0], ways.rotations[frame, 0])
        return 1e3 * found if metres else np.degrees(found)

    return Curves(effector.spec.unit.value, (Line("Error", *motions.both(misses)),))


def effectors_by_frame(actor: Actor, rig: Rig, name: Name, following: Following) -> Iterator[tuple[int, Effector]]:
    """The frames at which an effector asks for something, and the effector there, in the clip's own space: at keys as
    they say, between them as frames are solved, on somebody or something that moves where that then is."""
    for key in actor.clip.keys:
        for effector in key.effectors:
            if name_of(effector) == name and effector.is_active:
                yield key.frame, following.aimed(effector, key.frame)
    feet = planted_feet(actor, gaps_of(actor.clip, actor.source))
    for stretch in stretches_of(actor):
        yield from _asked_between(actor, rig, name, stretch, feet, following)


def _asked_between(
    actor: Actor, rig: Rig, name: Name, stretch: Stretch, feet: list[PlantedFoot], following: Following
) -> Iterator[tuple[int, Effector]]:
    clip, gap = actor.clip, stretch.gap
    knots = knots_of(clip, gap, actor.source)
    frames, times = np.arange(stretch.first, stretch.last + 1), np.array([knot.frame for knot in knots])
    beneath = {}
    if clip.source is not None:
        under = actor.source(np.clip(times, 0, len(clip) - 1)).each()
        beneath = {time: forward_kinematics(rig, pose) for time, pose in zip(times.tolist(), under, strict=True)}
    tracks = tracks_of(rig, gap, knots, beneath, frames, *arcs_and_steps(actor, rig, knots, following.ground))
    own = [track for track in tracks if name_of(track.effector) == name]
    base = (actor.source(frames) if clip.source is not None else layered(clip, gap, frames)).each() if own else []
    for track in own:
        for place, (frame, pose) in enumerate(zip(frames.tolist(), base, strict=True)):
            world = forward_kinematics(rig, pose)
            aimed = following.aimed(track.at(place, rig, world), frame)
            yield frame, held([aimed], feet, frame, rig, world)[0]
