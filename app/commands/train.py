"""Train the learned solvers: make data from BVH files, train a network, compare networks, export one to ship."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

EPILOG = """\
examples:
  python main.py train prepare --bvh mocap -o data/mocap.npz
  python main.py train run --config configs/smplik.toml --out out/smplik --minutes 60
  python main.py train run --config configs/smplik.toml --out out/smplik --resume
  python main.py train run --smoke --out out/smoke
  torchrun --nproc-per-node 2 main.py train run --config configs/smplik.toml --out out/smplik
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parts = parser.add_subparsers(title="parts", dest="part", metavar="PART", required=True)
    data = parts.add_parser("prepare", help="make one data file from a folder of BVH files")
    data.add_argument("--bvh", metavar="DIR", type=Path, required=True, help="the folder; sub-folders are read too")
    data.add_argument("-o", "--out", metavar="FILE", type=Path, required=True, help="the .npz file to write")

    run_part = parts.add_parser("run", help="train a network")
    what = run_part.add_mutually_exclusive_group(required=True)
    what.add_argument("--config", metavar="FILE", type=Path, help="the settings, TOML or JSON")
    what.add_argument("--smoke", action="store_true", help="a few seconds on synthetic poses, to see that all is well")
    run_part.add_argument("--out", metavar="DIR", type=Path, required=True, help="the folder of checkpoints and curves")
    run_part.add_argument("--data", metavar="FILE", help="another data file than the settings name")
    run_part.add_argument("--minutes", metavar="M", type=float, help="end after this time with a finished schedule")
    run_part.add_argument("--steps", metavar="N", type=int, help="end after this many steps")
    run_part.add_argument("--resume", action="store_true", help="go on from the folder's checkpoint")


def run(args: argparse.Namespace) -> int:
    """Do the part that is asked for."""
    from solver.training import commands

    if args.part == "prepare":
        commands.prepare_data(args.bvh, args.out, "anny")
        return 0
    overrides = {"data": args.data, "minutes": args.minutes, "steps": args.steps}
    given = {name: value for name, value in overrides.items() if value is not None}
    errors = commands.train(args.config, args.out, smoke=args.smoke, resume=args.resume, **given)
    if errors:  # none in the helpers of a group
        commands.show_errors(errors, sys.stdout)
    return 0
