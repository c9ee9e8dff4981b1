"""From a run's settings to the network it trains."""

from __future__ import annotations

from torch import nn

from solver.backends.learned.residual import NetworkShape
from solver.registry import Registry
from solver.training.config import NETWORKS, NetworkSpec, TrainConfig

REGISTRY: Registry[NetworkSpec] = Registry("network")
for _id, _target in NETWORKS.items():
    REGISTRY.register(NetworkSpec(_id, _target))


def make_network(config: TrainConfig, joints: int) -> nn.Module:
    """A fresh network for that many joints; its weights are drawn from torch's own generator."""
    shape = NetworkShape(config.width, config.blocks, config.layers, config.embedding, config.dropout)
    network: nn.Module = REGISTRY.load(config.network)(joints, shape)
    return network
