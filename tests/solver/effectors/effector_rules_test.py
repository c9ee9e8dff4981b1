"""What effectors may be, and what holds for any of them: refusals, units, and targets drawn at random."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ik_samples import body_skeleton, natural
from made_up_kind import Grip
from rig_samples import with_rest_frames

from solver.effectors.effector import Effector
from solver.effectors.forms import AHEAD, pointing_axis
from solver.effectors.kind import ARM_M, Unit
from solver.effectors.kinds import LookAt, Position, Rotation, forget, kind_of, kinds, register, type_of
from solver.effectors.resolve import Context, has_sources, resolved, tied_figures
from solver.effectors.sources import JointSource, RaySource, StreamSource, UnknownSource
from solver.errors import PoserError, UnknownName
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.mirror import BODY_PLANE
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.kinematics.skeleton import Skeleton
from solver.size_limits import FARTHEST_M

SKELETON, BASE = body_skeleton(), natural()
WORLD = forward_kinematics(SKELETON, BASE)
EYE = np.eye(3, dtype=np.float32)
MADE: tuple[type[Effector], ...] = (Position, Rotation, LookAt, Grip)

metres = st.floats(-3, 3, width=32)
points = st.tuples(metres, metres, metres)
turns = st.tuples(*[st.floats(-1.75, 1.75, width=32)] * 3)  # within half a turn
shares = st.floats(0, 1)
tolerances = st.floats(0, 1)


@pytest.mark.parametrize(("pinned", "tolerance", "leeway"), [(False, 0.0, 0.0), (False, 0.3, 0.3), (True, 0.3, 0.0)])
def test_a_pin_is_met_strictly_whatever_its_tolerance(pinned: bool, tolerance: float, leeway: float) -> None:
    held = replace(Position.on(SKELETON, "left_wrist", WORLD), pinned=pinned, tolerance=tolerance)
    assert held.effective_tolerance == leeway
    assert held.is_strict is (leeway == 0.0)


def made(kind: type[Effector], place: tuple[float, ...], turn: tuple[float, ...]) -> Effector:
    """An effector of that kind whose target lies anywhere."""
    held = kind.on(SKELETON, "left_elbow", WORLD)
    return held.moved_by(RigidMotion(from_rotation_vector(turn), np.array(place)))


@pytest.mark.parametrize("tolerance", [-0.001, 1.001, float("nan"), float("inf")])
@pytest.mark.parametrize("kind", [Position, LookAt])
def test_a_tolerance_beyond_its_range_is_refused_with_its_number(kind: type[Effector], tolerance: float) -> None:
    with pytest.raises(ValueError, match=f"tolerance.*{tolerance}"):
        kind("head", np.zeros(3, np.float32), tolerance=tolerance)


def test_the_ends_of_the_range_are_tolerances() -> None:
    for tolerance in (0, 1, 0.0, 1.0):
        assert Position("head", [0, 0, 0], tolerance=tolerance).tolerance == tolerance


@pytest.mark.parametrize("kind", [Position, LookAt, Grip])
@pytest.mark.parametrize("target", [[0, 0], [[0, 0, 0]], [0, 0, 0, 0], [0, np.nan, 0], [0, np.inf, 0]])
def test_a_target_that_is_no_place_is_refused_by_name(kind: type[Effector], target: list) -> None:
    with pytest.raises(ValueError, match="target"):
        kind("head", target)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "target",
    [np.diag([1.0, 1.0, -1.0]), 2 * np.eye(3), np.zeros((3, 3)), np.ones((3, 3)), np.full((3, 3), np.nan)],
    ids=["mirrored", "scaled", "zero", "ones", "nan"],
)
def test_a_turn_that_is_no_rotation_is_refused(target: np.ndarray) -> None:
    with pytest.raises(ValueError, match="target"):
        Rotation("head", target.astype(np.float32))


def test_a_look_without_a_direction_is_refused_and_any_length_is_made_one() -> None:
    with pytest.raises(ValueError, match="axis"):
        LookAt("head", [0, 0, 1], np.zeros(3, np.float32))
    for length in (0.01, 1.0, 250.0):
        axis = LookAt("head", [0, 0, 1], np.array([0, length, 0], np.float32)).local_axis
        assert axis == pytest.approx([0, 1, 0])


@pytest.mark.parametrize("kind", [Position, LookAt, Grip])
def test_a_target_may_lie_as_far_as_scenes_reach_and_no_further(kind: type[Effector]) -> None:
    assert kind("head", np.array([0, 0, FARTHEST_M], np.float32)).target[2] == FARTHEST_M
    with pytest.raises(PoserError, match="head.*nearer"):
        kind("head", np.array([0, 0, -1.01 * FARTHEST_M], np.float32))


@pytest.mark.parametrize("kind", MADE)
def test_a_pin_is_never_loose(kind: type[Effector]) -> None:
    held = kind.on(SKELETON, "head", WORLD)
    loose = replace(held, loose=True)
    assert loose.loose
    assert not loose.is_active
    pinned = replace(loose, pinned=True)
    assert not pinned.loose
    assert pinned.is_active


@pytest.mark.parametrize("kind", MADE)
def test_what_is_switched_off_asks_for_nothing_pinned_or_not(kind: type[Effector]) -> None:
    held = kind.on(SKELETON, "head", WORLD)
    assert not replace(held, enabled=False).is_active
    assert not replace(held, enabled=False, pinned=True).is_active


@pytest.mark.parametrize("kind", MADE)
def test_a_joint_that_the_body_has_not_is_named_with_those_that_it_has(kind: type[Effector]) -> None:
    with pytest.raises(UnknownName, match="tail.*left_wrist"):
        kind.on(SKELETON, "tail", WORLD)


@pytest.mark.parametrize("kind", MADE)
def test_targets_cannot_be_written_to(kind: type[Effector]) -> None:
    effector = kind.on(SKELETON, "head", WORLD)
    with pytest.raises(ValueError, match="read-only"):
        effector.target[0] = 5.0


@pytest.mark.parametrize("kind", MADE)
def test_equal_effectors_are_equal_by_their_numbers_and_differ_by_any_of_them(kind: type[Effector]) -> None:
    effector = kind.on(SKELETON, "head", WORLD)
    assert replace(effector, target=np.array(effector.target)) == effector
    for other in (
        replace(effector, joint="neck"), replace(effector, tolerance=0.5), replace(effector, pinned=True),
        replace(effector, id="e9"), replace(effector, source=StreamSource("s")),
        effector.moved_by(RigidMotion(from_rotation_vector([0.3, 0, 0]), np.array([0.0, 0.1, 0.0]))),
    ):  # fmt: skip
        assert other != effector


def test_kinds_of_one_form_are_never_equal() -> None:
    assert Position("head", [0, 1, 0]) != Grip("head", [0, 1, 0])


@pytest.mark.parametrize("kind", MADE)
@given(first=points, first_turn=turns, second=points, second_turn=turns)
@settings(max_examples=20, deadline=None)
def test_carried_twice_is_carried_once_by_both_motions(
    kind: type[Effector],
    first: tuple[float, ...],
    first_turn: tuple[float, ...],
    second: tuple[float, ...],
    second_turn: tuple[float, ...],
) -> None:
    effector = kind.on(SKELETON, "left_elbow", WORLD)
    a, b = (
        RigidMotion(from_rotation_vector(t), np.array(p, np.float64))
        for p, t in ((first, first_turn), (second, second_turn))
    )
    both = RigidMotion(b.turn @ a.turn, b.turn @ a.shift + b.shift)
    assert effector.moved_by(a).moved_by(b).target == pytest.approx(effector.moved_by(both).target, abs=2e-5)


@pytest.mark.parametrize("kind", MADE)
@given(place=points, turn=turns)
@settings(max_examples=25, deadline=None)
def test_carried_there_and_back_it_is_where_it_was(
    kind: type[Effector], place: tuple[float, ...], turn: tuple[float, ...]
) -> None:
    effector, rotation = kind.on(SKELETON, "left_elbow", WORLD), from_rotation_vector(turn)
    there = RigidMotion(rotation, np.array(place, np.float64))
    back = RigidMotion(rotation.T, -rotation.T @ there.shift)
    assert effector.moved_by(there).moved_by(back).target == pytest.approx(effector.target, abs=2e-5)


@pytest.mark.parametrize("kind", MADE)
@given(place=points, turn=turns, share=shares)
@settings(max_examples=25, deadline=None)
def test_eased_targets_lie_on_the_shortest_way(
    kind: type[Effector], place: tuple[float, ...], turn: tuple[float, ...], share: float
) -> None:
    start, end = kind.on(SKELETON, "left_elbow", WORLD), made(kind, place, turn)
    between = end.partway_from(start, share)
    if kind is Rotation:
        whole = geodesic_angle(start.target, end.target)
        assert geodesic_angle(start.target, between.target) == pytest.approx(share * whole, abs=2e-3)
        assert geodesic_angle(between.target, end.target) == pytest.approx((1 - share) * whole, abs=2e-3)
    else:
        assert between.target - start.target == pytest.approx(share * (end.target - start.target), abs=1e-5)


@pytest.mark.parametrize("kind", MADE)
@given(place=points, turn=turns)
@settings(max_examples=25, deadline=None)
def test_the_way_from_one_to_the_other_is_the_way_back(
    kind: type[Effector], place: tuple[float, ...], turn: tuple[float, ...]
) -> None:
    a, b = kind.on(SKELETON, "left_elbow", WORLD), made(kind, place, turn)
    assert a.distance_from(b) == pytest.approx(b.distance_from(a), abs=1e-4)
    assert a.distance_from(a) == pytest.approx(0.0, abs=1e-3)
    assert a.distance_from(b) >= 0.0


@pytest.mark.parametrize("kind", MADE)
@given(place=points, turn=turns)
@settings(max_examples=15, deadline=None)
def test_a_rigs_own_frames_change_nothing_but_the_telling(
    kind: type[Effector], place: tuple[float, ...], turn: tuple[float, ...]
) -> None:
    effector, frame = made(kind, place, turn), from_rotation_vector([0.4, -1.1, 0.2]).astype(np.float32)
    told = effector.on_joint("bone.07", frame)
    assert told.joint == "bone.07"
    again = told.on_joint("left_elbow", frame.T)
    assert again.target == pytest.approx(effector.target, abs=1e-5)
    assert again.encode() == pytest.approx(effector.encode(), abs=1e-5)


@pytest.mark.parametrize("kind", MADE)
def test_the_joint_that_it_is_on_already_leaves_it_the_very_object(kind: type[Effector]) -> None:
    effector = kind.on(SKELETON, "head", WORLD)
    assert effector.on_joint("head") is effector
    renamed = effector.on_joint("bone.03")
    assert renamed == replace(effector, joint="bone.03")


@pytest.mark.parametrize("kind", MADE)
def test_handles_of_turns_are_on_their_joint_and_all_others_at_their_target(kind: type[Effector]) -> None:
    effector = made(kind, (0.5, 0.2, -0.4), (0.2, 0.5, 0.0))
    handle = effector.handle_at(SKELETON, WORLD)
    elbow = WORLD.positions[SKELETON.index("left_elbow")]
    assert handle == pytest.approx(elbow if kind is Rotation else effector.target)
    assert np.linalg.norm(effector.held_at(SKELETON, WORLD) - elbow) < (0.13 if kind is Grip else 1e-6)


@given(tolerance=tolerances, more=tolerances)
def test_more_tolerance_allows_more_and_pulls_less_in_every_kind(tolerance: float, more: float) -> None:
    low, high = sorted((tolerance, more))
    for kind in kinds():
        assert kind.met * 0.999 <= kind.allowed_error(low) <= kind.allowed_error(high) <= kind.loosest * 1.001
        weak, firm = kind.strength(False, high), kind.strength(False, low)
        assert 0 < weak[0] <= firm[0]
        assert 0 < weak[0] * weak[1] <= firm[0] * firm[1]  # the hardest pull
        assert kind.strength(True, low) == kind.strength(True, high)


def test_small_errors_are_told_in_millimetres_and_degrees() -> None:
    assert Unit.METRES.to_small_unit(0.0125) == pytest.approx(12.5)
    assert Unit.RADIANS.to_small_unit(np.pi / 4) == pytest.approx(45.0)
    assert (Unit.METRES.value, Unit.RADIANS.value) == ("mm", "°")


def test_angles_count_as_a_forearm_carries_them_where_kinds_are_compared() -> None:
    assert {kind.id: kind.metres_per_unit for kind in kinds()} == {
        "position": 1.0, "rotation": ARM_M, "lookat": ARM_M, "contact": 1.0
    }  # fmt: skip


def test_a_kind_that_was_registered_is_found_until_it_is_forgotten_and_only_once() -> None:
    register(Grip)
    try:
        assert type_of("grip") is Grip
        with pytest.raises(ValueError, match="grip"):
            register(Grip)
    finally:
        forget("grip")
    assert kind_of("grip") is None
    with pytest.raises(UnknownName, match=r"grip.*position, rotation, lookat, contact"):
        type_of("grip")


def test_arms_without_bones_point_straight_ahead() -> None:
    flat = Skeleton(("pelvis", "left_shoulder", "left_elbow"), (-1, 0, 1), np.zeros((3, 3), np.float32))
    assert pointing_axis(flat, "left_elbow") == pytest.approx(AHEAD)
    assert pointing_axis(SKELETON, "left_hand") == pytest.approx(
        SKELETON.offsets[SKELETON.index("left_hand")] / np.linalg.norm(SKELETON.offsets[SKELETON.index("left_hand")])
    )


def test_a_new_look_on_frames_of_their_own_asks_for_nothing() -> None:
    rig = with_rest_frames()
    world = forward_kinematics(rig, natural())
    look = LookAt.on(rig, rig.names[20], world)
    assert look.residual(rig, world) == pytest.approx(0, abs=1e-4)


def test_mirrored_off_the_joint_the_point_is_on_the_other_side_of_it() -> None:
    grip = Grip("left_wrist", [1, 2, 3], np.array([0.12, 0.02, 0.0], np.float32))
    seen = grip.mirrored(BODY_PLANE, "right_wrist")
    assert seen.target == pytest.approx([-1, 2, 3])
    assert seen.offset == pytest.approx([-0.12, 0.02, 0.0])
    assert seen.joint == "right_wrist"


@pytest.mark.parametrize(
    "source", [RaySource((0, 0), 1.0), StreamSource("s"), UnknownSource({}), JointSource("c", "j")]
)
def test_a_source_without_anything_to_come_from_leaves_every_kind_as_it_is(source) -> None:
    for kind in MADE:
        effector = replace(kind.on(SKELETON, "head", WORLD), source=source)
        assert resolved(effector, Context()) is effector


def test_those_that_ask_for_nothing_tie_to_nobody() -> None:
    tied = Position("head", [0, 0, 0], source=JointSource("c2", "head"))
    off = replace(tied, enabled=False)
    assert tied_figures([tied]) == {"c2"}
    assert tied_figures([off]) == set()
    assert has_sources([tied])
    assert not has_sources([Position("head", [0, 0, 0])])


@pytest.mark.parametrize("distance", [0.0, -1.0, float("nan")])
def test_no_point_lies_in_or_behind_a_camera(distance: float) -> None:
    with pytest.raises(ValueError, match="positive distance"):
        RaySource((1.0, 2.0), distance)


def test_damaged_sources_are_refused_by_the_part_that_is_wrong() -> None:
    with pytest.raises(ValueError, match="offset"):
        JointSource("c", "j", np.zeros(2, np.float32))
    with pytest.raises(ValueError, match="turn"):
        JointSource("c", "j", np.zeros(3, np.float32), np.zeros(3, np.float32))
