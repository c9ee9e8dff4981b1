"""People and props as they go through the clipboard, so that another window can take them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from app.document.edits.copies import Things
from app.document.model.actor import actor_of
from app.document.model.document import Document
from app.document.model.prop import Prop
from app.document.model.prop_mesh import PropMesh
from app.document.scene_file.read import document_of
from app.document.scene_file.write import scene_dict
from solver.errors import InputRefused
from solver.files.json_checks import parse_json
from solver.files.json_text import json_text

SOURCE = "The clipboard"
NOWHERE = Path("/")  # there is no photo whose place would be written relative to a folder


def things_bytes(things: Things, frames: dict[str, int]) -> bytes:
    """A scene file's text with these alone. frames: of moving props, by their slots.

    Meshes are not compressed: the window would wait for that, and the clipboard has room.
    """
    frames = {**frames, **{person.id: person.frame for person in things.people}}
    scene = Document(tuple(map(actor_of, things.people)), frames=frames, props=things.props)
    return json_text(scene_dict(scene, NOWHERE, compressed=False)).encode("utf-8")


def things_from(content: bytes, bodies: Collection[str] | None, meshes: Collection[PropMesh] = ()) -> Things:
    """The people and props of such a text. InputRefused where it cannot be read here. bodies: as for `document_of`.

    meshes: known ones, which props of the same mesh share, as its surface to draw takes long to make.
    """
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputRefused(SOURCE, "holds something that cannot be read", "Copy it again") from error
    scene = document_of(parse_json(text, SOURCE), NOWHERE, bodies)
    if not (scene.actors or scene.props):
        raise InputRefused(SOURCE, "holds neither people nor props", "Copy them again")
    return Things(scene.characters, tuple(_sharing(prop, meshes) for prop in scene.props))


def _sharing(prop: Prop, meshes: Collection[PropMesh]) -> Prop:
    known = next((mesh for mesh in meshes if mesh == prop.mesh), None)
    return prop if known is None else replace(prop, mesh=known)
