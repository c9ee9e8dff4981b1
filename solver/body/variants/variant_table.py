"""The variants by name, and how each is made from the embedded adult."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from solver.body.variants.chibi import chibi
from solver.body.variants.rest import RestBody, Skin, between, on_floor
from solver.body.variants.smoothing import NIPPLES, edges_of, flattened
from solver.body.variants.variant_files import read_variant

YOUNG = 0.45  # of the way from the adult to the child of seven: a youth of about thirteen

Change = Callable[[str, RestBody, Skin], RestBody]
"""Of a gender, the adult's rest to the variant's."""


def _chibi(gender: str, adult: RestBody, on: Skin) -> RestBody:
    return chibi(adult, read_variant("child", gender, adult, on), on)


def _youth(gender: str, adult: RestBody, on: Skin) -> RestBody:
    rest = on_floor(between(adult, read_variant("child", gender, adult, on), YOUNG))
    return rest._replace(skin=flattened(rest.skin, edges_of(on.faces), adult.skin, NIPPLES))


def _stored(name: str) -> Change:
    return lambda gender, adult, on: read_variant(name, gender, adult, on)


CHANGES: Mapping[str, Change] = MappingProxyType(
    {"child": _stored("child"), "youth": _youth, "elder": _stored("elder"), "chibi": _chibi}
)
