"""Prepare a folder of pictures for labelling: find the people of each, and write a scene and a proposed label.

What has a label already stays as it is, so the command can be stopped and started again. docs/labelling.md says what
the files hold.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.document.model.document import Document

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
    """Read every picture that has no label yet; 1 where one could not be read."""
    import sys

    from app.cli.open import body_id
    from app.document.exchange.label_folder import FOLDER, prepare
    from solver.body.catalog import DEFAULT_BODY

    def tell(line: str) -> None:
        if not args.quiet:
            print(line, flush=True)

    body = body_id(args) or DEFAULT_BODY
    out = args.out or args.folder / FOLDER
    count, failed = prepare(args.folder, out, lambda path: people_in(path, body, args.estimator), tell)
    for reason in failed:
        print(f"contrapposto: {reason}", file=sys.stderr)
    tell(f"{count} read, {len(failed)} left out. Labels are in {out}.")
    return 1 if failed else 0


def people_in(path: Path, body: str, estimator: str) -> Document:
    """A picture's people, with their photo, as a document; the photo alone where nobody is found."""
    from app.document.exchange.people import people_edit
    from app.document.model.document import Document
    from solver.body.catalog import load_body
    from solver.estimates.plug_ins import people_in_photo
    from solver.photo.image_file import load_image

    image = load_image(path)
    return people_edit(image, people_in_photo(estimator, image, load_body(body), None), body=body)(Document())
