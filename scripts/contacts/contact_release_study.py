"""How far people move when the contact of a hand is released and the hand is dragged away.

python -m scripts.contacts.contact_release_study [HOLD…] [--bodies neutral,female,…] [--solvers dls,smplik]

The first hand of each hold of `scripts.drags.contact_depths` is dragged by 12 cm, away from the trunk,
and back, in steps of a centimetre. The table tells of the joint of anybody that moves most: how far
in the first step, how far in the later ones, and how far it is from where it was held when the hand
is back.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.document import edits
from app.document.model.document import Character
from app.document.model.figure import skeleton_of
from scripts.arguments import add_parts, with_part
from scripts.drags.contact_depths import BODIES, FIRST, HOLDS, Hold, taken
from scripts.drags.drag_measures import MET, Samples, apart, places_of
from scripts.drags.drag_steps import drag_steps, target_of, there_and_back
from scripts.drags.drag_study import drag_parser
from scripts.drags.drag_tables import percent_over, percentiles, print_row
from solver.effectors.contact import Contact
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, Role

STEPS, FAR = 12, 0.12  # of a drag, one way; metres
OUTWARD = 2.0  # how much more than by chance it leads away from the trunk


@dataclass
class Moves(Samples):
    """Metres. first, later: of the joint that moves most in a step. back: from where it was held in
    the end. missed: by which the worst of what is asked is missed."""

    first: list[float] = field(default_factory=list)
    later: list[float] = field(default_factory=list)
    back: list[float] = field(default_factory=list)
    missed: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        first, later = (100 * np.array(metres) for metres in (self.first, self.later))
        return [
            f"{len(first)}", *percentiles(first, 50, 90, 100), *percentiles(later, 50, 95, 100),
            f"{100 * np.mean(self.back):.1f}", percent_over(self.missed, MET, digits=1),
        ]  # fmt: skip


COLUMNS = (
    "drags", "first cm", "p90", "worst", "later cm", "p95", "worst", "back: mean cm", "missed %",
)  # fmt: skip


def held_hand(person: Character) -> Contact | None:
    """The first contact on a wrist."""
    rig = rig_of(skeleton_of(person))
    wrists = {rig.name(arm.end) for arm in ARMS}
    return next((e for e in person.effectors if isinstance(e, Contact) and e.joint in wrists), None)


def drag_off(hold: Hold, body: str, solver: str, rng: np.random.Generator) -> Moves:
    """Make the hold, drag its hand off and back, and measure each step."""
    (document, memories, _), moves = taken(hold, body, solver), Moves()
    contact = held_hand(document.character(FIRST))
    assert contact is not None
    document = edits.let_go(FIRST, [contact.id])(document)
    person, held = document.character(FIRST), places_of(document)
    outward = target_of(document, contact.id) - held[0][rig_of(skeleton_of(person)).index(Role.SPINE2)]
    way = rng.normal(size=3) + OUTWARD * outward / np.linalg.norm(outward)
    way *= FAR / float(np.linalg.norm(way))
    was = held
    ways = [way * step / STEPS for step in there_and_back(STEPS)]
    for number, step in enumerate(drag_steps(document, contact.id, ways, memories)):
        now = places_of(step.document)
        (moves.later if number else moves.first).append(apart(now, was))
        moves.missed.append(max(step.lost, step.other))
        was = now
    moves.back.append(apart(was, held))
    return moves


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each solver."""
    parser = drag_parser(__file__, __doc__)
    add_parts(parser, "holds", HOLDS)
    given = parser.parse_args(arguments)
    print_row("solver", *COLUMNS)
    for solver in given.solvers:
        moves = Moves()
        for body in given.bodies:
            for name, hold in with_part(HOLDS, given.holds).items():
                rng = np.random.default_rng([BODIES.index(body), list(HOLDS).index(name)])
                moves.add(drag_off(hold, body, solver, rng))
        print_row(solver, *moves.cells)


if __name__ == "__main__":
    main()
