"""Names that files may have on every system: what Windows allows, so that a file can be handed on."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from unicodedata import normalize

LONGEST, LONGEST_BYTES = 80, 200  # letters of a name made here; Linux counts bytes, of which Chinese ones have three
_CHARACTERS = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]+')
_DEVICES = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])", re.IGNORECASE)


def unfit_for_windows(name: str) -> str:
    """Why no file may have this name on Windows, in a clause about it; "" if one may."""
    found = _CHARACTERS.search(name)
    if found is not None:
        sign = found.group()[0]
        return f"has a “{sign}”" if sign.isprintable() else "has a character that does not print"
    if name != name.rstrip(" ."):
        return "ends with a dot" if name.endswith(".") else "ends with a blank"
    device = name.split(".", maxsplit=1)[0].rstrip(" ")
    return f"begins with “{device}”, a name of the system's own" if _DEVICES.fullmatch(device) else ""


def fit_stem(name: str, otherwise: str) -> str:
    """A file's name without suffix, as like `name` as every system allows; `otherwise` if nothing of it is left."""
    stem = " ".join(_CHARACTERS.sub(" ", name).split()).strip(" .")[:LONGEST]
    stem = stem.encode("utf-8", "ignore")[:LONGEST_BYTES].decode("utf-8", "ignore").strip(" .") or otherwise
    device, dot, rest = stem.partition(".")
    return f"{device.rstrip(' ')}_{dot}{rest}" if _DEVICES.fullmatch(device.rstrip(" ")) else stem


def one_each(path: Path, names: Sequence[str]) -> list[Path]:
    """A file beside `path` for each name, in order: out_Anna.bvh, out_Ben.bvh. Those that would be called alike, also
    where capitals do not count, are numbered: out_Anna_1.bvh, out_Anna_2.bvh."""
    room = max(1, LONGEST_BYTES - len(os.fsencode(path.stem)))
    stems = [fit_stem(name, "person").encode()[:room].decode("utf-8", "ignore").strip(" .") for name in names]
    alike = [_key(stem) for stem in stems]
    taken = {key for key in alike if key and alike.count(key) == 1}
    files = []
    for stem, key in zip(stems, alike, strict=True):
        own = stem
        if alike.count(key) > 1 or not stem:
            numbered = (f"{stem}_{number}".removeprefix("_") for number in count(1))
            own = next(each for each in numbered if _key(each) not in taken)
            taken.add(_key(own))
        files.append(path.with_name(f"{path.stem}_{own}{path.suffix}"))
    return files


def _key(stem: str) -> str:
    """One string for all names that some file systems do not tell apart."""
    return normalize("NFC", normalize("NFC", stem).casefold())
