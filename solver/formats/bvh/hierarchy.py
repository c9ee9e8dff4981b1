"""The HIERARCHY part of a BVH file: joints, offsets and channels, with the line in every refusal."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import NoReturn

from solver.errors import InputRefused
from solver.size_limits import MAX_JOINTS

VALUE_LIMIT = 1e7
CHANNELS = {f"{axis}{kind}".lower(): f"{axis}{kind}" for kind in ("position", "rotation") for axis in ("X", "Y", "Z")}
_TOKEN = re.compile(r"[{}]|[^\s{}]+")
_NAME = re.compile(r"[^\n{]*")
_SKIPPED = re.compile(r"[\s;]*")


@dataclass(frozen=True)
class BvhJoint:
    """One joint as the file has it. parent: index or -1. offset: from the parent, in the file's unit.

    channels: names in order, “Xposition” .. “Zrotation”. end_site: offset of the bone's tip if the file gives one.
    """

    name: str
    parent: int
    offset: tuple[float, float, float]
    channels: tuple[str, ...]
    end_site: tuple[float, float, float] | None


@dataclass
class _Open:
    """A joint whose braces are not closed yet; index -1 is an End Site of `parent`, which is a joint."""

    name: str
    index: int
    parent: int
    offset: tuple[float, float, float] | None = None


class HierarchyReader:
    """Reads joints from the text's beginning up to MOTION; `position` is how far it has read."""

    def __init__(self, text: str, source: object) -> None:
        self.text, self.source, self.position = text, source, 0
        self.joints: list[BvhJoint] = []
        self._token_at = 0
        self._stack: list[_Open] = []

    def read(self) -> list[BvhJoint]:
        """All joints in file order; `position` is then after the word MOTION."""
        if (self._next() or "").upper() != "HIERARCHY":
            raise InputRefused(
                self.source, "is not a BVH file: it does not begin with HIERARCHY", "Choose another file"
            )
        while True:
            token = self._next()
            word = (token or "").upper()
            if word == "MOTION" and not self._stack:
                if not self.joints:
                    self._refuse("there is no joint before MOTION")
                return self.joints
            if token is None or word == "MOTION":
                self._end_too_early()
            elif word in ("ROOT", "JOINT", "END", "ENDSITE"):
                self._open(word)
            elif word == "OFFSET":
                self._offset()
            elif word == "CHANNELS":
                self._channels()
            elif token == "}" and self._stack:
                self._close()
            else:
                self._refuse(f"“{token[:40]}” does not belong here", "Export the file again")

    def _open(self, word: str) -> None:
        name = _NAME.match(self.text, self.position)
        assert name is not None  # the pattern matches nothing as well
        self.position = name.end()
        if self._next() != "{":
            self._refuse(f"an opening brace is missing after {word}", "Export the file again")
        parent = self._stack[-1] if self._stack else None
        is_end = word.startswith("END")
        if (word == "ROOT") == bool(parent) or (parent is not None and parent.index < 0):
            self._refuse(f"{word} does not belong here", "Export the file again")
        if is_end:
            self._stack.append(_Open("End Site", -1, parent.index if parent else -1))
            return
        if len(self.joints) >= MAX_JOINTS:
            self._refuse(f"has more than {MAX_JOINTS} joints", "Export fewer joints")
        title = " ".join(name.group().split()) or f"joint{len(self.joints)}"
        index = len(self.joints)
        self.joints.append(BvhJoint(title, parent.index if parent else -1, (0.0, 0.0, 0.0), (), None))
        self._stack.append(_Open(title, index, -1))

    def _offset(self) -> None:
        owner = self._owner("OFFSET")
        owner.offset = self._vector()
        if owner.index >= 0:
            self._change(owner.index, offset=owner.offset)
        else:
            self._change(owner.parent, end_site=owner.offset)

    def _channels(self) -> None:
        owner = self._owner("CHANNELS")
        count = self._next() or ""
        if not count.isascii() or not count.isdigit() or len(count) > 1 or int(count) > 6:
            self._refuse(f"{owner.name} has “{count[:40]}” channels, expected 0 to 6", "Export the file again")
        names: list[str] = []
        for _ in range(int(count)):
            token = self._next()
            name = CHANNELS.get((token or "").lower())
            if token is None:
                self._end_too_early()
            if name is None or name in names:
                reason = f"“{token[:40]}” is not a channel" if name is None else f"channel {name} is given twice"
                self._refuse(f"{reason} ({owner.name})", "Known: Xposition … Zposition, Xrotation … Zrotation")
            names.append(name)
        if owner.index >= 0:
            self._change(owner.index, channels=tuple(names))
        elif names:
            self._refuse("an End Site has channels", "Export the file again")

    def _close(self) -> None:
        closed = self._stack.pop()
        if closed.offset is None and closed.index >= 0:
            self._refuse(f"{closed.name} has no OFFSET", "Export the file again")

    def _vector(self) -> tuple[float, float, float]:
        values = [self._number(), self._number(), self._number()]
        return (values[0], values[1], values[2])

    def _number(self) -> float:
        token = self._next()
        if token is None:
            self._end_too_early()
        return number(token, self.source, self._line())

    def _owner(self, word: str) -> _Open:
        if not self._stack:
            self._refuse(f"{word} stands outside a joint", "Export the file again")
        return self._stack[-1]

    def _change(self, index: int, **fields: object) -> None:
        self.joints[index] = BvhJoint(**{**vars(self.joints[index]), **fields})  # type: ignore[arg-type]

    def _next(self) -> str | None:
        skipped = _SKIPPED.match(self.text, self.position)
        start = skipped.end() if skipped else self.position
        match = _TOKEN.match(self.text, start)
        self._token_at = start
        if match is None:
            return None
        self.position = match.end()
        return match.group()

    def _line(self) -> int:
        return self.text.count("\n", 0, self._token_at) + 1

    def _end_too_early(self) -> NoReturn:
        inside = f" inside {self._stack[-1].name}" if self._stack else ", before MOTION"
        self._refuse(f"the hierarchy ends too early{inside}", "The file was cut short: export it again")

    def _refuse(self, reason: str, way_out: str = "") -> NoReturn:
        raise InputRefused(self.source, reason, way_out, f"line {self._line()}")


def number(token: str, source: object, line: int) -> float:
    """A finite number of reasonable size; InputRefused with the line otherwise."""
    try:
        value = float(token) if token.isascii() and "_" not in token else math.nan
    except ValueError:
        value = math.nan
        if "," in token:
            raise InputRefused(
                source, f"“{token[:40]}” has a comma", "Export it with decimal points (0.5)", f"line {line}"
            ) from None
    if not abs(value) <= VALUE_LIMIT:
        finite = "is too large" if abs(value) > VALUE_LIMIT else "is not a number"
        raise InputRefused(source, f"“{token[:40]}” {finite}", "Export the file again", f"line {line}")
    return value
