"""How evenly people who kneel, crawl, crouch or sit on the floor move in drags, also out of reach.

python -m scripts.drags.kneel_drags [POSE…] [--drags NAME,…] [--bodies neutral,female,…]
    [--solvers dls,smplik,…] [--half tune] [--step METRES] [--held left_wrist,…] [--wobble METRES] [--each]

People take poses of the library with the handles that new people have, and a joint is dragged in even steps. Steps are
those of the joint that moves most, first the first of them. Arms is how far a hand goes, as its trunk sees it, from
where it was, while nothing is asked of it: the mean of the drags, and the worst. Fixed is how far an ankle goes that is
held, at most. Red is the share of steps in which something that is not dragged is shown as not reachable. In the rows
of --each the joint and the step of the longest move are named. Every second pose tunes, the others report. Poses of
people who lie are taken if they are named, and of people on their feet if their folders are, as Walking/. --held gives
further joints strict handles, and --wobble leads each step astray by up to so much along each axis, as a mouse does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from app.document.library.shelf import Entry, shelf_of
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.solving import problem_of
from scripts.arguments import add_list, some_of
from scripts.drags.contact_depths import FIRST
from scripts.drags.drag_measures import ALL_SOLVERS, FAR, HALVES, Array, apart, places_of
from scripts.drags.drag_steps import drag_steps, handle, straight
from scripts.drags.drag_study import Row, drag_parser, print_drags
from scripts.drags.drag_tables import mean_and_worst, percent_over, percentiles
from scripts.drags.lying_drags import taken
from solver.ik.standing_stage import residuals_standing
from solver.resources import resource_folder
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS, Role

FOLDERS = ("Kneeling", "Crawling", "Crouching", "Sitting on the floor")
LYING = "Lying"
UPRIGHT = (
    "Standing", "Walking", "Gesturing", "Working", "Dancing", "Fighting", "Climbing", "Jumping", "Running",
)  # fmt: skip
JUMPS = 0.1  # metres
WOBBLES = 1  # the seed
PULLS = {
    "pelvis up": (Role.PELVIS, (0.0, 0.6, 0.0)),
    "pelvis down": (Role.PELVIS, (0.0, -0.2, 0.0)),
    "pelvis ahead": (Role.PELVIS, (0.0, 0.0, 0.25)),
    "pelvis aside": (Role.PELVIS, (0.25, 0.0, 0.0)),
    "pelvis aslant": (Role.PELVIS, (0.25, -0.04, 0.0)),
    "chest up": (Role.SPINE3, (0.0, 0.3, 0.0)),
    "chest down": (Role.SPINE3, (0.0, -0.3, 0.0)),
    "chest ahead": (Role.SPINE3, (0.0, 0.0, 0.3)),
    "chest back": (Role.SPINE3, (0.0, 0.0, -0.3)),
    "chest aside": (Role.SPINE3, (0.3, 0.0, 0.0)),
    "head up": (Role.HEAD, (0.0, 0.4, 0.0)),
    "head ahead": (Role.HEAD, (0.0, 0.0, 0.25)),
    "head aside": (Role.HEAD, (0.25, 0.0, 0.0)),
    "left ankle ahead": (Role.LEFT_ANKLE, (0.0, 0.0, 0.4)),
    "left ankle back": (Role.LEFT_ANKLE, (0.0, 0.12, -0.42)),
    "left ankle kicked": (Role.LEFT_ANKLE, (0.0, 0.8, 0.7)),
    "left knee up": (Role.LEFT_KNEE, (0.0, 0.3, 0.3)),
    "right knee up": (Role.RIGHT_KNEE, (0.0, 0.5, 0.2)),
    "left elbow up": (Role.LEFT_ELBOW, (0.0, 0.3, 0.0)),
    "left elbow down": (Role.LEFT_ELBOW, (0.0, -0.3, 0.0)),
    "left elbow across": (Role.LEFT_ELBOW, (-0.3, 0.0, 0.0)),
    "right elbow ahead": (Role.RIGHT_ELBOW, (0.0, 0.0, 0.3)),
    "left wrist up": (Role.LEFT_WRIST, (0.0, 0.4, 0.0)),
    "left wrist ahead": (Role.LEFT_WRIST, (0.0, 0.0, 0.25)),
    "left wrist aside": (Role.LEFT_WRIST, (0.25, 0.0, 0.0)),
}  # the joint and the way by which it is dragged, (3,) metres


@dataclass
class Moves(Row):
    """Metres and milliseconds; each drag adds one number, and to steps, red and took many."""

    steps: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    arms: list[float] = field(default_factory=list)
    fixed: list[float] = field(default_factory=list)
    red: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        steps, arms, fixed = (100 * np.array(m) for m in (self.steps, self.arms, self.fixed))
        return [
            f"{len(arms)}", *mean_and_worst([100 * one for one in self.first]), *percentiles(steps, 50, 95, 100),
            percent_over(self.steps, FAR, digits=1), percent_over(self.steps, JUMPS, digits=1),
            *mean_and_worst(arms, digits=0), f"{fixed.max():.1f}", f"{100 * np.mean(self.red):.0f}",
            *percentiles(self.took, 50, 95),
        ]  # fmt: skip


COLUMNS = (
    "drags", "first cm", "worst", "steps cm", "p95", "worst", "over 5 cm %", "over 10 cm %", "arms cm", "worst",
    "fixed cm", "red %", "ms", "p95",
)  # fmt: skip


def entries(parts: Sequence[str] = (), half: str | None = None) -> list[Entry]:
    """The library's poses of people who are down but do not lie, of one half; of these and of those who lie, the ones
    with such a part in their folder's or their own name. Of who stands, those in a folder named, as "Walking/"."""
    upright = [folder for folder in UPRIGHT if any(part.startswith(f"{folder}/") for part in parts)]
    folders = (*FOLDERS, LYING, *upright) if parts else FOLDERS
    found = [e for e in shelf_of(resource_folder("assets", "poses")).entries if e.folder in folders]
    found = found if half is None else found[HALVES.index(half) :: 2]
    return [e for e in found if not parts or any(part in f"{e.folder}/{e.name}" for part in parts)]


def hands_of(document: Document) -> Array:
    """(2, 3) metres, the wrists as the chest sees them, the left one first."""
    person = document.character(FIRST)
    rig, world = rig_of(skeleton_of(person)), joints_of(person)
    chest = rig.index(Role.SPINE3)
    wrists = world.positions[[rig.index(arm.end) for arm in ARMS]]
    return np.asarray((wrists - world.positions[chest]) @ world.rotations[chest], np.float64)


def is_red(document: Document, dragged: str) -> bool:
    """Whether something that is not dragged is shown as not reachable."""
    person = document.character(FIRST)
    left = residuals_standing(problem_of(person), person.pose)
    told = zip(person.effectors, left, strict=True)
    return any(one.state == "unreachable" for e, one in told if e.id != dragged and e.is_active)


def with_held(document: Document, joints: Sequence[str]) -> Document:
    """The first one with strict handles on these joints, by role."""
    rig = rig_of(skeleton_of(document.character(FIRST)))
    for joint in joints:
        document, _ = handle(document, rig, Role(joint))
    return document


def wobbling(ways: Sequence[Array], by: float) -> list[Array]:
    """(3,) metres each, led astray by up to so many metres along each axis; every time alike."""
    rng = np.random.default_rng(WOBBLES)
    return [way + rng.uniform(-by, by, 3) for way in ways]


def drag(document: Document, pull: str, step: float, wobble: float = 0.0) -> tuple[Document, Moves, str]:
    """Drag that joint of the first one, and measure each step; the joint and the step of the longest move as well."""
    role, way = PULLS[pull]
    rig, moves, most = rig_of(skeleton_of(document.character(FIRST))), Moves(), ""
    ankles = [rig.index(leg.end) for leg in LEGS]
    document, id = handle(document, rig, role)
    held = [e.joint for e in document.character(FIRST).effectors if e.is_active and e.is_strict]
    ankles = [j for j in ankles if rig.names[j] in held and j != rig.index(role)]
    free = [n for n, arm in enumerate(ARMS) if arm.end is not role]
    began, hands, was = places_of(document), hands_of(document), places_of(document)
    arms = fixed = 0.0
    for number, reached in enumerate(drag_steps(document, id, wobbling(straight(np.array(way), step), wobble)), 1):
        document, now = reached.document, places_of(reached.document)
        went = apart(now, was)
        if not moves.steps or went > max(moves.steps):
            most = f"{rig.names[int(np.linalg.norm(now[0] - was[0], axis=1).argmax())]} at {number}"
        moves.steps.append(went)
        moves.took.append(reached.took)
        moves.red.append(float(is_red(document, id)))
        arms = max(arms, float(np.linalg.norm(hands_of(document) - hands, axis=1)[free].max()))
        fixed = max(fixed, apart([now[0][ankles]], [began[0][ankles]]) if ankles else 0.0)
        was = now
    moves.first.append(moves.steps[0])
    moves.arms.append(arms)
    moves.fixed.append(fixed)
    return document, moves, most


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each drag and solver."""
    parser = drag_parser(__file__, __doc__, ALL_SOLVERS, each="person as well")
    parser.add_argument("poses", nargs="*", metavar="POSE", help="part of a pose's folder or name (default: all poses)")
    add_list(parser, "--drags", tuple(PULLS))
    parser.add_argument("--half", choices=HALVES, help="which poses (default: both)")
    parser.add_argument("--step", type=float, default=0.01, metavar="METRES", help="in steps of (default: 0.01)")
    parser.add_argument("--held", type=some_of([role.value for role in Role]), default=[], help="joints, by role")
    parser.add_argument("--wobble", type=float, default=0.0, metavar="METRES", help="(default: 0)")
    given = parser.parse_args(arguments)

    def measured(pull: str, solver: str) -> Iterator[tuple[str, Moves]]:
        for entry in entries(given.poses, given.half):
            for body in given.bodies:
                begun = with_held(taken(entry, body, solver), given.held)
                _, one, most = drag(begun, pull, given.step, given.wobble)
                yield f"{entry.name}, {body}, {most}", one

    print_drags(Moves, COLUMNS, given.solvers, given.drags, measured, given.each)


if __name__ == "__main__":
    main()
