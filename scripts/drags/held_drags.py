"""How evenly people move who hold something while they are dragged, and whether they come back.

python -m scripts.drags.held_drags [SCENE…] [--bodies neutral,female,…] [--solvers dls,smplik]
    [--drags N] [--seed N] [--whole] [--each]

A joint is dragged away and back in steps of a centimetre, in a direction drawn at random about the
one of its scene. In the table, steps are those of the joint of anybody that moves most. Elsewhere
is how far the other person goes or, if there is none, whatever is not of the dragged limb. Turned
is by how much the pelvis turns. Back is how far the joint that is off most is from where it was.
With --whole the whole person is dragged by the root handle instead, over the floor, and holds on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import process_time

import numpy as np

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.edits.world_contacts import holding_on, world_contacts
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import entry_of, poses_of
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.model.history import Edit
from app.document.model.prop_spots import spot_of
from app.document.posing.contact_patches import UP, contact_of, patches_of
from scripts.arguments import add_parts, with_part
from scripts.drags.contact_depths import BODIES, FIRST, SECOND, Hold, common, lies, sits, skin_of, solved, taken
from scripts.drags.drag_measures import FAR, MET, Array, apart, places_of
from scripts.drags.drag_steps import DragStep, drag_steps, handle, on_joint, straight
from scripts.drags.drag_study import Row, drag_parser, print_drags
from scripts.drags.drag_tables import mean_and_worst, percent_over, percentiles
from solver.effectors.sources import FloorSource
from solver.ik.memory import Memory
from solver.ik.options import SOLID_BODY
from solver.ik.preserve_modes import limb_of
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import geodesic_angle
from solver.resources import resource_folder
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import LEGS, Role

STEP = 0.01  # metres
SEAT = 0.18  # metres about the pelvis within which the lowest skin of these is what somebody sits on
FLESH, SHINS = (Role.PELVIS, *(leg.root for leg in LEGS)), [role for leg in LEGS for role in leg.joints[1:]]
AHEAD, CLEAR, DEPTH = 0.15, 0.02, 0.5  # metres that a box is before the pelvis, that shins are off it, and its depth
BORNE = 0.5  # the share of skin that joints carry
ASTRAY = 0.3  # standard deviation of a direction's coordinates; their middle has length 1


@dataclass(frozen=True)
class Scene:
    """What people hold before a joint of the first one is dragged, whose contact comes off.

    joint: its role. way: (3,) the middle of the directions. far: metres, the least and the most.
    """

    hold: Hold
    joint: Role
    way: tuple[float, float, float]
    far: tuple[float, float] = (0.1, 0.3)


@dataclass
class Moves(Row):
    """Metres, radians and milliseconds; each drag adds one number, and to steps and took many."""

    steps: list[float] = field(default_factory=list)
    elsewhere: list[float] = field(default_factory=list)
    turned: list[float] = field(default_factory=list)
    back: list[float] = field(default_factory=list)
    missed: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        steps, back, elsewhere = (100 * np.array(m) for m in (self.steps, self.back, self.elsewhere))
        return [
            f"{len(back)}", *percentiles(steps, 50, 95, 100), percent_over(self.steps, FAR, digits=1),
            *mean_and_worst(elsewhere), f"{np.degrees(np.max(self.turned)):.0f}", *mean_and_worst(back, digits=2),
            percent_over(self.missed, MET), *percentiles(self.took, 50, 95, 100, digits=0),
        ]  # fmt: skip


COLUMNS = (
    "drags", "steps cm", "p95", "worst", "over 5 cm %", "elsewhere cm", "worst", "turned °, worst",
    "back cm", "worst", "missed %", "ms", "p95", "worst",
)  # fmt: skip


def kneels(document: Document) -> Document:
    """The first one down on the left knee, the toes behind it free, the right foot flat before it."""
    person, (places, *_) = document.character(FIRST), places_of(document)
    rig = rig_of(skeleton_of(person))
    knee, foot, pelvis = (places[rig.index(role)] for role in (Role.LEFT_KNEE, Role.RIGHT_ANKLE, Role.PELVIS))
    contact = contact_of(patches_of(person)[Role.LEFT_KNEE], (knee[0], 0.0, knee[2]), UP)
    toes = [e.id for e in on_joint(document, rig, Role.LEFT_ANKLE)]
    shin = float(np.linalg.norm(knee - places[rig.index(Role.LEFT_ANKLE)]))
    return edits.chain(
        edits.hold(FIRST, replace(contact, source=FloorSource())),
        edits.remove_effectors(FIRST, toes),
        put(rig, Role.RIGHT_ANKLE, foot + [0.0, 0.0, 0.9 * shin]),
        put(rig, Role.PELVIS, [pelvis[0], pelvis[1] - knee[1] - 0.05, knee[2] - 0.2]),
    )(document)


def put(rig: Rig, role: Role, place: Array | list[float]) -> Edit:
    """That joint's target there."""

    def edit(document: Document) -> Document:
        document, id = handle(document, rig, role)
        return edits.set_target(FIRST, id, np.asarray(place, np.float32))(document)

    return edit


def beside_wall(document: Document) -> Document:
    """A wall to the left of the first one, 30 cm from the middle of the body."""
    x, _, z = document.character(FIRST).pose.root_position.tolist()
    wall = replace(
        new_prop(document, "box"), size=np.array([0.2, 2.2, 1.6], np.float32), place=np.array([x + 0.4, 0.0, z])
    )
    return edits.chain(add_prop(wall), edits.set_solver_option(FIRST, SOLID_BODY.id, True))(document)


def skin_on(person: Character, roles: Sequence[Role]) -> Array:
    """(V, 3) metres, the skin that these joints carry."""
    rig = rig_of(skeleton_of(person))
    return skin_of(person)[body_of(person).weights[:, [rig.index(role) for role in roles]].sum(axis=1) > BORNE]


def sits_on_box(name: str, folder: str = "Sitting on a chair") -> Edit:
    """The first one in that pose of the library, solid, with the seat on a box as high as the skin there, which ends
    before the feet."""
    pose = entry_of(resource_folder("assets", "poses") / folder / f"{name}.json")

    def edit(document: Document) -> Document:
        document = take_pose(FIRST, poses_of(pose), Taking(place=True))(document)
        person, (places, *_) = document.character(FIRST), places_of(document)
        patch, rig = patches_of(person)["seat"], rig_of(skeleton_of(person))
        pelvis, seat, below = places[rig.index(patch.joint)], *(skin_on(person, roles) for roles in (FLESH, SHINS))
        near = np.hypot(seat[:, 0] - pelvis[0], seat[:, 2] - pelvis[2]) < SEAT
        height = float(seat[near, 1].min())
        front = min(pelvis[2] + AHEAD, float(below[below[:, 1] < height, 2].min()) - CLEAR)
        box = replace(
            new_prop(document, "box"),
            size=np.array([0.5, height, DEPTH], np.float32),
            place=np.array([pelvis[0], 0.0, max(front, pelvis[2] + CLEAR) - DEPTH / 2], np.float32),
        )
        source, at, normal = spot_of(box, box.frame.own([pelvis[0], height, pelvis[2]]), UP)
        contact = replace(contact_of(patch, at, normal), source=source)
        solid = edits.set_solver_option(FIRST, SOLID_BODY.id, True)
        return edits.chain(add_prop(box), edits.hold(FIRST, contact), solid)(document)

    return edit


PALMS = tuple(edit for side in ("left", "right") for edit in lies(f"{side}_palm", f"{side}_thigh"))
SEATED, KNEELING = Hold((sits, *PALMS)), Hold((kneels, *PALMS))
UPRIGHT = Hold((sits_on_box("Sit upright"),))
HIPS = Hold(common("hips"), by_arms=True)
SCENES = {
    "seated, hands on thighs": Scene(SEATED, Role.PELVIS, (0.0, 1.0, 0.0)),
    "hands on hips, pelvis up": Scene(HIPS, Role.PELVIS, (0.0, 1.0, 0.0)),
    "hands on hips, pelvis down": Scene(HIPS, Role.PELVIS, (0.0, -1.0, 0.0)),
    "kneeling, pelvis up": Scene(KNEELING, Role.PELVIS, (0.0, 1.0, 0.0)),
    "kneeling, pelvis down": Scene(KNEELING, Role.PELVIS, (0.0, -1.0, 0.0)),
    "seated, ankle across": Scene(SEATED, Role.LEFT_ANKLE, (-1.0, 0.3, 0.0), (0.2, 0.4)),
    "wall, elbow": Scene(Hold((beside_wall, *common("hips"))), Role.LEFT_ELBOW, (1.0, 0.0, 0.0)),
    "wall, elbow, hands free": Scene(Hold((beside_wall,)), Role.LEFT_ELBOW, (1.0, 0.0, 0.0)),
    **{
        f"each other's shoulder, {gap} m": Scene(
            Hold(common("shoulder", FIRST, SECOND), gap), Role.LEFT_WRIST, (0.0, 0.0, -1.0), (0.12, 0.12)
        )
        for gap in (0.5, 0.6, 0.7)
    },
    "beside, each other's shoulder": Scene(
        Hold(common("shoulder", FIRST, SECOND), 0.7, facing=False), Role.LEFT_WRIST, (-1.0, 0.0, 0.0), (0.12, 0.12)
    ),
    "sitting upright, left ankle across": Scene(UPRIGHT, Role.LEFT_ANKLE, (-1.0, 0.6, 0.1), (0.2, 0.4)),
    "sitting upright, right ankle across": Scene(UPRIGHT, Role.RIGHT_ANKLE, (1.0, 0.6, 0.1), (0.2, 0.4)),
}  # fmt: skip


def dragged_joint(document: Document, scene: Scene) -> Role:
    """The scene's, or the wrist that is held, whichever side it is on."""
    rig = rig_of(skeleton_of(document.character(FIRST)))
    if scene.joint is Role.LEFT_WRIST and any(e.kind == "contact" for e in on_joint(document, rig, Role.RIGHT_WRIST)):
        return Role.RIGHT_WRIST
    return scene.joint


def drag(scene: Scene, body: str, solver: str, rng: np.random.Generator) -> Moves:
    """Drag its joint there and back, and measure each step."""
    document, memories, _ = taken(scene.hold, body, solver)
    role = dragged_joint(document, scene)
    skeleton = skeleton_of(document.character(FIRST))
    rig = rig_of(skeleton)
    off = [e.id for e in on_joint(document, rig, role) if e.kind == "contact"]
    document, id = handle(edits.let_go(FIRST, off)(document), rig, role)
    limb = limb_of(skeleton, rig.index(role))
    rest = [joint for joint in range(len(skeleton)) if joint not in limb]
    way = np.array(scene.way) + ASTRAY * rng.normal(size=3)
    way *= rng.uniform(*scene.far) / np.linalg.norm(way)
    steps = drag_steps(document, id, straight(way, STEP, back=True), memories)
    return measured(document, steps, lambda places: places[1:] if len(places) > 1 else [places[0][rest]])


def drag_whole(scene: Scene, body: str, solver: str, rng: np.random.Generator) -> Moves:
    """Drag the whole person there and back over the floor, and measure each step."""
    document, memories, _ = taken(scene.hold, body, solver)
    way = rng.normal(size=3) * [1.0, 0.0, 1.0]
    way *= rng.uniform(*scene.far) / np.linalg.norm(way)
    return measured(document, whole_steps(document, straight(way, STEP, back=True), memories), list)


def whole_steps(document: Document, by: Iterable[Array], memories: dict[str, Memory]) -> Iterator[DragStep]:
    """Move the whole first person, (3,) metres from where they are for each step, and solve everybody each time."""
    start, contacts = document.character(FIRST), world_contacts(document, [FIRST])
    known = {_numbers(start.pose): memories}  # as in the window: of a pose that was carried along nothing is known
    for way in by:
        document = holding_on((start,), contacts, edits.place_together((start,), way, 0.0))(document)
        memories = dict(known.get(_numbers(document.character(FIRST).pose), {}))
        started = process_time()
        document, lost, other = solved(document, memories)
        took = 1e3 * (process_time() - started)
        known[_numbers(document.character(FIRST).pose)] = memories
        yield DragStep(document, lost, other, took)


def measured(document: Document, steps: Iterable[DragStep], elsewhere: Callable[[list[Array]], list[Array]]) -> Moves:
    """The measures of one drag of a document. elsewhere: of everybody's joints, those that count as such."""
    moves, held, pelvis = Moves(), places_of(document), joints_of(document.character(FIRST)).rotations[0]
    was, furthest, turned = held, 0.0, 0.0
    for step in steps:
        now = places_of(step.document)
        moves.took.append(step.took)
        moves.steps.append(apart(now, was))
        moves.missed.append(max(step.lost, step.other))
        furthest = max(furthest, apart(elsewhere(now), elsewhere(held)))
        turn = geodesic_angle(pelvis, joints_of(step.document.character(FIRST)).rotations[0])
        turned, was = max(turned, float(turn)), now
    moves.back.append(apart(was, held))
    moves.elsewhere.append(furthest)
    moves.turned.append(turned)
    return moves


def _numbers(pose: Pose) -> bytes:
    return pose.root_position.tobytes() + pose.rotations.tobytes()


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each scene and solver."""
    parser = drag_parser(__file__, __doc__, each="drag")
    add_parts(parser, "scenes", SCENES)
    parser.add_argument("--drags", type=int, default=2, metavar="N", help="for each body (default: 2)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="for the directions (default: 0)")
    parser.add_argument("--whole", action="store_true", help="drag whole people")
    given = parser.parse_args(arguments)

    def measured(name: str, solver: str) -> Iterator[tuple[str, Moves]]:
        for body in given.bodies:
            for each in range(given.drags):
                rng = np.random.default_rng([given.seed, list(SCENES).index(name), BODIES.index(body), each])
                yield f"{body} {each}", (drag_whole if given.whole else drag)(SCENES[name], body, solver, rng)

    print_drags(Moves, COLUMNS, given.solvers, list(with_part(SCENES, given.scenes)), measured, given.each, "scene")


if __name__ == "__main__":
    main()
