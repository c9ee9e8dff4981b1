"""Prepare a folder of pictures for labelling: find the people of each, and write a scene and a proposed label.

Pictures that already have a label stay as they are, so the command can be stopped and started again. docs/labelling.md
says what the files hold.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.photo.image_file import PhotoImage

EPILOG = """\
examples:
  python main.py label pictures
  python main.py label pictures --out labels
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="the folder of the pictures")
    parser.add_argument("--out", metavar="DIR", type=Path, help="where the labels go (default: FOLDER/labels)")
    parser.add_argument(
        "--estimator", metavar="NAME", default="built-in",
        help="who reads the pictures: built-in, or a plug-in's name (docs/estimates.md)",
    )  # fmt: skip
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")


def run(args: argparse.Namespace) -> int:
    """Read every picture that has no label yet; 1 if one could not be read."""
    import sys

    from app.cli.open import body_id
    from app.document.exchange.label_files import FOLDER
    from app.document.exchange.label_folder import prepare
    from app.document.exchange.label_opening import PeopleReader
    from solver.body.catalog import DEFAULT_BODY, load_body
    from solver.estimates.plug_ins import check_estimator
    from solver.sentences import mid_sentence

    def tell(line: str) -> None:
        if not args.quiet:
            print(line, flush=True)

    def refuse(reason: str) -> None:
        print(f"contrapposto: {reason}", file=sys.stderr, flush=True)

    def note(image: PhotoImage) -> None:
        if image.left_out:
            tell(f"{Path(image.path).name}: {mid_sentence(image.left_out)}")

    body = body_id(args) or DEFAULT_BODY
    reader = PeopleReader(body, estimator=args.estimator, shown=note)
    check_estimator(args.estimator)  # at once, and not for each picture
    load_body(body)
    out = args.out or args.folder / FOLDER
    count, failed = prepare(args.folder, out, reader.people_in, tell, refuse)
    tell(f"{count} read{f', {failed} cannot be read' if failed else ''}. Labels are in {out}.")
    return 1 if failed else 0
