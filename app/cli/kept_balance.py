"""`evaluate --balance`: whether people whose hands are dragged stay in balance, with balance off, helped and strict."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from app.cli.results import solvers_asked, write_results

if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.evaluation.standing.kept_balance import BalanceRow

SOLVERS, POSES = "smplik,dls", 50


def run(args: argparse.Namespace, tell: Callable[[str, int, int], None]) -> int:
    """Measure and print; `--max-poses` counts poses that stand."""
    from solver.body.catalog import DEFAULT_BODY, load_body
    from solver.evaluation.poses import read_poses
    from solver.evaluation.standing.kept_balance import by_mode
    from solver.evaluation.tables import json_text

    solvers = solvers_asked(args, SOLVERS)
    body = load_body(DEFAULT_BODY)
    poses = read_poses(args.bvh, body, args.split, args.shape, None, args.seed, clips_like=args.clips, every=args.every)
    most = args.max_poses or POSES
    found = {id: list(by_mode(poses.poses, solver, body, most, args.seed, tell)) for id, solver in solvers.items()}
    page = "".join(f"{id}\n\n{table(rows)}\n" for id, rows in found.items())
    write_results(args, page, json_text({id: [vars(row) for row in rows] for id, rows in found.items()}))
    return 0


def table(rows: list[BalanceRow]) -> str:
    """The rows in Markdown."""
    head = ["balance", "drags", "balanced %", "missed, p95 mm", "ms", "ms p95", "joint per step, p95 mm", "most mm"]
    lines = [" | ".join(head), "|".join(["--", *["--:"] * (len(head) - 1)])]
    for row in rows:
        numbers = [f"{100 * row.balanced:.0f}", f"{1e3 * row.missed:.2f}", *(f"{one:.2f}" for one in row.took)]
        lines.append(" | ".join([row.mode, str(row.drags), *numbers, *(f"{1e3 * one:.0f}" for one in row.step)]))
    return "".join(f"| {line} |\n" for line in lines)
