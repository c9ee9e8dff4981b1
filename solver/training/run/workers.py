"""The processes that train together: one alone, or several started by torchrun."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn

from solver.errors import InputRefused


@dataclass(frozen=True)
class Workers:
    """rank of this process among `count`; its device."""

    rank: int
    count: int
    device: torch.device

    @property
    def first(self) -> bool:
        """Whether this process writes the files and the messages."""
        return self.rank == 0

    def agreed(self, value: float) -> float:
        """The first process's value, in every process."""
        if self.count == 1:
            return value
        shared = torch.tensor(value, dtype=torch.float64, device=self.device)
        dist.broadcast(shared, 0)
        return float(shared)

    def parallel(self, network: nn.Module) -> nn.Module:
        """The network with its gradients averaged over all processes."""
        if self.count == 1:
            return network
        ids = [self.device.index] if self.device.type == "cuda" else None
        return nn.parallel.DistributedDataParallel(network, device_ids=ids)


def is_first() -> bool:
    """Whether this process is alone, or the first of torchrun's, which writes the messages."""
    return int(os.environ.get("RANK", "0")) == 0


@contextmanager
def join_workers(device: str) -> Iterator[Workers]:
    """Join the group that torchrun's environment names, or work alone. device: auto, cpu or cuda."""
    count, rank = int(os.environ.get("WORLD_SIZE", "1")), int(os.environ.get("RANK", "0"))
    gpu = device == "cuda" or (device == "auto" and torch.cuda.is_available())
    place = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0"))) if gpu else torch.device("cpu")
    if gpu and not torch.cuda.is_available():
        raise InputRefused("device", "“cuda” is asked for, but torch finds no such GPU here", "Give auto or cpu")
    if gpu:
        torch.cuda.set_device(place)  # “cuda” without a number then means this process's own
    if count == 1:
        yield Workers(0, 1, place)
        return
    dist.init_process_group("nccl" if gpu else "gloo")
    try:
        yield Workers(rank, count, place)
        dist.barrier()  # the first to leave would take the connection from under the others
    finally:
        gc.collect()  # a network that still waits for the collector holds the group, whose threads abort at the exit
        dist.destroy_process_group()
