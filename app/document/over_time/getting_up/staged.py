"""Clips with the stages of getting up and lying down between their keys, as keys of their own for the solve alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.actor import Actor
from app.document.model.between import Frames, Gap, layered
from app.document.model.clip import Key
from app.document.model.finger_curve import hands_at
from app.document.model.placement import Placement
from app.document.over_time.getting_up.rising import Rising
from app.document.over_time.getting_up.routes import Low, down, in_time, stands
from app.document.over_time.getting_up.stage_poses import Build, bearing, on_the_trunk, settled, stage_pose
from app.document.over_time.getting_up.stages import Stage
from app.document.posing.solving import floor_of
from solver.body.catalog import load_body
from solver.effectors.effector import Effector
from solver.effectors.form_ids import AIM
from solver.effectors.kinds import Position
from solver.ik.multi_solve.between_keys import smoothed
from solver.kinematics.curves import each_eased
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose, Poses
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, LEGS, Role

Array = NDArray[np.float64]

LEAST_S, HURRY = 0.2, 0.5  # seconds between two stages at least, and of the time that they should take
PASSES_S, STANDS_S, STEP_S, WALK_S = 0.35, 0.35, 0.5, 1.5  # seconds to bring the foot ahead, to stand, and from there
PASSES, STANDS = 1, 4  # how needed these are, as `Stage.needed`
STAYS_M = 0.04  # metres by which what stays is moved at most
EVEN_S = 0.1  # seconds to each side over which what is found is smoothed
BEARS = "bears "  # begins the ids of effectors that say what bears the body


class Part(NamedTuple):
    """A stage of the way up. stage: one of the table; None of the end of the way. needed, seconds: as in `Stage`."""

    stage: Stage | None
    needed: int
    seconds: float


def with_stages(actor: Actor, lift: Placement, about: Collection[int] | None = None) -> Actor:
    """The actor with stages as further keys between those where it gets up or lies down; itself if there are none.
    lift: how its clip is raised for the floor of the world to be its own, as everywhere here. about: frames that are to
    be solved, which need the stages between the keys around them and next to these alone; None for all."""
    clip = actor.clip
    if clip.source is not None or not clip.between.steps or _build_at(actor, clip.keys[0].frame) is None:
        return actor
    pairs = list(pairwise(clip.keys))
    asked = [about is None or any(one.frame <= at <= other.frame for at in about) for one, other in pairs]
    needed = [pair for number, pair in enumerate(pairs) if any(asked[max(number - 1, 0) : number + 2])]
    made = [key for pair in needed for key in _stages(actor, pair, lift)]
    if not made:
        return actor
    keys = tuple(sorted((*clip.keys, *made), key=lambda key: key.frame))
    return replace(actor, clip=replace(clip, keys=keys, solved=()))


def solved_between(actor: Actor, gap: Gap, lift: Placement, frames: Frames) -> Poses:
    """The poses of frames in a row between two stages, or a stage and a key: on the curves of the joints, with what
    bears the body at both ends in its place, and no skin in the floor."""
    build = _build_at(actor, int(frames[0]))
    assert build is not None
    near = [key for key in gap.keys[1:3] if key is not None]
    worlds = [forward_kinematics(build.rig, lift.pose(key.pose)) for key in near]
    shares = each_eased((frames - near[0].frame) / (near[1].frame - near[0].frame)).tolist()
    bases = [lift.pose(pose) for pose in layered(actor.clip, gap, frames).each()]
    builds = [_build_at(actor, frame) or build for frame in frames.tolist()]
    bases = on_the_trunk(builds, bases, worlds)
    ways = list(_held(near, build.rig, worlds))
    held = [{role: one + share * (other - one) for role, one, other in ways} for share in shares]
    even = _evened(bases, settled(builds, bases, held), round(EVEN_S * actor.clip.fps))
    back = lift.inverse
    return Poses.of([back.pose(pose) for pose in settled(builds, even, held)])


def _evened(bases: Sequence[Pose], found: Sequence[Pose], margin: int) -> list[Pose]:
    """The base poses with what was found beside them, smoothed over `margin` frames to each side: each was found on its
    own, and a limb may come round something sooner in one frame than in the next."""
    under, above = Poses.of(bases), Poses.of(found)
    moved = np.pad(above.roots - under.roots, ((margin, margin), (0, 0)))
    turned = to_rotation_vector(np.swapaxes(under.rotations, -1, -2) @ above.rotations)
    turned = np.pad(turned, ((margin, margin), (0, 0), (0, 0)))
    roots = under.roots + smoothed(moved, margin)
    rotations = under.rotations @ from_rotation_vector(smoothed(turned, margin))
    return Poses(roots.astype(np.float32), rotations.astype(np.float32)).each()


def goes_on(actor: Actor, gap: Gap, lift: Placement) -> bool:
    """Whether a gap of a staged clip has no stage at either end but one at which somebody stands, and goes on from
    there as anybody does."""
    rig = rig_of(load_body(actor.build.body).skeleton(actor.build.shape))
    near = [key for key in gap.keys[1:3] if key is not None]
    if not any(effector.id.startswith(BEARS) for key in near for effector in key.effectors):
        return True
    return all(stands(rig, forward_kinematics(rig, lift.pose(key.pose))) for key in near)


def without_bearers(gap: Gap) -> Gap:
    """The gap with nothing in its keys but what they ask for."""
    before, one, other, after = (
        key and replace(key, effectors=tuple(e for e in key.effectors if not e.id.startswith(BEARS)))
        for key in gap.keys
    )
    return gap._replace(keys=(before, one, other, after))


def _build_at(actor: Actor, frame: int) -> Build | None:
    """The actor's body with its fingers as at a frame; None if the floor is not solid to it, or it lacks joints that
    the stages place."""
    body, shape = load_body(actor.build.body), actor.build.shape
    floor = floor_of(actor.build.body, shape, hands_at(actor.clip, frame), actor.posing.solver_options)
    rig = rig_of(body.skeleton(shape))
    limbs = [*(limb.line for limb in ARMS), *((*limb.line, limb.tip) for limb in LEGS)]
    if floor is None or rig.lacking([Role.NECK, Role.SPINE3, *(role for limb in limbs for role in limb)]):
        return None
    return Build(rig, actor.build.body, shape, floor)


def _stages(actor: Actor, pair: tuple[Key, Key], lift: Placement) -> Iterator[Key]:
    """The stages between two keys, as far as there is time for them."""
    build, fps = _build_at(actor, pair[0].frame), actor.clip.fps
    assert build is not None
    poses = [lift.pose(key.pose) for key in pair]
    worlds = [forward_kinematics(build.rig, pose) for pose in poses]
    up = [stands(build.rig, world) for world in worlds]
    if up[0] == up[1]:
        return
    high = up.index(True)
    ankles = worlds[high].positions[[build.rig.joint(leg.end) for leg in LEGS]].astype(np.float64)
    low = down(build.rig, worlds[1 - high], ankles)
    if low is None:
        return
    rising = Rising.to(build, poses[high], low.frame)
    parts = [Part(stage, stage.needed, stage.seconds) for stage in low.stages] + [Part(None, PASSES, PASSES_S)]
    parts += [Part(None, STANDS, STANDS_S)] if rising.steps else []
    last = Part(None, STANDS, WALK_S if rising.walks else STEP_S)
    frames = pair[1].frame - pair[0].frame
    kept = in_time([(part.needed, part.seconds) for part in (*parts, last)], frames, fps, LEAST_S, HURRY)[:-1]
    gone = np.cumsum([parts[each].seconds for each in kept]) / (sum(parts[e].seconds for e in kept) + last.seconds)
    shares = gone if high == 1 else 1.0 - gone
    at = [pair[0].frame + round(share * frames) for share in shares.tolist()]
    if len({pair[0].frame, *at, pair[1].frame}) < len(at) + 2:  # too few frames a second to tell them apart
        return
    builds = [_build_at(actor, frame) or build for frame in at]
    made = _poses(builds, [parts[each] for each in kept], low, rising)
    for frame, (pose, bears) in zip(at, made, strict=True):
        yield replace(_key(build.rig, pair, frame, pose, bears, lift), hands=hands_at(actor.clip, frame))


def _poses(
    builds: Sequence[Build], parts: Sequence[Part], low: Low, rising: Rising
) -> Iterator[tuple[Pose, frozenset[Role]]]:
    """The pose of each part, and what bears the body there. builds: of each, with its fingers as they are then."""
    bore, before = frozenset[Role](), rising.goal
    for build, part in zip(builds, parts, strict=True):
        if part.stage is not None:
            bears = bearing(part.stage, low.frame.first)
            world = forward_kinematics(build.rig, before)
            stays = {role: world.positions[build.rig.joint(role)].astype(np.float64) for role in bears & bore}
            bore, before = bears, stage_pose(build, part.stage, low.frame, stays)
            yield before, bears
            continue
        then = rising.standing(build, before) if rising.steps else rising.goal
        yield then if part.needed == STANDS else rising.passing(build, before, then), rising.bears


def _key(rig: Rig, pair: tuple[Key, Key], frame: int, pose: Pose, bears: frozenset[Role], lift: Placement) -> Key:
    """A stage as a key. Where somebody stands, what the keys ask for is asked of the joints as they are there."""
    world, near = forward_kinematics(rig, pose), min(pair, key=lambda key: abs(key.frame - frame))
    made: list[Effector] = [
        Position(rig.name(role), world.positions[rig.joint(role)], id=f"{BEARS}{role}") for role in sorted(bears)
    ]
    if stands(rig, world):
        asked = [e for key in pair for e in key.effectors if e.is_active and e.source is None]
        named = {(e.id, e.joint, e.kind): e.at_pose(rig, world) for e in asked if e.form != AIM}
        made += named.values()
    back = lift.inverse
    shown = back.pose(pose)
    return Key(frame, shown, shown, tuple(map(back.effector, made)), near.preserve)


def _held(keys: Sequence[Key], rig: Rig, worlds: Sequence[WorldJoints]) -> Iterator[tuple[Role, Array, Array]]:
    """What bears the body at one of two keys, and is at the same place at the other: where it is at both."""
    for joint in sorted({e.joint for key in keys for e in key.effectors if e.id.startswith(BEARS)}):
        one, other = (world.positions[rig.index(joint)].astype(np.float64) for world in worlds)
        role = rig.role_of(joint)
        if role is not None and np.linalg.norm(other - one) < STAYS_M:
            yield role, one, other
