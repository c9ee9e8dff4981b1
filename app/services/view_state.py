"""What is shown and selected: beside the document, outside undo, never saved in a scene."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.document.state import Document

SHOWS = ("body", "bones", "both")


@dataclass(frozen=True)
class ViewState:
    """The view's state. character: id of the active character. effectors, joints: what is selected of it.

    hover: a handle ("effector", id), a joint ("joint", name) or a part of the root handle ("root", part) of the active
    character under the pointer. root: whether its root handle is selected.
    ghost: whether the base pose shows through. through_photo: whether the view looks through the photo's camera.
    grabbed: the gizmo part being dragged. local_axes: whether rings turn about the joint's own axes.
    """

    character: str = ""
    effectors: frozenset[str] = frozenset()
    joints: frozenset[str] = frozenset()
    root: bool = False
    hover: tuple[str, str] | None = None
    hover_part: str | None = None
    grabbed: str | None = None
    show: str = "body"
    ghost: bool = False
    grid: bool = True
    handles: bool = True
    through_photo: bool = False
    local_axes: bool = True


def at_start(view: ViewState) -> ViewState:
    """The view state for another document: nothing selected, through nobody's camera; how things are shown stays."""
    return ViewState(show=view.show, ghost=view.ghost, grid=view.grid, handles=view.handles, local_axes=view.local_axes)


def fitted(view: ViewState, document: Document) -> ViewState:
    """The view state with everything dropped that the document no longer has; the same object if all is there."""
    by_id = {c.id: c for c in document.characters}
    if view.character not in by_id:
        first = document.characters[0].id if document.characters else ""
        view = replace(view, character=first, effectors=frozenset(), joints=frozenset(), root=False, hover=None)
    if view.character:
        there = {e.id for e in by_id[view.character].effectors}
        if not view.effectors <= there:
            view = replace(view, effectors=view.effectors & there)
        if view.hover is not None and view.hover[0] == "effector" and view.hover[1] not in there:
            view = replace(view, hover=None)
    if view.through_photo and document.photo is None:
        view = replace(view, through_photo=False)
    return view
