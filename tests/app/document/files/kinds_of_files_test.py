"""Files of other programs are refused with how they come in all the same, whatever their name says."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.document.exchange.file_kind import kind_of
from app.document.exchange.onto.own_character import own_character_in
from solver.errors import InputRefused

FBX = b"Kaydara FBX Binary  \0\x1a\0"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (
            "hero.fbx",
            FBX,
            "is an FBX file, which this program does not read. In Blender, import it and export it as glTF",
        ),
        ("hero.fbx", b"; FBX 7.4.0 project file\n", "is an FBX file"),
        ("hero.glb", FBX, "is an FBX file"),
        ("hero.bvh", FBX, "is an FBX file"),
        ("hero.pmx", b"Pmx ", "In Blender, import it by the add-on MMD Tools"),
        ("walk.amc", b":fully-specified\n", "Turn it into BVH with the program that recorded it"),
        ("hero.usda", b"#usda 1.0\n", "Export it there as BVH or GLB"),
    ],
)
def test_other_programs_files_are_refused_with_a_way_in(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    for read in (kind_of, own_character_in):
        with pytest.raises(InputRefused, match=rf"{name} .*{words}"):
            read(path)
