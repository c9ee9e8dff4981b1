"""The skeletal transformer of SKEL-IK: messages along bones, limbs and body halves (section 3.3)."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Tensor, nn

from solver.networks.skeleton_levels import Level, shared_joints

HEADS, KEY_WIDTH = 4, 12
APART = -1e4  # an attention score that leaves nothing after the softmax
JOINT, LIMB, BODY = 0, 1, 2
# Six steps at the joints, four at the limbs, two at the body; levels that follow each other exchange before the step.
ORDER = (JOINT, JOINT, LIMB, BODY, LIMB, JOINT, JOINT, LIMB, BODY, LIMB, JOINT, JOINT)


class Nodes(NamedTuple):
    """One level's nodes in a batch.

    state: (B, N, width). embedding: (B, N, E). free: (B, N, width), what of a state may be updated, C_IC inverted.
    confidence: (B, N), the mask M of equation (6).
    """

    state: Tensor
    embedding: Tensor
    free: Tensor
    confidence: Tensor


def spread(confidence: Tensor, adjacency: Tensor) -> Tensor:
    """Equation (6), M_t = A M_{t-1}, no more than 1. confidence: (B, M). adjacency: (N, M)."""
    return (confidence @ adjacency.T).clamp(max=1.0)


class SkeletalStep(nn.Module):
    """One block: multi-head attention, a fully connected network, layer normalisation, update (equations 3 and 4).

    Queries and keys are made of embeddings, values of states. A node attends to those that `reach` (N, M) allows; what
    another node says counts as much as that node's confidence, what it says to itself always counts. Without `hidden`
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

    def forward(self, target: Nodes, sources: Nodes) -> Tensor:
        """The new states (B, N, width) of `target`, the first N of `sources`."""
        own, others = self.counts
        query = _heads(self.query(target.embedding), own, KEY_WIDTH)
        key = _heads(self.key(sources.embedding), others, KEY_WIDTH)
        attention = torch.softmax(query @ key.transpose(-1, -2) * KEY_WIDTH**-0.5 + self.apart, dim=-1)
        heard = self.own + (1.0 - self.own) * sources.confidence.unsqueeze(1)
        message = (attention * heard.unsqueeze(1)) @ _heads(
            self.value(sources.state), others, self.width // HEADS
        )  # equation (3)
        said = message.transpose(1, 2).reshape(-1, own, self.width)
        if self.hidden:
            said = self.outer(torch.relu(self.inner(said) + self.identity(target.embedding)))
        return target.state + target.free * self.norm(said)  # equation (4)


class Pooling(nn.Module):
    """What stands in for attention from level to level: the mean of the other level's states that reach a node."""

    apart: Tensor
    share: Tensor

    def __init__(self, reach: Tensor) -> None:
        super().__init__()
        self.register_buffer("apart", (1.0 - reach) * APART, persistent=False)
        self.register_buffer("share", reach / reach.sum(dim=1, keepdim=True), persistent=False)

    def forward(self, target: Nodes, sources: Nodes) -> Tensor:
        """The new states (B, N, width) of `target`, the first N of `sources`."""
        return target.state + target.free * (self.share @ sources.state - target.state)


class SkeletalTransformer(nn.Module):
    """Steps at three resolutions in ORDER, and between them exchange of neighbouring levels.

    without: what is left out, see `solver.networks.residual.ABLATIONS`.
    """

    def __init__(
        self, levels: tuple[Level, ...], width: int, embedding: int, without: frozenset[str] = frozenset()
    ) -> None:
        super().__init__()
        self.steps, self.exchanges = nn.ModuleList(), nn.ModuleList()
        self.order = (JOINT,) * 6 if "levels" in without else ORDER
        self.masked = "mask" not in without
        hidden = "hidden" not in without
        for level in self.order:
            self.steps.append(SkeletalStep(levels[level].adjacency, width, embedding, hidden))
        for above, level in pairwise(self.order):
            if above != level:
                own = torch.eye(len(levels[level].adjacency))
                reach = torch.cat([own, shared_joints(levels[level], levels[above])], dim=1)
                pooled = "exchange" in without
                self.exchanges.append(Pooling(reach) if pooled else SkeletalStep(reach, width, embedding, hidden))
        for number, (adjacency, _) in enumerate(levels):
            self.register_buffer(f"adjacency_{number}", adjacency, persistent=False)

    def forward(self, nodes: tuple[Nodes, ...]) -> Tensor:
        """The final states of the joints, from the nodes of every level."""
        at, exchanges, before = list(nodes), iter(self.exchanges), self.order[0]
        if not self.masked:
            at = [level._replace(confidence=torch.ones_like(level.confidence)) for level in nodes]
        for level, step in zip(self.order, self.steps, strict=True):
            if level != before:
                at[level] = self._exchanged(next(exchanges), at[level], at[before])
                before = level
            now = at[level]
            confidence = spread(now.confidence, getattr(self, f"adjacency_{level}"))
            at[level] = now._replace(state=step(now, now), confidence=confidence)
        return at[JOINT].state

    def _exchanged(self, step: nn.Module, target: Nodes, others: Nodes) -> Nodes:
        both = Nodes(*(torch.cat([own, other], dim=1) for own, other in zip(target, others, strict=True)))
        assert isinstance(step, SkeletalStep | Pooling)
        reach = (step.apart[:, len(step.apart) :] == 0).to(others.confidence.dtype)
        confidence = (target.confidence + spread(others.confidence, reach)).clamp(max=1.0)
        return target._replace(state=step(target, both), confidence=confidence)


def _heads(x: Tensor, count: int, width: int) -> Tensor:
    """(B, N, heads · d) -> (B, heads, N, d). count, width: N and d; ONNX works out at every run what it is not told."""
    return x.reshape(-1, count, HEADS, width).transpose(1, 2)
