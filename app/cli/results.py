"""Writing the results of `evaluate`."""

from __future__ import annotations

import argparse


def write_results(args: argparse.Namespace, page: str, data: str) -> None:
    """Write the page as Markdown and the data as JSON if asked for, and print one of them."""
    from solver.files.atomic import write_text
    from solver.files.report_page import write_page

    if args.report is not None:
        write_page(args.report, page)
    if args.out is not None:
        write_text(args.out, data)
    print(data if args.json else page, end="")
