"""Edits of one character's effectors. Each function returns an edit; the body moves when it is solved next."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from app.document.model.actor import Actor
from app.document.model.clip import Key
from app.document.model.combine import chain, on_character
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.history import Edit
from app.document.posing.fitting_effectors import following, with_ids
from app.document.posing.hold_table import FACE
from solver.effectors.asleep import is_asleep
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.sources import PropSource, is_on_prop
from solver.errors import PoserError

Change = Callable[[Effector], Effector]


def add_effector(character_id: str, effector: Effector) -> Edit:
    """Add an effector (made by posing.follow.new_effector); refuses an id that is taken or a joint that is missing."""

    def change(character: Character) -> Character:
        skeleton_of(character).index(effector.joint)
        if not effector.id or any(e.id == effector.id for e in character.effectors):
            raise PoserError(f"“{character.name}” already has an effector with the id “{effector.id}”.")
        return begun_as_posed(character, replace(character, effectors=(*character.effectors, effector)))

    return on_character(character_id, change)


def remove_effectors(character_id: str, ids: Iterable[str]) -> Edit:
    """Take effectors away; UnknownName for an id that is not there."""
    gone = tuple(ids)

    def change(character: Character) -> Character:
        for id in gone:
            character.effector(id)
        return replace(character, effectors=in_hand(e for e in character.effectors if e.id not in gone))

    return on_character(character_id, change)


def in_hand(effectors: Iterable[Effector]) -> tuple[Effector, ...]:
    """Effectors without those of mouth and ears at things that no hand is around any more, or only one that is switched
    off or loose."""
    given = tuple(effectors)
    held = {e.source.prop for e in given
            if isinstance(e, Contact) and e.around and e.is_active and isinstance(e.source, PropSource)}  # fmt: skip
    return tuple(e for e in given if not (is_at_face(e) and isinstance(e.source, PropSource)) or e.source.prop in held)


def is_at_face(effector: Effector, prop: str = "") -> bool:
    """Whether an effector keeps mouth or an ear at something, or at a prop, by its id."""
    at_face = isinstance(effector, Contact) and effector.patch in FACE
    return at_face and (not prop or is_on_prop(effector.source, prop))


def on_every_effector(document: Document, change: Callable[[str, Effector], Effector | None]) -> Document:
    """The document with every effector of every key replaced by `change` of its actor's id and itself. `change` returns
    the effector itself where it stays, and None where it goes."""

    def key(id: str, one: Key) -> Key:
        changed = [change(id, effector) for effector in one.effectors]
        same = all(a is b for a, b in zip(changed, one.effectors, strict=True))
        return one if same else replace(one, effectors=tuple(e for e in changed if e is not None))

    def actor(one: Actor) -> Actor:
        keys = tuple(key(one.id, each) for each in one.clip.keys)
        same = all(a is b for a, b in zip(keys, one.clip.keys, strict=True))
        return one if same else replace(one, clip=replace(one.clip, keys=keys))

    actors = tuple(map(actor, document.actors))
    return (
        document
        if all(a is b for a, b in zip(actors, document.actors, strict=True))
        else replace(document, actors=actors)
    )


def set_recovered(character_id: str, effectors: Iterable[Effector]) -> Edit:
    """Take over the effectors that recovery found for the present pose, and make that pose the base pose.

    Effectors of a newer version stay behind them.
    """
    chosen = tuple(effectors)

    def edit(character: Character) -> Character:
        asleep = tuple(e for e in character.effectors if is_asleep(e))
        return replace(character, effectors=with_ids((*chosen, *asleep)), base_pose=character.pose)

    return on_character(character_id, edit)


def set_target(character_id: str, effector_id: str, target: ArrayLike) -> Edit:
    """Move a target: (3, 3) R_world_joint for an effector that turns, else (3,) metres.

    From then on it is not loose, comes from no source, and is strict if its tolerance was estimated.
    """
    numbers = np.asarray(target, dtype=np.float32)
    return on_effector(character_id, effector_id, lambda e: replace(e.touched(), target=numbers, source=None))


def set_tolerance(character_id: str, effector_id: str, tolerance: float) -> Edit:
    """Set how freely an effector may be missed, from 0 (strict) to 1 (barely a hint); values beyond are clipped.

    One that was loose holds from now on.
    """
    value = min(max(float(tolerance), 0.0), 1.0)
    return on_effector(character_id, effector_id, lambda e: replace(e.touched(), tolerance=value))


def make_strict(character_id: str, ids: Iterable[str]) -> Edit:
    """Have effectors respected strictly: tolerance 0, and loose no more."""
    return chain(
        *(on_effector(character_id, id, lambda e: replace(e.touched(), tolerance=0.0)) for id in ids),
    )


def make_loose(character_id: str, ids: Iterable[str]) -> Edit:
    """Let effectors ask for nothing and follow the body until they are touched; pins are released."""
    loosened = (on_effector(character_id, id, lambda e: replace(e, pinned=False, loose=True)) for id in ids)
    return chain(*loosened, _off_what_is_not_held(character_id))


def set_pinned(character_id: str, effector_id: str, pinned: bool) -> Edit:
    """Pin an effector (met exactly when reachable), or release it."""
    return on_effector(character_id, effector_id, lambda e: replace(e, pinned=bool(pinned)))


def set_enabled(character_id: str, effector_id: str, enabled: bool) -> Edit:
    """Switch an effector on or off; one that is off stays in the list and is ignored."""
    switched = on_effector(character_id, effector_id, lambda e: replace(e, enabled=bool(enabled)))
    return switched if enabled else chain(switched, _off_what_is_not_held(character_id))


def _off_what_is_not_held(character_id: str) -> Edit:
    """Take mouth and ears off what no hand of somebody is around any more."""

    def change(character: Character) -> Character:
        left = in_hand(character.effectors)
        return character if len(left) == len(character.effectors) else replace(character, effectors=left)

    return on_character(character_id, change)


def settle_effectors(character_id: str) -> Edit:
    """Move every target to where its joint is now, so that nothing pulls any more; the base pose stays."""

    def change(character: Character) -> Character:
        return replace(following(character, character.pose), base_pose=character.base_pose)

    return on_character(character_id, change)


def bring_home(character_id: str, ids: Iterable[str]) -> Edit:
    """Move targets to where the body has what they hold, so that they no longer pull but hold it there; a target that
    came from a source stays put from now on. What is looked at keeps its distance."""

    def home(id: str) -> Edit:
        def change(character: Character) -> Character:
            held = character.effector(id).at_pose(skeleton_of(character), joints_of(character))
            return replace(
                character,
                effectors=tuple(replace(held, source=None) if e.id == id else e for e in character.effectors),
            )

        return on_character(character_id, change)

    return chain(*map(home, ids))


def on_effector(character_id: str, effector_id: str, change: Change) -> Edit:
    """The edit that replaces one effector by what `change` makes of it. UnknownName where it is not there."""

    def edit(character: Character) -> Character:
        before = character.effector(effector_id)
        try:
            after = change(before)
        except ValueError as error:
            which = f"{before.spec.title} effector on the {before.joint.replace('_', ' ')}"
            raise PoserError(f"{which}: {error}.") from error
        if after == before:
            return character
        return replace(character, effectors=tuple(after if e is before else e for e in character.effectors))

    return on_character(character_id, edit)


def begun_as_posed(before: Character, after: Character) -> Character:
    """Somebody with one more effector. Of whom nothing was asked, as all handles were deleted, is posed on from the
    pose they are in: it becomes the base pose, or the first new handle would draw them back to the old one."""
    asked, asks = (any(effector.is_active for effector in each.effectors) for each in (before, after))
    return replace(after, base_pose=after.pose) if asks and not asked else after
