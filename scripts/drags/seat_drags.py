"""How people sit down on a chair, and whether they keep their seat while a joint of theirs is dragged.

python -m scripts.drags.seat_drags [DRAG…] [--bodies neutral,female,…] [--solvers dls,smplik]
    [--seat SEAT] [--each] [--opened] [--solid]

Somebody new sits down on a chair behind them, by a contact of the seat or by a drag of the pelvis
with the contact in the end, or takes a pose of the library with a box beneath it. Then a joint is
dragged in steps of 2 cm. Leans: how far the line from pelvis to neck turns from where it was before
they sat down, or before the drag; in getting up, from where it was before they sat down. Elsewhere
is how far a wrist, ankle or the pelvis goes that is not dragged. Missed: steps in which a contact
or a strict effector is off by more than a millimetre; ends off: by how far it is in the end, once
whoever is led is where they go, as after the mouse is released. Steps
are those of the joint that moves most, first the worst of the drags' first ones. Within: metres of
skin of the legs in the chair or box, beyond what was there before the drag. With --opened the drag
is the first thing that happens after the scene is opened, so that nothing is known of the last
solve. With --solid people on chairs are solid as well, as those of the library are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.library.shelf import shelf_of
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.model.prop_spots import spot_of
from app.document.posing.contact_patches import UP, contact_of, patches_of
from app.document.posing.findings import Findings
from scripts.arguments import add_parts, part_of, with_part
from scripts.drags.contact_depths import FIRST, Hold, before, solved
from scripts.drags.drag_measures import FAR, MET, Array, Samples, apart, places_of
from scripts.drags.drag_steps import drag_steps, handle, on_joint, steps_to_rest, straight
from scripts.drags.drag_study import drag_parser
from scripts.drags.drag_tables import mean_and_worst, percent_over, percentiles, print_row
from scripts.drags.held_drags import sits_on_box, skin_on
from solver.effectors.contact import Contact
from solver.ik.memory import Memory
from solver.ik.options import SOLID_BODY
from solver.resources import resource_folder
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import LEGS, Role

STEP, DOWN = 0.02, 0.05  # metres of a step, in a drag and in sitting down
BEHIND, ON_SEAT, ABOVE = 0.45, (0.0, 0.5, 0.05), 0.14  # metres; an own point of the chair; metres of a pelvis on it
FOLDERS = ("Sitting on a chair", "Sitting on a box")
ENDS = (Role.PELVIS, Role.LEFT_WRIST, Role.RIGHT_WRIST, Role.LEFT_ANKLE, Role.RIGHT_ANKLE)
Memories = dict[str, Memory]
Sit = Callable[[Document, Memories], Document]


@dataclass(frozen=True)
class Pull:
    """A joint and the way by which it is dragged, (3,) metres."""

    joint: Role
    by: tuple[float, float, float]


PULLS = {
    "left wrist ahead": Pull(Role.LEFT_WRIST, (0.0, 0.15, 0.25)),
    "right wrist up": Pull(Role.RIGHT_WRIST, (-0.05, 0.35, 0.1)),
    "head ahead": Pull(Role.HEAD, (0.0, -0.06, 0.15)),
    "head down": Pull(Role.HEAD, (0.0, -0.3, 0.0)),
    "head down ahead": Pull(Role.HEAD, (0.0, -0.25, 0.2)),
    "left wrist down": Pull(Role.LEFT_WRIST, (0.0, -0.3, 0.1)),
    "right knee ahead": Pull(Role.RIGHT_KNEE, (0.0, 0.0, 0.12)),
    "right knee back": Pull(Role.RIGHT_KNEE, (0.0, 0.0, -0.12)),
    "right ankle ahead": Pull(Role.RIGHT_ANKLE, (0.0, 0.08, 0.2)),
    "getting up": Pull(Role.PELVIS, (0.0, 0.32, 0.2)),
    "pelvis up": Pull(Role.PELVIS, (0.0, 0.3, 0.0)),
    "pelvis down": Pull(Role.PELVIS, (0.0, -0.15, 0.0)),
    "pelvis aslant": Pull(Role.PELVIS, (0.1, -0.1, 0.05)),
    "pelvis down behind": Pull(Role.PELVIS, (0.0, -0.15, -0.25)),
}


@dataclass
class Moves(Samples):
    """Metres, radians and milliseconds; each drag adds one number, and to steps, missed and took many."""

    steps: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    leans: list[float] = field(default_factory=list)
    elsewhere: list[float] = field(default_factory=list)
    missed: list[float] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)
    within: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        steps, elsewhere, within = (100 * np.array(m) for m in (self.steps, self.elsewhere, self.within))
        leans = np.degrees(self.leans)
        return [
            f"{len(leans)}", *mean_and_worst(leans, digits=0), f"{elsewhere.mean():.1f}", f"{elsewhere.max():.0f}",
            percent_over(self.missed, MET), *mean_and_worst(100 * np.array(self.ends)),
            f"{100 * max(self.first, default=0.0):.1f}",
            *percentiles(steps, 95), f"{steps.max():.0f}", percent_over(self.steps, FAR, digits=1),
            *mean_and_worst(within), *percentiles(self.took, 50, 95, digits=0),
        ]  # fmt: skip


COLUMNS = (
    "drags", "leans °", "worst", "elsewhere cm", "worst", "missed %", "ends off cm", "worst", "first cm",
    "step p95 cm", "worst", "over 5 cm %", "within cm", "worst", "ms", "p95",
)  # fmt: skip


def seat_on_chair(document: Document) -> Contact:
    """A contact of the first one's seat with the chair's."""
    source, at, normal = spot_of(document.props[0], ON_SEAT, UP)
    return replace(contact_of(patches_of(document.characters[0])["seat"], at, normal), source=source)


def with_chair(document: Document) -> Document:
    """The document with a chair behind the first one."""
    x, _, z = document.characters[0].pose.root_position.tolist()
    return add_prop(replace(new_prop(document, "chair"), place=np.array([x, 0.0, z - BEHIND])))(document)


def at_once(document: Document, memories: Memories) -> Document:
    """The first one on a chair by a contact, as from the menu."""
    document = with_chair(document)
    return solved(edits.hold(FIRST, seat_on_chair(document))(document), memories)[0]


def dragged_down(document: Document, memories: Memories) -> Document:
    """The first one on a chair by a drag of the pelvis to its seat, on which it is held in the end."""
    document = with_chair(document)
    seat, rig = seat_on_chair(document), rig_of(skeleton_of(document.characters[0]))
    document, id = handle(document, rig, Role.PELVIS)
    way = seat.target + ABOVE * UP - places_of(document)[0][rig.index(Role.PELVIS)]
    for step in drag_steps(document, id, straight(way, DOWN), memories):
        document = step.document
    return solved(edits.hold(FIRST, seat, instead_of=id)(document), memories)[0]


def as_in_library(name: str, folder: str, document: Document, memories: Memories) -> Document:
    """The first one in a pose of the library on a box."""
    return solved(sits_on_box(name, folder)(document), memories)[0]


def library() -> dict[str, Sit]:
    """The library's poses of people who sit on chairs and boxes, each on its box, by name."""
    found = [e for e in shelf_of(resource_folder("assets", "poses")).entries if e.folder in FOLDERS]
    return {e.name: partial(as_in_library, e.name, e.folder) for e in found}


def solid(sit: Sit, document: Document, memories: Memories) -> Document:
    """The first one, made solid, who then sits down."""
    return sit(edits.set_solver_option(FIRST, SOLID_BODY.id, True)(document), memories)


SEATS: dict[str, Sit] = {"at once": at_once, "dragged down": dragged_down}


def trunk_of(places: Array, rig: Rig) -> Array:
    """(3,) unit, from pelvis to neck."""
    line = places[rig.index(Role.NECK)] - places[rig.index(Role.PELVIS)]
    return np.asarray(line / np.linalg.norm(line))


def leaning(one: Array, other: Array) -> float:
    """Radians between two lines, (3,) unit each."""
    return float(np.arccos(np.clip(one @ other, -1.0, 1.0)))


def depth_of_legs(document: Document) -> float:
    """Metres that the skin of legs is within the prop at the deepest."""
    skin = skin_on(document.character(FIRST), [role for leg in LEGS for role in leg.joints])
    return max(0.0, *(float(-solid.distances(skin).min()) for solid in document.props[0].solids()))


def as_opened(document: Document) -> Memories:
    """What is known of the first one once the scene has been opened and shown."""
    findings, person = Findings(), document.character(FIRST)
    findings.ensure_residuals(person)
    return {FIRST: findings.of(person).memory}


def drag(pull: Pull, sit: Sit, body: str, solver: str, opened: bool = False) -> tuple[Document, Moves]:
    """Sit down, drag that joint, and measure each step; the document as the drag ends. opened: whether the scene is
    opened before the drag."""
    memories, moves = Memories(), Moves()
    document = before(Hold(()), body, solver)
    rig = rig_of(skeleton_of(document.character(FIRST)))
    up = trunk_of(places_of(document)[0], rig)
    document = sit(document, memories)
    memories = as_opened(document) if opened else memories
    off = [e.id for e in on_joint(document, rig, pull.joint) if isinstance(e, Contact)]
    document, id = handle(edits.let_go(FIRST, off)(document), rig, pull.joint)
    began = was = places_of(document)
    gets_up = pull.joint is Role.PELVIS
    line = up if gets_up else trunk_of(was[0], rig)
    others = [rig.index(role) for role in ENDS if role is not pull.joint]
    others = [j for j in others if not gets_up or rig.names[j] in (Role.LEFT_ANKLE, Role.RIGHT_ANKLE)]
    leans = elsewhere = within = 0.0
    depth = depth_of_legs(document)
    ways = straight(np.array(pull.by), STEP)
    for i, step in enumerate(steps_to_rest(document, id, ways, memories)):
        document, now = step.document if i < len(ways) else document, places_of(step.document)
        moves.took.append(step.took)
        moves.missed.append(max(step.lost, step.other))
        moves.steps.append(apart(now, was))
        leans = max(leans, leaning(line, trunk_of(now[0], rig)))
        elsewhere = max(elsewhere, apart([now[0][others]], [began[0][others]]))
        within = max(within, depth_of_legs(step.document) - depth)
        was = now
    moves.ends.append(moves.missed[-1])
    moves.first.append(moves.steps[0])
    moves.leans.append(leans)
    moves.elsewhere.append(elsewhere)
    moves.within.append(within)
    return document, moves


def sitting_down(sit: Sit, body: str, solver: str) -> tuple[Document, Moves]:
    """Sit down, and measure what came of it; the step is that of the joint that moves most in all."""
    document, memories = before(Hold(()), body, solver), Memories()
    rig, (was,) = rig_of(skeleton_of(document.character(FIRST))), places_of(document)
    seated = sit(document, memories)
    again, lost, other = solved(seated, memories)
    (now,) = places_of(again)
    feet = [rig.index(leg.end) for leg in LEGS]
    moves = Moves(
        [apart([now], places_of(seated))], [], [leaning(trunk_of(was, rig), trunk_of(now, rig))],
        [apart([now[feet]], [was[feet]])], [max(lost, other)], [max(lost, other)], [depth_of_legs(again)], [0.0],
    )  # fmt: skip
    return again, moves


Measure = Callable[[Sit, str, str], tuple[Document, Moves]]


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each drag and solver, on chairs and then in the poses of the library."""
    every = library()
    parser = drag_parser(__file__, __doc__, each="person as well")
    add_parts(parser, "drags", PULLS)
    parser.add_argument(
        "--seat", type=part_of((*SEATS, *every)), default="", help="part of the seat's name (default: all seats)"
    )
    parser.add_argument("--opened", action="store_true", help="open the scene before each drag")
    parser.add_argument("--solid", action="store_true", help="make people solid before they sit down")
    given = parser.parse_args(arguments)
    print_row("seat", "drag", "solver", *COLUMNS)
    pulls = with_part(PULLS, given.drags)
    for kind, sits in (("chair", SEATS), ("library", every)):
        chosen = {n: partial(solid, sit) if given.solid else sit for n, sit in sits.items() if given.seat in n}
        measures: dict[str, Measure] = {"sitting down": sitting_down} if kind == "chair" and not given.drags else {}
        measures |= {name: partial(drag, pull, opened=given.opened) for name, pull in pulls.items()}
        for name, measure in measures.items():
            for solver in given.solvers:
                moves = Moves()
                for seat, sit in chosen.items():
                    for body in given.bodies:
                        _, one = measure(sit, body, solver)
                        moves.add(one)
                        if given.each:
                            print_row(f"  {seat}, {body}", name, solver, *one.cells)
                if moves.leans:
                    print_row(kind, name, solver, *moves.cells)


if __name__ == "__main__":
    main()
