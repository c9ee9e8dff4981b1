"""Whether people who lie or sit on the floor stay down while a joint of theirs is dragged.

python -m scripts.drags.lying_drags [POSE…] [--drags NAME,…] [--bodies neutral,female,…]
    [--solvers dls,smplik] [--each]

Everybody takes a pose of the library with the handles that new people have, and then a joint is
dragged in steps of 2 cm, where it gets to with the trunk on the floor. Left the floor: the share
of drags in which all skin of the trunk is more than 3 cm above the floor at some step. Turned:
the pelvis by more than 30°. Missed: the dragged joint by more than 1 cm in the end. Steps are
those of the joint that moves most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import Entry, poses_of, shelf_of
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from scripts.arguments import add_list
from scripts.drags.contact_depths import FIRST, new_person
from scripts.drags.drag_measures import Array, apart, places_of
from scripts.drags.drag_steps import drag_steps, handle, straight, target_of
from scripts.drags.drag_study import Row, drag_parser, print_drags
from scripts.drags.drag_tables import percent_over, percentiles
from solver.body.catalog import load_body
from solver.contact.floor_points import FloorPoints, floor_points
from solver.kinematics.rotations import geodesic_angle
from solver.resources import resource_folder
from solver.rig.rig import rig_of
from solver.rig.roles import LIMBS, TRUNK, Role

FOLDERS = ("Lying", "Sitting on the floor")
STEP = 0.02  # metres
REACH = 0.9  # of a limb's length
UP, MISSED, FAR = 0.03, 0.01, 0.1  # metres
TURNED = np.radians(30.0)


@dataclass(frozen=True)
class Pull:
    """A joint and where it goes: by so many metres, in the world, or to another joint and so many metres from there."""

    joint: Role
    by: tuple[float, float, float]
    to: Role | None = None
    of: tuple[str, ...] = FOLDERS


PULLS = {
    "left knee up": Pull(Role.LEFT_KNEE, (0.0, 0.27, 0.0)),
    "right knee up": Pull(Role.RIGHT_KNEE, (0.0, 0.2, 0.0)),
    "left elbow up": Pull(Role.LEFT_ELBOW, (0.0, 0.2, 0.0)),
    "right wrist up": Pull(Role.RIGHT_WRIST, (0.0, 0.3, 0.0)),
    "head up": Pull(Role.HEAD, (0.0, 0.12, 0.0), of=FOLDERS[:1]),
    "head forward": Pull(Role.HEAD, (0.0, -0.05, 0.15), of=FOLDERS[1:]),
    "left hand to right knee": Pull(Role.LEFT_WRIST, (0.0, 0.1, 0.0), Role.RIGHT_KNEE),
    "right hand to right knee": Pull(Role.RIGHT_WRIST, (0.0, 0.12, 0.0), Role.RIGHT_KNEE),
    "right ankle up": Pull(Role.RIGHT_ANKLE, (0.0, 0.25, 0.0)),
    "left ankle to right knee": Pull(Role.LEFT_ANKLE, (0.0, 0.1, 0.0), Role.RIGHT_KNEE),
}


@dataclass
class Moves(Row):
    """Metres, radians and milliseconds; each drag adds one number, and to steps and took many."""

    steps: list[float] = field(default_factory=list)
    left: list[float] = field(default_factory=list)
    turned: list[float] = field(default_factory=list)
    missed: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        left, turned, missed, steps = (np.array(m) for m in (self.left, self.turned, self.missed, self.steps))
        return [
            f"{len(left)}", percent_over(left, UP), f"{100 * left.max():.0f}",
            percent_over(turned, TURNED), f"{np.degrees(turned.max()):.0f}",
            percent_over(missed, MISSED), f"{100 * missed.max():.0f}",
            *percentiles(100 * steps, 95), f"{100 * steps.max():.0f}", percent_over(steps, FAR, digits=1),
            *percentiles(self.took, 50, 95),
        ]  # fmt: skip


COLUMNS = (
    "drags", "left the floor %", "at most cm", "turned %", "at most °", "missed %", "worst cm",
    "step p95 cm", "worst", "over 10 cm %", "ms", "p95",
)  # fmt: skip


def entries(parts: Sequence[str] = ()) -> list[Entry]:
    """The library's poses of people who lie or sit on the floor; of these, the ones with such a part in their name."""
    found = [entry for entry in shelf_of(resource_folder("assets", "poses")).entries if entry.folder in FOLDERS]
    return [entry for entry in found if not parts or any(part in entry.name for part in parts)]


def taken(entry: Entry, body: str, solver: str) -> Document:
    """A new person in the pose of that entry."""
    document = Document().with_characters((new_person(body, solver),))
    return take_pose(FIRST, poses_of(entry), Taking())(document)


def floor_of(document: Document) -> tuple[FloorPoints, NDArray[np.bool_]]:
    """The points of the first one's skin that may touch the floor, and which of them are the trunk's."""
    person = document.character(FIRST)
    points = floor_points(load_body(person.body), person.shape, person.hands)
    rig = rig_of(skeleton_of(person))
    return points, np.isin(points.carriers, [rig.index(role) for role in TRUNK])


def way_of(document: Document, pull: Pull) -> Array:
    """(3,) metres by which a pull takes its joint."""
    rig, places = rig_of(skeleton_of(document.character(FIRST))), places_of(document)[0]
    by = np.array(pull.by)
    return by if pull.to is None else places[rig.index(pull.to)] + by - places[rig.index(pull.joint)]


def is_within_reach(document: Document, pull: Pull) -> bool:
    """Whether the joint gets there while the trunk stays down: it goes no higher than its limb is long."""
    skeleton, places = skeleton_of(document.character(FIRST)), places_of(document)[0]
    rig, length = rig_of(skeleton), 0.0
    for limb in LIMBS:
        if pull.joint in limb.line:
            root, at = (rig.index(role) for role in (limb.root, pull.joint))
            high = places[at][1] + way_of(document, pull)[1] - places[root][1]
            for role in limb.line[1 : limb.line.index(pull.joint) + 1]:
                length += float(np.linalg.norm(skeleton.offsets[rig.index(role)]))
            return bool(abs(high) < REACH * length)
    return True


def drag(document: Document, pull: Pull) -> tuple[Document, Moves]:
    """Drag that joint of the first one, and measure each step."""
    way, moves = way_of(document, pull), Moves()
    (points, trunk), rig = floor_of(document), rig_of(skeleton_of(document.character(FIRST)))
    document, id = handle(document, rig, pull.joint)
    was, pelvis = places_of(document), joints_of(document.character(FIRST)).rotations[0]
    start = target_of(document, id)
    low = points.places(joints_of(document.character(FIRST)))[trunk, 1].min()
    left = turned = 0.0
    for step in drag_steps(document, id, straight(way, STEP)):
        document = step.document
        moves.took.append(step.took)
        now, world = places_of(document), joints_of(document.character(FIRST))
        moves.steps.append(apart(now, was))
        left = max(left, float(points.places(world)[trunk, 1].min() - max(low, 0.0)))
        turned = max(turned, float(geodesic_angle(pelvis, world.rotations[0])))
        was = now
    moves.left.append(left)
    moves.turned.append(turned)
    moves.missed.append(float(np.linalg.norm(was[0][rig.index(pull.joint)] - start - way)))
    return document, moves


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each drag and solver."""
    parser = drag_parser(__file__, __doc__, each="person as well")
    parser.add_argument("poses", nargs="*", metavar="POSE", help="part of a pose's name (default: all poses)")
    add_list(parser, "--drags", tuple(PULLS))
    given = parser.parse_args(arguments)

    def measured(name: str, solver: str) -> Iterator[tuple[str, Moves]]:
        pull = PULLS[name]
        for entry in (each for each in entries(given.poses) if each.folder in pull.of):
            for body in given.bodies:
                begun = taken(entry, body, solver)
                if is_within_reach(begun, pull):
                    yield f"{entry.name}, {body}", drag(begun, pull)[1]

    print_drags(Moves, COLUMNS, given.solvers, given.drags, measured, given.each)


if __name__ == "__main__":
    main()
