"""Documents made up from a seed, for tests that must hold for any document."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from app.document import edits
from app.document.model.actor import Actor, Build, Identity, Posing, actor_of
from app.document.model.bookmark import SLOTS, Bookmark
from app.document.model.clip import Clip, Key, SourceMotion
from app.document.model.document import FOCAL_FROM, Character, Document, Photo, Preserve
from app.document.model.history import Edit
from app.document.model.placement import Placement
from app.document.model.prop import KINDS, MESH, Prop
from app.document.model.prop_mesh import PropMesh
from app.document.posing.create import new_character, new_document
from app.document.posing.fitting_effectors import with_ids
from solver.body.body import GENDERS, BodyShape
from solver.body.hands import Hands
from solver.camera import PinholeCamera
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.effectors.sources import FloorSource, JointSource, PropSource, RaySource, SkinSource, StreamSource
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.sighting import NAMES, SeenPoint, Sighting

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
UNKNOWN = st.dictionaries(st.text(min_size=1, max_size=6).map(lambda key: f"x-{key}"), JSON_VALUES, max_size=3)


SOURCES = (
    JointSource("c1", "head", np.float32([0.1, 0.2, 0.3]), from_rotation_vector(np.array([0.1, 0.2, 0.3]))),
    RaySource((10.25, 1 / 3), 2.5, 1),
    StreamSource("tracker"),
    FloorSource(),
    SkinSource("c1", 4321, np.float32([0.5, 0.25, 0.25]), 0.0625, "left hip"),
    PropSource("p1", np.float32([0.5, -0.125, 0.25]), np.float32([1, 0, 0])),
)


def random_pose(rng: np.random.Generator, spread: float = 1.0) -> Pose:
    return Pose(rng.normal(0, 2, 3), from_rotation_vector(rng.normal(0, spread, (24, 3))))


def random_effector(rng: np.random.Generator, id: str) -> Effector:
    joint = SMPL_JOINTS[rng.integers(24)]
    common = {
        "tolerance": float(rng.random()),
        "pinned": bool(rng.integers(2)),
        "enabled": bool(rng.integers(2)),
        "loose": bool(rng.integers(2)),
        "id": id,
    }
    kind = rng.integers(4)
    if kind == 0:
        return Position(joint, rng.normal(0, 1, 3), **common)
    if kind == 1:
        return Rotation(joint, from_rotation_vector(rng.normal(0, 1.5, 3)), **common)
    if kind == 2:
        place, normal, facing = rng.normal(0, 1, (3, 3))
        source = FloorSource() if rng.integers(2) else None
        return Contact(
            joint,
            place,
            place / 9,
            patch="left_palm",
            normal=normal,
            facing=facing,
            radius=float(rng.integers(2) * rng.random()),
            source=source,
            **common,
        )
    return LookAt(joint, rng.normal(0, 1, 3), rng.normal(0, 1, 3), **common)


def random_sighting(rng: np.random.Generator) -> Sighting:
    def point(name: str) -> SeenPoint:
        spreads = (float(rng.random() * 30), float(rng.random())) if rng.integers(2) else (None, None)
        x, y, sure, depth = map(float, (*rng.normal(500, 300, 2), rng.random(), rng.normal()))
        return SeenPoint(name, (x, y), sure, depth, *spreads)

    return Sighting(rng.bytes(32).hex(), tuple(point(name) for name in NAMES.values()))


def random_character(rng: np.random.Generator, document: Document) -> Character:
    shape = BodyShape(rng.uniform(-5, 5, 10).astype(np.float32), GENDERS[rng.integers(3)])
    character = new_character(document, shape=shape)
    clip, frame = character.clip, 0
    if rng.integers(3) == 0:
        frames = int(rng.integers(1, 5))
        motion = Motion(
            rng.normal(0, 1, (frames, 3)), from_rotation_vector(rng.normal(0, 1, (frames, 24, 3))), rng.uniform(1, 120)
        )
        frame = int(rng.integers(frames))
        key = Key(frame, character.pose, character.base_pose)
        clip = Clip((key,), SourceMotion(motion, shape), fps=motion.fps)
    joints = [str(name) for name in rng.permutation(SMPL_JOINTS)]
    return replace(
        character,
        sighting=random_sighting(rng) if rng.integers(2) else None,
        hands=Hands(from_rotation_vector(rng.normal(0, 0.5, (30, 3)))) if rng.integers(2) else None,
        pose=random_pose(rng),
        base_pose=random_pose(rng),
        effectors=tuple(random_effector(rng, f"e{i}") for i in range(rng.integers(0, 5))),
        preserve=Preserve(float(rng.random()), frozenset(joints[: rng.integers(4)]), frozenset(joints[-2:])),
        clip=clip,
        frame=frame,
        visible=bool(rng.integers(2)),
        locked=bool(rng.integers(2)),
    )


def document_of(*characters: Character) -> Document:
    return Document().with_characters(characters)


def whole_motion(character: Character) -> Motion:
    motion = actor_of(character).motion()
    assert motion is not None
    return motion


def random_photo(rng: np.random.Generator, path: str) -> Photo:
    camera = PinholeCamera(
        rng.normal(0, 3, 3), from_rotation_vector(rng.normal(0, 1, 3)), float(rng.uniform(500, 5000)),
        (float(rng.uniform(0, 999)), float(rng.uniform(0, 999))), (int(rng.integers(1, 9999)), 1080),
    )  # fmt: skip
    focal_from = FOCAL_FROM[rng.integers(len(FOCAL_FROM))]
    return Photo(path, rng.bytes(32).hex(), camera, bool(rng.integers(2)), float(rng.random()), focal_from)


def random_prop(rng: np.random.Generator, id: str) -> Prop:
    kind = list(KINDS)[rng.integers(len(KINDS))]
    size = np.full(3, rng.uniform(0.1, 3.0)) if KINDS[kind].tied else rng.uniform(0.1, 3.0, 3)
    mesh = PropMesh(rng.uniform(0, 0.5, (9, 3)), rng.integers(0, 9, (5, 3))) if kind == MESH else None
    turn = from_rotation_vector(rng.normal(0, 1, 3))
    seen = {"visible": bool(rng.integers(2)), "locked": bool(rng.integers(2)), "color": f"#{rng.integers(1 << 24):06x}"}
    return Prop(id, f"thing {id}", kind, size, rng.normal(0, 2, 3), turn, mesh=mesh, **seen)


def random_bookmark(rng: np.random.Generator, slot: int) -> Bookmark:
    target = tuple(rng.normal(0, 2, 3).tolist())
    yaw, pitch = float(rng.uniform(-3, 3)), float(rng.uniform(-1.5, 1.5))
    return Bookmark(slot, target, float(rng.uniform(0.1, 9)), yaw, pitch, 0.5, bool(rng.integers(2)))


def only(document: Document) -> Character:
    (character,) = document.characters
    return character


def two_people(seed: int = 0) -> Document:
    rng = np.random.default_rng(seed)
    document = Document(photos=(random_photo(rng, "/photos/team.jpg"),))
    for _ in range(2):
        document = edits.add_character(random_character(rng, document))(document)
    return document


@st.composite
def documents(draw: st.DrawFn, photo_path: str = "/photos/team.jpg") -> Document:
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    document = Document(extra=draw(UNKNOWN))
    for name in draw(st.lists(st.text(max_size=12), max_size=3)):
        character = replace(random_character(rng, document), name=name, extra=draw(UNKNOWN))
        document = document.with_characters((*document.characters, character))
    if draw(st.booleans()):
        document = replace(document, photos=(replace(random_photo(rng, photo_path), extra=draw(UNKNOWN)),))
    props = tuple(random_prop(rng, f"p{i}") for i in range(draw(st.integers(0, 3))))
    slots = sorted(draw(st.sets(st.sampled_from(SLOTS))))
    return replace(
        document,
        props=tuple(replace(prop, extra=draw(UNKNOWN)) for prop in props),
        bookmarks=tuple(replace(random_bookmark(rng, slot), extra=draw(UNKNOWN)) for slot in slots),
    )


def many_sided() -> Document:
    """Somebody with a motion, two keys, a placement, and targets that come from elsewhere; two photos."""
    rng = np.random.default_rng(5)
    motion = Motion(rng.normal(0, 1, (4, 3)), from_rotation_vector(rng.normal(0, 1, (4, 24, 3))), 25.0)
    effectors = tuple(replace(random_effector(rng, f"e{i}"), source=source) for i, source in enumerate(SOURCES))
    preserve = Preserve(0.25, frozenset({"head"}))
    first, second = (Key(frame, random_pose(rng), random_pose(rng), effectors, preserve) for frame in (0, 2))
    shape = BodyShape(rng.uniform(-2, 2, 10).astype(np.float32), "female")
    clip = Clip((first, second), SourceMotion(motion, shape), Placement(0.5, (1.0, 0.0, 0.5)), 25.0)
    options = {"raw": True, "depth": 3.5, "mood": "calm"}
    actor = Actor(Identity("c1", "Anna"), Build(shape=BodyShape()), Posing("smplik", options), clip)
    photos = random_photo(rng, "/scenes/a.jpg"), random_photo(rng, "/scenes/b.jpg")
    return Document((actor,), photos, frames={"c1": 2})


def given_effectors(id: str, effectors: Iterable[Effector]) -> Edit:
    """The edit that gives a person these effectors and no others, as a document that was opened has them."""
    given = with_ids(tuple(effectors))
    return lambda document: document.with_character(replace(document.character(id), effectors=given))


def packed(array: np.ndarray) -> str:
    return base64.b64encode(zlib.compress(array.astype("<f4").tobytes())).decode()


def two_new_people() -> Document:
    document = new_document()
    return edits.add_character(new_character(document))(document)
