"""The text of a BVH file, whatever its encoding and whichever way its numbers are written."""

from __future__ import annotations

import os
import re

from solver.files.reading import MEBIBYTE, read_bytes, text_in_any_encoding

MAX_BYTES = 512 * MEBIBYTE
_OFFSETS = re.compile(r"(?:^|[\s{])OFFSET\b([^\n}]*)", re.IGNORECASE)
_FRAME_TIME = re.compile(r"^[ \t]*Frame[ \t]*Time[ \t]*[:=]?([^\n]*)", re.IGNORECASE | re.MULTILINE)
_FRAMES = re.compile(r"^[ \t]*Frame[ \t]*Time[^\n]*\n(.*)", re.IGNORECASE | re.MULTILINE | re.DOTALL)
_DECIMAL = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?\Z|[+-]?\d+,\Z")
_THOUSANDS = re.compile(r"(?<![\d.])[+-]?[1-9]\d{0,2},\d{3}(?![\d])")


def read_bvh_text(path: str | os.PathLike[str]) -> str:
    """The text of a BVH file with decimal points and plain line ends. InputRefused for a file that is no text.

    Keywords and numbers are ASCII in every encoding that programs write; only names of joints may come out wrong.
    """
    return with_decimal_points(text_in_any_encoding(read_bytes(path, MAX_BYTES), path))


def with_decimal_points(text: str) -> str:
    """The text with commas between numbers as spaces, or commas in numbers as points, where that is beyond doubt.

    That is told for offsets, frame time and frames apart, as different parts of a program write them. Without a single
    point commas are decimal, if each stands within a number. Beside points they separate numbers, unless one may
    separate thousands. In any other case the text stays, and reading it names the comma.
    """
    if "," not in text:
        return text
    for kind in (_OFFSETS, _FRAME_TIME, _FRAMES):
        parts = [match.span(1) for match in kind.finditer(text)]
        by = _meaning_of_commas([text[start:end] for start, end in parts])
        text = _replaced(text, parts, by)
    return text


def _meaning_of_commas(numbers: list[str]) -> str:
    """The sign that each stands for: a point, a space, or "," where that is open."""
    if any("." in part for part in numbers):
        return "," if any(_THOUSANDS.search(part) for part in numbers) else " "
    decimal = all(_DECIMAL.match(token) for part in numbers for token in part.split() if "," in token)
    return "." if decimal else ","


def _replaced(text: str, parts: list[tuple[int, int]], by: str) -> str:
    """With every comma in the parts replaced by a sign of the same length, so that places stay true."""
    if by == ",":
        return text
    pieces, end = [], 0
    for start, stop in parts:
        pieces += [text[end:start], text[start:stop].replace(",", by)]
        end = stop
    return "".join([*pieces, text[end:]])
