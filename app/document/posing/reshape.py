"""Another body or shape for a character: it stays on the floor, or its pelvis stays put, and its effectors follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.document.model.actor import Actor, Build, actor_of, with_clip
from app.document.model.clip import Key, SourceMotion
from app.document.model.document import Character
from app.document.model.hand_effectors import refingered
from app.document.model.stride import leg_ratio, path_change, stride_of, striding
from app.document.posing.create import at_ease
from solver.body.body import Body, BodyShape
from solver.body.catalog import load_body
from solver.body.floor import STANDS_WITHIN, keep_sole_on_floor, lowest_point, lowest_sole_point, sole_heights
from solver.body.hands import skin_with
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, pose_moved, rest_pose
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import geodesic_angle
from solver.rig.fewer_joints import unbent, unbent_motion
from solver.rig.rig import Rig
from solver.rig.roles import ARMS, FEET
from solver.values import FloatArray

Way = NDArray[np.float64]  # (3,) metres
AT_EASE = 0.03  # radians that a joint of an arm that hangs may be off
STANDING = 0.05  # metres: a foot whose target is this near to its height at rest stands on the floor


def reshaped(character: Character, shape: BodyShape) -> Character:
    """The character with another shape, lifted so that soles on the floor stay there.

    A still pose that stands goes on standing. In a motion every frame keeps the height of its lowest sole: jumps stay
    what they were, and nothing leaps where a foot comes down. Its path is scaled as the legs are, so that planted feet
    stay planted.
    """
    if shape == character.shape:
        return character
    moving = actor_of(character).clip.source is not None
    return _rebuilt(character, Build(character.body, shape), _along if moving else _standing_on)


def embodied(character: Character, body: str, shape: BodyShape) -> Character:
    """The character in another body, in its pose. What is on the floor stays there; every target goes with its joint.

    In a motion every frame keeps the height of its lowest sole. In the body it already has, it is `reshaped`.
    """
    if body == character.body:
        return reshaped(character, shape)
    moving = actor_of(character).clip.source is not None
    return _rebuilt(character, Build(body, shape), _along if moving else _in_its_pose)


def resized(character: Character, shape: BodyShape) -> Character:
    """The character with another shape about its pelvis, which stays where it is; every target goes with its joint.

    A motion's path is scaled as the legs are, about where it is at this frame.
    """

    def about_pelvis(actor: Actor, key: Key, build: Build, way: Way) -> Key:
        moved = _with_targets(actor, key, build, pose_moved(key.pose, way))
        return replace(moved, base_pose=pose_moved(key.base_pose, way))

    if shape == character.shape:
        return character
    other = _rebuilt(character, Build(character.body, shape), about_pelvis)
    source, after = character.clip.source, other.clip.source
    if source is None or after is None or source.stride == after.stride:
        return other
    back = other.clip.placement.rigid.turn @ path_change(after, source, character.frame)
    return with_clip(other, other.clip.placed(other.clip.placement.moved(back)), character.frame)


def _rebuilt(character: Character, build: Build, change: Callable[[Actor, Key, Build, Way], Key]) -> Character:
    """change: makes a key of one in the old build, given also how far the source motion moves at its frame, except to
    another body."""
    actor = actor_of(character)
    from app.document.posing.contact_patches import refitted_key  # not needed to show the window

    old, bodies = actor.build, (load_body(actor.build.body), load_body(build.body))
    fingered = (
        refingered(key, (bodies[0], old.shape, key.hands), (bodies[1], build.shape, key.hands))
        for key in actor.clip.keys
    )
    was, source = actor.clip.source, None
    if was is not None:
        source = striding(actor, build) if build.body == old.body else _on_other_body(actor, build)

    def brought(key: Key) -> Key:
        way = np.zeros(3)
        if was is not None and source is not None and build.body == old.body:
            way = path_change(was, source, key.frame)
        return refitted_key(change(actor, key, build, way), build.body, build.shape)

    keys = tuple(map(brought, fingered))
    clip = replace(actor.clip, keys=keys, source=source)
    return replace(actor, build=build, clip=clip if source is None else clip.within_bounds()).at(character.frame)


def _on_other_body(actor: Actor, build: Build) -> SourceMotion:
    """A source motion on another build: its soles as high as on the body it was made for, its steps scaled with the
    legs."""
    source, body = actor.clip.source, actor.build.body
    assert source is not None
    motion, stride = source.motion, 1.0 if source.stride == 1.0 else stride_of(actor)
    roots = _in_stride(source, leg_ratio(build, Build(body, source.shape)), motion.root_positions)
    on_it = unbent_motion(_rig(build), replace(motion, root_positions=roots.astype(np.float32)))
    before, after = (
        sole_heights(load_body(of), shape, each.root_positions, each.rotations)
        for of, shape, each in ((body, source.shape, motion), (build.body, build.shape, on_it))
    )
    raised = on_it.root_positions.astype(np.float64)
    raised[:, 1] += before - after
    on_it = replace(on_it, root_positions=raised.astype(np.float32))
    return replace(source, motion=on_it, shape=build.shape, stride=stride)


def _in_stride(source: SourceMotion, ratio: float, roots: FloatArray) -> NDArray[np.float64]:
    """(..., 3) metres, the roots of a clip with its path over the floor scaled about the source's first frame."""
    start, moved = source.motion.root_positions[0], np.array(roots, np.float64)
    moved[..., [0, 2]] = start[[0, 2]] + ratio * (moved[..., [0, 2]] - start[[0, 2]])
    return moved


def _in_its_pose(actor: Actor, key: Key, build: Build, way: Way) -> Key:
    """A still pose on another body. If it touches the floor, it does so with the new body's lowest point."""
    place, old, new = actor.clip.placement, _skin(actor.build), _skin(build)

    def lifted(pose: Pose) -> Pose:
        drawn = _with_arms_hanging(actor.build, build, key, unbent(_rig(build), pose))
        before, after = (
            lowest_point(*of, place.pose(each), rest=skin_with(*of, key.hands))
            for of, each in ((old, pose), (new, drawn))
        )
        return _raised(drawn, before - after) if abs(before) < STANDS_WITHIN else drawn

    return replace(_with_targets(actor, key, build, lifted(key.pose)), base_pose=lifted(key.base_pose))


def _with_arms_hanging(was: Build, build: Build, key: Key, pose: Pose) -> Pose:
    """The pose with arms that hang as those of a new person hang, which depends on how broad they are; nothing changes
    for arms that are held or were moved."""
    rigs, hanging = (_rig(was), _rig(build)), [at_ease(*_skin(each)).rotations for each in (was, build)]
    turns, held = pose.rotations.copy(), {e.joint for e in key.effectors if e.is_active}
    for arm in ARMS:
        if any(rig.lacking(arm.joints) for rig in rigs) or held & set(rigs[0].names_of(arm.joints)):
            continue
        before, after = ([rig.index(role) for role in arm.joints] for rig in rigs)
        if geodesic_angle(turns[after], hanging[0][before]).max() < AT_EASE:
            turns[after] = hanging[1][after]
    return pose if np.array_equal(turns, pose.rotations) else Pose(pose.root_position, turns)


def _rig(build: Build) -> Rig:
    return load_body(build.body).rig(build.shape)


def _skin(build: Build) -> tuple[Body, BodyShape]:
    return load_body(build.body), build.shape


def _standing_on(actor: Actor, key: Key, build: Build, way: Way) -> Key:
    """A still pose. Effectors keep their targets, except for feet that stand: their joints' height above the sole
    differs from body to body, and their targets rise or sink by that difference.
    """
    (body, old), place, shape = _skin(actor.build), actor.clip.placement, build.shape
    before, after = _heights(body, old), _heights(body, shape)

    def lifted(pose: Pose) -> Pose:
        world = place.pose(pose)
        on_floor = keep_sole_on_floor(body, old, shape, world)
        hanging = _with_arms_hanging(actor.build, build, key, pose)
        return _raised(hanging, float(on_floor.root_position[1] - world.root_position[1]))

    return replace(
        key,
        pose=lifted(key.pose),
        base_pose=lifted(key.base_pose),
        effectors=tuple(_standing(effector, before, after, place.shift[1]) for effector in key.effectors),
    )


def _along(actor: Actor, key: Key, build: Build, way: Way) -> Key:
    """A key of a motion: its soles stay as high as they are, and every target goes with its joint."""
    old, new, source = _skin(actor.build), _skin(build), actor.clip.source

    def lifted(pose: Pose) -> Pose:
        drawn = unbent(_rig(build), pose)
        before, after = (
            sole_heights(*of, each.root_position[None], each.rotations[None])[0]
            for of, each in ((old, pose), (new, drawn))
        )
        return _raised(drawn, float(before - after))

    def brought(pose: Pose) -> Pose:
        if build.body == actor.build.body:
            return lifted(pose_moved(pose, way))
        assert source is not None
        worn = Build(actor.build.body, source.shape) if source.stride == 1.0 else actor.build
        root = _in_stride(source, leg_ratio(build, worn), pose.root_position)
        return lifted(Pose(root.astype(np.float32), pose.rotations))

    return replace(_with_targets(actor, key, build, brought(key.pose)), base_pose=brought(key.base_pose))


def _with_targets(actor: Actor, key: Key, build: Build, pose: Pose) -> Key:
    """The key in a pose of the new build; every target goes with its joint, or with the point held."""
    old, new = (load_body(each.body).skeleton(each.shape) for each in (actor.build, build))
    before, after = forward_kinematics(old, key.pose), forward_kinematics(new, pose)
    held_before = next(each.effectors for each in actor.clip.keys if each.frame == key.frame)

    def carried(effector: Effector, was: Effector) -> Effector:
        j = new.index(effector.joint)
        way = after.positions[j] - before.positions[j]
        if isinstance(effector, PointEffector) and isinstance(was, PointEffector):
            way = effector.held_at(new, after) - was.held_at(old, before)
        return effector.moved_by(RigidMotion.move(way))

    return replace(key, pose=pose, effectors=tuple(map(carried, key.effectors, held_before)))


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
