"""Where what `evaluate` measured goes."""

from __future__ import annotations

import argparse


def hand_out(args: argparse.Namespace, page: str, data: str) -> None:
    """Write the page in Markdown and the data in JSON where they are asked for, and print one of them."""
    from solver.files.atomic import write_text

    if args.report is not None:
        write_text(args.report, page)
    if args.out is not None:
        write_text(args.out, data)
    print(data if args.json else page, end="")
