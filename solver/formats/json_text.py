"""JSON laid out to be read: objects over several lines, rows of numbers on one."""

from __future__ import annotations

import json
from typing import Any


def json_text(value: Any) -> str:
    """The value as JSON with a line end. Raises ValueError for a number that JSON cannot spell."""
    return _laid_out(value, "\n") + "\n"


def _laid_out(value: Any, line: str) -> str:
    inner = line + "  "
    if isinstance(value, dict) and value:
        rows = (f"{_plain(str(key))}: {_laid_out(item, inner)}" for key, item in value.items())
        return "{" + inner + f",{inner}".join(rows) + line + "}"
    if isinstance(value, list | tuple) and any(isinstance(item, dict | list | tuple) for item in value):
        return "[" + inner + f",{inner}".join(_laid_out(item, inner) for item in value) + line + "]"
    return _plain(value)


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
