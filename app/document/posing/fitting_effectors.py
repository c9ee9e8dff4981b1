"""Effectors that fit a pose: made where the joint is, or moved along with it, so that nothing pulls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.identity import free_ids, next_effector_id
from app.document.posing.solving import floor_of
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import type_of
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.rig.fewer_joints import unbent
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS, Role

Vector = NDArray[np.float64]
LIES_LEVEL = 0.7  # the sine of the steepest trunk that lies, and of the steepest legs of somebody across an edge


def new_effector(
    character: Character, kind: str, joint: str, id: str = "", tolerance: float = 0.0, loose: bool = False
) -> Effector:
    """An effector of that kind that holds the joint as it is now; the target of a look lies 1 m ahead.

    loose: one that follows the joint instead. Raises UnknownName for a joint or a kind that does not exist.
    """
    held = type_of(kind).on(skeleton_of(character), joint, joints_of(character))
    if isinstance(held, Contact):
        from app.document.posing.contact_patches import on_own_patch  # not needed to show the window

        held = on_own_patch(character, held)
    return replace(held, tolerance=tolerance, loose=loose, id=id or next_effector_id(character))


def new_effectors(character: Character, kind: str, joints: Iterable[str]) -> tuple[Effector, ...]:
    """One effector for each joint as `new_effector` makes it, each with an id of its own."""
    made: list[Effector] = []
    for joint in joints:
        made.append(new_effector(character, kind, joint))
        character = replace(character, effectors=(*character.effectors, made[-1]))
    return tuple(made)


def following(character: Character, pose: Pose) -> Character:
    """The character in `pose`, also as base pose, with every effector moved along: a solve changes nothing.

    Targets to look at keep their distance.
    """
    skeleton = skeleton_of(character)
    pose = unbent(skeleton, pose)
    before, after = forward_kinematics(skeleton, character.pose), forward_kinematics(skeleton, pose)
    effectors = tuple(effector.at_pose(skeleton, after, before) for effector in character.effectors)
    return replace(character, pose=pose, base_pose=pose, effectors=effectors)


def with_feet_as_it_lies(character: Character, before: Pose) -> Character:
    """The character, which took a whole pose, with ankles that are loose if its trunk now lies on the solid floor.

    before: the pose that it was in. Ankles are strict again once it has got up, from a prop as well; while it stays
    down, or up, they are as the user has them, and pins and contacts stay in any case.
    """
    down, names = lies_on_floor(character, character.pose), ankles_of(character)
    if down == lies_on_floor(character, before):
        got_up = not down and is_trunk_level(character, before) and not is_trunk_level(character, character.pose)
        if not (got_up and all(e.loose for e in character.effectors if e.joint in names and e.source is None)):
            return character
    return with_ankles(character, loose=down)


def with_ankles(character: Character, loose: bool) -> Character:
    """The character with effectors of the ankles that are loose, or that are not, but for pins and contacts."""
    names = ankles_of(character)

    def eased(effector: Effector) -> Effector:
        return replace(effector, loose=loose) if effector.joint in names and effector.source is None else effector

    return replace(character, effectors=tuple(map(eased, character.effectors)))


def ankles_of(character: Character) -> tuple[str, ...]:
    """The ankles' names."""
    return rig_of(skeleton_of(character)).names_of([leg.end for leg in LEGS])


def is_trunk_level(character: Character, pose: Pose) -> bool:
    """Whether the line from pelvis to chest is level in a pose, more or less, as of who lies."""
    rig, world = rig_of(skeleton_of(character)), forward_kinematics(skeleton_of(character), pose)
    pelvis, chest = (world.positions[rig.joint(role)].astype(np.float64) for role in (Role.PELVIS, Role.SPINE3))
    return is_level(pelvis, chest)


def is_level(one: Vector, other: Vector) -> bool:
    """Whether the line between two places, (3,) metres, is level, more or less."""
    return abs(float(other[1] - one[1])) < LIES_LEVEL * float(np.linalg.norm(other - one))


def lies_on_floor(character: Character, pose: Pose) -> bool:
    """Whether its trunk or its seat is on the floor in a pose, and the floor is solid."""
    floor = floor_of(character.body, character.shape, character.hands, character.solver_options)
    if floor is None:
        return False
    from solver.ik.stance.lying import bed_of

    return bool(bed_of(skeleton_of(character), floor, pose).bears)


def with_ids(effectors: tuple[Effector, ...]) -> tuple[Effector, ...]:
    """The effectors, with fresh ids for those without one or with a repeated one."""
    fresh = free_ids("e", (effector.id for effector in effectors))
    seen: set[str] = set()
    result = []
    for effector in effectors:
        id = effector.id if effector.id and effector.id not in seen else next(fresh)
        seen.add(id)
        result.append(effector if id == effector.id else replace(effector, id=id))
    return tuple(result)
