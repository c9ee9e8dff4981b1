"""Edits that are done later than they were asked for, when somebody may have been posed meanwhile."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document.edits.contacts import released
from app.document.model.actor import actor_of, with_clip
from app.document.model.document import Character, Document
from app.document.model.history import Edit
from app.document.model.placement import Placement
from app.document.posing.placing import carried_pose
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.kinematics.rigid_motion import RigidMotion

SAME_M = 1e-4  # metres, along an axis: less is rounding


def done_later(edit: Edit, asked: Document) -> Edit:
    """The edit for a later document than the one it was asked for.

    A move of whole people puts them where it was to put them from how they were at its start, in whatever pose that
    was. Those posed since then keep what was posed, and are moved as they are; those moved since, as by a move that
    waited before this one, keep what this one does not change. asked: at any frames.
    """

    def later(now: Document) -> Document:
        before, done = asked.at(now.frames), edit(now)
        since = {actor.id: actor for actor in before.actors}
        posed = [actor.id for actor in now.actors if since.get(actor.id, actor) is not actor]
        if not posed or done is now:
            return done
        wanted = edit(before)
        still_there = {actor.id for actor in wanted.actors} & {actor.id for actor in done.actors}
        for id in sorted(still_there.intersection(posed)):
            kept = _moved_since(now.character(id), before.character(id), wanted.character(id))
            done = done if kept is None else done.with_character(kept)
        return done

    return later


def _moved_since(now: Character, before: Character, wanted: Character) -> Character | None:
    """Somebody as they are now, moved as from `before` to `wanted`; None if that is no move of a whole person."""
    start, end = before.base_pose, wanted.base_pose  # no solve changes a base pose
    same = np.array_equal(start.rotations[1:], end.rotations[1:]) and before.shape == wanted.shape
    if not same or start == end:
        return None
    let_go = _contacts(before) - _contacts(wanted)
    now = released(now, sorted(let_go & _contacts(now)))
    if wanted.clip.placement != before.clip.placement:
        there = with_clip(now, actor_of(now).clip.placed(_placement(now, before, wanted)), now.frame)  # motion, too
    else:
        way = RigidMotion.between(start.rotations[0], start.root_position, end.rotations[0], end.root_position)
        there = replace(
            now, pose=carried_pose(now.pose, way), base_pose=carried_pose(now.base_pose, way),
            effectors=tuple(effector.moved_by(way) for effector in now.effectors),
        )  # fmt: skip
    return replace(there, effectors=_as_wanted(there.effectors, now, before, wanted))


def _placement(now: Character, before: Character, wanted: Character) -> Placement:
    """The placement that is wanted; of somebody who was moved since, only along the axes and about the vertical if that
    is what it changes, so that a number typed for one axis leaves the others as they are now."""
    place, old, new = (each.clip.placement for each in (now, before, wanted))
    if place == old:
        return new
    here, was, there = (each.pose.root_position.astype(np.float64) for each in (now, before, wanted))
    turned = place if new.turn == old.turn else place.turned(new.turn - place.turn, here)
    return turned.moved(np.where(np.abs(there - was) > SAME_M, there - here, 0.0))


def _contacts(character: Character) -> set[str]:
    return {e.id for e in character.effectors if isinstance(e, Contact)}


def _as_wanted(
    moved: tuple[Effector, ...], now: Character, before: Character, wanted: Character
) -> tuple[Effector, ...]:
    """The effectors that were moved along, but those that nobody touched since as the edit leaves them: a contact that
    holds on is not moved."""
    old, present = ({e.id: e for e in each.effectors} for each in (before, now))
    new = {e.id: e for e in wanted.effectors}
    untouched = {id for id, e in old.items() if present.get(id) == e}
    kept = [new.get(e.id) if e.id in untouched else e for e in moved]
    return (*(e for e in kept if e is not None), *(e for id, e in new.items() if id not in old))
