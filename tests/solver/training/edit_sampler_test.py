"""Edits to learn from: two poses of one clip, or a pose pulled about; and what their losses weigh."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.evaluation.body_joints import BODY_JOINTS
from solver.kinematics.skeleton import SMPL_PARENTS
from solver.networks.pose_edition import EditPrediction
from solver.rig.mirroring import mirror_order
from solver.rig.roles import ENDS, SMPL_ROLES, Role
from solver.training.data.bodies import fixed_skeleton
from solver.training.data.edit_sampler import EditSampler, seen_positions
from solver.training.data.synthetic import synthetic_poses
from solver.training.losses.edit_losses import edit_losses, lengths, rigid_pairs, with_lengths

PARENTS = SMPL_PARENTS[:22]
BODIES = fixed_skeleton(load_body("anny").skeleton(BodyShape()), BODY_JOINTS)
DATA = replace(synthetic_poses(500), root_positions=np.tile(np.float32([3.0, 0.9, -2.0]), (500, 1)))
SPREAD = torch.full((22, 3), 0.2)


def draws(share: float = 0.0) -> EditSampler:
    return EditSampler.of(DATA, "train", PARENTS, BODIES, 1e-3, share)


def generator(seed: int = 1) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_poses_are_seen_from_below_the_pelvis_facing_as_it_does() -> None:
    seen = seen_positions(DATA, "train", PARENTS, BODIES)
    assert len(seen) == len(DATA.frames_of("train"))
    assert seen[:, 0, [0, 2]].abs().max() < 1e-6
    assert seen[:, 0, 1] == pytest.approx(0.9)
    across = seen[:, SMPL_ROLES.index(Role.LEFT_HIP)] - seen[:, SMPL_ROLES.index(Role.RIGHT_HIP)]
    assert (across[:, 0] > across[:, 2].abs()).all()
    pairs = rigid_pairs(PARENTS)
    torch.testing.assert_close(lengths(seen, pairs), lengths(seen[:1], pairs).expand(len(seen), -1))


def test_an_edit_goes_from_one_pose_of_a_clip_to_another_of_it() -> None:
    made, seen = draws(), seen_positions(DATA, "train", PARENTS, BODIES)
    examples = made.draw(64, generator())
    clips = DATA.frame_clip[DATA.frames_of("train")]
    mirrored = seen[:, list(mirror_order(DATA.joint_names))] * torch.tensor([-1.0, 1.0, 1.0])
    both, flipped = torch.cat([seen, mirrored]), set()
    for start, goal in zip(examples.edits.start, examples.goal, strict=True):
        at, to = ((both - pose).abs().amax(dim=(1, 2)).argmin() for pose in (start, goal))
        assert (both[at] - start).abs().max() < 1e-6
        assert (both[to] - goal).abs().max() < 1e-6
        assert at // len(seen) == to // len(seen), "both are seen in the mirror or neither"
        assert clips[at % len(seen)] == clips[to % len(seen)]
        flipped.add(int(at // len(seen)))
    assert flipped == {0, 1}
    ends = [SMPL_ROLES.index(role) for role in ENDS]
    assert torch.equal(examples.edits.targets, examples.goal[:, ends])
    assert examples.edits.asked.min() == 1.0


def test_some_edits_pull_the_start_pose_about() -> None:
    examples = draws(1.0).draw(64, generator())
    away = (examples.goal - examples.edits.start).norm(dim=-1)
    ends = [SMPL_ROLES.index(role) for role in ENDS]
    others = [j for j in range(22) if j not in ends]
    assert away[:, others].max() == 0.0
    assert 0.1 < (away[:, ends] == 0.0).float().mean() < 0.5
    assert away[:, ends].max() > 0.2


def test_draws_depend_on_the_generator_alone_and_are_shared_among_workers() -> None:
    one, two = (draws(0.5).draw(8, generator(4)) for _ in range(2))
    assert torch.equal(one.goal, two.goal)
    first, second = one.part(0, 2), one.part(1, 2)
    assert torch.equal(torch.cat([first.goal, second.goal]), one.goal)
    assert torch.equal(torch.cat([first.edits.start, second.edits.start]), one.edits.start)


def test_a_perfect_answer_costs_nothing() -> None:
    examples = draws().draw(6, generator())
    each = examples.goal.expand(4, -1, -1, -1)
    found = edit_losses(EditPrediction(examples.goal, examples.edits.start, each), examples, PARENTS, 0.01, 1.0, 1.0)
    assert found.total < 1e-6


def test_a_target_that_is_missed_counts_a_hundred_times_what_another_joint_does() -> None:
    examples = draws().draw(6, generator())

    def solved(role: Role) -> float:
        each = examples.goal.repeat(4, 1, 1, 1)
        each[3, :, SMPL_ROLES.index(role)] += 0.1
        return float(edit_losses(EditPrediction(each[3], examples.edits.start, each), examples, PARENTS, 0.01).total)

    assert solved(Role.HEAD) > 100 * solved(Role.NECK)


def test_bones_of_the_wrong_length_count_as_far_as_the_setting_says() -> None:
    examples = draws().draw(6, generator())
    each = 1.1 * examples.goal.repeat(4, 1, 1, 1)
    said = EditPrediction(each[3], examples.edits.start, each)
    plain, heavy = (edit_losses(said, examples, PARENTS, 0.01, weight) for weight in (0.0, 2.0))
    assert heavy.total - plain.total == pytest.approx(float(2.0 * plain.bones), rel=1e-4)
    assert plain.bones > 0.01


def test_given_their_lengths_bones_point_where_they_did_as_far_as_they_can() -> None:
    start = draws().draw(6, generator()).edits.start
    fixed = with_lengths(1.2 * start, start, PARENTS)
    bones = tuple((joint, parent) for joint, parent in enumerate(PARENTS) if parent >= 0)
    torch.testing.assert_close(lengths(fixed, bones), lengths(start, bones), atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(fixed[:, 0], 1.2 * start[:, 0])
    torch.testing.assert_close(with_lengths(start, start, PARENTS), start, atol=1e-4, rtol=1e-4)
