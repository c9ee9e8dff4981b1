"""Where the target of an effector comes from, as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from solver.effectors.sources import (
    NO_OFFSET,
    NO_TURN,
    FloorSource,
    JointSource,
    PropSource,
    RaySource,
    SkinSource,
    Source,
    StreamSource,
    UnknownSource,
)
from solver.files.json_checks import Node
from solver.files.json_forms import Context, Definitions, Form, Integer, Number, Numbers, Rest, Schema, Text, Vector
from solver.files.json_record import Field, Record, Values, typed_object
from solver.formats.pose_json.rotation_json import Matrix

NAME = Text(200)


def _joint(values: Values, node: Node, context: Context) -> JointSource:
    del values["type"]
    return JointSource(**values)


def _ray(values: Values, node: Node, context: Context) -> RaySource:
    return RaySource(values["pixel"], values["distance"], values["photo"])


def _skin(values: Values, node: Node, context: Context) -> SkinSource:
    del values["type"]
    if abs(float(values["shares"].sum()) - 1.0) > 1e-3:
        node["shares"].refuse("do not add up to 1", "Write the shares of the triangle's three corners")
    return SkinSource(**values)


def _prop(values: Values, node: Node, context: Context) -> PropSource:
    del values["type"]
    return PropSource(**values)


RECORDS: dict[str, tuple[type, Record]] = {
    "joint": (
        JointSource,
        Record(
            "joint_source",
            "The target goes along with a joint of some character.",
            (
                Field("type", NAME, "“joint”."),
                Field("character", NAME, "The character's id."),
                Field("joint", NAME, "The joint's name."),
                Field(
                    "offset",
                    Vector(),
                    "Metres in that joint's frame, from the joint to the target.",
                    lambda values: NO_OFFSET,
                    default_doc="none",
                ),
                Field(
                    "turn",
                    Matrix(),
                    "The target's turn in that joint's frame, for effectors that turn.",
                    lambda values: NO_TURN,
                    default_doc="none",
                ),
            ),
            _joint,
        ),
    ),
    "ray": (
        RaySource,
        Record(
            "ray_source",
            "The target lies on the ray through a pixel of a photo.",
            (
                Field("type", NAME, "“ray”."),
                Field("photo", Integer(0, 10_000), "The photo's number among the scene's photos.", 0),
                Field("pixel", Numbers(2), "The pixel, x and y."),
                Field("distance", Number(1e-6), "Metres along the ray from the camera."),
            ),
            _ray,
        ),
    ),
    "stream": (
        StreamSource,
        Record(
            "stream_source",
            "The target is the newest sample of a stream, such as a tracker's.",
            (Field("type", NAME, "“stream”."), Field("stream", NAME, "The stream's name.")),
            lambda values, node, context: StreamSource(values["stream"]),
        ),
    ),
    "floor": (
        FloorSource,
        Record(
            "floor_source",
            "The target is on the floor below it.",
            (Field("type", NAME, "“floor”."),),
            lambda values, node, context: FloorSource(),
        ),
    ),
    "skin": (
        SkinSource,
        Record(
            "skin_source",
            "The target is a point of some character's skin.",
            (
                Field("type", NAME, "“skin”."),
                Field("character", NAME, "The character's id."),
                Field("triangle", Integer(0, 100_000_000), "The triangle's number among the body's faces."),
                Field("shares", Vector(3, 1.0), "Shares of the triangle's corners, which sum to 1."),
                Field("lift", Number(-1.0, 1.0), "Metres from the skin to the target, outward.", 0.0),
                Field("spot", NAME, "What the skin there is called on the screen.", ""),
            ),
            _skin,
        ),
    ),
    "prop": (
        PropSource,
        Record(
            "prop_source",
            "The target is a point of a prop.",
            (
                Field("type", NAME, "“prop”."),
                Field("prop", NAME, "The prop's id."),
                Field("place", Vector(), "From the prop's middle along its axes, as shares of its size."),
                Field(
                    "normal",
                    Vector(),
                    "The surface's normal along those axes, for a size of 1 along each.",
                    lambda values: NO_OFFSET,
                    default_doc="none",
                ),
            ),
            _prop,
        ),
    ),
}


class SourceForm(Form):
    """A source of any type; one of a type from a newer version is kept as it is, and the target stays."""

    def read(self, node: Node, context: Context) -> tuple[Source, Rest]:
        """The source."""
        type = node["type"].string(limit=200)
        if type not in RECORDS:
            return UnknownSource(dict(node.object())), {}
        return RECORDS[type][1].read(node, context)

    def write(self, value: Any, context: Context) -> dict[str, Any]:
        """The object with its type."""
        if isinstance(value, UnknownSource):
            return dict(value.json)
        type, record = next((id, record) for id, (cls, record) in RECORDS.items() if isinstance(value, cls))
        parts: Mapping[str, Any] = {**vars(value), "type": type}
        return {each.key: each.form.write(parts[each.attribute], context) for each in record.fields}

    def schema(self, definitions: Definitions) -> Schema:
        """Any object with a type; those of the types known follow their tables."""
        known = [({"type": {"const": type}}, record) for type, (_, record) in RECORDS.items()]
        told = "Where a target comes from. A source of a type that a program does not know is kept."
        return typed_object("source", told, known, definitions)
