"""Makes the poses that come with the program, or pictures of them.

python -m scripts.starting_poses               solves every record and writes assets/poses
python -m scripts.starting_poses --only WORD   writes those alone that have the word in name or class
python -m scripts.starting_poses --check       says how far each misses its effectors and the floor; writes nothing
python -m scripts.starting_poses --sheets      draws the contact sheets of docs/manual/poses from assets/poses
python -m scripts.starting_poses --look WORD   solves those with the word in name or class and draws them to look.png
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from app.document.library.apply import Taking, take_pose
from app.document.library.pose_files import lean_text
from app.document.library.shelf import Entry, poses_of, shelf_of
from app.document.model.document import Character, Document
from app.document.posing.create import new_character
from scripts.arguments import script_parser
from scripts.starting_poses import action, ground, moving, sitting, standing, together, tumbling
from scripts.starting_poses.holding import holding_each_other
from scripts.starting_poses.record import Record
from scripts.starting_poses.sheet import Shown, sheet
from scripts.starting_poses.solve import SHAPE, SKELETON, Solved, hands_with, solved
from solver.body.body import SHAPE_COMPONENTS, BodyShape
from solver.body.hands import Hands
from solver.files.file_names import fit_stem
from solver.files.json_checks import parse_json
from solver.files.json_text import json_text
from solver.formats.pose_json.pose_file import PoseFile, PosePerson
from solver.kinematics.pose import Pose

ROOT = Path(__file__).resolve().parents[2]
POSES, SHEETS = ROOT / "assets" / "poses", ROOT / "docs" / "manual" / "poses"
PARTS = (standing, moving, sitting, ground, tumbling, action, together)
RECORDS = tuple(record for part in PARTS for record in part.POSES)
DECIMALS = 5
COLORS, COLUMNS, SIZE = 64, 12, (104, 116)


def _shape(gender: str, height: float = 0.0) -> BodyShape:
    betas = np.zeros(SHAPE_COMPONENTS, np.float32)
    betas[0] = height
    return BodyShape(betas, gender)


BODIES = {
    "neutral": _shape("neutral"), "female": _shape("female"), "male": _shape("male"),
    "short": _shape("female", -2.5), "tall": _shape("male", 2.5),
}  # fmt: skip


def main() -> None:
    """Do what the arguments ask."""
    parser = script_parser(str(Path(__file__).parent), __doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--sheets", action="store_true")
    parser.add_argument("--look", nargs="+", metavar="WORD")
    parser.add_argument("--only", nargs="+", metavar="WORD")
    args = parser.parse_args()
    if args.sheets:
        draw_sheets()
        return
    words = [word.lower() for word in args.look or args.only or ("",)]
    chosen = [record for record in RECORDS if any(word in f"{record.name} {record.folder}".lower() for word in words)]
    poses = [(record, [solved(figure) for figure in record.figures]) for record in chosen]
    for record, people in poses:
        for one in people:
            print(f"{record.folder:22s} {record.name:26s} {told(one)}")
    if args.look:
        sheet([shown for each in poses for shown in views(*each)], 8, (200, 240)).save("look.png")
    elif not args.check:
        if not args.only:
            shutil.rmtree(POSES, ignore_errors=True)
        write(poses)


def told(one: Solved) -> str:
    """How well a pose came out."""
    return f"missed {one.missed:.3f} ({one.worst}), lowest {one.lowest:+.3f}, floating {one.floating:.3f}"


def views(record: Record, people: list[Solved]) -> list[Shown]:
    """A pose from its best side, and from further round."""
    found = finished(record, people)
    posed = people_with([each.pose for each in found], SHAPE, [each.hands for each in found])
    return [Shown(record.name, posed), Shown("", posed, turn=1.3)]


def finished(record: Record, people: list[Solved]) -> tuple[PosePerson, ...]:
    """The people of a record as its file has them, holding each other if they do."""
    poses, hands = [each.pose for each in people], [hands_with(figure.fingers) for figure in record.figures]
    if any(figure.holds for figure in record.figures):
        return holding_each_other(people_with(poses, SHAPE, hands), record.figures)
    return tuple(
        PosePerson("", SKELETON, pose, shape=SHAPE, hands=held) for pose, held in zip(poses, hands, strict=True)
    )


def people_with(poses: Sequence[Pose], shape: BodyShape, hands: Sequence[Hands | None] = ()) -> tuple[Character, ...]:
    """People in these poses, with hands at ease if nothing is said of them."""
    document = Document()
    for pose, held in zip(poses, hands or [None] * len(poses), strict=True):
        person = new_character(document, pose=pose, shape=shape)
        person = person if held is None else replace(person, hands=held)
        document = document.with_characters((*document.characters, person))
    return document.characters


def write(poses: list[tuple[Record, list[Solved]]]) -> None:
    """Write each pose into its class's folder, replacing the one that was there."""
    for record, people in poses:
        folder = POSES / record.folder
        folder.mkdir(parents=True, exist_ok=True)
        persons = finished(record, people)
        text = lean_text(PoseFile(persons, name=record.name, tags=record.tags))
        text = json_text(_rounded(parse_json(text, record.name).value))
        (folder / f"{fit_stem(record.name, 'Pose')}.json").write_text(text, encoding="utf-8")
    print(f"wrote {len(poses)} poses")


def draw_sheets() -> None:
    """Draw every pose on every body, each put on it as the library does."""
    SHEETS.mkdir(parents=True, exist_ok=True)
    entries = in_order(shelf_of(POSES).entries)
    for name, shape in BODIES.items():
        shown = [_on(entry, shape) for entry in entries]
        picture = sheet(shown, COLUMNS, SIZE, plain=True).quantize(COLORS)
        picture.save(SHEETS / f"{name}.png", optimize=True)
        print(f"wrote docs/manual/poses/{name}.png")


def in_order(entries: tuple[Entry, ...]) -> list[Entry]:
    """The poses in the order of the records."""
    order = {(record.folder, record.name): number for number, record in enumerate(RECORDS)}
    return sorted(entries, key=lambda entry: order[entry.folder, entry.name])


def _on(entry: Entry, shape: BodyShape) -> Shown:
    content = poses_of(entry)
    document = Document().with_characters(people_with([person.pose for person in content.people], shape))
    posed = take_pose(document.characters[0].id, content, Taking(place=True))(document)
    return Shown(entry.name, posed.characters)


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return round(float(value), DECIMALS) + 0.0 if isinstance(value, float) else value


if __name__ == "__main__":
    main()
