"""The baselines of SKEL-IK's paper read the same base poses, as effectors or in one long row."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
import torch

from solver.kinematics.skeleton import SMPL_PARENTS
from solver.networks.base_batch import BaseBatch
from solver.networks.base_network import BaseNetwork
from solver.networks.catalog import READ_BASE, make
from solver.networks.effector_batch import KINDS, EffectorBatch
from solver.networks.geometry import forward_kinematics, matrices_from_6d, sixd_from_matrices
from solver.networks.protores_with_prev import with_preserved
from solver.networks.residual import NetworkShape
from solver.networks.tensor_file import shape_of
from solver.training.export.onnx_model import onnx_bytes

JOINTS = 22
SHAPE = NetworkShape(width=16, blocks=2, layers=2, embedding=4)
BASELINES = sorted(READ_BASE - {"skelik"})


def network(id: str) -> BaseNetwork:
    torch.manual_seed(0)
    made = make(id, JOINTS, SHAPE).eval()
    assert isinstance(made, BaseNetwork)
    return made


def effectors(batch: int, count: int) -> EffectorBatch:
    generator = torch.Generator().manual_seed(1)
    return EffectorBatch(
        torch.randn(batch, count, 6, generator=generator),
        torch.rand(batch, count, generator=generator),
        torch.randint(JOINTS, (batch, count), generator=generator),
        torch.randint(len(KINDS), (batch, count), generator=generator),
    )


def base(batch: int, keep: float = 0.5) -> BaseBatch:
    generator = torch.Generator().manual_seed(2)
    upright = torch.tensor((1.0, 0.0, 0.0, 0.0, 1.0, 0.0))
    local = matrices_from_6d(upright + 0.3 * torch.randn(batch, JOINTS, 6, generator=generator))
    offsets = 0.2 * torch.randn(batch, JOINTS, 3, generator=generator)
    positions, world = forward_kinematics(SMPL_PARENTS[:JOINTS], offsets, torch.zeros(batch, 3), local)
    bits = torch.full((batch, JOINTS), keep)
    return BaseBatch(positions, world, local, offsets, bits, bits)


def test_the_base_pose_is_two_effectors_for_each_joint_as_tolerant_as_it_is_free() -> None:
    given = base(3, keep=0.25)._replace(keep_shape=torch.ones(3, JOINTS))
    asked = effectors(3, 4)
    rows = with_preserved(asked, given, JOINTS)
    assert rows.data.shape == (3, 4 + 2 * JOINTS, 6)
    places, shapes = slice(4, 4 + JOINTS), slice(4 + JOINTS, None)
    assert torch.equal(rows.data[:, :4], asked.data)
    assert torch.equal(rows.data[:, places, :3], given.base_positions)
    assert torch.equal(rows.data[:, shapes], sixd_from_matrices(given.base_local))
    assert rows.tolerance[0, places].tolist() == [0.75] * JOINTS
    assert rows.tolerance[0, shapes].tolist() == [0.0] * JOINTS
    assert rows.kind[0, places].tolist() == [len(KINDS)] * JOINTS
    assert rows.joint[0, shapes].tolist() == list(range(JOINTS))


@pytest.mark.parametrize("id", BASELINES)
def test_what_is_kept_matters(id: str) -> None:
    net, asked = network(id), effectors(2, 3)
    with torch.no_grad():
        free, kept = (net(asked, base(2, keep)).draft for keep in (0.0, 1.0))
    assert not torch.allclose(free, kept)


@pytest.mark.parametrize("id", BASELINES)
def test_shifting_everything_shifts_the_answer(id: str) -> None:
    net, given, asked = network(id), base(2), effectors(2, 5)
    shift = torch.tensor([4.0, -1.0, 2.0])
    data = asked.data.clone()
    data[..., :3] += shift * (asked.kind != KINDS.index("rotation")).unsqueeze(-1)
    with torch.no_grad():
        one = net(asked, given)
        two = net(asked._replace(data=data), given._replace(base_positions=given.base_positions + shift))
    torch.testing.assert_close(two.positions, one.positions + shift, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(two.local, one.local, atol=1e-4, rtol=1e-4)


@pytest.mark.sweep("fcnn")
@pytest.mark.parametrize("id", BASELINES)
def test_the_exported_model_answers_as_torch_does(id: str) -> None:
    net, given, asked = network(id), base(3), effectors(3, 6)
    inputs = {name: t.numpy() for name, t in {**asked._asdict(), **given._asdict()}.items()}
    session = onnxruntime.InferenceSession(onnx_bytes(net))
    wanted = {entry.name for entry in session.get_inputs()}
    answers = session.run(["draft", "rotations_6d"], {name: inputs[name] for name in wanted})
    with torch.no_grad():
        said = net(asked, given)
    np.testing.assert_allclose(answers[0], said.draft.numpy(), atol=2e-5)
    np.testing.assert_allclose(answers[1], said.rotations_6d.numpy(), atol=2e-5)


@pytest.mark.parametrize("id", BASELINES)
def test_the_sizes_are_told_by_the_tensors(id: str) -> None:
    state = network(id).state_dict()
    again = make(id, JOINTS, shape_of(state, id))
    again.load_state_dict(state)
    assert torch.equal(
        again.state_dict()["position_decoder.blocks.0.first.weight"], state["position_decoder.blocks.0.first.weight"]
    )
