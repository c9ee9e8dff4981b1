"""How far each picture of a folder has come: what its label says, and its part of the folder's COCO file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from os.path import exists, isfile  # False where the system refuses to look, where Path's raise OSError
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.document.exchange.label import is_label, label_edit, refuse_newer, refuse_other
from app.document.exchange.label_coco import KEY_POINTS, CocoRow, coco_row, coco_text, key_points
from app.document.exchange.label_files import COCO_FILE, LARGEST, LabelFiles
from app.document.model.document import Document
from app.document.scene_file.photo_link import sha256_of
from app.document.scene_file.photos import relative_path
from solver.errors import InputRefused
from solver.files.atomic import write_text
from solver.files.json_checks import NUMBER_LIMIT, Node, parse_json
from solver.files.reading import read_text
from solver.sentences import counted
from solver.size_limits import MAX_PEOPLE


class Stage(StrEnum):
    """How far a picture has come."""

    NEW = "new"  # without a label
    PROPOSED = "proposed"  # nobody has looked it over
    CHECKED = "checked"
    UNUSABLE = "unusable"  # somebody did, and left the picture out
    REFUSED = "refused"  # what is in its label's place cannot be read, and stays
    UNREADABLE = "unreadable"  # the picture itself cannot be read


DONE = (Stage.CHECKED, Stage.UNUSABLE)


@dataclass(frozen=True)
class PictureState:
    """One picture. reason: why it is REFUSED or UNREADABLE. row: its part of the COCO file, if it has one."""

    stage: Stage = Stage.NEW
    reason: str = ""
    row: CocoRow | None = None

    @property
    def is_decided(self) -> bool:
        """Whether somebody checked the picture or left it out."""
        return self.stage in DONE


def state_of(files: LabelFiles, number: int) -> PictureState:
    """What the label on disk says, read quickly: poses are not checked. number: the picture's place, from 1."""
    try:
        if not exists(files.label):
            return PictureState()
        return state_in(_parsed(read_text(files.label, LARGEST), files.label), files, number)
    except InputRefused as error:
        return PictureState(Stage.REFUSED, str(error))


def state_in(top: Node, files: LabelFiles, number: int) -> PictureState:
    """What a parsed label says. InputRefused for one that is not a label, or is damaged in what is needed."""
    if not is_label(top):
        raise refuse_other(files.label)
    refuse_newer(top)
    checked = top["checked"].boolean() and not is_of_another_scene(top, files)
    if (usable := top.get("usable")) and not usable.boolean():
        return PictureState(Stage.UNUSABLE)
    width, height = (side.integer(1, 100_000) for side in top["image_size"].items(2))
    people = _key_points(top, files.label, (width, height))
    name = relative_path(str(files.picture.absolute()), files.label.absolute().parent)
    row = coco_row(number, name, (width, height), checked, people)
    return PictureState(Stage.CHECKED if checked else Stage.PROPOSED, row=row)


def is_of_another_scene(top: Node, files: LabelFiles) -> bool:
    """Whether the scene's file was changed after the label was made: then nobody has said that it is right as it is."""
    made_with = top.get("scene")
    return made_with is not None and isfile(files.scene) and made_with["sha256"].value != sha256_of(files.scene)


def states_of(
    every: Sequence[LabelFiles], progress: Callable[[float, str], None] = lambda _share, _text: None
) -> list[PictureState]:
    """The states of a whole folder's pictures."""
    states = []
    for number, files in enumerate(every, start=1):
        states.append(state_of(files, number))
        if number % 50 == 0:
            progress(number / len(every), f"Looking through {number} of {len(every)} pictures")
    return states


def write_coco(states: Iterable[PictureState], out: Path) -> None:
    """Write the labels there are as COCO key points. Pictures that have none or are unusable are left out."""
    write_text(out / COCO_FILE, coco_text(state.row for state in tuple(states) if state.row is not None))


def _parsed(text: str, path: Path) -> Node:
    # A folder has thousands: only what cannot be parsed quickly is looked at closely, to say what is wrong.
    try:
        return Node(json.loads(text), str(path))
    except (ValueError, RecursionError):
        return parse_json(text, path)


def _key_points(top: Node, path: Path, size: tuple[int, int]) -> list[NDArray[np.float64]]:
    people = top["people"].items(MAX_PEOPLE)
    if all("key_points" in one for one in people):
        return [_stacked(one["key_points"]) for one in people]
    document = label_edit(top, path)(Document())  # written without them: taken from the body
    cameras = [photo.camera.resized(size) for photo in document.photos]
    return [key_points(character, camera) for camera in cameras for character in document.characters]


def _stacked(node: Node) -> NDArray[np.float64]:
    try:
        points = np.asarray(node.value, np.float64)
        if points.shape == (len(KEY_POINTS), 3) and (np.abs(points) < NUMBER_LIMIT).all():  # false for NaN, too
            return points
    except (TypeError, ValueError, OverflowError):
        pass  # what is wrong is said below
    rows = node.items(len(KEY_POINTS))
    if len(rows) != len(KEY_POINTS):
        node.refuse(f"has {counted(len(rows), 'point')}, expected {len(KEY_POINTS)}")
    return np.stack([row.vector(3) for row in rows])
