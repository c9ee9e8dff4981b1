"""Who loses what when people or a prop are taken out: held on them, looking at them, or standing on the prop."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np

from app.document.model.document import Character, Document
from app.document.model.on_prop import nearest_on
from app.document.model.prop import Prop
from app.document.posing.solving import body_of
from solver.body.floor import posed_vertices
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import AimEffector
from solver.effectors.sources import PropSource, Tie

NEAR_M = 0.03  # metres from a prop within which the lowest skin stands on it
SOLE_M = 0.02  # metres of height above its lowest point, of the skin that somebody stands on


@dataclass(frozen=True)
class Losses:
    """What those who stay lose, by their ids, in the document's order. held: the contacts that lie on what goes.
    looking: whose look goes along with it. standing: who has nothing else under them."""

    held: tuple[tuple[str, Contact], ...] = ()
    looking: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.held or self.looking or self.standing)


def lost_with_people(document: Document, ids: Collection[str]) -> Losses:
    """What all others lose when these people go, at the frames looked at."""
    return _losses(
        [c for c in document.characters if c.id not in ids],
        lambda e: isinstance(e.source, Tie) and e.source.character in ids,
    )


def lost_with_prop(document: Document, id: str) -> Losses:
    """What people lose when a prop goes, at the frames looked at."""
    found = _losses(document.characters, lambda e: isinstance(e.source, PropSource) and e.source.prop == id)
    prop, known = document.prop(id), {owner for owner, _ in found.held}
    others = [other for other in document.props if other.id != id]
    standing = tuple(c.id for c in document.characters if c.id not in known and _stands_on(c, prop, others))
    return Losses(found.held, found.looking, standing)


def _losses(people: Collection[Character], lies: Callable[[Effector], bool]) -> Losses:
    lost = [(c.id, e) for c in people for e in c.effectors if lies(e)]
    held = tuple((id, e) for id, e in lost if isinstance(e, Contact))
    looking = tuple(dict.fromkeys(id for id, e in lost if isinstance(e, AimEffector)))
    return Losses(held, looking)


def _stands_on(character: Character, prop: Prop, others: Collection[Prop]) -> bool:
    """Whether the lowest skin is on the prop, and neither on the floor nor on another one."""
    skin = posed_vertices(body_of(character), character.shape, character.pose)
    lowest = skin[skin[:, 1] < float(skin[:, 1].min()) + SOLE_M]
    if float(lowest[:, 1].min()) < NEAR_M or not _touches(lowest, prop):
        return False
    return not any(_touches(lowest, other) for other in others)


def _touches(skin: np.ndarray, prop: Prop) -> bool:
    low, high = prop.corners.min(axis=0) - NEAR_M, prop.corners.max(axis=0) + NEAR_M
    near = skin[((skin >= low) & (skin <= high)).all(axis=1)]
    if not len(near):
        return False
    if solids := prop.solids():
        return any(float(solid.distances(near).min()) < NEAR_M for solid in solids)
    lowest = near[np.argmin(near[:, 1])]  # a sheet or an open shell holds nobody up, and yet they were set upon it
    return bool(np.linalg.norm(nearest_on(prop, lowest)[1] - lowest) < NEAR_M)
