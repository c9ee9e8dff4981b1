"""What the studies of drags have in common: their command line, and the loop over solvers, drags and people."""

from __future__ import annotations

import argparse
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from typing import TypeVar

from scripts.arguments import add_list, script_parser
from scripts.drags.contact_depths import BODIES
from scripts.drags.drag_measures import SOLVERS, Samples
from scripts.drags.drag_tables import print_row


class Row(Samples, ABC):
    """Measures that a row of a table is made of."""

    @property
    @abstractmethod
    def cells(self) -> list[str]:
        """Of the row, behind what names it."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was measured."""
        return not any(getattr(self, each.name) for each in fields(self))


Measures = TypeVar("Measures", bound=Row)


def drag_parser(
    file: str, doc: str | None, solvers: Sequence[str] = SOLVERS, each: str = "", bodies: Sequence[str] = BODIES
) -> argparse.ArgumentParser:
    """A parser as `script_parser`'s that takes some of the bodies and of the solvers, and --each for a row for each of
    those: "drag"."""
    parser = script_parser(file, doc)
    add_list(parser, "--bodies", bodies)
    add_list(parser, "--solvers", solvers)
    if each:
        parser.add_argument("--each", action="store_true", help=f"a row for each {each}")
    return parser


def print_drags(
    kind: type[Measures],
    columns: Sequence[str],
    solvers: Sequence[str],
    drags: Sequence[str],
    measure: Callable[[str, str], Iterable[tuple[str, Measures]]],
    each: bool,
    what: str = "drag",
) -> None:
    """Print a table: a row for each drag and solver, and one for all drags of a solver.

    measure: for a drag and a solver, the name of each person and what was measured. each: a row for each person too.
    what: the first column's heading.
    """
    print_row(what, "solver", *columns)
    for solver in solvers:
        every = kind()
        for drag in drags:
            row = kind()
            for name, one in measure(drag, solver):
                row.add(one)
                if each:
                    print_row(f"  {drag}, {name}", solver, *one.cells)
            if not row.is_empty:
                print_row(drag, solver, *row.cells)
            every.add(row)
        if not every.is_empty:
            print_row("all", solver, *every.cells)
