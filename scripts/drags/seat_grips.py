"""How far somebody who sits still moves when, after a drag, another joint is taken hold of where it is.

python -m scripts.drags.seat_grips [SEAT…] [--bodies neutral,female,…] [--solvers dls,smplik] [--each]

In the library's poses of people who sit, a joint is dragged in steps of 2 cm, and then a joint of which nothing is
asked gets a handle. Moves: centimetres that the joint which moves most goes as that is solved.
"""

from __future__ import annotations

import numpy as np

from app.document import edits
from app.document.model.figure import skeleton_of
from scripts.arguments import add_parts, with_part
from scripts.drags.contact_depths import FIRST, Hold, before, solved
from scripts.drags.drag_measures import FAR, apart, places_of
from scripts.drags.drag_steps import drag_steps, handle, on_joint, straight
from scripts.drags.drag_study import drag_parser
from scripts.drags.drag_tables import mean_and_worst, percent_over, percentiles, print_row
from scripts.drags.seat_drags import PULLS, STEP, Memories, Pull, Sit, library
from solver.effectors.contact import Contact
from solver.rig.rig import rig_of
from solver.rig.roles import Role

DRAGS = {
    "head left": Pull(Role.HEAD, (0.3, 0.0, 0.0)),
    "head down": Pull(Role.HEAD, (0.0, -0.3, 0.0)),
    "left wrist back": Pull(Role.LEFT_WRIST, (0.0, 0.1, -0.3)),
    "right ankle ahead": PULLS["right ankle ahead"],
}
GRIPS = (Role.LEFT_KNEE, Role.RIGHT_ELBOW, Role.LEFT_ELBOW, Role.NECK)  # the first of which nothing is asked


def moves_on(pull: Pull, sit: Sit, body: str, solver: str) -> float:
    """Metres that the joint which moves most goes as another one is taken hold of after the drag."""
    memories: Memories = {}
    document = before(Hold(()), body, solver)
    rig = rig_of(skeleton_of(document.character(FIRST)))
    document = sit(document, memories)
    off = [e.id for e in on_joint(document, rig, pull.joint) if isinstance(e, Contact)]
    document, id = handle(edits.let_go(FIRST, off)(document), rig, pull.joint)
    for step in drag_steps(document, id, straight(np.array(pull.by), STEP), memories):
        document = step.document
    ended = places_of(document)
    grip = next(role for role in GRIPS if not on_joint(document, rig, role))
    document, _ = handle(document, rig, grip)
    document, _, _ = solved(document, memories)
    return float(apart(places_of(document), ended))


def main() -> None:
    """Print a row for each solver."""
    every = library()
    parser = drag_parser(__file__, __doc__, each="drag as well")
    add_parts(parser, "seats", every)
    given = parser.parse_args()
    print_row("solver", "drags", "moves cm", "worst", "p90", "over 5 cm %")
    for solver in given.solvers:
        found = []
        for seat, sit in with_part(every, given.seats).items():
            for body in given.bodies:
                for name, pull in DRAGS.items():
                    found.append(moves_on(pull, sit, body, solver))
                    if given.each:
                        print_row(f"  {seat}, {body}, {name}", solver, f"{100 * found[-1]:.1f}")
        cells = (*mean_and_worst(100 * np.array(found)), *percentiles(100 * np.array(found), 90))
        print_row(solver, f"{len(found)}", *cells, percent_over(found, FAR, digits=1))


if __name__ == "__main__":
    main()
