"""What is in a folder of the library: pose files with their names and tags, read no further than that."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from solver.errors import PoserError
from solver.files.json_checks import Node, parse_json
from solver.files.reading import MEBIBYTE, read_text
from solver.formats.pose_json.pose_file import PoseFile
from solver.formats.pose_json.read import check_version, name_and_tags, pose_file_from_json
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.size_limits import MAX_PEOPLE

SUFFIX, PICTURE_SUFFIX = ".json", ".png"
MOST_FILES = 5000  # of one library; more are left out, and it says so
DEEPEST = 4  # folders within folders
MAX_BYTES = 8 * MEBIBYTE
TICK_NS = 50_000_000  # how finely disks record when a file changed
COARSE_NS = 2_000_000_000  # the same for memory cards, whose times are whole seconds
OTHER_RIG = "is of another skeleton than SMPL's 24 joints"
FROM_OTHER_RIG = "Open a BVH file of it, whose joints are found by their names, and save the pose from there"


@dataclass(frozen=True)
class Entry:
    """One pose file of a library. folder: below the library's root, "" for the root itself, with “/” between several.

    own: the user's, not one that came with the program. people: how many it poses. picture: the picture beside it, None
    if there is none. trouble: why it cannot be used, in a line that names the file; "" if it can. changed: differs
    whenever the file or the picture has changed.
    """

    path: Path
    name: str
    folder: str = ""
    tags: tuple[str, ...] = ()
    own: bool = False
    people: int = 1
    picture: Path | None = None
    trouble: str = ""
    changed: tuple[int, ...] = ()

    def answers(self, search: str) -> bool:
        """Whether every word of a search begins a word of its name, its tags or its folder."""
        words = " ".join((self.name, *self.tags, self.folder)).replace("/", " ").replace("-", " ").lower().split()
        return all(any(word.startswith(part) for word in words) for part in search.replace("-", " ").lower().split())


@dataclass(frozen=True)
class Shelf:
    """What a library holds, in order of folders and names. trouble: why it is not complete, "" if it is."""

    entries: tuple[Entry, ...] = ()
    trouble: str = ""


_Mark = tuple[int, int, int, int]  # when a file's content and its record last changed, its size, and which file it is
# What the user's folder and the shipped one held when last looked through; nothing is kept of folders used before.
_looked: dict[bool, tuple[Path, dict[Path, tuple[_Mark, Entry]]]] = {}


def shelf_of(root: Path, own: bool = False) -> Shelf:
    """Look through a folder and those in it. A file that cannot be used is an entry with its trouble.

    A folder that is not there is an empty library. Files that have not changed since the last time are not read again.
    """
    entries: list[Entry] = []
    where, before = _looked.get(own, (root, {}))
    if where != root:
        before = {}
    now: dict[Path, tuple[_Mark, Entry]] = {}
    _looked[own] = root, now
    try:
        for path, folder in _files(root, "", 0):
            if len(entries) == MOST_FILES:
                return Shelf(tuple(entries), f"{root} holds more than {MOST_FILES:,} poses; the others are left out.")
            mark = _mark_of(path)
            known = before.get(path)
            if known is not None and known[0] == mark:
                picture = _picture_beside(path)
                entry = replace(known[1], picture=picture, changed=_changed(path, picture))
            else:
                entry = entry_of(path, folder, own)
            entries.append(entry)
            if mark is not None and not entry.trouble:
                now[path] = mark, entry
    except OSError as error:
        reason = error.strerror or str(error)
        return Shelf(tuple(entries), f"{error.filename or root} cannot be looked through: {reason}.")
    return Shelf(tuple(entries))


def entry_of(path: Path, folder: str = "", own: bool = False) -> Entry:
    """One file's entry; its poses are not read yet, only whose they are."""
    name, picture = _readable(path.stem), _picture_beside(path)
    changed = _changed(path, picture)
    try:
        top = _glanced_at(path)
        check_version(top)
        said, tags = name_and_tags(top)
        people = top["people"].items(MAX_PEOPLE)
        _check_rig(top, people)
    except PoserError as error:
        return Entry(path, name, folder, own=own, picture=picture, trouble=str(error), changed=changed)
    return Entry(path, said or name, folder, tags, own, len(people), picture, changed=changed)


def poses_of(entry: Entry) -> PoseFile:
    """The content of an entry's file. InputRefused names the file and what is wrong with it."""
    top = parse_json(read_text(entry.path, MAX_BYTES), entry.path)
    content = pose_file_from_json(top)
    _check_rig(top, top["people"].items(MAX_PEOPLE))
    return content


def _picture_beside(path: Path) -> Path | None:
    beside = path.with_suffix(PICTURE_SUFFIX)
    return beside if beside.is_file() else None


def _changed(*files: Path | None) -> tuple[int, ...]:
    """When files last changed, their sizes, and which files they are; nothing for one that is not there."""
    marks: list[int] = []
    for file in files:
        with suppress(OSError):
            if file is not None:
                found = file.stat()
                marks += (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)
    return tuple(marks)


def _mark_of(path: Path) -> _Mark | None:
    """A mark that tells a file and its content from others; None where there is none, or none yet."""
    try:
        found = path.stat()
    except OSError:
        return None
    ago = time.time_ns() - found.st_mtime_ns
    if ago < (TICK_NS if found.st_mtime_ns % 1_000_000_000 else COARSE_NS):  # it may change again within the same tick
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def _glanced_at(path: Path) -> Node:
    """The file's top node, numbers unchecked: that takes most of the time, and is done when its poses are read."""
    text = read_text(path, MAX_BYTES)
    try:
        return Node(json.loads(text), str(path))
    except (ValueError, RecursionError):
        return parse_json(text, path)  # says what is wrong, and where


def _check_rig(top: Node, people: list[Node]) -> None:
    if not people:
        top["people"].refuse("holds no people", "Choose a pose file with somebody in it")
    for person in people:
        joints = person["body"]["rest_joints"]
        found, known = set(joints.object()), set(SMPL_JOINTS)
        if found != known:
            which = ", ".join(sorted(found - known)[:3]) or f"without {', '.join(sorted(known - found)[:3])}"
            joints.refuse(f"{OTHER_RIG} ({which})", FROM_OTHER_RIG)


def _files(folder: Path, name: str, depth: int) -> Iterator[tuple[Path, str]]:
    """The pose files of a folder by name, then those of the folders in it. Links to folders are not followed."""
    if depth == 0 and not folder.exists():
        return
    with os.scandir(folder) as listed:
        found = sorted(listed, key=lambda each: each.name.lower())
    for each in found:
        if each.name.lower().endswith(SUFFIX) and not each.name.startswith(".") and not each.is_dir():
            yield Path(each.path), name
    for each in found:
        if each.is_dir(follow_symlinks=False) and not each.name.startswith(".") and depth < DEEPEST:
            yield from _files(Path(each.path), f"{name}/{_readable(each.name)}".lstrip("/"), depth + 1)


def _readable(name: str) -> str:
    """A file's name as text for people; it may be any bytes."""
    return name.encode("utf-8", "replace").decode("utf-8").replace("_", " ")
