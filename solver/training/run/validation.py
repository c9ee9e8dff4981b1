"""What a run measures now and then: protocol R, and for networks that read a base pose what they keep of it."""

from __future__ import annotations

from collections.abc import Callable

from torch import nn

from solver.networks.catalog import READ_BASE
from solver.training.data.bodies import ShapedBodies
from solver.training.data.dataset import PoseData
from solver.training.data.preservation_problems import preservation_errors, preservation_problems
from solver.training.data.protocol_r import problems, raw_errors


def validation(
    network: str, data: PoseData, parents: tuple[int, ...], bodies: ShapedBodies
) -> Callable[[nn.Module], dict[str, float]]:
    """The function that gives the errors on the split `val` of a network of that name."""
    if network not in READ_BASE:
        sets = problems(data, "val", parents, bodies)
        return lambda model: raw_errors(model, sets, parents)
    based = problems(data, "val", parents, bodies, based=True)
    kept = preservation_problems(data, "val", parents, bodies)
    return lambda model: {**raw_errors(model, based, parents), **preservation_errors(model, kept)}
