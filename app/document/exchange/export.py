"""Exports of poses: BVH, AMASS and meshes, one file per character, and pose JSON, one file for all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from os.path import exists, isdir, isfile  # False where the system refuses to look, where Path's raise OSError
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app import __version__
from app.document.exchange.file_kind import SUFFIXES
from app.document.exchange.pose_exchange import pose_file_of
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, skeleton_of
from app.document.model.finger_curve import hands_move
from app.document.model.prop_clip import PropClip
from app.document.over_time.shown_motion import shown_motion, shown_turns
from app.document.scene_file.io import folder_of
from solver.body.catalog import DEFAULT_BODY, origin_of
from solver.body.floor import posed_vertices
from solver.body.kept_volume import skin_for
from solver.body.smpl_files import SmplBody
from solver.body.whole_rig import FACE_JOINTS, as_whole_motion, as_whole_pose
from solver.errors import InputRefused, PoserError, UnknownName
from solver.files.atomic import NOTHING_WRITTEN, STANDARD_OUTPUT
from solver.files.file_names import one_each
from solver.formats.bvh.write import write_bvh
from solver.formats.mesh.mesh_file import MESH_FORMATS, PlacedMesh, PosedMesh, write_mesh
from solver.formats.mesh.mesh_file import Path as MeshPath
from solver.formats.pose_json.write import write_pose_json
from solver.formats.smpl.write import OwnBody, smpl_arrays, write_smpl_npz
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.skeleton import Skeleton
from solver.sentences import and_more

Before = Callable[[Path], object]  # told of each file before it is made; what it raises ends the export
FORMATS = ("bvh", "json", "npz", "png", "gif", "mp4", *MESH_FORMATS)
NAMES = {"json": "pose JSON", "npz": "AMASS's .npz"}  # the others go by their letters


_INSTEAD = {
    "fbx": "FBX is not written: write .glb (with skin) or .bvh, open it in Blender, and export FBX there",
    "vrm": "Only a VRM file of your own is written again, by --onto; anybody else goes into .glb",
    "gltf": "Give it a name that ends in .glb, which is the same in one file",
}


def format_of(path: str | os.PathLike[str], wanted: str | None = None) -> str:
    """The export format: the one asked for, or the one that the file's suffix names. InputRefused otherwise, and where
    the suffix names another kind of file than the one asked for."""
    suffix = Path(path).suffix.lower().removeprefix(".")
    if wanted is not None:
        if wanted not in FORMATS:
            raise UnknownName("export format", wanted, FORMATS)
        if suffix != wanted and (suffix in FORMATS or f".{suffix}" in SUFFIXES):
            reason = f"what is written is {NAMES.get(wanted, wanted.upper())}, and names of such files do not end in"
            way_out = f"Give it a name that ends in .{wanted}" + ", or leave out --format" * (suffix in FORMATS)
            raise InputRefused(path, f"{reason} .{suffix}", way_out)
        return wanted
    if suffix not in FORMATS:
        known = ", ".join(f".{name}" for name in FORMATS)
        way_out = _INSTEAD.get(suffix, "Change it or give --format")
        if not suffix:
            suffixless = f"the name has no suffix that says the format ({known})"
            raise InputRefused(path, suffixless, "Add one or give --format")
        raise InputRefused(path, f"the suffix names no export format ({known})", way_out)
    return suffix


def chosen_characters(document: Document, names: Sequence[str] = (), scene: object = "") -> tuple[Character, ...]:
    """The characters with these names or ids, in the order of the document; all of them if none are given.

    scene: the file of the document, for messages. Raises PoserError for one without people, UnknownName.
    """
    if not document.characters:
        raise PoserError(f"{scene or 'The scene'} has no people, so there is nothing to export.")
    known = [c.name for c in document.characters]
    for name in names:
        if not any(name in (c.name, c.id) for c in document.characters):
            raise UnknownName("character", name, known, scene)
    return tuple(c for c in document.characters if not names or c.name in names or c.id in names)


def files_for(path: Path, characters: Sequence[Character]) -> list[Path]:
    """`path` itself for one character or none, else out_Anna.bvh, out_Ben.bvh and so on beside it.

    InputRefused for several into a pipe or a device, which have nothing beside them.
    """
    if len(characters) > 1 and _is_stream(path):
        reason = f"takes one file, and each of {len(characters)} people would have one"
        raise InputRefused(path, reason, "Choose one with --character, or name a file")
    return [path] if len(characters) < 2 else one_each(path, [character.name for character in characters])


def _is_stream(path: Path) -> bool:
    return str(path) in STANDARD_OUTPUT or (exists(path) and not isfile(path) and not isdir(path))


@contextlib.contextmanager
def one_after_another(files: Sequence[Path]) -> Iterator[None]:
    """While several files are written: if a later one cannot be, the error says which were written before it."""
    try:
        yield
    except InputRefused as refused:
        names = [str(file) for file in files]
        before = files[: names.index(refused.source)] if refused.source in names else ()
        if not before:
            raise
        done = f"{and_more(before[0].name, len(before))} {'was' if len(before) == 1 else 'were'}"
        way_out = refused.way_out.removeprefix(f"{NOTHING_WRITTEN}. ")
        raise InputRefused(
            refused.source, refused.reason, f"{done} written before it. {way_out}", refused.place
        ) from None


def export_bvh(
    path: str | os.PathLike[str],
    characters: Sequence[Character],
    names: str = "smpl",
    unit: str = "m",
    whole_motion: bool = False,
    fingers: bool = False,
    before: Before = lambda file: None,
) -> list[Path]:
    """Write each character as BVH and return the files; where there are several, each by its character's name.

    names: "smpl", "humanik" or "mixamo". unit: "m" or "cm". whole_motion: all frames for a character with a motion,
    instead of the pose now shown. fingers: jaw, eyes and fingers as well, as the character holds
    them, where the body has them. Each file is written all or nothing.
    """
    files = files_for(Path(path), characters)
    with one_after_another(files):
        for file, character in zip(files, characters, strict=True):
            before(file)
            shown: Pose | Motion = (shown_motion(character) if whole_motion else None) or character.pose
            skeleton = skeleton_of(character)
            if fingers:
                skeleton = body_of(character).whole_rig(character.shape)
                shown = with_fingers(skeleton, character, shown)
            write_bvh(file, skeleton, shown, names=names, unit=unit)
    return files


def with_fingers(whole: Skeleton, character: Character, shown: Pose | Motion) -> Pose | Motion:
    """A character's pose or motion of all joints of its body, its fingers as it holds them at each frame."""
    if isinstance(shown, Motion):
        return as_whole_motion(whole, shown, shown_turns(character, motion=True))
    return as_whole_pose(whole, shown, shown_turns(character, motion=False))


def export_smpl(
    path: str | os.PathLike[str],
    characters: Sequence[Character],
    whole_motion: bool = False,
    before: Before = lambda file: None,
) -> list[Path]:
    """Write each character in AMASS's format of motions (.npz) and return the files, see `files_for`.

    whole_motion: all frames for a character with a motion, instead of the pose now shown. An official body keeps its
    betas; any other is written as the model's mean body, with our shape beside it.
    """
    files = files_for(Path(path), characters)
    with one_after_another(files):
        for file, character in zip(files, characters, strict=True):
            before(file)
            shown: Pose | Motion = (shown_motion(character) if whole_motion else None) or character.pose
            body, shape, own, model = body_of(character), character.shape, None, "SMPL-H"
            if isinstance(body, SmplBody):
                own = OwnBody(body.skeleton(shape).offsets[0] - np.array([0.0, body.lift(shape), 0.0]), shape.betas)
                model = "SMPL-X" if FACE_JOINTS[0] in body.whole_rig(shape).names else model
            skeleton = skeleton_of(character)
            if character.hands is not None or (isinstance(shown, Motion) and hands_move(character.clip)):
                skeleton = body.whole_rig(shape)
                shown = with_fingers(skeleton, character, shown)
            ours = shape if origin_of(body.id) == DEFAULT_BODY else None
            arrays = smpl_arrays(
                skeleton, shown, model=model, gender=shape.gender, own=own, shape=ours, body=character.body,
                name=character.name,
            )  # fmt: skip
            write_smpl_npz(file, arrays)
    return files


def export_meshes(
    path: str | os.PathLike[str],
    characters: Sequence[Character],
    kind: str,
    things: Sequence[PlacedMesh] = (),
    before: Before = lambda file: None,
) -> list[Path]:
    """Write each character's skin as it is posed and return the files, see `files_for`.

    kind: one of MESH_FORMATS. things: props, in the first file; alone where there are no characters. Metres, Y up;
    each file is written all or nothing.
    """
    files = files_for(Path(path), characters)
    if not characters:
        write_mesh(files[0], None, kind, things)
    with one_after_another(files):
        for file, character in zip(files, characters, strict=bool(characters)):
            before(file)
            body = body_of(character)
            rest = skin_for(body, character.shape, character.hands, character.pose)
            skin = posed_vertices(body, character.shape, character.pose, rest=rest)
            write_mesh(
                file,
                PosedMesh(character.name, skin, body.faces, character.color),
                kind,
                things if file is files[0] else (),
            )
    return files


def placed_props(document: Document, whole_motion: bool = False) -> tuple[PlacedMesh, ...]:
    """The visible props of a document as exports have them, each about the middle of its base.

    whole_motion: with all frames of those that move, beside the place now shown.
    """
    return tuple(
        PlacedMesh(
            prop.name,
            (prop.surface.vertices * prop.size).astype(np.float32),
            prop.surface.faces,
            _unit(prop.surface.normals / prop.size).astype(np.float32),
            prop.place,
            prop.turn,
            prop.color,
            _path(prop.clip) if whole_motion and prop.clip is not None else None,
        )
        for prop in document.props
        if prop.visible
    )


def _path(clip: PropClip) -> MeshPath:
    places, turns = clip.over(np.arange(len(clip)))
    return MeshPath(places.astype(np.float32), turns.astype(np.float32), clip.fps)


def _unit(vectors: NDArray[np.floating]) -> NDArray[np.float64]:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float64)


def export_pose_json(path: str | os.PathLike[str], document: Document, whole_motion: bool = False) -> Path:
    """Write all characters of the document, and its photo's camera, as one pose file, all or nothing.

    whole_motion: with all frames of those that move, beside the pose now shown.
    """
    target = Path(path)
    content = pose_file_of(document, folder_of(target), whole_motion)
    write_pose_json(target, content, f"Contrapposto {__version__}")
    return target
