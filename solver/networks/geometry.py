"""Rotations and forward kinematics on torch tensors, differentiable and batched.

Matrices act on column vectors; angles are radians; lengths metres; any leading batch shape.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from solver.networks.constant_tensors import select_rows

_EPS = 1e-8
_LARGEST_CHORD = 1.0 - 1e-6  # asin has no gradient at 1


def matrices_from_6d(columns: Tensor) -> Tensor:
    """(..., 6), two columns of any length and angle -> (..., 3, 3) by Gram–Schmidt (ProtoRes equation 14)."""
    return inverses_from_columns(*columns.unsqueeze(-2).split(3, dim=-1)).transpose(-1, -2)


def inverses_from_columns(x: Tensor, y: Tensor) -> Tensor:
    """Like `matrices_from_6d`, from each column as (..., 1, 3), the inverse rotation: its rows are the columns."""
    x = unit(x)
    z = unit(cross(x, y))
    return torch.cat([x, -cross(x, z), z], dim=-2)


def unit(vectors: Tensor) -> Tensor:
    """(..., 3) -> the vectors at length 1, those of length 0 left at 0."""
    if not torch.onnx.is_in_onnx_export():
        return torch.nn.functional.normalize(vectors, dim=-1, eps=_EPS)
    return _Unit.apply(vectors)  # type: ignore[no-any-return, no-untyped-call]


class _Unit(torch.autograd.Function):
    """`unit` as the one operation that ONNX has for it; torch would export five."""

    @staticmethod
    def forward(ctx: Any, vectors: Tensor) -> Tensor:
        """The vectors at length 1."""
        return torch.nn.functional.normalize(vectors, dim=-1, eps=_EPS)

    @staticmethod
    def symbolic(graph: Any, vectors: Any) -> Any:
        """What is exported."""
        return graph.op("LpNormalization", vectors, axis_i=-1, p_i=2).setType(
            vectors.type().with_sizes([None] * (vectors.type().dim() - 1) + [3])
        )


def cross(a: Tensor, b: Tensor) -> Tensor:
    """The cross product of (..., 3) vectors, in as few operations as ONNX allows."""
    if not torch.onnx.is_in_onnx_export():
        return torch.linalg.cross(a, b)
    on, back = torch.eye(3)[[1, 2, 0]].T, torch.eye(3)[[2, 0, 1]].T
    both = (a @ torch.cat([on, back], dim=1)) * (b @ torch.cat([back, on], dim=1))
    return both @ torch.cat([torch.eye(3), -torch.eye(3)])


def sixd_from_matrices(matrices: Tensor) -> Tensor:
    """(..., 3, 3) -> (..., 6): the first column, then the second."""
    return torch.cat([matrices[..., :, 0], matrices[..., :, 1]], dim=-1)


def matrices_from_quaternions_xyzw(quaternions: Tensor) -> Tensor:
    """(..., 4) in x, y, z, w order, of any length but zero -> (..., 3, 3)."""
    x, y, z, w = torch.nn.functional.normalize(quaternions, dim=-1).unbind(-1)
    rows = [
        1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
        2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
        2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y),
    ]  # fmt: skip
    return torch.stack(rows, dim=-1).unflatten(-1, (3, 3))


def matrices_from_euler_zyx(angles: Tensor) -> Tensor:
    """(..., 3) -> (..., 3, 3), R = Rz(angles[0]) · Ry(angles[1]) · Rx(angles[2]) (ProtoRes equations 13 and 17)."""
    (ca, cb, cc), (sa, sb, sc) = torch.cos(angles).unbind(-1), torch.sin(angles).unbind(-1)
    rows = [
        ca * cb, ca * sb * sc - sa * cc, ca * sb * cc + sa * sc,
        sa * cb, sa * sb * sc + ca * cc, sa * sb * cc - ca * sc,
        -sb, cb * sc, cb * cc,
    ]  # fmt: skip
    return torch.stack(rows, dim=-1).unflatten(-1, (3, 3))


def geodesic_angle(a: Tensor, b: Tensor) -> Tensor:
    """Angle of the rotation from a to b, (..., 3, 3) each -> (...), ProtoRes equation 9.

    Written with the chord, |a - b| = 2√2 sin(angle / 2), whose gradient stays finite at 0 and near π.
    """
    chord = ((a - b).square().sum(dim=(-1, -2)) + _EPS**2).sqrt() / 8**0.5
    return 2.0 * torch.asin(chord.clamp(max=_LARGEST_CHORD))


def angle_between(a: Tensor, b: Tensor) -> Tensor:
    """Angle between unit vectors, (..., 3) each -> (...), with a finite gradient everywhere."""
    chord = ((a - b).square().sum(dim=-1) + _EPS**2).sqrt() / 2.0
    return 2.0 * torch.asin(chord.clamp(max=_LARGEST_CHORD))


def tree_levels(parents: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The joints below the root, grouped by their distance from it."""
    depth = [0] * len(parents)
    for joint, parent in enumerate(parents):
        depth[joint] = 0 if parent < 0 else depth[parent] + 1
    return tuple(tuple(j for j, d in enumerate(depth) if d == level) for level in range(1, max(depth, default=0) + 1))


def levels_above(parents: tuple[int, ...]) -> list[tuple[list[int], list[int]]]:
    """For each level below the root its joints, and the places of their parents in the level above."""
    found, row = [], {0: 0}
    for level in tree_levels(parents):
        found.append((list(level), [row[parents[joint]] for joint in level]))
        row = {joint: place for place, joint in enumerate(level)}
    return found


def level_order(parents: tuple[int, ...]) -> list[int]:
    """Where each joint is once the levels stand one after the other, the root first."""
    order = [0, *(joint for level in tree_levels(parents) for joint in level)]
    return [order.index(joint) for joint in range(len(parents))]


def ancestors(parents: tuple[int, ...], device: torch.device | str = "cpu") -> Tensor:
    """(J, J), 1 where the second joint is the first or lies between it and the root."""
    matrix = torch.eye(len(parents))
    for joint, parent in enumerate(parents):
        if parent >= 0:
            matrix[joint] += matrix[parent]
    return matrix.to(device)


def forward_kinematics(
    parents: tuple[int, ...], offsets: Tensor, root_positions: Tensor, rotations: Tensor
) -> tuple[Tensor, Tensor]:
    """World positions (..., J, 3) and rotations (..., J, 3, 3) from local rotations (..., J, 3, 3).

    offsets: (..., J, 3), broadcast over the batch, offsets[0] unused. root_positions: (..., 3). One step for each level
    of the tree instead of one for each joint, and no write in place, so that gradients flow.
    """
    place, world = [root_positions.unsqueeze(-2)], [rotations[..., :1, :, :]]
    for joints, above in levels_above(parents):
        carrier = select_rows(world[-1], above, -3)
        bones = select_rows(offsets, joints, -2).unsqueeze(-1)
        place.append(select_rows(place[-1], above, -2) + (carrier @ bones)[..., 0])
        world.append(carrier @ select_rows(rotations, joints, -3))
    order = level_order(parents)
    return select_rows(torch.cat(place, dim=-2), order, -2), select_rows(torch.cat(world, dim=-3), order, -3)
