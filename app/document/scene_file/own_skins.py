"""The skin of a user's own character in a scene file: its table."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Mapping
from typing import Any

from app.document.model.own_skin import OwnSkin
from solver.errors import PoserError
from solver.files.json_checks import Node
from solver.files.json_forms import Boolean, Choice, Context, Integer, Text
from solver.files.json_record import Field, Record, Values
from solver.memoise import memoised

ENCODING = "GLB zlib base64"
MOST_BYTES = 64 << 20  # of a skin of as many triangles as may be drawn
_EARLIER = "Use an earlier copy of the file, or remove “own_skin”: then our body is drawn"


def _own_skin(values: Values, node: Node, context: Context) -> OwnSkin:
    packed = _unpacked(values["data"], node["data"], values["bytes"])
    own = OwnSkin(values["name"], packed, values["shown"], values["extra"])
    try:
        own.rig()
    except PoserError as error:
        node.refuse(f"the skin cannot be drawn ({error})", _EARLIER)
    return own


def _parts(own: OwnSkin) -> Mapping[str, Any]:
    return {
        "name": own.name,
        "shown": own.shown,
        "bytes": len(own.packed),
        "encoding": ENCODING,
        "data": _text(own.packed),
        "extra": own.extra,
    }


OWN_SKIN = Record(
    "own_skin",
    "The skin of a character from the user's own file, with its rig, as the view draws it in place of the body's. The "
    "file itself is not needed to open the scene.",
    (
        Field("name", Text(), "Of the character's file, without its folder."),
        Field("shown", Boolean(), "Whether it is drawn; if not, the body is.", True),
        Field("bytes", Integer(1, MOST_BYTES), "How many bytes the GLB file has."),
        Field("encoding", Choice((ENCODING,)), "A GLB file (glTF 2.0), zlib, base64."),
        Field("data", Text(2 * MOST_BYTES), "The GLB file: nodes, skins and meshes with their plain colours, no more."),
    ),
    _own_skin,
    _parts,
    keeps=True,
)


@memoised(8)
def _text(packed: bytes) -> str:
    """A skin as text, kept for the next save: scenes are saved every few minutes, and skins hardly ever change."""
    return base64.b64encode(zlib.compress(packed, 6)).decode("ascii")


def _unpacked(text: str, node: Node, size: int) -> bytes:
    """The bytes; no more is unpacked than the file announced."""
    try:
        data = zlib.decompressobj().decompress(base64.b64decode(text, validate=True), size + 1)
    except (binascii.Error, ValueError, zlib.error):
        node.refuse("the packed skin is damaged", _EARLIER)
    if len(data) != size:
        node.refuse(f"does not hold the {size:,} bytes that were announced", _EARLIER)
    return data
