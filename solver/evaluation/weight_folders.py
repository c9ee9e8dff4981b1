"""Trained networks that are not registered, from their folders of weights: baselines, and candidates to ship."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from solver.backends.learned.learned_solver import LearnedSolver
from solver.backends.learned.weights import CONFIG, Weights, load_weights, read_config
from solver.evaluation.contestants import Contestant, rows_of
from solver.ik.catalog import SOLVERS
from solver.ik.effectors import EFFECTOR_TYPES
from solver.ik.solver import SolverSpec

Load = Callable[[Path, str], Weights]


def load_folder(folder: Path, body: str) -> Weights:
    """The weights of an export, whatever its network. Raises InputRefused."""
    return load_weights(folder, read_config(folder / CONFIG).network, body)


def rows_of_weights(
    folders: Sequence[Path], body: str, taken: Sequence[str] = (), load: Load = load_folder
) -> list[Contestant]:
    """Two contestants for each folder, named after its network, or after the folder where that name is taken.

    load: from a folder and a body's id to weights. Raises InputRefused for a folder that does not fit.
    """
    rows: list[Contestant] = []
    for folder in folders:
        weights = load(folder, body)
        network = weights.config.network
        names = {*taken, *(row.name for row in rows)}
        name = network if network not in names else folder.resolve().name
        number = 2
        while name in names:
            name, number = f"{folder.resolve().name}-{number}", number + 1
        rows += rows_of(name, LearnedSolver(_spec(network), weights))
    return rows


def _spec(network: str) -> SolverSpec:
    if network in SOLVERS:
        return SOLVERS[network]
    kinds = frozenset(EFFECTOR_TYPES)
    return SolverSpec(network, network, "", kinds, shape=True, base_pose=True, sequences=False, pins=True)
