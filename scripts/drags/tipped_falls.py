"""How people who were tipped over lie on the floor: stiffly, and once they have come to rest.

python -m scripts.drags.tipped_falls [--bodies neutral,female,…] [--ways back,…] [--solvers dls,smplik]

Centimetres from the floor to the lowest skin of the part that is highest of each kind, the mean over
people and the worst. Lowest: of all skin. The
last columns are of a hand that is dragged up by 20 cm in steps of 2 cm afterwards: how far the
pelvis, the feet and the other hand go along.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from app.document.model.document import Character, Document
from app.document.model.figure import body_of, skeleton_of
from app.document.posing.placing import skin_of, tipped
from app.document.posing.rest.settling import come_to_rest
from scripts.arguments import add_list
from scripts.drags.contact_depths import new_person
from scripts.drags.drag_measures import places_of
from scripts.drags.drag_steps import drag_steps, handle, straight
from scripts.drags.drag_study import Row, drag_parser, print_drags
from scripts.drags.drag_tables import mean_and_worst
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS, Role

QUARTER = np.pi / 2
WAYS = {
    "back": (-QUARTER, 0.0, 0.0), "front": (QUARTER, 0.0, 0.0), "left": (0.0, 0.0, QUARTER),
    "right": (0.0, 0.0, -QUARTER),
}  # fmt: skip
PARTS: dict[str, list[tuple[Role, ...]]] = {
    "hands": [(arm.end, arm.tip) for arm in ARMS],
    "feet": [(leg.end, leg.tip) for leg in LEGS],
    "skull": [(Role.HEAD,)],
    "seat": [(Role.PELVIS, *(leg.root for leg in LEGS))],
    "chest": [(Role.SPINE2, Role.SPINE3)],
}
UP, STEP = 0.2, 0.02  # metres


@dataclass
class Lies(Row):
    """Centimetres, one number for each person."""

    hands: list[float] = field(default_factory=list)
    feet: list[float] = field(default_factory=list)
    skull: list[float] = field(default_factory=list)
    seat: list[float] = field(default_factory=list)
    chest: list[float] = field(default_factory=list)
    lowest: list[float] = field(default_factory=list)
    hips_along: list[float] = field(default_factory=list)
    feet_along: list[float] = field(default_factory=list)
    hand_along: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        heights = (self.hands, self.feet, self.skull, self.seat, self.chest)
        along = (self.hips_along, self.feet_along, self.hand_along)
        moved = [cell for each in along for cell in (mean_and_worst(each) if each else ["", ""])]
        return [cell for each in heights for cell in mean_and_worst(each)] + [f"{min(self.lowest):.1f}", *moved]


COLUMNS = (
    *(cell for part in PARTS for cell in (f"{part} cm", "worst")), "lowest",
    *(cell for part in ("hips", "feet", "hand") for cell in (f"{part} along cm", "worst")),
)  # fmt: skip


def measured(person: Character) -> Lies:
    """How somebody lies."""
    body, rig = body_of(person), rig_of(skeleton_of(person))
    skin = 100.0 * skin_of(person)[:, 1].astype(np.float64)
    carrier = body.weights.argmax(axis=1)

    def height(roles: tuple[Role, ...]) -> float:
        return float(skin[np.isin(carrier, [rig.index(role) for role in roles])].min())

    highest = {part: [max(height(roles) for roles in groups)] for part, groups in PARTS.items()}
    return Lies(**highest, lowest=[float(skin.min())])


def drag_hand(person: Character, lies: Lies) -> None:
    """Lift the left hand, and add how far the rest goes along."""
    rig = rig_of(skeleton_of(person))
    document, id = handle(Document().with_characters((person,)), rig, ARMS[0].end)
    before = after = places_of(document)[0]
    for step in drag_steps(document, id, straight(np.array([0.0, UP, 0.0]), STEP)):
        after = places_of(step.document)[0]
    moved = 100.0 * np.linalg.norm(after - before, axis=1)
    lies.hips_along.append(float(moved[rig.index(Role.PELVIS)]))
    lies.feet_along.append(float(max(moved[rig.index(leg.end)] for leg in LEGS)))
    lies.hand_along.append(float(moved[rig.index(ARMS[1].end)]))


def main(arguments: list[str] | None = None) -> None:
    """Print a table, two rows for each way and solver."""
    parser = drag_parser(__file__, __doc__, each="person as well")
    add_list(parser, "--ways", tuple(WAYS))
    given = parser.parse_args(arguments)

    def rows(name: str, solver: str) -> Iterator[tuple[str, Lies]]:
        way, _, rests = name.partition(", ")
        for body in given.bodies:
            person = tipped(new_person(body, solver), from_rotation_vector(WAYS[way]))
            person = come_to_rest(person) if rests else person
            lies = measured(person)
            if rests:
                drag_hand(person, lies)
            yield body, lies

    names = [f"{way}{rests}" for rests in ("", ", at rest") for way in given.ways]
    print_drags(Lies, COLUMNS, given.solvers, names, rows, given.each)


if __name__ == "__main__":
    main()
