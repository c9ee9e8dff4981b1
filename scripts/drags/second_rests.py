"""How far who lies, sits, kneels or crawls in the library's poses moves as they settle a first, second and third time.

python -m scripts.drags.second_rests [--bodies neutral,female,…] [--solvers dls,smplik] [--each]

Centimetres, the mean over joints and people and the joint that moves most. Time: of a processor, one
press. Poses in which nobody is down on the floor are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from time import process_time

import numpy as np

from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import Entry, poses_of, shelf_of
from app.document.model.document import Document
from app.document.model.figure import joints_of
from app.document.posing.rest.settling import come_to_rest, is_down
from scripts.drags.contact_depths import new_person
from scripts.drags.drag_study import Row, drag_parser, print_drags
from scripts.drags.drag_tables import mean_and_worst
from solver.resources import resource_folder

FOLDERS = (
    "Lying", "Sitting on the floor", "Sitting on a box", "Sitting on a chair", "Kneeling", "Crawling", "Crouching",
)  # fmt: skip
TIMES = 3


@dataclass
class Rests(Row):
    """One number for each person and joint, or the joint that moves most, centimetres; or for each press."""

    first: list[float] = field(default_factory=list)
    second: list[float] = field(default_factory=list)
    third: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        moved = [cell for each in (self.first, self.second, self.third) for cell in mean_and_worst(each, 2)]
        return [*moved, *mean_and_worst(self.times, 0)]


COLUMNS = ("first cm", "worst", "second cm", "worst", "third cm", "worst", "ms", "worst")


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each pose and solver."""
    parser = drag_parser(__file__, __doc__, each="person as well")
    given = parser.parse_args(arguments)
    entries = {e.name: e for e in shelf_of(resource_folder("assets", "poses")).entries if e.folder in FOLDERS}

    def rows(name: str, solver: str) -> Iterator[tuple[str, Rests]]:
        for body in given.bodies:
            if (rests := rested(entries[name], body, solver)) is not None:
                yield body, rests

    print_drags(Rests, COLUMNS, given.solvers, tuple(entries), rows, given.each)


def rested(entry: Entry, body: str, solver: str) -> Rests | None:
    """How far somebody in that pose moves at each press; None if they are not down."""
    person = new_person(body, solver)
    document = take_pose(person.id, poses_of(entry), Taking())(Document().with_characters((person,)))
    person = document.character(person.id)
    if not is_down(person):
        return None
    ways, times = [], []
    for _ in range(TIMES):
        begun = process_time()
        after = come_to_rest(person)
        times.append(1e3 * (process_time() - begun))
        ways.append(100.0 * np.linalg.norm(joints_of(after).positions - joints_of(person).positions, axis=1))
        person = after
    first, second, third = (way.tolist() for way in ways)
    return Rests(first, second, third, times)


if __name__ == "__main__":
    main()
