"""Trained networks that are not registered, from their folders of weights: baselines, and candidates to ship."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from solver.backends.learned.learned_solver import LearnedSolver
from solver.backends.learned.weights import CONFIG, read_config
from solver.evaluation.contestants import Contestant, rows_of
from solver.ik.catalog import SOLVERS
from solver.ik.effectors import EFFECTOR_TYPES
from solver.ik.solver import SolverSpec


def rows_of_weights(folders: Sequence[Path], body: str, taken: Sequence[str] = ()) -> list[Contestant]:
    """Two contestants for each folder, named after its network, or after the folder where that name is taken.

    Raises InputRefused for a folder that does not fit.
    """
    rows: list[Contestant] = []
    for folder in folders:
        network = read_config(folder / CONFIG).network
        names = {*taken, *(row.name for row in rows)}
        name = network if network not in names else folder.resolve().name
        number = 2
        while name in names:
            name, number = f"{folder.resolve().name}-{number}", number + 1
        rows += rows_of(name, LearnedSolver(_spec(network), folder, body))
    return rows


def _spec(network: str) -> SolverSpec:
    if network in SOLVERS:
        return SOLVERS[network]
    kinds = frozenset(EFFECTOR_TYPES)
    return SolverSpec(network, network, "", kinds, shape=True, base_pose=True, sequences=False, pins=True)
