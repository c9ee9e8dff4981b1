"""The plain colour of each vertex of a glTF file: its material's, with the picture on it taken at the vertex."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.formats.gltf.content import Gltf

Array = NDArray[np.floating]
_SIDE = 512  # pixels: larger pictures are made smaller first, so that a vertex has the mean colour around it
_MOST_PIXELS = 64_000_000
_UNSEEN = 0.02  # opacity, below which a material is taken for one that hides something


class SeenColors(NamedTuple):
    """colors: (V, 3), linear. two_sided: whether the surface is seen from both sides."""

    colors: Array
    two_sided: bool


class VertexColors:
    """Colours of a file's surfaces. Each picture is read once, and one that cannot be read is left out."""

    def __init__(self, gltf: Gltf) -> None:
        self._gltf = gltf
        self._pictures: dict[int, Array | None] = {}

    def of(self, primitive: Mapping[str, Any], count: int) -> SeenColors | None:
        """The colours of a primitive's `count` vertices; None for one that nobody sees."""
        material = self._gltf.content["materials"][primitive["material"]] if "material" in primitive else {}
        paint = material.get("pbrMetallicRoughness") or {}
        factor = np.array(paint.get("baseColorFactor", (1.0, 1.0, 1.0, 1.0)), np.float64)
        if material.get("alphaMode") == "BLEND" and factor[3] < _UNSEEN:
            return None
        colors = np.tile(factor[:3], (count, 1))
        attributes = primitive["attributes"]
        if "COLOR_0" in attributes:
            kind = str(self._gltf.content["accessors"][attributes["COLOR_0"]]["type"])
            colors *= self._gltf.numbers(attributes["COLOR_0"], kind)[:, :3]
        texture = paint.get("baseColorTexture")
        if texture is not None:
            at = attributes.get(f"TEXCOORD_{texture.get('texCoord', 0)}")
            picture = self._picture(int(texture["index"]))
            if at is not None and picture is not None:
                colors *= _taken(picture, self._gltf.numbers(at, "VEC2"))
        return SeenColors(np.clip(np.nan_to_num(colors), 0.0, 1.0), bool(material.get("doubleSided")))

    def _picture(self, texture: int) -> Array | None:
        """(H, W, 3), linear; None for one that is not there or cannot be read."""
        if texture not in self._pictures:
            try:
                self._pictures[texture] = self._read(texture)
            except Exception:  # a picture may hold anything, and its reader raise anything; it is only colour
                self._pictures[texture] = None
        return self._pictures[texture]

    def _read(self, texture: int) -> Array:
        from PIL import Image

        content = self._gltf.content
        image = content["images"][content["textures"][texture]["source"]]
        if "uri" in image:
            data = self._gltf.beside(str(image["uri"]))
        else:
            view = content["bufferViews"][image["bufferView"]]
            start = int(view.get("byteOffset", 0))
            data = self._gltf.buffer(int(view.get("buffer", 0)))[start : start + int(view["byteLength"])]
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "WEBP")) as opened:
            if opened.width * opened.height > _MOST_PIXELS:
                raise ValueError("too large")
            opened.draft("RGB", (_SIDE, _SIDE))
            small = opened.convert("RGB")
            small.thumbnail((_SIDE, _SIDE), Image.Resampling.BOX)
            shown = np.asarray(small, np.float64) / 255
        return np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)


def _taken(picture: Array, at: Array) -> Array:
    """(V, 3) of a picture that repeats, at places (V, 2) from its top left, between its pixels."""
    height, width = picture.shape[:2]
    x, y = (np.nan_to_num(at) * (width, height) - 0.5).T
    left, top = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    across, down = (x - left)[:, None], (y - top)[:, None]
    rows, columns = (top % height, (top + 1) % height), (left % width, (left + 1) % width)
    upper = (1 - across) * picture[rows[0], columns[0]] + across * picture[rows[0], columns[1]]
    lower = (1 - across) * picture[rows[1], columns[0]] + across * picture[rows[1], columns[1]]
    return np.asarray((1 - down) * upper + down * lower)
