"""Characters as a pose file, and a pose file's people as characters."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import skeleton_of
from app.document.model.history import Edit
from app.document.over_time.shown_motion import shown_hands, shown_motion
from app.document.posing.create import DEFAULT_BODY, default_effectors, new_character
from app.document.posing.fitting_effectors import with_ids
from app.document.posing.holds.retying import retied
from app.document.scene_file.photos import relative_path
from solver.body.catalog import load_body, official_folder
from solver.body.hands import HandMotion
from solver.effectors.effector import Effector
from solver.effectors.sources import PropSource, RaySource, Tie
from solver.errors import InputRefused, PoserError
from solver.files.json_checks import Node
from solver.formats.pose_json.pose_file import PoseFile, PosePerson, PosePhoto
from solver.formats.pose_json.read import pose_file_from_json


def pose_file_of(document: Document, folder: Path, motions: bool = False) -> PoseFile:
    """All characters of the document, and its photo by its path from `folder`, as a pose file's content.

    motions: with every frame of those that move.
    """
    photo = document.photo
    return PoseFile(
        people=tuple(_person(character, motions) for character in document.characters),
        camera=None if photo is None else photo.camera,
        photo=None if photo is None else PosePhoto(photo.sha256, relative_path(photo.path, folder)),
    )


def pose_file_edit(
    top: Node, path: Path, character_id: str | None, body: str = DEFAULT_BODY, bodies: Collection[str] = ()
) -> Edit:
    """The edit that brings in the people of a parsed pose file. InputRefused where it is none or does not fit.

    A motion becomes the clip, seen at the file's frame. A single person goes to the character with `character_id`
    (which keeps its body and shape); without one, or for several people, each becomes a new character, in its own body
    if that is the embedded one or among `bodies`, and in `body` otherwise.
    """
    people = pose_file_from_json(top).people
    if not people:
        raise InputRefused(path, "holds no people", "Choose a pose file with somebody in it", "people")
    models = [_available(person.body, body, bodies) for person in people]
    for place, (person, model) in enumerate(zip(people, models, strict=True)):
        wanted = load_body(model).skeleton(person.shape).names
        if person.skeleton.names != wanted:
            strangers = [name for name in person.skeleton.names if name not in wanted]
            reason = f"has joints that the body lacks ({', '.join(strangers[:5])})" if strangers else "lacks joints"
            way = "Use SMPL's 24 joints, or a BVH file, whose joints are found by their names"
            raise InputRefused(path, reason, way, f"people[{place}].body.rest_joints")

    def edit(document: Document) -> Document:
        if character_id is not None and len(people) == 1:
            document = _posed(people[0], character_id)(document)
            return _finish(people[0], character_id, {})(document)
        came: list[str] = []
        for person, model in zip(people, models, strict=True):
            character = new_character(document, person.name, model, person.shape, person.pose)
            document = edits.add_character(character)(document)
            if person.motion is not None:
                document = _posed(person, character.id)(document)
            came.append(character.id)
        known = {person.id: (id, person.body) for person, id in zip(people, came, strict=True)}
        return edits.chain(*(_finish(person, id, known) for person, id in zip(people, came, strict=True)))(document)

    return edit


def _posed(person: PosePerson, id: str) -> Edit:
    if person.motion is None:
        return edits.set_pose(id, person.pose)
    return edits.adopt_motion(id, person.motion, person.frame, person.moving_hands or person.hands)


def _finish(person: PosePerson, id: str, known: Mapping[str, tuple[str, str]]) -> Edit:
    """The edit that takes over a person's effectors, base pose and hands, where the file has them.

    known: the ids that the file's people have in the document, and their bodies in the file.
    """
    base = person.base_pose or person.pose
    people = {**known, person.id: (id, person.body)}

    def tied_here(document: Document, effector: Effector) -> Effector:
        """The effector tied to the person that the file means, by their id here.

        It lets go of what did not come along, such as a prop or a photo: the same id here means something else.
        """
        source = effector.source
        if isinstance(source, Tie) and source.character in people:
            owner, body = people[source.character]
            return retied(effector, id, document.character(owner), body)
        return replace(effector, source=None) if isinstance(source, Tie | PropSource | RaySource) else effector

    def change(document: Document, character: Character) -> Character:
        hands = character.hands if person.motion is not None else person.hands or character.hands
        asked = tuple(tied_here(document, effector) for effector in person.effectors)
        effectors = with_ids(asked) or character.effectors or default_effectors(character)
        # a frame of a motion whose base pose is that frame itself has no base pose of its own
        kept = character.pose if person.motion is not None and base == person.pose else base
        return replace(character, effectors=effectors, base_pose=kept, hands=hands)

    return lambda document: edits.on_character(id, lambda character: change(document, character))(document)


def _available(wanted: str, otherwise: str, bodies: Collection[str]) -> str:
    if official_folder(wanted) is not None and wanted not in bodies:
        return otherwise  # a file does not say which folders are read
    try:
        load_body(wanted)
    except PoserError:
        return otherwise
    return wanted


def _person(character: Character, motions: bool) -> PosePerson:
    motion = shown_motion(character) if motions else None
    hands = shown_hands(character) if motion is not None else None
    return PosePerson(
        name=character.name,
        skeleton=skeleton_of(character),
        pose=character.pose,
        id=character.id,
        body=character.body,
        shape=character.shape,
        effectors=character.effectors,
        base_pose=character.base_pose,
        motion=motion,
        frame=0 if motion is None else character.frame,
        hands=character.hands,
        moving_hands=hands if isinstance(hands, HandMotion) else None,
    )
