"""What the measurements of `evaluate` have in common: the solvers that are asked for, and writing results."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.ik.pipeline.pipeline import Solver


def solvers_asked(args: argparse.Namespace, usual: str) -> dict[str, Solver]:
    """The solvers of --solver by id, or the usual ones. UnknownName before anything is measured."""
    from solver.solvers.catalog import load_solver

    asked = (usual if args.solver == "all" else args.solver).split(",")
    return {id.strip(): load_solver(id.strip()) for id in asked}


def write_results(args: argparse.Namespace, page: str, data: str) -> None:
    """Write the page as Markdown and the data as JSON if asked for, and print one of them."""
    from solver.files.atomic import write_text
    from solver.files.report_page import write_page

    if args.report is not None:
        write_page(args.report, page)
    if args.out is not None:
        write_text(args.out, data)
    print(data if args.json else page, end="")
