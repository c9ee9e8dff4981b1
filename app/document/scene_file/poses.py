"""Shape, pose and source motion in a scene file: their tables."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.clip import MOST_STRIDE, SourceMotion
from solver.body.body import GENDERS, SHAPE_COMPONENTS, SHAPE_LIMIT, BodyShape
from solver.body.hands import HandMotion
from solver.body.whole_rig import FINGER_JOINTS
from solver.files.json_checks import Node
from solver.files.json_forms import (
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
    Vector,
)
from solver.files.json_record import Field, Record, Values, made_as
from solver.formats.pose_json.rotation_json import Matrix, are_rotations, orthonormalised
from solver.kinematics.pose import Pose
from solver.rig.contacts import FootContact
from solver.rig.roles import LEGS
from solver.size_limits import MAX_FRAMES, MAX_JOINTS
from solver.values import FloatArray, frozen_array

LARGEST_TURN = 8 * np.pi  # radians
MOTION_ENCODING = "float32-le zlib base64"
LEVEL = 4  # of zlib: a third sooner than 6, and files grow by less than a hundredth
PLANTED = tuple(f"planted_{leg.side}" for leg in LEGS)
MATRIX = Matrix()
PACKED = Text(1 << 30)


class Rotations(Form):
    """(J, 3, 3): a matrix for every joint of the body at hand, by the joints' names."""

    def read(self, node: Node, context: Context) -> tuple[FloatArray, Rest]:
        """The rotations in the body's order; joints that the body does not have are kept aside."""
        names = context.joints
        missing = [name for name in names if name not in node]
        if missing:
            node.refuse(
                f"{len(missing)} of {len(names)} joints are missing: {', '.join(missing)}",
                "Give every joint a rotation",
            )
        return np.stack([MATRIX.value(node[name], context) for name in names]), node.others(names)

    def write(self, value: Any, context: Context) -> dict[str, Any]:
        """The matrices by the joints' names."""
        rows = [MATRIX.write(each, context) for each in value]
        return dict(zip(context.joints, rows, strict=True))

    def schema(self, definitions: Definitions) -> Schema:
        """An object of matrices."""
        return {"type": "object", "additionalProperties": MATRIX.schema(definitions)}


SHAPE = Record(
    "shape",
    "The proportions of a body.",
    (
        Field("gender", Choice(GENDERS), "Which of the three bodies the numbers vary.", GENDERS[0]),
        Field(
            "betas",
            Vector(SHAPE_COMPONENTS, SHAPE_LIMIT),
            "Standard deviations of the ten shape components.",
            lambda values: BodyShape().betas,
            default_doc="the mean body",
        ),
    ),
    made_as(BodyShape),
)
POSE = Record(
    "pose",
    "The root's place and one rotation for each joint.",
    (
        Field("root_position", Vector(), "The pelvis joint, metres."),
        Field(
            "rotations",
            Rotations(),
            "For every joint of the body its rotation relative to its parent, R_parent_joint; the root's is relative "
            "to the clip's space.",
        ),
    ),
    made_as(Pose),
)


class JointOrder(Form):
    """The joints of a motion's frames, by name and in order; a file of version 1 gives only their number."""

    def value(self, node: Node, context: Context) -> tuple[int, ...]:
        """The place of each of the body's joints in the file's order."""
        if isinstance(node.value, int):
            node.integer(len(context.joints), len(context.joints))
            return tuple(range(len(context.joints)))
        names = [each.string(200) for each in node.items(MAX_JOINTS)]
        if len(set(names)) != len(names) or set(names) != set(context.joints):
            node.refuse("are not the joints of the body", f"Name each once: {', '.join(context.joints)}")
        return tuple(names.index(name) for name in context.joints)

    def write(self, value: Any, context: Context) -> list[str]:
        """The body's joints in its own order."""
        return list(context.joints)

    def schema(self, definitions: Definitions) -> Schema:
        """An array of names."""
        return {"type": "array", "items": {"type": "string"}, "maxItems": MAX_JOINTS}


class Packed(NamedTuple):
    """A motion without a rate as yet. root_positions: (F, 3) metres. rotations: (F, J, 3, 3)."""

    root_positions: FloatArray
    rotations: FloatArray
    shape: BodyShape
    hands: HandMotion | None
    stride: float
    recorded: bool
    footings: tuple[FootContact, ...] | None


def _source(values: Values, node: Node, context: Context) -> Packed:
    frames, order = values["frames"], values["joints"]
    if not context.frames.take(frames):
        reason = f"the motions of the scene have more than {MAX_FRAMES:,} frames together"
        node["frames"].refuse(reason, "Take one out, or import a shorter part of it")
    roots = _unpacked(values["root_positions"], node["root_positions"], (frames, 3))
    rotations = _unpacked(values["rotations"], node["rotations"], (frames, len(order), 3, 3))
    if not are_rotations(rotations):
        node["rotations"].refuse("holds matrices that are not rotations", "Use an earlier copy of the file")
    if order != tuple(range(len(order))):
        rotations = rotations[:, list(order)]
    hands, rest = _fingers(values, node), (values["stride"], values["recorded"], _footings(values, node))
    return Packed(roots, orthonormalised(rotations), values["shape"], hands, *rest)


def _footings(values: Values, node: Node) -> tuple[FootContact, ...] | None:
    found = list[FootContact]()
    for leg, key in zip(LEGS, PLANTED, strict=True):
        end = -1
        for place, (first, last) in enumerate(values[key] or ()):
            if not end < first <= last < values["frames"]:
                node[key].refuse(
                    f"element {place} is not a first and a last frame within the motion, behind those before it",
                    "Leave the key out: planted feet are then found in the motion",
                )
            found.append(FootContact(leg.tip, first, last))
            end = last
    return None if all(values[key] is None for key in PLANTED) else tuple(found)


def _fingers(values: Values, node: Node) -> HandMotion | None:
    if values["hands"] is None:
        return None
    vectors = _unpacked(values["hands"], node["hands"], (values["frames"], len(FINGER_JOINTS), 3))
    if np.abs(vectors).max() > LARGEST_TURN:
        node["hands"].refuse("holds numbers that turn no finger", "Use an earlier copy of the file")
    return HandMotion(vectors)


def _source_parts(source: SourceMotion) -> Mapping[str, Any]:
    motion = source.motion
    return {
        "shape": source.shape,
        "frames": len(motion),
        "joints": (),
        "encoding": MOTION_ENCODING,
        "root_positions": _packed(motion.root_positions),
        "rotations": _packed(motion.rotations),
        "hands": None if source.moving_hands is None else _packed(source.moving_hands.vectors),
        "stride": source.stride,
        "recorded": source.recorded,
        **{
            key: None if source.footings is None else [each[1:] for each in source.footings if each.foot == leg.tip]
            for leg, key in zip(LEGS, PLANTED, strict=True)
        },
    }


SOURCE = Record(
    "source_motion",
    "A motion as it came, packed: poses at the clip's rate.",
    (
        Field("shape", SHAPE, "The proportions of the body that it was fitted to, whatever shape is worn now."),
        Field("frames", Integer(1, 10**9), f"How many; {MAX_FRAMES:,} of all motions of a scene together."),
        Field("joints", JointOrder(), "The joints of each frame by name, in the order in which they are packed."),
        Field("encoding", Choice((MOTION_ENCODING,)), "Little-endian float32 values, zlib, base64."),
        Field("root_positions", PACKED, "frames x 3 values, metres."),
        Field("rotations", PACKED, "frames x joints x 9 values, matrices row by row."),
        Field(
            "hands",
            PACKED,
            "Fingers that move: frames x 30 x 3 values, axis times angle in radians of "
            f"{FINGER_JOINTS[0]}, {FINGER_JOINTS[1]} … {FINGER_JOINTS[-1]}, in SMPL-X's order.",
            None,
            default_doc="as `hands` of the character says",
            quiet=True,
        ),
        Field(
            "stride",
            Number(0, MOST_STRIDE),
            "How far the path over the floor is scaled about where it begins: x and z of each root position are "
            "first + stride (own - first). Longer legs go farther; the height above the floor is not scaled.",
            SourceMotion.stride,
            quiet=True,
        ),
        Field(
            "recorded",
            Boolean(),
            "Whether it was recorded from trackers or another stream, so that no file has it.",
            SourceMotion.recorded,
            quiet=True,
        ),
        *(
            Field(
                key,
                ListOf(ListOf(Integer(0, MAX_FRAMES), exactly=2), MAX_FRAMES),
                f"First and last frames of the times at which the {leg.side} foot is planted, in order; written for a "
                "motion that was cut or whose speed was changed.",
                None,
                default_doc="found in the motion",
                quiet=True,
            )
            for leg, key in zip(LEGS, PLANTED, strict=True)
        ),
    ),
    _source,
    _source_parts,
)


def _packed(array: NDArray[np.floating]) -> str:
    return base64.b64encode(zlib.compress(np.ascontiguousarray(array, dtype="<f4").tobytes(), LEVEL)).decode("ascii")


def _unpacked(text: str, node: Node, shape: tuple[int, ...]) -> FloatArray:
    """The numbers of a packed text; no more is unpacked than `shape`, which the file announced, takes."""
    size = 4 * int(np.prod(shape))
    try:
        packed = base64.b64decode(text, validate=True)
        data = zlib.decompressobj().decompress(packed, size + 1)
    except (binascii.Error, ValueError, zlib.error):
        node.refuse("the packed numbers are damaged", "Use an earlier copy of the file")
    if len(data) != size:
        node.refuse(f"does not hold the {size // 4} numbers that the frames need", "Use an earlier copy of the file")
    array = np.frombuffer(data, dtype="<f4").reshape(shape)
    try:
        return frozen_array(array, shape, "motion")  # no copy: the bytes are its own
    except ValueError:
        node.refuse("holds a number that is not finite", "Use an earlier copy of the file")
