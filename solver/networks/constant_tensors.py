"""Constants of the code as tensors, cached for each device: a copy to a GPU waits for all work before it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import torch
from torch import Tensor


@cache
def constant_tensor(values: tuple[Any, ...], device: torch.device, dtype: torch.dtype = torch.float32) -> Tensor:
    """The tensor of these numbers, or of tuples of them; never to be written to."""
    with torch.inference_mode(False):  # even if the first caller is in it: others may need gradients through it
        return torch.tensor(values, device=device, dtype=dtype)


def select_rows(rows: Tensor, places: Sequence[int], dim: int) -> Tensor:
    """The rows along `dim` at fixed places."""
    if rows.is_cuda:
        return rows.index_select(dim, constant_tensor(tuple(places), rows.device, torch.long))
    return rows[(slice(None),) * (dim % rows.ndim) + (list(places),)]
