"""The MOTION part of a BVH file: how many frames, how long each, and all their numbers."""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.formats.bvh.hierarchy import VALUE_LIMIT, number
from solver.size_limits import MAX_FRAME_VALUES, MAX_FRAMES

DEFAULT_FRAME_TIME = 1 / 30
_SLOW = 5.0  # seconds from which a frame time is rather meant as a rate
_CHUNK = 1 << 22  # characters turned into numbers at once, which limits the memory for pieces of text
_FRAMES = re.compile(r"\s*(?:number\s+of\s+)?frames[ \t]*[:=]?[ \t]*([^\s:=]*)", re.IGNORECASE)
_FRAME_TIME = re.compile(r"\s*frame[ \t]*time[ \t]*[:=]?[ \t]*([^\s:=]*)", re.IGNORECASE)
_COUNT = re.compile(r"\+?\d+(\.0*)?\Z", re.ASCII)


class Frames(NamedTuple):
    """values: (F, C), positions in the file's unit, angles in degrees. frame_time: seconds. notes: what was guessed."""

    values: NDArray[np.float64]
    frame_time: float
    notes: tuple[str, ...]


def read_frames(text: str, position: int, channels: int, source: object) -> Frames:
    """The frames after the word MOTION at `position`, with `channels` numbers each; InputRefused otherwise."""
    frames: int | None = None
    frame_time: float | None = None
    notes: list[str] = []
    while True:
        if match := _FRAME_TIME.match(text, position):
            frame_time = _frame_time(match.group(1), source, _line(text, match.start(1)))
        elif match := _FRAMES.match(text, position):
            frames = _frame_count(match.group(1), source, _line(text, match.start(1)))
        else:
            break
        position = match.end()
    if frame_time is None:
        notes.append("the frame time is missing; 30 frames a second were assumed")
    elif frame_time == 0:
        notes.append("the frame time is 0; 30 frames a second were assumed")
    limit = (MAX_FRAMES if frames is None else frames) * channels
    if frames is not None and limit > MAX_FRAME_VALUES:
        _too_many(source)
    values = _numbers(text, position, min(limit, MAX_FRAME_VALUES), source)
    if len(values) > MAX_FRAME_VALUES:
        _too_many(source)
    if not len(values):
        place = f"line {_line(text, len(text.rstrip()))}"
        raise InputRefused(source, "the file ends before the first frame", "It was cut short: export it again", place)
    if frame_time and frame_time >= _SLOW and len(values) > channels:
        way_out = f"if {frame_time:g} frames a second are meant, its Frame Time has to be {1 / frame_time:.6f}"
        notes.append(f"by the file, each frame lasts {frame_time:g} seconds; {way_out}")
    if frames is None:
        notes.append("the number of frames is missing; all lines were read")
        frames = max(1, -(-len(values) // channels))
        if frames > MAX_FRAMES:
            _too_many_frames(source, f"line {_line(text, position)}")
    if len(values) != frames * channels:
        odd = _odd_line(text, position, channels)
        _refuse_count(len(values), frames, channels, source, odd or f"line {_line(text, len(text.rstrip()))}")
    return Frames(values.reshape(frames, channels), frame_time or DEFAULT_FRAME_TIME, tuple(notes))


def _frame_count(token: str, source: object, line: int) -> int:
    place, way_out = f"line {line}", "Export the file again"
    if not token:
        raise InputRefused(source, "the file ends before the number of frames", way_out, place)
    if not _COUNT.match(token):
        raise InputRefused(source, f"“{token[:40]}” is not a number of frames", way_out, place)
    count = int(token.partition(".")[0][:20])
    if count == 0:
        raise InputRefused(source, "there are no frames", "Export at least one frame", place)
    if count > MAX_FRAMES:
        _too_many_frames(source, place)
    return count


def _frame_time(token: str, source: object, line: int) -> float:
    if not token:
        raise InputRefused(source, "the frame time is not given", "Write seconds (0.033333)", f"line {line}")
    value = number(token, source, line)
    if value != 0 and not 1e-5 <= value <= 1e3:
        reason = f"the frame time {token[:40]} is not possible"
        raise InputRefused(source, reason, "Write seconds (0.033333)", f"line {line}")
    return value


def _numbers(text: str, position: int, limit: int, source: object) -> NDArray[np.float64]:
    """Every number from `position` on; one more than `limit` is enough to know that there are too many."""
    parts: list[NDArray[np.float64]] = []
    total = 0
    while position < len(text) and total <= limit:
        end = text.find("\n", position + _CHUNK)
        chunk = text[position : len(text) if end < 0 else end]
        tokens = chunk.split()
        try:
            if not chunk.isascii() or "_" in chunk:  # float() would take them
                raise ValueError
            part = np.array(list(map(float, tokens)), dtype=np.float64)
        except ValueError:
            part = np.array([np.nan])
        if not (np.abs(part) <= VALUE_LIMIT).all():
            part = _one_by_one(chunk, source, _line(text, position))
        parts.append(part)
        total += len(part)
        position += len(chunk)
    return np.concatenate(parts) if parts else np.zeros(0)


def _one_by_one(chunk: str, source: object, line: int) -> NDArray[np.float64]:
    """The numbers of a chunk, which may be separated by non-ASCII spaces; InputRefused names a bad one."""
    rows = enumerate(chunk.split("\n"), line)
    return np.array([number(token, source, row) for row, words in rows for token in words.split()], dtype=np.float64)


def _too_many_frames(source: object, place: str) -> NoReturn:
    raise InputRefused(source, f"has more than {MAX_FRAMES:,} frames", "Export a shorter part", place)


def _too_many(source: object) -> NoReturn:
    raise InputRefused(source, f"holds more than {MAX_FRAME_VALUES:,} numbers", "Export a shorter part")


def _refuse_count(values: int, frames: int, channels: int, source: object, place: str) -> NoReturn:
    if values > frames * channels:
        reason = f"it holds more than the declared {frames} × {channels} values (frames × channels)"
        raise InputRefused(source, reason, "Correct “Frames:” or export the file again", place)
    whole, rest = divmod(values, channels)
    cut = f"in the middle of frame {whole + 1}" if rest else f"after frame {whole}"
    reason = f"it declares {frames} × {channels} values (frames × channels) but ends {cut}"
    raise InputRefused(source, reason, "The file was cut short: export it again", place)


def _odd_line(text: str, position: int, channels: int) -> str:
    """The first line that does not hold one frame, "" if all do."""
    first = _line(text, position)
    for row, words in enumerate(text[position:].split("\n")):
        found = len(words.split())
        if found not in (0, channels):
            return f"line {first + row} ({found} values, expected {channels})"
    return ""


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
