"""Effectors as JSON, described by tables; scenes and pose files write them alike."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from solver.effectors.asleep import NOWHERE, AsleepEffector
from solver.effectors.contact import ANY_WAY, Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import AHEAD, AimEffector, PointEffector, TurnEffector
from solver.effectors.forms import NO_OFFSET as ON_THE_JOINT
from solver.effectors.kinds import kind_of, kinds, type_of
from solver.errors import InputRefused
from solver.files.json_checks import Node
from solver.files.json_forms import Boolean, Context, Definitions, Form, Joint, Number, Rest, Schema, Text, Vector
from solver.files.json_record import Field, Record, Values, typed_object
from solver.formats.pose_json.rotation_json import AGREEMENT, Quaternion
from solver.formats.pose_json.source_json import SourceForm
from solver.kinematics.rotations import geodesic_angle
from solver.size_limits import FARTHEST_M

SHARE = Number(0.0, 1.0)
QUARTER_TURN = float(np.pi / 2)
IN_THE_WORLD = Vector(3, FARTHEST_M)

HEAD = (
    Field("id", Text(200), "Unique within the character; assigned on reading if missing.", ""),
    Field("type", Text(200), "The kind. A kind that a program does not know is kept and not used.", name="kind"),
    Field("joint", Joint(), "The joint that it acts on."),
)
TAIL = (
    Field(
        "source",
        SourceForm(),
        "Where the target is read from again before each solve; without it, the target stays.",
        None,
        quiet=True,
    ),
    Field("tolerance", SHARE, "0 is respected strictly, 1 is barely a hint.", 0.0),
    Field("pinned", Boolean(), "Met exactly when it can be reached.", False),
    Field("enabled", Boolean(), "Whether it is used at all.", True),
    Field(
        "loose",
        Boolean(),
        "Asks for nothing; its target goes along with its joint until it is touched. Not with pinned.",
        False,
        quiet=True,
    ),
    Field(
        "estimated",
        Boolean(),
        "Its tolerance was found from a photo or a pose; once it is moved by hand, it is strict.",
        False,
        quiet=True,
    ),
)
OF_POINTS = (
    Field("target", IN_THE_WORLD, "Where the joint should be: a point in the world, metres."),
    Field(
        "offset",
        Vector(),
        "The point of the joint's frame that should meet the target, metres from the joint.",
        lambda values: ON_THE_JOINT,
        default_doc="the joint itself",
    ),
)
OF_CONTACTS = (
    Field("target", IN_THE_WORLD, "Where the surface is that the patch lies on: a point in the world, metres."),
    Field("patch", Text(200), "The patch of skin, such as “left_palm”; a program finds it anew for each shape.", ""),
    Field("offset", Vector(), "The patch's middle in the joint's frame, metres from the joint."),
    Field(
        "normal",
        Vector(),
        "The patch's outward normal in the joint's frame; zeros where it may lie any way.",
        lambda values: ANY_WAY,
        default_doc="any way",
    ),
    Field(
        "facing",
        Vector(),
        "The surface's normal in the world, which the patch is turned against; zeros where it is not known.",
        lambda values: ANY_WAY,
        default_doc="any way",
    ),
    Field(
        "radius",
        Number(0.0, FARTHEST_M),
        "Of a hand that closes around something: its radius, metres. The target is then on its axis or is its middle, "
        "and facing looks along the axis, against the side of the thumb.",
        0.0,
    ),
    Field(
        "tilt",
        Number(-QUARTER_TURN, QUARTER_TURN),
        "Of a hand that closes around something straight: radians by which that leans in the hand, on the thumb's side "
        "towards the wrist.",
        0.0,
        quiet=True,
    ),
)
OF_TURNS = (
    Field("target", Quaternion(), "How the joint should be turned in the world: a quaternion x, y, z, w."),
    Field(
        "matrix",
        Vector(9, 2.0),
        "The target as a matrix, row by row, without rounding; the quaternion wins where they differ.",
        None,
    ),
)
OF_AIMS = (
    Field("target", IN_THE_WORLD, "What the axis should point at: a point in the world, metres."),
    Field(
        "axis",
        Vector(),
        "The axis of the joint's frame that points to the target.",
        lambda values: AHEAD,
        name="local_axis",
        default_doc="+Z",
    ),
)


def _make(values: Values, node: Node, context: Context) -> Effector:
    cls = type_of(values.pop("kind"))
    if "matrix" in values:
        matrix = values.pop("matrix")
        if matrix is not None:
            exact = matrix.reshape(3, 3)
            target = values["target"]
            if np.abs(exact - target).max() < AGREEMENT and geodesic_angle(exact, target) < AGREEMENT:
                values["target"] = exact
    if "local_axis" in values and np.linalg.norm(values["local_axis"]) < 1e-6:
        node["axis"].refuse("has no length", "Write a direction such as [0, 0, 1]")
    values["target"] = values["target"].astype(np.float32)
    return cls(**values)


def _parts(effector: Effector) -> Mapping[str, Any]:
    values = {key: value for key, value in vars(effector).items()}
    values["kind"] = effector.kind
    if isinstance(effector, TurnEffector):
        values["matrix"] = effector.target.reshape(9)
    return values


RECORDS: dict[type[Effector], Record] = {
    form: Record(name, doc, (*HEAD, *own, *TAIL), _make, _parts)
    for form, name, doc, own in (
        (Contact, "contact", "A contact: a patch of the joint's skin, held on a surface.", OF_CONTACTS),
        (PointEffector, "point", "An effector that holds a point of the joint at a place.", OF_POINTS),
        (TurnEffector, "turn", "An effector that turns the joint.", OF_TURNS),
        (AimEffector, "aim", "An effector that points an axis of the joint at a place.", OF_AIMS),
    )
}


def record_of(cls: type[Effector]) -> Record:
    """The table of a kind's form."""
    return next(record for form, record in RECORDS.items() if issubclass(cls, form))


class EffectorForm(Form):
    """An effector of any kind; one with a kind or target from a newer version is kept asleep."""

    def read(self, node: Node, context: Context) -> tuple[Effector, Rest]:
        """The effector. InputRefused names the key that is wrong."""
        kind = node["type"].string(limit=200)
        target = node.get("target")
        if kind_of(kind) is None or (target is not None and isinstance(target.value, dict)):
            return self._asleep(node, context), {}
        record = record_of(type_of(kind))
        try:
            return record.read(node, context)
        except InputRefused:
            if not context.newer:
                raise
            return self._asleep(node, context), {}

    def write(self, value: Any, context: Context) -> dict[str, Any]:
        """The object; for one that is asleep, as it stood in its file, with the id that it has here."""
        if isinstance(value, AsleepEffector):
            renamed = isinstance(value.json.get("id"), str) and value.json["id"] != value.id
            return {**value.json, "id": value.id} if renamed else dict(value.json)
        written = record_of(type(value)).write(value, context)
        if isinstance(value, PointEffector) and value.holds_joint:
            del written["offset"]
        return written

    def schema(self, definitions: Definitions) -> Schema:
        """Any object with a kind; those of the kinds known follow their tables."""
        known = [
            ({"type": {"const": kind.id}, "target": {"type": "array"}}, record_of(type_of(kind.id))) for kind in kinds()
        ]
        told = "An effector. One of a kind that a program does not know is kept and not used."
        return typed_object("effector", told, known, definitions)

    def _asleep(self, node: Node, context: Context) -> AsleepEffector:
        json = node.object()
        id, joint = json.get("id"), json.get("joint")
        known = isinstance(joint, str) and joint in context.joints
        return AsleepEffector(
            str(joint) if known else context.joints[0],
            NOWHERE,
            unknown=str(json.get("type")),
            json=dict(json),
            id=id if isinstance(id, str) and len(id) <= 200 else "",
        )


EFFECTOR = EffectorForm()


def effector_to_json(effector: Effector, exact: bool = False) -> dict[str, Any]:
    """One effector as a plain object; a rotation's target is a quaternion x, y, z, w.

    exact: writes a rotation's matrix too, so that reading gives the same float32 numbers back.
    """
    written = EFFECTOR.write(effector, Context())
    if not exact and isinstance(effector, TurnEffector):
        del written["matrix"]
    return written


def effector_from_json(node: Node, joints: Collection[str]) -> Effector:
    """The effector that an object describes; `joints` are the names it may be on. InputRefused otherwise."""
    return EFFECTOR.read(node, Context(joints=tuple(joints)))[0]
