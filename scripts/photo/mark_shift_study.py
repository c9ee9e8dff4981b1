"""How networks' marks move with the bend of limbs and with the view, on renderings of which everything is known.

python -m scripts.photo.mark_shift_study [--renderings DIR ...] [--tune DIR ...]

DIRs are from `scripts.photo.photo_renderings`; of those after --tune, only the half *tune* is read. Prints the table of
`solver.photo.fit.mark_shift_table`, and by part how far marks in the picture are from where they are expected, at the
size of the body: without shifts, with the table that ships and with the one that was just measured.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scripts.arguments import script_parser
from scripts.photo.landmark_errors import people_of
from solver.body.body import Body
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.errors import PoserError
from solver.kinematics.fk import forward_kinematics
from solver.photo.fit.evidence import Evidence
from solver.photo.fit.lifting import lifted, pixels_per_metre, rays
from solver.photo.fit.mark_shift_table import SHIFTS_MM
from solver.photo.fit.mark_shifts import shifted_marks
from solver.photo.measuring.truth import TUNE, TruePerson, TruePicture

Array = NDArray[np.float64]
MISS = 0.03  # metres beyond which a mark's miss counts less and less
FIRM = 2.0  # how firmly coefficients are held at nothing, in marks that are off by 1 m for each metre
ROUNDS = 30


class Miss(NamedTuple):
    """A mark of a person. moves: (2, 36) metres across for each coefficient. off: (2,) metres it is off."""

    moves: Array
    off: Array


def misses(body: Body, picture: TruePicture, person: TruePerson, seen: Evidence) -> list[tuple[str, Miss]]:
    """The marks of a person that move, by part; how they bend as the lifter says, since the fit knows no better."""
    found = lifted(body, seen)
    posed = forward_kinematics(load_body(person.body).skeleton(person.shape), person.pose)
    places = seen.points.places(posed.positions, posed.rotations)
    true = (picture.camera.project(places) - picture.camera.principal_px) * [1.0, -1.0]
    off = (seen.pixels - true) / pixels_per_metre(seen, found)[:, None]
    rows = []
    for mark in shifted_marks(seen.points, found.joints, found.turns, -rays(seen)):
        across = mark.frame[:2] + np.outer(seen.pixels[mark.point] / seen.focal_px, mark.frame[2])
        moves = np.einsum("ij,k->ijk", across, mark.terms).reshape(2, -1)
        rows.append((mark.part, Miss(moves, off[mark.point])))
    return rows


def coefficients(marks: Sequence[Miss]) -> Array:
    """(3, 12) metres that explain most of the marks' misses; far ones hardly count."""
    moves, off = np.stack([mark.moves for mark in marks]), np.stack([mark.off for mark in marks])
    weight, found = np.ones(len(marks)), np.zeros(moves.shape[2])
    for _ in range(ROUNDS):
        normal = np.einsum("nij,n,nik->jk", moves, weight, moves) + FIRM * np.eye(len(found))
        found = np.linalg.solve(normal, np.einsum("nij,n,ni->j", moves, weight, off))
        weight = 1 / (1 + (np.linalg.norm(off - moves @ found, axis=1) / MISS) ** 2)
    return found.reshape(3, -1)


def report(rows: Mapping[str, Sequence[Miss]]) -> str:
    """The table as Python, and a line for each part."""
    lines, told = ["SHIFTS_MM: dict[str, tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = {"], []
    for part, marks in rows.items():
        table = np.round(1000 * coefficients(marks)).astype(int)
        lines.append(f'    "{part}": (')
        lines += [f"        ({', '.join(map(str, row))})," for row in table.tolist()]
        lines.append("    ),")
        moves, off = np.stack([mark.moves for mark in marks]), np.stack([mark.off for mark in marks])
        tables = np.zeros_like(table), np.array(SHIFTS_MM[part]), table
        left = [1000 * np.linalg.norm(off - moves @ one.ravel() / 1000, axis=1) for one in tables]
        figures = (f"{np.median(one):.1f} ({one.mean():.1f})" for one in left)
        told.append(f"{part:<10}{len(marks):6}  " + "   ".join(f"{figure:>14}" for figure in figures))
    head = "part       marks  off in mm, median (mean): as they are, with the table that ships, with this one"
    return "\n".join([*lines, "}", head, *told])


def main() -> int:
    """The command line; returns the exit code."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--renderings", metavar="DIR", type=Path, nargs="+", default=[], help="read whole")
    parser.add_argument("--tune", metavar="DIR", type=Path, nargs="+", default=[], help="the half tune of each")
    given = parser.parse_args()
    folders = [*((folder, None) for folder in given.renderings), *((folder, TUNE) for folder in given.tune)]
    body, rows = load_body(DEFAULT_BODY), defaultdict[str, list[Miss]](list)
    try:
        for folder, half in folders:
            for picture, person, _, seen in people_of(folder, half):
                for part, miss in misses(body, picture, person, seen):
                    rows[part].append(miss)
        if not rows:
            raise PoserError("Nobody was found in any of the pictures, so there is nothing to report.")
    except PoserError as error:
        print(error, file=sys.stderr)
        return 1
    print(report(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
