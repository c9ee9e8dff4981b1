"""The skeletal transformer of SKEL-IK: messages along bones, limbs and body halves (section 3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Tensor, nn

from solver.networks.skeletal.skeletal_step import Pooling, SkeletalStep, attention_weights, identities
from solver.networks.skeleton_levels import Level, shared_joints

JOINT, LIMB, BODY = 0, 1, 2
# Six steps at the joints, four at the limbs, two at the body; when the level changes, both exchange before the step.
ORDER = (JOINT, JOINT, LIMB, BODY, LIMB, JOINT, JOINT, LIMB, BODY, LIMB, JOINT, JOINT)
Route = tuple[int, int]  # the level that is updated and the one that it attends to, the same within a level


class Nodes(NamedTuple):
    """One level's nodes in a batch, the batch within each node.

    state: (N · B, width). embedding: (N · B, E). free: (N · B, width), what of a state may be updated, C_IC inverted.
    confidence: (B, N), the mask M of equation (6).
    """

    state: Tensor
    embedding: Tensor
    free: Tensor
    confidence: Tensor


class SkeletalTransformer(nn.Module):
    """Steps at three resolutions in ORDER, with exchanges between neighbouring levels.

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
        for (target, other), spread in spreads(levels, self.order).items():
            self.register_buffer(f"spread_{target}_{other}", spread, persistent=False)

    def forward(self, nodes: tuple[Nodes, ...]) -> Tensor:
        """The final states of the joints (J · B, width), from the nodes of every level."""
        state = [level.state for level in nodes]
        known = self._known(nodes)
        for (target, other), step in self._in_order():
            sources = state[target] if other == target else torch.cat([state[target], state[other]])
            told = next(known[target, other]) if isinstance(step, SkeletalStep) else ()
            state[target] = step(state[target], sources, nodes[target].free, *told)
        return state[JOINT]

    def _in_order(self) -> Iterator[tuple[Route, nn.Module]]:
        steps, exchanges = iter(self.steps), iter(self.exchanges)
        for target, other in routes(self.order):
            yield (target, other), next(steps if target == other else exchanges)

    def _known(self, nodes: tuple[Nodes, ...]) -> dict[Route, Iterator[tuple[Tensor, Tensor]]]:
        """What can be computed before any of the steps, for all steps of a route at once."""
        sure = torch.cat([level.confidence for level in nodes], dim=-1)
        if not self.masked:
            sure = torch.ones_like(sure)
        alike: dict[Route, list[SkeletalStep]] = {}
        for route, step in self._in_order():
            if isinstance(step, SkeletalStep):
                alike.setdefault(route, []).append(step)
        found: dict[Route, Iterator[tuple[Tensor, Tensor]]] = {}
        for (target, other), steps in alike.items():
            own = nodes[target].embedding
            sources = own if other == target else torch.cat([own, nodes[other].embedding])
            confidence = (sure @ getattr(self, f"spread_{target}_{other}")).clamp(max=1.0)
            heard = attention_weights(steps, own, sources, confidence)
            found[target, other] = zip(heard, identities(steps, own), strict=True)
        return found


def routes(order: Sequence[int]) -> Iterator[Route]:
    """The routes of the steps at these levels, and of the exchanges that come before some of them."""
    before = order[0]
    for level in order:
        if level != before:
            yield level, before
        yield level, level
        before = level


def spreads(levels: tuple[Level, ...], order: Sequence[int]) -> dict[Route, Tensor]:
    """How confidence spreads, equation (6): M_t = A M_{t-1}, no more than 1; an exchange adds what the other level has.

    For each route (S, T, M): from the T nodes of all levels as they begin to the route's M sources at each of its S
    steps, to be clamped at 1. As A holds zeros and ones, clamping at the end gives the same as at every step.
    """
    counts = [len(level.adjacency) for level in levels]
    at = list(torch.eye(sum(counts)).split(counts, dim=1))
    found: dict[Route, list[Tensor]] = {}
    for target, other in routes(order):
        if other == target:
            found.setdefault((target, other), []).append(at[target])
            at[target] = at[target] @ levels[target].adjacency.T
        else:
            found.setdefault((target, other), []).append(torch.cat([at[target], at[other]], dim=1))
            at[target] = at[target] + at[other] @ shared_joints(levels[target], levels[other]).T
    return {route: torch.stack(each) for route, each in found.items()}
