"""Numbers of the code itself as tensors, made once for each device: a copy to a GPU waits for all work before it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import torch
from torch import Tensor


@cache
def fixed(values: tuple[Any, ...], device: torch.device) -> Tensor:
    """The tensor of these numbers, or of tuples of them; never to be written to."""
    return torch.tensor(values, device=device)


def taken(rows: Tensor, places: Sequence[int], dim: int) -> Tensor:
    """Of the rows along `dim` those at fixed places."""
    if rows.is_cuda:
        return rows.index_select(dim, fixed(tuple(places), rows.device))
    return rows[(slice(None),) * (dim % rows.ndim) + (list(places),)]
