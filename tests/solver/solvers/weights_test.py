"""Shipped weights answer as the network that was trained; a folder that does not fit is refused with the reason."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
import torch

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.effectors.kinds import LookAt, Position, Rotation, network_kinds
from solver.errors import InputRefused
from solver.ik.pipeline.pipeline import Solver
from solver.ik.problem import IKProblem
from solver.ik.residuals import residuals
from solver.ik.solver import Continuity, SolverSpec
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS, Skeleton
from solver.networks.effector_batch import EffectorBatch
from solver.networks.protores import ProtoRes
from solver.networks.residual import NetworkShape
from solver.networks.smplik import SmplIK
from solver.rig.roles import BODY_ROLES
from solver.solvers.learned.model_input import model_arrays, model_effectors, pose_of
from solver.solvers.learned.network_proposer import NetworkProposer
from solver.solvers.learned.weights import WEIGHTS, WeightsConfig, load_weights, run_model, sha256
from solver.training.export.onnx_model import int8_bytes, onnx_bytes

SPEC = SolverSpec("smplik", "SMPL-IK", "", frozenset(network_kinds()), learned=True, continuity=Continuity.FROM_SHOWN)


def network() -> SmplIK:
    torch.manual_seed(3)
    return SmplIK(22, NetworkShape(width=32, embedding=8)).eval()


@pytest.fixture(scope="module")
def model() -> bytes:
    return onnx_bytes(network())


def write(folder: Path, model: bytes, **changes: object) -> Path:
    values = {
        "id": "smplik", "network": "smplik", "joints": SMPL_JOINTS[:22], "body": "anny", "rotation_6d": "columns",
        "precision": "fp32", "sha256": sha256(model), "training": {}, "data": "none", "licence": "none", "torch": "",
        "commit": "", **changes,
    }  # fmt: skip
    (folder / "model.onnx").write_bytes(model)
    (folder / "config.json").write_text(WeightsConfig(**values).json())  # type: ignore[arg-type]
    return folder


@pytest.fixture
def folder(tmp_path: Path, model: bytes) -> Path:
    return write(tmp_path, model)


@pytest.fixture(scope="module")
def skeleton() -> Skeleton:
    return load_body("anny").skeleton(BodyShape())


def problem(skeleton: Skeleton, *effectors: object, shape: BodyShape | None = None) -> IKProblem:
    free = np.zeros(len(skeleton), np.float32)
    return IKProblem(skeleton, shape or BodyShape(), effectors, rest_pose(skeleton), free, free)  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [1, 5, 12, 66])
def test_the_onnx_model_answers_as_torch(folder: Path, count: int) -> None:
    generator = torch.Generator().manual_seed(count)
    inputs = EffectorBatch(
        torch.randn(3, count, 6, generator=generator),
        torch.rand(3, count, generator=generator),
        torch.randint(22, (3, count), generator=generator),
        torch.randint(3, (3, count), generator=generator),
    )
    betas, gender = torch.randn(3, 10, generator=generator), torch.tensor([0, 1, 2])
    arrays = {name: tensor.numpy() for name, tensor in inputs._asdict().items()}
    draft, rotations = run_model(
        load_weights(folder, "smplik", "anny").session, {**arrays, "betas": betas.numpy(), "gender": gender.numpy()}
    )
    with torch.no_grad():
        expected = network()(inputs, betas, gender)
    np.testing.assert_allclose(draft, expected.draft, atol=1e-4)
    np.testing.assert_allclose(rotations, expected.rotations_6d, atol=1e-4)


def test_a_model_without_shape_inputs_runs_all_the_same(tmp_path: Path, skeleton: Skeleton) -> None:
    torch.manual_seed(0)
    plain = onnx_bytes(ProtoRes(22, NetworkShape(width=16, embedding=4)))
    write(tmp_path, plain, network="protores")
    session = load_weights(tmp_path, "protores", "anny").session
    draft, _ = run_model(session, model_arrays(skeleton, [Position("head", [0, 1.5, 0])], BodyShape()))
    assert draft.shape == (1, 22, 3)


@pytest.mark.slow
def test_int8_weights_are_smaller_and_answer_much_the_same() -> None:
    import onnxruntime

    torch.manual_seed(3)
    model = onnx_bytes(
        SmplIK(22, NetworkShape(width=64, embedding=8)).eval()
    )  # wide enough that weights are most of it
    small = int8_bytes(model)
    inputs = {
        "data": np.random.default_rng(0).normal(size=(4, 5, 6)).astype(np.float32),
        "tolerance": np.zeros((4, 5), np.float32), "joint": np.full((4, 5), 7), "kind": np.zeros((4, 5), np.int64),
        "betas": np.zeros((4, 10), np.float32), "gender": np.zeros(4, np.int64),
    }  # fmt: skip
    full, less = (run_model(onnxruntime.InferenceSession(m), inputs)[0] for m in (model, small))
    assert len(small) < 0.7 * len(model)
    assert 0 < np.abs(full - less).max() < 0.1


def test_int8_leaves_the_layers_that_read_metres_as_they_are(model: bytes) -> None:
    import onnx

    graph = onnx.load_from_string(int8_bytes(model)).graph
    stored = {tensor.name for tensor in graph.initializer}
    plain = [node.name for node in graph.node if node.op_type == "MatMul" and node.input[1] in stored]
    assert len(plain) == 3
    assert all(name.startswith("/network/encoder/") and "/first/" in name for name in plain)


def test_an_int8_model_rounds_weights_and_nothing_that_it_computes(model: bytes) -> None:
    import onnx
    from onnx import TensorProto

    graph = onnx.load_from_string(int8_bytes(model)).graph
    kinds = {node.op_type for node in graph.node}
    assert "DequantizeLinear" in kinds
    assert not kinds & {"DynamicQuantizeLinear", "QuantizeLinear", "MatMulInteger"}
    assert sum(tensor.data_type == TensorProto.INT8 and len(tensor.dims) == 2 for tensor in graph.initializer) > 5


def test_a_shipped_network_does_not_tremble_while_a_target_moves_evenly() -> None:
    """Second differences of the joints, a millimetre a step: rounding had them jump by seven."""
    skeleton = load_body("anny").skeleton(BodyShape())
    for id in ("smplik", "protores"):
        session = load_weights(WEIGHTS / id, id, "anny").session
        rest = skeleton.rest_positions
        drafts = []
        for step in range(12):
            hand = rest[skeleton.index("left_wrist")] + np.float32([0.001 * step, -0.3, 0.2])
            effectors = [
                Position("left_wrist", hand),
                *(Position(name, rest[skeleton.index(name)]) for name in ("head", "left_ankle", "right_ankle")),
            ]
            drafts.append(run_model(session, model_arrays(skeleton, effectors, BodyShape()))[0][0])
        trembles = np.linalg.norm(np.diff(drafts, 2, axis=0), axis=-1).max()
        assert trembles < 2e-4, id


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="no such folder"):
        load_weights(tmp_path / "none", "smplik", "anny")


@pytest.mark.parametrize("name", ["model.onnx", "config.json"])
def test_a_missing_file_is_refused(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(InputRefused, match=f"{name}.*missing"):
        load_weights(folder, "smplik", "anny")


def test_a_truncated_model_is_refused(folder: Path, model: bytes) -> None:
    (folder / "model.onnx").write_bytes(model[:-500])
    with pytest.raises(InputRefused, match="truncated"):
        load_weights(folder, "smplik", "anny")


def test_bytes_that_are_no_model_are_refused(tmp_path: Path) -> None:
    write(tmp_path, b"no model at all")
    with pytest.raises(InputRefused, match="not a model that runs here"):
        load_weights(tmp_path, "smplik", "anny")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"joints": ("hips", "head")}, "not SMPL's body joints"),
        ({"joints": SMPL_JOINTS[:20]}, "does not answer with 20 joints"),
        ({"body": "smpl:/elsewhere"}, "trained on the body “smpl:/elsewhere”"),
        ({"network": "protores"}, "for the network “protores”"),
        ({"rotation_6d": "rows"}, "rotation_6d is “rows”"),
    ],
)
def test_weights_of_another_kind_are_refused(
    tmp_path: Path, model: bytes, changes: dict[str, object], reason: str
) -> None:
    write(tmp_path, model, **changes)
    with pytest.raises(InputRefused, match=reason):
        load_weights(tmp_path, "smplik", "anny")


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"id": 1}'])
def test_a_damaged_config_is_refused(folder: Path, text: str) -> None:
    (folder / "config.json").write_text(text)
    with pytest.raises(InputRefused, match=r"config\.json"):
        load_weights(folder, "smplik", "anny")


class _Trap:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (Path.touch, (Path("/tmp/opened-a-pickle"),))


def test_a_manifest_that_tells_what_the_network_is_told_is_held_to_it(tmp_path: Path, model: bytes) -> None:
    assert load_weights(write(tmp_path, model, conditions=("betas", "gender")), "smplik", "anny").config.conditions
    with pytest.raises(InputRefused, match="betas, gender"):
        load_weights(write(tmp_path, model, conditions=()), "smplik", "anny")
    with pytest.raises(InputRefused, match="shoe_size"):
        load_weights(write(tmp_path, model, conditions=("betas", "gender", "shoe_size")), "smplik", "anny")


def test_the_shipped_manifests_name_roles_and_what_they_are_told_of_the_body() -> None:
    for id, told in (("smplik", {"betas", "gender"}), ("protores", set())):
        config = load_weights(WEIGHTS / id, id, "anny").config
        assert config.roles == BODY_ROLES
        assert set(config.conditions or ()) == told


@pytest.mark.parametrize("name", ["extra.pt", "notes.dat", "model.onnx"])
def test_a_folder_with_a_pickle_is_refused_unopened(folder: Path, name: str) -> None:
    (folder / name).write_bytes(pickle.dumps(_Trap()))
    with pytest.raises(InputRefused, match="pickle"):
        load_weights(folder, "smplik", "anny")


def test_a_torch_checkpoint_is_a_pickle_whatever_its_name(folder: Path) -> None:
    torch.save({"a": torch.zeros(3)}, folder / "weights.safetensors")
    with pytest.raises(InputRefused, match="pickle"):
        load_weights(folder, "smplik", "anny")


def test_the_solver_meets_the_effectors_that_the_network_misses(folder: Path, skeleton: Skeleton) -> None:
    target = forward_kinematics(skeleton, rest_pose(skeleton)).positions[skeleton.index("left_wrist")] + [
        -0.2,
        -0.3,
        0.2,
    ]
    asked = problem(skeleton, Position("left_wrist", target), Position("pelvis", skeleton.offsets[0], pinned=True))
    solver = Solver(SPEC, NetworkProposer(load_weights(folder, "smplik", "anny")))
    exact = solver.solve(asked)
    assert residuals(skeleton, solver.propose(asked), asked.effectors)[0].value > 0.02
    assert exact.residuals[0].value < 0.002
    assert exact.residuals[1].value < 0.001
    again = solver.solve(asked, exact.memory)
    assert again.residuals[0].value < 0.002


def test_the_shape_reaches_the_network(folder: Path, skeleton: Skeleton) -> None:
    solver = Solver(SPEC, NetworkProposer(load_weights(folder, "smplik", "anny")))
    effector = Position("left_wrist", [0.4, 1.0, 0.2])
    tall = BodyShape(np.array([2.0] + [0.0] * 9), "male")
    assert solver.propose(problem(skeleton, effector)) != solver.propose(problem(skeleton, effector, shape=tall))


def test_without_effectors_the_base_pose_stays(folder: Path, skeleton: Skeleton) -> None:
    solver = Solver(SPEC, NetworkProposer(load_weights(folder, "smplik", "anny")))
    off = Position("left_wrist", [1, 1, 1], enabled=False)
    for asked in (problem(skeleton), problem(skeleton, off)):
        assert solver.solve(asked).pose == asked.base_pose


def test_a_hands_place_is_asked_of_the_wrist_that_carries_it(skeleton: Skeleton) -> None:
    turned = np.tile(np.eye(3, dtype=np.float32), (24, 1, 1))
    turned[skeleton.index("left_shoulder")] = from_rotation_vector([0.0, 0.0, -1.0])
    near = Pose(np.zeros(3), turned)
    at = forward_kinematics(skeleton, near).positions
    hand, wrist = skeleton.index("left_hand"), skeleton.index("left_wrist")
    (moved,) = model_effectors(skeleton, near, [Position("left_hand", at[hand], tolerance=0.25)], 22, near)
    assert isinstance(moved, Position)
    assert (moved.joint, moved.tolerance) == ("left_wrist", 0.25)
    np.testing.assert_allclose(moved.target, at[wrist], atol=1e-6)


def test_many_problems_asked_together_get_what_each_gets_alone(folder: Path, skeleton: Skeleton) -> None:
    solver = Solver(SPEC, NetworkProposer(load_weights(folder, "smplik", "anny")))
    problems = [
        problem(skeleton, Position("head", [0, 1.5, 0]), Rotation("left_wrist", np.eye(3))),
        problem(skeleton, Position("left_hand", [0.6, 1.2, 0.1])),
        problem(skeleton, Position("right_hand", [-0.6, 1.0, 0.3]), Position("pelvis", [0, 0.9, 0])),
        problem(skeleton),
    ]
    for one, pose in zip(problems, solver.propose_batch(problems), strict=True):
        alone = solver.propose(one)
        np.testing.assert_allclose(pose.rotations, alone.rotations, atol=1e-5)
        np.testing.assert_allclose(pose.root_position, alone.root_position, atol=1e-5)


def test_rotations_alone_keep_the_root_where_the_base_pose_has_it(skeleton: Skeleton) -> None:
    made = model_effectors(skeleton, rest_pose(skeleton), [Rotation("head", np.eye(3))], 22)
    assert made[1] == Position("pelvis", skeleton.offsets[0])


def test_effectors_become_the_rows_that_the_network_was_trained_on(skeleton: Skeleton) -> None:
    turn = from_rotation_vector([0.1, 0.2, 0.3]).astype(np.float32)
    effectors = [
        Position("left_knee", [1, 2, 3], tolerance=0.5),
        Rotation("head", turn, tolerance=0.7, pinned=True),
        LookAt("neck", [4, 5, 6], [0, 0, 1]),
    ]
    arrays = model_arrays(skeleton, effectors, BodyShape(np.arange(10) / 5, "female"))
    np.testing.assert_allclose(arrays["data"][0, 0], [1, 2, 3, 0, 0, 0])
    np.testing.assert_allclose(arrays["data"][0, 1], [*turn[:, 0], *turn[:, 1]])
    np.testing.assert_allclose(arrays["data"][0, 2], [4, 5, 6, 0, 0, 1])
    np.testing.assert_allclose(arrays["tolerance"], [[0.5, 0.0, 0.0]])
    assert arrays["joint"].tolist() == [[4, 15, 12]]
    assert arrays["kind"].tolist() == [[0, 1, 2]]
    assert arrays["gender"].tolist() == [2]


def test_an_answer_becomes_a_pose_with_hands_at_rest() -> None:
    sixd = np.tile(np.array([0, 1, 0, -1, 0, 0], np.float32), (22, 1))
    pose = pose_of(np.ones((22, 3), np.float32), sixd, 24)
    np.testing.assert_allclose(pose.rotations[3], [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-6)
    np.testing.assert_allclose(pose.rotations[22:], np.tile(np.eye(3), (2, 1, 1)))
    np.testing.assert_allclose(pose.root_position, [1, 1, 1])


def test_config_json_is_what_was_written(folder: Path) -> None:
    values = json.loads((folder / "config.json").read_text())
    assert values["rotation_6d"] == "columns"
    assert values["joints"] == list(SMPL_JOINTS[:22])


@pytest.mark.sweep
@pytest.mark.parametrize("number", [float("nan"), float("inf"), 1e30])
def test_a_network_that_gives_no_pose_is_refused_by_its_file(tmp_path: Path, skeleton: Skeleton, number: float) -> None:
    spoilt = network()
    with torch.no_grad():
        next(p for p in reversed(list(spoilt.parameters())) if p.numel() > 1)[...] = number
    write(tmp_path, onnx_bytes(spoilt))
    solver = Solver(SPEC, NetworkProposer(load_weights(tmp_path, "smplik", "anny")))
    with pytest.raises(InputRefused, match="model.onnx: it gives no pose for these effectors") as refusal:
        solver.solve(problem(skeleton, Position("head", [0, 1.5, 0])))
    assert "\n" not in str(refusal.value)


def test_a_refusal_of_a_config_quotes_little_of_it(tmp_path: Path, model: bytes) -> None:
    write(tmp_path, model, network="x" * 5000)
    with pytest.raises(InputRefused, match="is for the network") as refusal:
        load_weights(tmp_path, "smplik", "anny")
    assert len(str(refusal.value)) < len(str(tmp_path)) + 200
