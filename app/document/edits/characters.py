"""Edits of the list of characters. Each function returns an edit: a pure function from document to document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from numpy.typing import ArrayLike

from app.document.edits.contacts import lay_hand, without_surface
from app.document.edits.props import bring_held_home, push_prop
from app.document.model.combine import chain, on_character
from app.document.model.document import Character, Document
from app.document.model.history import Edit
from app.document.model.identity import checked_color, free_name, typed_name
from app.document.model.prop import Prop
from app.document.posing.placing import moved, standing_on_floor, turned
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource
from solver.errors import PoserError
from solver.ik.options import OptionValue, with_option
from solver.solvers.catalog import SOLVERS


def add_character(character: Character) -> Edit:
    """Add a character (see app.document.posing.create); refuses an id that is taken."""

    def edit(document: Document) -> Document:
        if any(c.id == character.id for c in document.characters):
            raise PoserError(f"There is already a character with the id “{character.id}”.")
        return document.with_characters((*document.characters, character))

    return edit


def remove_character(id: str) -> Edit:
    """Take a character out; whatever was in contact with its skin stays in place."""

    def edit(document: Document) -> Document:
        document.character(id)
        return without_surface(document.with_characters(c for c in document.characters if c.id != id), id)

    return edit


def merge_characters(id: str, other: str) -> Edit:
    """Make one of two characters who are the same person: the first stays as it is, and the other goes."""
    from app.document.edits.merging import merged  # not needed to show the window

    return lambda document: merged(document, id, other)


def move_character(id: str, shift: ArrayLike) -> Edit:
    """Move a whole character by (3,) metres, its targets too."""
    return on_character(id, lambda c: moved(c, shift))


def turn_character(id: str, angle: float) -> Edit:
    """Turn a whole character about the vertical through its pelvis, radians, its targets too."""
    return on_character(id, lambda c: turned(c, angle))


def push_character(start: Character, eye: ArrayLike, metres: float, props: Sequence[Prop] = ()) -> Edit:
    """Put a whole character, from what it was at the start, `metres` from `eye` (3,); it keeps its place in the picture
    and grows with the distance, as far as a body can. props: those that go along, as they were at the start."""
    from app.document.in_photo.line_of_sight import pushed, times_as_far  # not needed to show the window

    person = on_character(start.id, lambda _: pushed(start, eye, metres))
    times = times_as_far(start, eye, metres)
    along = chain(person, *(push_prop(prop, eye, times) for prop in props))
    still = {prop.id for prop in props if prop.clip is None}
    held = [
        effector.id
        for effector in start.effectors
        if isinstance(effector, Contact) and effector.is_active and effector.around
        if isinstance(effector.source, PropSource) and effector.source.prop in still
    ]
    # no larger body is exactly like the smaller one: its hands would be millimetres beside what they hold
    return chain(along, bring_held_home(start.id, held)) if held and abs(times - 1.0) > 1e-9 else along


def face_character(start: Character, eye: ArrayLike, angle: float) -> Edit:
    """Turn a whole character, as it was at the start, about its pelvis to face `angle` radians from `eye` (3,)."""
    from app.document.in_photo.line_of_sight import faced

    return on_character(start.id, lambda _: faced(start, eye, angle))


def stand_on_floor(id: str) -> Edit:
    """Raise or lower a whole character until its skin touches the floor."""
    return on_character(id, standing_on_floor)


def come_to_rest(id: str, progress: Callable[[float], None] | None = None) -> Edit:
    """Let a character who lies or sits come to rest on what is beneath, limbs and all; nobody else is changed.

    progress: called now and then with a share 0..1; what it raises ends the edit.
    """

    def edit(document: Document) -> Document:
        from app.document.posing.rest.settling import hands_to_lay, settled_in  # not needed to show the window

        laid = chain(*(lay_hand(id, patch) for patch in hands_to_lay(document, id)))(document)
        after = settled_in(laid, id, progress)
        return document if after is laid.character(id) else on_character(id, lambda _: after)(document)

    return edit


def rename_character(id: str, name: str) -> Edit:
    """Give a character a name; surrounding blanks are dropped, and an empty name changes nothing."""
    wanted = typed_name(name)

    def edit(document: Document) -> Document:
        if not wanted:
            return document
        return on_character(id, lambda c: replace(c, name=free_name(document, wanted, besides=id)))(document)

    return edit


def set_visible(id: str, visible: bool) -> Edit:
    """Show or hide a character."""
    return on_character(id, lambda c: replace(c, visible=bool(visible)))


def set_locked(id: str, locked: bool) -> Edit:
    """Lock a character against selection in the view, or free it."""
    return on_character(id, lambda c: replace(c, locked=bool(locked)))


def set_color(id: str, color: str) -> Edit:
    """Give a character its colour, "#rrggbb"."""
    checked = checked_color(color)
    return on_character(id, lambda c: replace(c, color=checked))


def set_solver(id: str, solver: str) -> Edit:
    """Choose the solver of a character. UnknownName lists the solvers."""
    SOLVERS[solver]
    return on_character(id, lambda c: replace(c, solver=solver))


def set_solver_option(id: str, option: str, value: OptionValue) -> Edit:
    """Set an option that solvers declare, by its id; it applies to every solver that has it."""
    return on_character(id, lambda c: replace(c, solver_options=with_option(c.solver_options, option, value)))
