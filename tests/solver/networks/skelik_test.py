"""SKEL-IK: what is asked is met, what is kept stays, whatever the place and the heading."""

from __future__ import annotations

import io

import numpy as np
import onnxruntime
import pytest
import torch
from torch import Tensor

from solver.kinematics.skeleton import SMPL_PARENTS
from solver.networks.base_batch import BaseBatch
from solver.networks.base_network import PosedPrediction
from solver.networks.effector_batch import AIM, POSITION, ROTATION, EffectorBatch
from solver.networks.geometry import forward_kinematics, geodesic_angle, matrices_from_6d, sixd_from_matrices
from solver.networks.joint_constraints import joint_constraints
from solver.networks.residual import NetworkShape
from solver.networks.skeletal.skelik import SkelIK
from solver.networks.tensor_file import shape_of
from solver.networks.torch_model import input_names
from solver.rig.roles import SMPL_ROLES, Role
from solver.training.data.augmentation import turn_about_vertical
from solver.training.export.onnx_model import conditions_of, onnx_bytes

JOINTS = 22
PARENTS = SMPL_PARENTS[:JOINTS]
SHAPE = NetworkShape(width=16, embedding=6)
UP = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)


def at(role: Role) -> int:
    return SMPL_ROLES.index(role)


def network(seed: int = 0) -> SkelIK:
    """With decoders that say something: as they start they say next to nothing."""
    torch.manual_seed(seed)
    made = SkelIK(JOINTS, SHAPE).eval()
    with torch.no_grad():
        for decoder, outputs in ((made.position_decoder, 3), (made.rotation_decoder, 6)):
            decoder[2].weight[:outputs].mul_(10.0)
    return made


def base(batch: int = 3, place: float = 0.0, shape: float = 0.0) -> BaseBatch:
    generator = torch.Generator().manual_seed(5)
    local = matrices_from_6d(torch.tensor(UP) + 0.3 * torch.randn(batch, JOINTS, 6, generator=generator))
    offsets = 0.2 * torch.randn(batch, JOINTS, 3, generator=generator)
    root = torch.randn(batch, 3, generator=generator)
    positions, world = forward_kinematics(PARENTS, offsets, root, local)
    keep = torch.full((batch, JOINTS), place), torch.full((batch, JOINTS), shape)
    return BaseBatch(positions, world, local, offsets, *keep)


def asked(*rows: tuple[int, Role, Tensor, float], batch: int = 3) -> EffectorBatch:
    """(kind, role, six numbers, tolerance) of each effector, the same for all of the batch."""
    return EffectorBatch(
        torch.stack([data for _, _, data, _ in rows]).expand(batch, -1, -1),
        torch.tensor([tolerance for *_, tolerance in rows]).expand(batch, -1),
        torch.tensor([at(role) for _, role, _, _ in rows]).expand(batch, -1),
        torch.tensor([kind for kind, *_ in rows]).expand(batch, -1),
    )


def place(x: float, y: float, z: float) -> Tensor:
    return torch.tensor([x, y, z, 0.0, 0.0, 0.0])


TURN = torch.tensor([0.0, 0.0, -1.0, 0.0, 1.0, 0.0])
SOME = asked((POSITION, Role.LEFT_WRIST, place(0.4, 1.2, 0.3), 0.0), (ROTATION, Role.HEAD, TURN, 0.0))


@torch.no_grad()
def solved(net: SkelIK, effectors: EffectorBatch, given: BaseBatch) -> PosedPrediction:
    return net(effectors, given)


def test_the_pose_that_it_says_is_that_of_its_rotations() -> None:
    given = base()
    said = solved(network(), SOME, given)
    local = matrices_from_6d(said.rotations_6d)
    positions, world = forward_kinematics(PARENTS, given.offsets, said.draft[:, 0], local)
    torch.testing.assert_close(said.positions, positions, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(said.world, world, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(said.local, local, atol=1e-5, rtol=1e-4)


def test_a_strict_rotation_is_taken_whatever_the_parents_do() -> None:
    effectors = asked((ROTATION, Role.LEFT_WRIST, TURN, 0.0), (ROTATION, Role.PELVIS, TURN, 0.0))
    said = solved(network(), effectors, base())
    wanted = matrices_from_6d(TURN)
    assert geodesic_angle(said.world[:, [at(Role.PELVIS), at(Role.LEFT_WRIST)]], wanted).max() < 1e-3


def test_a_tolerant_rotation_gives_way() -> None:
    wanted = matrices_from_6d(TURN)
    off = []
    for tolerance in (0.0, 0.3, 0.7, 1.0):
        said = solved(network(), asked((ROTATION, Role.LEFT_WRIST, TURN, tolerance)), base())
        off.append(float(geodesic_angle(said.world[:, at(Role.LEFT_WRIST)], wanted).mean()))
    assert off == sorted(off)
    assert off[3] > 0.2


def test_a_strict_place_of_the_pelvis_is_taken() -> None:
    said = solved(network(), asked((POSITION, Role.PELVIS, place(0.3, 0.9, -0.2), 0.0)), base())
    torch.testing.assert_close(said.positions[:, 0], torch.tensor([0.3, 0.9, -0.2]).expand(3, 3), atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("role", [Role.PELVIS, Role.LEFT_WRIST])
def test_a_joint_of_which_only_the_place_is_asked_still_finds_its_rotation(role: Role) -> None:
    """Its rotation answers to what is asked of others, so it is not shut together with the place."""
    net, given = network(), base()
    here = (POSITION, role, place(0.2, 1.0, 0.1), 0.0)
    one = solved(net, asked(here, (POSITION, Role.RIGHT_FOOT, place(0.0, 0.1, 0.0), 0.0)), given)
    two = solved(net, asked(here, (POSITION, Role.RIGHT_FOOT, place(0.0, 0.1, 0.9), 0.0)), given)
    assert geodesic_angle(one.local[:, at(role)], two.local[:, at(role)]).max() > 1e-4


@pytest.mark.parametrize("role", [Role.PELVIS, Role.LEFT_WRIST])
def test_a_look_at_moves_the_joint_itself(role: Role) -> None:
    net, given = network(), base()
    ahead = torch.tensor([0.0, 1.0, 4.0, 0.0, 0.0, 1.0])
    aside = torch.tensor([4.0, 1.0, 0.0, 0.0, 0.0, 1.0])
    one, two = (solved(net, asked((AIM, role, target, 0.0)), given) for target in (ahead, aside))
    assert geodesic_angle(one.local[:, at(role)], two.local[:, at(role)]).max() > 1e-4


def test_a_fully_constrained_joint_hears_nothing_of_others() -> None:
    """Neither its draft place nor its turn in the world changes by what is asked elsewhere."""
    net, given = network(), base()
    fixed = ((POSITION, Role.LEFT_HIP, place(0.1, 0.9, 0.0), 0.0), (ROTATION, Role.LEFT_HIP, TURN, 0.0))
    one = solved(net, asked(*fixed, (POSITION, Role.HEAD, place(0.0, 1.6, 0.0), 0.0)), given)
    two = solved(net, asked(*fixed, (POSITION, Role.HEAD, place(0.6, 1.2, 0.0), 0.0)), given)
    hip = at(Role.LEFT_HIP)
    torch.testing.assert_close(one.draft[:, hip], two.draft[:, hip], atol=1e-6, rtol=0)
    torch.testing.assert_close(one.world[:, hip], two.world[:, hip], atol=1e-5, rtol=0)
    assert not torch.allclose(one.draft[:, at(Role.NECK)], two.draft[:, at(Role.NECK)])


def test_what_is_kept_of_a_constrained_joint_does_not_matter() -> None:
    net, given = network(), base()
    wrist = at(Role.LEFT_WRIST)
    keep = given.keep_place.clone()
    keep[:, wrist] = 1.0
    assert torch.equal(solved(net, SOME, given).draft, solved(net, SOME, given._replace(keep_place=keep)).draft)


def test_control_bits_of_free_joints_do_matter() -> None:
    net = network()
    free, placed, shaped = (solved(net, SOME, base(place=p, shape=s)).rotations_6d for p, s in ((0, 0), (1, 0), (0, 1)))
    assert not torch.allclose(free, placed)
    assert not torch.allclose(free, shaped)
    assert not torch.allclose(placed, shaped)


def test_the_more_of_its_shape_is_kept_the_less_a_joint_turns_against_its_parent() -> None:
    net = network()
    free = [j for j in range(JOINTS) if j not in (at(Role.LEFT_WRIST), at(Role.HEAD))]
    off = []
    for shape in np.linspace(0.0, 1.0, 21):
        given = base(shape=float(shape))
        off.append(float(geodesic_angle(solved(net, SOME, given).local, given.base_local)[:, free].mean()))
    assert off == sorted(off, reverse=True)
    assert off[-1] < 0.15 * off[0]
    assert np.abs(np.diff(off)).max() < 0.15 * off[0], "no jump on the way"


def test_a_trunk_that_is_to_stay_in_place_stays_over_a_pelvis_that_turns() -> None:
    net = network()
    ahead = asked((ROTATION, Role.PELVIS, torch.tensor(UP), 0.0), (POSITION, Role.PELVIS, place(0.0, 1.0, 0.0), 0.0))
    aside = asked((ROTATION, Role.PELVIS, TURN, 0.0), (POSITION, Role.PELVIS, place(0.0, 1.0, 0.0), 0.0))
    collar = at(Role.LEFT_COLLAR)

    def turned(keep: float) -> float:
        one, two = (solved(net, each, base(place=keep)).world[:, collar] for each in (ahead, aside))
        return float(geodesic_angle(one, two).mean())

    assert turned(1.0) < 0.3 * turned(0.0)


def test_the_limb_of_a_joint_that_is_given_a_place_need_not_stay_in_place() -> None:
    net, given = network(), base(place=1.0)
    elbow, other = at(Role.LEFT_ELBOW), at(Role.RIGHT_ELBOW)
    said = solved(net, asked((POSITION, Role.LEFT_WRIST, place(0.4, 1.2, 0.3), 0.0)), given)
    off = geodesic_angle(said.world, given.base_world).mean(dim=0)
    assert off[other] < 0.5 * off[elbow]


def test_turning_and_shifting_everything_turns_and_shifts_the_answer() -> None:
    net, given = network(), base()
    angles = torch.tensor([0.4, 2.0, -2.7])
    turn = turn_about_vertical(torch.eye(3).expand(3, 1, 3, 3), angles)[:, 0]
    shift = torch.tensor([3.0, -0.5, 7.0])

    def moved(points: Tensor) -> Tensor:
        return points @ turn.transpose(-1, -2) + shift

    local = torch.cat([(turn @ given.base_local[:, 0]).unsqueeze(1), given.base_local[:, 1:]], dim=1)
    elsewhere = given._replace(
        base_positions=moved(given.base_positions), base_world=turn.unsqueeze(1) @ given.base_world, base_local=local
    )
    data = SOME.data.clone()
    data[:, 0, :3] = moved(data[:, :1, :3])[:, 0]
    data[:, 1] = sixd_from_matrices(turn @ matrices_from_6d(data[:, 1]))
    one, two = solved(net, SOME, given), solved(net, SOME._replace(data=data), elsewhere)
    torch.testing.assert_close(two.positions, moved(one.positions), atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(two.local[:, 1:], one.local[:, 1:], atol=1e-4, rtol=1e-3)


def test_a_base_pose_upside_down_gives_a_pose_too() -> None:
    given = base()
    over = torch.diag(torch.tensor([1.0, -1.0, -1.0])).expand(3, 3, 3)
    local = torch.cat([over.unsqueeze(1), given.base_local[:, 1:]], dim=1)
    positions, world = forward_kinematics(PARENTS, given.offsets, given.base_positions[:, 0], local)
    said = solved(network(), SOME, given._replace(base_positions=positions, base_world=world, base_local=local))
    assert torch.isfinite(said.positions).all()


def test_several_effectors_of_a_kind_on_a_joint_count_as_their_mean() -> None:
    twice = asked(
        (POSITION, Role.HEAD, place(0.0, 1.0, 0.0), 0.0), (POSITION, Role.HEAD, place(1.0, 2.0, 0.0), 0.5), batch=1
    )
    found = joint_constraints(twice, JOINTS)
    head = at(Role.HEAD)
    assert found.place[0, head].tolist() == [0.5, 1.5, 0.0]
    assert found.asked[0, head].tolist() == [1.0, 0.0, 0.0]
    assert float(found.strict[0, head, 0]) == 0.75
    assert float(found.asked.sum()) == 1.0


@pytest.fixture(scope="module")
def exported() -> tuple[SkelIK, bytes]:
    net = network()
    return net, onnx_bytes(net)


@pytest.mark.slow
@pytest.mark.parametrize(("batch", "count"), [(1, 1), (4, 7)])
def test_the_exported_model_answers_as_torch_does(exported: tuple[SkelIK, bytes], batch: int, count: int) -> None:
    net, model = exported
    assert conditions_of(model) == BaseBatch._fields
    generator = torch.Generator().manual_seed(9)
    effectors = EffectorBatch(
        torch.randn(batch, count, 6, generator=generator),
        torch.rand(batch, count, generator=generator),
        torch.randint(JOINTS, (batch, count), generator=generator),
        torch.randint(3, (batch, count), generator=generator),
    )
    given = base(batch, place=0.3, shape=0.8)
    inputs = {name: t.numpy() for name, t in {**effectors._asdict(), **given._asdict()}.items()}
    session = onnxruntime.InferenceSession(model)
    assert {entry.name for entry in session.get_inputs()} == set(input_names(net))
    draft, rotations = session.run(["draft", "rotations_6d"], inputs)
    said = solved(net, effectors, given)
    np.testing.assert_allclose(draft, said.draft.numpy(), atol=2e-5)
    np.testing.assert_allclose(rotations, said.rotations_6d.numpy(), atol=2e-5)


def test_the_sizes_are_told_by_the_tensors() -> None:
    buffer = io.BytesIO()
    torch.save(network().state_dict(), buffer)
    assert shape_of(network().state_dict(), "skelik") == NetworkShape(width=16, embedding=6)
