"""How far bodies go for patches of skin that are laid on planes of any slope: floors, boards, walls and ceilings.

python -m scripts.contacts.contact_angles [CONTACT…] [--bodies neutral,female,…] [--solvers dls,smplik] [--boards]
    [--each] [--drags]

Somebody new stands, and lays one patch on a plane within reach: 0° is a floor's or a table's top, 90° a wall, 180° a
ceiling. Beside each, the same place is asked for without the turn: what the body does for the place alone. Off is how
far the patch is from the plane's spot, and turned by how much it does not lie flat. More is how much further the pelvis
goes than for the place alone; thrown are those in which it is more than 10 cm. Held is the worst of the other strict
effectors, and limits how far the worst joint is beyond its range.

With --drags a plane is turned from 0 to 180° in steps of 3° instead, or a patch is taken from where it is to its place
on a plane of each slope in steps of 2 cm; steps are those of the joint that moves most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import process_time

import numpy as np

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.contact_patches import contact_of, patches_of, place_of_patch
from scripts.arguments import add_parts, with_part
from scripts.drags.contact_depths import FIRST, new_person, solved
from scripts.drags.drag_measures import FAR, Array, Samples, apart, places_of
from scripts.drags.drag_study import drag_parser
from scripts.drags.drag_tables import percent_over, percentiles, print_row
from solver.effectors.contact import ANY_WAY, Contact
from solver.effectors.sources import PropSource
from solver.evaluation.body_joints import BODY_JOINTS
from solver.evaluation.naturalness import beyond_limits
from solver.ik.memory import Memory
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import rig_of
from solver.rig.roles import Role
from solver.values import FloatArray

SLOPES = (0, 45, 90, 135, 180)  # degrees of a plane's normal from straight up
THROWN = 0.1  # metres
BOARD = (0.6, 0.05, 0.6)  # metres, of the thing whose face the plane is
COLUMNS = (
    "contacts", "off mm", "worst", "turned °", "worst", "more cm", "p90", "worst", "thrown %", "head cm", "held mm",
    "limits °",
)  # fmt: skip
DRAG_COLUMNS = ("drags", "steps cm", "p95", "worst", "over 5 cm %", "ms", "p95")
TURNED_BY, SLID_BY = 3, 0.02  # degrees and metres
Place = tuple[float, float, float]  # of one whose legs are a metre long: metres


@dataclass(frozen=True)
class Reach:
    """Where a patch is laid. ahead: whether the plane is ahead of the body, or behind it. ways: from where the patch is
    as its owner stands, one for each of SLOPES, or one for all: to the left, up and ahead, in lengths of a leg."""

    ahead: bool
    ways: tuple[Place, ...]
    patch: str

    def way(self, slope: float) -> Array:
        """(3,) in lengths of a leg."""
        ways = np.array(self.ways * (1 if len(self.ways) > 1 else len(SLOPES)))
        return np.array([np.interp(slope, SLOPES, each) for each in ways.T])


HAND = ((0.0, 0.1, 0.4), (0.0, 0.3, 0.45), (0.0, 0.5, 0.5), (0.0, 0.7, 0.45), (-0.05, 0.95, 0.25))
ARM = ((0.0, 0.0, 0.3), (0.0, 0.1, 0.35), (0.0, 0.3, 0.4), (0.0, 0.45, 0.35), (0.0, 0.6, 0.25))
REACHES = {
    "palm ahead": Reach(True, HAND, "left_palm"),
    "back of hand ahead": Reach(True, HAND, "left_back_of_hand"),
    "forearm ahead": Reach(True, ARM, "left_forearm"),
    "sole ahead, low": Reach(True, ((0.0, 0.25, 0.35),), "left_sole"),
    "sole ahead, high": Reach(True, ((0.0, 0.5, 0.45),), "left_sole"),
    "sole straight up": Reach(True, ((0.0, 0.4, 0.1),), "left_sole"),
    "sole behind": Reach(False, ((0.0, 0.4, -0.4),), "left_sole"),
    "shin ahead": Reach(True, ((0.0, -0.08, 0.12),), "left_shin"),
    "seat behind": Reach(False, ((0.0, -0.2, -0.2),), "seat"),
    "back behind": Reach(False, ((0.0, 0.0, -0.1),), "back"),
    "knee ahead": Reach(True, ((0.0, -0.06, 0.15),), Role.LEFT_KNEE),
    "forehead ahead": Reach(True, ((0.0, -0.1, 0.1),), "forehead"),
}


@dataclass
class Laid(Samples):
    """Metres and degrees; each contact adds a number to all of them."""

    off: list[float] = field(default_factory=list)
    turned: list[float] = field(default_factory=list)
    more: list[float] = field(default_factory=list)
    head: list[float] = field(default_factory=list)
    held: list[float] = field(default_factory=list)
    limits: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        return [
            f"{len(self.off)}", *percentiles(1e3 * np.array(self.off), 50, 100), *percentiles(self.turned, 50, 100),
            *percentiles(100 * np.array(self.more), 50, 90, 100), percent_over(self.more, THROWN),
            f"{100 * np.max(self.head):.0f}", f"{1e3 * np.max(self.held):.1f}", f"{np.max(self.limits):.1f}",
        ]  # fmt: skip


def laid(body: str, solver: str, reach: Reach, slope: int, boards: bool = False) -> Laid:
    """Lay the patch of somebody new on a plane of that slope, in degrees, and measure where that takes the body.

    boards: whether the plane is the face of a thing that the body cannot enter.
    """
    person = new_person(body, solver)
    made, board = _contact(person, reach, slope)
    document = Document().with_characters((person,))
    standing, known = joints_of(person), dict[str, Memory]()
    document = solved(document, known)[0]
    if boards:
        box = replace(new_prop(document, "box"), size=np.array(BOARD, np.float32), place=board[0], turn=board[1])
        document = add_prop(box)(document)
        made = replace(made, source=PropSource(box.id, np.array([0.0, 0.5, 0.0]), np.array([0.0, 1.0, 0.0])))
    free, _, _ = solved(edits.hold(FIRST, replace(made, facing=ANY_WAY, normal=ANY_WAY))(document), dict(known))
    alone = joints_of(free.character(FIRST)).positions - standing.positions
    document, off, held = solved(edits.hold(FIRST, made)(document), dict(known))
    now = document.character(FIRST)
    world, head = joints_of(now), rig_of(skeleton_of(now)).index(Role.HEAD)
    gone = world.positions - standing.positions
    limits = beyond_limits(now.pose.rotations[None, [skeleton_of(now).index(name) for name in BODY_JOINTS]])[0]
    measures = (
        off, _turned(now, made), float(np.linalg.norm(gone[0]) - np.linalg.norm(alone[0])),
        float(np.linalg.norm(gone[head])), held, float(limits),
    )  # fmt: skip
    return Laid(*([value] for value in measures))


def dragged(body: str, solver: str, reach: Reach, slope: int | None) -> tuple[list[float], list[float]]:
    """Metres that the joint goes furthest that moves most, and milliseconds, of each step of a drag: to a plane of that
    slope, in degrees, or without one as the plane is turned from a floor's to a ceiling's."""
    person, known = new_person(body, solver), dict[str, Memory]()
    document = solved(Document().with_characters((person,)), known)[0]
    if slope is None:
        planes = [_contact(person, reach, each)[0] for each in range(0, 181, TURNED_BY)]
    else:
        last = _contact(person, reach, slope)[0]
        start = place_of_patch(person, patches_of(person)[reach.patch])
        count = int(np.linalg.norm(last.target - start) / SLID_BY)
        shares = np.linspace(SLID_BY, 1.0, count)
        planes = [last.onto(start + share * (last.target - start), last.facing) for share in shares]
    document = edits.hold(FIRST, planes[0])(document)
    (id,) = (e.id for e in document.character(FIRST).effectors if isinstance(e, Contact))
    was, steps, took = places_of(document), list[float](), list[float]()
    for plane in planes:
        edit, started = edits.hold(FIRST, replace(plane, id=id), id), process_time()
        document = solved(edit(document), known)[0]
        took.append(1e3 * (process_time() - started))
        now = places_of(document)
        steps.append(apart(now, was))
        was = now
    return steps[1:], took[1:]


def _print_drags(bodies: Sequence[str], solver: str, reaches: Sequence[Reach]) -> None:
    for slope in (None, *SLOPES[1:]):
        measured = [dragged(body, solver, reach, slope) for reach in reaches for body in bodies]
        steps, took = (np.concatenate(each) for each in zip(*measured, strict=True))
        cells = (*percentiles(100 * steps, 50, 95, 100), percent_over(steps, FAR, digits=1), *percentiles(took, 50, 95))
        print_row("turned" if slope is None else f"to {slope}°", solver, f"{len(measured)}", *cells)


def _contact(person: Character, reach: Reach, slope: float) -> tuple[Contact, tuple[FloatArray, FloatArray]]:
    """The contact, and place and turn of a thing whose upper face it lies on."""
    patch, rig, world = patches_of(person)[reach.patch], rig_of(skeleton_of(person)), joints_of(person)
    hip, ankle = (world.positions[rig.index(name)] for name in (Role.LEFT_HIP, Role.LEFT_ANKLE))
    target = place_of_patch(person, patch) + np.linalg.norm(hip - ankle) * reach.way(slope)
    turn = from_rotation_vector(np.array([np.radians(-slope if reach.ahead else slope), 0.0, 0.0]))
    place = target - BOARD[1] * turn[:, 1]
    return contact_of(patch, target, turn[:, 1]), (place.astype(np.float32), turn.astype(np.float32))


def _turned(person: Character, contact: Contact) -> float:
    """Degrees by which a patch does not lie flat; 0 for a round one."""
    if not contact.lies_flat:
        return 0.0
    outward = joints_of(person).rotations[skeleton_of(person).index(contact.joint)] @ contact.normal
    return float(np.degrees(np.arccos(np.clip(-outward @ contact.facing, -1.0, 1.0))))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table, a row for each patch and solver, and one for each slope."""
    parser = drag_parser(__file__, __doc__, each="contact")
    add_parts(parser, "contacts", REACHES)
    parser.add_argument("--boards", action="store_true", help="the planes are faces of solid things")
    parser.add_argument("--drags", action="store_true", help="planes are turned, and patches taken to them, in steps")
    args = parser.parse_args(arguments)
    if args.drags:
        print_row("drag", "solver", *DRAG_COLUMNS)
        for solver in args.solvers:
            _print_drags(args.bodies, solver, list(with_part(REACHES, args.contacts).values()))
        return
    print_row("patch", "solver", *COLUMNS)
    for solver in args.solvers:
        slopes, every = {slope: Laid() for slope in SLOPES}, Laid()
        for name, reach in with_part(REACHES, args.contacts).items():
            row = Laid()
            for slope in SLOPES:
                for body in args.bodies:
                    one = laid(body, solver, reach, slope, args.boards)
                    if args.each:
                        print_row(f"{name}, {slope}°, {body}", solver, *one.cells)
                    row.add(one)
                    slopes[slope].add(one)
            print_row(name, solver, *row.cells)
            every.add(row)
        for slope, measured in slopes.items():
            print_row(f"all at {slope}°", solver, *measured.cells)
        print_row("all", solver, *every.cells)


if __name__ == "__main__":
    main()
