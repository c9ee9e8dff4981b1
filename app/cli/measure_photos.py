"""`evaluate --photos` and `--renderings`: protocol P, how people are read from photos."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from app.cli.results import write_results
from solver.errors import PoserError

if TYPE_CHECKING:
    from collections.abc import Callable

ID = "P"


def is_asked(args: argparse.Namespace) -> bool:
    """Whether to measure pictures. Raises PoserError for pictures with another protocol, or for P without any."""
    protocol = args.protocol.strip().casefold()
    pictures = args.photos is not None or args.renderings is not None
    if pictures and protocol not in ("all", ID.casefold()):
        raise PoserError(f"Pictures are measured by protocol {ID} alone, not by “{args.protocol}”. Leave it out.")
    if not pictures and protocol == ID.casefold():
        raise PoserError(f"Protocol {ID} measures pictures. Name a folder of them with --photos or --renderings.")
    return pictures


def run(args: argparse.Namespace, tell: Callable[[str, int, int], None]) -> int:
    """Measure and print; `--max-poses` counts pictures."""
    import numpy as np

    from app.cli.open import body_id
    from solver.body.catalog import DEFAULT_BODY, load_body
    from solver.files.json_text import json_text
    from solver.photo.measuring.measure import measure_all
    from solver.photo.measuring.tables import markdown
    from solver.photo.measuring.truth import photo_cases, rendered_cases

    cases = photo_cases(args.photos) if args.photos is not None else rendered_cases(args.renderings)
    if args.half != "both":
        if args.photos is not None:
            raise PoserError("Photographs have no halves. Leave out --half, or name a folder with --renderings.")
        if not (cases := [case for case in cases if case.half == args.half]):
            raise PoserError(f"No picture of {args.renderings} belongs to the half “{args.half}”. Draw more of them.")
    if args.max_poses is not None and args.max_poses < len(cases):
        drawn = np.random.default_rng(args.seed).choice(len(cases), args.max_poses, replace=False)
        cases = [cases[i] for i in sorted(drawn)]
    measured = measure_all(cases, load_body(body_id(args) or DEFAULT_BODY), tell)
    write_results(args, markdown(measured), json_text(measured.as_json()))
    return 0
