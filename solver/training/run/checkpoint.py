"""Checkpoints: everything that a run needs to go on, written whole or not at all."""

from __future__ import annotations

import io
import pickle
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from solver.errors import InputRefused
from solver.files.atomic import write_bytes

CHECKPOINT = "checkpoint.pt"


@dataclass
class Checkpoint:
    """step: of the next batch. elapsed: seconds of training so far. history: one row for each validation."""

    config: dict[str, Any]
    step: int
    elapsed: float
    network: dict[str, Any]
    average: dict[str, Any]
    optimizers: list[dict[str, Any]]
    history: list[dict[str, float]] = field(default_factory=list)


def save_checkpoint(checkpoint: Checkpoint, directory: Path) -> None:
    """Write the checkpoint of a run; InputRefused (a full disk, say) leaves the last one whole."""
    buffer = io.BytesIO()
    torch.save(vars(checkpoint), buffer)
    write_bytes(directory / CHECKPOINT, buffer.getvalue())


def load_checkpoint(directory: Path, way_out: str = "Start the run without --resume") -> Checkpoint:
    """The checkpoint of a run's folder; nothing in it is run. way_out: what to do if it cannot be read."""
    path = directory / CHECKPOINT
    try:
        return Checkpoint(**torch.load(path, map_location="cpu", weights_only=True))
    except FileNotFoundError:
        raise InputRefused(path, "there is no such checkpoint", way_out) from None
    except (RuntimeError, EOFError, OSError, TypeError, pickle.UnpicklingError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputRefused(path, f"it is not a complete checkpoint ({reason})", way_out) from None
