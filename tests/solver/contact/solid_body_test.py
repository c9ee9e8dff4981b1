"""Bodies do not pass through themselves, through things or through other people, and what can be met is met."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import body_skeleton, difference, natural, place, position, problem

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.hands import relaxed_hands, skin_with
from solver.contact.filling import fill_with_balls, vertices_by_joint
from solver.contact.floor_points import FloorPoints, floor_points
from solver.contact.obstacles import Obstacles, OtherBody, body_alone
from solver.contact.solid_body import SolidBody, solid_body
from solver.contact.solid_kernels import (
    BOX,
    CYLINDER,
    find_near,
    gap_to_box,
    gap_to_cylinder,
    joint_moves,
    new_near,
    predicted_gaps,
    solid_row,
)
from solver.contact.solids import Solid, SolidForm
from solver.effectors.kinds import Position
from solver.evaluation.speed import random_poses
from solver.evaluation.standing.skin_intersection import self_intersection_depth
from solver.ik import exact
from solver.ik.exact import refine
from solver.ik.kernel_arrays import tree_of
from solver.ik.multi_solve.only_limb import only_limb
from solver.ik.pipeline.reasons import reasons
from solver.ik.problem import Cause, IKProblem, Reason
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.roles import ARMS
from solver.solvers.catalog import load_solver

BODY, SHAPE, SKELETON, BASE = load_body("anny"), BodyShape(), body_skeleton(), natural()
HELD = ("pelvis", "head", "left_ankle", "right_ankle")


def balls() -> SolidBody:
    return solid_body(BODY, SHAPE)


def solid(effectors: list, base: Pose = BASE, obstacles: Obstacles | None = None) -> IKProblem:
    return replace(problem(effectors, base), obstacles=obstacles or body_alone(balls()))


def through_the_belly() -> list[Position]:
    return [*(position(BASE, joint) for joint in HELD), Position("left_wrist", place(BASE, "spine1"))]


def test_balls_fill_the_skin_to_half_a_centimetre() -> None:
    skin = skin_with(BODY, SHAPE, None).astype(float)
    joints, filling, _ = fill_with_balls(BODY, skin)
    for j in np.unique(joints):
        own = skin[vertices_by_joint(BODY)[j]]
        away = np.linalg.norm(own[:, None] - filling[joints == j, :3], axis=2) - filling[joints == j, 3]
        assert np.percentile(np.abs(away.min(axis=1)), 95) < 0.005


def test_fingers_that_move_change_the_balls_of_hands_as_if_all_were_found_anew() -> None:
    at_rest = fill_with_balls(BODY, skin_with(BODY, SHAPE, None).astype(float))
    fist = skin_with(BODY, SHAPE, relaxed_hands()).astype(float)
    found, anew = fill_with_balls(BODY, fist, at_rest), fill_with_balls(BODY, fist)
    np.testing.assert_array_equal(found.balls, anew.balls)
    moved = np.unique(found.joints[(found.balls != at_rest.balls).any(axis=1)]).tolist()
    assert {SKELETON.names[j] for j in moved} == {role for arm in ARMS for role in (arm.hinge, arm.end, arm.tip)}


def test_a_standing_person_overlaps_nowhere() -> None:
    assert body_alone(balls()).least_gap(forward_kinematics(SKELETON, BASE)) > 0.0
    assert body_alone(balls()) is body_alone(solid_body(BODY, SHAPE))


@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_a_hand_that_is_put_into_the_belly_stays_on_it(solver: str) -> None:
    asked = through_the_belly()
    free = load_solver(solver).solve(problem(asked))
    kept = load_solver(solver).solve(solid(asked))
    alone = body_alone(balls())
    assert alone.least_gap(forward_kinematics(SKELETON, free.pose)) < -0.03
    assert alone.least_gap(forward_kinematics(SKELETON, kept.pose)) > -1e-3
    assert self_intersection_depth(BODY, SHAPE, free.pose) > 0.05
    assert self_intersection_depth(BODY, SHAPE, kept.pose) < 0.005
    assert max(residual.value for residual in kept.residuals[:4]) < 2e-3


def test_what_is_within_the_body_is_not_reachable_because_of_the_body() -> None:
    asked = solid(through_the_belly())
    found = refine(asked, BASE)
    assert found.residuals[4].state == "unreachable"
    explained = reasons(asked, found.pose, found.residuals)
    assert explained is not None
    assert explained[4] == Reason(Cause.BODY)


def test_a_body_that_touches_nothing_is_posed_as_ever() -> None:
    wide = rest_pose(SKELETON)
    asked = [position(wide, "left_wrist", (-0.05, 0.2, 0.1)), *(position(wide, joint) for joint in HELD)]
    free, kept = (refine(one, wide).pose for one in (problem(asked, wide), solid(asked, wide)))
    assert difference(free, kept) < 1e-6


@pytest.mark.parametrize("back", [0.15, 0.3])
def test_a_hand_reaches_where_the_body_was_once_the_body_has_gone(back: float) -> None:
    gone = [position(BASE, joint, (0.0, 0.0, -back)) for joint in HELD]
    asked = solid([*gone, Position("left_wrist", place(BASE, "spine1") + [0.03, 0.0, 0.06])])
    found = refine(asked, BASE)
    assert [residual.state for residual in found.residuals] == ["met"] * 5
    assert max(residual.value for residual in found.residuals) < 1e-3
    assert self_intersection_depth(BODY, SHAPE, found.pose) < 0.01


@pytest.mark.parametrize("floor", [None, floor_points(BODY, SHAPE)], ids=["no floor", "floor"])
def test_another_search_is_made_only_for_a_hand_in_whose_way_the_body_no_longer_is(
    floor: FloorPoints | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches, descend = list[int](), exact.descend
    monkeypatch.setattr(exact, "descend", lambda *asked, **known: searches.append(1) or descend(*asked, **known))
    gone = [position(BASE, joint, (0.0, 0.0, -0.3)) for joint in HELD]
    low = Position("left_wrist", place(BASE, "left_ankle") + [0.3, -0.25, 0.2])
    asks = {
        "where the body was": ([*gone, Position("left_wrist", place(BASE, "spine1") + [0.03, 0.0, 0.06])], 2),
        "within it": (through_the_belly(), 1),
        "below the floor": ([*(position(BASE, joint) for joint in HELD[2:]), low], 1),
    }
    for where, (asked, most) in asks.items():
        searches.clear()
        refine(replace(solid(asked), floor=floor), BASE)
        assert len(searches) == most, where


@pytest.mark.parametrize("form", [SolidForm.BOX, SolidForm.BALL, SolidForm.CYLINDER])
def test_a_hand_does_not_go_into_a_thing_and_is_told_why(form: SolidForm) -> None:
    wrist = place(BASE, "left_wrist")
    ahead = wrist + [0.0, 0.2, 0.4]
    thing = Solid(form, np.float32([0.3, 0.3, 0.3]), ahead.astype(np.float32))
    asked = [*(position(BASE, joint) for joint in HELD), Position("left_wrist", ahead + [0.02, 0.03, 0.01])]
    whole = solid(asked, obstacles=replace(body_alone(balls()), things=(thing,)))
    found = refine(whole, BASE)
    assert found.residuals[4].state == "unreachable"
    placed = balls().placed(forward_kinematics(SKELETON, found.pose))[balls().leading]
    assert (thing.distances(placed[:, :3]) - placed[:, 3]).min() > -1e-3
    explained = reasons(whole, found.pose, found.residuals)
    assert explained is not None
    assert explained[4] == Reason(Cause.PROP)


def test_what_is_far_from_all_that_is_solid_has_another_reason() -> None:
    thing = Solid(SolidForm.BOX, np.float32([0.3, 0.3, 0.3]), np.float32([5, 0.2, 5]))
    at = place(BASE, "left_wrist")
    apart = [Position("left_wrist", at + [0.1, 0.3, 0.2]), Position("left_wrist", at + [0.1, 0.3, 0.3])]
    whole = solid(
        [*(position(BASE, joint) for joint in HELD), *apart], obstacles=replace(body_alone(balls()), things=(thing,))
    )
    found = refine(whole, BASE)
    explained = reasons(whole, found.pose, found.residuals)
    assert explained is not None
    assert explained[4] == Reason(Cause.EFFECTOR, "left_wrist", "position")


def test_somebody_does_not_reach_into_somebody_else() -> None:
    other = replace(BASE, root_position=BASE.root_position + np.float32([0, 0, 0.5]))
    crowd = [OtherBody(balls(), forward_kinematics(SKELETON, other))]
    asked = [*(position(BASE, joint) for joint in HELD), Position("left_wrist", place(other, "spine2"))]
    obstacles = replace(body_alone(balls()), others=tuple(crowd))
    found = refine(solid(asked, obstacles=obstacles), BASE)
    assert obstacles.least_gap(forward_kinematics(SKELETON, refine(problem(asked), BASE).pose)) < -0.02
    assert obstacles.least_gap(forward_kinematics(SKELETON, found.pose)) > -1e-3


def test_people_without_effectors_come_out_of_a_thing_as_well() -> None:
    wall = Solid(SolidForm.BOX, np.float32([2, 2, 0.2]), BASE.root_position + np.float32([0, 0, 0.15]))
    obstacles = replace(body_alone(balls()), things=(wall,))
    found = refine(solid([], obstacles=obstacles), BASE)
    assert obstacles.least_gap(forward_kinematics(SKELETON, BASE)) < -0.02
    assert obstacles.least_gap(forward_kinematics(SKELETON, found.pose)) > -1e-3


def test_while_one_limb_moves_the_rest_stays_where_it_is() -> None:
    hold = only_limb(SKELETON, "left_wrist", BASE)
    asked = hold.applied_to(solid([Position("left_wrist", place(BASE, "spine1"))]))
    found = refine(asked, BASE)
    legs = [SKELETON.index(joint) for joint in ("left_knee", "right_knee", "pelvis", "spine2")]
    assert np.array_equal(found.pose.rotations[legs], BASE.rotations[legs])
    assert self_intersection_depth(BODY, SHAPE, found.pose) < 0.01


def test_a_drag_into_the_body_and_back_does_not_jump_and_leaves_little_trace() -> None:
    start, solver = place(BASE, "left_wrist"), load_solver("dls")
    memory, pose = load_solver("dls").solve(solid([])).memory.with_default_pose(BASE), BASE
    held = [position(BASE, j) for j in HELD]
    for share in [*np.linspace(0, 1, 30), *np.linspace(1, 0, 30)]:
        target = start + share * (place(BASE, "spine2") - start)
        solution = solver.solve(solid([*held, Position("left_wrist", target)]), memory)
        assert difference(pose, solution.pose) < np.radians(25)
        memory, pose = solution.memory, solution.pose
    assert difference(BASE, pose) < np.radians(3)


def test_rows_are_the_derivatives_of_gaps() -> None:
    tree, pose = tree_of(SKELETON), random_poses(SKELETON, 1, seed=4)[0]
    thing = Solid(SolidForm.BOX, np.float32([0.3, 0.2, 0.4]), place(pose, "right_wrist").astype(np.float32))
    solids = replace(body_alone(balls()), things=(thing,)).solids
    step = 1e-5 * np.random.default_rng(0).standard_normal((len(SKELETON) + 1, 3))
    root = pose.root_position.astype(float)
    turns = pose.rotations.astype(float)
    here, there = (new_near(solids) for _ in range(2))
    joints = [_posed(root, turns), _posed(root + step[-1], turns @ from_rotation_vector(step[:-1]))]
    for near, (places, world) in zip((here, there), joints, strict=True):
        find_near(solids, places, world, 0.06, near)
    spins, shifts, ahead, row = np.empty((24, 3)), np.empty((24, 3)), np.empty(len(here.gaps)), np.empty((25, 3))
    joint_moves(tree, *joints[0], step, spins, shifts)
    predicted_gaps(here, joints[0][0], spins, shifts, ahead)
    pairs = {tuple(there.pairs[k, :2]): there.gaps[k] for k in range(there.number[0])}
    compared = 0
    for k in range(here.number[0]):
        solid_row(tree, here, k, *joints[0], 2.0, row)
        assert (row * step).sum() == pytest.approx(2 * (ahead[k] - here.gaps[k]), abs=1e-10)
        if tuple(here.pairs[k, :2]) in pairs:
            compared += 1
            assert pairs[tuple(here.pairs[k, :2])] == pytest.approx(ahead[k], abs=3e-7)
    assert compared > 20


def _posed(root: np.ndarray, turns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    places, world = np.empty((24, 3)), np.empty((24, 3, 3))
    for j, parent in enumerate(SKELETON.parents):
        offset = SKELETON.offsets[j].astype(float)
        world[j] = turns[j] if parent < 0 else world[parent] @ turns[j]
        places[j] = root if parent < 0 else places[parent] + world[parent] @ offset
    return places, world


@pytest.mark.parametrize(("form", "gap"), [(BOX, gap_to_box), (CYLINDER, gap_to_cylinder)])
def test_gaps_to_things_are_their_distances(form: int, gap: object) -> None:
    rng = np.random.default_rng(1)
    turn = from_rotation_vector(np.array([0.3, -0.5, 0.8])).astype(np.float32)
    shape = SolidForm.BOX if form == BOX else SolidForm.CYLINDER
    thing = Solid(shape, np.float32([0.4, 0.6, 0.4]), np.float32([0.1, 0.2, 0.3]), turn)
    size = np.concatenate([thing.place, thing.turn.ravel(), thing.size / 2.0]).astype(float)
    for point in rng.uniform(-0.6, 0.8, (60, 3)):
        way = np.empty(3)
        found = gap(point, size, way)  # type: ignore[operator]
        assert found == pytest.approx(float(thing.distances(point[None])[0]), abs=1e-6)
        assert float(thing.distances((point + 1e-3 * way)[None])[0]) == pytest.approx(found + 1e-3, abs=1e-4)
