"""Taking people and props out, and merging people: each call is one step and says who loses what by it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from app.document import edits
from app.document.model.document import Document
from app.document.model.identity import name_or_count
from app.document.model.prop import Prop
from app.document.posing.dependents import Dependents, dependents_of_people, dependents_of_prop, lost_by_merging
from app.look.wording import held_title
from app.services.session import Session

MOST = 2  # people, or patches of one, to name


def delete_people(session: Session, ids: Collection[str]) -> str:
    """Take people out, by their ids; return what to say about people who touched or looked at them, "" for nothing."""
    people = [session.document.character(id) for id in ids]
    who = name_or_count(people, "people")
    lost, names = dependents_of_people(session.document, ids), session.document.names
    done = session.edit(f"Delete {who}", edits.chain(*map(edits.remove_character, ids)))
    return _said(lost, names, who, "them back" if len(people) > 1 else f"{who} back") if done else ""


def delete_props(session: Session, ids: Sequence[str]) -> str:
    """Take props out, by their ids; return what to say about people who held, saw or stood on them, "" for nothing."""
    props, names = [session.document.prop(id) for id in ids], session.document.names
    name = name_or_count(props, "props")
    lost = [dependents_of_prop(session.document, id) for id in ids]
    riders = _riders(session.document, props)
    stays = (edits.set_key(id, frame) for id, frame in riders.items())
    done = session.edit(f"Delete {name}", edits.chain(*stays, *map(edits.remove_prop, ids)), solve=True)
    said = [_said(each, names, prop.name, f"{name} back") for each, prop in zip(lost, props, strict=True)]
    if riders:
        said.append(f"{_have([*riders], names)} a key at this frame now, to stay where you see them.")
    return " ".join(filter(None, said)) if done else ""


def _riders(document: Document, props: Sequence[Prop]) -> dict[str, int]:
    """Who rides on these props at the frame looked at, without a key there: their frames by their ids."""
    if all(prop.clip is None for prop in props):
        return {}
    from app.document.over_time.body.riding import riders_on  # only once a prop moves

    return riders_on(document, {prop.id for prop in props})


def merge_people(session: Session, id: str, other: str) -> str:
    """Make one of two people, of whom the first stays; return what to say about it, "" if nothing was done."""
    before, stays, goes = session.document, session.document.character(id), session.document.character(other)
    if not session.edit(f"Merge with {goes.name}", edits.merge_characters(id, other)):
        return ""
    lost = lost_by_merging(before, session.document, id)
    return (
        f"{goes.name} was merged into {stays.name}. {_said(lost, before.names, goes.name, f'{goes.name} back')}".strip()
    )


def _said(lost: Dependents, names: Mapping[str, str], gone: str, back: str) -> str:
    if not lost:
        return ""
    clauses: dict[str, list[str]] = {}  # what they can no longer do: who
    for id in dict.fromkeys(id for id, _ in lost.held if id in lost.resting):
        clauses.setdefault(f"{lost.resting[id]} on", []).append(id)
    holders = list(dict.fromkeys(id for id, _ in lost.held if id not in lost.resting))
    clauses[_held(lost, holders)] = holders
    clauses["look at"] = list(lost.looking)
    for id, how in lost.standing:
        clauses.setdefault(f"{how} on", []).append(id)
    parts = [f"{_have(ids, names)} nothing to {what}" for what, ids in clauses.items() if ids]
    return f"Without {gone}, {_and(parts)}. {_way_out(lost)} brings {back}."


def _way_out(lost: Dependents) -> str:
    """What can be done, besides undoing, if all have lost the same."""
    if not (lost.looking or lost.standing):
        return f"Drag {'it' if len(lost.held) == 1 else 'them'} to let go; undo"
    if not (lost.held or lost.looking):
        return "End sets whoever is selected on the floor; undo"
    return "Undo"


def _have(ids: Sequence[str], names: Mapping[str, str]) -> str:
    people, more = [names[id] for id in ids], len(ids) - MOST
    return f"{_and(people if more <= 1 else [*people[:MOST], f'{more} others'])} {'has' if len(ids) == 1 else 'have'}"


def _held(lost: Dependents, people: Collection[str]) -> str:
    """What people held on it can no longer do: "rest the left palm on", "hold with the right hand"."""
    contacts = [contact for id, contact in lost.held if id in people]
    patches = [held_title(contact).lower() for contact in contacts]
    if len(people) != 1 or len(patches) > MOST:
        return "hold on to"
    around = all(contact.around for contact in contacts)
    return f"hold with the {_and(patches)}" if around else f"rest the {_and(patches)} on"


def _and(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
