"""The document: what undo restores and a scene file holds. Selection, hover and the view's camera are not in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from app.document.model.actor import Actor, actor_of
from app.document.model.bookmark import Bookmark
from app.document.model.character import Character
from app.document.model.clip import EMPTY, Preserve
from app.document.model.prop import Prop
from solver.camera import PinholeCamera
from solver.errors import PoserError, UnknownName
from solver.size_limits import MAX_ALL_EFFECTORS, MAX_ALL_PROP_TRIANGLES, MAX_FRAMES, MAX_PEOPLE, MAX_PROPS

__all__ = ["EMPTY", "FORMAT_VERSION", "Character", "Document", "Photo", "Preserve"]

FORMAT_VERSION = 2
NOTED, GUESSED, SET, UNKNOWN = "file", "guess", "set", "unknown"
FOCAL_FROM = (NOTED, GUESSED, SET, UNKNOWN)  # noted in the photo's file, guessed, set by hand or by an estimator


@dataclass(frozen=True)
class Photo:
    """The photo behind the scene. path: where the file was last seen; sha256: its content, to find it again.

    focal_from: where the camera's focal length comes from, one of `FOCAL_FROM`.
    """

    path: str
    sha256: str
    camera: PinholeCamera
    visible: bool = True
    opacity: float = 1.0
    focal_from: str = UNKNOWN
    extra: Mapping[str, Any] = field(default_factory=lambda: EMPTY)


@dataclass(frozen=True)
class Document:
    """All actors, photos and props. The first photo is behind the scene. `extra`: unknown keys of the file, kept.
    bookmarks: views to come back to, in the order of their numbers.

    frames: at which frame of its clip each actor is looked at, by id, and each prop, by its slot; 0 where none is
    given. They decide what `characters` shows, where `props` are and where an edit sets its key; they belong to the
    view, so documents that differ in nothing else, where no prop moves, are equal. A prop with a clip is always where
    that has it, whatever is given.
    body_opacity: 0..1, of people in front of a photo, as it was last looked at; it belongs to the view as well.
    Raises PoserError where it would grow beyond what a scene file may hold.
    """

    actors: tuple[Actor, ...] = ()
    photos: tuple[Photo, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    frames: Mapping[str, int] = field(default_factory=lambda: EMPTY, compare=False)
    props: tuple[Prop, ...] = ()
    bookmarks: tuple[Bookmark, ...] = ()
    body_opacity: float = field(default=1.0, compare=False)

    def __post_init__(self) -> None:
        if len(self.actors) > MAX_PEOPLE:
            raise PoserError(f"A scene holds up to {MAX_PEOPLE} people. Remove some first.")
        if sum(len(key.effectors) for actor in self.actors for key in actor.clip.keys) > MAX_ALL_EFFECTORS:
            raise PoserError(f"A scene holds up to {MAX_ALL_EFFECTORS:,} effectors. Remove some first.")
        if sum(len(actor.clip) for actor in self.actors if actor.clip.source is not None) > MAX_FRAMES:
            raise PoserError(
                f"The motions of a scene hold up to {MAX_FRAMES:,} frames together. "
                "Import a shorter part, or remove another one first."
            )
        if len(self.props) > MAX_PROPS:
            raise PoserError(f"A scene holds up to {MAX_PROPS} props. Remove some first.")
        if sum(len(prop.mesh.faces) for prop in self.props if prop.mesh is not None) > MAX_ALL_PROP_TRIANGLES:
            raise PoserError(
                f"The props of a scene hold up to {MAX_ALL_PROP_TRIANGLES:,} triangles together. Remove some first, or "
                "reduce their meshes."
            )
        if any(prop.clip is not None for prop in self.props):
            placed = tuple(prop.at(self.frames.get(prop.slot, 0)) for prop in self.props)
            if any(a is not b for a, b in zip(placed, self.props, strict=True)):
                object.__setattr__(self, "props", placed)

    @cached_property
    def characters(self) -> tuple[Character, ...]:
        """The actors as they are at the document's frames."""
        return tuple(actor.at(self.frames.get(actor.id, 0)) for actor in self.actors)

    @property
    def names(self) -> dict[str, str]:
        """What people and props are called, by their ids."""
        return {prop.id: prop.name for prop in self.props} | {actor.id: actor.identity.name for actor in self.actors}

    @property
    def photo(self) -> Photo | None:
        """The photo behind the scene, if there is one."""
        return self.photos[0] if self.photos else None

    def at(self, frames: Mapping[str, int]) -> Document:
        """The document as seen at other frames, as far as the clips go; the very same where no frame differs."""
        now, then = self.frames, self.within(frames)
        return self if all(now.get(id, 0) == frame for id, frame in then.items()) else replace(self, frames=then)

    def within(self, frames: Mapping[str, int]) -> Mapping[str, int]:
        """These frames of everybody and of every prop with a clip, as far as the clips go."""
        clips = {prop.slot: len(prop.clip) for prop in self.props if prop.clip is not None}
        clips = {actor.id: len(actor.clip) for actor in self.actors} | clips
        return {slot: min(max(frames.get(slot, 0), 0), count - 1) for slot, count in clips.items()}

    def with_props_at(self, time_s: float) -> Document:
        """The document with its props where they are at a time in seconds, and everybody at the same frame."""
        there = {prop.slot: prop.clip.frame_at(time_s) for prop in self.props if prop.clip is not None}
        return self.at({**self.frames, **there}) if there else self

    def keyed(self, prop: Prop) -> Prop:
        """A prop that was moved or turned in this document with a key at its frame, if it has a clip."""
        return prop.keyed(self.frames.get(prop.slot, 0))

    def at_frame(self, id: str, frame: int) -> Document:
        """The document with one actor seen at another frame."""
        return self.at({**self.frames, id: frame})

    def actor(self, id: str) -> Actor:
        """The actor with that id; UnknownName otherwise."""
        for actor in self.actors:
            if actor.id == id:
                return actor
        raise UnknownName("character", id, (a.id for a in self.actors))

    def character(self, id: str) -> Character:
        """The character with that id; UnknownName otherwise."""
        return self.actor(id).at(self.frames.get(id, 0))

    def prop(self, id: str) -> Prop:
        """The prop with that id; UnknownName otherwise."""
        for prop in self.props:
            if prop.id == id:
                return prop
        raise UnknownName("prop", id, (p.id for p in self.props))

    def with_character(self, character: Character) -> Document:
        """The document with the actor of that id changed to match the character, at the character's frame."""
        changed = actor_of(character)
        self.actor(changed.id)
        return replace(
            self,
            actors=tuple(changed if actor.id == changed.id else actor for actor in self.actors),
            frames={**self.frames, changed.id: character.frame},
        )

    def with_characters(self, characters: Iterable[Character]) -> Document:
        """The document with these characters and nobody else; those who did not change stay the same actors."""
        chosen = tuple(characters)
        mine = {character.id: (character, actor) for character, actor in zip(self.characters, self.actors, strict=True)}
        return replace(
            self,
            actors=tuple(mine[c.id][1] if c.id in mine and mine[c.id][0] is c else actor_of(c) for c in chosen),
            frames={**self.frames, **{c.id: c.frame for c in chosen}},
        )
