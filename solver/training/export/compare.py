"""Which of two folders of weights is better: on the validation split, with the exact stage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from solver.errors import InputRefused
from solver.networks.catalog import EDIT, FOLLOW, LIFT
from solver.solvers.learned.weights import CONFIG, read_config
from solver.training.data.dataset import PoseData
from solver.training.export.export import measured, measures_of

SCORE = ("mpjpe_mm", "pa_mpjpe_mm", "ge_rad")
FOLLOW_SCORE = tuple((stage, name) for stage in ("raw", "exact") for name in ("mpjpe_mm", "ge_rad", "velocity_cm_s"))
LIFT_SCORE = tuple(("raw", name) for name in SCORE)
EDIT_SCORE = (*(("exact", name) for name in SCORE), ("raw", "effector_mm"), ("raw", "drawn_mm"))


def compare(folders: tuple[Path, ...], data: PoseData, every: int = 1) -> tuple[int, tuple[dict[str, Any], ...]]:
    """The index of the better of two folders, and what was measured of both.

    The better one has the smaller errors with the exact stage, by the mean of their ratios; a tie keeps the first. For
    networks that edit, the targets count as well, before the exact stage, which meets them all. For those that follow
    sensors, both stages count; those that lift landmarks have no exact stage. InputRefused if only one of the two
    edits, follows or lifts.
    """
    configs = [read_config(folder / CONFIG) for folder in folders]
    one, other = (tuple(config.network in some for some in (EDIT, FOLLOW, LIFT)) for config in configs)
    if one != other:
        raise InputRefused(folders[1], f"it is of another kind than {folders[0]}", "Compare networks of one kind")
    found = [
        measured(folder, c.network, c.body, measures_of(c.network, c.body, data), every)
        for folder, c in zip(folders, configs, strict=True)
    ]
    first, second = found
    scores = (EDIT_SCORE, FOLLOW_SCORE, LIFT_SCORE)
    plain = tuple(("exact", name) for name in SCORE)
    score = next((own for own, is_of in zip(scores, one, strict=True) if is_of), plain)
    ratio = sum(second[stage][name] / first[stage][name] for stage, name in score) / len(score)
    return int(ratio < 1.0), tuple(found)


def comparison_table(names: tuple[str, ...], found: tuple[dict[str, Any], ...]) -> str:
    """A row for each folder and stage."""
    lines = [f"{'':<34}{'MPJPE mm':>10}{'PA mm':>8}{'rad':>8}{'eff mm':>8}{'ms':>7}"]
    for name, row in zip(names, found, strict=True):
        for stage, e in ((stage, row[stage]) for stage in ("raw", "exact") if stage in row):
            aligned = f"{e['pa_mpjpe_mm']:>8.1f}" if "pa_mpjpe_mm" in e else f"{'–':>8}"
            met = f"{e['effector_mm']:>8.2f}" if "effector_mm" in e else f"{'–':>8}"
            numbers = f"{e['mpjpe_mm']:>10.1f}{aligned}{e['ge_rad']:>8.3f}{met}"
            lines.append(f"{f'{name} {stage}':<34}{numbers}{row['network_ms']:>7.2f}")
    return "\n".join(lines)
