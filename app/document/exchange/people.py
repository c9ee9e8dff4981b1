"""From the people found in a photo to characters: effectors recovered, the photo behind them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isclose
from pathlib import Path
from typing import TYPE_CHECKING

from app.document.edits.characters import add_character
from app.document.edits.effectors import set_recovered
from app.document.edits.photo import add_photo
from app.document.edits.pose import adopt_motion
from app.document.model.document import GUESSED, NOTED, SET, Document, Photo
from app.document.model.history import Edit
from app.document.posing.create import DEFAULT_BODY, new_character
from solver.body.catalog import load_body
from solver.camera import PinholeCamera
from solver.effectors.effector import Effector
from solver.effectors.kinds import GAZE
from solver.errors import InputRefused, PoserError
from solver.focal_length import guessed_px
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.skeleton import Skeleton
from solver.photo.detection.faces import is_clear_face
from solver.photo.fingers import hands_seen
from solver.photo.joint_uncertainty import joint_uncertainty
from solver.photo.sighting import sighting_of
from solver.rig.roles import Role
from solver.solvers.catalog import DEFAULT_SOLVER, load_solver, usable_on
from solver.solvers.effector_costs import with_tolerance
from solver.solvers.recovery import MORE_IF_FAR, recover_effectors

if TYPE_CHECKING:
    from solver.kinematics.pose import Motion, Pose
    from solver.photo.detection.blazepose import Landmarks
    from solver.photo.image_file import PhotoImage
    from solver.photo.people import EstimatedPerson, PhotoResult

DEFAULT_EFFECTORS = 8
DEFAULT_THRESHOLD_M = 0.01
WITH_LOOK = 6  # from so many effectors on, one is spared for where the head looks

Progress = Callable[[float, str], None]
Cancelled = Callable[[], bool]


@dataclass(frozen=True)
class RecoveryOptions:
    """How many effectors a character gets at most, and the mean joint error in metres that is good enough.

    kinds: of effectors that it may get; None for all.
    """

    max_effectors: int = DEFAULT_EFFECTORS
    threshold_m: float = DEFAULT_THRESHOLD_M
    kinds: frozenset[str] | None = None


def photo_of(image: PhotoImage, camera: PinholeCamera) -> Photo:
    """The photo as a document holds it. InputRefused where a scene file could not name it."""
    path = str(Path(image.path).absolute())
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        reason = "its name, or that of its folder, is not UTF-8 text, and a scene could not say where it is"
        raise InputRefused(image.path, reason, "Rename it") from None
    return Photo(path=path, sha256=image.sha256, camera=camera, focal_from=focal_from(image, camera))


def focal_from(image: PhotoImage, camera: PinholeCamera) -> str:
    """Where a camera's focal length comes from, judged by its value."""
    if image.focal_px is not None:
        return NOTED if isclose(camera.focal_px, image.focal_px, rel_tol=1e-6) else SET
    return GUESSED if isclose(camera.focal_px, guessed_px(camera.image_size), rel_tol=1e-6) else SET


def people_edit(
    image: PhotoImage | None,
    result: PhotoResult,
    chosen: Sequence[int] | None = None,
    body: str = DEFAULT_BODY,
    recovery: RecoveryOptions | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
    motions: Sequence[Motion | None] = (),
) -> Edit:
    """The edit that adds the chosen people (places in `result.people`; all by default) and their photo, if any.

    The full pose becomes the base pose; the recovered effectors are what the user edits. motions: for each of
    `result.people`, their motion, if any; no effectors are recovered for people who move. The slow part happens here,
    not in the edit. Raises PoserError for a person who is not there.
    """
    recovery = recovery or RecoveryOptions()
    found = result.people
    places = range(len(found)) if chosen is None else chosen
    for place in places:
        if not 0 <= place < len(found):
            raise PoserError(f"There is no person {place + 1} in the photo; {len(found)} were found.")
    solver = usable_on(DEFAULT_SOLVER, load_body(body)).solver.spec.id  # the one they will be posed with
    people: list[tuple[EstimatedPerson, tuple[Effector, ...], Motion | None]] = []
    for done, place in enumerate(places):
        if progress:
            progress(done / len(places), f"Handles for person {done + 1} of {len(places)}")
        person, motion = found[place], motions[place] if motions else None
        if motion is not None:
            people.append((person, (), motion))
            continue
        people.append((person, effectors_of(person, person.own_id(body), solver, recovery, cancelled), None))
    photo = photo_of(image, result.camera) if image is not None else None

    def edit(document: Document) -> Document:
        for person, effectors, motion in people:
            own = person.own_id(body)
            character = new_character(document, body=own, shape=person.shape, pose=person.pose)
            if photo is not None:
                seen, hands = sighting_of(person.landmarks, photo.sha256), hands_seen(person.landmarks, load_body(own))
                character = replace(character, sighting=seen, hands=hands)
            if motion is not None:
                document = adopt_motion(character.id, motion)(add_character(character)(document))
                continue
            document = add_character(replace(character, effectors=()))(document)
            document = set_recovered(character.id, effectors)(document)
        return add_photo(photo)(document) if photo is not None else document

    return edit


def effectors_of(
    person: EstimatedPerson, body: str, solver: str, recovery: RecoveryOptions, cancelled: Cancelled | None = None
) -> tuple[Effector, ...]:
    """The few effectors that reproduce a person's pose with a solver, tolerant where the networks' looks disagreed.

    With the default, a pose that eight leave far off, as of somebody who sits with crossed legs, may get MORE_IF_FAR
    more. If there are six or more, a person whose face is seen has one for the gaze.
    """
    skeleton = load_body(body).skeleton(person.shape)
    recovered = recover_effectors(
        skeleton,
        person.shape,
        person.pose,
        solver,
        max_effectors=recovery.max_effectors,
        more=MORE_IF_FAR if recovery.max_effectors == DEFAULT_EFFECTORS else 0,  # a number that was chosen is kept to
        threshold_m=recovery.threshold_m,
        kinds=recovery.kinds,
        cancelled=cancelled,
    )
    unsure = joint_uncertainty(person.landmarks)
    found = recovered.effectors
    allowed = recovery.kinds is None or GAZE.spec.id in recovery.kinds
    if allowed and len(found) >= WITH_LOOK and load_solver(solver).spec.takes(GAZE.spec.id, Role.HEAD):
        found = with_gaze(person.landmarks, person.pose, skeleton, found, max(recovery.max_effectors, len(found)))
    return tuple(with_tolerance(effector, unsure) for effector in found)


def with_gaze(
    marks: Landmarks, pose: Pose, skeleton: Skeleton, found: tuple[Effector, ...], most: int
) -> tuple[Effector, ...]:
    """The effectors with one for the gaze if a face is seen; the last one goes if there are already as many as allowed.

    Recovery measures how far joints are off, and turning the head moves none.
    """
    face = marks.face
    if face is None or not is_clear_face(face) or any(effector.kind == GAZE.spec.id for effector in found):
        return found
    look = GAZE.on(skeleton, Role.HEAD, forward_kinematics(skeleton, pose))
    return (*found[: most - 1], look)
