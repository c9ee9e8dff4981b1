"""What is shown and selected: beside the document and outside undo. Of it, a scene keeps `body_opacity` alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from app.document.edits.matching_frames import with_matching_frames
from app.document.in_photo.photo_membership import belongs_to_photo
from app.document.model.document import EMPTY, Character, Document
from app.document.model.history import Edit
from app.document.model.prop import Prop
from app.services.clock import Span, length_s
from solver.kinematics.pose import Pose

Triple = tuple[float, float, float]
HeldAxis = tuple[str, Triple, Triple]


@dataclass(frozen=True)
class ViewState:
    """The view's state. character: id of the active character. effectors, joints: what is selected of it.
    others: ids of other people selected with it.

    hover: a handle ("effector", id), a joint ("joint", name), a point of a finger ("finger", name) or a part of the
    root handle ("root", part) of the active character under the pointer, a prop ("prop", id), or ("root", part, id) of
    another character. fingers: whether the panel of hands is open, so that fingers can be taken however small they are.
    root: whether its root handle is selected. prop: id of the selected prop, "" for none; then nobody is selected.
    props: ids of further props that are selected with it or, without one, with the active character.
    prop_tool: what its gizmo does, "move", "turn" or "scale".
    frames: at which frame of its clip each character is looked at, by id, and each prop, by its slot; 0 where none is
    given.
    time_s: the time of that on the clock that all share, in seconds. range_s: the first and the last moment to play,
    None for all there is; loop: whether playing begins again at its end.
    ghost: whether the base pose shows through; onion: whether the keys before and after do; before: whether the source
    motion does. peek: whether the active character is shown as its source motion has it, while a key is held.
    follow: whether the view goes along with the active person from frame to frame; film_way: whether it goes the way of
    a film's camera.
    through_photo: whether the view looks through the photo's camera.
    still: joints of the active character that stay while one limb moves, drawn calm.
    body_opacity: 0..1, of people while the view looks through the photo's camera; saved_opacity: as the scene has it.
    outline: whether people are outlines then.
    beside: whether the photo then shows a second time, alone, beside the view.
    horizon: whether the photo's horizon then shows, to drag.
    wipe: 0..1 of the photo's width, left of which it then shows alone; 0 for none.
    reading: another pose of the active character that the photo may mean as well, shown as a ghost.
    symmetry: whether what is done to effectors of one side is done to those of the other as well.
    balance: whether centres of mass and support polygons show. intersections: whether skin within skin, props or the
    floor is tinted.
    grabbed: the gizmo part being dragged. local_axes: whether rings turn about the joint's own axes.
    held_axes: what the drag under way keeps to: each axis's letter, a point on it and its direction.
    """

    character: str = ""
    effectors: frozenset[str] = frozenset()
    joints: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    frames: Mapping[str, int] = field(default_factory=lambda: EMPTY)
    time_s: float = 0.0
    range_s: Span | None = None
    loop: bool = True
    root: bool = False
    prop: str = ""
    props: frozenset[str] = frozenset()
    prop_tool: str = "move"
    hover: tuple[str, ...] | None = None
    hover_part: str | None = None
    fingers: bool = False
    grabbed: str | None = None
    held_axes: tuple[HeldAxis, ...] = ()
    still: frozenset[str] = frozenset()
    reading: Pose | None = None
    show: str = "body"
    ghost: bool = False
    onion: bool = False
    before: bool = False
    follow: bool = False
    film_way: bool = False
    peek: bool = False
    grid: bool = True
    balance: bool = False
    intersections: bool = False
    symmetry: bool = False
    handles: bool = True
    through_photo: bool = False
    local_axes: bool = True
    body_opacity: float = 1.0
    saved_opacity: float = 1.0
    outline: bool = False
    beside: bool = False
    horizon: bool = False
    wipe: float = 0.0


def cleared(view: ViewState) -> ViewState:
    """The view state for another document: nothing selected, not through a photo; display options stay."""
    kept = (
        "show",
        "ghost",
        "onion",
        "before",
        "follow",
        "grid",
        "balance",
        "intersections",
        "handles",
        "local_axes",
        "loop",
        "outline",
        "prop_tool",
        "symmetry",
        "fingers",
    )
    return ViewState(**{name: getattr(view, name) for name in kept})


def opening(view: ViewState, document: Document) -> ViewState:
    """The view state for a document that is opened: as `cleared`, with somebody in its photo active if it has one."""
    shown = (c.id for c in document.characters if belongs_to_photo(c, document))
    opacity = document.body_opacity
    return replace(cleared(view), character=next(shown, ""), body_opacity=opacity, saved_opacity=opacity)


def looking(view: ViewState) -> dict[str, Any]:
    """The changes that select what a view state has selected, at its frames, and pose symmetrically if it does."""
    kept = ("character", "effectors", "joints", "others", "root", "prop", "props", "frames", "time_s", "symmetry")
    return {name: getattr(view, name) for name in kept}


def viewed(view: ViewState, changes: Mapping[str, Any], document: Document) -> ViewState:
    """The view state with changes, as `pruned`; a prop selected without a word about others is selected alone."""
    if "prop" in changes and "props" not in changes:
        changes = {**changes, "props": frozenset()}
    return pruned(replace(view, **changes), document)


def pruned(view: ViewState, document: Document) -> ViewState:
    """The view state without anything that the document, looked at as it says, no longer has.

    The same object if all is there.
    """
    frames = document.within(view.frames)
    if frames != view.frames:
        view = replace(view, frames=frames)
    end_s = length_s(document)
    if view.time_s > end_s:
        view = replace(view, time_s=end_s)
    if view.range_s is not None and view.range_s[1] > end_s:
        first_s, last_s = min(view.range_s[0], end_s), end_s
        view = replace(view, range_s=(first_s, last_s) if first_s < last_s else None)
    document = document.at(frames)
    by_id = {c.id: c for c in document.characters}
    if not view.others <= by_id.keys() - {view.character}:
        view = replace(view, others=view.others & by_id.keys() - {view.character})
    if view.character not in by_id:
        first = next((id for id in by_id if id in view.others), next(iter(by_id), ""))
        view = replace(
            view, character=first, effectors=frozenset(), joints=frozenset(), root=False, hover=None, reading=None,
            others=view.others - {first},
        )  # fmt: skip
    if view.character:
        there = {e.id for e in by_id[view.character].effectors}
        if not view.effectors <= there:
            view = replace(view, effectors=view.effectors & there)
        if view.hover is not None and view.hover[0] == "effector" and view.hover[1] not in there:
            view = replace(view, hover=None)
    if view.prop or view.props:
        view = _with_props_there(view, [prop.id for prop in document.props])
    if view.prop and (view.effectors or view.joints or view.root):
        view = replace(view, effectors=frozenset(), joints=frozenset(), root=False)
    if view.through_photo and document.photo is None:
        view = replace(view, through_photo=False)
    return view


def _with_props_there(view: ViewState, ids: Collection[str]) -> ViewState:
    """The view state with those selected props that are there."""
    props = view.props.intersection(ids) - {view.prop}
    if view.prop and view.prop not in ids:
        heir = min(props, default="")
        return replace(view, prop=heir, props=props - {heir})
    return view if props == view.props else replace(view, props=props)


def selected_prop(document: Document, view: ViewState) -> Prop | None:
    """The selected prop, if there is one."""
    return next((prop for prop in document.props if prop.id == view.prop), None)


def selected_props(document: Document, view: ViewState) -> tuple[Prop, ...]:
    """Every selected prop, in the document's order."""
    return tuple(prop for prop in document.props if prop.id == view.prop or prop.id in view.props)


def moving_props(document: Document, view: ViewState) -> tuple[Prop, ...]:
    """The selected props that move when what is selected is moved: the one whose gizmo shows, and of the others those
    that are not locked."""
    return tuple(prop for prop in selected_props(document, view) if prop.id == view.prop or not prop.locked)


def selecting(
    view: ViewState, character: str, effectors: Iterable[str] = (), joints: Iterable[str] = ()
) -> dict[str, Any]:
    """The changes that make a character the active one and select something of it.

    Other selected people and props stay so only if the character stays the same and something of it is selected.
    """
    handles, dots = frozenset(effectors), frozenset(joints)
    stays = character == view.character and (handles or dots)
    others, props = (view.others, view.props if not view.prop else frozenset()) if stays else (frozenset(), frozenset())
    what = {"effectors": handles, "joints": dots, "root": False, "others": others}
    return {"character": character, **what, "prop": "", "props": props}


def selected_people(view: ViewState, document: Document) -> tuple[Character, ...]:
    """The active character and, after it, all who are selected with it, in the document's order."""
    active = tuple(c for c in document.characters if c.id == view.character)
    return (*active, *(c for c in document.characters if c.id in view.others)) if active else ()


def moving_people(view: ViewState, document: Document) -> tuple[Character, ...]:
    """The people who move when what is selected is moved: the active character, and of the others selected with it
    those who are not locked."""
    active, *others = selected_people(view, document) or (None,)
    return () if active is None else (active, *(person for person in others if not person.locked))


def toggling_person(view: ViewState, id: str) -> dict[str, Any]:
    """The changes that add somebody to the selected people as the active one or, if selected already, deselect them.
    Selected props stay so. No changes if that person alone is selected."""
    if view.prop:
        return {**selecting(view, id), "props": view.props | {view.prop}}
    return {**_toggling_among_people(view, id), "prop": "", "props": view.props}


def _toggling_among_people(view: ViewState, id: str) -> dict[str, Any]:
    if id not in view.others | {view.character}:
        chosen = view.others | {view.character} if view.character else view.others
        return {**selecting(view, id), "others": chosen}
    if id != view.character:
        return {"others": view.others - {id}}
    if not view.others:
        return {}
    heir = min(view.others)
    return {**selecting(view, heir), "others": view.others - {heir}}


def toggling_prop(view: ViewState, id: str) -> dict[str, Any]:
    """The changes that add a prop to what is selected or, if selected already, deselect it: beside a selected person
    that person stays the active one, among props the last one added is."""
    if not view.prop:
        return {"prop": "", "props": view.props ^ {id}}
    if id in view.props:
        return {"prop": view.prop, "props": view.props - {id}}
    if id != view.prop:
        return {"prop": id, "props": view.props | {view.prop}}
    heir = min(view.props, default="")
    return {"prop": heir, "props": view.props - {heir}}


def activating(view: ViewState, id: str) -> dict[str, Any]:
    """The changes that make one of the selected people the active one; all stay selected."""
    others = (view.others | {view.character}) - {id}
    return {**selecting(view, id), "others": others, "props": view.props}


def selecting_up_to(view: ViewState, document: Document, id: str) -> dict[str, Any]:
    """The changes that select everybody from the active character, who stays so, to somebody else in the list."""
    ids = [character.id for character in document.characters]
    if view.character not in ids:
        return {}
    first, last = sorted((ids.index(view.character), ids.index(id)))
    return _selecting_with_active(view, ids[first : last + 1])


def selecting_everybody(view: ViewState, document: Document) -> dict[str, Any]:
    """The changes that select all people, and the active character, who stays so, among them."""
    return _selecting_with_active(view, (character.id for character in document.characters))


def _selecting_with_active(view: ViewState, ids: Iterable[str]) -> dict[str, Any]:
    """Selected props stay so beside them, as in `toggling_person`."""
    props = {"prop": "", "props": view.props | {view.prop}} if view.prop else {}
    return {"others": frozenset(ids) - {view.character}, **props}


def edit_at_frames(frames: Mapping[str, int], edit: Edit) -> Edit:
    """The edit, done on the document as seen at these frames."""

    def at_frames(document: Document) -> Document:
        shown = document.at(frames)
        after = edit(shown)
        return document if after is shown else after

    return at_frames


def edit_in_view(view: ViewState, edit: Edit, alone: bool = False) -> Edit:
    """The edit as the view wants it: at the frames looked at, on both sides of the active character if posing is
    symmetric, and with frames for people tied to somebody who moves. alone: whether one limb moves by itself."""
    if view.symmetry and not alone:
        from app.document.edits.symmetry import symmetric  # only once it is asked for

        edit = symmetric(view.character, edit)
    return edit_at_frames(view.frames, with_matching_frames(edit))


def as_saved(document: Document, view: ViewState) -> Document:
    """The document as a scene file keeps it: with what the view says besides frames. The same if it says so already."""
    same = document.body_opacity == view.body_opacity
    return document if same else replace(document, body_opacity=view.body_opacity)


def with_live_poses(document: Document, live: Mapping[str, Pose]) -> Document:
    """The document as drawn while streams pose some of its characters, by id."""
    for id, pose in live.items():
        document = document.with_character(replace(document.character(id), pose=pose))
    return document
