"""BVH files as programs of other languages write them: other encodings, and commas where English has points."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from formats_samples import sample_motion, sample_skeleton

from solver.errors import InputRefused
from solver.files.reading import text_in_any_encoding
from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.onto_rig import OwnMotion
from solver.formats.bvh.read import read_bvh
from solver.formats.bvh.text import with_decimal_points
from solver.formats.bvh.write import bvh_text
from solver.formats.mesh.own_character import posed, read_own_character
from solver.kinematics.pose import Motion

SKELETON = sample_skeleton()
TEXT = bvh_text(SKELETON, sample_motion(4, seed=7), names="humanik")
GERMAN = TEXT.replace("ROOT Hips", "ROOT Hüfte").replace("JOINT LeftFoot", "JOINT linker Fuß")
HEAD, FRAMES = TEXT.split("MOTION\n")


def read(folder: Path, content: str | bytes, encoding: str = "utf-8") -> BvhFile:
    path = folder / "a.bvh"
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return read_bvh(path)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1", "cp1252", "utf-16", "utf-16-le", "utf-16-be"])
def test_names_with_umlauts_are_read_in_every_encoding_that_programs_write(tmp_path: Path, encoding: str) -> None:
    file = read(tmp_path, GERMAN.replace("\n", "\r\n"), encoding)
    assert {"Hüfte", "linker Fuß"} < set(file.names)
    assert np.array_equal(file.values, read(tmp_path, TEXT).values)


def test_japanese_names_are_read_although_some_of_their_bytes_are_braces(tmp_path: Path) -> None:
    japanese = TEXT.replace("LeftFoot", "左つま先ボーン")
    assert b"{" in "ボ".encode("cp932")
    assert "左つま先ボーン" in read(tmp_path, japanese, "cp932").names


def test_bytes_of_no_known_encoding_cost_a_name_and_nothing_else(tmp_path: Path) -> None:
    file = read(tmp_path, TEXT.encode().replace(b"LeftFoot", b"Left\x82\x81Foot"))
    assert np.array_equal(file.values, read(tmp_path, TEXT).values)
    with pytest.raises(InputRefused, match="is a binary file, not text"):
        text_in_any_encoding(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\x80", "a.bvh")
    with pytest.raises(InputRefused, match="holds bytes that are not UTF-8 text"):
        text_in_any_encoding(b"\xff\xfeH\0I\0R", "a.bvh")  # cut in the middle of a letter


def everywhere(text: str) -> str:
    return re.sub(r"(\d)\.(\d)", r"\1,\2", text)


COMMAS: dict[str, Callable[[], str]] = {
    "decimal everywhere": lambda: everywhere(TEXT),
    "decimal in the frames alone": lambda: HEAD + "MOTION\n" + everywhere(FRAMES),
    "decimal in the frame time alone": lambda: TEXT.replace("Frame Time: 0.0", "Frame Time: 0,0"),
    "between the numbers": lambda: re.sub(r"(\d) (?=[-\d])", r"\1, ", TEXT),
    "between the numbers, without spaces": lambda: HEAD + "MOTION\n" + FRAMES.replace(" ", ","),
    "on one line with the brace": lambda: re.sub(r"\{\s*OFFSET", "{ OFFSET", everywhere(TEXT)),
}  # fmt: skip


@pytest.mark.parametrize("habit", COMMAS)
def test_commas_are_understood_where_only_one_reading_is_possible(tmp_path: Path, habit: str) -> None:
    text = COMMAS[habit]().replace("Frames:,", "Frames: ").replace("Frame,Time:,", "Frame Time: ")
    assert "," in text
    file, plain = read(tmp_path, text), read(tmp_path, TEXT)
    assert np.array_equal(file.values, plain.values)
    assert file.fps == plain.fps
    assert np.array_equal(file.rest_positions, plain.rest_positions)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("OFFSET 0.000000", "OFFSET 1,000.5", r"line 4: “1,000\.5” has a comma\. Export it with decimal points"),
        ("Frame Time: 0.033333", "Frame Time: 0,0,3", "“0,0,3” has a comma"),
    ],
)
def test_commas_of_two_possible_readings_are_refused_with_their_line(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    assert old in TEXT
    with pytest.raises(InputRefused, match=words):
        read(tmp_path, TEXT.replace(old, new, 1))


def test_commas_in_names_stay() -> None:
    named = everywhere(TEXT).replace("LeftFoot", "foot,1,5")
    assert "JOINT foot,1,5" in with_decimal_points(named)
    assert with_decimal_points(TEXT) is TEXT


def test_a_posed_character_in_another_encoding_and_with_commas_is_written_with_points(tmp_path: Path) -> None:
    path, back = tmp_path / "mine.bvh", tmp_path / "back.bvh"
    path.write_bytes(everywhere(GERMAN).encode("cp1252"))
    own = read_own_character(path, is_bvh=True)
    motion = Motion(*(part[:1] for part in (sample_motion(4).root_positions, sample_motion(4).rotations)))
    back.write_bytes(posed(own, 0, OwnMotion(SKELETON, motion)))
    assert "Hüfte" in read_bvh(back).names
    assert "," not in back.read_text(encoding="utf-8")
