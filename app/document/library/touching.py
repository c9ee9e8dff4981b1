"""People of a pose who touch each other: what they hold comes along, on whatever builds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.library.bent_down import bent_down
from app.document.library.clear_limbs import clear_of
from app.document.library.nearness import IN_THE_AIR, body_here, way_between
from app.document.library.pose_files import held_on_others
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.contact_patches import contact_of, on_skin, patches_of
from app.document.posing.create import new_character
from app.document.posing.fitting_effectors import following
from app.document.posing.holds.retying import retied
from app.document.posing.placing import lowest_skin
from app.document.posing.solving import problem_of, with_solution
from app.document.posing.sources import context_of, with_resolved_targets
from app.document.posing.surroundings import balls_of, surroundings_of
from app.document.posing.tied_groups import Group, answers_of, tied_groups
from app.document.posing.touched_surfaces import props_of
from solver.contact.intersections import Skinned, intersections
from solver.contact.obstacles import OtherBody
from solver.contact.skins import skin
from solver.contact.solid_body import arms_alone
from solver.contact.touching import lying_joints
from solver.effectors.contact import Contact, other_side
from solver.effectors.effector import Effector
from solver.effectors.resolve import carrying_joint
from solver.effectors.sources import JointSource, SkinSource, Tie
from solver.formats.pose_json.pose_file import PosePerson
from solver.ik.memory import FRESH
from solver.ik.multi_solve.only_limb import only_arms
from solver.kinematics.fk import WorldJoints
from solver.kinematics.mirror import BODY_PLANE, mirror_rotation
from solver.kinematics.pose import Pose, pose_moved, rest_pose
from solver.kinematics.rotations import geodesic_angle
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS
from solver.solvers.catalog import usable_solver
from solver.values import changed

Vector = NDArray[np.float64]
Told = Callable[[float], object]

MET, DEEP, FURTHEST = 0.002, 0.02, 0.1  # metres
SINKS, HIGHEST = 0.003, 0.02  # metres
LIES, BESIDE = 0.03, 0.003  # metres
SHALLOW = 0.01  # metres that people may be in each other without another try
STAYS = 0.01  # radians that joints may turn without being in another's way anew
MEETING, CLEARING = 0.1, 0.5  # of the time that it takes


class _Answer(NamedTuple):
    """People as they would hold each other. depths: (V,) metres of each that their skin is in their own and others'."""

    document: Document
    depths: tuple[NDArray[np.float64], ...]

    @property
    def deepest(self) -> float:
        """Metres, at most."""
        return max(float(depths.max()) for depths in self.depths)


class Held(NamedTuple):
    """A patch of one person's skin on another person, both by their number among the file's people."""

    holder: int
    patch: str
    owner: int
    source: Tie


def holds_of(people: Sequence[PosePerson], flipped: bool = False) -> tuple[Held, ...]:
    """What a file's people hold each other by. flipped: as seen in the mirror."""
    numbers = {person.id: number for number, person in enumerate(people) if person.id}
    found = [
        Held(number, held.patch, numbers[held.source.character], held.source)
        for number, person in enumerate(people)
        for held in held_on_others(person, people)
        if isinstance(held.source, Tie) and not held.around
    ]
    return tuple(found) if not flipped else tuple(_seen(each, people) for each in found)


def holding(document: Document, ids: Sequence[str], people: Sequence[PosePerson], holds: Sequence[Held]) -> Document:
    """The document in which people, by their ids in the file's order, are asked to hold each other as there; what is
    not there on their body is left out."""
    for number, patch, owner, source in holds:
        holder, known = document.character(ids[number]), patches_of(document.character(ids[number]))
        if patch not in known:
            continue
        contact = replace(contact_of(known[patch], np.zeros(3), np.zeros(3)), source=source)
        tied = retied(contact, holder.id, document.character(ids[owner]), people[owner].body)
        if isinstance(tied, Contact) and tied.source is not None:
            document = edits.hold(holder.id, tied)(document)
    return with_resolved_targets(document)


def held_by_arms(document: Document, ids: Sequence[str], told: Told | None = None) -> Document:
    """The document with people solved who hold each other: by their arms alone if these reach, else by all of them,
    unless that brings them into each other; and then with arms clear of the others, where hands still get to what they
    hold. Who are in each other even so stand further apart, or the taller bends down, if that helps. told(share): how
    far it has come, 0..1; what that raises ends it."""
    for group in tied_groups([document.character(id) for id in ids]):
        if len(group) < 2:
            continue
        ids = [each.id for each in group]
        if _all_met(document, group):
            if (met := _measured(document, ids)).deepest > DEEP:
                document = min(met, _limbs_clear(met, ids), key=lambda each: each.deepest).document
            continue
        hear = told or (lambda _share: None)
        best = _held(document, group, helped=True, told=hear)
        if best.deepest > DEEP and _has_moved(best.document, group):
            best = min(best, _held(document, group, helped=False, told=hear), key=lambda each: each.deepest)
        if best.deepest > DEEP:
            moved = _further_apart(document, group, min(best.deepest, FURTHEST))
            best = min(best, _held(*moved, helped=True, told=hear), key=lambda each: each.deepest)
        if best.deepest > DEEP and (bent := bent_down(group)) is not None:
            lower = with_resolved_targets(document.with_character(bent))
            there = tuple(lower.character(each.id) for each in group)
            best = min(best, _held(lower, there, helped=True, told=hear), key=lambda each: each.deepest)
        if best.deepest > SHALLOW:
            best = min(best, _limbs_clear(best, ids), key=lambda each: each.deepest)
        document = best.document
    return document


def _has_moved(document: Document, group: Group) -> bool:
    """Whether the bodies of people have moved, and not their arms alone."""
    return any(np.abs(document.character(e.id).pose.root_position - e.pose.root_position).max() > MET for e in group)


def _further_apart(document: Document, group: Group, far: float) -> tuple[Document, Group]:
    """All but the first so many metres further away from them, along the floor; and who they are then."""
    first, *others = group
    for other in others:
        way = far * way_between(first.pose, other.pose)
        document = document.with_character(following(other, pose_moved(other.pose, way)))
    document = with_resolved_targets(document)
    return document, tuple(document.character(each.id) for each in group)


def _held(document: Document, group: Group, helped: bool, told: Told) -> _Answer:
    """helped: whether the body helps where arms alone do not reach."""

    def hurried() -> bool:
        told(MEETING)
        return False

    arms = {
        person.id: replace(only_arms(skeleton_of(person), person.pose), gives_way=helped, together=helped)
        for person in group
    }
    cameras = tuple(photo.camera for photo in document.photos)
    around, props = surroundings_of(document, group), props_of(document)
    answers = answers_of(group, {}, cameras, holds=arms, surroundings=around, props=props, hurried=hurried)
    for person in group:
        solved = with_solution(person, answers[person.id].solution, answers[person.id].effectors)
        document = document.with_character(following(solved, solved.pose))
    return _apart(with_resolved_targets(document), [each.id for each in group], told)


def _limbs_clear(answer: _Answer, group: Sequence[str]) -> _Answer:
    """People with their arms, and the legs of whoever is carried, out of the others, one after the other."""
    document = answer.document
    for id in group:
        person, others = document.character(id), [_skinned(document.character(each)) for each in group if each != id]
        limbs = (*ARMS, *LEGS) if lowest_skin(person) > IN_THE_AIR else ARMS
        skeleton = skeleton_of(person)
        held = [each for each in person.effectors if isinstance(each, Contact) and isinstance(each.source, Tie)]

        def lying(
            world: WorldJoints, held: Sequence[Contact] = held, skeleton: Skeleton = skeleton
        ) -> list[tuple[int, Vector]]:
            return [(skeleton.index(each.joint), each.held_at(skeleton, world).astype(np.float64)) for each in held]

        pose = clear_of(_skinned(person), limbs, others, lying)
        if pose is not person.pose:
            document = with_resolved_targets(document.with_character(following(person, pose)))
    return answer if document is answer.document else _measured(document, group)


def _skinned(person: Character) -> Skinned:
    return Skinned(body_of(person), person.shape, person.pose, person.hands)


def _cleared(document: Document, id: str, group: Sequence[str]) -> Document:
    """The document with somebody's arms out of the others, who stay as they are; unless hands would miss them more."""
    person, alone = document.character(id), document
    for other in group:
        if other != id:
            alone = alone.with_character(replace(document.character(other), effectors=()))
    hold = only_arms(skeleton_of(person), person.pose)
    problem = problem_of(person, hold=hold, surroundings=surroundings_of(alone, [person]).get(id))
    obstacles = problem.obstacles
    if obstacles is None:
        return document
    touches = tuple(
        changed(touch, depths=(*((j, LIES) for j in touch.skin), *((j, BESIDE) for j in touch.beside)))
        for touch in obstacles.touches
        if touch.others
    )
    others = [] if _on_arms(document, group) else [document.character(other) for other in group if other != id]
    around = tuple(OtherBody(arms_alone(balls_of(other)), joints_of(other)) for other in others)
    problem = changed(problem, obstacles=changed(obstacles, touches=touches, shown=joints_of(person), others=around))
    solver = usable_solver(person.solver, problem).solver
    solution = solver.solve(problem, FRESH.with_default_pose(person.pose), person.solver_options)
    return document.with_character(following(person, solution.pose))


def _all_met(document: Document, group: Sequence[Character]) -> bool:
    """Whether their contacts are where they should be already, as on the builds that a pose was made for."""
    return all(
        effector.residual(skeleton_of(person), joints_of(person)) < MET
        for person in map(document.character, (each.id for each in group))
        for effector in person.effectors
        if isinstance(effector, Contact) and effector.is_active and isinstance(effector.source, Tie)
    )


def _apart(document: Document, group: Sequence[str], told: Told) -> _Answer:
    """People out of each other as far as their arms get them out, their hands on the skin."""
    first = _measured(_all_cleared(document, group, told), group)
    if first.deepest <= SHALLOW:
        return first
    second = _measured(_all_cleared(_raised(first, group), group, told), group)
    return min(first, second, key=lambda each: each.deepest)


def _all_cleared(document: Document, group: Sequence[str], told: Told) -> Document:
    """The document with everybody's arms out of the others, and once more out of those who have moved since then."""
    seen: dict[str, list[Pose]] = {}
    for id in (*group, *group):
        around = [document.character(other).pose for other in group if other != id]
        if id in seen and all(map(_stayed, seen[id], around)):
            continue
        seen[id] = around
        told(CLEARING)
        document = with_resolved_targets(_cleared(document, id, group))
    return document


def _stayed(before: Pose, now: Pose) -> bool:
    return before is now or float(geodesic_angle(before.rotations, now.rotations).max()) < STAYS


def _measured(document: Document, group: Sequence[str]) -> _Answer:
    skinned = [_skinned(document.character(id)) for id in group]
    return _Answer(document, tuple(depths for _, depths in intersections(skinned, floor=False)))


def _raised(answer: _Answer, group: Sequence[str]) -> Document:
    """The document with hands asked to lie higher on others by what they are within these: backs are not flat."""
    document = answer.document
    for person, deep in zip([document.character(id) for id in group], answer.depths, strict=True):
        effectors = tuple(_higher(person, each, deep) for each in person.effectors)
        document = document.with_character(replace(person, effectors=effectors))
    return with_resolved_targets(document)


def _higher(person: Character, effector: Effector, depths: NDArray[np.float64]) -> Effector:
    source = effector.source
    if not (isinstance(effector, Contact) and isinstance(source, SkinSource) and source.character != person.id):
        return effector
    skeleton = skeleton_of(person)
    hand, _ = lying_joints(skeleton, skeleton.index(effector.joint))
    deep = float(depths[np.isin(body_of(person).weights.argmax(axis=1), sorted(hand))].max(initial=0.0))
    return replace(effector, source=replace(source, lift=min(source.lift + max(deep - SINKS, 0.0), HIGHEST)))


def _on_arms(document: Document, group: Sequence[str]) -> bool:
    """Whether any of these people holds another one by the arm."""
    context = context_of(document)
    effectors = [effector for id in group for effector in document.character(id).effectors]
    held = [e.source for e in effectors if isinstance(e, Contact) and e.is_active]
    joints = [carrying_joint(source, context) for source in held if isinstance(source, Tie)]
    arms = {role for arm in ARMS for role in arm.joints[1:]}
    return any(rig_of(skeleton_of(document.character(id))).role_of(joint) in arms for joint in joints for id in group)


def missed_by(asked: Document, first: str, other: str) -> Vector:
    """(3,) metres: how far somebody would have to move for what is held between the two, in the mean."""
    ways = []
    for holder, owner, sign in ((other, first, 1.0), (first, other, -1.0)):
        person = asked.character(holder)
        for effector in person.effectors:
            source = effector.source
            if isinstance(effector, Contact) and isinstance(source, Tie) and source.character == owner:
                patch = effector.held_at(skeleton_of(person), joints_of(person))
                ways.append(sign * (effector.target.astype(np.float64) - patch))
    return np.mean(ways, axis=0) if ways else np.zeros(3)


def _seen(held: Held, people: Sequence[PosePerson]) -> Held:
    owner, source = people[held.owner], held.source
    if isinstance(source, JointSource):
        source = replace(
            source,
            joint=rig_of(owner.skeleton).mirrored_name(source.joint),
            offset=BODY_PLANE.joint_vectors(source.offset),
            turn=mirror_rotation(source.turn),
        )
    else:
        source = _skin_seen(source, owner)
    return held._replace(patch=other_side(held.patch), source=source)


def _skin_seen(source: SkinSource, owner: PosePerson) -> SkinSource:
    """The point of skin on the other side of the owner's body."""
    body = body_here(owner)
    at_rest = new_character(Document(), "", body.id, owner.shape, rest_pose(body.skeleton(owner.shape)))
    touched = skin(body, owner.shape, at_rest.hands)
    at, _ = touched.point_at(source.triangle, source.shares, joints_of(at_rest))
    found, _, _ = on_skin(at_rest, BODY_PLANE.points(at))
    return replace(found, character=source.character, lift=source.lift)
