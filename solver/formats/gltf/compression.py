"""Compression of glTF's numbers, which is told by name and not read."""

from __future__ import annotations

import re
from pathlib import Path

from solver.errors import InputRefused

DRACO = "KHR_draco_mesh_compression"
COMPRESSED = re.compile(rf"{DRACO}|(EXT|KHR)_meshopt_compression")
_NAMES = {DRACO: "Draco", "EXT_meshopt_compression": "meshopt", "KHR_meshopt_compression": "meshopt"}


def refuse_compressed(path: str | Path, extension: str) -> InputRefused:
    """The refusal of a file that uses this extension of glTF."""
    reason = f"is compressed with {_NAMES.get(extension, extension)}, which this program does not read"
    return InputRefused(path, reason, "Export it again without compression")
