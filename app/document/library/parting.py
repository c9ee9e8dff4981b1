"""Who no longer holds whom, because one of them took a pose without the other."""

from __future__ import annotations

from app.document.model.document import Document
from solver.effectors.forms import AimEffector
from solver.effectors.resolve import tied_figures


def parted(before: Document, after: Document) -> tuple[tuple[str, str], ...]:
    """The names of every two of whom one held the other before and neither does after, while one of them has stayed."""
    were, now = ({each.id: each for each in document.characters} for document in (before, after))
    lost = [sorted(pair) for pair in _who_hold(before) - _who_hold(after) if pair <= were.keys() & now.keys()]
    alone = [pair for pair in lost if any(now[id].pose is were[id].pose for id in pair)]
    return tuple((now[one].name, now[other].name) for one, other in sorted(alone))


def _who_hold(document: Document) -> set[frozenset[str]]:
    """The ids of every two of whom one holds the other; who only looks at somebody does not."""
    holds = {each.id: [e for e in each.effectors if not isinstance(e, AimEffector)] for each in document.characters}
    pairs = [(id, other) for id, effectors in holds.items() for other in tied_figures(effectors)]
    return {frozenset(pair) for pair in pairs if pair[0] != pair[1]}
