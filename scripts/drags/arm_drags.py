"""How far the idle arm of people who stand goes along while the other hand is dragged.

python -m scripts.drags.arm_drags [POSE…] [--drags NAME,…] [--bodies neutral,female,…] [--solvers dls,smplik,…]
    [--half tune] [--each]

People take poses of the library, with the handles that new people have, and the left hand is dragged by 60 cm in
even steps, as they face; new people as well. Idle is how far the right hand, of which nothing is asked, goes from where
the chest had it, and in the world, in cm after 20, 40 and 60 cm: means, and the worst in the end. Unlikely is the pose
prior's energy at the start and there (1 as recorded poses have), and of the right arm's joints alone, from their own
spread. Missed is how far the dragged hand is off in the end, beyond the degrees by which the worst joint is beyond
human limits there. Steps are those of the joint that moves most. Every second pose tunes, the others report.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from app.document.library.shelf import Entry, shelf_of
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from scripts.arguments import add_list
from scripts.drags.contact_depths import FIRST, new_person
from scripts.drags.drag_measures import ALL_SOLVERS, FAR, HALVES, Array, apart, places_of
from scripts.drags.drag_steps import drag_steps, handle, straight, target_of
from scripts.drags.drag_study import Measures, Row, drag_parser, print_drags
from scripts.drags.drag_tables import mean_and_worst, percent_over, percentiles
from scripts.drags.kneel_drags import hands_of
from scripts.drags.lying_drags import taken
from solver.evaluation.body_joints import BODY_JOINTS
from solver.evaluation.naturalness import beyond_limits, prior_energy
from solver.ik.pose_prior import pose_prior
from solver.kinematics.rotations import to_rotation_vector
from solver.resources import resource_folder
from solver.rig.level_feet import heading
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, Role

FOLDERS = ("Standing", "Walking", "Gesturing", "Working")
FAR_M, STEP_M, LOOKED_AT = 0.6, 0.02, (0.2, 0.4, 0.6)
PULLS = {
    "up": (0.0, 1.0, 0.0),
    "ahead": (0.0, 0.0, 1.0),
    "back": (0.0, 0.0, -1.0),
    "aside": (1.0, 0.0, 0.0),
    "across": (-1.0, 0.0, 0.0),
    "down": (0.0, -1.0, 0.0),
    "down ahead": (0.0, -0.8, 0.6),
}  # the way of the left hand, (3,), as people face
IDLE = ARMS[1]


@dataclass
class Idle(Row):
    """Metres, energies, degrees and milliseconds; each drag adds one number, (3,) for what is looked at on the way, and
    to steps and took many."""

    seen: list[Array] = field(default_factory=list)
    world: list[Array] = field(default_factory=list)
    began: list[float] = field(default_factory=list)
    unlikely: list[Array] = field(default_factory=list)
    arm_began: list[float] = field(default_factory=list)
    arm: list[Array] = field(default_factory=list)
    missed: list[float] = field(default_factory=list)
    beyond: list[float] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        seen, world = 100 * np.array(self.seen), 100 * np.array(self.world)
        energy, arm = (np.array(each).mean(axis=0) for each in (self.unlikely, self.arm))
        return [
            f"{len(seen)}", *(f"{cm:.1f}" for cm in seen.mean(axis=0)), f"{seen[:, -1].max():.0f}",
            *(f"{cm:.1f}" for cm in world.mean(axis=0)),
            f"{np.mean(self.began):.2f}", *(f"{one:.2f}" for one in energy),
            f"{np.mean(self.arm_began):.2f}", *(f"{one:.2f}" for one in arm),
            *mean_and_worst(100 * np.array(self.missed)), *mean_and_worst(self.beyond),
            *percentiles(100 * np.array(self.steps), 50, 95, 100), percent_over(self.steps, FAR, digits=1),
            *percentiles(self.took, 50, 95),
        ]  # fmt: skip


COLUMNS = (
    "drags", "idle, 20", "40", "60 cm", "worst", "in the world, 20", "40", "60 cm", "unlikely, start", "20", "40",
    "60 cm", "its arm, start", "20", "40", "60 cm", "missed cm", "worst", "beyond °", "worst", "steps cm", "p95",
    "worst", "over 5 cm %", "ms", "p95",
)  # fmt: skip


NEW, EACH = "new people", "person as well"


def entries(parts: Sequence[str] = (), half: str | None = None) -> list[Entry]:
    """The library's poses of people who stand, of one half; of these the ones with such a part in their name."""
    found = [e for e in shelf_of(resource_folder("assets", "poses")).entries if e.folder in FOLDERS]
    found = found if half is None else found[HALVES.index(half) :: 2]
    return [e for e in found if not parts or any(part in f"{e.folder}/{e.name}" for part in parts)]


def drag(document: Document, pull: str) -> Idle:
    """Drag the left hand of the first one, and measure each step."""
    found, rig = Idle(), rig_of(skeleton_of(document.character(FIRST)))
    faces = heading(document.character(FIRST).pose.rotations[0].astype(np.float64))
    way = faces @ np.array(PULLS[pull]) * FAR_M
    document, id = handle(document, rig, Role.LEFT_WRIST)
    wrist, left = rig.index(IDLE.end), rig.index(Role.LEFT_WRIST)
    hand, was = hands_of(document)[1], places_of(document)
    there = was[0][wrist]
    energy, arm, _ = _likely(document)
    found.began.append(energy)
    found.arm_began.append(arm)
    ways = straight(way, STEP_M)
    stops = [round(far / FAR_M * len(ways)) for far in LOOKED_AT]
    looks = list[tuple[float, ...]]()
    for number, reached in enumerate(drag_steps(document, id, ways), 1):
        document, now = reached.document, places_of(reached.document)
        found.steps.append(apart(now, was))
        found.took.append(reached.took)
        was = now
        if number in stops:
            seen = float(np.linalg.norm(hands_of(document)[1] - hand))
            looks.append((seen, float(np.linalg.norm(now[0][wrist] - there)), *_likely(document)))
    for into, at in ((found.seen, 0), (found.world, 1), (found.unlikely, 2), (found.arm, 3)):
        into.append(np.array([look[at] for look in looks]))
    found.beyond.append(looks[-1][4])
    found.missed.append(float(np.linalg.norm(was[0][left] - target_of(document, id))))
    return found


def new(body: str, solver: str) -> Document:
    """A new person, who takes no pose."""
    return Document().with_characters((new_person(body, solver),))


def _likely(document: Document) -> tuple[float, float, float]:
    """The energy of the whole pose, and of the idle arm's joints, and degrees beyond limits."""
    person = document.character(FIRST)
    skeleton, rig = skeleton_of(person), rig_of(skeleton_of(person))
    local = person.pose.rotations[[skeleton.index(name) for name in BODY_JOINTS]].astype(np.float64)
    prior, line = pose_prior(BODY_JOINTS), [BODY_JOINTS.index(rig.name(role)) for role in IDLE.line[:3]]
    away = np.asarray(to_rotation_vector(np.swapaxes(prior.mean[line], -1, -2) @ local[line]))
    arm = np.einsum("ji,jik,jk->", away, prior.stiffness[line], away) / away.size
    return float(prior_energy(local[None])[0]), float(arm), float(beyond_limits(local[None])[0])


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each drag and solver."""
    study_standing(Idle, COLUMNS, drag_parser(__file__, __doc__, ALL_SOLVERS, each=EACH), tuple(PULLS), drag, arguments)


def study_standing(
    kind: type[Measures],
    columns: Sequence[str],
    parser: ArgumentParser,
    drags: Sequence[str],
    measure: Callable[[Document, str], Measures],
    arguments: list[str] | None,
) -> None:
    """Print a table of drags, by name, of new people and of those in the library's poses of who stands."""
    parser.add_argument("poses", nargs="*", metavar="POSE", help="part of a pose's folder or name (default: all poses)")
    add_list(parser, "--drags", drags)
    parser.add_argument("--half", choices=HALVES, help="which poses (default: both)")
    given = parser.parse_args(arguments)
    starts = dict[str, Callable[[str, str], Document]]()
    if not given.poses or any(part in NEW for part in given.poses):
        starts[NEW] = new
    starts |= {entry.name: partial(taken, entry) for entry in entries(given.poses, given.half)}

    def measured(name: str, solver: str) -> Iterator[tuple[str, Measures]]:
        for pose, start in starts.items():
            for body in given.bodies:
                yield f"{pose}, {body}", measure(start(body, solver), name)

    print_drags(kind, columns, given.solvers, given.drags, measured, given.each)


if __name__ == "__main__":
    main()
