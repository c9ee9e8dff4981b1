"""Clips with the stages of getting up and lying down between their keys, as keys of their own for the solve alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from app.document.model.actor import Actor
from app.document.model.between import Frames, Gap
from app.document.model.clip import Key
from app.document.model.finger_curve import hands_at
from app.document.model.placement import Placement
from app.document.over_time.getting_up.limb_ways import Hold, Ways, with_limbs
from app.document.over_time.getting_up.plans import BEARS, plan_between
from app.document.over_time.getting_up.rolled_over import rolled_over
from app.document.over_time.getting_up.routes import down, in_time, limbs_s, stands, upright
from app.document.over_time.getting_up.seats import LEVEL_M, Posture, Thing, seated, shared_top
from app.document.over_time.getting_up.stage_poses import Build, let_down, on_the_floor, settled, sunk, yielding
from app.document.over_time.getting_up.stages import Part
from app.document.posing.solving import floor_of
from solver.body.catalog import load_body
from solver.contact.balance import mass_shares
from solver.effectors.effector import Effector
from solver.effectors.form_ids import AIM
from solver.effectors.kinds import Position
from solver.ik.multi_solve.between_keys import evened
from solver.kinematics.curves import curve_through, each_eased, rotation_curve_through
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose, Poses
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, LEGS, Role

Array = NDArray[np.float64]

LEAST_S, HURRY = 0.2, 0.45  # seconds between two stages at least, and of the time that they should take
LEFT_OUT = 0.6  # of the time of what is left out, that is taken for what follows
STAYS_M = 0.04  # metres by which what stays is moved at most
EVEN_S = 0.1  # seconds to each side over which what is found is smoothed
BULK = (Role.PELVIS, *(leg.root for leg in LEGS))  # of a body, that is on a bed all in all, whatever else hangs over
HANGS_M = 0.06  # metres below the top of a bed, from which on what hangs over its edge keeps out of it
ON_BOTH = 0.15  # legs that the ankles are high at most of who stands on both feet
OFF_M, RAISED = 0.05, 0.4  # metres that what is below feet is high at most, beside a bed; upward share of a trunk


def with_stages(
    actor: Actor, lift: Placement, about: Collection[int] | None = None, things: Sequence[Thing] = ()
) -> Actor:
    """The actor with stages as further keys between those where it gets up or lies down; itself if there are none.
    lift: how its clip is raised for the floor of the world to be its own, as everywhere here. about: frames that are to
    be solved, which need the stages between the keys around them and next to these alone; None for all. things: what it
    lies or sits on, as everywhere here."""
    clip = actor.clip
    if clip.source is not None or not clip.between.steps or _build_at(actor, clip.keys[0].frame) is None:
        return actor
    pairs = list(pairwise(clip.keys))
    asked = [about is None or any(one.frame <= at <= other.frame for at in about) for one, other in pairs]
    needed = [pair for number, pair in enumerate(pairs) if any(asked[max(number - 1, 0) : number + 2])]
    made = [key for pair in needed for key in _stages(actor, pair, lift, things)]
    if not made:
        return actor
    keys = tuple(sorted((*clip.keys, *made), key=lambda key: key.frame))
    return replace(actor, clip=replace(clip, keys=keys, solved=()))


class Run:
    """The way from one key through stages in a row to the next at which somebody stands, or which the user set; without
    stages the joints' own, on the floor."""

    def __init__(self, actor: Actor, first: int, last: int, lift: Placement, things: Sequence[Thing] = ()) -> None:
        clip, build = actor.clip, _build_at(actor, first, things)
        assert build is not None
        self._fps, self._lift, self._frames = clip.fps, lift, np.arange(first, last + 1)
        self._builds = [_build_at(actor, frame, things) or build for frame in self._frames.tolist()]
        keys = [key for key in clip.keys if first <= key.frame <= last]
        before, after = clip.around(first)[0], clip.around(last)[3]
        around = [key for key in (before, *keys, after) if key is not None]
        times, (roots, rotations) = [key.frame for key in around], Poses.of([lift.pose(key.pose) for key in around])
        bases = Poses(
            curve_through(times, roots, self._frames, even=True).astype(np.float32),
            rotation_curve_through(times, rotations, self._frames, even=True).astype(np.float32),
        ).each()
        knots = [key.frame for key in keys]
        worlds = [forward_kinematics(build.rig, lift.pose(key.pose)) for key in keys]
        self._builds = sunk(self._builds, (worlds[0], worlds[-1]), clip.fps)
        on_thing = any(seated(build.rig, worlds[end], things) is not None for end in (0, -1))
        if things:
            self._builds = yielding(self._builds, (worlds[0], worlds[-1]), clip.fps)
        bears = any(effector.id.startswith(BEARS) for key in keys for effector in key.effectors)
        lies = not bears and not on_thing and min(map(build.floor.lowest, (worlds[0], worlds[-1]))) > -LEVEL_M
        if len(knots) == 2:
            bases = _turned_over(bases)
        for a, b in pairwise(knots):
            part = slice(a - first, b - first + 1)
            bases[part] = on_the_floor(self._builds[part], bases[part], legs=lies)
        holds = list(_holds(keys, build.rig, worlds))
        mass = mass_shares(load_body(build.body), build.shape)
        ways = Ways(build.rig, build.floor, self._frames, tuple(knots), tuple(holds), clip.fps, mass, build.beneath)
        if on_thing:
            # On a bed limbs go as the joints do: they bear nobody, and knees and feet could not both go straight.
            off = [knot for knot, world in zip(knots, worlds, strict=True) if _feet_are_off(build, world)]
            if len(off) > 1:
                part = slice(off[0] - first, off[-1] - first + 1)
                ways = ways._replace(frames=self._frames[part], knots=tuple(off), limbs=LEGS, seated=True)
                bases[part] = with_limbs(ways, Poses.of(bases[part])).each()
        elif len(knots) > 2:
            if (
                not bears
            ):  # who turns over rolls as the joints do, with the hands out of the floor; who sits up lifts feet
                sits = any(upright(build.rig, worlds[end]) for end in (0, -1))
                ways = ways._replace(limbs=LEGS if sits else ARMS, seated=True)
            bases = with_limbs(ways, Poses.of(bases)).each()
        self._bases = bases if on_thing else let_down(self._builds, bases, round(EVEN_S * clip.fps))
        self._held = [
            {hold.role: _place_of(build.rig, hold, frame, pose) for hold in holds if hold.over(np.array([frame])).all()}
            for frame, pose in zip(self._frames.tolist(), self._bases, strict=True)
        ]

    def solved(self, frames: Frames) -> Poses:
        """The poses of frames in a row: what bears the body is in its place, and no skin in the floor."""
        margin, first = round(EVEN_S * self._fps), int(frames[0] - self._frames[0])
        start, own = max(first - margin, 0), slice(first, first + len(frames))
        wide, inside = slice(start, own.stop + margin), slice(first - start, own.stop - start)
        builds = [build.ready() for build in self._builds[wide]]
        found = settled(builds, self._bases[wide], self._held[wide])
        even = evened(Poses.of(self._bases[wide]), Poses.of(found), margin).each()
        found = settled(builds[inside], even[inside], self._held[own])
        return Poses.of([self._lift.inverse.pose(pose) for pose in found])


def ground_between(
    actor: Actor, frames: tuple[int, int], lift: Placement, things: Sequence[Thing]
) -> tuple[Placement, Sequence[Thing]]:
    """How the clip has to be raised for what is under somebody at two keys to be its floor, and the things around them:
    on a bed at both, they go on it as on the floor, and there is nothing else; who sits on its edge at one goes over
    that, with the feet on the floor. frames: those of the keys."""
    keys = [key for at in frames if (key := actor.clip.key(at)) is not None]
    builds = [build for key in keys if (build := _build_at(actor, key.frame)) is not None]
    if not things or len(builds) < 2:
        return lift, things
    worlds = [forward_kinematics(builds[0].rig, lift.pose(key.pose)) for key in keys]
    on = [seated(builds[0].rig, world, things) for world in worlds]
    if any(each and each.posture is Posture.SITS for each in on):
        return lift, things
    bulk = np.isin(builds[0].floor.carriers, [builds[0].rig.joint(role) for role in BULK])
    skins = [build.floor.places(world)[bulk] for build, world in zip(builds, worlds, strict=True)]
    top = shared_top(worlds, skins, things)
    if not top:
        return lift, things
    hangs = min(build.floor.lowest(world) for build, world in zip(builds, worlds, strict=True)) < top - HANGS_M
    lower = np.array([0.0, -top, 0.0], np.float32)
    solids = [
        thing._replace(solids=tuple(replace(solid, place=solid.place + lower) for solid in thing.solids))
        for thing in things
    ]
    return Placement(shift=(0.0, lift.shift[1] - top, 0.0)), solids if hangs else ()


def _feet_are_off(build: Build, world: WorldJoints) -> bool:
    """Whether the trunk is up and both feet are beside what somebody sits on; those of who lies may be over its end."""
    trunk = world.positions[build.rig.joint(Role.NECK)] - world.positions[0]
    ankles = world.positions[[build.rig.joint(leg.end) for leg in LEGS]]
    return bool(trunk[1] > RAISED * np.linalg.norm(trunk) and build.beneath(ankles).max() < OFF_M)


def _turned_over(poses: Sequence[Pose]) -> list[Pose]:
    """Poses in a row of somebody who goes from lying to lying, if so, turned as people turn over."""
    shares = each_eased(np.linspace(0.0, 1.0, len(poses)))
    turns = rolled_over(poses[0].rotations[0], poses[-1].rotations[0], shares)
    if turns is None:
        return list(poses)
    every = Poses.of(poses)
    rotations = np.concatenate([turns[:, None].astype(np.float32), every.rotations[:, 1:]], axis=1)
    return every._replace(rotations=rotations).each()


def goes_on(actor: Actor, gap: Gap, lift: Placement) -> bool:
    """Whether somebody stands at both ends of a gap between stages, and goes on from there as anybody does."""
    rig = rig_of(load_body(actor.build.body).skeleton(actor.build.shape))
    near = [key for key in gap.keys[1:3] if key is not None]
    seat = frozenset(
        f"{BEARS}{leg.end}" for leg in LEGS
    )  # both feet bear in the stages of getting up from a seat alone
    if any(seat <= {e.id for e in key.effectors} for key in near):
        return False
    ankles = [rig.joint(leg.end) for leg in LEGS]
    worlds = [forward_kinematics(rig, lift.pose(key.pose)) for key in near]
    return all(stands(rig, world) and world.positions[ankles, 1].max() < ON_BOTH * rig.leg_length for world in worlds)


def turns_over(actor: Actor, gap: Gap, lift: Placement) -> bool:
    """Whether somebody is down on the floor at both keys around a gap, on another part of the body at each."""
    near, build = [key for key in gap.keys[1:3] if key is not None], _build_at(actor, gap.first)
    if len(near) < 2 or build is None or actor.clip.source is not None or not actor.clip.between.steps:
        return False
    ankles = [build.rig.joint(leg.end) for leg in LEGS]
    worlds = [forward_kinematics(build.rig, lift.pose(key.pose)) for key in near]
    lows = [down(build.rig, world, world.positions[ankles].astype(np.float64)) for world in worlds]
    return lows[0] is not None and lows[1] is not None and lows[0].stages != lows[1].stages


def without_bearers(gap: Gap) -> Gap:
    """The gap with nothing in its keys but what they ask for."""
    before, one, other, after = (
        key and replace(key, effectors=tuple(e for e in key.effectors if not e.id.startswith(BEARS)))
        for key in gap.keys
    )
    return gap._replace(keys=(before, one, other, after))


def _build_at(actor: Actor, frame: int, things: Sequence[Thing] = ()) -> Build | None:
    """The actor's body with its fingers as at a frame; None if the floor is not solid to it, or it lacks joints that
    the stages place."""
    body, shape = load_body(actor.build.body), actor.build.shape
    hands = hands_at(actor.clip, frame)
    floor = floor_of(actor.build.body, shape, hands, actor.posing.solver_options)
    rig = rig_of(body.skeleton(shape))
    limbs = [*(limb.line for limb in ARMS), *((*limb.line, limb.tip) for limb in LEGS)]
    if floor is None or rig.lacking([Role.NECK, Role.SPINE3, *(role for limb in limbs for role in limb)]):
        return None
    return Build(rig, actor.build.body, shape, floor, tuple(each for thing in things for each in thing.solids), hands)


def _stages(actor: Actor, pair: tuple[Key, Key], lift: Placement, things: Sequence[Thing]) -> Iterator[Key]:
    """The stages between two keys, as far as there is time; one to which a limb goes far gets more of it."""
    lift, things = ground_between(actor, (pair[0].frame, pair[1].frame), lift, things)
    build, fps = _build_at(actor, pair[0].frame, things), actor.clip.fps
    assert build is not None
    plan = plan_between(build, [lift.pose(key.pose) for key in pair], things)
    if plan is None:
        return
    parts, last, frames = plan.parts, plan.last, pair[1].frame - pair[0].frame
    kept = in_time([(part.needed, part.seconds) for part in (*parts, last)], frames, fps, LEAST_S, HURRY)[:-1]
    if not kept:
        return
    spans = np.array([_seconds(parts[a:b]) for a, b in pairwise([0, *(each + 1 for each in kept)])])
    spans = np.append(spans, _seconds([*parts[kept[-1] + 1 :], last]))
    builds = [_build_at(actor, frame, things) or build for frame in _shared_out(spans, pair, plan.high)]
    made = list(plan.made(builds, [parts[each] for each in kept]))
    ends = [lift.pose(key.pose) for key in pair]
    poses = [ends[1 - plan.high], *(pose for pose, _ in made), ends[plan.high]]
    at = _shared_out(np.maximum(spans, limbs_s(build.rig, poses)), pair, plan.high)
    if len({pair[0].frame, *at, pair[1].frame}) < len(at) + 2:  # too few frames a second to tell them apart
        return
    for frame, (pose, bears) in zip(at, made, strict=True):
        yield replace(_key(build.rig, pair, frame, pose, bears, lift), hands=hands_at(actor.clip, frame))


def _shared_out(spans: Array, pair: tuple[Key, Key], high: int) -> list[int]:
    """The frames of the stages between two keys, by the seconds that each takes, and what follows the last. high: the
    index of the key at which somebody is further up."""
    gone = np.cumsum(spans)[:-1] / spans.sum()
    shares = gone if high == 1 else 1.0 - gone
    return [pair[0].frame + round(share * (pair[1].frame - pair[0].frame)) for share in shares.tolist()]


def _seconds(parts: Sequence[Part]) -> float:
    """Seconds that the last of some parts takes where those before it are left out."""
    return parts[-1].seconds + LEFT_OUT * sum(part.seconds for part in parts[:-1])


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


def _place_of(rig: Rig, hold: Hold, frame: int, pose: Pose) -> Array:
    """(3,) metres where what bears is held at a frame: a knee where it has rolled to in that pose."""
    if hold.role in [leg.hinge for leg in LEGS]:
        return forward_kinematics(rig, pose).positions[rig.joint(hold.role)].astype(np.float64)
    return hold.at(np.array([frame]))[0]


def _holds(keys: Sequence[Key], rig: Rig, worlds: Sequence[WorldJoints]) -> Iterator[Hold]:
    """What bears the body at one of two keys, and is at the same place at the other."""
    named = [{e.joint for e in key.effectors if e.id.startswith(BEARS)} for key in keys]
    for joint in sorted(set().union(*named)):
        number, role = rig.index(joint), rig.role_of(joint)
        assert role is not None
        places = np.array([world.positions[number] for world in worlds], np.float64)
        turns = np.array([world.rotations[number] for world in worlds], np.float64)
        near = np.linalg.norm(np.diff(places, axis=0)[:, [0, 2]], axis=1) < STAYS_M
        stays = [
            joint in one | other and bool(still) for (one, other), still in zip(pairwise(named), near, strict=True)
        ]
        for does, group in groupby(range(len(stays)), lambda gap, stays=stays: stays[gap]):  # type: ignore[misc]
            gaps = list(group)
            if does:
                own = slice(gaps[0], gaps[-1] + 2)
                yield Hold(role, tuple(key.frame for key in keys[own]), places[own], turns[own])
