"""Trained networks that are not registered, from their folders of weights: baselines, and candidates to ship."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.effectors.kinds import network_kinds
from solver.errors import InputRefused
from solver.evaluation.contestants import Contestant, rows_of
from solver.ik.pipeline.pipeline import Solver
from solver.ik.solver import Continuity, SolverSpec
from solver.networks.catalog import EDIT, LIFT
from solver.solvers.catalog import SOLVERS
from solver.solvers.learned.edit_proposer import EditProposer
from solver.solvers.learned.network_proposer import NetworkProposer
from solver.solvers.learned.weights import CONFIG, Weights, WeightsConfig, load_weights, read_config

Load = Callable[[Path, str], Weights]


def load_folder(folder: Path, body: str) -> Weights:
    """The weights of an export, whatever its network. Raises InputRefused."""
    return load_weights(folder, read_config(folder / CONFIG).network, body)


def rows_of_weights(
    folders: Sequence[Path], body: str, taken: Sequence[str] = (), load: Load = load_folder
) -> list[Contestant]:
    """Two contestants for each folder, named after its network, or after the folder if that name is taken.

    load: from a folder and a body's id to weights. Raises InputRefused for a folder that does not fit.
    """
    rows: list[Contestant] = []
    for folder in folders:
        weights = load(folder, body)
        network = weights.config.network
        if network in LIFT:
            raise InputRefused(folder, "it reads photos, and solves no effectors", "Measure it with --protocol P")
        names = {*taken, *(row.name for row in rows)}
        name = network if network not in names else folder.resolve().name
        number = 2
        while name in names:
            name, number = f"{folder.resolve().name}-{number}", number + 1
        rows += rows_of(name, Solver(_spec(weights.config), proposer_of(weights)))
    return rows


def proposer_of(weights: Weights) -> NetworkProposer | EditProposer:
    """The proposer that asks the network, by its kind."""
    if weights.config.network in EDIT:
        return EditProposer(weights, load_body(weights.config.body).skeleton(BodyShape()))
    return NetworkProposer(weights)


def _spec(config: WeightsConfig) -> SolverSpec:
    network = config.network
    if network in SOLVERS:
        return SOLVERS[network]
    return SolverSpec(
        network, network, "", frozenset(network_kinds()), learned=True, continuity=Continuity.FROM_SHOWN,
        preserves_again=not config.reads_base,
    )  # fmt: skip
