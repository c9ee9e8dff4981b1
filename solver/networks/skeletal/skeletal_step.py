"""One step of SKEL-IK's skeletal transformer: the messages between nodes and the update (equations 3 and 4).

Nodes are rows, the batch within each node: (N · B, width). So the nodes of two levels stand one below the other without
a copy for each problem, and every layer is one product of two matrices.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

HEADS, KEY_WIDTH = 4, 12
APART = -1e4  # an attention score that leaves nothing after the softmax


class SkeletalStep(nn.Module):
    """One block: multi-head attention, a fully connected network, layer normalisation, update.

    Queries and keys are made of embeddings, values of states. A node attends to those that `reach` (N, M) allows;
    another node's message counts as much as that node's confidence, its own always counts. Without `hidden`
    the message itself is normalised.
    """

    apart: Tensor
    own: Tensor

    def __init__(self, reach: Tensor, width: int, embedding: int, hidden: bool = True) -> None:
        super().__init__()
        self.hidden, self.counts, self.width = hidden, tuple(reach.shape), width
        self.register_buffer("apart", (1.0 - reach) * APART, persistent=False)
        self.register_buffer("own", torch.eye(*reach.shape), persistent=False)
        self.query = nn.Linear(embedding, HEADS * KEY_WIDTH)
        self.key = nn.Linear(embedding, HEADS * KEY_WIDTH)
        self.value = nn.Linear(width, width)
        self.inner = nn.Linear(width, width)
        self.identity = nn.Linear(embedding, width, bias=False)
        self.outer = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)
        nn.init.kaiming_normal_(self.inner.weight, nonlinearity="relu")  # by torch's own rule a message
        for layer in (self.value, self.outer):  # is lost within three steps
            nn.init.kaiming_normal_(layer.weight, nonlinearity="linear")
        for layer in (self.value, self.inner, self.outer):
            nn.init.zeros_(layer.bias)

    def forward(self, target: Tensor, sources: Tensor, free: Tensor, heard: Tensor, identity: Tensor) -> Tensor:
        """The new states (N · B, width) of `target`, the first N nodes of `sources` (M · B, width).

        free: (N · B, width), what of a state may be updated. heard, identity: see `attention_weights` and `identities`.
        """
        values = self.value(sources).reshape(self.counts[1], -1, self.width // HEADS).transpose(0, 1)
        message = heard @ values  # equation (3): (1, B · heads, N, width / heads)
        said = message.transpose(1, 2).reshape(-1, self.width)
        if self.hidden:
            said = self.outer(torch.relu(torch.addmm(identity, said, self.inner.weight.T)))
        return target + free * self.norm(said)  # equation (4)


class Pooling(nn.Module):
    """In place of attention from level to level, the mean of the other level's states that reach a node."""

    apart: Tensor
    share: Tensor

    def __init__(self, reach: Tensor) -> None:
        super().__init__()
        self.register_buffer("apart", (1.0 - reach) * APART, persistent=False)
        self.register_buffer("share", reach / reach.sum(dim=1, keepdim=True), persistent=False)

    def forward(self, target: Tensor, sources: Tensor, free: Tensor) -> Tensor:
        """The new states (N · B, width) of `target`, the first N nodes of `sources` (M · B, width)."""
        mean = self.share @ sources.reshape(self.share.shape[1], -1)
        return target + free * (mean.reshape(target.shape) - target)


def attention_weights(
    steps: Sequence[SkeletalStep], target: Tensor, sources: Tensor, confidence: Tensor
) -> tuple[Tensor, ...]:
    """How much each node hears of each other at each of several steps of the same `reach`, before any of them.

    Embeddings do not change over the steps, nor does what is computed from them. target: (N · B, E), sources:
    (M · B, E). confidence: (S, B, M), of the sources at each step. Gives S of (1, B · heads, N, M).
    """
    own, others = steps[0].counts
    query, key = (
        _side_by_side(layers, nodes).reshape(count, -1, len(steps), HEADS, KEY_WIDTH).permute(2, 1, 3, 0, 4)
        for layers, nodes, count in (
            ([step.query for step in steps], target, own),
            ([step.key for step in steps], sources, others),
        )
    )  # (S, B, heads, N or M, KEY_WIDTH)
    attention = torch.softmax(query @ key.transpose(-1, -2) * KEY_WIDTH**-0.5 + steps[0].apart, dim=-1)
    sure = steps[0].own + (1.0 - steps[0].own) * confidence.reshape(len(steps), -1, 1, 1, others)
    return (attention * sure).reshape(len(steps), -1, own, others).split(1)


def identities(steps: Sequence[SkeletalStep], target: Tensor) -> tuple[Tensor, ...]:
    """(N · B, width) for each of several steps: the part of its inner layer that is known before any of them.

    target: (N · B, E).
    """
    weights = torch.cat([step.identity.weight for step in steps])
    biases = torch.cat([step.inner.bias for step in steps])
    return torch.nn.functional.linear(target, weights, biases).split(steps[0].width, dim=-1)


def _side_by_side(layers: Sequence[nn.Linear], rows: Tensor) -> Tensor:
    """What all of these layers make of the rows, as one product."""
    weights, biases = ([getattr(layer, name) for layer in layers] for name in ("weight", "bias"))
    return torch.nn.functional.linear(rows, torch.cat(weights), torch.cat(biases))
