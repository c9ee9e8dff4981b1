"""Measure every solver on the same poses with the same effectors: a table for each protocol and posture class.

A solver that is learned, or followed by the exact stage, appears twice: as the application uses it, and alone as
NAME:raw.
"""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli import follow_sensors, measure_photos
from app.cli.streams import CountedProgress
from solver.errors import PoserError
from solver.sentences import counted

if TYPE_CHECKING:
    from solver.evaluation.evaluate import Progress, Results, Settings

EPILOG = """\
examples:
  python main.py evaluate --bvh mocap
  python main.py evaluate --bvh mocap --split test --protocol R --solver dls,fabrik:raw --max-poses 100
  python main.py evaluate --bvh mocap --split test --json > results.json
  python main.py evaluate --bvh mocap --split test --max-poses 100 --report out/benchmark.md
  python main.py evaluate --bvh mocap --split test --weights out/transformer --weights out/masked_fcr
  python main.py evaluate --bvh mocap --split test --protocol D --max-poses 1000
  python main.py evaluate --library assets/poses --split test --protocol R,Rp
  python main.py evaluate --bvh mocap --split test --floor
  python main.py evaluate --bvh mocap --split test --solid-body
  python main.py evaluate --protocol P --photos DIR
  python main.py evaluate --protocol P --renderings DIR --half report

P reads people off photos: photographs, compared with their landmarks and with a ground_truth.json if there is one, or
renderings, of which everything is known.
D follows whole clips by a few sensors. Several draws give a 95% confidence interval of the position error.
Without a manifest.json in the folder every file counts. In a library every fourth pose of a folder is its test split.
"""

# Options without a meaning for what is measured by itself.
_NO_USE = {
    "--balance": ("--body", "--weights"), "--solid-body": ("--body", "--weights"), "--floor": ("--body", "--weights"),
    "--trade-off": ("--report", "--out", "--json"), f"protocol {follow_sensors.ID}": ("--body",),
    f"protocol {measure_photos.ID}": ("--weights",),
}  # fmt: skip


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    _configure_input(parser)
    _configure_output(parser)


def _configure_input(parser: argparse.ArgumentParser) -> None:
    """What is measured, and on which poses."""
    given = parser.add_mutually_exclusive_group(required=True)
    given.add_argument("--bvh", metavar="DIR", type=Path, help="a folder of BVH files")
    given.add_argument("--library", metavar="DIR", type=Path, help="a folder of pose files, such as assets/poses")
    given.add_argument("--photos", metavar="DIR", type=Path, help="a folder of photographs, for protocol P")
    given.add_argument(
        "--renderings", metavar="DIR", type=Path, help="what scripts.photo.photo_renderings wrote, for protocol P"
    )
    parser.add_argument(
        "--split",
        choices=("train", "val", "test", "all"),
        default="all",
        help="the split of a manifest.json, or of a library",
    )
    parser.add_argument(
        "--half", choices=("tune", "report", "both"), default="both", help="the half of the renderings; both by default"
    )
    parser.add_argument(
        "--clips", metavar="PATTERN", default="*", help="only those with names like this, such as “m2m_*”"
    )
    parser.add_argument(
        "--protocol",
        metavar="LIST",
        default="all",
        help="some of R,Rp,F,B,N,M (all of these by default), or D or P alone",
    )
    parser.add_argument("--solver", metavar="LIST", default="all", help="names as in the tables; all by default")
    parser.add_argument("--shape", choices=("mean", "random"), default="mean", help="the body, or one for each pose")
    parser.add_argument(
        "--max-poses", metavar="N", type=count, help="only so many poses, or edits of motions, chosen by the seed"
    )
    parser.add_argument("--every", metavar="N", type=count, default=10, help="every Nth frame is a pose; 10 by default")
    parser.add_argument(
        "--draws", metavar="N", type=count, default=1, help="how often effectors are drawn for each pose"
    )
    parser.add_argument("--seed", metavar="N", type=whole, default=0, help="the seed of every random choice")
    parser.add_argument(
        "--weights",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="a folder of weights, or of a training run, to measure too",
    )


def _configure_output(parser: argparse.ArgumentParser) -> None:
    """Where results go, and measurements that replace the tables."""
    parser.add_argument("--out", metavar="FILE", type=Path, help="write the results as JSON")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument(
        "--trade-off",
        metavar="FILE",
        type=Path,
        help="draw as a PNG what keeping a base pose costs on the constraints, as protocol B asks, at rising strength",
    )
    parser.add_argument(
        "--floor",
        action="store_true",
        help="solve without a solid floor and with one, and print how deep skin is below it, by posture class",
    )
    parser.add_argument(
        "--balance",
        action="store_true",
        help="drag hands of people who stand, with balance off, helped and strict, and print how many keep it",
    )
    parser.add_argument(
        "--solid-body",
        action="store_true",
        help="solve without a solid body and with one, hands at random places, and print how deep skin is in itself",
    )
    parser.add_argument(
        "--report",
        metavar="FILE",
        type=Path,
        help="write a page with tables and pictures, Markdown; it replaces an earlier report, but no page that "
        "somebody wrote or edited",
    )


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    tell = CountedProgress()
    if args.report is not None:
        from solver.files.atomic import make_folder
        from solver.files.report_page import check_replaceable

        make_folder(args.report.parent, "Name a page elsewhere")
        check_replaceable(args.report)
    refuse_unwritable(args)
    refuse_together(args)
    if measure_photos.is_asked(args):
        return measure_photos.run(args, tell)
    refuse_stills(args)
    refuse_mixed(args)
    if args.solid_body:
        from app.cli import solid_body

        return solid_body.run(args, tell)
    if args.floor:
        from app.cli import solid_floor

        return solid_floor.run(args, tell)
    if args.balance:
        from app.cli import kept_balance

        return kept_balance.run(args, tell)
    if follow_sensors.is_asked(args):
        return follow_sensors.run(args, tell)
    from solver.body.catalog import DEFAULT_BODY, official_body_id
    from solver.evaluation.evaluate import Settings, evaluate
    from solver.evaluation.pictures.publish import prepare, publish
    from solver.evaluation.tables import json_text
    from solver.files.atomic import write_text
    from solver.training.export.run_weights import load_run_or_folder

    asked = (args.library or args.bvh, args.split, args.protocol, args.solver, args.shape, args.max_poses, args.seed)
    folder = getattr(args, "body", None)
    body = official_body_id(folder) if folder else DEFAULT_BODY
    kind = "library" if args.library else "bvh"
    settings = Settings(*asked, body, tuple(args.weights), args.clips, args.every, args.draws, kind)
    if args.report is not None:
        prepare(args.report)
    if args.trade_off is not None:
        return _draw_trade_offs(settings, args.trade_off, tell)
    results = evaluate(settings, tell, load_run_or_folder)
    if args.report is not None:
        publish(results, args.report, command_of(args), tell, load_run_or_folder)
    text = json_text(results.as_json())
    if args.out is not None:
        write_text(args.out, text)
    print(text if args.json else tables(results), end="")
    return 0


def refuse_unwritable(args: argparse.Namespace) -> None:
    """InputRefused, before hours of measuring, where their results could not be written."""
    from solver.files.atomic import check_writable

    for file in (args.out, args.trade_off):
        if file is not None:
            check_writable(file)


def refuse_together(args: argparse.Namespace) -> None:
    """PoserError where two things that are measured by themselves are asked for, or an option without a use for one."""
    alone = [f"--{name.replace('_', '-')}" for name in ("balance", "trade_off") if getattr(args, name)]
    alone += ["--solid-body" if args.solid_body else "--floor"] * (args.solid_body or args.floor)
    alone += [f"protocol {follow_sensors.ID}"] * follow_sensors.is_asked(args)
    alone += [f"protocol {measure_photos.ID}"] * (args.photos is not None or args.renderings is not None)
    if len(alone) > 1:
        raise PoserError(f"{' and '.join(alone)}: each is measured by itself. Ask for one at a time.")
    given = [f"--{name}" for name in ("body", "weights", "report", "out", "json") if getattr(args, name, None)]
    for option in given:
        if option in _NO_USE.get(alone[0] if alone else "", ()):
            raise PoserError(f"{option} means nothing for {alone[0]}. Leave it out.")


def refuse_mixed(args: argparse.Namespace) -> None:
    """PoserError where a protocol that is measured by itself is asked for among others."""
    asked = [part.strip().upper() for part in args.protocol.split(",")]
    if len(asked) > 1 and (alone := {follow_sensors.ID, measure_photos.ID} & set(asked)):
        raise PoserError(f"Protocol {min(alone)} is measured alone. Leave the others out, or run it by itself.")


def refuse_stills(args: argparse.Namespace) -> None:
    """PoserError where clips are to be measured but a library is named."""
    needs = [f"--{name.replace('_', '-')}" for name in ("floor", "solid_body", "balance") if getattr(args, name)]
    if follow_sensors.is_asked(args):
        needs.append(f"protocol {follow_sensors.ID}")
    if args.library is not None and needs:
        raise PoserError(f"{', '.join(needs)}: measured on clips, not on a library. Name a folder of them with --bvh.")


def _draw_trade_offs(settings: Settings, picture: Path, tell: Progress) -> int:
    """The picture, and its points as a table."""
    from solver.body.catalog import load_body
    from solver.evaluation.evaluate import contestants_for, poses_for
    from solver.evaluation.pictures.plots import plot_trade_offs, require_matplotlib
    from solver.evaluation.pictures.trade_off import trade_offs
    from solver.training.export.run_weights import load_run_or_folder

    require_matplotlib()
    body, field = load_body(settings.body), contestants_for(settings, load_run_or_folder)
    points = list(trade_offs(field.contestants, poses_for(settings, body).poses, body, settings.seed, tell))
    plot_trade_offs(points, picture)
    print(f"{'solver':24s}{'mode':14s}{'strength':>9s}{'missed mm':>11s}{'off base':>10s}")
    for point in points:
        print(
            f"{point.contestant:24s}{point.mode:14s}{point.strength:9.2f}{point.effector_mm:11.3f}{point.off_base:10.3f}"
        )
    return 0


def tables(results: Results) -> str:
    """The results for a terminal."""
    from solver.evaluation.evaluate import device
    from solver.evaluation.protocols import ALL_PROTOCOLS
    from solver.evaluation.tables import text_table

    poses = f"{counted(results.poses, 'pose')} of {counted(results.clips, results.settings.holds)}"
    counts = [poses] * bool(results.poses) + [counted(results.edits, "edit")] * bool(results.edits)
    parts = [f"{', '.join(counts)}; solve times on {device()}"]
    parts += [f"skipped: {reason}" for reason in results.skipped.values()]
    for id, figures in results.figures.items():
        protocol = ALL_PROTOCOLS[id]
        (of, solved), problems = protocol.words, results.problems[id]
        parts.append(f"\n{id}: {protocol.title} ({counted(problems, solved)})\n\n{text_table(figures)}")
        parts += [f"left out: {name}: {reason}" for name, reason in results.left_out[id].items()]
        for posture, rows in results.postures[id].items():
            numbers = f"{counted(rows.poses, of)}, {counted(rows.problems, solved)}"
            parts.append(f"\n{id}, {posture} ({numbers})\n\n{text_table(rows.figures)}")
    parts += [f"\n{id}: not measured. {reason}" for id, reason in results.absent.items()]
    return "\n".join(parts) + "\n"


def command_of(args: argparse.Namespace) -> str:
    """The command that makes the same page again."""
    known = argparse.ArgumentParser()
    configure(known)
    words = ["python main.py evaluate"]
    for name, value in vars(args).items():
        if name not in ("command", "debug") and value != known.get_default(name):
            option = "--" + name.replace("_", "-")
            given = value if isinstance(value, list) else [value]
            words += [option if one is True else f"{option} {shlex.quote(str(one))}" for one in given]
    return " ".join(words)


def count(text: str) -> int:
    """A whole number above 0."""
    if whole(text) < 1:
        raise argparse.ArgumentTypeError("expected a whole number above 0, found “0”")
    return int(text)


def whole(text: str) -> int:
    """A whole number, 0 or above."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"expected a whole number, found “{text}”")
    return int(text)
