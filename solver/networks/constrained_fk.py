"""Forward kinematics in which joints whose rotation in the world is asked for take it, whatever their parents do."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from solver.networks.constant_tensors import select_rows
from solver.networks.geometry import inverses_from_columns, level_order, levels_above, sixd_from_matrices


class PosedJoints(NamedTuple):
    """positions (B, J, 3), world and local rotations (B, J, 3, 3)."""

    positions: Tensor
    world: Tensor
    local: Tensor


def constrained_fk(
    parents: tuple[int, ...], offsets: Tensor, root: Tensor, local: Tensor, wanted: Tensor, strict: Tensor
) -> PosedJoints:
    """From root (B, 3) and local rotations (B, J, 3, 3); offsets: (B, J, 3).

    wanted: (B, J, 6) columns of world rotations. strict: (B, J) in [0, 1]: 1 turns the joint as wanted, 0 as its local
    rotation says; in between, the columns of the two are mixed.
    """
    share, order = strict.unsqueeze(-1), level_order(parents)
    by_level = [order.index(place) for place in range(len(parents))]
    levels = [([0], [0]), *levels_above(parents)]
    counts = [len(joints) for joints, _ in levels]

    def rows(columns: Tensor, bones: Tensor) -> tuple[Tensor, ...]:
        """(B, n, 3, 3) for each level: the first two columns and the bone, each as a row."""
        joined = torch.cat([columns, bones], dim=-1).reshape(-1, len(parents), 3, 3)
        return _taken(joined, by_level).split(counts, dim=1)

    free = rows(sixd_from_matrices(local) * (1.0 - share), offsets)
    asked = rows(wanted * share, 0.0 * offsets)
    inverses: list[Tensor] = []  # of the world rotations; their rows are the rotations' columns
    places: list[Tensor] = []
    for (_, above), own, added in zip(levels, free, asked, strict=True):
        x, y, bone = ((own @ _taken(inverses[-1], above) if inverses else own) + added).split(1, dim=-2)
        inverses.append(inverses_from_columns(x, y))
        places.append(_taken(places[-1], above) + bone if places else root[:, None, None])
    place, inverse = (_taken(torch.cat(of, dim=1), order) for of in (places, inverses))
    own = torch.cat([inverse[:, :1], inverse[:, 1:] @ select_rows(inverse, parents[1:], 1).transpose(-1, -2)], dim=1)
    return PosedJoints(place[:, :, 0], inverse.transpose(-1, -2), own.transpose(-1, -2))


def _taken(rows: Tensor, places: list[int]) -> Tensor:
    """Those of (B, N, ...) at these places; no copy if that is all of them in order."""
    return rows if places == list(range(rows.shape[1])) else select_rows(rows, places, 1)
