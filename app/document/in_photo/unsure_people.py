"""Who in front of a photo is hardly more than a guess: the looks at them disagreed about most of their points."""

from __future__ import annotations

from app.document.model.document import Character, Document
from solver.photo.depth_ambiguity import is_mostly_guessed

MOST_NAMES = 3  # that a sentence has


def unsure_people(document: Document) -> tuple[Character, ...]:
    """Those of the chosen photo most of whose points are guesses; at a later frame than the photo's nobody is."""
    if document.photo is None:
        return ()
    return tuple(
        one
        for one in document.characters
        if one.sighting is not None
        and one.sighting.photo == document.photo.sha256
        and not one.frame
        and is_mostly_guessed(one.sighting)
    )


def unsure_text(names: list[str]) -> str:
    """What to say about them, and what to do; nothing about nobody."""
    if not names:
        return ""
    some, more = names[:MOST_NAMES], len(names) - MOST_NAMES
    if more > 0:
        who = f"{', '.join(some)} and {more} more"
    else:
        who = " and ".join([", ".join(some[:-1]), some[-1]] if len(some) > 1 else some)
    if len(names) == 1:
        what, whom = f"{who} is mostly a guess: several looks disagreed about where the points are", "this person"
    else:
        what, whom = f"{who} are mostly guesses: several looks disagreed about where their points are", "one of them"
    return f"{what}. Select {whom}, press Points and drag those that are off."
