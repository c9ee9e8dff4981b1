"""The stride of a motion: how far its path goes, beside what the length of the legs asks for.

A path as recorded belongs to the legs that it was recorded with. On longer or shorter ones, planted feet would slide
along the floor unless the path is scaled as the legs are. A stride of 1 is that proportion. A user may ask for more or
less, and that share is kept when the body changes.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.document.model.actor import Actor, Build
from app.document.model.clip import MOST_STRIDE, Clip, Key, SourceMotion
from solver.body.catalog import load_body
from solver.kinematics.pose import pose_moved
from solver.kinematics.rigid_motion import RigidMotion

SHARE_DIGITS = 6  # so that a body which changes and changes back leaves the stride as it was


def leg_ratio(build: Build, old: Build) -> float:
    """How long the legs of a build are, from hip to knee to ankle, for 1 of an old one's."""
    one, other = (load_body(each.body).rig(each.shape) for each in (build, old))
    return one.leg_length / other.leg_length


def stride_of(actor: Actor) -> float:
    """The stride of an actor with a source motion: 1 where the path is as long, for the legs, as it was recorded."""
    source = _source(actor)
    return round(source.stride / _by_legs(source, actor.build), SHARE_DIGITS)


def striding(actor: Actor, build: Build) -> SourceMotion:
    """The source motion with the path that a build of the same body makes of it. A path that is still as it came
    becomes as long as the legs ask for; else the user's stride is kept."""
    source = _source(actor)
    share = 1.0 if source.stride == 1.0 else stride_of(actor)
    return source.strided(min(share * _by_legs(source, build), MOST_STRIDE))


def with_stride(actor: Actor, stride: float) -> Clip:
    """The actor's clip with another stride. Keys and their targets go along, so that they add what they added.

    PoserError for a path that gets too long.
    """
    source = _source(actor)
    other = source.strided(min(stride * _by_legs(source, actor.build), MOST_STRIDE))
    if other is source:
        return actor.clip
    keys = tuple(_brought(key, path_change(source, other, key.frame)) for key in actor.clip.keys)
    return replace(actor.clip, keys=keys, source=other).within_bounds()


def path_change(source: SourceMotion, other: SourceMotion, frame: int) -> NDArray[np.float64]:
    """(3,) metres from where one stride of a motion has its root at a frame to where another one has it."""
    return other.path[frame].astype(np.float64) - source.path[frame]


def _brought(key: Key, way: NDArray[np.float64]) -> Key:
    shift, pose = RigidMotion.move(way), pose_moved(key.pose, way)
    return replace(
        key,
        pose=pose,
        base_pose=pose if key.base_pose is key.pose else pose_moved(key.base_pose, way),
        effectors=tuple(effector.moved_by(shift) for effector in key.effectors),
    )


def _by_legs(source: SourceMotion, build: Build) -> float:
    return leg_ratio(build, Build(build.body, source.shape))


def _source(actor: Actor) -> SourceMotion:
    source = actor.clip.source
    assert source is not None
    return source
