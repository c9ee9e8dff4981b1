"""The variants by name, and how each is made from the embedded adult."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from solver.body.variants.chibi import chibi
from solver.body.variants.file import stored
from solver.body.variants.rest import Rest, Skin, between, on_floor
from solver.body.variants.smoothing import NIPPLES, edges_of, flattened

YOUNG = 0.45  # of the way from the adult to the child of seven: a youth of about thirteen

Change = Callable[[str, Rest, Skin], Rest]
"""Of a gender, the adult's rest to the variant's."""


def _chibi(gender: str, adult: Rest, on: Skin) -> Rest:
    return chibi(adult, stored("child", gender, adult, on), on)


def _youth(gender: str, adult: Rest, on: Skin) -> Rest:
    rest = on_floor(between(adult, stored("child", gender, adult, on), YOUNG))
    return rest._replace(skin=flattened(rest.skin, edges_of(on.faces), adult.skin, NIPPLES))


def _stored(name: str) -> Change:
    return lambda gender, adult, on: stored(name, gender, adult, on)


CHANGES: Mapping[str, Change] = MappingProxyType(
    {"child": _stored("child"), "youth": _youth, "elder": _stored("elder"), "chibi": _chibi}
)
