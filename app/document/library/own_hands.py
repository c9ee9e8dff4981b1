"""Hands that a user keeps under names: one small file each, in a folder of theirs."""

from __future__ import annotations

from pathlib import Path

from app.document.scene_file.fingers import FingerTurns
from solver.body.hands import Hands
from solver.errors import InputRefused, PoserError
from solver.files.atomic import make_folder, reason_of, write_text
from solver.files.file_names import unfit_for_windows
from solver.files.json_checks import parse_json
from solver.files.json_forms import Context
from solver.files.json_text import json_text
from solver.files.reading import MEBIBYTE, read_text

FORMAT, VERSION = "contrapposto-hands", 1
SUFFIX, LONGEST_NAME, MOST = ".json", 40, 500


def own_hands(folder: Path) -> tuple[dict[str, Hands], tuple[str, ...]]:
    """The hands kept in a folder by name, in order of their names, and what is wrong with files that are left out.

    A folder that is not there holds none.
    """
    found: dict[str, Hands] = {}
    troubles: list[str] = []
    try:
        paths = sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.stem.lower())
    except OSError as error:
        return {}, (f"{folder} cannot be read ({error.strerror}). Your own hands are not offered.",)
    for path in paths[:MOST]:
        try:
            found[path.stem] = _read(path)
        except PoserError as error:
            troubles.append(str(error))
    return found, tuple(troubles)


def keep_hands(folder: Path, name: str, hands: Hands) -> str:
    """Keep hands under a name, in place of those that had it; return the name as it is kept.

    InputRefused for a name that no file can have, or where the file cannot be written.
    """
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or name.startswith(".") or unfit_for_windows(name):
        way_out = f"Use up to {LONGEST_NAME} letters, digits and spaces"
        raise InputRefused(name or "no name", "is not a name for a hand", way_out)
    make_folder(folder, "Create it, or remove what is in its place")
    content = {"format": FORMAT, "version": VERSION, "hands": FingerTurns().write(hands, Context())}
    write_text(folder / f"{name}{SUFFIX}", json_text(content))
    return name


def drop_hands(folder: Path, name: str) -> None:
    """Delete the hands of that name; InputRefused where the file stays."""
    path = folder / f"{name}{SUFFIX}"
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise InputRefused(path, f"cannot be deleted: {reason_of(error)}", "Delete it by hand") from None


def _read(path: Path) -> Hands:
    top = parse_json(read_text(path, MEBIBYTE), path)
    if not isinstance(top.value, dict) or top.value.get("format") != FORMAT:
        top.refuse("holds no hands", "Move it out of the folder of your hands")
    if top["version"].integer(1, 10**6) > VERSION:
        top["version"].refuse(f"is newer than this program knows ({VERSION})", "Update the program")
    return FingerTurns().read(top["hands"], Context(path.parent))[0]
