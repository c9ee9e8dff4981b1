"""How far the rest of people moves when something that they hold in a hand is moved by its own gizmo.

python -m scripts.drags.prop_drags [PROP…] [--bodies neutral,female,…] [--solvers dls,smplik]
    [--drags N] [--seed N] [--far CM] [--all-move] [--each]

Somebody new takes a thing near the right hand with that arm, as the window lets them. The thing is moved in a
direction drawn at random and back, in steps of a centimetre. In the table, after 1, 5, 10 and 25 cm: how far the joint
of the trunk, of the other arm and of the legs that moves most has gone, mean and worst in cm. Steps are those of the
joint that moves most. Back is how far the joint that is off most is from where it was in the end. Missed: steps in
which the hand is off by more than a millimetre. With --all-move nothing stays as the hand follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from time import process_time

import numpy as np

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.model.prop_spots import nearest_on
from app.document.posing.findings import Findings
from app.document.posing.holds.arms_first import arms_on_props, arms_suffice
from app.document.posing.holds.grasping import hand_around
from scripts.arguments import part_of
from scripts.drags.contact_depths import BODIES, FIRST, Hold, before, solved
from scripts.drags.drag_measures import FAR, MET, Array, apart, places_of
from scripts.drags.drag_steps import straight
from scripts.drags.drag_study import Row, drag_parser, print_drags
from scripts.drags.drag_tables import percent_over, percentiles
from solver.ik.memory import Memory
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS, Role

STEP, AT = 0.01, (1, 5, 10, 25)  # metres; steps after which is measured
NEAR, ASTRAY = np.array([-0.05, 0.0, 0.15]), 0.03  # metres from the wrist to the thing; standard deviation of that
SIZES = {"stick": (0.03, 0.9, 0.03), "ball": (0.06, 0.06, 0.06), "box": (0.04, 0.04, 0.3)}  # metres
GROUPS = (
    (Role.PELVIS, Role.SPINE1, Role.SPINE2, Role.SPINE3, Role.NECK, Role.HEAD),
    ARMS[0].joints,
    tuple(role for leg in LEGS for role in leg.joints),
)


@dataclass
class Moves(Row):
    """Metres and milliseconds; to at, each drag adds a list of trunk, other arm and legs for each of AT."""

    at: list[Array] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    back: list[float] = field(default_factory=list)
    missed: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        at, steps = 100 * np.array(self.at), 100 * np.array(self.steps)
        after = [f"{at[:, i, k].mean():.1f} / {at[:, i, k].max():.1f}" for i in range(len(AT)) for k in range(3)]
        return [
            f"{len(at)}", *after, *percentiles(steps, 95, 100), percent_over(self.steps, FAR, digits=1),
            f"{100 * np.max(self.back):.1f}", percent_over(self.missed, MET), *percentiles(self.took, 50, 95, digits=0),
        ]  # fmt: skip


COLUMNS = (
    "drags", *(f"{what} at {cm}" for cm in AT for what in ("trunk", "other arm", "legs")), "step p95 cm", "worst",
    "over 5 cm %", "back cm", "missed %", "ms", "p95",
)  # fmt: skip


def with_thing(kind: str, body: str, solver: str, rng: np.random.Generator) -> tuple[Document, str] | None:
    """Somebody new with a thing in the right hand, and its id; None where the arm alone does not reach."""
    document, memories = before(Hold(()), body, solver), dict[str, Memory]()
    person = document.character(FIRST)
    rig = rig_of(skeleton_of(person))
    wrist = rig.index(Role.RIGHT_WRIST)
    at = places_of(document)[0][wrist] + NEAR + ASTRAY * rng.normal(size=3)
    size = np.array(SIZES[kind], np.float32)
    thing = replace(new_prop(document, kind), size=size, place=at - [0.0, size[1] / 2, 0.0])
    contact = hand_around(person, thing, rig.names[wrist], nearest_on(thing, at)[0])
    if contact is None:
        return None
    taking = edits.chain(add_prop(thing), edits.hold(FIRST, contact), edits.close_hand(FIRST, contact))(document)
    hold = arms_suffice(taking, FIRST, {contact.patch})
    return None if hold is None else (solved(taking, memories, {FIRST: hold})[0], thing.id)


def drag(document: Document, id: str, way: Array, all_move: bool) -> Moves:
    """Move a thing along a way, (3,) metres, and back, and measure each step."""
    findings, person = Findings(), document.character(FIRST)
    findings.ensure_residuals(person)
    memories = {FIRST: findings.of(person).memory}
    stays = {} if all_move else arms_on_props(document, {id})
    rig, thing = rig_of(skeleton_of(person)), document.prop(id)
    groups = [[rig.index(role) for role in roles] for roles in GROUPS]
    began = was = places_of(document)
    moves, gone = Moves(), []
    for number, way_now in enumerate(straight(way, STEP, back=True)):
        started = process_time()
        document, lost, _ = solved(edits.put_prop(thing.moved(way_now))(document), memories, stays)
        moves.took.append(1e3 * (process_time() - started))
        now = places_of(document)
        moves.steps.append(apart(now, was))
        moves.missed.append(lost)
        if number + 1 in AT:
            gone.append([float(np.linalg.norm(now[0][g] - began[0][g], axis=1).max()) for g in groups])
        was = now
    moves.at.append(np.array(gone))
    moves.back.append(apart(was, began))
    return moves


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each kind of thing and solver."""
    parser = drag_parser(__file__, __doc__, each="drag")
    parser.add_argument("props", nargs="*", type=part_of(SIZES), metavar="PROP", help="a kind (default: all)")
    parser.add_argument("--drags", type=int, default=4, metavar="N", help="for each body (default: 4)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="for places and directions (default: 0)")
    parser.add_argument("--far", type=float, default=25.0, metavar="CM", help="how far, at least 25 (default: 25)")
    parser.add_argument("--all-move", action="store_true", help="nothing stays")
    given = parser.parse_args(arguments)

    def measured(kind: str, solver: str) -> Iterator[tuple[str, Moves]]:
        for body in given.bodies:
            for each in range(given.drags):
                rng = np.random.default_rng([given.seed, list(SIZES).index(kind), BODIES.index(body), each])
                made, way = with_thing(kind, body, solver, rng), rng.normal(size=3)
                if made is not None:
                    far = max(given.far, 25.0) / 100 * way / np.linalg.norm(way)
                    yield f"{body} {each}", drag(*made, far, given.all_move)

    print_drags(Moves, COLUMNS, given.solvers, given.props or list(SIZES), measured, given.each, "prop")


if __name__ == "__main__":
    main()
