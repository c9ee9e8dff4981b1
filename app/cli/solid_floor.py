"""`evaluate --floor`: how deep skin is in the floor without a solid one and with it, by posture class."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from app.cli.results import solvers_asked, write_results

if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.evaluation.standing.solid_floor import SolidFloorRow

PROTOCOL, SOLVERS, OF_A_CLASS = "Rp", "smplik,dls", 25


def run(args: argparse.Namespace, tell: Callable[[str, int, int], None]) -> int:
    """Measure and print; `--max-poses` counts the poses of one class. Only positions are asked for unless a protocol is
    named."""
    from solver.body.catalog import DEFAULT_BODY, load_body
    from solver.errors import PoserError
    from solver.evaluation.poses import read_poses
    from solver.evaluation.protocols import protocols_named
    from solver.evaluation.standing.solid_floor import by_posture
    from solver.evaluation.tables import json_text
    from solver.evaluation.trials import Protocol

    solvers, body = solvers_asked(args, SOLVERS), load_body(DEFAULT_BODY)
    named = PROTOCOL if args.protocol == "all" else args.protocol
    (protocol, *more) = protocols_named(named)
    if more or not isinstance(protocol, Protocol):
        raise PoserError(f"The floor is measured with one protocol of single poses, not with “{named}”. Name one.")
    poses = read_poses(args.bvh, body, args.split, args.shape, None, args.seed, clips_like=args.clips, every=args.every)
    found, most = {}, args.max_poses or OF_A_CLASS
    for id, solver in solvers.items():
        found[id] = list(by_posture(poses.poses, protocol, solver, body, most, args.seed, tell))
    page = f"{protocol.id}: {protocol.title}\n" + "".join(f"\n{id}\n\n{table(rows)}" for id, rows in found.items())
    data = json_text({id: [vars(row) for row in rows] for id, rows in found.items()})
    write_results(args, page, data)
    return 0


def table(rows: list[SolidFloorRow]) -> str:
    """The rows in Markdown: each figure without a solid floor, then with it."""
    head = ["posture class", "problems", "lowest skin mm", "worst mm", "sunk %", "missed, p95 mm", "ms", "ms p95"]
    lines = [" | ".join(head), "|".join(["--"] * len(head))]
    for row in rows:
        median, most = zip(*row.took, strict=True)
        pairs = [_millimetres(row.lowest), _millimetres(row.worst), [f"{100 * share:.0f}" for share in row.sunk]]
        pairs += [_millimetres(row.missed, 2), [f"{v:.2f}" for v in median], [f"{v:.2f}" for v in most]]
        lines.append(" | ".join([row.posture, str(row.problems), *(" → ".join(pair) for pair in pairs)]))
    return "".join(f"| {line} |\n" for line in lines)


def _millimetres(metres: tuple[float, float], digits: int = 1) -> list[str]:
    return [f"{1e3 * one:.{digits}f}" for one in metres]
