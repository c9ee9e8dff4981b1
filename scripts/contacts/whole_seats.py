"""Whether people who are posed as on a seat come to sit as they are dragged onto one by the cross with S.

python -m scripts.contacts.whole_seats [--bodies neutral,female,…] [--solvers dls,…]

Each pose of the library is taken, and the person dragged onto a chair and onto boxes of three heights, 1.5 m aside.
*Sit* are those who sit there rather than stand or lie. Of these, *off* is how far contacts are missed, *turned* how far
joints are from the pose taken, mean of all and of the worst person, *feet* how far the lowest skin of feet is from the
floor, and *within* how deep the skin of legs is in the seat; in cm and degrees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import Entry, poses_of, shelf_of
from app.document.model.prop_spots import spot_of
from app.document.posing.contact_patches import UP, patches_of
from app.document.posing.rest.new_seat import needs_a_seat
from app.viewport.tools.root_drag import grab_root
from app.viewport.tools.surface_drag import Spot
from app.viewport.tools.whole_landing import seated
from rendering.camera.camera import OrbitCamera, View
from scripts.drags.contact_depths import FIRST, Hold, before, solved
from scripts.drags.drag_study import drag_parser
from scripts.drags.drag_tables import mean_and_worst, print_row
from scripts.drags.held_drags import skin_on
from scripts.drags.seat_drags import depth_of_legs
from solver.ik.memory import Memory
from solver.ik.options import SOLID_BODY
from solver.kinematics.rotations import geodesic_angle
from solver.resources import resource_folder
from solver.rig.roles import FEET

AWAY = np.array([1.5, 0.0, 0.3])  # metres
SEATS = {  # kind, height in metres, own height of what is sat on
    "chair": ("chair", 0.9, 0.5),
    "low box": ("box", 0.3, 1.0),
    "box": ("box", 0.45, 1.0),
    "high box": ("box", 0.7, 1.0),
}
COLUMNS = ("poses", "sit", "off cm", "worst", "turned °", "worst", "feet cm", "worst", "within cm", "worst")


@dataclass
class Sat:
    """Of those dragged onto one kind of seat; metres and degrees."""

    poses: int = 0
    off: list[float] = field(default_factory=list)
    turned: list[float] = field(default_factory=list)
    feet: list[float] = field(default_factory=list)
    within: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """In the order of `COLUMNS`."""
        if not self.off:
            return [f"{self.poses}", "0"]
        cm = (mean_and_worst(100 * np.array(each)) for each in (self.off, self.feet, self.within))
        off, feet, within = cm
        return [f"{self.poses}", f"{len(self.off)}", *off, *mean_and_worst(np.array(self.turned)), *feet, *within]


def dragged(entry: Entry, kind: str, height: float, seat: float, body: str, solver: str, sat: Sat) -> None:
    """Take a pose, drag its person onto a seat, and measure. seat: the own height of what is sat on."""
    document = edits.set_solver_option(FIRST, SOLID_BODY.id, True)(before(Hold(()), body, solver))
    document = take_pose(FIRST, poses_of(entry), Taking())(document)
    person = document.character(FIRST)
    sat.poses += 1
    if not needs_a_seat(person):
        return
    prop = new_prop(document, kind)
    prop = replace(prop.sized((prop.size[0], height, prop.size[2])), place=np.asarray(AWAY, np.float32))
    document = add_prop(prop)(document)
    prop = document.props[0]
    source, at, normal = spot_of(prop, np.array([0.0, seat, 0.05]), UP)
    view = View(OrbitCamera(), 800.0, 600.0)
    grab = grab_root((person,), person.pose.root_position * (1.0 - UP), "move", (400.0, 300.0), view)
    patch, memories = patches_of(person)["seat"], dict[str, Memory]()
    document, missed, _ = solved(seated(grab, patch, Spot(at, normal, source))(document), memories)
    now = document.character(FIRST)
    sat.off.append(missed)
    sat.turned.append(float(np.degrees(geodesic_angle(now.pose.rotations, person.pose.rotations)).mean()))
    sat.feet.append(abs(float(skin_on(now, FEET)[:, 1].min())))
    sat.within.append(depth_of_legs(document))


def rows(bodies: Sequence[str], solvers: Sequence[str]) -> Iterator[tuple[str, Sat]]:
    """By class and seat; classes nobody of whom sits are one row each."""
    entries = shelf_of(resource_folder("assets", "poses")).entries
    for folder in sorted({each.folder for each in entries}):
        for name, seat in SEATS.items():
            sat = Sat()
            for solver in solvers:
                for body in bodies:
                    for entry in (each for each in entries if each.folder == folder):
                        dragged(entry, *seat, body, solver, sat)
            yield f"{folder}, {name}", sat
            if not sat.off:
                break


def main(arguments: list[str] | None = None) -> None:
    """Print a table."""
    given = drag_parser(__file__, __doc__).parse_args(arguments)
    print_row("class, seat", *COLUMNS)
    for name, sat in rows(given.bodies, given.solvers):
        print_row(name, *sat.cells)


if __name__ == "__main__":
    main()
