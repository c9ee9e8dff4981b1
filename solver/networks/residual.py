"""The fully connected residual block and the decoder made of it (ProtoRes figure 4, equations 3, 4, 6 and 7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

START_SCALE = 0.1  # of a decoder's last weights, so that its output starts near zero
EMBEDDING_SCALE = 0.3


ABLATIONS = ("mask", "levels", "exchange", "hidden", "bits", "bones")  # what SKEL-IK can do without, to be measured


@dataclass(frozen=True)
class NetworkShape:
    """Sizes of a network, named as in ProtoRes table 5: width d_h, R blocks of L layers, embeddings, dropout.

    without: parts that SKEL-IK is made without, of ABLATIONS.
    """

    width: int = 1024
    blocks: int = 3
    layers: int = 3
    embedding: int = 32
    dropout: float = 0.0
    without: frozenset[str] = frozenset()


def embedding(count: int, shape: NetworkShape) -> nn.Embedding:
    """A learned vector for each of `count` names; small at first, so that it does not drown the numbers beside it."""
    table = nn.Embedding(count, shape.embedding)
    nn.init.normal_(table.weight, std=EMBEDDING_SCALE)
    return table


class ResidualBlock(nn.Module):
    """L fully connected layers with one residual connection and one forward output.

    (..., inputs) -> residual (..., width), forward (..., outputs):
    h_l = ReLU(W_l h_{l-1} + a_l), residual = ReLU(L x + h_L), forward = F h_L.
    """

    def __init__(self, inputs: int, outputs: int, shape: NetworkShape, output_scale: float = 1.0) -> None:
        super().__init__()
        width = shape.width
        self.first = nn.Linear(inputs, 2 * width)  # W_1 and L read the same input: one product for both
        self.hidden = nn.ModuleList(nn.Linear(width, width) for _ in range(shape.layers - 1))
        self.forward_output = nn.Linear(width, outputs)
        self.dropout = nn.Dropout(shape.dropout)
        self._initialise(output_scale)

    @torch.no_grad()
    def _initialise(self, output_scale: float) -> None:
        """Weights that keep the signal's size through the layers; torch's own lose two thirds of it in each."""
        for layer in (self.first, *self.hidden):
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            nn.init.zeros_(layer.bias)
        nn.init.kaiming_normal_(self.forward_output.weight, nonlinearity="linear")
        self.forward_output.weight.mul_(output_scale)
        nn.init.zeros_(self.forward_output.bias)

    def forward(self, x: Tensor, pooled: Callable[[Tensor], Tensor] | None = None) -> tuple[Tensor, Tensor]:
        """The pass through the layers, as the class describes. pooled: gives what the forward output is computed from
        instead of each row's h_L, such as their mean."""
        first, skip = self.first(x).split(self.forward_output.in_features, dim=-1)
        h = torch.relu(first)
        for layer in self.hidden:
            h = torch.relu(layer(self.dropout(h)))
        return torch.relu(skip + h), self.forward_output(pooled(h) if pooled else h)


class ResidualDecoder(nn.Module):
    """R blocks whose forward outputs add up: (..., inputs) -> (..., outputs), float32 (equations 6 and 7)."""

    def __init__(self, inputs: int, outputs: int, shape: NetworkShape) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(
            ResidualBlock(inputs if r == 0 else shape.width, outputs, shape, START_SCALE) for r in range(shape.blocks)
        )

    def forward(self, x: Tensor) -> Tensor:
        """The pass through the layers, as the class describes."""
        outputs = []
        for block in self.blocks:
            x, output = block(x)
            outputs.append(output.float())
        return sum(outputs[1:], start=outputs[0])
