"""What a network that reads a base pose is told of a problem, and what of the base pose comes back untouched."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.effectors.kinds import LookAt, Position, Rotation, network_kinds
from solver.errors import InputRefused
from solver.evaluation.body_joints import BODY_JOINTS
from solver.ik.pipeline.pipeline import Solver
from solver.ik.pose_prior import natural_pose
from solver.ik.preserve_modes import GLOBAL, LOCAL
from solver.ik.problem import IKProblem
from solver.ik.solver import Continuity, ProposalRequest, SolverSpec
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.networks.base_batch import BaseBatch
from solver.networks.residual import NetworkShape
from solver.networks.skeletal.skelik import SkelIK
from solver.networks.tensor_file import TENSORS, read_network, tensor_bytes
from solver.networks.torch_model import TorchModel
from solver.rig.roles import LIMBS, Role
from solver.solvers.learned.base_input import base_arrays, frozen_effectors, way_to
from solver.solvers.learned.network_proposer import NetworkProposer
from solver.solvers.learned.weights import OF_BASE, WeightsConfig, load_weights, run_model, sha256
from solver.training.export.onnx_model import conditions_of, onnx_bytes

SKELETON = load_body("anny").skeleton(BodyShape())
BASE = natural_pose(SKELETON)
SPEC = SolverSpec(
    "skelik", "SKEL-IK", "", frozenset(network_kinds()), learned=True, continuity=Continuity.FROM_BASE,
    preserves_again=False,
)  # fmt: skip
WRIST = Position(Role.LEFT_WRIST, np.float32([0.4, 1.05, 0.3]))


@pytest.fixture(scope="module")
def network() -> SkelIK:
    torch.manual_seed(2)
    return SkelIK(len(BODY_JOINTS), NetworkShape(width=16, embedding=4)).eval()


@pytest.fixture(scope="module")
def model(network: SkelIK) -> bytes:
    return onnx_bytes(network)


def write(folder: Path, model: bytes, conditions: tuple[str, ...] | None) -> Path:
    config = WeightsConfig(
        "skelik",
        "skelik",
        BODY_JOINTS,
        "anny",
        "columns",
        "fp32",
        sha256(model),
        {},
        "none",
        "none",
        "",
        "",
        conditions,
    )
    (folder / "model.onnx").write_bytes(model)
    (folder / "config.json").write_text(config.json())
    return folder


@pytest.fixture(scope="module")
def proposer(model: bytes, tmp_path_factory: pytest.TempPathFactory) -> NetworkProposer:
    folder = write(tmp_path_factory.mktemp("skelik"), model, conditions_of(model))
    return NetworkProposer(load_weights(folder, "skelik", "anny"))


def problem(*effectors: Position | Rotation | LookAt, base: Pose = BASE) -> IKProblem:
    return IKProblem.without_masks(SKELETON, effectors, base)


def proposed(proposer: NetworkProposer, asked: IKProblem) -> Pose:
    return proposer.propose(ProposalRequest(asked)).pose


def test_the_names_of_the_inputs_are_those_of_the_networks() -> None:
    assert set(BaseBatch._fields) == OF_BASE


@pytest.mark.slow
def test_the_manifest_has_to_say_that_a_base_pose_is_read(model: bytes, tmp_path: Path) -> None:
    for conditions in (None, ("betas",), conditions_of(model)[1:]):
        with pytest.raises(InputRefused, match=r"config\.json says otherwise"):
            load_weights(write(tmp_path, model, conditions), "skelik", "anny")
    assert load_weights(write(tmp_path, model, conditions_of(model)), "skelik", "anny").config.reads_base


def test_the_network_is_told_the_base_poses_joints_and_what_is_kept() -> None:
    place, shape = np.random.default_rng(0).random((2, len(SKELETON))).astype(np.float32)
    asked = replace(problem(WRIST), preserve_position=place, preserve_orientation=shape)
    told = base_arrays(asked, asked.effectors, 22)
    world = forward_kinematics(SKELETON, BASE)
    np.testing.assert_allclose(told["base_positions"][0], world.positions[:22], atol=1e-6)
    np.testing.assert_allclose(told["base_world"][0], world.rotations[:22], atol=1e-6)
    assert np.array_equal(told["keep_place"][0], place[:22])
    assert np.array_equal(told["keep_shape"][0], shape[:22])
    assert all(array.dtype == np.float32 and array.shape[:2] == (1, 22) for array in told.values())


def test_a_base_pose_far_from_the_effectors_comes_near_unless_its_place_is_kept() -> None:
    far = replace(WRIST, target=WRIST.target + np.float32([8.0, 0.0, 0.0]))
    asked = problem(far)
    at = forward_kinematics(SKELETON, BASE).positions
    wrist = SKELETON.index(Role.LEFT_WRIST)

    def left_over(keep: float) -> float:
        mask = np.full(len(SKELETON), keep, np.float32)
        told = base_arrays(replace(asked, preserve_position=mask), asked.effectors, 22)
        return float(np.linalg.norm(far.target - told["base_positions"][0, wrist]))

    assert left_over(0.0) == pytest.approx(0.5, abs=1e-3)
    assert left_over(1.0) == pytest.approx(np.linalg.norm(far.target - at[wrist]), abs=1e-3)
    steps = [left_over(k) for k in np.linspace(0.0, 1.0, 21)]
    assert np.diff(steps).max() < 0.6


def test_near_effectors_and_turns_leave_the_base_pose_where_it_is() -> None:
    at = forward_kinematics(SKELETON, BASE).positions
    assert not way_to(SKELETON, at, [WRIST]).any()
    assert not way_to(SKELETON, at, [Rotation(Role.HEAD, np.eye(3))]).any()


@pytest.mark.slow
def test_without_an_effector_the_proposal_is_the_base_pose(proposer: NetworkProposer) -> None:
    assert proposed(proposer, problem()) == BASE
    assert proposed(proposer, problem(replace(WRIST, enabled=False))) == BASE


@pytest.mark.slow
def test_a_strict_turn_alone_is_answered_and_does_not_nail_the_pelvis_to_its_place(proposer: NetworkProposer) -> None:
    turn = from_rotation_vector(np.float32([0.0, 0.4, 0.0]))
    pose = proposed(proposer, problem(Rotation(Role.HEAD, turn)))
    world = forward_kinematics(SKELETON, pose)
    np.testing.assert_allclose(world.rotations[SKELETON.index(Role.HEAD)], turn, atol=1e-4)
    assert np.linalg.norm(pose.root_position - BASE.root_position) > 1e-6


def test_hands_keep_the_base_poses_turns(proposer: NetworkProposer) -> None:
    turned = np.array(BASE.rotations)
    turned[22:] = from_rotation_vector(np.float32([0.3, 0.1, 0.2]))
    pose = proposed(proposer, problem(WRIST, base=Pose(BASE.root_position, turned)))
    assert np.array_equal(pose.rotations[22:], turned[22:])


def test_many_problems_at_once_are_answered_as_one_by_one(proposer: NetworkProposer) -> None:
    place, shape = LOCAL.masks(SKELETON, [WRIST])
    kept = replace(problem(WRIST), preserve_position=place, preserve_orientation=shape)
    several = [problem(WRIST), kept, problem(WRIST, Rotation(Role.HEAD, np.eye(3))), problem()]
    together = proposer.propose_batch([ProposalRequest(each) for each in several])
    for one, asked in zip(together, several, strict=True):
        alone = proposed(proposer, asked)
        np.testing.assert_allclose(one.pose.rotations, alone.rotations, atol=1e-5)
        np.testing.assert_allclose(one.pose.root_position, alone.root_position, atol=1e-5)


def test_frozen_joints_are_told_as_constraints_and_come_back_to_the_bit(proposer: NetworkProposer) -> None:
    arm = set(map(str, LIMBS[0].joints))
    frozen = frozenset(name for name in SKELETON.names if name not in arm)
    asked = replace(problem(WRIST), frozen=frozen)
    assert {e.joint for e in frozen_effectors(asked, 22)} == {n for n in frozen if n in BODY_JOINTS}
    solver = Solver(SPEC, proposer)
    for pose in (solver.propose(asked), solver.solve(asked).pose):
        still = [j for j, name in enumerate(SKELETON.names) if name in frozen]
        assert np.array_equal(pose.rotations[still], BASE.rotations[still])
        assert np.array_equal(pose.root_position, BASE.root_position)
    assert solver.solve(asked).residuals[0].value < 1e-3


def test_the_exact_stage_does_not_apply_the_masks_a_second_time(proposer: NetworkProposer) -> None:
    """What the network made of them stands: the exact stage only brings the effectors home."""
    solver, far = Solver(SPEC, proposer), replace(WRIST, target=np.float32([0.9, 1.6, 0.6]))
    place, shape = LOCAL.masks(SKELETON, [far])
    kept = replace(problem(far), preserve_position=place, preserve_orientation=shape)
    assert solver.solve(kept).residuals[0].value < 1e-3
    assert not np.array_equal(solver.propose(kept).rotations, solver.propose(problem(far)).rotations)
    assert np.array_equal(GLOBAL.masks(SKELETON)[0], problem(far).preserve_position)


def test_torch_and_the_tensor_file_answer_as_the_model(network: SkelIK, model: bytes, tmp_path: Path) -> None:
    folder = write(tmp_path, model, conditions_of(model))
    (folder / TENSORS).write_bytes(tensor_bytes(network.state_dict(), "skelik", sha256(model)))
    weights = load_weights(folder, "skelik", "anny")
    other = TorchModel(read_network(folder / TENSORS, "skelik", 22, weights.config.sha256))
    arrays = {
        "data": np.float32([[[0.4, 1.2, 0.2, 0, 0, 0]]]), "tolerance": np.zeros((1, 1), np.float32),
        "joint": np.int64([[20]]), "kind": np.int64([[0]]), **base_arrays(problem(WRIST), (WRIST,), 22),
    }  # fmt: skip
    for one, two in zip(run_model(weights.session, arrays), run_model(other, arrays), strict=True):
        np.testing.assert_allclose(one, two, atol=2e-5)
