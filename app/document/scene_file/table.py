"""The table of a scene file: every field once. Reader, writer, schema and documentation are made from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from app import __version__
from app.document.model.actor import Actor, Build, Identity, Posing
from app.document.model.bookmark import SLOTS
from app.document.model.document import FORMAT_VERSION, Document
from app.document.scene_file.bookmarks import BOOKMARK, in_order
from app.document.scene_file.clips import CLIP
from app.document.scene_file.fingers import FingerTurns, common_hands, with_common_hands, without_common_hands
from app.document.scene_file.own_skins import OWN_SKIN
from app.document.scene_file.photos import PHOTO
from app.document.scene_file.poses import SHAPE
from app.document.scene_file.props import LATER_KINDS, PROP, PropAtFrame, color_check, needed_for, props_of
from app.document.scene_file.sightings import SIGHTING
from solver.body.body import BodyShape, mean_shape
from solver.body.catalog import load_body, official_folder
from solver.errors import PoserError
from solver.files.json_checks import Node
from solver.files.json_forms import (
    Asleep,
    Boolean,
    Choice,
    Context,
    Definitions,
    Form,
    Integer,
    ListOf,
    Number,
    Rest,
    Schema,
    Text,
)
from solver.files.json_record import Field, ForbiddenHere, Record, Values
from solver.ik.options import NO_OPTIONS, Options
from solver.size_limits import MAX_FRAMES, MAX_PEOPLE, MAX_PROPS

FORMAT = "contrapposto-scene"
MIN_READER_VERSION = 2  # what programs of version 1 compare themselves with
FEATURES = frozenset(LATER_KINDS.values())  # what a file may need of a reader, by name
SOLVER_IF_MISSING = "dls"  # for a file that names none
NEWER = "Open it with a newer version of Contrapposto"


class ActorAtFrame(NamedTuple):
    """An actor, and the frame of its clip that is looked at."""

    actor: Actor
    frame: int


class UnapprovedBodyFolder(ForbiddenHere):
    """A scene names a folder of body files that the user has not chosen. body: its id. folder: of the files.

    The scene's author may have put anything there.
    """

    def __init__(self, node: Node, body: str, folder: Path) -> None:
        self.body, self.folder = body, folder
        reason = f"the scene needs the body files in “{folder}”, which you have not chosen"
        way_out = "If you trust whoever made it, name that folder with --body; else change this to “anny”"
        super().__init__(node.source, reason, way_out, node.path)


class OptionValues(Form):
    """Settings of solvers' options, by the options' ids; a value of a type that no option has is kept aside."""

    def read(self, node: Node, context: Context) -> tuple[Options, Rest]:
        """The values that an option may have."""
        found = dict(node.entries())
        fit = {id: each.value for id, each in found.items() if isinstance(each.value, bool | int | float | str)}
        return MappingProxyType(fit), {id: each.value for id, each in found.items() if id not in fit}

    def write(self, value: Any, context: Context) -> dict[str, Any]:
        """An object."""
        return dict(value)

    def schema(self, definitions: Definitions) -> Schema:
        """An object of values."""
        return {"type": "object"}


class BodyName(Text):
    """The id of a body that can be loaded."""

    def value(self, node: Node, context: Context) -> str:
        """The id. UnapprovedBodyFolder for official files in a folder that the user has not chosen."""
        body = super().value(node, context)
        folder = official_folder(body)
        if folder is not None and context.bodies is not None and body not in context.bodies:
            raise UnapprovedBodyFolder(node, body, folder)
        try:
            model = load_body(body)
            model.skeleton(mean_shape(model))
        except PoserError as error:
            node.refuse(f"the body “{body}” cannot be used: {error}", "Change it to “anny” for the built-in one")
        return body


def _with_joints(values: Mapping[str, Any], node: Node | None, context: Context) -> Context:
    try:
        return replace(context, joints=load_body(values["body"]).skeleton(values["shape"]).names)
    except PoserError as error:
        if node is None:
            raise
        node["body"].refuse(
            f"the body “{values['body']}” cannot be used: {error}", "Change it to “anny” for the built-in one"
        )


_LOOKS = ("id", "name", "color", "visible", "locked", "sighting", "own_skin")


def _actor_at_frame(values: Values, node: Node, context: Context) -> ActorAtFrame:
    clip, frame = values["clip"], values["frame"]
    if frame >= len(clip):
        node["frame"].integer(0, len(clip) - 1)
    identity = Identity(**{key: values[key] for key in (*_LOOKS, "extra")})
    posing = Posing(values["solver"], values["solver_options"])
    clip = with_common_hands(clip, values["hands"])
    return ActorAtFrame(Actor(identity, Build(values["body"], values["shape"]), posing, clip), frame)


def _parts_of_actor(shown: ActorAtFrame) -> Mapping[str, Any]:
    actor = shown.actor
    return {
        **vars(actor.identity),
        "body": actor.build.body,
        "shape": actor.build.shape,
        "solver": actor.posing.solver,
        "solver_options": actor.posing.solver_options,
        "hands": common_hands(actor.clip),
        "clip": without_common_hands(actor.clip),
        "frame": shown.frame,
    }


CHARACTER = Record(
    "character",
    "One person: who it is and how it looks, its body, how it is posed, and its clip.",
    (
        Field("id", Text(200, least=1), "Unique within the scene."),
        Field("name", Text(), "As the window shows it.", lambda values: values["id"], default_doc="the id"),
        Field("color", Text(pattern="^#[0-9a-fA-F]{6}$", check=color_check), "As #rrggbb.", str(Identity.color)),
        Field("visible", Boolean(), "Whether it is shown.", True),
        Field("locked", Boolean(), "Whether clicks in the view pass it by.", False),
        Field(
            "body",
            BodyName(),
            "The body: “anny”, a variant of it such as “anny:child”, “anny:rig:…” with joints where somebody's own "
            "character has them, or “smpl:FOLDER” for official files.",
            Build.body,
        ),
        Field("shape", SHAPE, "The body's proportions.", lambda values: BodyShape(), default_doc="the mean body"),
        Field(
            "solver",
            Text(200),
            "The solver's id. One that a program does not know is kept, and another solver stands in.",
            SOLVER_IF_MISSING,
        ),
        Field(
            "solver_options",
            OptionValues(),
            "Options of solvers that are set, by their ids; “raw” is the network alone.",
            lambda values: NO_OPTIONS,
            default_doc="nothing",
            quiet=True,
        ),
        Field("clip", CLIP, "What it does over time; a still pose is a clip with one key."),
        Field("frame", Integer(0, MAX_FRAMES), "The frame of the clip that was looked at.", 0),
        Field(
            "own_skin",
            OWN_SKIN,
            "The user's own character whom the body poses, as it is drawn.",
            None,
            default_doc="the body itself is drawn",
            quiet=True,
        ),
        Field("sighting", SIGHTING, "What networks saw of the person in a photo.", None, quiet=True),
        Field(
            "hands",
            FingerTurns(),
            "How the fingers are held, unless a key or the source motion says otherwise; a new person's are at ease, "
            "and written.",
            None,
            default_doc="all at rest",
            quiet=True,
        ),
    ),
    _actor_at_frame,
    _parts_of_actor,
    keeps=True,
    within={"shape": _with_joints},
)


def _scene(values: Values, node: Node, context: Context) -> Document:
    seen: set[str] = set()
    for each, (actor, _) in zip(node["characters"].items(MAX_PEOPLE), values["characters"], strict=True):
        if actor.id in seen:
            each["id"].refuse(f"“{actor.id}” is the id of another character already", "Give each its own")
        seen.add(actor.id)
    props, prop_frames = props_of(values["props"])
    if len({prop.id for prop in props}) < len(props):
        node["props"].refuse("two props have the same id", "Give each its own")
    bookmarks = in_order(values["bookmarks"], node)
    extra = values["extra"]
    if context.newer:
        extra["version"] = Asleep(values["version"], FORMAT_VERSION)
        extra["min_reader_version"] = Asleep(values["min_reader_version"], MIN_READER_VERSION)
    try:
        actors = tuple(actor for actor, _ in values["characters"])
        frames = {actor.id: frame for actor, frame in values["characters"]} | prop_frames
        return Document(actors, values["photos"], extra, frames, props, bookmarks, values["body_opacity"])
    except PoserError as error:
        node["characters"].refuse(str(error))


def _scene_parts(document: Document) -> Mapping[str, Any]:
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "min_reader_version": MIN_READER_VERSION,
        "generator": f"contrapposto {__version__}",
        "needs": needed_for(document.props),
        "characters": [ActorAtFrame(actor, document.frames.get(actor.id, 0)) for actor in document.actors],
        "photos": document.photos,
        "props": [PropAtFrame(prop, document.frames.get(prop.slot, 0)) for prop in document.props],
        "bookmarks": document.bookmarks,
        "body_opacity": document.body_opacity,
        "extra": document.extra,
    }


SCENE = Record(
    "scene",
    "Everything that undo covers: people with body, clip and effectors, props, photos with cameras, and bookmarks. "
    "Right-handed, Y up, facing +Z, left = +X; metres and radians. Unknown keys are allowed everywhere and kept.",
    (
        Field("format", Choice((FORMAT,)), "Says that this is a scene."),
        Field("version", Integer(1, 1_000_000), "The version of the format that the file was written in."),
        Field(
            "min_reader_version",
            Integer(1, 1_000_000),
            "For programs that know version 1 alone: the oldest version of the format that they must know.",
            lambda values: values["version"],
            default_doc="version",
        ),
        Field("generator", Text(), "The program that wrote the file.", ""),
        Field(
            "needs",
            ListOf(Text(200), 1000),
            "Names of what a reader must understand to open the file at all; whatever else it does not know, it keeps. "
            f"So far there are {' and '.join(f'“{name}”' for name in LATER_KINDS.values())}.",
            (),
            default_doc="nothing",
            quiet=True,
        ),
        Field("characters", ListOf(CHARACTER, MAX_PEOPLE), "The people in their order."),
        Field(
            "photos",
            ListOf(PHOTO, 1000),
            "The photos; the first is the one behind the people.",
            lambda values: (),
            default_doc="none",
        ),
        Field(
            "props",
            ListOf(PROP, MAX_PROPS),
            "What stands around them.",
            lambda values: (),
            default_doc="none",
        ),
        Field(
            "bookmarks",
            ListOf(BOOKMARK, len(SLOTS)),
            "Views to come back to.",
            lambda values: (),
            default_doc="none",
            quiet=True,
        ),
        Field(
            "body_opacity",
            Number(0, 1),
            "How strongly people showed in front of the photo, seen by its camera.",
            1.0,
            quiet=True,
        ),
    ),
    _scene,
    _scene_parts,
    keeps=True,
)
