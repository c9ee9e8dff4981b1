"""Solvers that learned from the adult pose its variants: they are asked about the adult most like them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from solver.body.body import GENDERS, BodyShape
from solver.body.catalog import DEFAULT_BODY, VARIANTS, load_body
from solver.body.floor import posed_vertices
from solver.contact.floor_points import floor_points
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.ik.options import NO_OPTIONS, Options
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.ik.rig_adapter import adapter_for
from solver.ik.solver import Proposal, ProposalRequest, Proposer
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import geodesic_angle
from solver.solvers.as_adult import AsAdult, as_adult, likeness_to
from solver.solvers.catalog import ROOM, SOLVERS, load_solver, usable_solver

LEARNED = tuple(spec.id for spec in SOLVERS if spec.learned)
ENDS = ("left_wrist", "right_wrist", "left_ankle", "right_ankle", "head")
MET_M = 1e-4


class Still(Proposer[None]):
    """Answers with the base pose, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[ProposalRequest[None]] = []

    def propose_batch(self, requests: Sequence[ProposalRequest[None]]) -> list[Proposal[None]]:
        self.asked = list(requests)
        return [Proposal(request.problem.base_pose) for request in requests]


def standing(id: str, gender: str = "neutral") -> tuple[IKProblem, float]:
    """Somebody of that body who stands on the floor, holding its ends; and how tall it is against an adult."""
    body, shape = load_body(id), BodyShape(gender=gender)
    skeleton, pose = body.skeleton(shape), natural_pose(body.skeleton(shape))
    low = posed_vertices(body, shape, pose)[:, 1].min()
    pose = Pose(pose.root_position - np.array([0, low, 0], np.float32), pose.rotations)
    places = forward_kinematics(skeleton, pose).positions
    held = tuple(Position(name, places[skeleton.index(name)], id=name) for name in ENDS)
    return IKProblem.without_masks(skeleton, held, pose, shape, id), float(np.ptp(body.vertices(shape)[:, 1])) / 1.7


def moved(problem: IKProblem, joint: str, way: Sequence[float]) -> IKProblem:
    held = tuple(
        replace(e, target=e.target + np.array(way, np.float32)) if e.joint == joint else e for e in problem.effectors
    )
    return replace(problem, effectors=held)


@pytest.mark.parametrize("solver", LEARNED)
@pytest.mark.parametrize("id", VARIANTS)
def test_every_learned_solver_poses_every_variant_and_meets_what_is_asked(id: str, solver: str) -> None:
    problem, size = standing(id)
    reaching = moved(problem, "left_wrist", np.array([0.05, 0.3, 0.2]) * size)
    usable = usable_solver(solver, reaching)
    assert usable.refusal == ""
    assert usable.solver.spec.id == solver
    solution = usable.solver.solve(reaching)
    assert max(residual.value for residual in solution.residuals) < MET_M


@pytest.mark.parametrize("id", VARIANTS)
def test_a_variant_moves_like_the_adult_with_targets_scaled_to_its_size(id: str) -> None:
    adult, child = (standing(each) for each in (DEFAULT_BODY, id))
    solver = load_solver("smplik")
    poses = [solver.propose(moved(p, "left_wrist", np.array([0.05, 0.3, 0.2]) * size)) for p, size in (adult, child)]
    assert np.degrees(geodesic_angle(poses[0].rotations, poses[1].rotations)).mean() < 12


@pytest.mark.parametrize("id", VARIANTS)
def test_no_skin_of_a_variant_goes_through_a_solid_floor(id: str) -> None:
    problem, size = standing(id)
    body, shape = load_body(id), problem.shape
    floor = floor_points(body, shape)
    for joint, way in (("left_wrist", [0.1, -1.0, 0.3]), ("head", [0.0, -1.2, 0.4]), ("left_ankle", [0.0, -0.1, 0.2])):
        asked = replace(moved(problem, joint, np.array(way) * size), floor=floor)
        pose = load_solver("smplik").solve(asked).pose
        assert posed_vertices(body, shape, pose)[:, 1].min() > -0.005, joint


@pytest.mark.parametrize("gender", GENDERS)
@pytest.mark.parametrize("id", VARIANTS)
def test_the_likeness_has_bones_like_the_variants_at_its_scale(id: str, gender: str) -> None:
    problem, _ = standing(id, gender)
    like = likeness_to(problem)
    assert like is not None
    assert (like.body, like.shape.gender) == (DEFAULT_BODY, gender)
    assert np.abs(like.shape.betas).max() <= 3
    adult = load_body(DEFAULT_BODY).skeleton(like.shape)
    own, theirs = (s.rest_positions - s.rest_positions[0] for s in (problem.skeleton, adult))
    assert np.linalg.norm(like.scale * own - theirs, axis=1).mean() < 0.06
    assert likeness_to(replace(problem, body=DEFAULT_BODY)) is None
    assert likeness_to(replace(problem, body="smpl:/files")) is None


def test_a_problem_is_put_to_the_adult_in_a_world_of_its_size_and_the_answer_is_brought_back() -> None:
    problem, _ = standing("anny:child")
    turn, look = Rotation("head", np.eye(3, dtype=np.float32)), LookAt("head", np.array([0, 1, 3], np.float32))
    point = Position("left_hand", np.array([0.3, 1.0, 0.1], np.float32), np.array([0.01, 0.02, 0.03], np.float32))
    problem = replace(problem, effectors=(*problem.effectors, turn, look, point))
    like, inner = likeness_to(problem), Still()
    assert like is not None
    answers = AsAdult(inner, (ROOM,)).propose_batch([ProposalRequest(problem, {"room": 1.0, "floor": True})])
    (asked,) = inner.asked
    assert asked.problem == as_adult(problem, like)
    assert asked.options == {"room": pytest.approx(like.scale), "floor": True}
    np.testing.assert_allclose(asked.problem.base_pose.root_position, like.scale * problem.base_pose.root_position)
    for before, after in zip(problem.effectors, asked.problem.effectors, strict=True):
        scale = 1.0 if isinstance(before, Rotation) else like.scale
        np.testing.assert_allclose(after.target, scale * before.target, rtol=1e-6)
    np.testing.assert_allclose(asked.problem.effectors[-1].offset, like.scale * point.offset, rtol=1e-6)  # type: ignore[attr-defined]
    np.testing.assert_allclose(answers[0].pose.root_position, problem.base_pose.root_position, rtol=1e-6)


@pytest.mark.parametrize(("options", "room"), [({"room": 4.9}, ROOM.high), (NO_OPTIONS, None)])
def test_lengths_among_options_stay_within_their_range_and_those_not_set_stay_unset(
    options: Options, room: float | None
) -> None:
    inner = Still()
    AsAdult(inner, (ROOM,)).propose_batch([ProposalRequest(standing("anny:child")[0], options)])
    assert inner.asked[0].options.get("room") == room


def test_adults_and_variants_are_asked_about_together_and_adults_as_they_are() -> None:
    adult, child = standing(DEFAULT_BODY)[0], standing("anny:child")[0]
    inner = Still()
    answers = AsAdult(inner).propose_batch([ProposalRequest(adult), ProposalRequest(child)])
    assert inner.asked[0].problem is adult
    assert inner.asked[1].problem.body == DEFAULT_BODY
    assert answers[0].pose is adult.base_pose
    assert load_solver("smplik").size_bytes > 1e6


def test_what_hangs_on_the_body_beyond_its_joints_is_scaled_along() -> None:
    body, shape = load_body("anny:child"), BodyShape()
    whole = body.whole_rig(shape)
    pose = natural_pose(body.skeleton(shape))
    rotations = np.concatenate([pose.rotations, np.tile(np.eye(3, dtype=np.float32), (len(whole) - 24, 1, 1))])
    tip = Position("left_index3", np.array([0.4, 0.8, 0.2], np.float32))
    rigged = adapter_for(IKProblem.without_masks(whole, [tip], Pose(pose.root_position, rotations), shape, body.id))
    assert rigged is not None
    like = likeness_to(rigged.solver_problem)
    assert like is not None
    seen, adult = rigged.solver_problem.skeleton, as_adult(rigged.solver_problem, like).skeleton
    assert adult.names == seen.names
    np.testing.assert_allclose(adult.offsets[24:], like.scale * seen.offsets[24:], rtol=1e-5)
    np.testing.assert_array_equal(adult.offsets[:24], load_body(DEFAULT_BODY).skeleton(like.shape).offsets)
