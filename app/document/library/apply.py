"""Taking a pose from the library: whole or in part, flipped or not, here or where the file has it, by any share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.library.nearness import IN_THE_AIR, as_near, body_here
from app.document.library.staying import on_seat, on_standing_foot
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, skeleton_of
from app.document.model.history import Edit
from app.document.posing.create import new_character
from app.document.posing.fingertips import with_hands
from app.document.posing.fitting_effectors import following, with_feet_as_it_lies
from app.document.posing.mirroring import heading
from app.document.posing.placing import lowest_skin
from solver.body.body import Body, BodyShape
from solver.body.floor import lowest_point
from solver.body.hands import Hands, hands_at_rest, skin_with
from solver.body.whole_rig import FINGER_JOINTS
from solver.effectors.resolve import tied_figures
from solver.formats.pose_json.pose_file import PoseFile, PosePerson
from solver.kinematics.mirror import MirrorPlane
from solver.kinematics.pose import Pose, pose_between, pose_moved
from solver.kinematics.rotations import from_rotation_vector, interpolate
from solver.rig.mirroring import mirror_pose
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS

ALL = 1.0


@dataclass(frozen=True)
class Taking:
    """How a pose is taken. flipped: with left and right exchanged. place: where the file has it, and facing as there.

    joints: names of those that take it, None for all; without the root among them, people stay where they are.
    share: 0..1, how far people go from their present pose.
    """

    flipped: bool = False
    place: bool = False
    joints: frozenset[str] | None = None
    share: float = ALL


@dataclass(frozen=True)
class Goal:
    """The pose somebody is to take. lowest: how far above the floor the lowest point of their skin is, metres.

    hands: how they hold their fingers; None: as they do now. placed: whether it is taken there, wherever they sit.
    """

    pose: Pose
    lowest: float
    hands: Hands | None = None
    placed: bool = False


def take_pose(character_id: str, content: PoseFile, taking: Taking) -> Edit:
    """Pose a character like the file's first person; effectors and what hands are around follow, and the base pose is
    the new one.

    Further people of the file pose the other characters and, if there are too few, new ones. A part of a pose is for
    that character alone. A body of another build has its lowest point as high as the file's body has it. Then people
    hold each other as there.
    """
    return edits.chain(take_pose_alone(character_id, content, taking), take_hold(character_id, content, taking))


def take_pose_alone(character_id: str, content: PoseFile, taking: Taking) -> Edit:
    """As `take_pose`, but nobody holds anybody yet; quick."""

    def edit(document: Document) -> Document:
        before, goals = goals_of(document, character_id, content, taking)
        document = before
        for id, goal in goals.items():
            document = document.with_character(moved_toward(document.character(id), goal, taking.share))
        for id in goals:
            document = edits.taking_held_along(before, document, id)
        return _let_go_of(document, goals)

    return edit


def take_hold(
    character_id: str, content: PoseFile, taking: Taking, told: Callable[[float], object] | None = None
) -> Edit:
    """Let people who took a pose for several hold each other as in the file. told: called now and then with a share
    0..1; what it raises ends the edit."""

    def edit(document: Document) -> Document:
        if not is_held(content, taking):
            return document
        from app.document.library.touching import held_by_arms, holding, holds_of  # they bring compiled code along

        holds = holds_of(content.people, taking.flipped)
        ids = _there(document, document.character(character_id), len(content.people))
        return held_by_arms(holding(document, ids, content.people, holds), ids, told)

    return edit


def is_held(content: PoseFile, taking: Taking) -> bool:
    """Whether people who take a pose so are to hold something: not with a part of it, or a part of the way."""
    return taking.share >= ALL and taking.joints is None and any(person.effectors for person in content.people)


def goals_of(
    document: Document, character_id: str, content: PoseFile, taking: Taking
) -> tuple[Document, dict[str, Goal]]:
    """The document with everybody the poses need, and the goal of each by id. UnknownName for an unknown id."""
    active = document.character(character_id)
    if taking.joints is not None:
        pose = _brought([content.people[0]], active, taking)[0]
        return document, {active.id: _part(active, pose, _hands_of(content.people[0], taking), taking.joints)}
    poses = _brought(content.people, active, taking)
    document, ids = _with_enough(document, active, content.people, poses)
    lowest = [_lowest(body_here(person), person.shape, person.pose, person.hands) for person in content.people]
    hands = [_hands_of(person, taking) for person in content.people]
    here = list(map(document.character, ids))
    poses = _brought([_fitted(*each) for each in zip(content.people, here, strict=True)], active, taking)
    if len(poses) == 1 and not taking.place:
        up = np.array([0.0, lowest[0] - _lowest(body_of(active), active.shape, poses[0], hands[0]), 0.0])
        return document, {active.id: Goal(on_standing_foot(active, pose_moved(poses[0], up)), lowest[0], hands[0])}
    goals = dict(zip(ids, map(Goal, poses, lowest, hands, [True] * len(poses)), strict=True))
    return document, goals if len(goals) < 2 else _beside(document, goals, content, taking)


def _fitted(person: PosePerson, character: Character) -> PosePerson:
    """Somebody of a file in the pose that looks on a character's build as it does there."""
    there, here = body_here(person), body_of(character)
    if there is here and person.shape == character.shape:
        return person
    from app.document.library.fitted import fitted_pose  # it brings compiled code along

    hands = character.hands if person.hands is None else person.hands
    return replace(person, pose=fitted_pose(person, there, here, character.shape, hands))


def _let_go_of(document: Document, goals: Collection[str]) -> Document:
    """The document in which others hold people who took a pose, by their ids, only where these still are."""
    for other in document.characters:
        if other.id not in goals and not tied_figures(other.effectors).isdisjoint(goals):
            from app.document.posing.holds.taken_poses import with_holds_that_are_there  # it brings compiled code along

            document = with_holds_that_are_there(document, other.id)
    return document


def _beside(document: Document, goals: dict[str, Goal], content: PoseFile, taking: Taking) -> dict[str, Goal]:
    """The goals with further people as near to the first as in the file: who is in the air there where they are held,
    if they are, and who stands on the floor."""
    ids, people = list(goals), content.people
    here = [moved_toward(document.character(id), goals[id]) for id in ids]
    if all(one.body == each.body and one.shape == each.shape for one, each in zip(people, here, strict=True)):
        return goals
    from app.document.library.touching import holding, holds_of, missed_by

    for each in here:
        document = document.with_character(each)
    asked = holding(document, ids, people, holds_of(people, taking.flipped))
    moved = dict(goals)
    for id, person, now in list(zip(ids, people, here, strict=True))[1:]:
        missed = missed_by(asked, ids[0], id)
        way = as_near((people[0], person), (here[0], now), missed)
        up = missed[1] if goals[id].lowest > IN_THE_AIR else 0.0
        pose = pose_moved(now.pose, way + np.array([0.0, up, 0.0]))
        moved[id] = replace(goals[id], pose=pose, lowest=goals[id].lowest + up)
    return moved


def moved_toward(character: Character, goal: Goal, share: float = ALL) -> Character:
    """The character moved a share of the way from its pose to a goal."""
    body, shape, now = body_of(character), character.shape, character.pose
    if share <= 0.0:
        return character
    pose = pose_between(now, goal.pose, share)
    start = _lowest(body, shape, now, character.hands) if share < ALL else 0.0
    if goal.hands is not None:
        character = with_hands(character, _hands_between(character.hands, goal.hands, share))
    lift = start + share * (goal.lowest - start) - _lowest(body, shape, pose, character.hands)
    pose = pose_moved(pose, np.array([0.0, lift, 0.0]))
    taken = following(character, pose if goal.placed else on_seat(character, pose))
    return with_feet_as_it_lies(taken, character.pose)


def _lowest(body: Body, shape: BodyShape, pose: Pose, hands: Hands | None) -> float:
    return lowest_point(body, shape, pose, rest=skin_with(body, shape, hands))


def _brought(people: Sequence[PosePerson], active: Character, taking: Taking) -> list[Pose]:
    """The people's poses as `taking` asks: flipped, and brought together to where the active character is."""
    first = people[0].pose
    poses = [person.pose for person in people]
    if taking.flipped:
        angle = heading(first.rotations[0])
        plane = MirrorPlane.across(np.array([np.cos(angle), 0.0, -np.sin(angle)]), first.root_position)
        poses = [mirror_pose(person.skeleton, person.pose, plane) for person in people]
    if taking.place:
        return poses
    turn = from_rotation_vector([0.0, heading(active.pose.rotations[0]) - heading(first.rotations[0]), 0.0])
    here = np.array([1.0, 0.0, 1.0]) * active.pose.root_position
    there = np.array([1.0, 0.0, 1.0]) * first.root_position
    return [_turned(pose, turn, there, here) for pose in poses]


def _hands_of(person: PosePerson, taking: Taking) -> Hands | None:
    return person.hands.mirrored() if person.hands is not None and taking.flipped else person.hands


def _hands_between(now: Hands | None, goal: Hands, share: float) -> Hands:
    if share >= ALL:
        return goal
    turns = interpolate((now or hands_at_rest()).rotations, goal.rotations, share)
    return Hands(turns.astype(np.float32))


def _part(character: Character, pose: Pose, hands: Hands | None, joints: frozenset[str]) -> Goal:
    """The character with the pose at those joints alone, fingers with their wrist; on the floor if it was there."""
    now = character.pose
    chosen = np.array([name in joints for name in skeleton_of(character).names])
    rotations = np.where(chosen[:, None, None], pose.rotations, now.rotations)
    held = None
    if hands is not None:
        name = rig_of(skeleton_of(character)).name
        chosen_fingers = [role for arm in ARMS if name(arm.end) in joints for role in arm.fingers]
        taken = np.isin(FINGER_JOINTS, chosen_fingers)
        before = (character.hands or hands_at_rest()).rotations
        held = Hands(np.where(taken[:, None, None], hands.rotations, before)) if taken.any() else None
    return Goal(Pose(now.root_position, rotations), lowest_skin(character), held)


def _with_enough(
    document: Document, active: Character, people: Sequence[PosePerson], poses: Sequence[Pose]
) -> tuple[Document, list[str]]:
    """The document with a character for each of the poses, and their ids."""
    ids = _there(document, active, len(people))
    for person, pose in list(zip(people, poses, strict=True))[len(ids) :]:
        added = new_character(document, person.name, active.body, person.shape, pose)
        document = edits.add_character(added)(document)
        ids.append(added.id)
    return document, ids


def _there(document: Document, active: Character, count: int) -> list[str]:
    """The ids of at most so many people who take a pose along with the active one, who is first."""
    free = [c.id for c in document.characters if c.id != active.id and c.visible and not c.locked]
    return [active.id, *free][:count]


def _turned(pose: Pose, turn: NDArray[np.floating], there: NDArray[np.floating], here: NDArray[np.floating]) -> Pose:
    root = turn @ (pose.root_position - there) + here
    rotations = np.array(pose.rotations)
    rotations[0] = turn @ pose.rotations[0]
    return Pose(root.astype(np.float32), rotations)
