"""Effectors tied to a person in whose place somebody else comes: a copy, the one of two who stays, or one from a
file."""

from __future__ import annotations

from dataclasses import replace

from app.document.model.document import Character
from app.document.model.figure import skeleton_of
from solver.body.catalog import origin_of
from solver.effectors.effector import Effector
from solver.effectors.sources import SkinSource, Tie


def retied(effector: Effector, holder: str, owner: Character, body: str) -> Effector:
    """An effector that goes along with somebody, tied to the same place of `owner`.

    It stays where it is, tied to nothing, if there is no such place: a joint that `owner` lacks or that it holds
    itself, or skin of a body with other triangles. holder: the id of the effector's owner. body: that of the person it
    was tied to.
    """
    source = effector.source
    if isinstance(source, SkinSource):
        there = origin_of(body) == origin_of(owner.body)
    elif isinstance(source, Tie):
        itself = (holder, effector.joint) == (owner.id, source.joint)
        there = source.joint in skeleton_of(owner).names and not itself
    else:
        return effector
    return replace(effector, source=replace(source, character=owner.id) if there else None)
