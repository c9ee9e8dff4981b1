"""What stops somebody on the way to a place where a solid body would be inside it."""

from __future__ import annotations

from collections.abc import Iterator

from app.document.model.document import Character, Document
from app.document.posing.surroundings import solid_surroundings
from solver.body.catalog import load_body
from solver.contact.intersections import Skinned, intersections
from solver.contact.solids import Solid

DEEPER = 1.05  # times as much skin within something counts as going into it
LEAST_M = 0.05  # of all vertices' depths together: less is a graze


def stopped_by(document: Document, now: Character, there: Character) -> str:
    """The name of a person or prop that somebody, as they are, would go deeper into if they went a little further, and
    which their body may not pass through; "" for nothing.

    there: as they would be then, posed as now.
    """
    for name, others, solids in _around(document, now):
        here, further = (_within(each, others, solids) for each in (now, there))
        if further > max(DEEPER * here, here + LEAST_M):
            return name
    return ""


def _around(document: Document, now: Character) -> Iterator[tuple[str, tuple[Character, ...], tuple[Solid, ...]]]:
    around = solid_surroundings(document, now)
    for prop in (*around.props, *around.rests):
        yield prop.name, (), tuple(prop.solids())
    for person in (*around.people, *around.held):
        yield person.name, (person,), ()


def _within(person: Character, others: tuple[Character, ...], solids: tuple[Solid, ...]) -> float:
    """Metres that the vertices of somebody's skin are within others and solids, all together."""
    skinned = [Skinned(load_body(c.body), c.shape, c.pose, c.hands) for c in (person, *others)]
    return float(intersections(skinned, solids, floor=False)[0][1].sum())
