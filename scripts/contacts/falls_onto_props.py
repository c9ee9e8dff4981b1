"""How people who were tipped over settle onto props, from above them and from within them.

python -m scripts.contacts.falls_onto_props [--bodies neutral,female,…] [--solvers dls,smplik] [--each]
    [--pictures FOLDER]

Centimetres, the mean over people and ways to fall, and the worst. Within: skin in the prop, before
and once settled. Sunk: skin below the floor. Again: how far a joint moves at a second press. Pelvis
along: how far it goes as a hand is lifted by 20 cm afterwards, by those whose trunk lies on the
prop; their share. Time: of a processor, one press.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import KINDS, Prop
from app.document.posing.placing import moved, skin_of, tipped
from app.viewport.picture import save_picture
from scripts.drags.contact_depths import new_person
from scripts.drags.drag_measures import places_of
from scripts.drags.drag_steps import drag_steps, handle, straight
from scripts.drags.drag_study import Row, drag_parser, print_drags
from scripts.drags.drag_tables import mean_and_worst
from scripts.drags.tipped_falls import QUARTER, STEP, UP, WAYS
from solver.effectors.contact import Contact
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS

ALONG = {"back": (0, -1), "front": (0, 1), "left": (-1, 0), "right": (1, 0)}  # from the pelvis to the head
SIZE = (560, 420)  # pixels


class Place(NamedTuple):
    """A prop below somebody. turned: across the body. shift: metres towards the head. top: metres, of what is lain on;
    None for all of it. inside: from within as well."""

    kind: str
    size: tuple[float, float, float] | None = None
    turned: bool = False
    shift: float = 0.0
    top: float | None = None


PLACES = {
    "bed, along": Place("box", (1.0, 0.45, 2.2), shift=0.05), "bed, across": Place("box", (1.0, 0.45, 2.2), True, 0.15),
    "bed, head over": Place("box", (1.0, 0.45, 2.2), shift=-0.75),
    "bed, legs on it": Place("box", (1.0, 0.45, 2.2), shift=-1.3),
    "box at the pelvis": Place("box"), "box at the chest": Place("box", shift=0.35),
    "low step": Place("box", (1.0, 0.18, 0.6)),
    "stairs, along": Place("stairs"), "stairs, across": Place("stairs", None, True), "chair": Place("chair", top=0.47),
    "chair, aside": Place("chair", None, True, top=0.47), "table, along": Place("table", None, True),
    "table, across": Place("table", shift=0.15), "ball": Place("ball", (0.6, 0.6, 0.6)),
    "cylinder": Place("cylinder", (0.6, 0.4, 0.6)),
}  # fmt: skip


@dataclass
class Falls(Row):
    """Centimetres, one number for each fall."""

    before: list[float] = field(default_factory=list)
    within: list[float] = field(default_factory=list)
    sunk: list[float] = field(default_factory=list)
    again: list[float] = field(default_factory=list)
    along: list[float] = field(default_factory=list)
    borne: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        cells = [cell for each in (self.before, self.within, self.sunk, self.again) for cell in mean_and_worst(each)]
        along = mean_and_worst(self.along) if self.along else ["", ""]
        return [*cells, *along, f"{np.mean(self.borne):.0f}", *mean_and_worst(self.times, 0)]


COLUMNS = (
    "before cm", "worst", "within cm", "worst", "sunk cm", "worst", "again cm", "worst", "pelvis along cm", "worst",
    "borne %", "ms", "worst",
)  # fmt: skip


def lying_above(person: Character, way: str, place: Place, inside: bool) -> Document:
    """Somebody tipped over that way, with the prop below them, or around them."""
    fallen = tipped(person, from_rotation_vector(WAYS[way]))
    x, _, z = fallen.pose.root_position.tolist()
    yaw = QUARTER * (place.turned != (way in ("left", "right")))
    at = np.array([x, z]) + place.shift * np.array(ALONG[way])
    turn = from_rotation_vector(np.array([0.0, yaw, 0.0], np.float32))
    prop = Prop(
        "p1", place.kind, place.kind, np.array(place.size or KINDS[place.kind].size, np.float32),
        place=np.array([at[0], 0.0, at[1]], np.float32), turn=turn,
    )  # fmt: skip
    top = place.top or float(prop.size[1])
    shown = fallen if inside else moved(fallen, (0.0, top, 0.0))
    return replace(Document().with_characters((shown,)), props=(prop,))


def depths(document: Document) -> tuple[float, float]:
    """Centimetres by which skin is within the prop, and below the floor."""
    (person,), (prop,) = document.characters, document.props
    skin = skin_of(person).astype(np.float64)
    away = np.min([solid.distances(skin) for solid in prop.solids()], axis=0)
    return max(-100.0 * float(away.min()), 0.0), max(-100.0 * float(skin[:, 1].min()), 0.0)


def measured(document: Document) -> tuple[Falls, Document]:
    """What settling is worth there, and its outcome."""
    begun = process_time()
    after = edits.come_to_rest("c1")(document)
    time = 1e3 * (process_time() - begun)
    again = edits.come_to_rest("c1")(after)
    places = [joints_of(each.character("c1")).positions for each in (after, again)]
    way = 100.0 * float(np.linalg.norm(places[1] - places[0], axis=1).max())
    within, sunk = depths(after)
    falls = Falls([depths(document)[0]], [within], [sunk], [way], times=[time])
    borne = any(isinstance(e, Contact) for e in after.character("c1").effectors)
    falls.borne.append(100.0 * borne)
    if borne:
        falls.along.append(pelvis_along(after))
    return falls, after


def pelvis_along(document: Document) -> float:
    """Centimetres that the pelvis goes as the left hand is lifted."""
    rig = rig_of(skeleton_of(document.character("c1")))
    held, id = handle(document, rig, ARMS[0].end)
    before = after = places_of(held)[0]
    for step in drag_steps(held, id, straight(np.array([0.0, UP, 0.0]), STEP)):
        after = places_of(step.document)[0]
    return 100.0 * float(np.linalg.norm(after[0] - before[0]))


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each place and solver."""
    parser = drag_parser(__file__, __doc__, each="person as well")
    parser.add_argument("--pictures", type=Path, help="folder for a picture of each")
    given = parser.parse_args(arguments)

    def rows(name: str, solver: str) -> Iterator[tuple[str, Falls]]:
        for body in given.bodies:
            for way in WAYS:
                for inside in (False, True):
                    start = lying_above(new_person(body, solver), way, PLACES[name], inside)
                    falls, after = measured(start)
                    who = f"{body}, {way}{', from within' * inside}"
                    if given.pictures is not None:
                        file = f"{name}-{who}.png".replace(", ", "-").replace(" ", "-")
                        save_picture(given.pictures / file, after, SIZE, "angle")
                    yield who, falls

    print_drags(Falls, COLUMNS, given.solvers, tuple(PLACES), rows, given.each)


if __name__ == "__main__":
    main()
