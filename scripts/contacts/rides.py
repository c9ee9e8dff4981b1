"""Whether somebody who sits on a box rides along as its keys are moved, or before and behind their own keys.

python -m scripts.contacts.rides [WAY…] [--bodies neutral,female,…,child] [--solvers dls,smplik]

Gap: mm that the seat is off its place on the box at most, at any frame. Trunk: mm that the pelvis goes about on the
box. Reach: mm that an ankle is further from its hip than at the first key. Within: mm that skin is in the box, more
than at the first key. Jerk: m/s³ of any joint. Time: ms of a frame, solved.
"""

from __future__ import annotations

from time import perf_counter
from typing import NamedTuple

import numpy as np

from app.document import edits
from app.document.edits.matching_frames import with_matching_frames
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.history import Edit
from app.document.over_time.in_betweens import document_completed
from app.document.posing.sources import character_with_resolved_targets
from app.services.steps.contacts import with_people_on
from scripts.arguments import add_list, add_parts, script_parser, with_part
from scripts.contacts.held_between_keys import FPS, Made, Play, Vector, at
from scripts.contacts.held_measures import depth_in
from scripts.contacts.low_grips import CHILD, standing
from scripts.drags.contact_depths import BODIES, FIRST, sits, skin_of
from scripts.drags.drag_measures import ALL_SOLVERS
from scripts.drags.drag_tables import print_row
from solver.effectors.contact import Contact
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

LAST, AHEAD, BEND = 60, (0.0, 0.0, 2.0), (1.5, 0.0, 1.0)  # of the box; metres


def keys_moved(frame: int, to: int, turn: float = 0.0, by: Vector = AHEAD) -> Made:
    """Somebody comes along with a box to its last key, which is then dragged elsewhere on the timeline."""

    def made(body: str, solver: str) -> Document:
        play = _on_a_box(body, solver)
        play.document = with_matching_frames(edits.animate_prop("p1", LAST + 1))(play.document)
        play.look(frame)
        play.carry(by, (0.0, turn, 0.0))
        play.document = _with_them(edits.move_prop_keys("p1", [frame], to - frame))(play.document)
        return play.document

    return made


def on_later(*ways: Vector, turn: float = 0.0, key: int | None = None) -> Made:
    """Somebody sits on a box that has its keys already, at evenly spaced frames. key: of another one of theirs."""

    def made(body: str, solver: str) -> Document:
        play = _on_a_box(body, solver)
        document = edits.set_clip_length(FIRST, LAST + 1)(edits.animate_prop("p1", LAST + 1)(play.document))
        box = document.prop("p1")
        for number, way in enumerate(ways, start=1):
            document = at(document, round(number * LAST / len(ways)))
            turned = edits.set_prop_turn("p1", from_rotation_vector(np.array([0.0, turn * number, 0.0])) @ box.turn)
            document = edits.chain(turned, edits.set_prop_place("p1", box.place + np.array(way)))(document)
        return at(edits.set_key(FIRST, key)(at(document, key)) if key is not None else document, 0)

    return made


def _on_a_box(body: str, solver: str) -> Play:
    play = Play(standing(body, solver))
    play.edit(sits)
    return play


def _with_them(moved: Edit) -> Edit:
    return with_people_on(moved, keys_alone=True)


WAYS: dict[str, Made] = {
    "both have keys": keys_moved(60, 60),
    "ahead by half a metre": keys_moved(60, 60, by=(0.0, 0.0, 0.5)),
    "key moved earlier": keys_moved(60, 30),
    "key moved later": keys_moved(30, 60),
    "key moved, turned": keys_moved(60, 30, np.radians(80.0), (0.0, 0.0, 0.5)),
    "sat on it later": on_later(AHEAD),
    "later, in a bend": on_later(AHEAD, BEND, turn=np.radians(30.0)),
    "later, and back": on_later(AHEAD, (0.0, 0.0, 0.0)),
    "later, raised": on_later((0.0, 0.5, 0.0)),
}  # fmt: skip


class Measured(NamedTuple):
    """Of one way, in the units of the table."""

    gap: float
    trunk: float
    reach: float
    within: float
    jerk: float
    time: float


def measured(document: Document) -> Measured:
    """What somebody does at all frames."""
    began = perf_counter()
    done = document_completed(document)
    took, every = perf_counter() - began, [at(done, frame) for frame in range(LAST + 1)]
    people, boxes = [there.character(FIRST) for there in every], [there.prop("p1") for there in every]
    rig, worlds = rig_of(skeleton_of(people[0])), [joints_of(person) for person in people]
    places = np.array([world.positions for world in worlds], np.float64)
    asked = [character_with_resolved_targets(there, person) for there, person in zip(every, people, strict=True)]
    gaps = [
        e.residual_at(*(part[rig.index(e.joint)] for part in (world.positions, world.rotations)))
        for person, world in zip(asked, worlds, strict=True)
        for e in person.effectors
        if isinstance(e, Contact)
    ]
    own = np.array([(place[0] - box.place) @ box.turn for place, box in zip(places, boxes, strict=True)])
    legs = [places[:, rig.joint(leg.end)] - places[:, rig.joint(leg.root)] for leg in LEGS]
    long = np.linalg.norm(legs, axis=-1)
    depth = np.array([depth_in(skin_of(person), box) for person, box in zip(people, boxes, strict=True)])
    return Measured(
        1000.0 * max(gaps),
        1000.0 * float(np.linalg.norm(own - own[0], axis=1).max()),
        1000.0 * float((long - long[:, :1]).max()),
        1000.0 * float(max(depth.max() - max(depth[0], 0.0), 0.0)),
        FPS**3 * float(np.linalg.norm(np.diff(places, 3, axis=0), axis=-1).max()),
        1000.0 * took / LAST,
    )


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each way, body and solver."""
    parser = script_parser(__file__, __doc__)
    add_parts(parser, "ways", WAYS)
    add_list(parser, "--bodies", (*BODIES, CHILD))
    add_list(parser, "--solvers", ALL_SOLVERS)
    given = parser.parse_args(arguments)
    print_row("way", "body", "solver", *Measured._fields)
    for name, make in with_part(WAYS, given.ways).items():
        for body in given.bodies:
            for solver in given.solvers:
                print_row(name, body, solver, *(f"{value:.0f}" for value in measured(make(body, solver))))


if __name__ == "__main__":
    main()
