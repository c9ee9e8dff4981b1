"""DragPoser's search in the latent space: its derivative, what it meets, what it remembers."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import save

from solver.effectors.kinds import LookAt, Position, Rotation
from solver.errors import InputRefused
from solver.ik.kernel_arrays import rows_of
from solver.ik.options import NO_OPTIONS
from solver.ik.problem import IKProblem
from solver.ik.solver import ProposalRequest
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.rotations import from_rotation_vector, to_quaternion_xyzw, to_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS
from solver.networks.latent.relative_pose import relative_poses
from solver.networks.latent.temporal_predictor import TemporalPredictor
from solver.networks.residual import NetworkShape
from solver.solvers.latent.dragposer import DragPoser, MotionMemory, dragposer
from solver.solvers.latent.latent_kernels import (
    EffectorErrors,
    PosedBody,
    add_curvature,
    add_effectors,
    energy_of,
    solve_damped,
)
from solver.solvers.latent.latent_pose import ROOT, LatentBody, LatentPoint
from solver.solvers.latent.latent_predictor import FUTURE, PAST, LatentPredictor
from solver.solvers.latent.latent_search import Objective, SearchSettings, SearchWeights, search
from solver.solvers.latent.latent_weights import NETWORK, LatentWeights, load_latent_weights
from solver.solvers.latent.pose_space import NEAR, PoseSpace
from solver.solvers.latent.shares import shares_of
from solver.solvers.latent.single_pose import SinglePoseMemory
from solver.solvers.latent.usual_latents import (
    FILE,
    MEAN,
    SPREAD,
    isotropic_latents,
    read_usual_latents,
    usual_latents_from,
)
from solver.solvers.learned.weights import WEIGHTS, WeightsConfig, sha256
from solver.training.export.latent_run import plain_tensors
from tests.solver.ik_samples import body_skeleton, natural

LATENT = 6
SKELETON = body_skeleton()
BONES = SKELETON.offsets[:22]


@cache
def network() -> TemporalPredictor:
    torch.manual_seed(0)
    made = TemporalPredictor(22, NetworkShape(width=4, embedding=LATENT, blocks=2)).eval()
    inside = made.autoencoder
    with torch.no_grad():
        inside.bones.copy_(torch.tensor(BONES.copy()))
        inside.to_turns.weight.mul_(5.0)
        made.change.weight.normal_(std=0.1)
        inside.reference.copy_(torch.nn.functional.normalize(inside.reference + 0.1 * torch.randn(22, 4), dim=-1))
    return made


def config(**changes: object) -> WeightsConfig:
    said = {"id": "dragposer", "network": NETWORK, "joints": SMPL_JOINTS[:22], "body": "anny", "rotation_6d": "",
            "precision": "fp32", "sha256": "", "training": {}, "data": "", "licence": "", "torch": "", "commit": "",
            "conditions": ()}  # fmt: skip
    return WeightsConfig(**{**said, **changes})  # type: ignore[arg-type]


@cache
def weights() -> LatentWeights:
    return LatentWeights(config(), plain_tensors(network()))


def figure(rng: np.random.Generator, free: tuple[int, ...] = ()) -> tuple[LatentBody, LatentPoint]:
    local = np.array(natural().rotations, np.float64)
    made = LatentBody(SKELETON, PoseSpace(weights()).decoder(BONES), rng.normal(size=3), local[0], local, free)
    return made, made.start(rng.normal(size=LATENT)).moved(0.1 * rng.normal(size=LATENT + ROOT + 3 * len(free)))


def test_numpy_encodes_and_decodes_as_torch_does() -> None:
    rng = np.random.default_rng(1)
    local, root = from_rotation_vector(rng.normal(0, 0.4, (2, 22, 3))), rng.normal(size=(2, 3))
    pose = relative_poses(
        torch.tensor(to_quaternion_xyzw(local)).float(), torch.tensor(root).float(), SMPL_PARENTS[:22]
    )
    bones, space = torch.tensor(BONES.copy()), PoseSpace(weights())
    back = local[0, 0].T
    found = space.encode(local[1], back @ (root[1] - root[0]), back @ local[1, 0], BONES)
    wanted = network().autoencoder.encode(pose, bones)[0][0]
    np.testing.assert_allclose(found, wanted.detach().numpy(), atol=1e-4)
    there, decoded = network().autoencoder.decode(wanted[None], bones), space.decoder(BONES)(wanted.detach().numpy())
    turns = decoded.turns / np.linalg.norm(decoded.turns, axis=1, keepdims=True)
    np.testing.assert_allclose(turns, there.quaternions[0].detach().numpy(), atol=1e-5)
    np.testing.assert_allclose(decoded.shift, there.shift[0].detach().numpy(), atol=1e-6)


def test_numpy_predicts_as_torch_does() -> None:
    rng = np.random.default_rng(2)
    past, told, last = rng.normal(size=(PAST, LATENT)), rng.normal(size=(PAST, 9)), rng.normal(size=(FUTURE, LATENT))
    made = LatentPredictor(weights(), LATENT)
    memory = made.encode_past(past, told)
    told_torch = [torch.tensor(rows).float()[None] for rows in (past, told, last)]
    wanted = network()(*told_torch)[0].detach().numpy()
    for count in (1, 5, FUTURE):
        np.testing.assert_allclose(made.predict(last[:count], memory), wanted[count - 1], atol=1e-4)


FREE = (15, 20)  # head and left wrist


def test_the_derivative_is_that_of_the_pose() -> None:
    made, place = figure(np.random.default_rng(3), FREE)
    body, rates = made.with_derivative(place)
    local = body.local[:22].copy()
    for unknown in range(LATENT + ROOT + 3 * len(FREE)):
        step = 1e-3 * np.eye(LATENT + ROOT + 3 * len(FREE))[unknown]
        (root, ahead), (behind, back) = (
            (body.positions[0].copy(), body.local[:22].copy())
            for body in (made.posed(place.moved(way)) for way in (step, -step))
        )
        np.testing.assert_allclose(rates.moves[:, unknown], (root - behind) / 2e-3, atol=2e-3)
        turned = (to_rotation_vector(local.swapaxes(1, 2) @ part) for part in (ahead, back))
        np.testing.assert_allclose(rates.spins[..., unknown], np.subtract(*turned) / 2e-3, atol=3e-3)


def test_the_normal_equations_are_those_of_what_is_missed() -> None:
    made, place = figure(np.random.default_rng(4), FREE)
    joints = forward_kinematics(SKELETON, natural())
    asked = [Position.on(SKELETON, "left_wrist", joints), Rotation.on(SKELETON, "head", joints)]
    asked.append(LookAt.along(SKELETON, "head", joints, np.array([0, 0, 1], np.float32), 2.0))
    rows, pulls, unknowns = rows_of(SKELETON, asked), np.array([3.0, 2.0, 1.0]), LATENT + ROOT + 3 * len(FREE)
    body, rates = made.with_derivative(place)
    normal, right = np.zeros((unknowns, unknowns)), np.zeros(unknowns)
    missed = EffectorErrors.empty(len(asked), unknowns)
    add_effectors(rows, pulls, made.tree, body, rates, missed, normal, right)
    bends = []
    for length in (0.05, 0.1):
        step, bend = np.full(unknowns, length), np.zeros(unknowns)
        add_curvature(rows, missed, step, made.posed(place.moved(step)), bend)
        bends.append(np.linalg.norm(bend))
    assert bends[1] / bends[0] == pytest.approx(4.0, rel=0.3)  # what slopes do not tell grows as a square
    for unknown in range(unknowns):
        step = 1e-3 * np.eye(unknowns)[unknown]
        ahead, back = (energy_of(rows, pulls, made.posed(place.moved(way))) for way in (step, -step))
        assert right[unknown] == pytest.approx((ahead - back) / 4e-3, abs=5e-3)
    full = normal + np.tril(normal, -1).T
    step = np.empty(unknowns)
    assert solve_damped(normal + np.eye(unknowns), right, 0.0, step)
    np.testing.assert_allclose((full + np.eye(unknowns)) @ step, -right, atol=1e-8)
    assert not solve_damped(normal - 100.0 * np.eye(unknowns), right, 0.0, step)


def test_a_pull_grows_no_more_where_its_target_is_far() -> None:
    joints = forward_kinematics(SKELETON, natural())
    body = PosedBody(np.zeros((24, 3, 3)), joints.positions.astype(np.float64), joints.rotations.astype(np.float64))
    at = joints.positions[SKELETON.index("head")]
    cost = [energy_of(rows_of(SKELETON, [Position("head", at + np.float32([0, m, 0]))]), np.ones(1), body)
            for m in (0.1, 1.0, 2.0, 3.0)]  # fmt: skip
    assert cost[0] == pytest.approx(0.01, rel=1e-3)
    assert cost[2] - cost[1] == pytest.approx(cost[3] - cost[2], rel=1e-3)


def test_the_pose_is_the_one_that_was_searched_for() -> None:
    made, place = figure(np.random.default_rng(5), FREE)
    joints = forward_kinematics(SKELETON, made.pose(place))
    body = made.posed(place)
    np.testing.assert_allclose(joints.positions, body.positions, atol=1e-5)
    np.testing.assert_allclose(joints.rotations, body.world, atol=1e-5)


def test_a_derivative_of_nearby_serves_a_motion_and_not_an_exact_pose() -> None:
    z, step = np.random.default_rng(8).normal(size=LATENT), np.full(LATENT, 0.4 * NEAR)
    quick, exact = PoseSpace(weights()).decoder(BONES), PoseSpace(weights()).decoder(BONES, exact=True)
    for decode, same in ((quick, True), (exact, False)):
        first, near, far = (decode.with_slopes(at)[1].turns for at in (z, z + step, z + 4 * step))
        assert (near == first).all() == same
        assert np.abs(far - first).max() > 1e-3
    np.testing.assert_allclose(quick(z).turns, exact(z).turns, atol=1e-5)


def test_a_pose_of_the_latent_space_is_found_from_its_sensors() -> None:
    made, place = figure(np.random.default_rng(6))
    joints = forward_kinematics(SKELETON, made.pose(place))
    names = ("pelvis", "head", "left_wrist", "right_wrist", "left_ankle", "right_ankle")
    asked = [kind.on(SKELETON, name, joints) for name in names for kind in (Position, Rotation)]
    pulls = SearchWeights(expected=1e-3, usual=1e-4, root_shift=1.0, root_turn=1.0)
    zero = np.zeros(LATENT)
    rows, shares = rows_of(SKELETON, asked), np.ones(len(asked))
    found = search(
        made, Objective(rows, shares, zero, isotropic_latents(LATENT), pulls), made.start(zero), SearchSettings(12)
    ).point
    got = forward_kinematics(SKELETON, made.pose(found)).positions
    assert np.abs(got - joints.positions).max() < 0.01


def problem(height: float = 0.1, **changes: object) -> IKProblem:
    base = natural()
    joints = forward_kinematics(SKELETON, base)
    raised = joints.positions[SKELETON.index("left_wrist")] + np.float32([0, height, 0])
    asked = (Position("left_wrist", raised), Rotation.on(SKELETON, "head", joints))
    made = IKProblem.without_masks(SKELETON, asked, base)
    return IKProblem(**{**vars(made), **changes})  # type: ignore[arg-type]


def wrist(pose: object) -> np.ndarray:
    return forward_kinematics(SKELETON, pose).positions[SKELETON.index("left_wrist")]  # type: ignore[arg-type]


def test_a_single_pose_and_a_motion_tell_each_other_nothing() -> None:
    solver = DragPoser(weights())
    moved = solver.propose(ProposalRequest(problem(step_s=1 / 30)))
    assert isinstance(moved.memory, MotionMemory)
    first = solver.propose(ProposalRequest(problem()))
    again = solver.propose(ProposalRequest(problem(), memory=moved.memory))
    assert first.pose == again.pose
    assert isinstance(first.memory, SinglePoseMemory)
    assert solver.propose(ProposalRequest(problem(step_s=1 / 30), memory=first.memory)).pose == moved.pose
    assert np.linalg.norm(wrist(again.pose) - problem().effectors[0].target) < 0.3  # type: ignore[attr-defined]
    nothing = problem(effectors=())
    assert solver.propose(ProposalRequest(nothing)).pose is nothing.base_pose


def test_toes_of_a_single_pose_stay_as_in_the_base_pose_unless_something_is_asked_of_them() -> None:
    solver, left, right = DragPoser(weights()), SKELETON.index("left_foot"), SKELETON.index("right_foot")
    base = natural()
    aim = LookAt.on(SKELETON, "right_foot", forward_kinematics(SKELETON, base))
    pose = solver.propose(ProposalRequest(problem(effectors=(*problem().effectors, aim)))).pose
    assert np.array_equal(pose.rotations[left], base.rotations[left])
    assert not np.allclose(pose.rotations[right], base.rotations[right], atol=1e-3)
    moving = solver.propose(ProposalRequest(problem(step_s=1 / 30))).pose
    assert not np.allclose(moving.rotations[left], base.rotations[left], atol=1e-3)


@pytest.mark.slow
def test_a_drag_back_to_the_base_pose_finds_what_it_began_with() -> None:
    solver, kept, poses = dragposer(), None, []
    joints = forward_kinematics(SKELETON, natural())
    for height in (0.0, 0.02, 0.3, 0.6, 0.3, 0.02, 0.0):
        raised = joints.positions[SKELETON.index("left_wrist")] + np.float32([0, height, 0])
        asked = (Position("left_wrist", raised), Position.on(SKELETON, "head", joints))
        answer = solver.propose(ProposalRequest(problem(effectors=asked), memory=kept))
        kept = answer.memory
        poses.append(answer.pose)
        assert solver.propose(ProposalRequest(problem(effectors=asked), memory=kept)).pose == answer.pose
    assert poses[0] == poses[-1]
    assert np.abs(poses[0].rotations - poses[3].rotations).max() > 0.1


@pytest.mark.sweep("6")
@pytest.mark.parametrize("sensors", [2, 6])
def test_a_motion_is_followed_and_only_its_end_remembered(sensors: int) -> None:
    solver, track = dragposer(), None
    joints = forward_kinematics(SKELETON, natural())
    more = ("right_wrist", "left_ankle", "right_ankle", "pelvis")[6 - sensors :]
    for frame in range(40):
        asked = problem(0.002 * frame, step_s=1 / 30)
        rest = tuple(Position.on(SKELETON, name, joints) for name in more)
        asked = problem(0.002 * frame, step_s=1 / 30, effectors=(*asked.effectors, *rest))
        answer = solver.propose(ProposalRequest(asked, memory=track))
        track = answer.memory
    assert track is not None
    assert 0 <= track.frame < 40  # less where the search had lost its way and began anew, as untrained weights do
    assert len(track.latents) == len(track.features) == min(track.frame + 1, 2 * (PAST + 1))
    assert np.isfinite(answer.pose.rotations).all()


def test_tolerance_lets_go_and_pins_do_not() -> None:
    place = np.zeros(3, np.float32)
    loose, firm = Position("head", place, tolerance=1.0), Position("head", place, tolerance=1.0, pinned=True)
    shares = shares_of(SKELETON, [Position("head", place), loose, firm], NO_OPTIONS)
    assert shares[0] == shares[2] == 1.0
    assert 0 < shares[1] < 0.01


@pytest.mark.parametrize("far", [0.5, 3.0])
def test_where_nothing_tells_a_search_leans_to_usual_latents(far: float) -> None:
    """By as much as recorded poses keep to them in each direction."""
    rng = np.random.default_rng(9)
    made, place = figure(rng)
    spread = np.diag([0.1, *np.ones(LATENT - 1)])
    usual = usual_latents_from(np.full(LATENT, far), spread)
    nothing, pulls = rows_of(SKELETON, []), SearchWeights(expected=1.0, usual=1.0)
    expected = np.zeros(LATENT)
    found = search(made, Objective(nothing, np.empty(0), expected, usual, pulls), place, SearchSettings(40, 0.0)).point
    wanted = np.linalg.solve(usual.precision + np.eye(LATENT), usual.precision @ usual.mean)
    np.testing.assert_allclose(found.latent, wanted, atol=1e-3)
    assert found.latent[0] > 2 * found.latent[1]
    assert np.trace(usual.precision) == pytest.approx(LATENT)


def test_usual_latents_are_read_from_beside_the_weights(tmp_path: Path) -> None:
    assert load_latent_weights(written(tmp_path), "anny").usual_latents is None
    mean, spread = np.arange(LATENT, dtype=np.float32), 2 * np.eye(LATENT, dtype=np.float32)
    (tmp_path / FILE).write_bytes(save({MEAN: mean, SPREAD: spread}))
    read = load_latent_weights(tmp_path, "anny").usual_latents
    assert read is not None
    np.testing.assert_allclose(read.mean, mean)
    np.testing.assert_allclose(read.precision, np.eye(LATENT), atol=1e-6)
    assert DragPoser(load_latent_weights(tmp_path, "anny")).accepts(problem()) == ""


def test_the_shipped_folder_says_which_latents_are_usual() -> None:
    shipped = read_usual_latents(WEIGHTS / "dragposer")
    assert shipped is not None
    assert shipped.precision.shape == (24, 24)


@pytest.mark.parametrize(
    "tensors",
    [{MEAN: np.zeros(2)}, {MEAN: np.zeros(3), SPREAD: np.eye(2)}, {MEAN: np.zeros(2), SPREAD: np.ones((2, 2))},
     {MEAN: np.full(2, np.nan), SPREAD: np.eye(2)}],
)  # fmt: skip
def test_usual_latents_that_cannot_be_are_refused(tmp_path: Path, tensors: dict[str, np.ndarray]) -> None:
    (tmp_path / FILE).write_bytes(save(tensors))
    with pytest.raises(InputRefused, match=r"usual.safetensors.*how latents are spread"):
        read_usual_latents(tmp_path)


def test_usual_latents_of_another_network_are_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(save({MEAN: np.zeros(3), SPREAD: np.eye(3)}))
    with pytest.raises(InputRefused, match="usual latents have 3 numbers"):
        DragPoser(load_latent_weights(written(tmp_path), "anny"))


def written(folder: Path, data: bytes | None = None, **changes: object) -> Path:
    data = save(dict(weights().tensors)) if data is None else data
    (folder / "model.safetensors").write_bytes(data)
    (folder / "config.json").write_text(config(**{"sha256": sha256(data), **changes}).json())
    return folder


def test_a_folder_of_weights_is_read(tmp_path: Path) -> None:
    read = load_latent_weights(written(tmp_path), "anny")
    assert set(read.tensors) == set(weights().tensors)
    assert DragPoser(read).accepts(problem()) == ""


@pytest.mark.parametrize(
    ("changes", "reason"),
    [({"network": "smplik"}, "its network is"), ({"body": "smpl"}, "body is"), ({"joints": ("pelvis", "x")}, "order"),
     ({"sha256": "other"}, "truncated"), ({"data": b"nonsense"}, "not a file of tensors")],
)  # fmt: skip
def test_a_folder_of_other_weights_is_refused(tmp_path: Path, changes: dict[str, object], reason: str) -> None:
    with pytest.raises(InputRefused, match=reason):
        load_latent_weights(written(tmp_path, **changes), "anny")  # type: ignore[arg-type]


def test_weights_that_are_missing_or_no_numbers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="no such folder"):
        load_latent_weights(tmp_path / "none", "anny")
    bad = dict(weights().tensors)
    bad["change.bias"] = np.full(LATENT, np.nan, np.float32)
    with pytest.raises(InputRefused, match="not finite"):
        load_latent_weights(written(tmp_path, save(bad)), "anny")
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(InputRefused, match="missing"):
        load_latent_weights(tmp_path, "anny")


@pytest.mark.parametrize("lost", ["autoencoder.unpool.weight", "read_past.weight"])
def test_tensors_of_another_network_are_refused(lost: str) -> None:
    fewer = {name: tensor for name, tensor in weights().tensors.items() if name != lost}
    with pytest.raises(InputRefused, match="not the network's"):
        DragPoser(LatentWeights(config(), fewer))
