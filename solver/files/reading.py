"""Reading files from elsewhere: regular ones of a limited size; any other is refused in one clear line."""

from __future__ import annotations

import codecs
import os
import stat
from typing import BinaryIO

from solver.errors import InputRefused

MEBIBYTE = 1 << 20
SPLIT = "Split it, or export a shorter part"
_NO_LIMIT = 1 << 62
_KANA = (b"\x82", b"\x83")  # what Shift-JIS's kana begin with; in Windows-1252, signs that no name has
_KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


def open_regular(path: str | os.PathLike[str], limit: int, smaller: str = SPLIT) -> BinaryIO:
    """The file, open for reading; a link to a file is as good as the file. smaller: what to do about one too large.

    InputRefused when it cannot be opened, holds more than `limit` bytes, or is anything but a regular file: a folder, a
    pipe that may never be written to, a device without an end.
    """
    try:
        _check_kind(path, os.stat(path))  # before opening, which can already do something to a device
        # Without waiting, since the path may be a pipe by now; hence also the second check, of what was opened.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
        file = os.fdopen(os.open(path, flags), "rb")
    except FileNotFoundError:
        raise InputRefused(path, "there is no such file", "Check the name") from None
    except PermissionError:
        raise InputRefused(path, "you have no permission to read it", "Change its permissions or copy it") from None
    except (OSError, ValueError) as error:
        raise InputRefused(path, f"it cannot be read ({_reason(error)})", "Check the disk and the name") from None
    try:
        status = os.fstat(file.fileno())
        _check_kind(path, status)
        if status.st_size > limit:
            raise _too_large(path, limit, smaller)
    except BaseException:
        file.close()
        raise
    return file


def read_bytes(path: str | os.PathLike[str], limit: int, smaller: str = SPLIT) -> bytes:
    """The content of a regular file. InputRefused when it cannot be read or holds more than `limit` bytes.

    smaller: what to do about a file that is too large.
    """
    with open_regular(path, limit, smaller) as file:
        try:
            data = file.read(os.fstat(file.fileno()).st_size + 1)
            if file.read(1):  # it has grown meanwhile, or is one of the system's own, which report no size
                file.seek(0)
                data = file.read(limit + 1)
        except OSError as error:
            raise InputRefused(path, f"it cannot be read ({_reason(error)})", "Check the disk and the name") from None
    if len(data) > limit:
        raise _too_large(path, limit, smaller)
    return data


def read_start(path: str | os.PathLike[str], count: int) -> bytes:
    """The first `count` bytes of a regular file of any size; InputRefused when it cannot be read."""
    with open_regular(path, _NO_LIMIT) as file:
        try:
            return file.read(count)
        except OSError as error:
            raise InputRefused(path, f"it cannot be read ({_reason(error)})", "Check the disk and the name") from None


def decode_text(data: bytes, source: object) -> str:
    """UTF-8 (or UTF-16 with its mark) as text with plain line ends; InputRefused names the line otherwise."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif b"\0" in data[: 64 * 1024]:
        raise InputRefused(source, "is a binary file, not text", "Choose another file, or export it again as text")
    else:
        encoding = "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputRefused(source, "holds bytes that are not UTF-8 text", "Save it as UTF-8", f"line {line}") from None
    return _plain_line_ends(text)


def text_in_any_encoding(data: bytes, source: object) -> str:
    """Likewise, for a text whose words are ASCII but for names: UTF-16 needs no mark, and what is not UTF-8 is taken
    for Windows-1252, or for Shift-JIS where it has that encoding's letters. InputRefused for a binary file."""
    start = data[: 64 * 1024]
    for encoding, others in (("utf-16-le", data[1:64:2]), ("utf-16-be", data[:64:2])):
        if others and not any(others):
            return _plain_line_ends(data.decode(encoding, "replace"))
    try:
        return decode_text(data, source)
    except InputRefused:
        if b"\0" in start or data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise
    if any(letter in start for letter in _KANA):
        try:
            return _plain_line_ends(data.decode("cp932"))
        except UnicodeDecodeError:
            pass
    return _plain_line_ends(data.decode("cp1252", "replace"))


def _plain_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_text(path: str | os.PathLike[str], limit: int) -> str:
    """The text of a file of at most `limit` bytes; InputRefused otherwise."""
    return decode_text(read_bytes(path, limit), path)


def _check_kind(path: str | os.PathLike[str], status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise InputRefused(path, "is a folder, not a file", "Choose a file in it")
    if not stat.S_ISREG(status.st_mode):
        kind = next((name for test, name in _KINDS if test(status.st_mode)), "something else")
        raise InputRefused(path, f"is {kind}, not a file", "Save its output as a file and choose that")


def _too_large(path: str | os.PathLike[str], limit: int, smaller: str) -> InputRefused:
    return InputRefused(path, f"is larger than {limit // MEBIBYTE} MB", smaller)


def _reason(error: BaseException) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
