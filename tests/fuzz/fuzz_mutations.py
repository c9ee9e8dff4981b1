"""Damage done to files on purpose, from a seeded generator: to bytes, to words of text, and to values of JSON."""

from __future__ import annotations

import json
import random
import re
from typing import Any

ODD_NUMBERS = (
    "0", "-0", "-1", "1", "1e30", "-1e30", "1e308", "1e-320", "1e400", "NaN", "nan", "Infinity", "-inf", "1e6", "1e7",
    "2147483648", "-9223372036854775809", "9" * 400, "0x10", "1_0", "1,5", "٣", "+1", ".5", "1e", "",
)  # fmt: skip
ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1e30, -1e30, 1e300, 1e-300, 10**400, 2**63, float("nan"), float("inf"), 999_999,
    1_000_001, "", " ", "a", "\x00", "\n", "\u202e", "😀", "\ud800", "x" * 5000, "<img src='file:///dev/zero'>",
    "../../etc/passwd", "/dev/zero", [], {}, [[]], [0], [0, 0, 0], [1e30, 1e30, 1e30], {"a": 1}, [None] * 50,
    "left_wrist", "smplik",
)  # fmt: skip
_WORD = re.compile(r"[^\s{}]+")


def mutated_bytes(rng: random.Random, data: bytes) -> bytes:
    """A few flips, cuts, doublings and insertions of bytes."""
    for _ in range(rng.choice((1, 1, 1, 2, 4, 16))):
        if not data:
            return data
        at, length = rng.randrange(len(data)), rng.choice((1, 1, 2, 4, 8, 64, 1024))
        how = rng.randrange(7)
        if how == 0:
            data = data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
        elif how == 1:
            data = data[:at] + rng.randbytes(min(length, len(data) - at)) + data[at + length :]
        elif how == 2:
            data = data[:at] + data[at + length :]
        elif how == 3:
            data = data[:at] + data[at : at + length] * rng.choice((2, 2, 50)) + data[at + length :]
        elif how == 4:
            data = data[:at] + rng.choice((b"\0", b"\xff")) * length + data[at + length :]
        elif how == 5:
            huge = rng.choice((b"\xff\xff\xff\x7f", b"\xff" * 4, b"\xff" * 8, b"\0" * 4, b"\x7f\xff\xff\xff"))
            data = data[:at] + huge + data[at + len(huge) :]
        else:
            data = data[:at]
    return data


def mutated_text(rng: random.Random, text: str) -> str:
    """A few words, lines and pieces changed, exchanged, doubled, taken out or nested."""
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        how = rng.randrange(8)
        words = list(_WORD.finditer(text))
        if not words:
            return text
        if how <= 2:
            word = rng.choice(words)
            plain = f"{rng.uniform(-200, 200):.3f}"
            number = rng.choice((plain, rng.choice(ODD_NUMBERS))) if how else rng.choice(words).group()
            text = text[: word.start()] + number + text[word.end() :]
        elif how <= 5:
            lines = text.split("\n")
            at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
            if how == 3:
                lines[at], lines[other] = lines[other], lines[at]
            elif how == 4:
                lines[at:at] = lines[at : at + rng.choice((1, 1, 5))] * rng.choice((1, 1, 3, 2000))
            else:
                del lines[at : at + rng.choice((1, 1, 2, 10))]
            text = "\n".join(lines)
        elif how == 6:
            word = rng.choice(words)
            deep = rng.choice((1, 2, 30, 3000))
            text = text[: word.start()] + "JOINT a {\nOFFSET 0 0 0\n" * deep + text[word.start() :]
        else:
            return mutated_bytes(rng, text.encode("utf-8", "replace")).decode("latin-1")
    return text


def mutated_json(rng: random.Random, text: str) -> str:
    """The text of a JSON file after some of its values were changed, exchanged, doubled, taken out or nested."""
    if rng.random() < 0.2:
        return mutated_text(rng, text)
    top = json.loads(text)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        places = list(_places(top))
        if not places:
            break
        holder, key = rng.choice(places)
        how = rng.randrange(9)
        if how <= 2:
            holder[key] = rng.choice(ODD_VALUES)
        elif how == 3:
            other, name = rng.choice(places)
            try:
                holder[key], other[name] = other[name], holder[key]
                json.dumps(top)
            except (ValueError, RecursionError):  # one of the two lay within the other
                return json.dumps(json.loads(text))[: rng.randrange(len(text))]
        elif how == 4:
            del holder[key]
        elif how == 5:
            for _ in range(rng.choice((1, 5, 100, 5000))):
                holder[key] = rng.choice(([holder[key]], {"a": holder[key]}))
        elif how == 6 and isinstance(holder, list):
            holder.extend([holder[key]] * rng.choice((1, 3, 200)))
        elif how == 7 and isinstance(holder[key], int | float) and not isinstance(holder[key], bool):
            holder[key] = holder[key] * rng.choice((-1, 1e3, 1e6, 1e-9)) + rng.choice((0, 0.5, 1e-6))
        elif isinstance(holder, dict):
            holder[rng.choice(("id", "type", "joint", "target", "pinned", "x", ""))] = rng.choice(ODD_VALUES)
    try:
        return json.dumps(top, ensure_ascii=rng.random() < 0.5)
    except RecursionError:
        return "[" * 100_000


def _places(top: Any) -> list[tuple[Any, Any]]:
    """Every value's holder and its key there."""
    found, waiting = [], [top]
    while waiting and len(found) < 20_000:
        holder = waiting.pop()
        inner = list(holder.items()) if isinstance(holder, dict) else list(enumerate(holder))
        found += [(holder, key) for key, _ in inner]
        waiting += [value for _, value in inner if isinstance(value, dict | list)]
    return found
