"""A scene's JSON as a document: every value is checked, and a refusal names its key path."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from app.document.follow import with_ids
from app.document.scene_parts import (
    kept,
    optional_boolean,
    optional_string,
    read_motion,
    read_photo,
    read_pose,
    read_preserve,
    read_shape,
)
from app.document.scene_write import FORMAT
from app.document.state import FORMAT_VERSION, Character, Document
from solver.body.catalog import load_body, official_folder
from solver.errors import InputRefused, PoserError
from solver.formats.effector_json import EFFECTOR_KEYS, effector_from_json
from solver.formats.json_checks import Node
from solver.ik.catalog import SOLVERS
from solver.size_limits import MAX_EFFECTORS, MAX_FRAMES, MAX_PEOPLE

UNSAID_SOLVER = "dls"  # of a file that names none
NEWER = "Open it with a newer version of Contrapposto"

SCENE_KEYS = frozenset({"format", "version", "min_reader_version", "generator", "characters", "photo"})
CHARACTER_KEYS = frozenset(
    {"id", "name", "color", "visible", "locked", "body", "shape", "pose", "base_pose", "effectors", "preserve",
     "solver", "raw", "motion", "frame"}
)  # fmt: skip


def is_scene(top: Node) -> bool:
    """Whether this JSON says that it is a scene."""
    return isinstance(top.value, dict) and top.value.get("format") == FORMAT


class ForeignBody(InputRefused):
    """A scene names a folder of body files of its own, which nobody chose. body: its id. folder: where the files are.

    Whoever made the scene may have put anything there.
    """

    def __init__(self, node: Node, body: str, folder: Path) -> None:
        self.body, self.folder = body, folder
        reason = f"the scene wants the body files in “{folder}”, which you have not chosen"
        way_out = "If you trust whoever made it, name that folder with --body; else change this to “anny”"
        super().__init__(node.source, reason, way_out, node.path)


def document_of(top: Node, folder: Path, bodies: Collection[str] | None = None) -> Document:
    """The document that a scene from `folder` describes. InputRefused with the key path otherwise.

    bodies: ids of the official bodies that may be loaded, None for any; ForeignBody for another one.
    """
    if not is_scene(top):
        top.refuse(f"is not a scene: the key “format” is not “{FORMAT}”", "Choose a scene that this program saved")
    version = top["version"].integer(1, 1_000_000)
    needed = top.get("min_reader_version")
    reader = needed.integer(1, 1_000_000) if needed else version
    if reader > FORMAT_VERSION:
        top["version"].refuse(
            f"the scene has format version {version}, this program reads up to {FORMAT_VERSION}", NEWER
        )
    characters: list[Character] = []
    frames = 0  # counted before they are unpacked
    for node in top["characters"].items(MAX_PEOPLE):
        character = _character(node, MAX_FRAMES - frames, bodies)
        frames += len(character.motion) if character.motion is not None else 0
        if any(character.id == other.id for other in characters):
            node["id"].refuse(f"“{character.id}” is the id of another character already", "Give each its own")
        characters.append(character)
    photo = read_photo(shown, folder) if (shown := top.get("photo")) else None
    try:
        return Document(tuple(characters), photo, kept(top.others(SCENE_KEYS)))
    except PoserError as error:
        top["characters"].refuse(str(error))


def _character(node: Node, most_frames: int, bodies: Collection[str] | None) -> Character:
    id = node["id"].string(200)
    if not id:
        node["id"].refuse("is empty", "Give each character its own id")
    body = optional_string(node, "body", "anny")
    folder = official_folder(body)
    if folder is not None and bodies is not None and body not in bodies:
        raise ForeignBody(node["body"], body, folder)
    shape, shape_extra = read_shape(node.get("shape"))
    try:
        names = load_body(body).skeleton(shape).names
    except PoserError as error:
        node["body"].refuse(f"the body “{body}” cannot be used: {error}", "Change it to “anny” for the built-in one")
    pose, pose_extra = read_pose(node["pose"], names)
    base_node = node.get("base_pose")
    base_pose, base_extra = read_pose(base_node, names) if base_node else (pose, {})
    effector_nodes = effectors.items(MAX_EFFECTORS) if (effectors := node.get("effectors")) else []
    effectors_read = with_ids(tuple(effector_from_json(each, names) for each in effector_nodes))
    preserve, preserve_extra = read_preserve(node.get("preserve"), names)
    motion_node = node.get("motion")
    motion, motion_extra = read_motion(motion_node, len(names), most_frames) if motion_node else (None, {})
    frame = node.get("frame")
    leftovers = {
        "shape": shape_extra,
        "pose": pose_extra,
        "base_pose": base_extra,
        "preserve": preserve_extra,
        "motion": motion_extra,
        "effectors": {
            effector.id: others
            for effector, each in zip(effectors_read, effector_nodes, strict=True)
            if (others := each.others(EFFECTOR_KEYS))
        },
    }
    return Character(
        id=id,
        name=optional_string(node, "name", id),
        pose=pose,
        base_pose=base_pose,
        body=body,
        shape=shape,
        effectors=effectors_read,
        preserve=preserve,
        solver=_solver(node),
        raw=optional_boolean(node, "raw", False),
        motion=motion,
        frame=frame.integer(0, max(0, len(motion) - 1)) if frame and motion else 0,
        color=_color(node),
        visible=optional_boolean(node, "visible", True),
        locked=optional_boolean(node, "locked", False),
        extra=kept({**node.others(CHARACTER_KEYS), **{key: rest for key, rest in leftovers.items() if rest}}),
    )


def _solver(node: Node) -> str:
    return value.choice([spec.id for spec in SOLVERS]) if (value := node.get("solver")) else UNSAID_SOLVER


def _color(node: Node) -> str:
    value = node.get("color")
    if value is None:
        return str(Character.color)
    if not re.fullmatch("#[0-9a-fA-F]{6}", value.string()):
        value.refuse(f"“{value.value[:20]}” is not a colour", "Write it as #rrggbb")
    return value.string()
