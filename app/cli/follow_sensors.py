"""`evaluate --protocol D`: whole clips followed by a few sensors, which no other protocol of `evaluate` does."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from app.cli.results import write_results

if TYPE_CHECKING:
    from collections.abc import Callable

ID = "D"


def is_asked(args: argparse.Namespace) -> bool:
    """Whether the protocol is asked for, which must then be the only one."""
    return args.protocol.strip().casefold() == ID.casefold()


def run(args: argparse.Namespace, tell: Callable[[str, int, int], None]) -> int:
    """Measure and print; `--max-poses` counts frames."""
    from solver.evaluation.tables import json_text
    from solver.evaluation.tracking.follow import follow_all
    from solver.evaluation.tracking.tables import markdown
    from solver.training.export.latent_run import latent_trackers

    extra = [tracker for folder in args.weights for tracker in latent_trackers(folder, name=folder.resolve().name)]
    followed = follow_all(
        args.bvh, args.split, args.solver, args.max_poses, args.seed, args.clips, extra=extra, tell=tell
    )
    write_results(args, markdown(followed), json_text(followed.as_json()))
    return 0
