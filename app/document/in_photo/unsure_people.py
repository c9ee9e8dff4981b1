"""Whose pose in front of a photo may be off: the looks at them disagreed about their arms and legs, about most of
their points, or about where they face, and the user has neither corrected them since nor found them right. That
somebody is there at all may be sure nevertheless."""

from __future__ import annotations

from collections.abc import Callable

from app.document.model.document import Character, Document
from solver.photo.depth_ambiguity import is_doubtful, is_mostly_guessed
from solver.photo.sighting import Sighting

MOST_NAMES = 3  # that a sentence has


def unsure_people(document: Document) -> tuple[Character, ...]:
    """Those of the chosen photo most of whose points are guesses; at a later frame than the photo's nobody is."""
    return tuple(one for one, seen in _seen_here(document) if is_doubtful(seen) and is_mostly_guessed(seen))


def doubtful_people(document: Document) -> tuple[Character, ...]:
    """Those who are no guesses, but whose poses may be off all the same; the most doubtful first."""
    found = [
        one
        for one, seen in _seen_here(document)
        if is_doubtful(seen) and not seen.facing_unsure and not is_mostly_guessed(seen)
    ]
    return tuple(sorted(found, key=_apart, reverse=True))


def first_to_look_at(document: Document) -> Character | None:
    """Whose pose is most likely off; None where nobody is in doubt."""
    return max(in_doubt(document), key=_apart, default=None)


def in_doubt(document: Document) -> tuple[Character, ...]:
    """Everybody about whom something is to be said."""
    return tuple(one for one, seen in _seen_here(document) if is_doubtful(seen) or seen.facing_unsure)


def _apart(seen: Character) -> float:
    return (seen.sighting.limbs_apart or 0.0) if seen.sighting is not None else 0.0


def unsure_which_way(document: Document) -> tuple[Character, ...]:
    """Those of whom some looks took the front for the back, and who are no guesses otherwise."""
    guesses = unsure_people(document)
    return tuple(one for one, seen in _seen_here(document) if seen.facing_unsure and one not in guesses)


def words_about_unsure(document: Document, active: str, shown: Callable[[str], str]) -> str:
    """All that is to be said about them. active: the id of who is active. shown(name): the name as it is written."""
    guesses, doubts, ways = unsure_people(document), doubtful_people(document), unsure_which_way(document)
    texts = (
        write([shown(one.name) for one in some], any(one.id == active for one in some))
        for some, write in ((guesses, unsure_text), (doubts, doubtful_text), (ways, facing_text))
    )
    return " ".join(filter(None, texts))


def _seen_here(document: Document) -> list[tuple[Character, Sighting]]:
    """Whom networks saw in the chosen photo, who are at its frame, and whom the user has not looked over."""
    if document.photo is None:
        return []
    seen = [(one, one.sighting) for one in document.characters if not one.frame]
    sha256 = document.photo.sha256
    return [(one, told) for one, told in seen if told is not None and told.photo == sha256 and not told.looked_over]


def unsure_text(names: list[str], is_one_active: bool = False) -> str:
    """What to say about those whose poses are guesses, and what to do; nothing about nobody."""
    if not names:
        return ""
    if len(names) == 1:
        what, whom = f"{_listed(names)} was found, but the pose is mostly a guess", "this person"
    else:
        what, whom = f"{_listed(names)} were found, but their poses are mostly guesses", "one of them"
    why = "the photo does not show clearly where most of the points are"
    how = "Press" if is_one_active else f"Select {whom}, press"
    return f"{what}: {why}. {how} Points and drag those that are off."


def doubtful_text(names: list[str], is_one_active: bool = False) -> str:
    """What to say about those whose poses may be off, and what to do; nothing about nobody."""
    if not names:
        return ""
    what, whom = ("the pose", "this person") if len(names) == 1 else ("their poses", "one of them")
    how = "Press" if is_one_active else f"Select {whom}, press"
    return (
        f"Look closely at {_listed(names)}: {what} may be off, as several looks at the photo did not agree about arms "
        f"and legs. {how} Points and drag those that are off."
    )


def facing_text(names: list[str], is_one_active: bool = False) -> str:
    """What to say about those who may face the other way, and what to do; nothing about nobody."""
    if not names:
        return ""
    whom = "this person" if len(names) == 1 else "one of them"
    how = "press" if is_one_active else f"select {whom} and press"
    return (
        f"{_listed(names)} may face the other way: some looks took the front for the back. "
        f"If so, {how} Shift+D (Front or back)."
    )


def _listed(names: list[str]) -> str:
    some, more = names[:MOST_NAMES], len(names) - MOST_NAMES
    if more > 0:
        return f"{', '.join(some)} and {more} more"
    return " and ".join([", ".join(some[:-1]), some[-1]] if len(some) > 1 else some)
