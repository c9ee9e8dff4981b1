"""What the scripts share on the command line: a parser, and lists of names that must exist."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TypeVar

SCRIPTS = Path(__file__).resolve().parent
Value = TypeVar("Value")


def script_parser(file: str, doc: str | None) -> argparse.ArgumentParser:
    """A parser for `python -m scripts.NAME`; its help is the script's docstring as it stands. file: `__file__`."""
    name = Path(file).resolve().relative_to(SCRIPTS).with_suffix("")
    return argparse.ArgumentParser(
        prog=f"python -m scripts.{'.'.join(name.parts)}",
        description=doc,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_list(parser: argparse.ArgumentParser, option: str, names: Collection[str]) -> None:
    """Add an option that takes some of the names, separated by commas; all of them by default."""
    parser.add_argument(option, type=some_of(names), default=list(names), help="of: " + ", ".join(names))


def add_parts(parser: argparse.ArgumentParser, name: str, names: Collection[str]) -> None:
    """Add arguments that choose among the names by parts of them; see `with_part`. name: in the plural, "scenes"."""
    one = name.removesuffix("s")
    parser.add_argument(
        name, nargs="*", type=part_of(names), metavar=one.upper(), help=f"part of a {one}'s name (default: all {name})"
    )


def with_part(named: Mapping[str, Value], parts: Collection[str]) -> dict[str, Value]:
    """Those whose name holds one of the parts; all of them without any."""
    return {name: value for name, value in named.items() if not parts or any(part in name for part in parts)}


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
