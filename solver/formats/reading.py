"""Reading text files that somebody else wrote: a size limit, an encoding, and one clear line when they are refused."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

from solver.errors import InputRefused

MEBIBYTE = 1 << 20


def read_bytes(path: str | os.PathLike[str], limit: int) -> bytes:
    """The file's content. InputRefused when it cannot be read, is a folder, or holds more than `limit` bytes."""
    try:
        if Path(path).is_dir():
            raise InputRefused(path, "is a folder, not a file", "Choose a file in it")
        with open(path, "rb") as file:
            data = file.read(limit + 1)
    except FileNotFoundError:
        raise InputRefused(path, "there is no such file", "Check the name") from None
    except PermissionError:
        raise InputRefused(path, "you have no permission to read it", "Change its permissions or copy it") from None
    except (OSError, ValueError) as error:
        raise InputRefused(path, f"it cannot be read ({_reason(error)})", "Check the disk and the name") from None
    if len(data) > limit:
        raise InputRefused(path, f"is larger than {limit // MEBIBYTE} MB", "Split it, or export a shorter part")
    return data


def decode_text(data: bytes, source: object) -> str:
    """UTF-8 (or UTF-16 with its mark) as text with plain line ends; InputRefused names the line otherwise."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif b"\0" in data[: 64 * 1024]:
        raise InputRefused(source, "is a binary file, not text", "Choose a text file of this format")
    else:
        encoding = "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputRefused(source, "holds bytes that are not UTF-8 text", "Save it as UTF-8", f"line {line}") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_text(path: str | os.PathLike[str], limit: int) -> str:
    """The text of a file of at most `limit` bytes; InputRefused otherwise."""
    return decode_text(read_bytes(path, limit), path)


def _reason(error: BaseException) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
