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


def picked(places: Sequence[int], rows: Tensor) -> Tensor | list[int]:
    """What to index `rows` with, to take those at fixed places."""
    return fixed(tuple(places), rows.device) if rows.is_cuda else list(places)
