"""Targets that come from a joint, a photo's pixel or a stream, and the one function that makes numbers of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ik_samples import body_skeleton, natural

from solver.camera import PinholeCamera
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.effectors.resolve import Context, Figure, Sample, resolved
from solver.effectors.sources import JointSource, RaySource, Source, StreamSource, UnknownSource
from solver.errors import InputRefused
from solver.files.json_checks import Node
from solver.formats.pose_json.effector_json import effector_from_json, effector_to_json
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle

SKELETON = body_skeleton()
RNG = np.random.default_rng(3)
POSE = Pose(
    np.array([2.0, 1.0, 0.5], np.float32), natural().rotations @ from_rotation_vector(RNG.normal(0, 0.3, (24, 3)))
)
WORLD = forward_kinematics(SKELETON, POSE)
HEAD = SKELETON.index("head")
TILT = from_rotation_vector([0.4, 0.1, 0.0]).astype(np.float32)
SOURCES: tuple[Source, ...] = (
    JointSource("c2", "head", [0.1, 0.2, 0.3], TILT),  # type: ignore[arg-type]
    JointSource("c2", "left_hand"),
    RaySource((320.5, 200.25), 2.75, photo=1),
    StreamSource("tracker 3"),
    UnknownSource({"type": "wish", "of": [1, {"deep": None}]}),
)


def camera(*place: float) -> PinholeCamera:
    """At a place, it looks along -z and sees a metre at one metre's distance as 100 pixels."""
    return PinholeCamera(np.array(place, np.float32), np.eye(3, dtype=np.float32), 100.0, (0.0, 0.0), (640, 480))


CONTEXT = Context(
    {"c2": Figure(SKELETON, WORLD)},
    (camera(0, 0, 9), camera(0, 1, 5)),
    {"tracker 3": Sample(np.array([1.0, 2.0, 3.0]), TILT), "dot": Sample(np.array([4.0, 5.0, 6.0]))},
)


def test_a_hand_goes_to_a_point_off_anothers_joint() -> None:
    found = resolved(Position("left_wrist", [0, 0, 0], source=SOURCES[0]), CONTEXT)
    assert found.target == pytest.approx(WORLD.positions[HEAD] + WORLD.rotations[HEAD] @ [0.1, 0.2, 0.3], abs=1e-6)
    assert found.source == SOURCES[0]


def test_a_turn_follows_anothers_joint_as_it_lies_to_it() -> None:
    found = resolved(Rotation("head", np.eye(3, dtype=np.float32), source=SOURCES[0]), CONTEXT)
    assert geodesic_angle(found.target, WORLD.rotations[HEAD] @ TILT) < 1e-3


def test_a_look_goes_to_the_point_on_a_pixels_ray() -> None:
    found = resolved(LookAt("head", [0, 0, 1], source=RaySource((100.0, 0.0), np.sqrt(2.0), photo=1)), CONTEXT)
    assert found.target == pytest.approx([1, 1, 4], abs=1e-6)


def test_the_newest_sample_is_taken_with_its_turn_if_it_has_one() -> None:
    assert resolved(Position("head", [0, 0, 0], source=SOURCES[3]), CONTEXT).target == pytest.approx([1, 2, 3])
    unturned = Rotation("head", np.eye(3, dtype=np.float32), source=SOURCES[3])
    assert geodesic_angle(resolved(unturned, CONTEXT).target, TILT) < 1e-3
    without = Rotation("head", np.eye(3, dtype=np.float32), source=StreamSource("dot"))
    assert resolved(without, CONTEXT) is without


@pytest.mark.parametrize(
    "source",
    [
        None, JointSource("c9", "head"), JointSource("c2", "tail"), RaySource((1.0, 1.0), 1.0, photo=2),
        StreamSource("silent"), UnknownSource({"type": "wish"}),
    ],
)  # fmt: skip
def test_what_says_nothing_leaves_the_target_where_it_was(source: Source | None) -> None:
    effector = Position("head", [1, 2, 3], source=source)
    assert resolved(effector, CONTEXT) is effector


def test_a_tracker_that_loses_sight_leaves_the_target_where_it_was() -> None:
    lost = Context(samples={"tracker": Sample(np.full(3, np.nan), np.full((3, 3), np.nan))})
    for effector in (
        Position("head", [1, 2, 3], source=StreamSource("tracker")),
        Rotation("head", TILT, source=StreamSource("tracker")),
    ):
        assert resolved(effector, lost) is effector
    unturned = Context(samples={"tracker": Sample(np.array([4.0, 5.0, 6.0]), np.full((3, 3), np.nan))})
    followed = resolved(Position("head", [1, 2, 3], source=StreamSource("tracker")), unturned)
    assert followed.target == pytest.approx([4, 5, 6])


@pytest.mark.parametrize("distance", [1.0, 30.0, 1234.5])
def test_a_target_that_is_where_its_source_says_does_not_move_again(distance: float) -> None:
    sources = RaySource((123.4, 77.7), distance), JointSource("c2", "head", [0.0, 0.0, distance])  # type: ignore[arg-type]
    for source in sources:
        there = resolved(Position("head", [0, 0, 0], source=source), CONTEXT)
        assert resolved(there, CONTEXT) is there


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("kind", [Position, LookAt])
def test_a_source_is_written_and_read_again(source: Source, kind: type[Position] | type[LookAt]) -> None:
    effector = kind("head", [1, 2, 3], id="e1", source=source)
    again = read(effector_to_json(effector, exact=True))
    if isinstance(source, JointSource) and isinstance(again.source, JointSource):
        assert again.source.turn == pytest.approx(source.turn, abs=1e-6)  # a quaternion of nine decimals
        assert again.source.offset == pytest.approx(source.offset)
        assert (again.source.character, again.source.joint) == (source.character, source.joint)
        assert again.target == pytest.approx(effector.target)
    else:
        assert again == effector


def test_an_offset_is_written_where_there_is_one() -> None:
    off = Position("head", [1, 2, 3], np.array([0.1, 0, 0.25], np.float32), id="e1")
    assert effector_to_json(off)["offset"] == [pytest.approx(0.1), 0.0, 0.25]
    assert read(effector_to_json(off)) == off
    assert "offset" not in effector_to_json(Position("head", [1, 2, 3]))
    assert "source" not in effector_to_json(Position("head", [1, 2, 3]))


@pytest.mark.parametrize(
    ("source", "key"),
    [
        ({"type": "joint", "character": "c1"}, "joint"),
        ({"type": "ray", "pixel": [1, 2], "distance": 0}, "distance"),
        ({"type": "ray", "pixel": [1], "distance": 1}, "pixel"),
        ({"character": "c1"}, "type"),
    ],
)
def test_a_source_that_cannot_be_is_refused_with_its_key(source: dict[str, Any], key: str) -> None:
    with pytest.raises(InputRefused, match=key):
        read({"type": "position", "joint": "head", "target": [0, 0, 0], "source": source})


def test_a_point_behind_a_camera_is_no_target() -> None:
    with pytest.raises(ValueError, match="distance"):
        RaySource((1.0, 1.0), 0.0)


def read(json: dict[str, Any]) -> Effector:
    return effector_from_json(Node(json, "scene.json"), SKELETON.names)
