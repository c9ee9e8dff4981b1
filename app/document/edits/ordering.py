"""Edits of the order of people and props in their lists; exports number people in that order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from app.document.model.history import Edit


class _Named(Protocol):
    @property
    def id(self) -> str: ...


_Thing = TypeVar("_Thing", bound=_Named)


def put_person_at(id: str, place: int) -> Edit:
    """Put a person at a place in the list of people, from 0; a place beyond the ends counts as the nearest."""
    return lambda document: replace(document, actors=_put(document.actors, id, place))


def put_prop_at(id: str, place: int) -> Edit:
    """Put a prop at a place in the list of props, from 0; a place beyond the ends counts as the nearest."""
    return lambda document: replace(document, props=_put(document.props, id, place))


def _put(things: Sequence[_Thing], id: str, place: int) -> tuple[_Thing, ...]:
    others = [thing for thing in things if thing.id != id]
    moved = [thing for thing in things if thing.id == id]
    at = min(max(place, 0), len(others))
    return (*others[:at], *moved, *others[at:])
