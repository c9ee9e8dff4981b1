"""Another body shape for a character: its soles stay on the floor, or its pelvis stays, and its effectors follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from app.document.model.actor import Actor, actor_of
from app.document.model.clip import Key
from app.document.model.document import Character
from app.document.model.on_hands import refingered
from solver.body.body import Body, BodyShape
from solver.body.catalog import load_body
from solver.body.floor import keep_sole_on_floor, lowest_sole_point, sole_heights
from solver.effectors.effector import Effector
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rigid import Rigid
from solver.rig.roles import FEET

STANDING = 0.05  # metres: a foot's target this near to its height in rest stands on the floor


def reshaped(character: Character, shape: BodyShape) -> Character:
    """The character with another shape, lifted so that soles on the floor stay there.

    A still pose that stands goes on standing. With a motion every frame keeps the height of its lowest sole: steps and
    jumps stay what they were, and nothing leaps where a foot comes down.
    """
    if shape == character.shape:
        return character
    moving = actor_of(character).clip.source is not None
    return _with_shape(character, shape, _along if moving else _standing_on)


def resized(character: Character, shape: BodyShape) -> Character:
    """The character with another shape about its pelvis, which stays where it is; every target goes with its joint."""

    def about_pelvis(actor: Actor, key: Key, shape: BodyShape) -> Key:
        return _with_targets(actor, key, shape, key.pose)

    return character if shape == character.shape else _with_shape(character, shape, about_pelvis)


def _with_shape(character: Character, shape: BodyShape, change: Callable[[Actor, Key, BodyShape], Key]) -> Character:
    actor = actor_of(character)
    from app.document.posing.holding import refitted_key  # not needed to show the window

    name, old = actor.build.body, actor.build.shape
    body = load_body(name)
    fingered = (refingered(key, body, (old, key.hands), (shape, key.hands)) for key in actor.clip.keys)
    keys = tuple(refitted_key(change(actor, key, shape), name, shape) for key in fingered)
    clip = replace(actor.clip, keys=keys)
    return replace(actor, build=replace(actor.build, shape=shape), clip=clip).at(character.frame)


def _standing_on(actor: Actor, key: Key, shape: BodyShape) -> Key:
    """A still pose. Effectors hold their targets, save for the feet that stand: their joints' height above the sole
    differs from body to body, and their targets rise or sink by that difference.
    """
    body, old, place = load_body(actor.build.body), actor.build.shape, actor.clip.placement
    before, after = _heights(body, old), _heights(body, shape)

    def lifted(pose: Pose) -> Pose:
        world = place.pose(pose)
        on_floor = keep_sole_on_floor(body, old, shape, world)
        return _raised(pose, float(on_floor.root_position[1] - world.root_position[1]))

    return replace(
        key,
        pose=lifted(key.pose),
        base_pose=lifted(key.base_pose),
        effectors=tuple(_standing(effector, before, after, place.shift[1]) for effector in key.effectors),
    )


def _along(actor: Actor, key: Key, shape: BodyShape) -> Key:
    """A key of a motion: its soles stay as high as they are, and every target goes with its joint."""
    body, old = load_body(actor.build.body), actor.build.shape

    def lifted(pose: Pose) -> Pose:
        frame = pose.root_position[None], pose.rotations[None]
        return _raised(pose, float(sole_heights(body, old, *frame)[0] - sole_heights(body, shape, *frame)[0]))

    return replace(_with_targets(actor, key, shape, lifted(key.pose)), base_pose=lifted(key.base_pose))


def _with_targets(actor: Actor, key: Key, shape: BodyShape, pose: Pose) -> Key:
    """The key in a pose of the new shape; every target goes with its joint."""
    body = load_body(actor.build.body)
    before = forward_kinematics(body.skeleton(actor.build.shape), key.pose).positions
    moved = forward_kinematics(body.skeleton(shape), pose).positions - before

    def carried(effector: Effector) -> Effector:
        return effector.carried(Rigid.move(moved[body.skeleton(shape).index(effector.joint)]))

    return replace(key, pose=pose, effectors=tuple(carried(effector) for effector in key.effectors))


def _raised(pose: Pose, metres: float) -> Pose:
    return Pose(pose.root_position + np.array([0.0, metres, 0.0], np.float32), pose.rotations) if metres else pose


def _heights(body: Body, shape: BodyShape) -> dict[str, float]:
    """How high the joints of the feet are above the sole at rest, metres."""
    rig = body.rig(shape)
    sole = lowest_sole_point(body, shape, rest_pose(rig))
    return {name: float(rig.rest_positions[rig.index(name)][1]) - sole for name in rig.names_of(FEET)}


def _standing(effector: Effector, before: dict[str, float], after: dict[str, float], floor: float) -> Effector:
    """floor: the height of the clip's own space above the floor, metres."""
    if not effector.holds_joint or effector.joint not in before:
        return effector
    old, new = before[effector.joint], after[effector.joint]
    if abs(float(effector.target[1]) + floor - old) > STANDING or old == new:
        return effector
    return replace(effector, target=effector.target + np.array([0, new - old, 0], dtype=np.float32))
