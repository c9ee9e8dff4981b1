"""How people stand and look once they are solved: in balance, on feet that roll, with a trunk that no look throws."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from ik_samples import body_skeleton, position, standing

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.contact.balance import balance, mass_shares
from solver.contact.feet import Feet, FootStand, foot_shapes
from solver.contact.floor_points import floor_points
from solver.contact.weight_shift import Balancing
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.ik.memory import FRESH, AtPose, Memory
from solver.ik.pipeline.reasons import reasons
from solver.ik.problem import Cause, IKProblem
from solver.ik.solution import IKSolution
from solver.ik.stance.stance import Stance
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.limits import joint_limits
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.solvers.catalog import load_solver

BODY, SHAPE, SKELETON = load_body("anny"), BodyShape(), body_skeleton()
POINTS = floor_points(BODY, SHAPE)
ANKLES = ("left_ankle", "right_ankle")
SOLVERS = pytest.mark.parametrize("solver", ["smplik", "dls"])


BASE = standing()


def world_of(pose: Pose) -> WorldJoints:
    return forward_kinematics(SKELETON, pose)


def feet(left: FootStand = "auto", right: FootStand = "auto") -> Stance:
    return Stance(feet=Feet(foot_shapes(POINTS, BODY.rig(SHAPE)), (left, right)))


def balancing(strict: bool = True) -> Stance:
    return Stance(balancing=Balancing(POINTS, mass_shares(BODY, SHAPE), strict))


def solve(
    solver: str, effectors: Sequence[Effector], stance: Stance | None, memory: Memory | None = None, **more: object
) -> IKSolution:
    problem = IKProblem.without_masks(SKELETON, effectors, BASE, body="anny")
    problem = replace(problem, stance=stance, floor=POINTS, **more)
    return load_solver(solver).solve(problem, AtPose(BASE) if memory is None else memory)


def planted(soft_turns: bool = True) -> list[Effector]:
    """Both feet where they are; they keep their turns softly, as those of new people do."""
    turns = world_of(BASE).rotations
    places: list[Effector] = [position(BASE, ankle) for ankle in ANKLES]
    return places + [Rotation(a, turns[SKELETON.index(a)], tolerance=0.2) for a in ANKLES if soft_turns]


def margin(pose: Pose) -> float:
    found = balance(BODY, SHAPE, world_of(pose)).margin
    assert found is not None
    return found


def sole(pose: Pose, joint: str) -> np.ndarray:
    """(K, 3) where the skin is that one joint of a foot carries most of."""
    return POINTS.places(world_of(pose))[POINTS.carriers == SKELETON.index(joint)]


def pitch(pose: Pose, joint: str) -> float:
    turn = world_of(pose).rotations[SKELETON.index(joint)]
    return float(np.degrees(np.arctan2(-turn[1, 2], turn[1, 1])))


def shift(effectors: Iterable[Effector], joint: str, by: Sequence[float]) -> list[Effector]:
    """The effectors with the place asked of a joint moved."""
    return [
        replace(e, target=e.target + np.float32(by)) if isinstance(e, Position) and e.joint == joint else e
        for e in effectors
    ]


def reaching(share: float = 1.0) -> list[Effector]:
    """A hand far ahead, low down."""
    return [*planted(), position(BASE, "left_wrist", np.array([0.0, -0.4, 0.7]) * share)]


# balance


@SOLVERS
def test_a_person_reaching_out_stays_in_balance_and_strict_handles_are_met(solver: str) -> None:
    free, strict = (solve(solver, reaching(), stance) for stance in (None, balancing()))
    assert margin(free.pose) < -0.02
    assert margin(strict.pose) > 0.005
    assert max(one.value for one in strict.residuals[:2] + strict.residuals[4:]) < 1e-3
    moved = np.linalg.norm(world_of(strict.pose).positions[0] - world_of(free.pose).positions[0])
    assert moved > 0.03


@SOLVERS
def test_help_goes_part_of_the_way(solver: str) -> None:
    none, some, all_ = (
        margin(solve(solver, reaching(), stance).pose) for stance in (None, balancing(strict=False), balancing())
    )
    assert none + 0.01 < some < all_


@SOLVERS
def test_people_in_balance_are_left_alone(solver: str) -> None:
    small = reaching(0.1)
    assert solve(solver, small, balancing()).pose == solve(solver, small, Stance()).pose


def test_people_in_the_air_are_not_pulled() -> None:
    up = [replace(e, target=e.target + np.float32([0, 0.5, 0])) for e in reaching() if isinstance(e, Position)]
    assert solve("dls", up, balancing()).pose == solve("dls", up, None).pose


def test_the_weight_goes_over_one_foot_while_the_other_is_lifted_without_a_jump() -> None:
    memory: Memory = AtPose(BASE)
    places, margins = [], []
    for step in range(41):
        effectors = shift(planted(soft_turns=False), "left_ankle", np.array([0.0, 0.4, 0.1]) * step / 40)
        found = solve("dls", effectors, balancing(), memory)
        memory = found.memory
        places.append(world_of(found.pose).positions)
        margins.append(margin(found.pose))
    assert margins[-1] > 0.005
    assert max(np.linalg.norm(b - a, axis=1).max() for a, b in pairwise(places)) < 0.06
    assert (
        max(abs(p[SKELETON.index("right_ankle")] - places[0][SKELETON.index("right_ankle")]).max() for p in places)
        < 1e-3
    )


def test_a_drag_there_and_back_leaves_no_trace() -> None:
    memory: Memory = AtPose(BASE)
    found = [solve("dls", reaching(0.2), balancing(), memory)]
    for share in (0.5, 1.0, 0.5, 0.2):
        found.append(solve("dls", reaching(share), balancing(), found[-1].memory))
    assert geodesic_angle(found[-1].pose.rotations, found[0].pose.rotations).max() < 0.02


def test_feet_of_which_nothing_is_asked_stand_where_they_are_while_the_weight_moves() -> None:
    leaning = solve("dls", reaching(), None).pose
    problem = replace(
        IKProblem.without_masks(SKELETON, [position(leaning, "left_wrist")], leaning, body="anny"),
        floor=POINTS,
        stance=balancing(),
    )
    held = load_solver("dls").solve(problem, AtPose(leaning)).pose
    assert margin(leaning) < -0.02
    assert margin(held) > 0.0
    for ankle in ANKLES:
        j = SKELETON.index(ankle)
        assert world_of(held).positions[j] == pytest.approx(world_of(leaning).positions[j], abs=0.005)


def test_a_pelvis_that_has_been_given_a_place_stays_there() -> None:
    asked = [*reaching(0.7), position(BASE, "pelvis", (0.0, -0.05, 0.05))]
    found = solve("dls", asked, balancing())
    assert found.residuals[-1].state == "met"
    assert margin(found.pose) > margin(solve("dls", asked, None).pose)


def test_a_person_sitting_on_the_floor_keeps_the_seat_in_place() -> None:
    seated = Pose(BASE.root_position - np.float32([0, 0.9, 0]), BASE.rotations)
    turned = np.array(seated.rotations)
    for side in ("left", "right"):
        turned[SKELETON.index(f"{side}_hip")] = from_rotation_vector((-1.5, 0.0, 0.0))
        turned[SKELETON.index(f"{side}_knee")] = np.eye(3)
    seated = Pose(seated.root_position, turned)
    lowest = POINTS.lowest(world_of(seated))
    seated = replace(seated, root_position=seated.root_position - np.float32([0, lowest, 0]))
    hand = [position(seated, "left_wrist", (0.9, -0.2, 0.0)), position(seated, "right_wrist", (0.9, 0.2, 0.0))]
    problem = replace(IKProblem.without_masks(SKELETON, hand, seated, body="anny"), floor=POINTS)
    free, held = (
        load_solver("dls").solve(replace(problem, stance=stance), AtPose(seated)).pose for stance in (None, balancing())
    )
    assert np.linalg.norm((held.root_position - free.root_position)[[0, 2]]) < 0.05


# feet


@SOLVERS
def test_the_rear_foot_of_a_stride_rolls_onto_its_ball_with_its_toes_bent(solver: str) -> None:
    stride = shift(planted(), "left_ankle", (0.0, 0.07, -0.45))
    free, rolled = (solve(solver, stride, stance).pose for stance in (None, feet()))
    assert sole(free, "left_foot")[:, 1].min() > 0.04  # it hovered flat
    assert abs(sole(rolled, "left_foot")[:, 1].min()) < 0.005
    assert sole(rolled, "left_ankle")[:, 1].max() > 0.1
    assert pitch(rolled, "left_ankle") > 20.0
    assert abs(pitch(rolled, "left_foot")) < 2.0
    assert joint_limits(SKELETON.names).excess(rolled.rotations)[SKELETON.index("left_foot")] < np.radians(1)


@SOLVERS
def test_the_handles_of_feet_that_roll_are_met_and_their_soft_turns_are_told_as_tolerated(solver: str) -> None:
    found = solve(solver, shift(planted(), "left_ankle", (0.0, 0.07, -0.45)), feet())
    assert [one.state for one in found.residuals] == ["met", "met", "tolerated", "met"]


@SOLVERS
def test_a_sole_on_the_floor_lies_flat_within_five_millimetres(solver: str) -> None:
    for effectors in (
        planted(),
        planted(soft_turns=False),
        [*planted(), position(BASE, "left_wrist", (0.3, -0.5, 0.4))],
    ):
        pose = solve(solver, effectors, feet()).pose
        for ankle, ball in (("left_ankle", "left_foot"), ("right_ankle", "right_foot")):
            assert abs(sole(pose, ankle)[:, 1].min()) < 0.005
            assert abs(sole(pose, ball)[:, 1].min()) < 0.005
            assert abs(pitch(pose, ankle)) < 1.0


@SOLVERS
def test_a_lifted_foot_is_free_and_keeps_its_turn(solver: str) -> None:
    lifted = shift(planted(), "left_ankle", (0.0, 0.3, 0.1))
    assert solve(solver, lifted, feet()).residuals[2].state == "met"


def test_a_foot_that_is_dragged_up_from_the_floor_never_flips() -> None:
    memory: Memory = AtPose(BASE)
    turns = []
    for step in range(61):
        found = solve("dls", shift(planted(), "left_ankle", (0.0, 0.3 * step / 60, 0.0)), feet(), memory)
        memory = found.memory
        turns.append(world_of(found.pose).rotations[[SKELETON.index(name) for name in ("left_ankle", "left_foot")]])
    steps = [np.degrees(geodesic_angle(a, b)).max() for a, b in pairwise(turns)]
    assert max(steps) < 12.0  # for 5 mm


def test_a_foot_too_far_behind_to_be_flat_rolls() -> None:
    far = shift([*planted(), position(BASE, "pelvis", (0.0, 0.0, 0.0), pinned=True)], "left_ankle", (0.0, 0.0, -0.42))
    pose = solve("dls", far, feet()).pose
    assert pitch(pose, "left_ankle") > 5.0
    assert abs(sole(pose, "left_foot")[:, 1].min()) < 0.02


def test_strict_turns_and_places_of_the_ball_are_the_users_alone() -> None:
    turned = np.float32(from_rotation_vector((0.3, 0.0, 0.2)))
    stride = [
        *shift(planted(soft_turns=False), "left_ankle", (0.0, 0.1, -0.3)),
        Rotation("left_ankle", turned),
        position(BASE, "right_foot"),
    ]
    found = solve("dls", stride, feet())
    assert [one.state for one in found.residuals] == ["met"] * 4


def test_toes_that_are_asked_to_turn_turn_as_asked() -> None:
    up = np.float32(from_rotation_vector((-0.4, 0.0, 0.0)))
    found = solve("dls", [*planted(), Rotation("left_foot", up)], feet())
    assert found.residuals[-1].state == "met"


def test_a_foot_of_which_nothing_is_asked_stands_too() -> None:
    hand = [position(BASE, "left_wrist", (0.2, 0.1, 0.2)), position(BASE, "pelvis", (0.0, -0.06, 0.0))]
    tilted = np.array(BASE.rotations)
    tilted[SKELETON.index("left_ankle")] = from_rotation_vector((0.15, 0.0, 0.1)) @ tilted[SKELETON.index("left_ankle")]
    problem = replace(
        IKProblem.without_masks(SKELETON, hand, Pose(BASE.root_position, tilted), body="anny"),
        floor=POINTS,
        stance=feet("flat"),
    )
    pose = load_solver("dls").solve(problem, FRESH).pose
    assert abs(pitch(pose, "left_ankle")) < 1.5


def test_a_foot_may_be_chosen_to_stand_on_its_ball() -> None:
    asked = [position(BASE, "right_ankle"), position(BASE, "pelvis")]
    pose = solve("dls", asked, feet("ball")).pose
    assert pitch(pose, "left_ankle") > 30.0
    assert abs(sole(pose, "left_foot")[:, 1].min()) < 0.005


def test_what_is_shown_again_stays_as_it_is() -> None:
    stride = shift(planted(), "left_ankle", (0.0, 0.07, -0.45))
    once = solve("smplik", stride, feet()).pose
    again = solve("smplik", stride, feet(), AtPose(once)).pose
    assert geodesic_angle(once.rotations, again.rotations).max() < np.radians(1.0)


# looks

HEAD = world_of(BASE).positions[SKELETON.index("head")]
SOFT = Stance(soft_look=True)


def look(yaw: float, up: float, away: float = 1.5, **options: object) -> LookAt:
    """A look that many degrees to the left and up, at something so many metres away."""
    y, p = np.radians([yaw, up])
    toward = np.array([np.sin(y) * np.cos(p), np.sin(p), np.cos(y) * np.cos(p)])
    return LookAt("head", (HEAD + away * toward).astype(np.float32), **options)


def lean(pose: Pose) -> tuple[float, float]:
    """Degrees by which the chest leans forward, and by which it has turned in all."""
    j = SKELETON.index("spine3")
    change = world_of(pose).rotations[j] @ world_of(BASE).rotations[j].T
    turned = np.degrees(geodesic_angle(change, np.eye(3, dtype=np.float32)))
    return float(np.degrees(np.arctan2(change[2, 1], change[1, 1]))), float(turned)


@SOLVERS
@pytest.mark.parametrize("away", [0.12, 0.4, 3.0])
def test_no_look_throws_the_trunk_back(solver: str, away: float) -> None:
    for yaw in (0, 60, 120, 179, -90):
        for up in (-85, -30, 0, 60, 90):
            found = solve(solver, [*planted(), position(BASE, "pelvis"), look(yaw, up, away)], SOFT)
            forward, turned = lean(found.pose)
            assert forward > -4.0, (yaw, up)
            assert turned < 20.0, (yaw, up)
            assert max(one.value for one in found.residuals[:2]) < 1e-3


@SOLVERS
@pytest.mark.parametrize(("yaw", "up"), [(0, 0), (25, 0), (-60, 0), (0, 30), (0, -45)])
def test_a_look_within_the_range_of_a_head_is_met(solver: str, yaw: float, up: float) -> None:
    assert solve(solver, [*planted(), look(yaw, up)], SOFT).residuals[-1].state == "met"


def test_a_look_that_eyes_can_do_is_tolerated_and_one_beyond_is_missed_for_joint_limits() -> None:
    near, far = (solve("dls", [*planted(), look(yaw, 0)], SOFT) for yaw in (95, 150))
    assert near.residuals[-1].state == "tolerated"
    assert far.residuals[-1].state == "unreachable"
    problem = replace(IKProblem.without_masks(SKELETON, [*planted(), look(150, 0)], BASE, body="anny"), stance=SOFT)
    told = reasons(problem, far.pose, far.residuals, lambda: False)
    assert told is not None
    assert told[-1] is not None
    assert told[-1].cause is Cause.LIMITS


def test_a_look_that_goes_round_never_jumps() -> None:
    memory: Memory = AtPose(BASE)
    turns = []
    for yaw in range(0, 361, 4):
        found = solve("dls", [*planted(), look(yaw, 10)], SOFT, memory)
        memory = found.memory
        turns.append(world_of(found.pose).rotations[SKELETON.index("head")])
    assert max(np.degrees(geodesic_angle(a, b)) for a, b in pairwise(turns)) < 16.0


def test_a_pinned_look_is_met_whatever_it_takes() -> None:
    assert solve("dls", [*planted(), look(120, 0, pinned=True)], SOFT).residuals[-1].state == "met"


def test_a_chest_that_is_asked_to_turn_turns_as_asked_and_the_head_still_looks() -> None:
    turned = np.float32(from_rotation_vector((0.0, 0.3, 0.0)))
    found = solve("dls", [*planted(), Rotation("spine3", turned), look(30, 0)], SOFT)
    assert [one.state for one in found.residuals[-2:]] == ["met", "met"]


def test_a_target_in_the_head_is_no_look() -> None:
    found = solve("dls", [*planted(), LookAt("head", HEAD)], SOFT)
    assert lean(found.pose)[1] < 5.0


def test_one_limb_that_moves_alone_moves_alone() -> None:
    frozen = frozenset(SKELETON.names) - {"left_shoulder", "left_elbow", "left_wrist", "left_hand"}
    stance = replace(balancing(), soft_look=True, feet=feet().feet)
    found = solve("dls", reaching(), stance, frozen=frozen)
    assert found.pose == solve("dls", reaching(), None, frozen=frozen).pose
