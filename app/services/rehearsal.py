"""What the first contact of a session needs, found and loaded ahead, so that the body follows that drag at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from app.document.model.document import Character, Document
from app.document.model.prop import Prop
from solver.errors import PoserError

PALM = "left_palm"
SIZE = np.array([0.4, 0.85, 0.4])
BESIDE = np.array([0.2, 0.0, 0.25])  # metres from the hand to the box
_rehearsed: set[str] = set()  # bodies: what is loaded stays so for all windows


def rehearsal(document: Document) -> Iterator[None]:
    """A palm put onto a box by the first person, in steps of some milliseconds; the document stays as it is.

    Does nothing for a body that it was done for, or that has no palms.
    """
    person = next(iter(document.characters), None)
    if person is None or person.body in _rehearsed:
        return
    _rehearsed.add(person.body)
    from app.document.posing.contact_patches import patches_of
    from app.document.posing.holds import grasping  # noqa: F401 - a hand dragged onto something asks it

    yield
    known = patches_of(person)
    for name in known:
        assert known[name]
        yield
    from solver.ik.multi_solve import together  # noqa: F401 - loaded with the first contact

    yield
    if PALM in known:
        yield from _solved(person)


def _solved(person: Character) -> Iterator[None]:
    from app.document.edits import add_character, open_hand
    from app.document.edits.contacts import hold
    from app.document.edits.props import add_prop
    from app.document.model.figure import body_of, joints_of, skeleton_of
    from app.document.model.prop_spots import spot_of
    from app.document.posing.contact_patches import UP, contact_of, patches_of
    from app.document.posing.surroundings import surroundings_of
    from app.document.posing.tied_groups import answers_of
    from app.document.posing.touched_surfaces import props_of
    from solver.contact.solid_body import solid_body

    yield
    try:
        alone = open_hand(person.id, PALM)(add_character(person)(Document()))  # as it lies on something flat
        (person,) = alone.characters
        palm = patches_of(person)[PALM]
        yield
        solid_body(body_of(person), person.shape, person.hands)
        yield
        at = joints_of(person).positions[skeleton_of(person).index(palm.joint)] * np.array([1.0, 0.0, 1.0])
        box = Prop("box", "Box", "box", SIZE, at + BESIDE)
        source, top, normal = spot_of(box, (-0.25, 1.0, -0.1), UP)
        contact = replace(contact_of(palm, top, normal), source=source)
        scene = hold(person.id, contact)(add_prop(box)(alone))
        yield
        people = scene.characters
        answers_of(people, {}, surroundings=surroundings_of(scene, people), props=props_of(scene))
    except PoserError:  # the user is told in the drag, with the way out
        return
