"""Which characters an edit has to have solved, in which groups, and the edits that put solvers' answers in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from app.document import edits
from app.document.model.actor import Actor
from app.document.model.character import Character
from app.document.model.document import Document
from app.document.model.figure import joints_of
from app.document.model.history import Edit, History
from app.document.model.prop import Prop as Thing
from app.document.model.prop_clip import changed_frames
from app.document.posing.loose_effectors import asked_more_firmly, only_gives_up
from app.document.posing.solving import is_proposal, residuals_of
from app.document.posing.sources import character_with_resolved_targets
from app.document.posing.tied_groups import Group, tied_groups
from app.services.clock import time_of
from app.services.solve_service import Slot
from app.services.view_state import ViewState
from solver.effectors.effector import Effector
from solver.effectors.resolve import NO_PROPS, Prop
from solver.effectors.sources import PropSource
from solver.errors import PoserError
from solver.ik.multi_solve.only_limb import LimbHold
from solver.ik.problem import Residual
from solver.ik.solution import Answer, IKSolution
from solver.kinematics.pose import Pose
from solver.kinematics.rigid_motion import RigidMotion

ROUNDING = 1e-6  # metres, and in entries of matrices
BESIDE_M = 0.4  # metres between joints of two people, from which on their bodies may meet


def slots_to_solve(before: Document, document: Document) -> set[Slot]:
    """The characters that an edit changed, if it edited a pose or how every frame is solved; and keys of theirs posed
    anew elsewhere, as when keys are moved over a motion, or lying on a prop that it changed."""
    old = {actor.id: actor for actor in before.actors}
    slots = set()
    for actor, character in zip(document.actors, document.characters, strict=True):
        was, frame = old.get(actor.id), character.frame
        same_keys = was is not None and was.clip.keys is actor.clip.keys
        if was is not actor and (same_keys or actor.clip.key(frame) is not None):
            slots.add((actor.id, frame))
        if was is not None and not same_keys:
            slots |= {(actor.id, frame) for frame in _posed_anew(was, actor)}
    return slots | _on_changed_props(before, document)


def asked_for_less(before: Document, document: Document, slots: Collection[Slot]) -> tuple[Character, ...]:
    """The people among the slots, as they are, of whom an edit asks less than before and nothing else.

    document: as it is looked at; before may be looked at elsewhere.
    """
    return tuple(now for was, now in _among(before, document, slots) if only_gives_up(was, now))


def asked_as_posed(before: Document, document: Document, slots: Collection[Slot]) -> tuple[Character, ...]:
    """The people among the slots, as they are, of whom an edit only asks to stay as they are shown: all that it asks
    anew or more firmly is met there. What else is asked of them is as far from met as before."""
    return tuple(now for was, now in _among(before, document, slots) if _has_what_is_asked(was, now, document))


def _has_what_is_asked(was: Character, now: Character, document: Document) -> bool:
    asked = asked_more_firmly(was, now)
    if not asked or is_proposal(now):
        return False
    left = _residuals(document, now)
    return all(
        residual.state == "met" for effector, residual in zip(now.effectors, left, strict=True) if effector.id in asked
    )


class CarriedAlong(NamedTuple):
    """Somebody whom a prop that was moved took along over the floor. asked: as they are, with what was asked of them
    taken along likewise. residuals: of what is asked of them now, as they are. stays: whether that is met, and nothing
    is in their way."""

    person: Character
    asked: Character
    residuals: tuple[Residual, ...]
    stays: bool


def carried_along(before: Document, document: Document, slots: Collection[Slot]) -> Iterator[CarriedAlong]:
    """The people among the slots whom a prop that was moved took along over the floor."""
    if before.props is document.props:
        return
    for was, now in _among(before, document, slots):
        (turn, root), (turned, there) = ((one.pose.rotations[0], one.pose.root_position) for one in (was, now))
        same = np.array_equal(was.pose.rotations[1:], now.pose.rotations[1:]) and was.pose != now.pose
        if same and abs(float(there[1] - root[1])) < ROUNDING:
            way, left = RigidMotion.between(turn, root, turned, there), _residuals(document, now)
            asked = replace(now, effectors=tuple(effector.moved_by(way) for effector in was.effectors))
            met = all(residual.state != "unreachable" for residual in left)
            yield CarriedAlong(now, asked, left, met and not _is_in_the_way_of(now, document))


def _is_in_the_way_of(person: Character, document: Document) -> bool:
    """Whether anything is on or close to somebody that their body may not pass through."""
    from app.document.posing.dependents import touches
    from app.document.posing.placing import skin_of
    from app.document.posing.surroundings import solid_surroundings

    around, joints = solid_surroundings(document, person), joints_of(person).positions
    apart = (np.linalg.norm(joints[:, None] - joints_of(other).positions, axis=-1) for other in around.people)
    if any(float(each.min()) < BESIDE_M for each in apart):
        return True
    return bool(around.props) and any(touches(skin_of(person), prop) for prop in around.props)


def _among(before: Document, document: Document, slots: Collection[Slot]) -> Iterator[tuple[Character, Character]]:
    """The people among the slots who were there before, as they were and as they are."""
    old = {actor.id: actor for actor in before.actors}
    for now in document.characters:
        if (now.id, now.frame) in slots and now.id in old:
            yield old[now.id].at(now.frame), now


def missed_as_posed(person: Character, document: Document) -> float:
    """How far somebody of whom less is asked than before misses all else in the pose shown, metres and radians: at 0
    there is nothing to solve. A network's proposal alone is whatever the network says, infinitely far."""
    if is_proposal(person):
        return float("inf")
    return missed_in_all(_residuals(document, person))


def _residuals(document: Document, person: Character) -> tuple[Residual, ...]:
    from app.document.posing.surroundings import solid_surroundings

    there = character_with_resolved_targets(document, person)
    return residuals_of(there, solid_surroundings(document, there))


def missed_in_all(residuals: Iterable[Residual]) -> float:
    """How far what cannot be reached is missed, all together: metres and radians."""
    return sum(residual.value for residual in residuals if residual.state == "unreachable")


def props_by_id(document: Document) -> Mapping[str, Prop]:
    """The props that targets may lie on, by id."""
    if not document.props:
        return NO_PROPS
    from app.document.posing.touched_surfaces import props_of  # only once there are any

    return props_of(document)


def arms_alone(before: Document, history: History, view: ViewState, slots: Collection[Slot]) -> Mapping[Slot, LimbHold]:
    """What stays of people whose arms follow before anything else: a held prop, as a selected one was just moved, or
    their own hands, held another way at the floor; from where they were as the newest step began. Nobody's if posing is
    symmetric.

    before: the document before the newest edit. slots: of whom and when it has this to be solved.
    """
    if view.symmetry:
        return {}
    began, now = history.undo_document, history.document
    if not view.prop or not before.props:
        if all(one.at(frame).hands == other.at(frame).hands for one, other, frame in _at_slots(before, now, slots)):
            return {}
        from app.document.posing.holds.arms_first import arms_of_hands  # only once hands are shaped

        return arms_of_hands(began, before, now, slots)
    began, was, now = (each.at(view.frames) for each in (began, before, now))
    from app.document.posing.holds.arms_first import arms_on_moved_props  # only once there are any props

    return {(id, began.character(id).frame): hold for id, hold in arms_on_moved_props(began, was, now).items()}


def _at_slots(before: Document, document: Document, slots: Collection[Slot]) -> Iterator[tuple[Actor, Actor, int]]:
    """The people among the slots before and after, with the frame."""
    old = {actor.id: actor for actor in before.actors}
    return ((old[id], document.actor(id), frame) for id, frame in slots if id in old)


def slots_still_there(slots: Collection[Slot], document: Document) -> set[Slot]:
    """Those of the slots that still have something to solve: a key, or the frame looked at."""
    looked_at = {character.id: (actor, character.frame) for actor, character in _pairs(document)}
    return {
        (id, frame)
        for id, frame in slots
        if id in looked_at and (frame == looked_at[id][1] or looked_at[id][0].clip.key(frame) is not None)
    }


def groups_to_solve(slots: Collection[Slot], document: Document) -> Iterator[tuple[Character, Group, Document]]:
    """For each slot, the character there and all who are tied to it, and the document with props as they are then;
    people in another's group do not come again."""
    done: set[Slot] = set()
    for id, frame in sorted(slots):
        if (id, frame) in done:
            continue
        actor = document.actor(id)
        character, looked_at = actor.at(frame), frame == document.frames.get(id, 0)
        present = [character if c.id == id else c for c in document.characters]
        group = next(group for group in tied_groups(present) if any(c is character for c in group))
        done |= {(c.id, c.frame) for c in group}
        yield character, group, document if looked_at else document.with_props_at(time_of(actor, frame))


def _pairs(document: Document) -> Iterator[tuple[Actor, Character]]:
    return zip(document.actors, document.characters, strict=True)


def _on_changed_props(before: Document, document: Document) -> set[Slot]:
    """The slots that lie on a prop that is elsewhere at their time than before, or has another size: at keys, and at
    the frame looked at unless the prop's keys were changed elsewhere on the timeline."""
    if before.props is document.props:
        return set()
    old = {prop.id: prop for prop in before.props}
    both = {prop.id: (old[prop.id], prop) for prop in document.props if old.get(prop.id, prop) is not prop}
    here = {id: _was_placed_here(*pair, document.frames.get(pair[1].slot, 0)) for id, pair in both.items()}
    asked = [
        (actor, frame, effectors, keyed)
        for actor, character in (_pairs(document) if both else ())
        for frame, effectors, keyed in (
            (character.frame, character.effectors, False),
            *((key.frame, key.effectors, True) for key in actor.clip.keys),
        )
    ]
    return {
        (actor.id, frame)
        for actor, frame, effectors, keyed in asked
        for e in effectors
        if isinstance(e.source, PropSource) and e.is_active and e.source.prop in both
        if (keyed or here[e.source.prop]) and _has_moved(*both[e.source.prop], time_of(actor, frame))
    }


def _has_moved(before: Thing, after: Thing, time_s: float) -> bool:
    return bool(before.at_time(time_s).frame != after.at_time(time_s).frame)


def _was_placed_here(before: Thing, after: Thing, frame: int) -> bool:
    """Whether a prop was moved at this frame of its clip: those whose hands are on it get a key there as it does; one
    that has begun to move by that was moved at the frame at which it is elsewhere."""
    if after.clip is None or before.clip is after.clip:
        return True
    if before.clip is None:
        return after.clip.key(frame) is not None
    return changed_frames(before.clip, after.clip) == {frame} and after.clip.key(frame) is not None


def _posed_anew(was: Actor, actor: Actor) -> Iterator[int]:
    """The frames of keys over the same motion whose pose is none of the previous keys'."""
    if was.build != actor.build or was.clip.source is not actor.clip.source:
        return
    known = {id(key.pose) for key in was.clip.keys}
    yield from (
        key.frame for key in actor.clip.keys if id(key.pose) not in known and any(e.is_active for e in key.effectors)
    )


def _solution_edit(id: str, frame: int, solution: IKSolution, asked: tuple[Effector, ...] = ()) -> Edit:
    """The edit that folds in a solution at the frame it was asked for, whatever frame is looked at now."""
    fold = edits.with_solution(id, solution, asked)

    def edit(document: Document) -> Document:
        actor = document.actor(id)
        if actor.clip.key(frame) is None and _is_same(actor.at(frame).pose, solution.pose):
            return document  # somebody who was touched and has not moved: no key of theirs for that
        return fold(document.at_frame(id, frame)).at(document.frames)

    return edit


def _is_same(pose: Pose, other: Pose) -> bool:
    pairs = (pose.root_position, other.root_position), (pose.rotations, other.rotations)
    return all(np.allclose(a, b, rtol=0.0, atol=ROUNDING) for a, b in pairs)


def answers_edit(answers: Mapping[Slot, Answer]) -> Edit:
    """The edit that folds in the answers of several characters."""

    def edit(document: Document) -> Document:
        for (id, frame), answer in answers.items():
            document = _solution_edit(id, frame, answer.solution, answer.effectors)(document)
        return document

    return edit


def solve_failure_text(error: Exception) -> str:
    """Why a solve could not be done, one sentence."""
    return str(error) if isinstance(error, PoserError) else f"The solver failed: {error or type(error).__name__}."
