"""From a run's settings to the network it trains."""

from __future__ import annotations

from torch import nn

from solver.networks.catalog import make
from solver.networks.residual import NetworkShape
from solver.training.run.config import TrainConfig


def make_network(config: TrainConfig, joints: int) -> nn.Module:
    """A fresh network for that many joints; its weights are drawn from torch's own generator."""
    return make(
        config.network,
        joints,
        NetworkShape(config.width, config.blocks, config.layers, config.embedding, config.dropout, config.ablations),
    )
