"""The command line that the studies of drags have in common."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from scripts.arguments import add_list, script_parser
from scripts.contact_depths import BODIES
from scripts.drag_measures import SOLVERS


def drag_parser(
    file: str, doc: str | None, solvers: Sequence[str] = SOLVERS, each: str = ""
) -> argparse.ArgumentParser:
    """A parser as `script_parser`'s that takes some of the bodies and of the solvers, and --each for a row for each of
    those: "drag"."""
    parser = script_parser(file, doc)
    add_list(parser, "--bodies", BODIES)
    add_list(parser, "--solvers", solvers)
    if each:
        parser.add_argument("--each", action="store_true", help=f"a row for each {each}")
    return parser
