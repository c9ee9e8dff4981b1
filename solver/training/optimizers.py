"""The optimisers of a run: Adam for everything, or Muon for the matrices and Adam for the rest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from solver.training.config import TrainConfig

ADAM_BETAS = (0.9, 0.99)
_NEWTON_SCHULZ = (3.4445, -4.7750, 2.0315)  # a quintic that brings every singular value near 1 in a few rounds
_ROUNDS = 5


def orthogonalised(matrices: Tensor) -> Tensor:
    """(K, m, n) -> the nearest (semi-)orthogonal matrices, roughly, by Newton–Schulz iteration in bfloat16."""
    a, b, c = _NEWTON_SCHULZ
    x = matrices.bfloat16()
    tall = x.shape[1] > x.shape[2]
    if tall:
        x = x.transpose(1, 2)
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(_ROUNDS):
        gram = x @ x.transpose(1, 2)
        x = torch.baddbmm(x, torch.baddbmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return (x.transpose(1, 2) if tall else x).to(matrices.dtype)


class Muon(torch.optim.Optimizer):
    """Momentum whose steps are orthogonalised, for weight matrices alone (Jordan et al. 2024).

    Matrices of one shape are treated together, so that the iteration costs a few large products.
    """

    def __init__(self, parameters: Iterable[Tensor], lr: float, momentum: float = 0.95) -> None:
        super().__init__(list(parameters), {"lr": lr, "momentum": momentum})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        """One step along the orthogonalised Nesterov momentum."""
        for group in self.param_groups:
            alike: dict[torch.Size, list[Tensor]] = defaultdict(list)
            for parameter in group["params"]:
                if parameter.grad is not None:
                    alike[parameter.shape].append(parameter)
            for shape, parameters in alike.items():
                gradients = [p.grad for p in parameters if p.grad is not None]
                trails = [self.state[p].setdefault("trail", torch.zeros_like(p)) for p in parameters]
                torch._foreach_lerp_(trails, gradients, 1.0 - group["momentum"])
                ahead = torch._foreach_lerp(gradients, trails, group["momentum"])
                steps = orthogonalised(torch.stack(ahead))
                reach = 0.2 * max(shape) ** 0.5  # the root mean square of Adam's steps, so that one rate fits both
                torch._foreach_add_(parameters, list(steps.unbind(0)), alpha=-group["lr"] * reach)


def make_optimizers(network: nn.Module, config: TrainConfig) -> list[torch.optim.Optimizer]:
    """Optimisers that together own every parameter; their rates are set before each step."""
    parameters = list(network.parameters())
    if config.optimizer == "adam":
        return [torch.optim.Adam(parameters, lr=config.learning_rate, betas=ADAM_BETAS, fused=True)]
    embeddings = {id(p) for m in network.modules() if isinstance(m, nn.Embedding) for p in m.parameters()}
    matrices = [p for p in parameters if p.ndim == 2 and id(p) not in embeddings]
    chosen = {id(p) for p in matrices}
    rest = [p for p in parameters if id(p) not in chosen]
    return [
        Muon(matrices, lr=config.learning_rate),
        torch.optim.Adam(rest, lr=config.learning_rate, betas=ADAM_BETAS, fused=True),
    ]


def set_rate(optimizers: list[torch.optim.Optimizer], rate: float) -> None:
    """The learning rate of every group."""
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            group["lr"] = rate
