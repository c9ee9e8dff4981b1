"""Learning from a larger network's answers beside recorded poses (Hinton et al., Distilling the Knowledge in a Neural
Network, 2015).

Where effectors leave a pose open, a recorded pose is one of many and the teacher's answer is nearly their mean. It can
also answer for poses that nobody performed, of which there is no end.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn

from solver.errors import InputRefused
from solver.networks.catalog import READ_BASE
from solver.networks.geometry import forward_kinematics, matrices_from_6d, sixd_from_matrices
from solver.training.data.batches import Batch
from solver.training.losses.pose_losses import Target
from solver.training.run.checkpoint import load_checkpoint
from solver.training.run.config import TrainConfig, config_from
from solver.training.run.networks import make_network
from solver.training.run.objective import predicted


@dataclass(frozen=True)
class Teacher:
    """A trained network. share: the weight of its answers; for poses that nobody performed there are no others."""

    network: nn.Module
    parents: tuple[int, ...]
    share: float

    @torch.no_grad()
    def target(self, batch: Batch) -> Target:
        """What the poses of a batch are drawn to: between the true pose and the teacher's answer, by its share."""
        said = predicted(self.network, batch)
        local = matrices_from_6d(said.rotations_6d.float())
        positions, _ = forward_kinematics(self.parents, batch.offsets, said.draft[:, 0].float(), local)
        alone = batch.mixed if batch.mixed is not None else torch.zeros_like(batch.gender, dtype=torch.bool)
        share = torch.where(alone, 1.0, self.share)[:, None, None]
        columns = torch.lerp(sixd_from_matrices(batch.local), sixd_from_matrices(local), share)
        return Target(torch.lerp(batch.positions, positions, share), matrices_from_6d(columns))


def teacher_of(config: TrainConfig, parents: tuple[int, ...], joints: int, device: torch.device) -> Teacher | None:
    """The teacher that a run's settings name, None if they name none. Raises InputRefused."""
    if not config.teacher:
        return None
    if config.network in READ_BASE:
        raise InputRefused("teacher", f"a {config.network} learns from no teacher", "Take it out of the settings")
    folder = Path(config.teacher)
    checkpoint = load_checkpoint(folder, "Train the teacher first, or take teacher out of the settings")
    settings = config_from(checkpoint.config, folder)
    if settings.network != config.network:
        way_out = f"Name the run of another {config.network}, or take teacher out of the settings"
        raise InputRefused(folder, f"a {settings.network} cannot teach a {config.network}", way_out)
    network = make_network(settings, joints)
    network.load_state_dict(checkpoint.average)
    return Teacher(network.to(device).eval().requires_grad_(False), parents, config.teacher_share)
