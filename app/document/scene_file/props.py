"""Props in a scene file: their table."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.clip import STILL_FPS
from app.document.model.prop import CLAY, KINDS, LARGEST_M, Prop
from app.document.model.prop_clip import PropClip, PropKey
from app.document.model.prop_mesh import PropMesh
from solver.files.json_checks import Node
from solver.files.json_forms import Boolean, Choice, Context, Integer, ListOf, Number, Text, Vector
from solver.files.json_record import Field, Record, Values, made_as
from solver.formats.pose_json.rotation_json import Matrix
from solver.size_limits import FPS_RANGE, MAX_FRAMES, MAX_PROP_TRIANGLES

MESH_ENCODING = "float32-le int32-le zlib base64"
MAX_CHARACTERS = 12 * 3 * MAX_PROP_TRIANGLES * 2  # of packed numbers


def color_check(text: str, node: Node) -> None:
    """Refuse what is not a colour."""
    if not re.fullmatch("#[0-9a-fA-F]{6}", text):
        node.refuse(f"“{text[:20]}” is not a colour", "Write it as #rrggbb")


def _mesh(values: Values, node: Node, context: Context) -> PropMesh:
    vertices = _unpacked(values["vertices"], node["vertices"], "<f4", values["vertex_count"])
    faces = _unpacked(values["faces"], node["faces"], "<i4", values["face_count"])
    try:
        return PropMesh(vertices, faces)
    except ValueError as error:
        node.refuse(str(error), "Use an earlier copy of the file")


def _mesh_parts(mesh: PropMesh) -> Mapping[str, Any]:
    return {
        "vertex_count": len(mesh.vertices),
        "face_count": len(mesh.faces),
        "encoding": MESH_ENCODING,
        "vertices": mesh.vertices,
        "faces": mesh.faces,
    }


@dataclass(frozen=True)
class Packed(Text):
    """Numbers as text, read as that text. numbers: their form in numpy's letters."""

    most: int = MAX_CHARACTERS
    numbers: str = "<f4"

    def write(self, value: Any, context: Context) -> str:
        """The packed array."""
        data = zlib.compress(np.ascontiguousarray(value, dtype=self.numbers).tobytes(), context.packing)
        return base64.b64encode(data).decode("ascii")


MESH = Record(
    "prop_mesh",
    "The surface of a prop that came from a file, packed. It is in the prop's own frame: x and z within ±0.5, y from 0 "
    "to 1; the prop's size, turn and place bring it into the world.",
    (
        Field("vertex_count", Integer(3, 3 * MAX_PROP_TRIANGLES), "How many vertices."),
        Field("face_count", Integer(1, MAX_PROP_TRIANGLES), "How many triangles."),
        Field("encoding", Choice((MESH_ENCODING,)), "Little-endian float32 and int32 values, zlib, base64."),
        Field("vertices", Packed(), "vertex_count x 3 float32 values."),
        Field("faces", Packed(numbers="<i4"), "face_count x 3 int32 indices, counter-clockwise from outside."),
    ),
    _mesh,
    _mesh_parts,
)
PROP_KEY = Record(
    "prop_key",
    "Where a prop is at one frame, in the world.",
    (
        Field("frame", Integer(0, MAX_FRAMES), "The frame, counted from 0; each has one key at most.", 0),
        Field("place", Vector(), "Where the middle of its base is, metres."),
        Field("turn", Matrix(), "R_world_prop.", lambda values: np.eye(3, dtype=np.float32),
              default_doc="upright, facing +Z"),
    ),
    made_as(PropKey),
    keeps=True,
)  # fmt: skip
PROP_CLIP = Record(
    "prop_clip",
    "Where a prop is over time. It is at each key's place at its frame, on a smooth way in between, and stays before "
    "the first key and after the last.",
    (
        Field("fps", Number(*FPS_RANGE), "Frames a second.", STILL_FPS),
        Field("frames", Integer(1, MAX_FRAMES), "The least number of frames; later keys make it longer.",
              PropClip.frames, quiet=True),
        Field("keys", ListOf(PROP_KEY, MAX_FRAMES), "At least one, in the order of their frames."),
    ),
    made_as(PropClip),
    keeps=True,
)  # fmt: skip


# Kinds that the first programs of this version do not know, with what a file that holds one needs of its reader.
LATER_KINDS = {kind: f"props of the kind {kind}" for kind in ("table", "cup")}


def needed_for(props: Iterable[Prop]) -> tuple[str, ...]:
    """What a file with these props needs of its reader, by name."""
    return tuple(sorted({LATER_KINDS[prop.kind] for prop in props if prop.kind in LATER_KINDS}))


class PropAtFrame(NamedTuple):
    """A prop and the frame of its clip at which it is looked at; 0 for one that stands still."""

    prop: Prop
    frame: int = 0


def props_of(shown: Iterable[PropAtFrame]) -> tuple[tuple[Prop, ...], dict[str, int]]:
    """The props, and the frames of those that move by their slots."""
    props = tuple(shown)
    return tuple(prop for prop, _ in props), {p.slot: frame for p, frame in props if p.clip is not None}


def _prop(values: Values, node: Node, context: Context) -> PropAtFrame:
    frame = values.pop("frame")
    prop = made_as(Prop)(values, node, context)
    if frame and (prop.clip is None or frame >= len(prop.clip)):
        node["frame"].integer(0, 0 if prop.clip is None else len(prop.clip) - 1)
    return PropAtFrame(prop, frame)


def _prop_parts(shown: PropAtFrame) -> Mapping[str, Any]:
    return {**vars(shown.prop), "frame": shown.frame if shown.prop.clip is not None else 0}


PROP = Record(
    "prop",
    "A thing around the people: a box, a table, a mesh from a file.",
    (
        Field("id", Text(200, least=1), "Unique among the props of the scene."),
        Field("name", Text(), "As the window shows it.", lambda values: values["id"], default_doc="the id"),
        Field("kind", Choice(tuple(KINDS)), "What it is."),
        Field(
            "size",
            Vector(3, LARGEST_M * 1.001),
            "Metres along its own x, y and z; all three the same for a ball, x and z for a cylinder, a stick "
            "or a cup.",
        ),
        Field("place", Vector(), "Where the middle of its base is in the world, metres."),
        Field("turn", Matrix(), "R_world_prop; its front faces its own +Z.", lambda values: np.eye(3, dtype=np.float32),
              default_doc="upright, facing +Z"),
        Field("color", Text(pattern="^#[0-9a-fA-F]{6}$", check=color_check), "As #rrggbb.", CLAY),
        Field("visible", Boolean(), "Whether it is shown.", True),
        Field("locked", Boolean(), "Whether clicks in the view pass it by.", False),
        Field("mesh", MESH, "The surface of a prop of the kind “mesh”.", None, quiet=True),
        Field("clip", PROP_CLIP, "Where it is over time; then its place and turn are those of the frame looked at, and "
              "the clip counts.", None, default_doc="it stands still", quiet=True),
        Field("frame", Integer(0, MAX_FRAMES), "The frame of the clip that was looked at.", 0, quiet=True),
    ),
    _prop,
    _prop_parts,
    keeps=True,
)  # fmt: skip


def _unpacked(text: str, node: Node, form: str, count: int) -> NDArray[Any]:
    """(count, 3) numbers; no more is unpacked than the file announced."""
    size = 12 * count
    try:
        data = zlib.decompressobj().decompress(base64.b64decode(text, validate=True), size + 1)
    except (binascii.Error, ValueError, zlib.error):
        node.refuse("the packed numbers are damaged", "Use an earlier copy of the file")
    if len(data) != size:
        node.refuse(f"does not hold the {3 * count} numbers that were announced", "Use an earlier copy of the file")
    return np.frombuffer(data, dtype=form).reshape(count, 3)
