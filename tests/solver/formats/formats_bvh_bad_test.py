"""BVH files that are damaged, odd or hostile: read where the meaning is clear, else one clear line."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import numpy as np
import pytest
from formats_samples import foreign_bvh, sample_motion, sample_skeleton
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import InputRefused
from solver.files.reading import decode_text
from solver.formats.bvh import frames as bvh_frames
from solver.formats.bvh.read import parse_bvh, read_bvh, to_motion
from solver.formats.bvh.write import bvh_text
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import geodesic_angle

SKELETON = sample_skeleton()
MOTION = sample_motion(4, seed=7)
TEXT = bvh_text(SKELETON, MOTION, names="humanik")
FIRST_FRAME_LINE = TEXT.count("\n", 0, TEXT.index("Frame Time")) + 2


def refusal(text: str) -> str:
    with pytest.raises(InputRefused) as caught:
        parse_bvh(text, "walk.bvh")
    message = str(caught.value)
    assert message.startswith("walk.bvh")
    assert "\n" not in message
    assert len(message) < 300
    return message


def change(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new, 1)


def frame_lines(edit: Callable[[list[str]], object]) -> str:
    head, frames = TEXT[: TEXT.index("Frame Time")], TEXT[TEXT.index("Frame Time") :].splitlines()
    lines = frames[1:]
    edit(lines)
    return head + "\n".join([frames[0], *lines]) + "\n"


def cut_last_value(lines: list[str]) -> None:
    lines[-1] = lines[-1].rpartition(" ")[0]


def spoil(value: str, line: int = 1) -> str:
    def edit(lines: list[str]) -> None:
        lines[line] = value + lines[line][lines[line].index(" ") :]

    return frame_lines(edit)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        (" \n\n", "is empty"),
        ("hello\n", "is not a BVH file: it does not begin with HIERARCHY"),
        ("HIERARCHY\n", "line 2: the hierarchy ends too early, before MOTION"),
        (TEXT[:500], "ends too early inside"),
        (TEXT[: TEXT.index("MOTION")], "ends too early, before MOTION"),
        (TEXT[: TEXT.index("Frames")], "line 142: the file ends before the first frame"),
        (change("Frames: 4", "Frames: 0"), "there are no frames"),
        (change("Frames: 4", "Frames: -4"), "“-4” is not a number of frames"),
        (change("Frames: 4", "Frames: many"), "“many” is not a number of frames"),
        (change("Frames: 4", "Frames: 3"), "more than the declared 3 × 75 values"),
        (change("Frames: 4", "Frames: 5"), "declares 5 × 75 values .* but ends after frame 4"),
        (change("Frames: 4", "Frames: 200001"), "more than 200,000 frames"),
        (change("Frames: 4", "Frames: " + "9" * 5000), "more than 200,000 frames"),
        (change("Frame Time: 0.033333", "Frame Time: 0,033333"), "“0,033333” has a comma.*decimal points"),
        (change("Frame Time: 0.033333", "Frame Time: nan"), "“nan” is not a number"),
        (change("Frame Time: 0.033333", "Frame Time: -1"), "frame time -1 is not possible"),
        (spoil("nan"), f"line {FIRST_FRAME_LINE + 1}: “nan” is not a number"),
        (spoil("inf"), "“inf” is too large"),
        (spoil("1e300"), "“1e300” is too large"),
        (spoil("0,5"), f"line {FIRST_FRAME_LINE + 1}: “0,5” has a comma"),
        (spoil("1_0"), "“1_0” is not a number"),
        (spoil("٣"), "“٣” is not a number"),
        (spoil("x" * 10_000, line=3), f"line {FIRST_FRAME_LINE + 3}: “x{{40}}”"),
        (frame_lines(lambda lines: lines.pop()), "declares 4 × 75 values .* but ends after frame 3"),
        (frame_lines(cut_last_value), rf"line {FIRST_FRAME_LINE + 3} \(74 values, expected 75\)"),
        (frame_lines(lambda lines: lines.append("0 " * 75)), "more than the declared 4 × 75 values"),
        (change("CHANNELS 3", "CHANNELS 4"), "“JOINT” is not a channel"),
        (change("CHANNELS 3", "CHANNELS three"), "“three” channels"),
        (change("Zrotation Xrotation Yrotation", "Zrotation Zrotation Yrotation"), "Zrotation is given twice"),
        (change("CHANNELS 3 Zrotation", "CHANNELS 3 Wrotation"), "“Wrotation” is not a channel"),
        (re.sub(r"\t\tOFFSET.*\n", "", TEXT, count=1), "LeftUpLeg has no OFFSET"),
        (change("OFFSET 0.000000", "OFFSET zero"), "line 4: “zero” is not a number"),
        (change("JOINT LeftUpLeg\n\t{", "JOINT LeftUpLeg\n\t"), "an opening brace is missing after JOINT"),
        (change("{\n\tOFFSET", "{\n}\n\tOFFSET"), "Hips has no OFFSET"),
        (change("JOINT", "LIMB"), "“LIMB” does not belong here"),
        (change("JOINT", "ROOT"), "ROOT does not belong here"),
        ("HIERARCHY\nMOTION\nFrames: 1\n", "no joint before MOTION"),
        ("HIERARCHY ROOT a { OFFSET 0 0 0 } MOTION Frames: 1 Frame Time: 1", "nothing moves"),
        ("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n" + "JOINT b\n{\nOFFSET 0 0 0\n" * 1001, "more than 1000 joints"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_in_one_line_with_its_place(text: str, words: str) -> None:
    assert re.search(words, refusal(text))


def test_more_numbers_than_memory_is_made_for_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bvh_frames, "MAX_FRAME_VALUES", 100)
    assert "holds more than 100 numbers" in refusal(TEXT)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is a binary file"),
        (b"", "is empty"),
    ],
)
def test_a_file_that_is_no_text_is_refused(tmp_path, content: bytes, words: str) -> None:
    path = tmp_path / "a.bvh"
    path.write_bytes(content)
    with pytest.raises(InputRefused, match=words):
        read_bvh(path)


def test_a_skeleton_without_a_body_is_refused() -> None:
    text = "HIERARCHY\nROOT tail\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0\n"
    with pytest.raises(InputRefused, match="no human body was recognised in its skeleton"):
        to_motion(parse_bvh(text, "a.bvh"), SKELETON)


def test_legs_without_length_are_refused() -> None:
    text = re.sub(r"OFFSET .*", "OFFSET 0 0 0", TEXT)
    with pytest.raises(InputRefused, match="legs of its skeleton have no length"):
        to_motion(parse_bvh(text, "a.bvh"), SKELETON)


HABITS: dict[str, Callable[[str], str]] = {
    "as written": lambda text: text,
    "windows line ends": lambda text: text.replace("\n", "\r\n"),
    "old mac line ends": lambda text: text.replace("\n", "\r"),
    "byte order mark": lambda text: "\ufeff" + text,
    "small letters": lambda text: re.sub(
        r"HIERARCHY|ROOT|JOINT|OFFSET|CHANNELS|MOTION|End Site", lambda match: match[0].lower(), text
    ),
    "channels in capitals": lambda text: text.replace("rotation", "ROTATION"),
    "tabs between numbers": lambda text: text.replace(" ", "\t").replace("End\tSite", "End Site"),
    "trailing blanks": lambda text: text.replace("\n", "  \n"),
    "braces on the same line": lambda text: re.sub(r"\n\s*\{", " {", text),
    "no space before the count": lambda text: text.replace("Frames: ", "Frames:"),
    "space before the colon": lambda text: text.replace("Frames:", "Frames :").replace("Time:", "Time :"),
    "no frame time": lambda text: re.sub(r"Frame Time.*\n", "", text),
    "no frame count": lambda text: re.sub(r"Frames.*\n", "", text),
    "frame time first": lambda text: re.sub(r"(Frames.*\n)(Frame Time.*\n)", r"\2\1", text),
    "blank lines": lambda text: text.replace("MOTION\n", "\nMOTION\n\n").replace("033333\n", "033333\n\n") + "\n\n",
    "frames over several lines": lambda text: text[: text.index("0.033333") + 9]
    + text[text.index("0.033333") + 9 :].replace(" ", "\n"),
    "names with spaces": lambda text: text.replace("JOINT Left", "JOINT Left "),
    "a namespace": lambda text: text.replace("JOINT ", "JOINT Someone:"),
    "joints after an End Site": lambda text: text.replace(
        "JOINT LeftToeBase", "End Site\n{\nOFFSET 0 0 1\n}\nJOINT LeftToeBase"
    ),
}  # fmt: skip


@pytest.mark.parametrize("habit", HABITS)
def test_the_habits_of_other_writers_change_nothing(habit: str) -> None:
    text = decode_text(HABITS[habit](TEXT).encode(), "a.bvh")
    motion, report = to_motion(parse_bvh(text, "a.bvh"), SKELETON)
    assert report.missing == ()
    assert motion.fps == 30
    assert geodesic_angle(motion.rotations, MOTION.rotations).max() < 1e-5
    assert np.abs(motion.root_positions - MOTION.root_positions).max() < 1e-5
    assert bool(report.notes) == habit.startswith("no frame")


def test_names_that_repeat_do_no_harm() -> None:
    names = tuple("bone" if "hand" in name else name for name in SKELETON.names)
    motion, report = to_motion(parse_bvh(foreign_bvh(SKELETON, MOTION, names=names), "a.bvh"), SKELETON)
    assert report.ignored == ("bone", "bone")
    assert geodesic_angle(motion.rotations[:, :22], MOTION.rotations[:, :22]).max() < 1e-5


def test_position_channels_of_zero_keep_the_offset() -> None:
    plain = parse_bvh(foreign_bvh(SKELETON, MOTION, position_everywhere=True), "a.bvh")
    values = plain.values.copy()
    for j, joint in enumerate(plain.joints):
        if joint.parent >= 0:
            values[:, plain.first_channels[j] : plain.first_channels[j] + 3] = 0
    text = foreign_bvh(SKELETON, MOTION, position_everywhere=True)
    head = text[: text.index("Frame Time")]
    rows = "\n".join(" ".join(f"{v:.9f}" for v in row) for row in values)
    back, _ = to_motion(parse_bvh(f"{head}Frame Time: 0.033333\n{rows}\n", "a.bvh"), SKELETON)
    assert np.abs(back.root_positions - MOTION.root_positions).max() < 1e-5


def test_the_report_reads_as_a_few_plain_lines() -> None:
    text = bvh_text(SKELETON, MOTION, names="mixamo", unit="cm").replace("Frame Time: 0.033333\n", "")
    _, report = to_motion(parse_bvh(text, "a.bvh"), SKELETON)
    assert report.text() == (
        "4 frames at 30 frames a second\nJoint names: Mixamo; lengths: cm; up: +Y\n"
        "The frame time is missing; 30 frames a second were assumed"
    )


def damaged(seed: int) -> str:
    """The text with a few random cuts, swaps and insertions."""
    rng = random.Random(seed)
    text = TEXT[: TEXT.index("\n", TEXT.index("Frame Time"))] + "\n" + TEXT.splitlines()[-1] + "\n"
    text = text.replace("Frames: 4", "Frames: 1")
    for _ in range(rng.randint(1, 4)):
        at, length = rng.randrange(len(text)), rng.choice((1, 1, 2, 5, 50))
        junk = rng.choice(
            ("", " ", "{", "}", "\n", "-", ".", ",", "e", "9" * 30, "nan", "JOINT", "MOTION", "\0", "é", "0")
        )
        text = rng.choice((text[:at] + junk + text[at + length :], text[:at] + junk + text[at:], text[: at + 1]))
    return text


def read_or_refused(text: str) -> Motion | None:
    """The motion, or None for a text that is refused in one line; any other exception fails the test."""
    try:
        return to_motion(parse_bvh(text, "a.bvh"), SKELETON)[0]
    except InputRefused as refused:
        lines = str(refused).splitlines()
    assert len(lines) == 1
    return None


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**9))
def test_damaged_text_is_either_read_or_refused_in_one_line(seed: int) -> None:
    motion = read_or_refused(damaged(seed))
    assert motion is None or np.isfinite(motion.rotations).all()


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="HIERACYROT{}\n 01.-MOTIONFrames:JTEndSiteOFFSETCHANNELS", max_size=200))
def test_any_text_is_either_read_or_refused(text: str) -> None:
    for whole in (text, "HIERARCHY\nROOT a {" + text):
        read_or_refused(whole)
