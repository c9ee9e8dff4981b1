"""Ids, names and colours for what is new in a document."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import count

from app.document.model.document import Character, Document
from app.document.model.prop import Prop
from solver.errors import PoserError

# They differ in hue and in lightness, so that colour-blind eyes can tell them apart as well.
COLORS = ("#7aa2f7", "#e0af68", "#73daca", "#f7768e", "#9ece6a", "#bb9af7", "#ff9e64", "#7dcfff")
COLOR_NAMES = ("Blue", "Sand", "Turquoise", "Rose", "Green", "Violet", "Orange", "Sky blue")
NAME_LIMIT = 100  # letters


def free_ids(prefix: str, taken: Iterable[str]) -> Iterator[str]:
    """Ids of `prefix` and a number, from the one after the highest in use ("c3", "c4", ...).

    Numbers of more than nine digits, which a foreign file may have, do not count: ids must not grow without end.
    """
    pattern = re.compile(re.escape(prefix) + r"([0-9]{1,9})")
    known = set(taken)
    highest = max((int(match.group(1)) for id in known if (match := pattern.fullmatch(id))), default=0)
    return (id for number in count(highest + 1) if (id := f"{prefix}{number}") not in known)


def next_character_id(document: Document) -> str:
    """An id that no character of the document has."""
    return next(free_ids("c", (c.id for c in document.characters)))


def next_effector_id(character: Character) -> str:
    """An id that no effector of the character has."""
    return next(free_ids("e", (e.id for e in character.effectors)))


def next_color(document: Document) -> str:
    """The colour of the palette that the fewest characters have, the first of several."""
    worn = [c.color for c in document.characters]
    return min(COLORS, key=worn.count)


def free_name(document: Document, wanted: str, besides: str = "") -> str:
    """`wanted`, or "wanted 2" and so on when another character (not the one with id `besides`) has that name."""
    return name_beside({c.name for c in document.characters if c.id != besides}, wanted)


def free_prop_name(document: Document, wanted: str, besides: str = "") -> str:
    """`wanted`, or "wanted 2" and so on where somebody or another prop (not that with id `besides`) has the name."""
    props = {p.name for p in document.props if p.id != besides}
    return name_beside(props | {c.name for c in document.characters}, wanted)


def typed_name(text: str) -> str:
    """A name as somebody typed it, in one line of at most NAME_LIMIT letters without blanks around it; "" for none."""
    return " ".join(text.split())[:NAME_LIMIT]


def checked_color(text: str) -> str:
    """A colour as it is kept, "#rrggbb" in lower case; PoserError for anything else."""
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", text):
        raise PoserError(f"“{text}” is not a colour. Write it as #rrggbb.")
    return text.lower()


def name_or_count(named: Sequence[Character | Prop], plural: str) -> str:
    """The name of the only one, else how many there are, such as “2 props”. plural: what they are."""
    return named[0].name if len(named) == 1 else f"{len(named)} {plural}"


def name_beside(names: Collection[str], wanted: str) -> str:
    """`wanted`, or "wanted 2" and so on where it is among the names."""
    if wanted not in names:
        return wanted
    stem = re.sub(r" \d+$", "", wanted)
    return next(name for number in count(2) if (name := f"{stem} {number}") not in names)
