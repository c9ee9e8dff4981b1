"""People who go along with a photo's camera, so that they stay where they are in the picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document.model.actor import actor_of
from app.document.model.clip import Key
from app.document.model.document import Character
from app.document.model.placement import HERE, Placement
from app.document.posing.placing import brought, carried_pose
from solver.kinematics.rigid_motion import RigidMotion


def carried_whole(character: Character, way: RigidMotion) -> Character:
    """The character and all its keys carried along; a person with a motion turns about the vertical alone."""
    actor = actor_of(character)
    if actor.clip.source is not None:
        root = character.pose.root_position.astype(np.float64)
        return brought(character, way.points(root) - root, float(np.arctan2(way.turn[0, 2], way.turn[2, 2])))
    place = actor.clip.placement
    way = _within(place, way)

    def key(one: Key) -> Key:
        return replace(
            one,
            pose=carried_pose(one.pose, way),
            base_pose=carried_pose(one.base_pose, way),
            effectors=tuple(effector.moved_by(way) for effector in one.effectors),
        )

    clip = replace(actor.clip, keys=tuple(key(one) for one in actor.clip.keys))
    return replace(actor, clip=clip).at(character.frame)


def _within(place: Placement, way: RigidMotion) -> RigidMotion:
    """A motion of the world as it is in the space of a clip that is placed there."""
    if place == HERE:
        return way
    to, back = place.rigid, place.rigid.inverse
    return RigidMotion(back.turn @ way.turn @ to.turn, back.points(way.points(to.shift)))
