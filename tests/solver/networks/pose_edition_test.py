"""Pose edition's network: every set of targets has its way, and the decoder is the encoder turned round."""

from __future__ import annotations

import io

import numpy as np
import onnxruntime
import pytest
import torch
from torch import Tensor

from solver.networks.pose_edition import HIDDEN, SETS, EditBatch, PoseEdition
from solver.networks.residual import NetworkShape
from solver.networks.tensor_file import shape_of
from solver.networks.torch_model import TorchModel
from solver.rig.roles import ENDS, SMPL_ROLES, Role
from solver.training.export.export import paper_bytes
from solver.training.export.onnx_model import onnx_bytes

JOINTS = 22
PAPER = NetworkShape(width=200, embedding=64)


def network(shape: NetworkShape = PAPER) -> PoseEdition:
    torch.manual_seed(0)
    made = PoseEdition(JOINTS, shape).eval()
    made.normalise_by(torch.randn(50, JOINTS, 3) * 0.3 + 1.0)
    return made


def edits(batch: int = 3, *roles: Role) -> EditBatch:
    """Edits that ask for these joints; of all five without any."""
    generator = torch.Generator().manual_seed(3)
    asked = torch.tensor([float(not roles or role in roles) for role in ENDS]).expand(batch, -1)
    start = torch.randn(batch, JOINTS, 3, generator=generator)
    return EditBatch(start, torch.randn(batch, len(ENDS), 3, generator=generator), asked)


@torch.no_grad()
def answer(net: PoseEdition, edit: EditBatch) -> Tensor:
    return net(*edit).positions


def test_it_has_the_sizes_of_the_paper() -> None:
    net = network()
    sizes = [(layer.in_features, layer.out_features) for layer in net.encoder if isinstance(layer, torch.nn.Linear)]
    assert sizes == [(66, 200), (200, 200), (200, 64)]
    for name, targets in SETS.items():
        layers = [layer for layer in net.solvers[name].modules() if isinstance(layer, torch.nn.Linear)]
        assert [layer.out_features for layer in layers] == [HIDDEN, HIDDEN, HIDDEN, 64]
        assert layers[0].in_features == 64 + 3 * len(targets)
    assert paper_bytes(net.state_dict()) < 0.87e6


def test_the_decoder_has_no_weights_of_its_own() -> None:
    net = network()
    names = {name for name, _ in net.named_parameters() if not name.startswith("solvers.")}
    assert names == {
        *(f"encoder.{i}.{part}" for i in range(3) for part in ("weight", "bias")),
        *(f"decoder_biases.{i}" for i in range(3)),
    }
    before = net(*edits()).rebuilt
    with torch.no_grad():
        net.encoder[0].weight.mul_(0.5)  # type: ignore[union-attr, operator]
    assert not torch.allclose(before, net(*edits()).rebuilt)


@pytest.mark.parametrize(
    ("asked", "absent"),
    [(Role.LEFT_WRIST, Role.RIGHT_WRIST), (Role.RIGHT_ANKLE, Role.LEFT_ANKLE)],
    ids=["hand", "foot"],
)
def test_an_absent_partner_has_its_present_place_as_the_target(asked: Role, absent: Role) -> None:
    net, alone = network(), edits(3, asked)
    both = edits(3, asked, absent)
    targets = both.targets.clone()
    targets[:, ENDS.index(absent)] = both.start[:, SMPL_ROLES.index(absent)]
    torch.testing.assert_close(answer(net, alone), answer(net, both._replace(targets=targets)))


def test_a_target_that_is_not_asked_for_says_nothing() -> None:
    net, some = network(), edits(3, Role.LEFT_WRIST, Role.HEAD)
    moved = some.targets.clone()
    moved[:, [ENDS.index(Role.LEFT_ANKLE), ENDS.index(Role.RIGHT_ANKLE)]] += 5.0
    assert torch.equal(answer(net, some), answer(net, some._replace(targets=moved)))


def test_without_a_target_the_pose_comes_back_through_the_autoencoder() -> None:
    net, none = network(), edits(3)._replace(asked=torch.zeros(3, 5))
    torch.testing.assert_close(answer(net, none), net(*none).rebuilt)


@torch.no_grad()
def test_solvers_run_one_after_the_other_but_one_knows_all_five() -> None:
    net, some = network(), edits(3, *ENDS[:4])
    feet = edits(3, *ENDS[2:4])
    assert not torch.allclose(answer(net, some), answer(net, feet))
    every = net(*edits(3))
    torch.testing.assert_close(every.positions, every.each[list(SETS).index("all")])
    rows = EditBatch(*(torch.cat(pair) for pair in zip(some, edits(3), strict=True)))
    torch.testing.assert_close(answer(net, rows), torch.cat([answer(net, some), every.positions]))


def test_what_solvers_learn_leaves_the_encoder_alone() -> None:
    net = network()
    net(*edits()).each.square().sum().backward()
    assert net.encoder[0].bias.grad is None  # type: ignore[union-attr]
    assert all(p.grad is not None for p in net.solvers.parameters())


def test_a_number_that_never_changes_does_not_blow_up() -> None:
    net, poses = network(), torch.randn(40, JOINTS, 3)
    poses[:, 0, [0, 2]] = 0.0
    net.normalise_by(poses)
    assert answer(net, edits()).abs().max() < 1e3


def test_the_onnx_model_says_the_same_for_any_batch_and_holds_shared_weights_once() -> None:
    net, data = network(), onnx_bytes(network())
    assert len(data) < 1.1e6
    session = onnxruntime.InferenceSession(data)
    for some in (edits(1), edits(7, Role.HEAD), edits(2, Role.LEFT_WRIST, Role.LEFT_ANKLE)):
        told = {name: tensor.numpy() for name, tensor in some._asdict().items()}
        (said,) = session.run(["positions"], told)
        assert np.abs(said - answer(net, some).numpy()).max() < 1e-4
        assert np.abs(TorchModel(net).run(["positions"], told)[0] - said).max() < 1e-4


def test_its_sizes_are_read_from_its_tensors() -> None:
    small = NetworkShape(width=24, embedding=8)
    found = shape_of(network(small).state_dict(), "pose_edition")
    assert (found.width, found.embedding) == (24, 8)
    other = PoseEdition(JOINTS, found)
    kept = io.BytesIO()
    torch.save(network(small).state_dict(), kept)
    kept.seek(0)
    other.load_state_dict(torch.load(kept, weights_only=True))
    assert torch.equal(other.mean, network(small).mean)
