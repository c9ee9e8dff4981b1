"""Fills in the tables of docs/solvers.md from those of the benchmark's pages: `python -m scripts.solver_tables`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from scripts.arguments import script_parser
from solver.errors import InputRefused
from solver.solvers.catalog import SOLVERS

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = DOCS / "solvers.md"
SOURCES = tuple(DOCS / f"{name}.md" for name in ("benchmark", "benchmark-edits", "benchmark-trackers"))
NONE = "–"
Table = list[list[str]]  # its rows, the titles first


class Column(NamedTuple):
    """Where a column's figures are. headings: how those above the table begin. figure: the column there.

    first: what is in the first column of its row, if that is not the solver.
    """

    title: str
    headings: tuple[str, ...]
    figure: str
    first: str = ""


TABLES: dict[str, tuple[Column, ...]] = {
    "likely": (
        Column("6 to 12 random handles", ("Protocol R:",), "MPJPE mm"),
        Column("the same on random bodies", ("Protocol R on",), "MPJPE mm"),
        Column("chest, wrists and ankles", ("Protocol F:",), "MPJPE mm"),
        Column("a solve, ms", ("Protocol R:",), "solve ms p50"),
    ),
    "edited": (
        Column("wrists", ("Protocol N:", "Two targets (wrists)"), "MPJPE mm"),
        Column("beyond limits °", ("Protocol N:", "Two targets (wrists)"), "beyond limits °"),
        Column("wrists, ankles, head", ("Protocol N:", "Five targets (wrists"), "MPJPE mm"),
        Column("beyond limits °", ("Protocol N:", "Five targets (wrists"), "beyond limits °"),
    ),
    "kept": (
        Column("Global, rad", ("Protocol B:", "Global"), "off base rad"),
        Column("Local, rad", ("Protocol B:", "Local"), "off base rad"),
        Column("Pose freeze, rad", ("Protocol B:", "Pose freeze"), "off base rad"),
        Column("Place freeze, m", ("Protocol B:", "Place freeze"), "off base m"),
    ),
    "motions": (
        Column("Global", ("Protocol M:", "Global"), "erosion mm"),
        Column("Local", ("Protocol M:", "Local"), "erosion mm"),
    ),
    "trackers": (
        Column("six, rotation °", ("Protocol D:",), "rotation °", "6"),
        Column("joints cm", ("Protocol D:",), "joints cm", "6"),
        Column("four, rotation °", ("Protocol D:",), "rotation °", "4"),
        Column("joints cm", ("Protocol D:",), "joints cm", "4"),
    ),
}


def filled(page: str, source: str) -> str:
    """The page with all its tables renewed. Raises InputRefused if the page has no place or the source no figures."""
    for name, columns in TABLES.items():
        rows = [
            ["solver", *(column.title for column in columns)],
            ["--", *["--:"] * len(columns)],
            *_rows(columns, source),
        ]
        text = "\n".join(f"| {' | '.join(row)} |" for row in rows)
        place = re.compile(rf"<!-- {name} -->\n.*?<!-- end -->", re.DOTALL)
        if not place.search(page):
            raise InputRefused(
                PAGE, f"there is no “<!-- {name} -->” to “<!-- end -->”", "Put them where the table belongs."
            )
        before, after = place.split(page, maxsplit=1)
        page = f"{before}<!-- {name} -->\n\n{text}\n\n<!-- end -->{after}"
    return page


def _rows(columns: Sequence[Column], source: str) -> Iterator[list[str]]:
    """A row for each measured solver of the catalogue."""
    tables = [_table(source, column) for column in columns]
    for spec in SOLVERS:
        figures = [_figure(table, spec.id, column) for table, column in zip(tables, columns, strict=True)]
        if set(figures) != {NONE}:
            yield [spec.title, *figures]


def _table(source: str, column: Column) -> Table:
    """The first table below the column's headings."""
    lines = source.splitlines()
    for level, heading in enumerate(column.headings, start=2):
        mark = f"{'#' * level} {heading}"
        at = next((i for i, line in enumerate(lines) if line.startswith(mark)), None)
        if at is None:
            raise InputRefused(
                SOURCES[0], f"there is no heading “{mark}”", "Name the one that is meant in scripts/solver_tables.py."
            )
        lines = lines[at + 1 :]
    first = next(i for i, line in enumerate(lines) if line.startswith("|"))
    last = next((i for i in range(first, len(lines)) if not lines[i].startswith("|")), len(lines))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[first:last]]


def _figure(table: Table, solver: str, column: Column) -> str:
    titles = table[0]
    if column.figure not in titles:
        raise InputRefused(
            SOURCES[0],
            f"the table below “{column.headings[-1]}” has no column “{column.figure}”",
            "Name one that it has.",
        )
    key = [column.first, solver] if column.first else [solver]
    figure = next((row[titles.index(column.figure)] for row in table[2:] if row[: len(key)] == key), NONE)
    return figure.partition(" ")[0]  # without the spread


if __name__ == "__main__":
    script_parser(__file__, __doc__).parse_args()
    figures = "\n".join(source.read_text(encoding="utf-8") for source in SOURCES)
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), figures), encoding="utf-8")
    print(f"wrote {PAGE}")
