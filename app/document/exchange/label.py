"""Labels: who is in one picture, as SMPL parameters with camera, 2D and 3D joints. docs/labelling.md has the layout."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from os.path import exists  # False where the system refuses to look, where Path's raise OSError
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.exchange.label_coco import KEY_POINTS, key_points, rounded
from app.document.exchange.label_hands import KEYS as HAND_KEYS
from app.document.exchange.label_hands import LARGEST_TURN, WIDTH, fingers_of, hands_in
from app.document.in_photo.photo_membership import belongs_to_photo
from app.document.model.document import Character, Document, Photo
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.history import Edit
from app.document.posing.create import new_character
from app.document.scene_file.photo_link import found_photo, sha256_of
from app.document.scene_file.photos import relative_path
from solver.body.body import GENDERS, SHAPE_COMPONENTS, SHAPE_LIMIT, BodyShape
from solver.body.catalog import DEFAULT_BODY, is_ours, official_folder
from solver.camera import PinholeCamera
from solver.errors import InputRefused, PoserError
from solver.files.atomic import encoded, write_together
from solver.files.json_checks import Node
from solver.files.json_text import json_text
from solver.formats.smpl.motion import MEAN_BODIES, mid_hips
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, nearest_rotation, to_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.image_file import WORKING_SIDE, Size, picture_sizes, working_size
from solver.sentences import counted
from solver.size_limits import FARTHEST_M, FARTHEST_ROOT_M, MAX_PEOPLE

FORMAT, VERSION = "contrapposto-label", 2
_EXTRINSICS = ("cam_rotation", "cam_translation")
_OF_OWN_BODY = 1  # the version in which `transl` was that of our body, whose rest pose stands on the floor
UNITS = {"length": "m", "angle": "rad", "picture": "px"}
FRAMES = {
    "world": "right-handed, +Y up; global_orient, transl and joints_3d_world are in it",
    "camera": "x right, y down, z forward; point = cam_rotation @ world + cam_translation",
    "picture": "origin at the top left, x right, y down",
}
_DOWN = np.diag([1.0, -1.0, -1.0])  # from the camera's own frame (y up, looking along -z) to a label's
Array = NDArray[np.float64]


def label_of(document: Document, folder: Path, checked: bool, usable: bool = True) -> dict[str, Any]:
    """The label of the document's first photo, whose path is given relative to `folder`, and of the people in it.

    People who were read off another of its photos are left out. Pixels are those of the picture's file, even where it
    is scaled down to be worked on.

    checked: whether somebody looked it over. usable: False for a picture to be left out. Raises PoserError without a
    photo.
    """
    photo = document.photo
    if photo is None:
        raise PoserError("A label needs a picture: open a photo first.")
    camera = in_pixels_of_file(photo)
    rotation, shift = extrinsics(camera)
    x, y = camera.principal_px
    return {
        "format": FORMAT,
        "version": VERSION,
        "checked": checked,
        "usable": usable,
        "units": UNITS,
        "frames": FRAMES,
        "picture": {"path": relative_path(photo.path, folder), "sha256": photo.sha256},
        "image_size": list(camera.image_size),
        "K": [[camera.focal_px, 0.0, x], [0.0, camera.focal_px, y], [0.0, 0.0, 1.0]],
        "cam_rotation": rotation.tolist(),
        "cam_translation": shift.tolist(),
        "joint_names": list(SMPL_JOINTS),
        "people": [_person(one, camera) for one in document.characters if belongs_to_photo(one, document)],
    }


def write_label(path: Path, label: dict[str, Any]) -> None:
    """Write the label's files, both or none; InputRefused as `label_contents` and where that fails."""
    write_together(label_contents(path, label))


def label_contents(path: Path, label: dict[str, Any]) -> dict[Path, bytes]:
    """What is to be written: the label as JSON and, beside it, as arrays (.npz). InputRefused where an .npz of that
    name, as an estimator's, is no label's: nobody was asked whether it may go."""
    beside, stream = path.with_name(f"{path.name.removesuffix('.json')}.npz"), io.BytesIO()
    if exists(beside) and not _are_label_arrays(beside):
        raise refuse_other(beside)
    np.savez_compressed(stream, **arrays_of(label))
    return {beside: stream.getvalue(), path: encoded(path, json_text(label))}


def arrays_of(label: dict[str, Any]) -> dict[str, Any]:
    """The label as arrays with people along the first axis, named as its keys."""
    people = label["people"]
    widths = {
        "global_orient": (3,), "body_pose": (69,), "betas": (SHAPE_COMPONENTS,), "transl": (3,), "joints_2d": (24, 2),
        "joints_3d_camera": (24, 3), "joints_3d_world": (24, 3), "key_points": (len(KEY_POINTS), 3),
        **dict.fromkeys(HAND_KEYS, (WIDTH,)),
    }  # fmt: skip
    arrays: dict[str, Any] = {
        name: np.array([_numbers(one[name]) for one in people], dtype=np.float64).reshape(len(people), *shape)
        for name, shape in widths.items()
    }
    arrays |= {name: np.array(label[name], dtype=np.float64) for name in ("K", *_EXTRINSICS)}
    arrays |= {name: np.array([one[name] for one in people], dtype=np.str_) for name in ("name", "body")}
    arrays["genders"] = np.array([one["gender"] for one in people], dtype=np.str_)
    arrays["joint_names"], arrays["image_size"] = np.array(label["joint_names"]), np.array(label["image_size"])
    arrays |= {name: np.array(label[name]) for name in ("checked", "usable")}
    return arrays | {"picture": np.array(label["picture"]["path"])}


def _are_label_arrays(path: Path) -> bool:
    """Whether a file holds what `arrays_of` gives, as far as one can tell by its names."""
    try:
        with zipfile.ZipFile(path) as arrays:
            return {"checked.npy", "joint_names.npy"} <= set(arrays.namelist())
    except (OSError, zipfile.BadZipFile):
        return False


def is_label(top: Node) -> bool:
    """Whether a parsed file says it is a label."""
    return isinstance(top.value, dict) and top.value.get("format") == FORMAT


def label_edit(top: Node, path: Path, body: str = DEFAULT_BODY) -> Edit:
    """The edit that brings back a label's people and their photo. InputRefused names the place of what is wrong.

    body: for people whose own is an official one, as a file cannot say which folders to read, or none of ours.
    """
    refuse_newer(top)
    version = top["version"].integer(1, VERSION)
    names = [name.string() for name in top["joint_names"].items()]
    if names != list(SMPL_JOINTS):
        top["joint_names"].refuse("are not SMPL's 24 joints in their order", "Leave the joints as they were written")
    photo = _photo(top, path)
    nodes = top["people"].items(MAX_PEOPLE)
    people = [(_name(node), *_body_and_shape(node, body), node) for node in nodes]

    def edit(document: Document) -> Document:
        for name, model, shape, node in people:
            character = new_character(document, name, model, shape)
            character = new_character(document, name, model, shape, _pose(node, character, version))
            hands = hands_in(node, character.pose) or character.hands
            document = edits.add_character(replace(character, hands=hands))(document)
        return edits.add_photo(photo)(document)

    edit(Document())  # so that what is wrong with a person is said now
    return edit


def label_without_people(content: Any, path: Path) -> dict[str, Any] | None:
    """The label whose arrays (.npz) these are if nobody is in it; None for others: people open by their numbers."""
    if not isinstance(content, dict) or not {"checked", "joint_names", "picture", "K"} <= content.keys():
        return None
    if np.size(content.get("global_orient", 0)) or not isinstance(name := content["picture"], str):
        return None
    told = {key: np.asarray(content.get(key)).tolist() for key in ("image_size", "K", *_EXTRINSICS, "joint_names")}
    picture = {"path": name, "sha256": sha256_of(path.absolute().parent / name)}
    return {"format": FORMAT, "version": VERSION, **told, "picture": picture, "people": []}


def extrinsics(camera: PinholeCamera) -> tuple[Array, Array]:
    """(3, 3) and (3,) metres that bring the world's points to a camera with x right, y down, z forward."""
    rotation = _DOWN @ camera.rotation.astype(np.float64).T
    return rotation, -rotation @ camera.position.astype(np.float64)


def _person(character: Character, camera: PinholeCamera) -> dict[str, Any]:
    vectors = to_rotation_vector(character.pose.rotations.astype(np.float64))
    world = joints_of(character).positions.astype(np.float64)
    rotation, shift = extrinsics(camera)
    pixels = camera.project(world)
    return {
        "name": character.name,
        "body": "official SMPL" if official_folder(character.body) else character.body,
        "gender": character.shape.gender,
        "betas": character.shape.betas.astype(np.float64).tolist(),
        "global_orient": vectors[0].tolist(),
        "body_pose": vectors[1:].ravel().tolist(),
        **fingers_of(character),
        "transl": (character.pose.root_position - _to_root(character, character.pose.rotations[0])).tolist(),
        "joints_2d": [None if np.isnan(point).any() else point.tolist() for point in pixels],
        "joints_3d_camera": (world @ rotation.T + shift).tolist(),
        "joints_3d_world": world.tolist(),
        "key_points": rounded(key_points(character, camera)),
    }


def _numbers(value: list[Any]) -> Array:
    rows = [[np.nan, np.nan] if row is None else row for row in value]
    return np.array(rows, dtype=np.float64)


def _photo(top: Node, path: Path) -> Photo:
    width, height = (side.integer(1, 100_000) for side in _exactly(top["image_size"], 2))
    k = np.stack([row.vector(3) for row in _exactly(top["K"], 3)])
    if not 1e-3 <= k[0, 0] <= 1e6:
        top["K"].refuse(f"has a focal length of {k[0, 0]:g} pixels", "Give one above 0")
    turn = np.stack([row.vector(3, 2.0) for row in _exactly(top["cam_rotation"], 3)])
    if np.abs(turn @ turn.T - np.eye(3)).max() > 1e-3 or np.linalg.det(turn) < 0:
        top["cam_rotation"].refuse("is not a rotation", "Leave it as it was written")
    turn = np.asarray(nearest_rotation(turn))
    place = -turn.T @ top["cam_translation"].vector(3, FARTHEST_M)
    rotation = (_DOWN @ turn).T
    camera = PinholeCamera(
        place.astype(np.float32), rotation.astype(np.float32), float(k[0, 0]), (float(k[0, 2]), float(k[1, 2])),
        (width, height),
    )  # fmt: skip
    picture = top["picture"]
    where, folder = picture["path"].string(4096), path.absolute().parent
    photo = found_photo(Photo(str(folder / where), picture["sha256"].string(64), camera), folder)
    return replace(photo, camera=_in_working_pixels(photo))


def in_pixels_of_file(photo: Photo) -> PinholeCamera:
    """The camera in pixels of the photo's file; as it is where the file's picture is not the one it is of."""
    if max(photo.camera.image_size) <= WORKING_SIDE // 2:  # no picture is scaled down to less
        return photo.camera
    return _resized(photo, *reversed(_sizes(photo))) or photo.camera


def _in_working_pixels(photo: Photo) -> PinholeCamera:
    """The camera of a label in pixels of the picture as it is worked on."""
    size = photo.camera.image_size
    if max(size) <= WORKING_SIDE:
        return photo.camera
    return _resized(photo, *_sizes(photo)) or photo.camera.resized(working_size(size))


def _sizes(photo: Photo) -> tuple[Size, Size]:
    """`picture_sizes` of the photo's file; (0, 0) where it cannot be read."""
    try:
        return picture_sizes(photo.path)
    except InputRefused:
        return (0, 0), (0, 0)


def _resized(photo: Photo, size: Size, to: Size) -> PinholeCamera | None:
    """The camera for the other size of its picture, which may lie on its side in the file; None if it has neither."""
    camera = photo.camera
    if camera.image_size == size:
        return camera.resized(to)
    return camera.resized((to[1], to[0])) if camera.image_size == size[::-1] else None


def _body_and_shape(node: Node, body: str) -> tuple[str, BodyShape]:
    betas = node["betas"].vector(SHAPE_COMPONENTS, SHAPE_LIMIT).astype(np.float32)
    shape = BodyShape(betas, node["gender"].choice(GENDERS))
    named = node["body"].string()
    return (named if is_ours(named) else body), shape


def _pose(node: Node, character: Character, version: int) -> Pose:
    orient = node["global_orient"].vector(3, LARGEST_TURN)
    turns = np.concatenate([orient, node["body_pose"].vector(69, LARGEST_TURN)]).reshape(24, 3)
    rotations = np.asarray(from_rotation_vector(turns))
    shift = skeleton_of(character).offsets[0] if version <= _OF_OWN_BODY else _to_root(character, rotations[0])
    root = node["transl"].vector(3, FARTHEST_ROOT_M) + shift
    return Pose(root.astype(np.float32), rotations.astype(np.float32))


def _to_root(character: Character, turn: NDArray[np.floating]) -> Array:
    """(3,) metres from SMPL's `transl` to the pelvis of somebody whose pelvis is turned by (3, 3): of SMPL's own body
    for official ones, and for all others of its mean body, whose hips are then where theirs are."""
    skeleton = skeleton_of(character)
    if official_folder(character.body):
        return skeleton.offsets[0].astype(np.float64)
    mean = MEAN_BODIES["SMPL"]
    return np.asarray(mean.pelvis + turn.astype(np.float64) @ (np.array(mean.hips) - mid_hips(skeleton)))


def _name(node: Node) -> str:
    return name.string() if (name := node.get("name")) else ""


def _exactly(node: Node, count: int) -> list[Node]:
    items = node.items()
    if len(items) != count:
        node.refuse(f"has {counted(len(items), 'element')}, expected {count}")
    return items


def refuse_newer(top: Node) -> None:
    """InputRefused for a label of a later version of the layout."""
    if top["version"].integer(1, 10**6) > VERSION:
        top["version"].refuse(f"is newer than this program knows ({VERSION})", "Update the program")


def refuse_other(path: Path) -> InputRefused:
    """What is said of a file in a label's place that is none."""
    return InputRefused(
        path, "is already there, and is not a label", "Move it away, or choose another place for the label"
    )
