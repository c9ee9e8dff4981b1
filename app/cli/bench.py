"""Measure how fast this machine poses, edits motions, draws, starts and reads a photo, and the memory it takes: medians
and 95th percentiles.

Each figure is printed beside the aim it is meant to stay below. The parts are solver, contacts, motion, drawing, start,
memory and photo.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.evaluation.speed import Figure

EPILOG = """\
examples:
  python main.py bench
  python main.py bench --only solver,drawing
  python main.py bench --json > figures.json
  python main.py bench --check

“start” opens the window a few times. Without --photo, “photo” reads a picture of two people that is drawn for it.
Every time is also compared with a fixed piece of work in the same run. --check compares that ratio with the
recorded one, so that it says something on a slow or busy machine too; --record keeps this run's ratios for later.
"""
PARTS = ("solver", "contacts", "motion", "drawing", "start", "memory", "photo")


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("--json", action="store_true", help="print JSON, for machines; the rows go to stderr")
    parser.add_argument("--only", metavar="PARTS", type=parts, default=PARTS, help=f"of {','.join(PARTS)}")
    parser.add_argument("--check", action="store_true", help="fail (exit code 1) where something became slower")
    parser.add_argument("--record", action="store_true", help="keep this run's ratios for later checks")
    parser.add_argument("--photo", metavar="IMAGE", help="the photo to read instead of a drawn one")


def run(args: argparse.Namespace) -> int:
    """Measure part by part and print each figure as soon as it is there; with --json to stderr, where it takes minutes
    until the JSON is whole."""
    import sys

    from app.benchmark.measures import measure
    from app.benchmark.yardstick import ratios_to_fixed_work

    if args.photo is not None and "photo" in args.only:  # it is read last, after minutes
        from solver.photo.image_file import load_image

        load_image(args.photo)
    figures: list[Figure] = []
    table = sys.stderr if args.json else sys.stdout
    print(f"{'':<46}{'median':>10}{'p95':>10}{'runs':>6}{'ratio':>9}   aim", file=table, flush=True)
    for figure in ratios_to_fixed_work(measure(args.only, args.photo)):
        figures.append(figure)
        print(row(figure), file=table, flush=True)
    if args.json:
        import json
        from dataclasses import asdict

        print(json.dumps([asdict(figure) for figure in figures], indent=2, ensure_ascii=False))
    if args.record:
        record(figures)
    return check(figures) if args.check else 0


def record(figures: list[Figure]) -> None:
    """Keep the ratios of these rows; those of other rows stay as they were recorded."""
    from statistics import median

    from app.benchmark.yardstick import FIXED, RATIOS, recorded_ratios
    from solver.files.atomic import write_text
    from solver.files.json_text import json_text

    measured = {figure.name: round(figure.ratio, 3) for figure in figures if figure.ratio is not None}
    fixed = [figure.median / figure.ratio for figure in figures if figure.ratio]
    if fixed:
        measured[FIXED] = round(median(fixed), 4)
    write_text(RATIOS, json_text({**recorded_ratios(), **measured}))


def check(figures: list[Figure]) -> int:
    """Say on stderr what became slower than recorded; 1 if anything did."""
    import sys

    from app.benchmark.yardstick import recorded_ratios, slowdown_text

    recorded = recorded_ratios()
    complaints = [text for figure in figures if (text := slowdown_text(figure, recorded))]
    for text in complaints:
        print(text, file=sys.stderr)
    return 1 if complaints else 0


def row(figure: Figure) -> str:
    """One line of the table, in milliseconds unless the aim says otherwise."""
    aim = (
        ""
        if figure.aim is None
        else f"   < {round(figure.aim, 1):g} {figure.unit}{'' if figure.median < figure.aim else '  missed'}"
    )
    ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
    return f"{figure.name:<46}{figure.median:>10.3f}{figure.p95:>10.3f}{figure.count:>6}{ratio:>9}{aim}"


def parts(text: str) -> tuple[str, ...]:
    """ "solver,start" -> ("solver", "start")."""
    chosen = tuple(part.strip() for part in text.split(","))
    for part in chosen:
        if part not in PARTS:
            raise argparse.ArgumentTypeError(f"“{part}” is not one of {', '.join(PARTS)}")
    return chosen
