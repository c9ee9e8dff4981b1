"""Which of two folders of weights is better: on the validation split, with the exact stage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.kinematics.skeleton import SMPL_PARENTS
from solver.networks.catalog import READ_BASE
from solver.solvers.learned.weights import CONFIG, read_config
from solver.training.data.bodies import fixed_skeleton
from solver.training.data.dataset import PoseData
from solver.training.data.prepare import BODY_JOINTS
from solver.training.data.protocol_r import problems
from solver.training.export.export import measured

SCORE = ("mpjpe_mm", "pa_mpjpe_mm", "ge_rad")


def compare(folders: tuple[Path, ...], data: PoseData, every: int = 1) -> tuple[int, tuple[dict[str, Any], ...]]:
    """The index of the better of two folders, and what was measured of both.

    The better one has the smaller errors with the exact stage, by the mean of their ratios; a tie keeps the first.
    """
    found = []
    for folder in folders:
        config = read_config(folder / CONFIG)
        bodies = fixed_skeleton(load_body(config.body).skeleton(BodyShape()), BODY_JOINTS)
        based = config.network in READ_BASE
        sets = problems(data, "val", SMPL_PARENTS[: len(BODY_JOINTS)], bodies, based=based)
        found.append(measured(folder, config.network, config.body, sets, every))
    first, second = (f["exact"] for f in found)
    ratio = sum(second[name] / first[name] for name in SCORE) / len(SCORE)
    return int(ratio < 1.0), tuple(found)


def comparison_table(names: tuple[str, ...], found: tuple[dict[str, Any], ...]) -> str:
    """A row for each folder and stage."""
    lines = [f"{'':<34}{'MPJPE mm':>10}{'PA mm':>8}{'rad':>8}{'eff mm':>8}{'ms':>7}"]
    for name, row in zip(names, found, strict=True):
        for stage in ("raw", "exact"):
            e = row[stage]
            numbers = f"{e['mpjpe_mm']:>10.1f}{e['pa_mpjpe_mm']:>8.1f}{e['ge_rad']:>8.3f}{e['effector_mm']:>8.2f}"
            lines.append(f"{f'{name} {stage}':<34}{numbers}{row['network_ms']:>7.2f}")
    return "\n".join(lines)
