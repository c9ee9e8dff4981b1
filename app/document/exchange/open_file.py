"""What opening a file means: its content decides, whatever its name says."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.document import edits
from app.document.exchange.file_kind import kind_of
from app.document.exchange.import_placement import placed_beside_others
from app.document.model.document import Document
from app.document.model.figure import body_of, skeleton_of
from app.document.model.history import Edit
from app.document.posing.create import DEFAULT_BODY, new_character
from app.document.scene_file.io import MAX_BYTES, open_scene
from app.document.scene_file.photo_link import sha256_of
from app.document.scene_file.read import is_scene
from solver.body.body import Body, BodyShape, mean_shape
from solver.body.catalog import load_body
from solver.body.shape_fit import DEFAULT_ESTIMATOR, ShapeFit
from solver.errors import PoserError
from solver.files.json_checks import Node, parse_json
from solver.files.reading import read_text
from solver.rig.joint_map_file import NO_MAPS, JointMaps
from solver.sentences import sentence_case

if TYPE_CHECKING:
    from app.document.exchange.motion_with_hands import MotionWithHands
    from app.document.exchange.prop_file import PropFile
    from app.document.model.own_skin import OwnSkin
    from solver.estimates.estimate import Estimate
    from solver.estimates.joint_films import JointFilm
    from solver.formats.bvh.file import BvhFile
    from solver.formats.bvh.mapping import JointQuestion
    from solver.formats.smpl.npz import SmplFile
    from solver.photo.image_file import PhotoImage

Progress = Callable[[float, str], None]
STRANGE_JSON = "is neither a scene, a pose file or a label of this program nor what an estimator of poses writes"

EXCHANGED = (
    "Its left and right seem to be exchanged: by toes and knees the body faces the other way. A joint map can say so."
)
LEFT_OUT = "Meshes that no skeleton moves, such as props, were left out. They open from a file without a skeleton."


class JointsUnclear(PoserError):
    """A person should say which joint is which. questions: about each skeleton of whose joints that is not clear."""

    def __init__(self, path: Path, questions: Sequence[JointQuestion]) -> None:
        super().__init__(f"{path.name}: {questions[0].guess.question}")
        self.questions = tuple(questions)


@dataclass(frozen=True)
class Opened:
    """What a file holds: exactly one of the four.

    document: a scene, to open in place of the open one. edit: a pose or a motion, to apply to it; `text` names the
    step. photo: the path of a photo, whose people are still to be found (slow). picture: what is in that photo, if it
    has been read. prop: from a mesh, to add to it. report: what was understood of a motion file, a few plain lines.
    hint: what was left out of it or guessed, in sentences. seen: the SHA-256 of a scene's file.
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
    progress: Progress | None = None,
    joint_maps: JointMaps = NO_MAPS,
    ask_joints: bool = False,
    person: int | None = None,
    frame: int | None = None,
    of: str = "",
) -> Opened:
    """Read a file of any kind that the program opens. InputRefused names the file and the reason.

    A pose or a motion goes to the character with `character_id`, who keeps their shape, or to a new one, who stands
    beside the others. shape_by: which of `solver.body.shape_fit.ESTIMATORS` gives new ones a shape where the file has
    only bones. picture: the one an estimate was made from; by default the one beside it with its name. bodies: ids of
    the official bodies that a scene may name; UnapprovedBodyFolder for others. progress: share and text of slow work.
    joint_maps: which joint of a skeleton is which, as far as somebody said so. ask_joints: whether somebody can be
    asked; then JointsUnclear for a skeleton that is in doubt. person: the only one that is wanted of a file's people.
    frame: which one of a film of key points in 2D, from 1; by default the first with somebody in it. of: which one of a
    file with the key points of several pictures, by its `key` in SeveralPictures, which is raised where nobody said.
    """
    path = Path(path)
    asked = _Asked(
        path, character_id, body, bodies, shape_by, picture, progress, joint_maps, ask_joints, person,
        frame, of,
    )  # fmt: skip
    return _READERS[kind_of(path)](asked)


@dataclass(frozen=True)
class _Asked:
    """What `open_file` was asked for."""

    path: Path
    character_id: str | None
    body: str
    bodies: Collection[str]
    shape_by: str
    picture: Path | None
    progress: Progress | None
    joint_maps: JointMaps
    ask_joints: bool
    person: int | None
    frame: int | None
    of: str


# Readers are imported when a file needs them: the window starts without.


def _bvh(asked: _Asked) -> Opened:
    from solver.formats.bvh.people import people_of
    from solver.formats.bvh.read import read_bvh

    bvh = read_bvh(asked.path)
    guessed = bvh.notes if len(bvh) > 1 else ()  # how long a single pose lasts does not matter
    hint = " ".join(f"{sentence_case(note)}." for note in guessed)
    found = _people(asked, people_of(bvh, asked.joint_maps))
    return replace(found, hint=f"{hint} {found.hint}".strip())


def _npz(asked: _Asked) -> Opened:
    from app.document.exchange.motion_with_hands import smpl_motion
    from solver.formats.smpl.npz import holds_motion, read_smpl_npz

    if not holds_motion(asked.path):
        return _estimate_file(asked)
    smpl = read_smpl_npz(asked.path)
    if asked.body != DEFAULT_BODY or smpl.shape is None:
        return _motion(asked, smpl_motion(smpl), name=smpl.name)
    return _motion(replace(asked, body=smpl.body), smpl_motion(smpl), own=smpl.shape, name=smpl.name)


def _glb(asked: _Asked) -> Opened:
    from solver.formats.gltf.skeletons import holds_skeleton

    return _skeletons(asked) if asked.character_id or holds_skeleton(asked.path) else _prop(asked)


def _json(asked: _Asked) -> Opened:
    """A scene, a label, an estimate or a pose file: its content says which."""
    path, id = asked.path, asked.character_id
    seen = sha256_of(path)  # before it is read: a change while it is read is then noticed, too
    top = parse_json(read_text(path, MAX_BYTES), path)
    if is_scene(top):
        document = open_scene(top, path, asked.bodies)
        for prop in document.props:
            prop.solids()  # found here, where nobody waits for it: for a mesh it takes a second
        for person in document.characters:
            if person.own_skin is not None:
                from app.document.exchange.own.own_pose import get_ready

                get_ready(person.own_skin, body_of(person), person.shape)
        return Opened(f"Open {path.name}", document=document, seen=seen)
    from app.document.exchange.label import is_label
    from app.document.exchange.pose_exchange import pose_file_edit
    from solver.estimates.films import smpl_films
    from solver.estimates.one_picture import of_one_picture, of_picture_called
    from solver.estimates.read import estimate_in
    from solver.formats.pose_json.read import is_pose_file

    if is_label(top):
        return _label(asked, top)
    named = isinstance(top.value, dict) and "format" in top.value
    content = top.value if asked.picture is None else of_one_picture(top.value, asked.picture)
    content = of_picture_called(content, asked.of) if asked.of else content
    if not named and (films := smpl_films(content, str(path))):
        return _films(asked, films)
    if not named and (estimate := estimate_in(content, path, frame=asked.frame)) is not None:
        return _estimate(asked, estimate)
    if not is_pose_file(top):
        ours = "Choose a scene, a pose file or a label that this program saved"
        way_out = f"{ours}, or an estimate; docs/estimates.md says whose are read"
        top.refuse(STRANGE_JSON, way_out)
    edit = pose_file_edit(top, path, id, asked.body, asked.bodies)
    return Opened(f"Import {path.name}", edit=edit if id else placed_beside_others(edit))


def _label(asked: _Asked, top: Node) -> Opened:
    from app.document.exchange.label import label_edit

    edit = placed_beside_others(label_edit(top, asked.path, asked.body))
    return Opened(f"Import {asked.path.name}", edit=edit)


def _estimate_file(asked: _Asked) -> Opened:
    from app.document.exchange.label import label_without_people
    from solver.estimates.content import read_content
    from solver.estimates.films import smpl_films
    from solver.estimates.joint_films import joint_film
    from solver.estimates.read import estimate_of

    content = read_content(asked.path)
    if (label := label_without_people(content, asked.path)) is not None:
        return _label(asked, Node(label, str(asked.path)))
    if films := smpl_films(content, str(asked.path)):
        return _films(asked, films)
    if film := joint_film(content, str(asked.path)):
        return _joints(asked, film)
    return _estimate(asked, estimate_of(content, asked.path, frame=asked.frame))


def _joints(asked: _Asked, film: JointFilm) -> Opened:
    """A person of whom the places of joints are known, and nothing else."""
    _check_whole(asked)
    from app.document.exchange.motion_with_hands import joint_motion
    from solver.body.shape_fit import shape_of_bones
    from solver.estimates.joints_to_motion import film_lengths

    fit = None
    if asked.character_id is None:
        fit = shape_of_bones(film_lengths(film), load_body(asked.body), estimator=asked.shape_by)
    opened = _motion(asked, joint_motion(film, asked.progress), fit)
    return replace(opened, hint=" ".join(f"{sentence_case(note)}." for note in film.notes))


def _films(asked: _Asked, films: tuple[SmplFile, ...]) -> Opened:
    """People of SMPL's who move, each as a person; a single one goes to the character asked for."""
    from app.document.exchange.motion_with_hands import smpl_motion
    from app.document.exchange.smpl_people import on_one_floor

    _check_whole(asked)
    hint = " ".join(f"{sentence_case(note)}." for note in dict.fromkeys(n for film in films for n in film.notes))
    if len(films) == 1:
        return replace(_motion(asked, smpl_motion(films[0])), hint=hint)
    films = on_one_floor(films, load_body(asked.body))
    apart = replace(asked, character_id=None)
    opened = [_motion(apart, smpl_motion(film), aside=False, name=film.name) for film in films]
    edit = placed_beside_others(edits.chain(*(one.edit for one in opened if one.edit is not None)))
    return Opened(f"Import {asked.path.name}", edit=edit, report="\n".join(one.report for one in opened), hint=hint)


def _check_whole(asked: _Asked) -> None:
    """Refuse one frame of a motion, which opens with all of them."""
    from solver.estimates.one_picture import no_key_points_film

    if asked.frame is not None:
        raise no_key_points_film(asked.path)


def _prop(asked: _Asked) -> Opened:
    from app.document.exchange.prop_file import read_prop

    found = read_prop(asked.path)
    return Opened(f"Add {found.prop.name}", prop=found, report=found.notes)


def _skeletons(asked: _Asked) -> Opened:
    """The skeletons of a glTF file, each as a person."""
    from app.document.exchange.own.own_skin import own_skins
    from solver.formats.bvh.file import BvhJointsUnknown
    from solver.formats.gltf.skeletons import read_skeletons
    from solver.formats.gltf.surfaces import holds_props

    try:
        found = read_skeletons(asked.path, asked.joint_maps)
    except BvhJointsUnknown as error:
        _ask(asked, [error.bvh])
        raise
    hints = [f"{sentence_case(note)}." for note in dict.fromkeys(n for bvh in found.people for n in bvh.notes)]
    if found.left_out:
        hints.append(f"Left out, as no human body was recognised in it: {', '.join(found.left_out)}.")
    if holds_props(found):
        hints.append(LEFT_OUT)
    skins, undrawn = own_skins(found)
    undrawn = "" if asked.character_id else undrawn
    opened = _people(asked, found.people, skins)
    return replace(opened, hint=" ".join([*hints, opened.hint, undrawn]).strip())


def _ask(asked: _Asked, people: list[BvhFile]) -> None:
    """JointsUnclear if anybody's joints are in doubt and somebody can be asked."""
    from solver.formats.bvh.mapping import question_about

    questions = [question for bvh in people if (question := question_about(bvh))] if asked.ask_joints else []
    if questions:
        raise JointsUnclear(asked.path, questions)


def _people(asked: _Asked, found: list[BvhFile], skins: Sequence[OwnSkin | None] = ()) -> Opened:
    """Skeletons as people who keep their places to each other; a single one goes to the character asked for.

    skins: their own, None for those without one.
    """
    from app.document.exchange.motion_with_hands import bvh_motion
    from solver.formats.bvh.mapping import exchanged_sides
    from solver.formats.bvh.person_names import names_of_people
    from solver.formats.mesh.own_body import body_without_skin, own_body

    _ask(asked, found)
    names = names_of_people(found) if len(found) > 1 else [found[0].person]
    skins = skins or [None] * len(found)
    if asked.person is not None:
        only_one = slice(asked.person, asked.person + 1)
        found, names, skins = found[only_one], names[only_one], skins[only_one]
    only = asked.character_id if len(found) == 1 else None
    opened = []
    for bvh, name, skin in zip(found, names, skins, strict=True):
        told = bvh.told if asked.body == DEFAULT_BODY else None
        body, fit = (told.body if told else asked.body), None
        if not (only or told):
            usual = load_body(asked.body)
            by = asked.shape_by
            body, fit = body_without_skin(bvh, usual, by) if skin is None else own_body(skin.rig(), usual, by)
        one = replace(asked, character_id=only, body=body)
        own = told.shape if told else None
        opened.append(_motion(one, bvh_motion(bvh, skin is not None), fit, False, own, name=name, skin=skin))
    edit = edits.chain(*(one.edit for one in opened if one.edit is not None))
    report = "\n".join(one.report for one in opened)
    placed = edit if only else placed_beside_others(edit)
    unasked = [] if asked.ask_joints else found
    hint = EXCHANGED if any(map(exchanged_sides, unasked)) else ""
    return Opened(f"Import {asked.path.name}", edit=placed, report=report, hint=hint)


def _estimate(asked: _Asked, estimate: Estimate) -> Opened:
    from app.document.exchange.estimates import estimate_edit

    found = estimate_edit(estimate, asked.path, asked.body, asked.shape_by, asked.picture, asked.progress)
    placed = placed_beside_others(found.edit)
    return Opened(f"Import {asked.path.name}", edit=placed, report=found.report, hint=found.hint)


def _motion(
    asked: _Asked,
    on: Callable[[Body, BodyShape], MotionWithHands],
    fit: ShapeFit | None = None,
    aside: bool = True,
    own: BodyShape | None = None,
    name: str = "",
    skin: OwnSkin | None = None,
) -> Opened:
    """on: the file's motion on a body. fit: the shape for a new person. own: that shape, where the file has it. aside:
    whether a new person steps aside from others. name: of a new person; "" for the file's. skin: a new person's own."""
    body = load_body(asked.body)
    shape = own or (fit.shape if fit else mean_shape(body))
    usual, there = body.skeleton(shape), on(body, shape)
    if skin is not None:
        from app.document.exchange.own.own_pose import get_ready

        get_ready(skin, body, shape)

    def edit(document: Document) -> Document:
        id = asked.character_id
        if id is None:
            file = asked.path.stem.encode("utf-8", "replace").decode("utf-8")  # file names may be any bytes
            character = new_character(document, name=name or file, body=asked.body, shape=shape)
            document = edits.add_character(character)(document)
            id = character.id
        person = document.character(id)
        fitted = there if skeleton_of(person) == usual else on(body_of(person), person.shape)
        document = edits.adopt_motion(id, fitted.motion, hands=fitted.hands)(document)
        mine = person.own_skin
        if skin is not None and (id != asked.character_id or (mine is not None and mine.name == skin.name)):
            document = edits.set_own_skin(id, skin if mine is None else replace(skin, shown=mine.shown))(document)
        return document

    placed = edit if asked.character_id or not aside else placed_beside_others(edit)
    told = f"\n{fit.text()}" if fit else ""
    return Opened(f"Import {asked.path.name}", edit=placed, report=there.report.text() + told)


_READERS: dict[str, Callable[[_Asked], Opened]] = {
    "photo": lambda asked: Opened(f"Open {asked.path.name}", photo=asked.path),
    "bvh": _bvh,
    "npz": _npz,
    "json": _json,
    "glb": _glb,
    "mesh": _prop,
    "estimate": _estimate_file,
}
