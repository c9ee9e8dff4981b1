"""The optimisers of a run: Adam for everything, or Muon for the matrices and Adam for the rest."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from solver.training.run.config import TrainConfig

ADAM_BETAS = (0.9, 0.99)


def make_optimizers(network: nn.Module, config: TrainConfig) -> list[torch.optim.Optimizer]:
    """Optimisers that together cover every parameter; their rates are set before each step."""
    parameters = list(network.parameters())
    if config.optimizer == "adam":
        return [_adam(parameters, config)]
    embeddings = {id(p) for m in network.modules() if isinstance(m, nn.Embedding) for p in m.parameters()}
    matrices = [p for p in parameters if p.ndim == 2 and id(p) not in embeddings]
    chosen = {id(p) for p in matrices}
    rest = [p for p in parameters if id(p) not in chosen]
    return [
        # its steps as large as Adam's, so that one rate fits both
        torch.optim.Muon(matrices, lr=config.learning_rate, weight_decay=0.0, adjust_lr_fn="match_rms_adamw"),
        _adam(rest, config),
    ]


def _adam(parameters: list[nn.Parameter], config: TrainConfig) -> torch.optim.Adam:
    """Adam; recorded steps read its rate from the GPU's memory."""
    rate: Any = (
        torch.tensor(config.learning_rate, device=parameters[0].device) if config.recorded else config.learning_rate
    )
    return torch.optim.Adam(parameters, lr=rate, betas=ADAM_BETAS, fused=True, capturable=config.recorded)


def set_rate(optimizers: list[torch.optim.Optimizer], rate: float) -> None:
    """Set the learning rate of every group."""
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate
