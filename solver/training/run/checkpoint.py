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
NO_CHECKPOINT = "there is no such checkpoint"
NOT_BEGUN = "Start the run without --resume"


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


def check_run(directory: Path, resume: bool) -> None:
    """InputRefused, before anything slow is done, where a new run would replace another one, or where there is none to
    resume."""
    if not resume and (directory / CHECKPOINT).exists():
        way_out = "Continue it with --resume, or name another folder"
        raise InputRefused(directory, "holds a run already, which would be lost", way_out)
    if resume and not (directory / CHECKPOINT).exists():
        raise InputRefused(directory / CHECKPOINT, NO_CHECKPOINT, NOT_BEGUN)


def load_checkpoint(directory: Path, way_out: str = NOT_BEGUN) -> Checkpoint:
    """The checkpoint of a run's folder; nothing in it is run. way_out: what to do if it cannot be read."""
    path = directory / CHECKPOINT
    try:
        return Checkpoint(**torch.load(path, map_location="cpu", weights_only=True))
    except FileNotFoundError:
        raise InputRefused(path, NO_CHECKPOINT, way_out) from None
    except (RuntimeError, EOFError, OSError, TypeError, pickle.UnpicklingError) as error:
        if way_out == NOT_BEGUN:  # a run is not begun over a checkpoint
            way_out = "Move it away, and start the run without --resume"
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputRefused(path, f"it is not a complete checkpoint ({reason})", way_out) from None
