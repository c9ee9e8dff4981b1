"""Putting poses into a library: people of a scene, or files from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from os.path import isfile  # False where the system refuses to look, where Path's raise OSError
from pathlib import Path

from app.document.library.shelf import MAX_BYTES, PICTURE_SUFFIX, SUFFIX, Entry, entry_of, poses_of
from app.document.model.document import Character
from app.document.model.figure import skeleton_of
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.sources import Tie
from solver.errors import InputRefused
from solver.files.atomic import NOTHING_WRITTEN, make_folder, reason_of, write_bytes, write_text
from solver.files.file_names import fit_stem
from solver.files.json_checks import parse_json
from solver.files.json_text import json_text
from solver.files.reading import read_bytes, read_text
from solver.formats.pose_json.pose_file import PoseFile, PosePerson
from solver.formats.pose_json.read import LONGEST_NAME, LONGEST_TAG, MOST_TAGS
from solver.formats.pose_json.write import parse_pose_json, pose_json

DERIVED = ("axis_angle_smpl", "global_positions", "base_pose")
TYING = ("effectors", "id")  # of people who do not hold each other


def pose_text(name: str, tags: Sequence[str], characters: Sequence[Character]) -> str:
    """A pose file of these people as a library keeps it: what is needed to pose somebody like them, and no more."""
    people = tuple(
        PosePerson(
            c.name, skeleton_of(c), c.pose, c.id, body=c.body, shape=c.shape, effectors=c.effectors, hands=c.hands
        )
        for c in characters
    )
    return lean_text(PoseFile(people, name=name[:LONGEST_NAME], tags=tuple(tags)))


def lean_text(poses: PoseFile) -> str:
    """A pose file without what can be worked out from it, and without effectors but those that hold another of its
    people."""
    people = tuple(replace(each, effectors=held_on_others(each, poses.people)) for each in poses.people)
    content = pose_json(replace(poses, people=people))
    tied = any(person.effectors for person in people)
    derived = DERIVED if tied else (*DERIVED, *TYING)
    content["people"] = [{k: v for k, v in person.items() if k not in derived} for person in content["people"]]
    return json_text(content)


def held_on_others(person: PosePerson, people: Sequence[PosePerson]) -> tuple[Contact, ...]:
    """The contacts in use that hold somebody's skin on others among a file's people."""
    others = {each.id for each in people if each.id and each.id != person.id}

    def counts(effector: Effector) -> bool:
        return isinstance(effector.source, Tie) and effector.is_active and effector.source.character in others

    return tuple(e for e in person.effectors if isinstance(e, Contact) and counts(e))


def tags_of(text: str) -> tuple[str, ...]:
    """The tags in a line that somebody typed, separated by commas; each once."""
    found = (" ".join(part.split())[:LONGEST_TAG] for part in text.split(","))
    return tuple(dict.fromkeys(tag for tag in found if tag))[:MOST_TAGS]


def save_pose(
    root: Path,
    folder: str,
    name: str,
    tags: Sequence[str],
    characters: Sequence[Character],
    picture: bytes | None = None,
) -> Entry:
    """Write people's pose into a library as a new file, with its picture (PNG) beside it; return its entry.

    Nothing is ever replaced: a name that is taken gets a number. InputRefused where it cannot be written.
    """
    text = pose_text(name, tags, characters)
    return _put(_place_of(root, folder), folder, name, text, picture)


def add_file(root: Path, folder: str, path: Path) -> Entry:
    """Copy a pose file from elsewhere into a library, with the picture beside it. InputRefused if it is none."""
    if isfile(path) and path.suffix.lower() != ".json":
        way_out = "The library keeps pose files (.json). To open it in the scene, drop it onto the view"
        raise InputRefused(path, "is not a pose file", way_out)
    entry = entry_of(path)
    if entry.trouble:
        poses_of(entry)  # says why
    content = poses_of(entry)
    text = read_bytes(path, MAX_BYTES).decode("utf-8-sig")
    picture = read_bytes(entry.picture, MAX_BYTES) if entry.picture else None
    return _put(_place_of(root, folder), folder, content.name or path.stem, text, picture)


def rename(entry: Entry, root: Path, folder: str, name: str, tags: Sequence[str]) -> Entry:
    """Give one of the user's poses another name, other tags or another folder, and its file the name; what it is now.

    Whatever else its file holds stays. InputRefused for a pose that came with the program, and where it cannot be
    written.
    """
    _check_own(entry)
    poses_of(entry)  # says what is wrong with it, if anything is
    content = parse_json(read_text(entry.path, MAX_BYTES), entry.path).value
    text = json_text({**content, "name": name[:LONGEST_NAME], "tags": list(tags)})
    place = entry.path.parent if folder == entry.folder else _place_of(root, folder)
    here = entry.path.stem if place == entry.path.parent else ""
    if here and free_stem(place, name, here) == here:
        parse_pose_json(text, entry.path)
        write_text(entry.path, text)
        return entry_of(entry.path, folder, own=True)
    picture = read_bytes(entry.picture, MAX_BYTES) if entry.picture else None
    renamed = _put(place, folder, name, text, picture, here)
    if not _is_same_file(entry.path, renamed.path):
        remove(entry)
    return renamed


def remove(entry: Entry) -> None:
    """Delete one of the user's poses and its picture. InputRefused for one that came with the program."""
    _check_own(entry)
    try:
        entry.path.unlink(missing_ok=True)
        if entry.picture is not None:
            entry.picture.unlink(missing_ok=True)
    except OSError as error:
        raise InputRefused(entry.path, f"cannot be deleted: {reason_of(error)}", "Close what uses it") from None


def free_stem(folder: Path, name: str, own: str = "") -> str:
    """A file name like `name`, without suffix, fit for every system and not taken in the folder.

    own: the one that the file has there already.
    """
    stem = fit_stem(name, "Pose")
    taken = {each.stem.lower() for each in _listed(folder) if each.stem != own}
    number, free = 1, stem
    while free.lower() in taken:
        number += 1
        free = f"{stem} {number}"
    return free


def _check_own(entry: Entry) -> None:
    if not entry.own:
        raise InputRefused(entry.path, "came with the program and stays", "Save a copy of your own and change that")


def _is_same_file(one: Path, other: Path) -> bool:
    """Also of two names that differ in capitals alone, or in how accents are written, where the disk knows no such."""
    try:
        return one.samefile(other)
    except OSError:  # somebody else has deleted one
        return False


def _place_of(root: Path, folder: str) -> Path:
    return root.joinpath(*(part for part in folder.split("/") if part))


def _put(place: Path, folder: str, name: str, text: str, picture: bytes | None, own: str = "") -> Entry:
    make_folder(place, NOTHING_WRITTEN)
    path = place / f"{free_stem(place, name, own)}{SUFFIX}"
    parse_pose_json(text, path)  # a file that could not be read again is never written
    write_text(path, text)
    if picture is not None:
        try:
            write_bytes(path.with_suffix(PICTURE_SUFFIX), picture)
        except InputRefused:  # told that nothing was written, the user would try again and have it twice
            path.unlink(missing_ok=True)
            raise
    return entry_of(path, folder, own=True)


def _listed(folder: Path) -> Iterable[Path]:
    return folder.iterdir() if folder.is_dir() else ()
