"""The losses of pose edition (Victor et al., equations 1 and 2), of the autoencoder and of every solver at once."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import NamedTuple

import torch
from torch import Tensor

from solver.networks.geometry import tree_levels
from solver.networks.pose_edition import SETS, EditPrediction
from solver.rig.roles import ENDS, SMPL_ROLES
from solver.training.data.edit_sampler import EditExamples

BONE_M = 0.1  # a length off by so many metres counts as much as a number off by one deviation


class EditLosses(NamedTuple):
    """Scalars, in squared standard deviations of the data's numbers.

    rebuilt: L_ae. solved: L_s summed over the solvers. bones: of both. fixed: of the targets once bones have their
    lengths, summed over the solvers. total: what is minimised.
    """

    rebuilt: Tensor
    solved: Tensor
    bones: Tensor
    fixed: Tensor
    total: Tensor


def edit_losses(
    prediction: EditPrediction,
    examples: EditExamples,
    parents: tuple[int, ...],
    rest_weight: float = 0.01,
    bone_weight: float = 0.0,
    fixed_weight: float = 0.0,
) -> EditLosses:
    """rest_weight: k, the weight of the joints without a target. Both sorts of joints count by their mean. bone_weight:
    of lengths that differ from the start pose's. fixed_weight: of targets that are missed once bones have their
    lengths. These two are 0 in the paper."""
    rebuilt, each = prediction.rebuilt.float(), prediction.each.float()
    off_start = ((rebuilt - examples.edits.start) / examples.deviation).square().mean()
    off = ((each - examples.goal) / examples.deviation).square().mean(dim=(1, 3))  # (S, J)
    straight = with_lengths(each, examples.edits.start, parents)
    off_then = ((straight - examples.goal) / examples.deviation).square().mean(dim=(1, 3))
    solved, fixed = off.new_zeros(()), off.new_zeros(())
    for one, then, targets in zip(off, off_then, SETS.values(), strict=True):
        on = [SMPL_ROLES.index(ENDS[t]) for t in targets]
        fixed = fixed + then[on].mean()
        rest = [j for j in range(off.shape[1]) if j not in on]
        solved = solved + one[on].mean() + rest_weight * one[rest].mean()  # equation (2)
    pairs = rigid_pairs(parents)
    wanted = lengths(examples.edits.start, pairs)
    wrong = torch.cat([rebuilt.unsqueeze(0), each])
    bones = ((lengths(wrong, pairs) - wanted) / BONE_M).square().mean(dim=(1, 2)).sum()
    total = off_start + solved + bone_weight * bones + fixed_weight * fixed
    return EditLosses(off_start, solved, bones, fixed, total)


def with_lengths(positions: Tensor, start: Tensor, parents: tuple[int, ...]) -> Tensor:
    """(..., B, J, 3) with bones as long as those of start (B, J, 3), from the root to the tips: FABRIK's backward step.

    Bones that meet in one joint may shear, which rigid ones cannot.
    """
    levels = ((0,), *tree_levels(parents))
    order = [joint for level in levels for joint in level]
    pairs = tuple((joint, parents[joint]) for joint in order[1:])
    sizes = [len(level) for level in levels]
    long = lengths(start, pairs).unsqueeze(-1).split(sizes[1:], dim=-2)
    root, *at = positions[..., order, :].split(sizes, dim=-2)
    place = [root]
    for above, level, wanted, its_length in zip(levels, levels[1:], at, long, strict=False):
        carrier = place[-1][..., [above.index(parents[joint]) for joint in level], :]
        way = wanted - carrier
        place.append(carrier + way * (its_length * inverse_length(way)))
    return torch.cat(place, dim=-2)[..., [order.index(joint) for joint in range(len(order))], :]


def inverse_length(way: Tensor) -> Tensor:
    """(..., 1) one over the length of (..., 3), large but finite at zero."""
    return (way.square().sum(dim=-1, keepdim=True) + 1e-12).rsqrt()


@cache
def rigid_pairs(parents: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """The joints whose distance no pose changes: those of a bone, and those that hang from the same joint."""
    bones = [(joint, parent) for joint, parent in enumerate(parents) if parent >= 0]
    return (*bones, *((a, b) for (a, p), (b, q) in combinations(bones, 2) if p == q))


def lengths(positions: Tensor, pairs: tuple[tuple[int, int], ...]) -> Tensor:
    """(..., P) metres between the joints of each pair, of positions (..., J, 3)."""
    apart = differences(pairs, positions.shape[-2]).to(positions)
    return ((apart @ positions).square().sum(dim=-1) + 1e-12).sqrt()  # a product trains faster than picking rows


@cache
def differences(pairs: tuple[tuple[int, int], ...], joints: int) -> Tensor:
    """(P, J), 1 for one joint of a pair and -1 for the other."""
    apart = torch.zeros(len(pairs), joints)
    for row, (one, other) in enumerate(pairs):
        apart[row, one], apart[row, other] = 1.0, -1.0
    return apart
