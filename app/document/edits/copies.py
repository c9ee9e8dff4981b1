"""Copies of people and props, tied to one another as the originals are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.document.model.actor import actor_of, with_clip
from app.document.model.clip import Key
from app.document.model.document import Character, Document
from app.document.model.history import Edit
from app.document.model.identity import COLORS, free_ids, name_beside
from app.document.model.placement import Placement
from app.document.model.prop import Prop
from app.document.posing.placing import moved
from app.document.posing.rest.borne import borne_by
from solver.effectors.effector import Effector
from solver.effectors.forms import AimEffector
from solver.effectors.sources import PropSource, RaySource, Tie
from solver.errors import PoserError
from solver.kinematics.rigid_motion import RigidMotion


class Things(NamedTuple):
    """People and props."""

    people: tuple[Character, ...] = ()
    props: tuple[Prop, ...] = ()

    @property
    def names(self) -> str:
        """The name of the only one, else how many there are, such as “2 people and 3 props”."""
        count = len(self.people), len(self.props)
        if sum(count) == 1:
            return [*(each.name for each in self.people), *(each.name for each in self.props)][0]
        words = ("1 person", f"{count[0]} people"), ("1 prop", f"{count[1]} props")
        return " and ".join(two[n > 1] for two, n in zip(words, count, strict=True) if n)

    def moved(self, shift: ArrayLike) -> Things:
        """All of them moved by (3,) metres, with their motion."""
        by = np.asarray(shift, np.float64)
        if not by.any():
            return self
        return Things(tuple(moved(person, by) for person in self.people), tuple(_moved(p, by) for p in self.props))


def copies_of(document: Document, things: Things, from_elsewhere: bool = False) -> Things:
    """Copies with ids, names and, for people, colours of their own, where the originals are; add them by `add_things`.

    What is tied to one of the originals is tied to its copy. A look still goes where it went; nothing else is held on
    to, as the copies will not stand where the originals do. from_elsewhere: the originals are of another scene or may
    be gone, so that no look can go on, nor anybody have been seen in a photo that is not there.
    """
    ids = free_ids("c", (c.id for c in document.characters)), free_ids("p", (p.id for p in document.props))
    people_ids = {person.id: id for person, id in zip(things.people, ids[0], strict=False)}
    prop_ids = {prop.id: id for prop, id in zip(things.props, ids[1], strict=False)}
    own = _owners(things, people_ids, prop_ids, from_elsewhere)
    taken, colors = {c.name for c in document.characters}, [c.color for c in document.characters]
    photos = {photo.sha256 for photo in document.photos}

    def person(each: Character) -> Character:
        color = min(COLORS, key=colors.count)
        colors.append(color)
        keys = tuple(_with_effectors(key, own(each, key.effectors)) for key in each.clip.keys)
        seen = each.sighting if each.sighting is not None and each.sighting.photo in photos else None
        return replace(
            each, id=people_ids[each.id], clip=replace(each.clip, keys=keys), effectors=own(each, each.effectors),
            name=_named(taken, each.name), color=color, sighting=seen if from_elsewhere else each.sighting,
        )  # fmt: skip

    people = tuple(map(person, things.people))
    taken |= {prop.name for prop in document.props}
    props = tuple(replace(p, id=prop_ids[p.id], name=_named(taken, p.name), extra={}) for p in things.props)
    return Things(people, props)


def copy_on(copy: Character, original: Character, prop: Prop, way: ArrayLike) -> Character:
    """A copy of somebody, who has let go of all, moved by (3,) metres along the prop that bears them: wherever it bears
    the original it bears the copy as well. prop: as it is at the frame looked at."""
    own = prop.turn.astype(np.float64).T @ np.asarray(way, np.float64)
    clip, actor = copy.clip, actor_of(original)
    back = clip.placement.rigid.turn.T

    def put(key: Key, was: Key) -> Key:
        there = prop.at_time(key.frame / clip.fps)
        held = {e.id for e in borne_by(actor.at(key.frame), there)}
        shift = back @ (there.turn @ own if held else np.asarray(way, np.float64))
        move, before = Placement().moved(shift), {e.id: e for e in was.effectors}
        effectors = (_along(before[e.id], own / prop.size) if e.id in held else e for e in key.effectors)
        poses = move.pose(key.pose), move.pose(key.base_pose)
        return replace(key, pose=poses[0], base_pose=poses[1], effectors=tuple(map(move.effector, effectors)))

    keys = tuple(put(key, was) for key, was in zip(clip.keys, original.clip.keys, strict=True))
    return with_clip(copy, replace(clip, keys=keys, solved=()), copy.frame)


def _along(contact: Effector, shares: NDArray[np.float64]) -> Effector:
    """A contact on a prop, (3,) shares of its size further along it."""
    assert isinstance(contact.source, PropSource)
    return replace(contact, source=replace(contact.source, place=(contact.source.place + shares).astype(np.float32)))


def _with_effectors(key: Key, effectors: tuple[Effector, ...]) -> Key:
    """A key with these effectors; the same if they are its own, so that what is solved beside it still belongs."""
    same = all(a is b for a, b in zip(key.effectors, effectors, strict=True))
    return key if same else replace(key, effectors=effectors)


def add_things(things: Things, frames: Mapping[str, int]) -> Edit:
    """Add people and props. frames: of props that move, by their slots, the frame they are seen at.

    PoserError for an id that is taken.
    """

    def edit(document: Document) -> Document:
        taken = {c.id for c in document.characters} | {p.slot for p in document.props}
        for id in (*(c.id for c in things.people), *(p.slot for p in things.props)):
            if id in taken:
                raise PoserError(f"There is already something with the id “{id}”.")
        grown = document.with_characters((*document.characters, *things.people)) if things.people else document
        return replace(grown, props=(*grown.props, *things.props), frames={**grown.frames, **frames})

    return edit


def _named(taken: set[str], wanted: str) -> str:
    name = name_beside(taken, wanted)
    taken.add(name)
    return name


def _moved(prop: Prop, by: NDArray[np.float64]) -> Prop:
    clip = prop.clip and prop.clip.carried(RigidMotion.move(by))
    return replace(prop.moved(by), clip=clip)


def _owners(
    things: Things, people: Mapping[str, str], props: Mapping[str, str], from_elsewhere: bool
) -> Callable[[Character, Sequence[Effector]], tuple[Effector, ...]]:
    """What ties a copy's effectors to the copies. people, props: the copies' ids by the originals'."""
    from app.document.posing.holds.retying import retied  # not needed to show the window

    originals = {person.id: person for person in things.people}

    def own_one(holder: Character, effector: Effector) -> Effector:
        source = effector.source
        if isinstance(source, Tie) and source.character in people:
            original = originals[source.character]
            copy = replace(original, id=people[source.character])
            return retied(effector, people[holder.id], copy, original.body)
        if isinstance(source, PropSource) and source.prop in props:
            return replace(effector, source=replace(source, prop=props[source.prop]))
        stays = not from_elsewhere and isinstance(effector, AimEffector)
        return (
            replace(effector, source=None)
            if isinstance(source, Tie | PropSource | RaySource) and not stays
            else effector
        )

    return lambda holder, effectors: tuple(own_one(holder, effector) for effector in effectors)
