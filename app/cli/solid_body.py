"""`evaluate --solid-body`: how deep bodies pass through themselves, and what it costs to prevent it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from app.cli.results import solvers_asked, write_results

if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.evaluation.standing.solid_body import SolidBodyRow

SOLVERS, POSES = "smplik,dls", 200


def run(args: argparse.Namespace, tell: Callable[[str, int, int], None]) -> int:
    """Measure and print; `--max-poses` counts the poses, `--floor` puts them on a solid floor."""
    from solver.body.catalog import DEFAULT_BODY, load_body
    from solver.evaluation.poses import read_poses
    from solver.evaluation.standing.solid_body import compare_solid_body
    from solver.evaluation.tables import json_text

    solvers = solvers_asked(args, SOLVERS)
    body, most = load_body(DEFAULT_BODY), args.max_poses or POSES
    poses = read_poses(args.bvh, body, args.split, args.shape, most, args.seed, clips_like=args.clips, every=args.every)
    found = {}
    for id, solver in solvers.items():
        found[id] = compare_solid_body(poses.poses, solver, body, args.seed, args.floor, tell)
    write_results(args, table(found), json_text({id: vars(row) for id, row in found.items()}))
    return 0


def table(rows: dict[str, SolidBodyRow]) -> str:
    """The rows in Markdown: each figure without a solid body, then with it."""
    head = [
        "solver",
        "poses",
        "depth mm",
        "worst mm",
        "over 1 cm %",
        "held, p95 mm",
        "reachable hands",
        "hands, p95 mm",
    ]
    lines = [" | ".join([*head, "ms", "ms p95"]), "|".join(["--"] * (len(head) + 2))]
    for id, row in rows.items():
        median, most = zip(*row.took, strict=True)
        before = [_both(row.depth, 1e3, 1), _both(row.worst, 1e3, 1), _both(row.visible, 100.0, 0)]
        after = [_both(row.held, 1e3, 2), str(row.reachable), _both(row.hands, 1e3, 2)]
        lines.append(" | ".join([id, str(row.problems), *before, *after, _both(median, 1.0, 2), _both(most, 1.0, 2)]))
    return "".join(f"| {line} |\n" for line in lines)


def _both(pair: tuple[float, float], scale: float, digits: int) -> str:
    return " → ".join(f"{scale * one:.{digits}f}" for one in pair)
