"""JSON laid out for readers: objects over several lines, rows of numbers on one."""

from __future__ import annotations

import json
from typing import Any


class Spelled(float):
    """A number that remembers how a file spells it, so that it is saved with the same digits."""

    __slots__ = ("digits",)
    digits: str


def spelled(digits: str) -> float:
    """The number with these digits; it remembers them if Python would write it differently."""
    value = float(digits)
    if repr(value) == digits:
        return value
    number = Spelled(value)
    number.digits = digits
    return number


def json_text(value: Any) -> str:
    """The value as JSON with a line end. Raises ValueError for a number that JSON cannot spell."""
    return _laid_out(value, "\n") + "\n"


def _laid_out(value: Any, line: str) -> str:
    inner = line + "  "
    if isinstance(value, dict) and value:
        rows = (f"{_plain(str(key))}: {_laid_out(item, inner)}" for key, item in value.items())
        return "{" + inner + f",{inner}".join(rows) + line + "}"
    if isinstance(value, list | tuple):
        if any(isinstance(item, dict | list | tuple) for item in value):
            return "[" + inner + f",{inner}".join(_laid_out(item, inner) for item in value) + line + "]"
        if any(type(item) is Spelled for item in value):
            return "[" + ", ".join(map(_plain, value)) + "]"
    return _plain(value)


def _plain(value: Any) -> str:
    return value.digits if type(value) is Spelled else json.dumps(value, ensure_ascii=False, allow_nan=False)
