"""Messages run along the skeleton as SKEL-IK's equations 3 to 6 say, at three resolutions."""

from __future__ import annotations

import torch
from torch import Tensor

from solver.kinematics.skeleton import SMPL_PARENTS
from solver.networks.skeletal.skeletal_step import HEADS, KEY_WIDTH, SkeletalStep, attention_weights, identities
from solver.networks.skeletal.skeletal_transformer import (
    BODY,
    JOINT,
    LIMB,
    ORDER,
    Nodes,
    SkeletalTransformer,
    routes,
    spreads,
)
from solver.networks.skeleton_levels import levels, shared_joints
from solver.rig.roles import SMPL_ROLES, Role

JOINTS, WIDTH, EMBEDDING = 22, 8, 5
LEVELS = levels(tuple(SMPL_ROLES[:JOINTS]), SMPL_PARENTS[:JOINTS])


def at(role: Role) -> int:
    return SMPL_ROLES.index(role)


def nodes(count: int, confidence: Tensor, free: float = 1.0, batch: int = 1, seed: int = 0) -> Nodes:
    generator = torch.Generator().manual_seed(seed)
    return Nodes(
        torch.randn(count * batch, WIDTH, generator=generator),
        torch.randn(count * batch, EMBEDDING, generator=generator),
        torch.full((count * batch, WIDTH), free),
        confidence.expand(batch, -1),
    )


def stepped(given: Nodes, *steps: SkeletalStep) -> Tensor:
    """The states after these steps, with the same confidence at each."""
    told = attention_weights(steps, given.embedding, given.embedding, given.confidence.expand(len(steps), -1, -1))
    state = given.state
    for step, heard, identity in zip(steps, told, identities(steps, given.embedding), strict=True):
        state = step(state, state, given.free, heard, identity)
    return state


def test_neighbours_are_what_bones_connect_at_every_level() -> None:
    joint, limb, body = (level.adjacency for level in LEVELS)
    assert joint[at(Role.LEFT_ELBOW)].nonzero().flatten().tolist() == [
        at(Role.LEFT_SHOULDER), at(Role.LEFT_ELBOW), at(Role.LEFT_WRIST)
    ]  # fmt: skip
    assert joint.sum() == JOINTS + 2 * (JOINTS - 1)
    assert limb.tolist() == limb.T.tolist()
    assert limb.sum(dim=1).tolist() == [4, 4, 2, 2, 2, 2]  # hips, spine, arms, legs; each beside itself
    assert body.tolist() == [[1, 1], [1, 1]]


def test_every_joint_belongs_to_one_limb_and_one_half_of_the_body() -> None:
    _, limb, body = LEVELS
    assert limb.members.sum(dim=0).tolist() == [1] * JOINTS
    assert body.members.sum(dim=0).tolist() == [1] * JOINTS
    upper = body.members[0] > 0
    assert upper[at(Role.HEAD)]
    assert upper[at(Role.RIGHT_WRIST)]
    assert not upper[at(Role.PELVIS)]
    assert not upper[at(Role.LEFT_FOOT)]
    assert shared_joints(limb, body).argmax(dim=1).tolist() == [1, 0, 0, 0, 1, 1]


def test_there_are_six_steps_at_the_joints_four_at_the_limbs_and_two_at_the_body() -> None:
    assert [ORDER.count(level) for level in (JOINT, LIMB, BODY)] == [6, 4, 2]


def test_a_step_follows_equations_3_and_4() -> None:
    torch.manual_seed(0)
    reach = torch.tensor([[1.0, 1, 0], [1, 1, 1], [0, 1, 1]])
    step = SkeletalStep(reach, WIDTH, EMBEDDING)
    given = nodes(3, torch.tensor([1.0, 0.25, 0.0]), free=0.5)
    state, embedding = given.state, given.embedding

    message = torch.zeros(3, WIDTH)
    part = WIDTH // HEADS
    for head in range(HEADS):
        keys = slice(head * KEY_WIDTH, (head + 1) * KEY_WIDTH)
        score = step.query(embedding)[:, keys] @ step.key(embedding)[:, keys].T / KEY_WIDTH**0.5
        attention = torch.softmax(score.masked_fill(reach == 0, -torch.inf), dim=1)
        heard = given.confidence[0].expand(3, 3).clone().fill_diagonal_(1.0)
        mine = slice(head * part, (head + 1) * part)
        message[:, mine] = (attention * heard) @ step.value(state)[:, mine]  # (3)
    hidden = torch.relu(step.inner(message) + step.identity(embedding))
    expected = state + 0.5 * step.norm(step.outer(hidden))  # (4)
    torch.testing.assert_close(stepped(given, step), expected)


def test_a_constrained_node_keeps_its_state_to_the_bit() -> None:
    step = SkeletalStep(torch.ones(3, 3), WIDTH, EMBEDDING)
    given = nodes(3, torch.ones(3))
    given.free[1] = 0.0
    after = stepped(given, step)
    assert torch.equal(after[1], given.state[1])
    assert not torch.equal(after[0], given.state[0])


def test_steps_that_are_prepared_together_do_what_each_does_alone() -> None:
    torch.manual_seed(0)
    steps = [SkeletalStep(LEVELS[LIMB].adjacency, WIDTH, EMBEDDING) for _ in range(3)]
    given = alone = nodes(6, torch.rand(2, 6), free=0.7, batch=2)
    for step in steps:
        alone = alone._replace(state=stepped(alone, step))
    torch.testing.assert_close(stepped(given, *steps), alone.state)


def test_nothing_is_heard_of_a_node_that_is_no_neighbour_or_of_no_confidence() -> None:
    step = SkeletalStep(torch.tensor([[1.0, 1, 0], [1, 1, 1], [0, 1, 1]]), WIDTH, EMBEDDING)
    given = nodes(3, torch.tensor([1.0, 1.0, 0.0]))
    other = given._replace(state=given.state + torch.tensor([0.0, 0, 1]).reshape(3, 1))
    before, after = stepped(given, step), stepped(other, step)
    assert torch.equal(before[0], after[0])  # not next to it
    torch.testing.assert_close(before[1], after[1])  # next to it, but it is not sure of anything
    sure = other._replace(confidence=torch.ones(1, 3))
    assert not torch.allclose(stepped(sure, step)[1], before[1])


def test_confidence_grows_by_one_bone_a_step_and_never_beyond_one() -> None:
    mask = torch.zeros(1, JOINTS)
    mask[0, at(Role.LEFT_WRIST)] = 1.0
    steps = (mask @ spreads(LEVELS[:1], (JOINT,) * 4)[JOINT, JOINT]).clamp(max=1.0)
    reached = [set(step[0].nonzero().flatten().tolist()) for step in steps]
    assert reached[0] == {at(Role.LEFT_WRIST)}
    assert reached[1] - reached[0] == {at(Role.LEFT_ELBOW)}
    assert reached[2] - reached[1] == {at(Role.LEFT_SHOULDER)}
    assert reached[3] - reached[2] == {at(Role.LEFT_COLLAR)}
    assert steps.max() == 1.0


def test_confidence_cut_off_at_the_end_is_that_of_equation_6_cut_off_at_every_step() -> None:
    counts = [len(level.adjacency) for level in LEVELS]
    begin = torch.rand(5, sum(counts), generator=torch.Generator().manual_seed(2)) ** 4
    at_level = list(begin.split(counts, dim=1))
    expected: dict[tuple[int, int], list[Tensor]] = {}
    for target, other in routes(ORDER):
        both = [at_level[target]] if other == target else [at_level[target], at_level[other]]
        expected.setdefault((target, other), []).append(torch.cat(both, dim=1))
        if other == target:
            at_level[target] = (at_level[target] @ LEVELS[target].adjacency.T).clamp(max=1.0)  # (6)
        else:
            heard = at_level[other] @ shared_joints(LEVELS[target], LEVELS[other]).T
            at_level[target] = (at_level[target] + heard.clamp(max=1.0)).clamp(max=1.0)
    found = spreads(LEVELS, ORDER)
    assert found.keys() == expected.keys()
    for route, spread in found.items():
        torch.testing.assert_close((begin @ spread).clamp(max=1.0), torch.stack(expected[route]))


def test_what_a_wrist_says_reaches_the_other_foot_through_the_body() -> None:
    torch.manual_seed(0)
    network = SkeletalTransformer(LEVELS, WIDTH, EMBEDDING)
    mask = torch.zeros(JOINTS)
    mask[at(Role.LEFT_WRIST)] = 1.0

    def feet(wrist: float) -> Tensor:
        given = []
        for level in LEVELS:
            count = len(level.adjacency)
            given.append(nodes(count, (level.members @ mask).clamp(max=1.0), seed=3))
        given[JOINT].state[at(Role.LEFT_WRIST)] += wrist
        return network(tuple(given))[at(Role.RIGHT_FOOT)]

    assert not torch.allclose(feet(0.0), feet(1.0))
