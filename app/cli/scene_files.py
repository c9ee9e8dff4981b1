"""The scenes that commands read and write: what is none is told how to become one, and nothing that is read is lost."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from os.path import isdir  # False where the system refuses to look, where Path's raise OSError
from pathlib import Path
from typing import TYPE_CHECKING

from app.document.exchange.file_kind import ESTIMATE_SUFFIXES, FORMAT, PEEKED, SUFFIXES, json_kind, kind_of
from app.document.exchange.label_files import COCO_FILE
from app.document.scene_file.own_files import what_it_is
from solver.errors import InputRefused
from solver.files.atomic import check_writable, reason_of
from solver.files.reading import read_start
from solver.files.same_file import same_file

if TYPE_CHECKING:
    from app.document.model.document import Document
    from app.services.clock import Span

# What a file that is no scene may be, and how it becomes one.
OTHERS = {
    "photo": ("a photo", "photo"), "bvh": ("a BVH file", "convert"), "npz": ("an .npz file", "convert"),
    "glb": ("a rig or a mesh", "convert"), "estimate": ("what an estimator of poses wrote", "convert"),
    "pose": ("a pose file", "convert"), "label": ("a label", "convert"),
}  # fmt: skip

CALLED = (".bvh", ".npz", ".glb", ".gltf", ".vrm", *ESTIMATE_SUFFIXES)  # how names end of files that become scenes
CONVERTED = ("bvh", "npz", "glb", "estimate", "pose", "label", "json")  # kinds of files that become scenes


def scene_named(name: str, bodies: Collection[str]) -> Document:
    """The document of the scene that a command is to work on; stderr says so where a newer version wrote it.

    InputRefused, with the command that makes it one, for a file of another kind that the program reads, and for what is
    wrong in a scene.
    """
    from app.cli.main import PROGRAM
    from app.document.scene_file.io import load_scene
    from app.document.scene_file.read import newer_version

    path = Path(name)
    kind = kind_named(path)
    if kind in OTHERS:
        what, command = OTHERS[kind]
        way_out = f"Make it one first: python main.py {command} FILE -o scene.json"
        raise InputRefused(path, f"is {what}, not a scene", way_out)
    document = load_scene(path, bodies)
    if newer_version(document) is not None:
        said = "was saved by a newer version of this program. What this one does not know is kept, but not used"
        print(f"{PROGRAM}: {path.name} {said}.", file=sys.stderr)
    return document


def kind_named(path: Path) -> str:
    """As `kind_of`, but a JSON file of this program is a "scene", "pose" or "label"; "" for what cannot be opened, of
    which opening it says what is wrong."""
    try:
        kind = kind_of(path)
        return json_kind(read_start(path, PEEKED)) if kind == "json" else kind
    except InputRefused:
        return ""


def files_meant(named: Sequence[Path], besides: Path | None) -> tuple[list[Path], int]:
    """The files of these names, each once, and in place of a folder those in it that may become scenes, by name, of
    labels once; and how many others are in the folders. besides: a file that is used otherwise. InputRefused for a
    folder without any.
    """
    found: dict[Path, Path] = {}
    left = 0
    for path in named:
        if not isdir(path):
            found.setdefault(path.resolve(), path)
            continue
        try:
            files = sorted(file for file in path.iterdir() if file.is_file() and not file.name.startswith("."))
        except OSError as error:
            raise InputRefused(path, f"cannot be read: {reason_of(error)}", "Choose another folder") from None
        taken = _without_copies([file for file in files if not same_file(file, besides) and _becomes_scene(file)])
        if not taken:
            what = "holds no motion, pose, label or estimate (.bvh, .glb, .npz, .pkl, .json)"
            raise InputRefused(path, what, "Name the folder that the files are in; folders within it are not read")
        found |= {file.resolve(): file for file in taken if file.resolve() not in found}
        left += len(files) - len(taken)
    return list(found.values()), left


def outputs_in(folder: Path, files: Sequence[Path], suffix: str) -> list[Path]:
    """The file for each of these, named after it; those whose names differ in their suffix alone keep it. InputRefused
    where two of them would be one."""
    stems = Counter(file.stem.casefold() for file in files)
    names = [file.stem if stems[file.stem.casefold()] == 1 else file.name for file in files]
    first: dict[str, Path] = {}
    for file, name in zip(files, names, strict=True):
        other = first.setdefault(name.casefold(), file)
        if other is not file:
            reason = f"would be written to the same file as {other}, {name}{suffix}"
            raise InputRefused(file, reason, "Convert them one after the other, into a folder each")
    return [folder / f"{name}{suffix}" for name in names]


def _without_copies(files: Sequence[Path]) -> list[Path]:
    """Files of a folder without those that hold its labels once more: each one's arrays, and what is of all."""
    labels = {file.stem for file in files if file.suffix == ".json" and kind_named(file) == "label"}
    copies = {COCO_FILE, *(f"{stem}.npz" for stem in labels)} if labels else ()
    return [file for file in files if file.name not in copies]


def _becomes_scene(path: Path) -> bool:
    """Whether `convert` makes a scene of a file that it comes upon, or is to say why not: no scene, picture or settings
    of ours."""
    kind = kind_named(path)
    if not kind:  # empty, or unreadable
        return path.suffix.lower() in (*CALLED, ".json")
    if kind != "json":
        return kind in CONVERTED
    return not any(name.startswith(b"contrapposto-") for name in FORMAT.findall(read_start(path, PEEKED)))


def check_option_means(option: str, path: Path, nothing_for: Collection[str]) -> None:
    """InputRefused where an option is given with a file of one of these kinds, for which it means nothing."""
    kind = kind_named(path)
    if kind in nothing_for:
        what = OTHERS[kind][0] if kind in OTHERS else f"a {kind}"
        raise InputRefused(path, f"is {what}, for which {option} means nothing", f"Leave out {option}")


def check_scene_output(output: str, read: Mapping[Path, str]) -> None:
    """InputRefused, before anything slow is done, where the scene would be written over one of the files read, where
    its name ends as that of another kind of file does, and where nothing can be written.

    read: the files that the command reads, with what each is.
    """
    file = Path(output)
    if what := what_it_is(file, read):
        raise InputRefused(file, f"is {what}, which the scene would replace", "Give the scene another name")
    if file.suffix.lower() in SUFFIXES:
        reason = f"what is written is a scene, and names of scenes do not end in {file.suffix}"
        raise InputRefused(file, reason, "Give it a name that ends in .json")
    check_writable(file)


def span_of(frames: tuple[int, int], document: Document, person: str, scene: str) -> Span:
    """The first and the last moment of these frames, in seconds. person: the id of the one whose frames they are; if
    that one does not move, they are those of the longest motion. InputRefused if the motion has fewer."""
    from app.services.clock import clock_of, plays

    if not plays(document):
        raise InputRefused(scene, "nobody in it moves, so it has no frames to choose from", "Leave out --range")
    clock = clock_of(document, person)
    if frames[1] > clock.frames:
        reason = f"has no frame {frames[1]}: its motion has {clock.frames} frames"
        raise InputRefused(scene, reason, f"Give --range a part of 1-{clock.frames}")
    return (frames[0] - 1) / clock.fps, (frames[1] - 1) / clock.fps
