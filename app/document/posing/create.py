"""New characters: standing on the floor in a natural pose, with the handles that posing starts from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document.model.clip import still
from app.document.model.document import Character, Document
from app.document.model.figure import skeleton_of
from app.document.model.identity import free_name, next_character_id, next_color
from app.document.posing.fitting_effectors import new_effector
from app.document.posing.placing import Place, free_place, places_of
from solver.body.body import Body, BodyShape, mean_shape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.floor import lowest_sole_point, posed_vertices
from solver.body.hands import relaxed_hands
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.ik.options import NO_OPTIONS, SOLID_FLOOR, with_option
from solver.ik.pose_prior import natural_pose
from solver.kinematics.pose import Pose
from solver.memoise import memoised
from solver.rig.level_feet import with_level_feet
from solver.rig.rig import rig_of
from solver.rig.roles import Role

__all__ = ["DEFAULT_BODY", "DEFAULT_EFFECTORS", "default_effectors", "new_character", "new_document", "standing"]

# What a person is usually posed by: hands, feet, and where the head looks. Kind, role, tolerance, loose.
# The feet stay where they are and keep their turn, so that they stay flat on the floor when the knees bend. Hands and
# look are loose: held in the world from the start they would fight every stride; the first touch makes them strict. The
# hips are free, for the body has to follow a hand that reaches far; dragging them makes an effector.
DEFAULT_EFFECTORS = (
    (Position.kind, Role.LEFT_WRIST, 0.0, True),
    (Position.kind, Role.RIGHT_WRIST, 0.0, True),
    (Position.kind, Role.LEFT_ANKLE, 0.0, False),
    (Position.kind, Role.RIGHT_ANKLE, 0.0, False),
    (Rotation.kind, Role.LEFT_ANKLE, 0.2, False),
    (Rotation.kind, Role.RIGHT_ANKLE, 0.2, False),
    (LookAt.kind, Role.HEAD, 0.0, True),
)


def new_character(
    document: Document,
    name: str = "",
    body: str = DEFAULT_BODY,
    shape: BodyShape | None = None,
    pose: Pose | None = None,
    solid_floor: bool = False,
) -> Character:
    """A character to add to `document`, with an id, a name and a colour that are free in it.

    Without a `pose` it stands in the natural pose beside the others, soles on the floor; a pose is taken as it is.
    Its fingers are at ease.
    solid_floor: whether the floor holds it up, as it does people the user adds, but not those of a photo or a file, who
    stay where they were seen.
    """
    model = load_body(body)
    shape = shape or mean_shape(model)
    if pose is None:
        natural = with_level_feet(model.skeleton(shape), at_ease(model, shape))
        pose = standing(model, shape, natural, free_place(places_of(document.characters)))
    character = Character(
        id=next_character_id(document),
        name=free_name(document, name or f"Person {len(document.characters) + 1}"),
        pose=pose,
        base_pose=pose,
        clip=still(pose, pose),
        body=body,
        shape=shape,
        color=next_color(document),
        hands=relaxed_hands(),
        solver_options=with_option(NO_OPTIONS, SOLID_FLOOR.id, True) if solid_floor else NO_OPTIONS,
    )
    return replace(character, effectors=default_effectors(character))


def new_document(body: str = DEFAULT_BODY) -> Document:
    """What the program starts with: one person, ready to be posed."""
    document = Document()
    return document.with_characters((new_character(document, body=body, solid_floor=True),))


def default_effectors(character: Character) -> tuple[Effector, ...]:
    """The handles of a new character, each where its joint is."""
    rig = rig_of(skeleton_of(character))
    return tuple(
        new_effector(character, kind, rig.name(role), id=f"e{number}", tolerance=tolerance, loose=loose)
        for number, (kind, role, tolerance, loose) in enumerate(DEFAULT_EFFECTORS, start=1)
        if not rig.lacking([role])
    )


@memoised(8, by_identity=True)
def at_ease(body: Body, shape: BodyShape) -> Pose:
    """The natural pose of a body, its arms beside the flanks, however broad it is; they hang so in the mean adult's."""
    pose = natural_pose(body.skeleton(shape))
    if body.id == DEFAULT_BODY and not shape.betas.any():
        return pose
    from solver.rig.hanging_arms import BESIDE, with_arms_clear  # not needed to show the window

    rig, carrier = body.rig(shape), body.weights.argmax(axis=1)
    beside = np.flatnonzero(np.isin(carrier, [rig.index(name) for name in rig.names_of(BESIDE)])).astype(np.int32)
    return with_arms_clear(rig, pose, posed_vertices(body, shape, pose, beside).astype(np.float64), carrier[beside])


def standing(body: Body, shape: BodyShape, pose: Pose, place: Place = (0.0, 0.0)) -> Pose:
    """`pose` moved to `place` (x, z in metres) with its lowest sole point on the floor."""
    root = np.array([place[0], pose.root_position[1], place[1]], dtype=np.float32)
    root[1] -= lowest_sole_point(body, shape, pose)
    return Pose(root, pose.rotations)
