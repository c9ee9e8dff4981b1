"""Train the learned solvers: make data from motion capture, train a network, compare networks, export one to ship."""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path

EPILOG = """\
examples:
  python main.py train prepare --bvh mocap -o data/mocap.npz
  python main.py train prepare --amass AMASS --bvh lafan1 -o data/large.npz
  python main.py train prepare --bvh mocap --library assets/poses -o data/with-library.npz
  python main.py train run --config configs/smplik.toml --out out/smplik --minutes 60
  python main.py train run --config configs/smplik.toml --out out/smplik --resume
  python main.py train run --smoke --out out/smoke
  python main.py train export --run out/smplik -o weights/smplik
  python main.py train compare weights/smplik out/new
  torchrun --nproc-per-node 2 main.py train run --config configs/smplik.toml --out out/smplik
"""

SOURCES = {
    "bvh": "BVH files",
    "amass": "AMASS's .npz files, of SMPL, SMPL-H or SMPL-X bodies",
    "library": "pose files; every fourth is left for tests",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parts = parser.add_subparsers(title="parts", dest="part", metavar="PART", required=True)
    _configure_prepare(parts.add_parser("prepare", help="make one data file from folders of BVH, AMASS or pose files"))
    _configure_run(parts.add_parser("run", help="train a network"))
    _configure_export(parts.add_parser("export", help="write a run's network as a folder of weights"))
    _configure_compare(parts.add_parser("compare", help="say which of two folders of weights is better"))


def _configure_prepare(data: argparse.ArgumentParser) -> None:
    for kind, files in SOURCES.items():
        data.add_argument(
            f"--{kind}",
            metavar="DIR",
            type=Path,
            action="append",
            default=[],
            help=f"a folder of {files}; sub-folders are read too (may be repeated)",
        )
    data.add_argument(
        "--leave-out",
        metavar="PATTERN",
        action="append",
        default=[],
        help="clips not to learn from, such as “m2m_*” (may be repeated)",
    )
    data.add_argument("-o", "--out", metavar="FILE", type=Path, required=True, help="the .npz file to write")
    data.set_defaults(refuse=data.error)


def _configure_run(run_part: argparse.ArgumentParser) -> None:
    what = run_part.add_mutually_exclusive_group(required=True)
    what.add_argument("--config", metavar="FILE", type=Path, help="the settings, TOML or JSON")
    what.add_argument(
        "--smoke", action="store_true", help="a few seconds on synthetic poses, to see that everything works"
    )
    run_part.add_argument("--out", metavar="DIR", type=Path, required=True, help="the folder of checkpoints and curves")
    run_part.add_argument("--data", metavar="FILE", help="a data file other than the one in the settings")
    run_part.add_argument("--minutes", metavar="M", type=_minutes, help="end after this time with a finished schedule")
    run_part.add_argument("--steps", metavar="N", type=_count, help="end after this many steps")
    run_part.add_argument(
        "--set",
        metavar="KEY=VALUE",
        type=_setting,
        action="append",
        default=[],
        help="a setting that differs from the file, such as “preservation=0.1” (may be repeated)",
    )
    run_part.add_argument("--resume", action="store_true", help="continue from the folder's checkpoint")
    run_part.set_defaults(refuse=run_part.error)


def _configure_export(out: argparse.ArgumentParser) -> None:
    out.add_argument("--run", metavar="DIR", type=Path, required=True, help="the folder of the run")
    out.add_argument("-o", "--out", metavar="DIR", type=Path, required=True, help="the folder of weights to write")
    out.add_argument(
        "--precision", choices=("auto", "fp32", "int8"), default="auto", help="auto: int8 if it costs ≤ 2%%"
    )
    out.add_argument(
        "--share",
        metavar="S",
        type=_share,
        default=1.0,
        help="how far to go from the weights that the run began with to those it learned: 0.5 is half-way",
    )
    out.add_argument(
        "--share-from", metavar="DIR", type=Path, help="the weights to start from, if not those that the run began with"
    )
    out.add_argument("--note", metavar="TEXT", help="a paragraph for the card")
    out.add_argument(
        "--sources", metavar="TEXT", help="where the data comes from; by default what the shipped networks learned from"
    )
    out.add_argument(
        "--licence", metavar="TEXT", help="licence of the weights, as far as the data's allow; Apache-2.0 by default"
    )
    out.add_argument("--data", metavar="FILE", type=Path, help="what to measure on, if not what the run learned from")
    out.set_defaults(refuse=out.error)
    _add_every(out)


def _configure_compare(two: argparse.ArgumentParser) -> None:
    two.add_argument("weights", metavar="DIR", type=Path, nargs=2, help="folders of weights")
    two.add_argument("--data", metavar="FILE", type=Path, default=Path("data/mocap.npz"), help="the data to solve")
    _add_every(two)


def _add_every(part: argparse.ArgumentParser) -> None:
    part.add_argument("--every", metavar="N", type=_count, default=1, help="solve only every n-th problem")


def run(args: argparse.Namespace) -> int:
    """Do the part asked for."""
    from solver.training import commands

    if args.part == "prepare":
        from solver.training.data.prepare import Source

        sources = [Source(kind, folder) for kind in SOURCES for folder in getattr(args, kind)]
        if not sources:
            args.refuse("name a folder with --bvh, --amass or --library")
        commands.prepare_data(sources, args.out, "anny", leave_out=args.leave_out)
        return 0
    if args.part == "export":
        if args.share_from and args.share == 1.0:
            args.refuse("--share-from needs --share: how far to go from there")
        told = {name: value for name in ("note", "sources", "licence") if (value := getattr(args, name))}
        commands.export_weights(
            args.run, args.out, args.precision, args.every, told,
            share=args.share, share_from=args.share_from, data=args.data,
        )  # fmt: skip
        return 0
    if args.part == "compare":
        commands.compare_weights(tuple(args.weights), args.data, args.every)
        return 0
    overrides = {"data": args.data, "minutes": args.minutes, "steps": args.steps}
    given = dict(args.set) | {name: value for name, value in overrides.items() if value is not None}
    if args.smoke and "data" in given:
        args.refuse("--data does not go with --smoke, which makes poses of its own")
    errors = commands.train(args.config, args.out, smoke=args.smoke, resume=args.resume, **given)
    if errors:  # there are none in the helper processes of a group
        commands.write_errors(errors, sys.stdout)
    return 0


def _setting(text: str) -> tuple[str, object]:
    """A number if the value is one, else a text."""
    key, given, value = text.partition("=")
    if not key or not given:
        raise argparse.ArgumentTypeError(f"expected KEY=VALUE, found “{text}”")
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value.strip()


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is not a number") from None
    if not 0.0 < share <= 1.0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0 and at most 1")
    return share


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number above 0, found “{text}”")
    return int(text)


def _minutes(text: str) -> float:
    try:
        minutes = float(text)
    except ValueError:
        minutes = 0.0
    if not 0.0 < minutes < float("inf"):
        raise argparse.ArgumentTypeError(f"expected minutes above 0, found “{text}”")
    return minutes
