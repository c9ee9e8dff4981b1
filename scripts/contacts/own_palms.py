"""How deep a hand is in its owner where its palm lies on them, and how the palm lies there.

python -m scripts.contacts.own_palms [PLACE…] [--bodies neutral,Heavy,…] [--solvers dls,smplik] [--each]
    [--pictures FOLDER]

The right palm of somebody new, who stands, comes at once onto a place of their own skin, as under the pointer with S
held, and onto four more 3 cm around it. Hand: millimetres that the skin of the hand is in the rest of the body at the
deepest, as the view tints it, in the mean and at worst; deep are those of over 1 cm. Body: likewise, of any other skin
there. Gap: millimetres from the hand to the skin where it comes nearest, 0 where it is in it. Off: by how many mm the
contact is missed, and missed, how many are off by over 1 cm. From the first spot the palm is then led 10 cm to the left
in steps of a centimetre. Steps: how many cm the joint of the arm that moves most moves in each, led: milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.model.history import Edit
from app.document.posing.contact_patches import on_skin, own_limb
from app.document.posing.fitting_effectors import new_effector
from app.viewport.picture import save_picture
from app.viewport.tools.surface_drag import Spot, landing
from scripts.arguments import add_parts, with_part
from scripts.contacts.surface_drags import solved
from scripts.drags.contact_depths import BODIES, FIRST, Hold, before
from scripts.drags.drag_study import Row, drag_parser
from scripts.drags.drag_tables import mean_and_worst, percent_over, percentiles, print_row
from solver.body.shape_presets import SHAPE_PRESETS
from solver.contact.intersections import Skinned, intersections
from solver.contact.skins import posed_skin, skin
from solver.contact.vertices import touchable_vertices
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.ik.memory import Memory
from solver.ik.multi_solve.only_limb import LimbHold
from solver.rig.rig import rig_of
from solver.rig.roles import HEAD_AND_NECK, Role

Array = NDArray[np.float64]
Way = tuple[float, float, float]
PALM, DEEP, MISSED, ASIDE = "right_palm", 0.01, 0.01, 0.03  # metres
LED, STEP = 10, 0.01  # steps, metres
BESIDE, BEFORE = 0.02, 0.01  # metres beside the line to a place on which skin is, and before the skin on it
PLACES: dict[str, tuple[Role, Way]] = {  # from a joint at rest, in lengths of a leg, to a place before the skin
    "breastbone": (Role.SPINE3, (0.0, 0.0, 0.25)),
    "left breast": (Role.SPINE3, (0.1, -0.02, 0.25)),
    "belly": (Role.SPINE1, (0.0, 0.0, 0.3)),
    "left shoulder": (Role.LEFT_SHOULDER, (0.0, 0.12, 0.04)),
    "side of neck": (Role.NECK, (0.08, 0.04, 0.12)),
    "left cheek": (Role.HEAD, (0.1, 0.03, 0.1)),
    "right cheek": (Role.HEAD, (-0.1, 0.03, 0.1)),
    "right hip": (Role.RIGHT_HIP, (-0.2, 0.08, 0.0)),
    "left hip": (Role.LEFT_HIP, (0.03, 0.08, 0.2)),
    "right thigh": (Role.RIGHT_HIP, (0.0, -0.3, 0.2)),
    "left thigh": (Role.LEFT_HIP, (0.0, -0.3, 0.2)),
    "back of head": (Role.HEAD, (0.0, 0.12, -0.25)),
}
PRESETS = {preset.name.partition(",")[0].lower(): preset.name for preset in SHAPE_PRESETS}
PEOPLE = (*BODIES, "heavy", "strong", "elder", "child", "chibi")
AROUND = ((0.0, 0.0), (ASIDE, 0.0), (-ASIDE, 0.0), (0.0, ASIDE), (0.0, -ASIDE))
COLUMNS = (
    "palms", "hand mm", "worst", "deep %", "body mm", "worst", "gap mm", "worst", "off mm", "worst", "missed %", "ms",
    "p95", "steps cm", "p95", "worst", "led ms", "p95",
)  # fmt: skip


@dataclass
class Palms(Row):
    """Metres and milliseconds; each palm adds one number to all of them."""

    hand: list[float] = field(default_factory=list)
    body: list[float] = field(default_factory=list)
    gap: list[float] = field(default_factory=list)
    off: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    led: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        hand, body, gap, off = (1e3 * np.array(each) for each in (self.hand, self.body, self.gap, self.off))
        return [
            f"{len(hand)}", *mean_and_worst(hand), percent_over(self.hand, DEEP), *mean_and_worst(body),
            *mean_and_worst(gap), *mean_and_worst(off), percent_over(self.off, MISSED), *percentiles(self.took, 50, 95),
            *percentiles(100 * np.array(self.steps), 50, 95, 100), *percentiles(self.led, 50, 95),
        ]  # fmt: skip


def spots_on(person: Character, place: str, around: Iterable[tuple[float, float]]) -> list[Spot]:
    """The spots of a place that are so many metres to the side and above its middle."""
    rig, world = rig_of(skeleton_of(person)), joints_of(person)
    role, way = PLACES[place]
    own = own_limb(person, rig.name(Role.RIGHT_WRIST))
    out = np.array(way)
    side = np.cross([0.0, 1.0, 0.0], out)
    side /= np.linalg.norm(side)
    up = np.cross(out, side) / np.linalg.norm(out)
    middle, spots = world.positions[rig.index(role)] + _before_skin(person, role, out, own) * out, list[Spot]()
    for x, y in around:
        source, at, normal = on_skin(person, middle + x * side + y * up, own)
        spots.append(Spot(at, normal, source))
    return spots


def _before_skin(person: Character, role: Role, out: Array, own: frozenset[int]) -> float:
    """How far a place is from a joint, in metres for each of `out`'s: a leg's length, or what brings it before the face
    of somebody with a large head on short legs."""
    body, rig, world = body_of(person), rig_of(skeleton_of(person)), joints_of(person)
    if role not in HEAD_AND_NECK:
        return rig.leg_length
    seen = posed_skin(skin(body, person.shape, person.hands), world) - world.positions[rig.index(role)]
    counts = touchable_vertices(body) & (body.weights[:, sorted(own)].sum(axis=1) < 0.5)
    way = out / np.linalg.norm(out)
    on_line = counts & (np.linalg.norm(np.cross(seen, way), axis=1) < BESIDE)
    reach = float((seen[on_line] @ way).max(initial=0.0)) + BEFORE
    return max(rig.leg_length, reach / float(np.linalg.norm(out)))


def laid(body: str, solver: str, place: str, number: int) -> tuple[Palms, Document]:
    """What is measured of the palm on one of a place's spots, and the document; of the first, it is led on after it."""
    document, memories = before(Hold(()), PRESETS.get(body, body), solver), dict[str, Memory]()
    person = document.character(FIRST)
    joint = rig_of(skeleton_of(person)).name(Role.RIGHT_WRIST)
    held = [e for e in person.effectors if e.joint == joint and isinstance(e, Position)]
    lead = held[0] if held else new_effector(person, Position.kind, joint)
    first = () if held else (edits.add_effector(FIRST, lead),)
    (spot,) = spots_on(person, place, AROUND[number : number + 1])
    document, contact, took, hold = _landed(document, lead, spot, memories, None, first)
    found, shown = measured(document.character(FIRST)), document
    found.off.append(contact)
    found.took.append(took)
    arm = sorted(own_limb(person, joint))
    for n in range(1, 1 + LED if number == 0 else 1):
        was = joints_of(document.character(FIRST)).positions[arm]
        (spot,) = spots_on(document.character(FIRST), place, [(n * STEP, 0.0)])
        document, _, took, hold = _landed(document, lead, spot, memories, hold)
        now = joints_of(document.character(FIRST)).positions[arm]
        found.steps.append(float(np.linalg.norm(now - was, axis=1).max()))
        found.led.append(took)
    return found, shown


def _landed(
    document: Document, lead: Effector, spot: Spot, memories: dict[str, Memory], hold: LimbHold | None,
    first: tuple[Edit, ...] = (),
) -> tuple[Document, float, float, LimbHold | None]:  # fmt: skip
    """The document with the palm on a spot, metres that it is off, milliseconds, and what stays meanwhile."""
    person, started = document.character(FIRST), process_time()
    lands = landing(document, person, lead, spot, PALM, first)
    assert lands is not None, "it has that patch"
    stays = lands.hold and lands.hold.of(hold.base if hold else person.pose)
    document = lands.edit(document)
    made = 1e3 * (process_time() - started)
    document, answer, took = solved(document, memories, stays)
    told = zip(answer.effectors, answer.solution.residuals, strict=True)
    off = next(left.value for e, left in told if isinstance(e, Contact) and e.patch == PALM)
    return document, off, made + took, stays


def measured(person: Character) -> Palms:
    """How deep the right hand and the rest of a person are in the person, and how far the hand is off the rest."""
    body, rig = body_of(person), rig_of(skeleton_of(person))
    ((skin, depths),) = intersections([Skinned(body, person.shape, person.pose, person.hands)], floor=False)
    used = np.zeros(len(skin), bool)
    used[np.unique(body.faces)] = True
    hand = used & (body.weights[:, [rig.index(Role.RIGHT_WRIST), rig.index(Role.RIGHT_HAND)]].sum(axis=1) > 0.5)
    arm = body.weights[:, sorted(own_limb(person, rig.name(Role.RIGHT_WRIST)))].sum(axis=1) > 0.5
    gap = float(cKDTree(skin[used & ~arm]).query(skin[hand])[0].min())
    deepest = float(depths[hand].max())
    return Palms([deepest], [float(depths[used & ~hand].max())], [0.0 if deepest else gap])


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each place and solver."""
    parser = drag_parser(__file__, __doc__, each="body", bodies=PEOPLE)
    add_parts(parser, "places", PLACES)
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="where to draw the deepest of each place")
    given = parser.parse_args(arguments)
    print_row("place", "solver", *COLUMNS)
    for solver in given.solvers:
        every, of_body = Palms(), {body: Palms() for body in given.bodies}
        for place in with_part(PLACES, given.places):
            row = Palms()
            for body in given.bodies:
                found = [laid(body, solver, place, number) for number in range(len(AROUND))]
                for one, _ in found:
                    row.add(one)
                    of_body[body].add(one)
                if given.pictures:
                    document = max(found, key=lambda each: each[0].hand)[1]
                    name = f"{place.replace(' ', '-')}-{body}-{solver}.png"
                    save_picture(given.pictures / name, document, (480, 560), "angle")
            print_row(place, solver, *row.cells)
            every.add(row)
        if given.each:
            for body, own in of_body.items():
                print_row(f"  {body}", solver, *own.cells)
        print_row("all", solver, *every.cells)


if __name__ == "__main__":
    main()
