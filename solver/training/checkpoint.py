"""Checkpoints: everything that a run needs to go on, written whole or not at all."""

from __future__ import annotations

import os
import pickle
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from solver.errors import InputRefused

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


def write_atomically(path: Path, write: Any) -> None:
    """Call write(file) on a new file beside `path`, then put it in its place; on any failure the old one stays."""
    temporary = path.with_name(path.name + ".part")
    try:
        with temporary.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def save_checkpoint(checkpoint: Checkpoint, directory: Path) -> None:
    """Write the checkpoint of a run; OSError (a full disk) leaves the last one whole."""
    directory.mkdir(parents=True, exist_ok=True)
    write_atomically(directory / CHECKPOINT, lambda file: torch.save(vars(checkpoint), file))


def load_checkpoint(directory: Path) -> Checkpoint:
    """The checkpoint of a run's folder; nothing in it is executed."""
    path = directory / CHECKPOINT
    try:
        return Checkpoint(**torch.load(path, map_location="cpu", weights_only=True))
    except FileNotFoundError:
        raise InputRefused(path, "there is no such checkpoint", "Start the run without --resume") from None
    except (RuntimeError, EOFError, OSError, TypeError, pickle.UnpicklingError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputRefused(path, f"it is no whole checkpoint ({reason})", "Start the run without --resume") from None
