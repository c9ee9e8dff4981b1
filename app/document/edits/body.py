"""Edits of a character's body and of what it keeps of its base pose. Each function returns an edit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.document.edits.effectors import is_at_face, on_every_effector
from app.document.model.combine import on_character
from app.document.model.document import Character, Document, Preserve
from app.document.model.figure import body_of, skeleton_of
from app.document.model.finger_curve import hands_move
from app.document.model.history import Edit
from app.document.posing.fingertips import with_hands, with_hands_throughout
from solver.body.body import SHAPE_COMPONENTS, SHAPE_LIMIT, BodyShape
from solver.body.catalog import is_fitted, load_body, origin_of
from solver.body.hands import Hands, hands_at_rest
from solver.body.shape_presets import SHAPE_PRESETS, ShapePreset
from solver.errors import PoserError
from solver.ik.preserve_modes import PreserveMode
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.roles import BODY_PARTS, SIDES
from solver.sentences import sentence_case

if TYPE_CHECKING:
    from app.document.model.own_skin import OwnSkin
    from solver.contact.solids import Solid

WHOLE_BODY = "whole body"
SCOPES: dict[str, tuple[str, ...]] = {
    WHOLE_BODY: SMPL_JOINTS,
    **{part: tuple(map(str, roles)) for part, roles in BODY_PARTS.items()},
}


def set_shape(character_id: str, shape: BodyShape) -> Edit:
    """Give the character another shape; people who stood on the floor still do."""
    return _reshaped(character_id, lambda _: shape)


def set_body(character_id: str, body: str, shape: BodyShape) -> Edit:
    """Give the character another body, in its pose, hands and effectors; UnknownName for a body that does not exist.

    Contacts with its skin, its own included, keep their places, even on a body with other triangles.
    """
    from app.document.posing.reshape import embodied  # not needed to show the window

    load_body(body)
    in_it = on_character(character_id, lambda c: embodied(c, body, shape))

    def edit(document: Document) -> Document:
        before, after = document.character(character_id), _held_to_face(in_it(document), character_id)
        if origin_of(before.body) == origin_of(body):
            return after
        from app.document.posing.holds.reskinning import reskinned  # seldom needed

        now = after.character(character_id)
        return on_every_effector(after, lambda holder, effector: reskinned(effector, holder, before, now))

    return edit


def set_own_skin(character_id: str, own_skin: OwnSkin | None) -> Edit:
    """Give the character the skin of the user's own one, to be drawn in place of our body's; None for our body's."""
    return on_character(character_id, lambda c: c if c.own_skin == own_skin else replace(c, own_skin=own_skin))


def show_own_skin(character_id: str, shown: bool) -> Edit:
    """Draw the character with its own skin, if it has one, or with our body's."""

    def change(character: Character) -> Character:
        own = character.own_skin
        return (
            character if own is None or own.shown == shown else replace(character, own_skin=replace(own, shown=shown))
        )

    return on_character(character_id, change)


def is_own(character: Character) -> bool:
    """Whether it is drawn as the user's own character."""
    return character.own_skin is not None and character.own_skin.shown


def has_shape_of_own(character: Character) -> bool:
    """Whether its shape is that of the user's own character, whose joints would not follow another one: it is drawn as
    that, or its body has joints where that has them."""
    return character.own_skin is not None and (character.own_skin.shown or is_fitted(character.body))


def presets_for(character: Character) -> tuple[ShapePreset, ...]:
    """The named bodies that the character's body can become; none where it has the shape of the user's own one."""
    if has_shape_of_own(character):
        return ()
    names, body = body_of(character).component_names, character.body
    return tuple(each for each in SHAPE_PRESETS if each.suits(names) and each.body_for(body) is not None)


def take_preset(character: Character, preset: ShapePreset) -> Edit:
    """Give the character a named body; PoserError for one that its body cannot become."""
    shape = preset.shape(body_of(character).component_names, character.shape.gender)
    body = preset.body_for(character.body)
    if shape is None or body is None:
        raise PoserError(f"“{preset.name}” is for another body than {character.name} has.")
    return set_body(character.id, body, shape)


def set_beta(character_id: str, index: int, value: float) -> Edit:
    """Move one shape slider, standard deviations, clipped to ±5."""
    if not 0 <= index < SHAPE_COMPONENTS:
        raise PoserError(f"There is no shape component {index}; they run from 0 to {SHAPE_COMPONENTS - 1}.")

    def changed(character: Character) -> BodyShape:
        betas = np.array(character.shape.betas)
        betas[index] = min(max(float(value), -SHAPE_LIMIT), SHAPE_LIMIT)
        return BodyShape(betas, character.shape.gender)

    return _reshaped(character_id, changed)


def reset_shape(character_id: str) -> Edit:
    """Put all shape sliders back to the mean; the gender stays."""
    return _reshaped(character_id, lambda c: BodyShape(gender=c.shape.gender))


def set_stature(character_id: str, metres: float) -> Edit:
    """Make the character this tall, as far as its body's height component reaches; the other components stay."""
    from solver.body.measures import with_stature

    return _reshaped(character_id, lambda c: with_stature(body_of(c), c.shape, metres))


def set_weight(character_id: str, kilograms: float) -> Edit:
    """Make the character this heavy at its stature, as far as its body's weight component reaches."""
    from solver.body.measures import with_weight

    return _reshaped(character_id, lambda c: with_weight(body_of(c), c.shape, kilograms))


def set_gender(character_id: str, gender: str) -> Edit:
    """Choose the neutral, male or female body; the sliders stay."""
    return _reshaped(character_id, lambda c: _with_gender(c.shape, gender))


def _reshaped(character_id: str, shape_of: Callable[[Character], BodyShape]) -> Edit:
    from app.document.posing.reshape import reshaped  # not needed to show the window

    change = on_character(character_id, lambda c: reshaped(c, shape_of(c)))
    return lambda document: _held_to_face(change(document), character_id)


def _held_to_face(document: Document, id: str) -> Document:
    """The document with what somebody of another shape holds to mouth or ear there again."""
    if not any(map(is_at_face, document.character(id).effectors)):
        return document
    from app.document.posing.brought.at_face import still_at_face  # only where something is held there

    return still_at_face(document, id)


def set_hands(character_id: str, hands: Hands) -> Edit:
    """Let the character hold its fingers another way at its frame; effectors hold the same points of them."""
    from app.document.posing.contact_patches import refitted  # not needed to show the window

    return on_character(character_id, lambda c: c if c.hands == hands else refitted(with_hands(c, hands)))


def hold_hands_throughout(character_id: str) -> Edit:
    """Let the character hold its fingers at every frame as it holds them at this one."""

    def change(character: Character) -> Character:
        moves = hands_move(character.clip) or character.clip.keys[0].hands != character.hands
        return with_hands_throughout(character, character.hands) if moves else character

    return on_character(character_id, change)


def close_hands(character_id: str, solids: Iterable[Solid], sides: Iterable[int]) -> Edit:
    """Close the hands on these sides (0: left) on what they hold; other hands, and empty ones, stay as they are.

    solids: in the world, as the body is. PoserError where no finger meets any of them.
    """
    things, both = tuple(solids), tuple(sides)

    def change(character: Character) -> Character:
        from solver.contact.grip import closed_on  # only once it is asked for

        hands, fingers = character.hands or hands_at_rest(), 0
        for side in both:
            grip = closed_on(load_body(character.body), character.shape, hands, character.pose, things, side)
            hands, fingers = grip.hands, fingers + len(grip.fingers)
        if not fingers:
            which = f"The {SIDES[both[0]]} hand holds nothing" if len(both) == 1 else "Neither hand holds anything"
            raise PoserError(f"{which}. Bring a prop into the palm, or the palm to a prop, and try again.")
        return with_hands(character, hands)

    return on_character(character_id, change)


def set_preserve_strength(character_id: str, strength: float, what: str = "") -> Edit:
    """Set how firmly the chosen joints keep the base pose, clipped to 0..1. what: "place" or "shape", "" for both."""
    value = min(max(float(strength), 0.0), 1.0)

    def change(character: Character) -> Character:
        kept = character.preserve
        place, shape = (
            value if what in ("", which) else now
            for which, now in (("place", kept.strength), ("shape", kept.shape_strength))
        )
        return replace(character, preserve=replace(kept, strength=place, shape_strength=shape))

    return on_character(character_id, change)


def set_preserve_mode(character_id: str, mode: PreserveMode) -> Edit:
    """Keep of the whole body what a mode keeps, as firmly as it says; strengths it does not use stay."""

    def change(character: Character) -> Character:
        every, kept = frozenset(skeleton_of(character).names), character.preserve
        return replace(
            character,
            preserve=Preserve(
                mode.place or kept.strength,
                every if mode.place else frozenset(),
                every if mode.shape else frozenset(),
                mode.shape or kept.shape_strength,
            ),
        )

    return on_character(character_id, change)


def keep_place(character_id: str, joints: Iterable[str], on: bool) -> Edit:
    """Whether these joints keep the place they have in the base pose."""
    chosen = frozenset(joints)

    def change(character: Character) -> Character:
        kept = character.preserve
        return replace(character, preserve=replace(kept, place=_toggled(character, kept.place, chosen, on)))

    return on_character(character_id, change)


def keep_shape(character_id: str, joints: Iterable[str], on: bool) -> Edit:
    """Whether these joints keep the local orientation they have in the base pose."""
    chosen = frozenset(joints)

    def change(character: Character) -> Character:
        kept = character.preserve
        return replace(character, preserve=replace(kept, shape=_toggled(character, kept.shape, chosen, on)))

    return on_character(character_id, change)


def keep_nothing(character_id: str) -> Edit:
    """Let every joint go; the strengths stay."""
    none: frozenset[str] = frozenset()
    return on_character(character_id, lambda c: replace(c, preserve=replace(c.preserve, place=none, shape=none)))


def scope_joints(scope: str, selection: Iterable[str] = ()) -> tuple[str, ...]:
    """The joints of "whole body", of a body part, or (for any other word) of the selection."""
    return SCOPES.get(scope, tuple(selection))


def _toggled(character: Character, before: frozenset[str], chosen: frozenset[str], on: bool) -> frozenset[str]:
    skeleton = skeleton_of(character)
    for name in chosen:
        skeleton.index(name)
    return before | chosen if on else before - chosen


def _with_gender(shape: BodyShape, gender: str) -> BodyShape:
    try:
        return BodyShape(shape.betas, gender)
    except ValueError as error:
        raise PoserError(f"{sentence_case(str(error))}.") from error
