"""The poses of a library to measure on: still, of every posture, a fixed part of them held out from all learning."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path

from solver.body.body import Body, BodyShape
from solver.errors import InputRefused
from solver.evaluation.poses import ALL, Found, PoseSet, true_poses
from solver.formats.clip_folder import clip_files
from solver.formats.pose_json.pose_file import PosePerson
from solver.formats.pose_json.still_poses import body_pose, held_out, people_of

SPLITS = ("train", "test", ALL)


def read_library_poses(
    folder: Path,
    body: Body,
    split: str = ALL,
    shapes: str = "mean",
    max_poses: int | None = None,
    seed: int = 0,
    files_like: str = "*",
) -> PoseSet:
    """One pose of every person in the pose files below `folder`; InputRefused if none is left.

    split: “test” is what is held out, “train” the rest. shapes, max_poses, seed: as in `read_poses`. files_like: a
    pattern for names, such as “Lying/*”. Each file counts as a clip, and a person's place in it as the frame.
    """
    skeleton = body.skeleton(BodyShape())
    found: list[Found] = []
    skipped: dict[str, str] = {}
    for name, path in library_files(folder, split, files_like).items():
        try:
            people = people_of(path, skeleton)
        except InputRefused as error:
            skipped[name] = str(error)
            continue
        found += [_found(name, place, person, body) for place, person in enumerate(people)]
    if not found:
        unusable = f"none of its {len(skipped)} pose files can be used"
        raise InputRefused(folder, unusable if skipped else "there is nobody in its pose files", "Name another folder")
    return PoseSet(true_poses(found, body, shapes, max_poses, seed), len({one.clip for one in found}), skipped)


def library_files(folder: Path, split: str = ALL, files_like: str = "*") -> dict[str, Path]:
    """The pose files below `folder`, by name (“Lying/On the back”), that belong to the split and match the pattern.

    InputRefused if there are none. Which ones are held out does not depend on the pattern.
    """
    if split not in SPLITS:
        way_out = "Use “test”, which nothing learns from, “train” or “all”"
        raise InputRefused(folder, f"a library has no split “{split}”", way_out)
    files = clip_files(folder, "JSON")
    kept = held_out(files)
    chosen = {
        name: path
        for name, path in files.items()
        if fnmatchcase(name, files_like) and (split == ALL or (name in kept) == (split == "test"))
    }
    if not chosen:
        reason = f"no pose of the split “{split}” has a name like “{files_like}”"
        raise InputRefused(folder, reason, "Use another pattern")
    return chosen


def _found(name: str, place: int, person: PosePerson, body: Body) -> Found:
    """The person's pose, with hands at rest, as recordings have them. The build of another body counts as mean."""
    shape = person.shape if person.body == body.id else BodyShape()
    return Found(name, place, body_pose(person, len(body.skeleton(BodyShape()))), shape)
