"""What the scripts share on the command line: a parser, and lists of names that must exist."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection
from pathlib import Path


def script_parser(file: str, doc: str | None) -> argparse.ArgumentParser:
    """A parser for `python -m scripts.NAME`; its help is the script's docstring as it stands. file: `__file__`."""
    return argparse.ArgumentParser(
        prog=f"python -m scripts.{Path(file).stem}",
        description=doc,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_list(parser: argparse.ArgumentParser, option: str, names: Collection[str]) -> None:
    """Add an option that takes some of the names, separated by commas; all of them by default."""
    parser.add_argument(option, type=some_of(names), default=list(names), help="of: " + ", ".join(names))


def some_of(names: Collection[str]) -> Callable[[str], list[str]]:
    """An argument's type: some of the names, separated by commas, or none of them."""
    one = one_of(names)
    return lambda text: [one(name) for name in text.split(",") if name]


def one_of(names: Collection[str]) -> Callable[[str], str]:
    """An argument's type: one of the names."""
    return lambda text: _in(text in names, text, names)


def part_of(names: Collection[str]) -> Callable[[str], str]:
    """An argument's type: what is part of at least one of the names."""
    return lambda text: _in(any(text in name for name in names), text, names)


def _in(there: bool, text: str, names: Collection[str]) -> str:
    if not there:
        raise argparse.ArgumentTypeError(f"there is no “{text}”, only: {'; '.join(names)}")
    return text
