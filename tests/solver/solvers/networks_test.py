"""The networks compute the papers' equations, in any order of effectors, any number of them, anywhere in the world."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from solver.networks.effector_batch import AIM, POSITION, ROTATION, EffectorBatch
from solver.networks.masked_fcr import MaskedFCR
from solver.networks.proto_encoder import ProtoEncoder
from solver.networks.protores import ProtoRes
from solver.networks.residual import NetworkShape, ResidualBlock, ResidualDecoder
from solver.networks.smplik import SmplIK
from solver.networks.transformer import TransformerIK

JOINTS = 22
SMALL = NetworkShape(width=32, blocks=3, layers=3, embedding=8)
NETWORKS = (ProtoRes, SmplIK, MaskedFCR, TransformerIK)


def effectors(batch: int, count: int, seed: int = 0) -> EffectorBatch:
    generator = torch.Generator().manual_seed(seed)
    pairs = torch.rand(batch, JOINTS * 3, generator=generator).topk(count).indices
    kind = pairs % 3
    kind[:, 0] = POSITION
    data = torch.randn(batch, count, 6, generator=generator)
    data[..., 3:] *= (kind != POSITION).unsqueeze(-1)
    return EffectorBatch(data, torch.rand(batch, count, generator=generator), pairs // 3, kind)


def network(kind: type[nn.Module]) -> nn.Module:
    torch.manual_seed(1)
    return kind(JOINTS, SMALL).eval()


def solved(net: nn.Module, problem: EffectorBatch) -> tuple[Tensor, Tensor]:
    batch = len(problem.data)
    with torch.no_grad():
        return net(problem, torch.linspace(-1, 1, 10).expand(batch, -1), torch.ones(batch, dtype=torch.int64))


def linear(layer: nn.Linear, x: Tensor) -> Tensor:
    return x @ layer.weight.T + layer.bias


def test_the_encoder_follows_equations_2_to_5_for_two_effectors() -> None:
    torch.manual_seed(0)
    encoder = ProtoEncoder(5, NetworkShape(width=4, blocks=2, layers=2)).double()
    one, two = torch.randn(2, 5, dtype=torch.float64)

    def block(number: int, x: Tensor) -> tuple[Tensor, Tensor]:
        part = encoder.blocks[number]
        both = linear(part.first, x)
        h = torch.relu(linear(part.hidden[0], torch.relu(both[:4])))  # (3): two layers
        return torch.relu(both[4:] + h), linear(part.forward_output, h)  # (4)

    (b_one, f_one), (b_two, f_two) = block(0, one), block(0, two)
    p = (f_one + f_two) / 2  # (5)
    (_, g_one), (_, g_two) = block(1, torch.relu(b_one - p)), block(1, torch.relu(b_two - p))  # (2)
    expected = p + (g_one + g_two) / 2
    torch.testing.assert_close(encoder(torch.stack([one, two]).unsqueeze(0))[0], expected.float())


def test_the_third_block_subtracts_half_of_what_two_blocks_gathered() -> None:
    torch.manual_seed(0)
    encoder = ProtoEncoder(5, NetworkShape(width=4, blocks=3, layers=2))
    x = torch.randn(1, 2, 5)
    b, f = encoder.blocks[0](x)
    p = f.mean(1)
    b, f = encoder.blocks[1](torch.relu(b - p))
    p = p + f.mean(1)
    _, f = encoder.blocks[2](torch.relu(b - p / 2))
    torch.testing.assert_close(encoder(x), p + f.mean(1))


def test_what_a_block_of_the_encoder_passes_on_is_worked_out_once_for_each_problem() -> None:
    encoder = ProtoEncoder(5, SMALL)
    rows: list[int] = []
    for block in encoder.blocks:
        block.forward_output.register_forward_pre_hook(lambda _, given: rows.append(given[0].numel() // SMALL.width))
    encoder(torch.randn(3, 7, 5))
    assert rows == [3, 3, 3]


def test_the_decoder_adds_up_what_its_blocks_say() -> None:
    torch.manual_seed(0)
    decoder = ResidualDecoder(6, 3, NetworkShape(width=4, blocks=2, layers=3))
    x = torch.randn(7, 6)
    residual, first = decoder.blocks[0](x)
    _, second = decoder.blocks[1](residual)
    torch.testing.assert_close(decoder(x), first + second)


def test_a_block_has_as_many_layers_as_asked() -> None:
    assert len(ResidualBlock(3, 3, NetworkShape(width=4, layers=5)).hidden) == 4


@pytest.mark.parametrize("kind", NETWORKS)
def test_the_order_of_effectors_does_not_matter(kind: type[nn.Module]) -> None:
    net, problem = network(kind), effectors(4, 9)
    order = torch.randperm(9, generator=torch.Generator().manual_seed(2))
    draft, rotations = solved(net, problem)
    shuffled_draft, shuffled_rotations = solved(net, EffectorBatch(*(t[:, order] for t in problem)))
    torch.testing.assert_close(shuffled_draft, draft, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(shuffled_rotations, rotations, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("kind", NETWORKS)
def test_shifting_all_targets_shifts_the_answer(kind: type[nn.Module]) -> None:
    net, problem = network(kind), effectors(4, 9)
    shift = torch.tensor([1.5, -0.25, 8.0])
    data = problem.data.clone()
    data[..., :3] += shift * (problem.kind != ROTATION).unsqueeze(-1)
    draft, rotations = solved(net, problem)
    moved_draft, moved_rotations = solved(net, problem._replace(data=data))
    torch.testing.assert_close(moved_draft, draft + shift, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(moved_rotations, rotations, atol=1e-4, rtol=1e-3)


@pytest.mark.parametrize("kind", NETWORKS)
def test_any_number_of_effectors_gives_a_whole_pose(kind: type[nn.Module]) -> None:
    net = network(kind)
    for count in (1, 2, 5, 16, 65, JOINTS * 3):
        draft, rotations = solved(net, effectors(2, count))
        assert draft.shape == (2, JOINTS, 3)
        assert rotations.shape == (2, JOINTS, 6)
        assert torch.isfinite(draft).all()
        assert torch.isfinite(rotations).all()


@pytest.mark.parametrize("only", [ROTATION, AIM])
def test_effectors_without_any_position_still_give_a_pose(only: int) -> None:
    problem = effectors(2, 3)
    draft, _ = solved(network(ProtoRes), problem._replace(kind=torch.full_like(problem.kind, only)))
    assert torch.isfinite(draft).all()


def test_every_part_of_an_effector_is_read() -> None:
    net, problem = network(ProtoRes), effectors(1, 4)
    before = solved(net, problem)[1]
    tolerance = problem.tolerance.clone()
    tolerance[0, 1] += 0.3
    joint = problem.joint.clone()
    joint[0, 1] = (joint[0, 1] + 1) % JOINTS
    for changed in (problem._replace(tolerance=tolerance), problem._replace(joint=joint)):
        assert (solved(net, changed)[1] - before).abs().max() > 1e-4


def test_smplik_heeds_shape_and_gender_and_asks_for_them() -> None:
    net, problem = network(SmplIK), effectors(1, 4)
    with torch.no_grad():
        mean = net(problem, torch.zeros(1, 10), torch.zeros(1, dtype=torch.int64)).rotations_6d
        shaped = net(problem, torch.ones(1, 10), torch.zeros(1, dtype=torch.int64)).rotations_6d
        other = net(problem, torch.zeros(1, 10), torch.ones(1, dtype=torch.int64)).rotations_6d
    assert (shaped - mean).abs().max() > 1e-3
    assert (other - mean).abs().max() > 1e-3
    with pytest.raises(ValueError, match="betas"):
        net(problem)


def test_an_untrained_network_is_not_far_from_the_rest_pose() -> None:
    from solver.networks.geometry import geodesic_angle, matrices_from_6d

    _, rotations = solved(network(ProtoRes), effectors(3, 5))
    assert geodesic_angle(matrices_from_6d(rotations), torch.eye(3)).mean() < 1.0
