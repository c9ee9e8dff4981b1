"""How far the rest of people moves when a joint of theirs is pulled a little beside something solid.

python -m scripts.drags.near_drags [SCENE…] [--bodies neutral,female,…] [--solvers dls,smplik]
    [--drags N] [--seed N] [--each]

Somebody new stands beside a wall, a box or another person, or has the hands on the hips as well.
A joint is pulled by 10 cm in a direction drawn at random, in steps of a centimetre. In the table,
after 1, 2, 5 and 10 cm: how far the head, the pelvis, the joint of the trunk that moves most and
the elbow, wrist, knee or ankle of another limb that moves most have gone, mean and worst in cm. Missed: steps
in which a contact or a strict effector is off by more than a millimetre.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from scripts.arguments import add_parts, with_part
from scripts.drags.contact_depths import BODIES, FIRST, Hold, common, taken
from scripts.drags.drag_measures import FAR, MET, Array, apart, places_of
from scripts.drags.drag_steps import drag_steps, handle, on_joint, straight
from scripts.drags.drag_study import Row, drag_parser, print_drags
from scripts.drags.drag_tables import percent_over, percentiles
from scripts.drags.held_drags import beside_wall
from solver.effectors.contact import Contact
from solver.ik.options import SOLID_BODY
from solver.ik.preserve_modes import limb_of
from solver.rig.rig import rig_of
from solver.rig.roles import LIMBS, Role

STEP, AT = 0.01, (1, 2, 5, 10)  # metres; centimetres after which is measured
JOINTS = tuple(role for limb in LIMBS for role in (limb.hinge, limb.end))
TRUNK = (Role.PELVIS, Role.SPINE1, Role.SPINE2, Role.SPINE3, Role.NECK)


def solid(document: Document) -> Document:
    """The first one with a solid body."""
    return edits.set_solver_option(FIRST, SOLID_BODY.id, True)(document)


def beside_box(document: Document) -> Document:
    """A box to the left of the first one, as high as the hips, 30 cm from the middle of the body."""
    x, _, z = document.character(FIRST).pose.root_position.tolist()
    box = replace(new_prop(document, "box"), size=np.array([0.5, 0.9, 0.6], np.float32))
    return solid(add_prop(replace(box, place=np.array([x + 0.55, 0.0, z])))(document))


HIPS = common("hips")
SCENES: dict[str, Hold] = {
    "alone": Hold((solid,)),
    "wall": Hold((beside_wall,)),
    "box": Hold((beside_box,)),
    "person": Hold((solid,), 0.55, facing=False),
    "alone, hands on hips": Hold((solid, *HIPS)),
    "wall, hands on hips": Hold((beside_wall, *HIPS)),
    "person, hands on hips": Hold((solid, *HIPS), 0.75, facing=False),
}


@dataclass
class Moves(Row):
    """Metres; to at, each drag adds a list of head, pelvis, trunk and other limbs for each of AT; to steps many."""

    at: list[Array] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    missed: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        at, steps = 100 * np.array(self.at), 100 * np.array(self.steps)
        after = [f"{at[:, i, k].mean():.1f} / {at[:, i, k].max():.1f}" for i in range(len(AT)) for k in range(4)]
        return [
            f"{len(at)}", *after, *percentiles(steps, 95, 100), percent_over(self.steps, FAR, digits=1),
            percent_over(self.missed, MET), *percentiles(self.took, 50, 95, digits=0),
        ]  # fmt: skip


COLUMNS = (
    "drags", *(f"{what} at {cm}" for cm in AT for what in (Role.HEAD, Role.PELVIS, "trunk", "others")), "step p95 cm",
    "worst", "over 5 cm %", "missed %", "ms", "p95",
)  # fmt: skip


def drag(scene: Hold, role: Role, way: Array, body: str, solver: str) -> Moves:
    """Pull that joint along a way, (3,) metres, and measure each step."""
    document, memories, _ = taken(scene, body, solver)
    skeleton = skeleton_of(document.character(FIRST))
    rig = rig_of(skeleton)
    off = [e.id for e in on_joint(document, rig, role) if isinstance(e, Contact)]
    document, id = handle(edits.let_go(FIRST, off)(document), rig, role)
    limb = limb_of(skeleton, rig.index(role))
    groups = [[rig.index(Role.HEAD)], [rig.index(Role.PELVIS)], [rig.index(each) for each in TRUNK]]
    ends = [rig.index(each) for each in JOINTS if rig.index(each) not in limb]
    groups.append(ends)
    began = was = places_of(document)
    moves, gone = Moves(), []
    for number, step in enumerate(drag_steps(document, id, straight(way, STEP), memories)):
        now = places_of(step.document)
        moves.steps.append(apart(now, was))
        moves.missed.append(max(step.lost, step.other))
        moves.took.append(step.took)
        if number + 1 in AT:
            gone.append([apart([now[0][g]], [began[0][g]]) for g in groups])
        was = now
    moves.at.append(np.array(gone))
    return moves


def ways(scene: str, body: str, number: int, seed: int) -> list[tuple[Role, Array]]:
    """A number of drags: a joint each, and the (3,) metres by which it is pulled; each joint in turn."""
    rng = np.random.default_rng([seed, list(SCENES).index(scene), BODIES.index(body)])
    joints, found = rng.permutation(len(JOINTS)), []
    for each in range(number):
        way = rng.normal(size=3)
        found.append((JOINTS[int(joints[each % len(JOINTS)])], 0.1 * way / np.linalg.norm(way)))
    return found


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each scene and solver."""
    parser = drag_parser(__file__, __doc__, each="drag")
    add_parts(parser, "scenes", SCENES)
    parser.add_argument("--drags", type=int, default=8, metavar="N", help="for each body (default: 8)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="for joints and directions (default: 0)")
    given = parser.parse_args(arguments)

    def measured(name: str, solver: str) -> Iterator[tuple[str, Moves]]:
        for body in given.bodies:
            for role, way in ways(name, body, given.drags, given.seed):
                told = " ".join(f"{100 * v:+.0f}" for v in way)
                yield f"{body}, {role} {told}", drag(SCENES[name], role, way, body, solver)

    print_drags(Moves, COLUMNS, given.solvers, list(with_part(SCENES, given.scenes)), measured, given.each, "scene")


if __name__ == "__main__":
    main()
