"""What opening a file means: its content decides, whatever its name says."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.document import edits
from app.document.exchange.arrival import beside_the_others
from app.document.model.document import Document
from app.document.model.history import Edit
from app.document.posing.create import DEFAULT_BODY, new_character
from app.document.posing.solving import body_of, skeleton_of
from app.document.scene_file.io import MAX_BYTES, open_scene
from app.document.scene_file.photo_link import sha256_of
from app.document.scene_file.read import is_scene
from solver.body.body import Body, BodyShape, mean_shape
from solver.body.catalog import load_body
from solver.body.shape_fit import DEFAULT_ESTIMATOR, ShapeFit
from solver.errors import InputRefused
from solver.files.json_checks import parse_json
from solver.files.reading import read_start, read_text

if TYPE_CHECKING:
    from app.document.exchange.prop_file import PropFile
    from app.document.exchange.with_hands import MotionWithHands
    from solver.estimates.estimate import Estimate
    from solver.photo.image_file import PhotoImage

PHOTO_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".gif", ".heic", ".avif")
PHOTO_STARTS = (b"\xff\xd8", b"\x89PNG", b"GIF8", b"BM", b"II*\0", b"MM\0*", b"RIFF")
GLB_START = b"glTF"
ZIP_START = b"PK\x03\x04"  # what an .npz file is inside
ESTIMATE_STARTS = (b"\x93NUMPY", *(b"\x80" + bytes([protocol]) for protocol in range(2, 6)), *(
    b"x" + bytes([level]) for level in (0x01, 0x5E, 0x9C, 0xDA)
))  # fmt: skip
MESH_SUFFIXES = (".obj", ".stl", ".ply")
ESTIMATE_SUFFIXES = (".pkl", ".npy")
KINDS = (
    "a photo (JPEG, PNG, WebP …), a scene (.json), a pose file (.json), a BVH file, an SMPL motion (.npz), a skeleton "
    "(.glb), what an estimator of poses writes (.npz, .pkl, .json) or a mesh (.obj, .stl, .ply, .glb)"
)
STRANGE_JSON = "is neither a scene, a pose file or a label of this program nor what an estimator of poses writes"

STILL = "Of a GLB file only the pose is read. A motion comes in as BVH or .npz."


@dataclass(frozen=True)
class Opened:
    """What a file is. Exactly one of the four is there.

    document: a scene, to open in place of the one that is open. edit: a pose or a motion, to apply to it; `text` names
    the step. photo: the path of a photo, whose people are still to be found (slow). picture: what is in that photo,
    where it has been read. prop: of a mesh, to add to it. report: what was understood of a motion file, a few plain
    lines. hint: what was left out of it, a sentence. seen: the SHA-256 of a scene's file.
    """

    text: str
    document: Document | None = None
    edit: Edit | None = None
    photo: Path | None = None
    picture: PhotoImage | None = None
    prop: PropFile | None = None
    report: str = ""
    hint: str = ""
    seen: str = ""


def open_file(
    path: str | os.PathLike[str],
    character_id: str | None = None,
    body: str = DEFAULT_BODY,
    bodies: Collection[str] = (),
    shape_by: str = DEFAULT_ESTIMATOR,
    picture: Path | None = None,
) -> Opened:
    """Read a file of any kind that the program opens. InputRefused names the file and the reason.

    A pose or a motion goes to the character with `character_id`, who keeps their shape, or to a new one, who stands
    beside the others. shape_by: which of `solver.body.shape_fit.ESTIMATORS` gives new ones a shape where the file has
    only bones. picture: that an estimate was made of; else the one of its name beside it. bodies: ids of the official
    bodies that a scene may name; ForeignBody for another one.
    """
    # Readers are imported when a file needs them: the window starts without.
    path = Path(path)
    kind = kind_of(path)
    if kind == "photo":
        return Opened(f"Open {path.name}", photo=path)
    if kind == "bvh":
        from app.document.exchange.with_hands import bvh_motion
        from solver.formats.bvh.read import read_bvh
        from solver.formats.bvh.shape import bvh_shape

        bvh = read_bvh(path)
        fit = None if character_id else bvh_shape(bvh, load_body(body), shape_by)
        return _motion(path, character_id, body, bvh_motion(bvh), fit)
    if kind == "mesh":
        return _prop(path)
    if kind == "glb":
        from solver.estimates.glb import holds_skeleton

        if not character_id and not holds_skeleton(path):
            return _prop(path)
        return _skeletons(path, character_id, body, shape_by)
    if kind == "npz":
        from app.document.exchange.with_hands import smpl_motion
        from solver.formats.smpl.npz import holds_motion, read_smpl_npz

        if not holds_motion(path):
            from solver.estimates.read import read_estimate

            return _estimate(path, read_estimate(path), body, shape_by, picture)
        smpl = read_smpl_npz(path)
        return _motion(path, character_id, body, smpl_motion(smpl), own=smpl.shape if body == DEFAULT_BODY else None)
    if kind == "estimate":
        from solver.estimates.read import read_estimate

        return _estimate(path, read_estimate(path), body, shape_by, picture)
    seen = sha256_of(path)  # before it is read: a change while it is read is then noticed, too
    top = parse_json(read_text(path, MAX_BYTES), path)
    if is_scene(top):
        document = open_scene(top, path, bodies)
        for prop in document.props:
            prop.solids()  # found out here, where nobody waits for it: of a mesh it takes a second
        return Opened(f"Open {path.name}", document=document, seen=seen)
    from app.document.exchange.label import is_label, label_edit

    if is_label(top):
        return Opened(f"Import {path.name}", edit=beside_the_others(label_edit(top, path, body)))
    if not (isinstance(top.value, dict) and "format" in top.value):
        from solver.estimates.read import estimate_in

        if (estimate := estimate_in(top.value, path)) is not None:
            return _estimate(path, estimate, body, shape_by, picture)
    from app.document.exchange.pose_exchange import pose_file_edit
    from solver.formats.pose_json.read import is_pose_file

    if not is_pose_file(top):
        top.refuse(STRANGE_JSON, "Choose a scene, a pose file or a label that this program saved, or an estimate")
    edit = pose_file_edit(top, path, character_id, body, bodies)
    return Opened(f"Import {path.name}", edit=edit if character_id else beside_the_others(edit))


def kind_of(path: Path) -> str:
    """Whether a file is a "photo", "bvh", "npz", "json", "glb", "mesh" or "estimate".

    Its first bytes say it, or else its suffix.
    """
    start = read_start(path, 64)
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    suffix = path.suffix.lower()
    if start.startswith(PHOTO_STARTS):
        return "photo"
    if text[:9].upper() == b"HIERARCHY":
        return "bvh"
    if start.startswith(GLB_START):
        return "glb"
    if start.startswith(ZIP_START):
        return "npz"
    if text.startswith((b"{", b"[")):
        return "json"
    if start.startswith(ESTIMATE_STARTS) and suffix in ("", *ESTIMATE_SUFFIXES):
        return "estimate"
    if suffix in PHOTO_SUFFIXES:
        return "photo"
    if suffix in (".bvh", ".npz", ".json", ".glb"):
        return suffix[1:]
    if suffix in ESTIMATE_SUFFIXES:
        return "estimate"
    if suffix in MESH_SUFFIXES:
        return "mesh"
    raise InputRefused(path, "is not a kind of file that this program opens", f"Choose {KINDS}")


def _prop(path: Path) -> Opened:
    from app.document.exchange.prop_file import read_prop

    found = read_prop(path)
    return Opened(f"Add {found.prop.name}", prop=found, report=found.notes)


def _skeletons(path: Path, character_id: str | None, body: str, shape_by: str) -> Opened:
    """The skeletons of a GLB file, each as a person; a single one goes to the character that is named."""
    from app.document.exchange.with_hands import bvh_motion
    from solver.estimates.glb import holds_animation, read_glb
    from solver.formats.bvh.shape import bvh_shape

    found = read_glb(path)
    only = character_id if len(found) == 1 else None
    opened = []
    for bvh in found:
        fit = None if only else bvh_shape(bvh, load_body(body), shape_by)
        opened.append(_motion(path, only, body, bvh_motion(bvh), fit, aside=False))
    edit = edits.chain(*(one.edit for one in opened if one.edit is not None))
    report, hint = "\n".join(one.report for one in opened), STILL if holds_animation(path) else ""
    placed = edit if only else beside_the_others(edit)
    return Opened(f"Import {path.name}", edit=placed, report=report, hint=hint)


def _estimate(path: Path, estimate: Estimate, body: str, shape_by: str, picture: Path | None) -> Opened:
    from app.document.exchange.estimates import estimate_edit

    edit, report = estimate_edit(estimate, path, body, shape_by, picture)
    return Opened(f"Import {path.name}", edit=beside_the_others(edit), report=report)


def _motion(
    path: Path,
    character_id: str | None,
    body: str,
    on: Callable[[Body, BodyShape], MotionWithHands],
    fit: ShapeFit | None = None,
    aside: bool = True,
    own: BodyShape | None = None,
) -> Opened:
    """on: the file's motion on a body. fit: the shape that somebody new gets, who steps aside where others are; or own,
    where the file tells it."""
    shape = own or (fit.shape if fit else mean_shape(load_body(body)))
    usual = load_body(body).skeleton(shape)
    there = on(load_body(body), shape)

    def edit(document: Document) -> Document:
        id = character_id
        if id is None:
            name = path.stem.encode("utf-8", "replace").decode("utf-8")  # names of files may be any bytes
            character = new_character(document, name=name, body=body, shape=shape)
            document = edits.add_character(character)(document)
            id = character.id
        person = document.character(id)
        fitted = there if skeleton_of(person) == usual else on(body_of(person), person.shape)
        return edits.import_motion(id, fitted.motion, hands=fitted.hands)(document)

    placed = edit if character_id or not aside else beside_the_others(edit)
    told = f"\n{fit.text()}" if fit else ""
    return Opened(f"Import {path.name}", edit=placed, report=there.report.text() + told)
