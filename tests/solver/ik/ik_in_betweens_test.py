"""Many problems at once, each over its own base pose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from ik_samples import body_skeleton, difference, natural, position, problem
from made_up_solvers import LEANING, Leaning
from rig_samples import posed_like, with_rest_frames

from solver.effectors.kinds import Position
from solver.ik.exact import FEW
from solver.ik.memory import AtPose
from solver.ik.multi_solve.between_keys import BetweenKeys
from solver.ik.options import PROPOSAL_ALONE
from solver.ik.pipeline.pipeline import Solver
from solver.ik.problem import IKProblem
from solver.ik.residuals import residuals
from solver.kinematics.curves import curve_through
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import geodesic_angle
from solver.kinematics.skeleton import Skeleton
from solver.solvers.catalog import load_solver

BASE = natural()


def raised(height: float, base: Pose = BASE) -> IKProblem:
    hand = position(base, "left_wrist", [0.0, height, 0.1])
    return problem([hand, position(base, "left_ankle"), position(base, "right_ankle")], base)


@pytest.mark.parametrize("solver", ["dls", "smplik", "protores"])
def test_where_nothing_is_asked_to_move_the_base_pose_is_proposed(solver: str) -> None:
    hand = position(BASE, "left_wrist")
    (over,) = load_solver(solver).propose_over_base([problem([hand, position(BASE, "left_ankle")], BASE)])
    assert difference(over, BASE) < 1e-3


def test_what_a_proposal_changes_is_laid_over_the_base_pose() -> None:
    solver = load_solver("protores")
    small, large = solver.propose_over_base([raised(0.05), raised(0.3)])
    assert 0 < difference(small, BASE) < difference(large, BASE)


@pytest.mark.parametrize("count", [1, FEW + 1])
@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_the_exact_stage_brings_many_home(solver: str, count: int) -> None:
    problems = [raised(0.02 * i) for i in range(count)]
    solver_ = load_solver(solver)
    poses = solver_.finish(problems, solver_.propose_over_base(problems))
    for asked, pose in zip(problems, poses, strict=True):
        assert max(each.value for each in residuals(asked.skeleton, pose, asked.effectors)) < 1e-3


def test_what_is_kept_is_kept_by_a_solver_that_preserves_in_its_exact_stage() -> None:
    collar = body_skeleton().index("left_collar")
    keep = np.zeros(len(body_skeleton()), np.float32)
    keep[collar] = 1.0
    kept = replace(raised(0.4), preserve_orientation=keep)
    loyal, free = load_solver("dls").finish([kept, raised(0.4)], [BASE, BASE])
    turned = [geodesic_angle(pose.rotations[collar], BASE.rotations[collar]) for pose in (loyal, free)]
    assert turned[0] < 0.3 * turned[1]


def test_without_an_exact_stage_proposals_stay_what_they_are() -> None:
    solver = Solver(replace(LEANING, exact=False), Leaning())
    assert solver.finish([raised(0.1)], [BASE]) == [BASE]
    assert load_solver("smplik").finish([raised(0.1)], [BASE], {PROPOSAL_ALONE.id: True}) == [BASE]


KNOTS = np.array([0, 6, 12])


def waving(frames: np.ndarray) -> list[IKProblem]:
    """A hand that is asked up to 30 cm higher at frame 6, and not at 0 and 12."""
    rise = [0.3 * max(0.0, 1.0 - abs(int(frame) - 6) / 6) for frame in frames]
    feet = position(BASE, "left_ankle"), position(BASE, "right_ankle")
    return [problem([position(BASE, "left_wrist", [0.0, metres, 0.0]), *feet], BASE) for metres in rise]


@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_keys_are_met_as_posed_whatever_the_solver_would_say(solver: str) -> None:
    (problem_,) = waving(KNOTS[1:2])
    posed = load_solver("dls").finish([problem_], [load_solver("protores").propose(problem_)])[0]
    between = BetweenKeys(load_solver(solver), waving, KNOTS, [None, posed, None], 30.0)
    first, key, last = (between.solved(np.array([frame])).each()[0] for frame in KNOTS)
    assert difference(key, posed) < 0.02
    assert max(difference(first, BASE), difference(last, BASE)) < 1e-3
    frames = np.arange(1, 12)
    for asked, pose in zip(waving(frames), between.solved(frames).each(), strict=True):
        assert max(each.value for each in residuals(asked.skeleton, pose, asked.effectors)) < 2e-3


@pytest.mark.parametrize("rig", [body_skeleton, with_rest_frames])
def test_over_a_recording_hips_are_where_it_has_them_but_for_what_keys_change(rig: Callable[[], Skeleton]) -> None:
    skeleton = rig()
    base = posed_like(skeleton, BASE)
    there = forward_kinematics(skeleton, base).positions

    def reaching(frames: np.ndarray) -> list[IKProblem]:
        feet = [Position(name, there[skeleton.index(name)]) for name in ("left_ankle", "right_ankle")]
        hand = there[skeleton.index("left_wrist")]
        shares = [max(0.0, 1.0 - abs(int(frame) - 6) / 6) for frame in frames]
        far = [
            Position("left_wrist", (hand + share * np.array([0.5, 0.2, 0.5])).astype(np.float32)) for share in shares
        ]
        return [IKProblem.without_masks(skeleton, [each, *feet], base) for each in far]

    dls, frames = load_solver("dls"), np.arange(1, 12)
    posed = dls.solve(reaching(KNOTS)[1], AtPose(base)).pose
    by = (posed.root_position - base.root_position) * curve_through(KNOTS, np.array([0.0, 1.0, 0.0]), frames)[:, None]
    off = []
    for recorded in (False, True):
        between = BetweenKeys(dls, reaching, KNOTS, [None, posed, None], 30.0, recorded=recorded)
        off.append(np.linalg.norm(between.solved(frames).roots - base.root_position - by, axis=1).max())
    assert off[1] < 0.5 * off[0]
