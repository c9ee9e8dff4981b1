"""Whether people who hold nothing are back as they were when a drag of theirs comes back, and how evenly they move.

python -m scripts.drags.return_drags [HANDLE…] [--bodies neutral,female,…] [--solvers dls,smplik,…]
    [--poses N | --folders NAME,…] [--half tune] [--strict] [--far METRES] [--seed N] [--each]

People take poses of the library and are dragged by a handle in steps of a centimetre (2° for turns), in a
random direction, and back; new people as well, unless folders of the library are named. Every second pose tunes, the
others report. First is how far the joint that moves most moves in the first step; out and in are the steps away and
back; back is how far the joint that is off most is in the end from where it was, in cm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from app.document import edits
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import entry_of, poses_of
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.posing.fitting_effectors import new_effector
from scripts.arguments import add_parts, with_part
from scripts.drags.contact_depths import BODIES, FIRST, new_person
from scripts.drags.drag_measures import ALL_SOLVERS, FAR, HALVES, MET, Array, apart, places_of
from scripts.drags.drag_steps import target_of, target_steps, there_and_back
from scripts.drags.drag_study import Row, drag_parser, print_drags
from scripts.drags.drag_tables import mean_and_worst, percent_over, percentiles
from solver.effectors.kinds import Position, Rotation
from solver.ik.options import BALANCE, with_option
from solver.kinematics.rotations import from_rotation_vector
from solver.resources import resource_folder
from solver.rig.rig import rig_of
from solver.rig.roles import Role

TURN = np.radians(200.0)  # per metre
HANDLES = {
    "moved hand": (Position.kind, Role.LEFT_WRIST),
    "moved foot": (Position.kind, Role.RIGHT_ANKLE),
    "moved head": (Position.kind, Role.HEAD),
    "moved pelvis": (Position.kind, Role.PELVIS),
    "moved elbow": (Position.kind, Role.RIGHT_ELBOW),
    "turned hand": (Rotation.kind, Role.RIGHT_WRIST),
    "turned head": (Rotation.kind, Role.HEAD),
    "turned pelvis": (Rotation.kind, Role.PELVIS),
}


@dataclass
class Moves(Row):
    """Metres and milliseconds; each drag adds one number, and to out, back and took many."""

    first: list[float] = field(default_factory=list)
    out: list[float] = field(default_factory=list)
    come: list[float] = field(default_factory=list)
    back: list[float] = field(default_factory=list)
    missed: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        first, out, come, back = (100 * np.array(each) for each in (self.first, self.out, self.come, self.back))
        return [
            f"{len(back)}", *percentiles(first, 50, 90, 100),
            *percentiles(out, 50, 99, 100), *percentiles(come, 50, 99, 100),
            percent_over([*self.out, *self.come], FAR, digits=2),
            *mean_and_worst(back, digits=2), percent_over(self.missed, MET), *percentiles(self.took, 50),
        ]  # fmt: skip


COLUMNS = (
    "drags", "first cm", "p90", "worst", "out cm", "p99", "worst", "in cm", "p99", "worst", "over 5 cm %",
    "back cm", "worst", "missed %", "ms",
)  # fmt: skip


def starts(half: str, count: int, folders: Sequence[str] = ()) -> list[Path | None]:
    """None, for the stance of a new person, and so many files of poses, evenly over the library's half; of that all
    files in folders that are named."""
    files = sorted(resource_folder("assets", "poses").glob("*/*.json"))
    files = [file for file in files if file.parent.name != "Two people"][HALVES.index(half) :: 2]
    if folders:
        return [file for file in files if file.parent.name in folders]
    return [None, *(files[i] for i in np.linspace(0, len(files) - 1, count).round().astype(int))]


def posed(file: Path | None, body: str, solver: str, strict: bool) -> Document:
    """A person of that body in a pose of the library, or as new."""
    made = new_person(body, solver)
    if strict:
        made = replace(made, solver_options=with_option(made.solver_options, BALANCE.id, "strict"))
    document = Document().with_characters((made,))
    return document if file is None else take_pose(FIRST, poses_of(entry_of(file)), Taking())(document)


def grabbed(document: Document, kind: str, role: Role) -> tuple[Document, str]:
    """The id of the first one's effector of that kind, as a press takes hold of it."""
    person = document.character(FIRST)
    joint = rig_of(skeleton_of(person)).name(role)
    held = [e.id for e in person.effectors if e.joint == joint and e.kind == kind]
    if held:
        return document, held[0]
    made = new_effector(person, kind, joint)
    return edits.add_effector(FIRST, made)(document), made.id


def places(rng: np.random.Generator, start: Array, far: float, step: float) -> list[Array]:
    """The targets of a drag away and back in steps of metres, in a random direction; `start` itself last."""
    way = rng.normal(size=3)
    way /= np.linalg.norm(way)
    count = max(1, round(far / step))
    steps = there_and_back(count)
    if start.ndim == 2:
        return [from_rotation_vector(step * TURN * n * way) @ start if n else start for n in steps]
    return [start + step * n * way for n in steps]


def drag(document: Document, handle: str, rng: np.random.Generator, far: float, step: float) -> Moves:
    """Drag a handle there and back, and measure each step."""
    before, moves = places_of(document), Moves()
    document, id = grabbed(document, *HANDLES[handle])
    targets, was = places(rng, target_of(document, id), far, step), before
    for number, reached in enumerate(target_steps(document, id, targets)):
        moves.took.append(reached.took)
        now = places_of(reached.document)
        went = apart(now, was)
        if not number:
            moves.first.append(went)
        (moves.out if 2 * number < len(targets) else moves.come).append(went)
        moves.missed.append(reached.other)
        was = now
    moves.back.append(apart(was, before))
    return moves


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each handle and solver."""
    parser = drag_parser(__file__, __doc__, ALL_SOLVERS, each="drag")
    add_parts(parser, "handles", HANDLES)
    parser.add_argument("--poses", type=int, default=8, metavar="N", help="for each body (default: 8)")
    parser.add_argument("--folders", default="", metavar="NAME,…", help="all poses of these (default: some of all)")
    parser.add_argument("--half", choices=HALVES, default="report", help="which poses (default: report)")
    parser.add_argument("--far", type=float, default=0.25, metavar="METRES", help="how far (default: 0.25)")
    parser.add_argument("--step", type=float, default=0.01, metavar="METRES", help="in steps of (default: 0.01)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="for the directions (default: 0)")
    parser.add_argument("--strict", action="store_true", help="with strict balance")
    given = parser.parse_args(arguments)
    folders = tuple(filter(None, given.folders.split(",")))

    def measured(handle: str, solver: str) -> Iterator[tuple[str, Moves]]:
        for body in given.bodies:
            for each, file in enumerate(starts(given.half, given.poses, folders)):
                rng = np.random.default_rng([given.seed, list(HANDLES).index(handle), BODIES.index(body), each])
                one = drag(posed(file, body, solver, given.strict), handle, rng, given.far, given.step)
                yield f"{body} {'new' if file is None else file.stem}", one

    print_drags(Moves, COLUMNS, given.solvers, list(with_part(HANDLES, given.handles)), measured, given.each, "handle")


if __name__ == "__main__":
    main()
