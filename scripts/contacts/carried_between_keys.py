"""How deep hands are in flat things that they carry from one key to another.

python -m scripts.contacts.carried_between_keys [THING…] [--bodies neutral,female,…] [--solvers dls,smplik] [--each]

Somebody takes a thing by its near edge or its right one and carries it to one place, which is a key, and from there to
another, or turns it, which is a second key. Keys, between: mm that skin of fingers and of all else of the hand is
within the thing, in the mean of the keys or the frames between them, and at worst; skew: degrees between the fingers'
way and square to the edge, likewise. Off: mm that the grip is missed between keys. Jerk: m/s³ of any joint. Ms: a frame
between keys, in the median.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from time import process_time

import numpy as np

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.over_time.in_betweens import document_completed
from app.document.posing.holds.arms_first import arms_on_props
from app.document.posing.sources import character_with_resolved_targets
from app.services.clock import frames_at
from scripts.arguments import add_parts, with_part
from scripts.contacts.flat_things import EDGES, STEP, THINGS, before, depths, skew, take
from scripts.contacts.low_grips import CHILD
from scripts.drags.contact_depths import BODIES, FIRST, solved
from scripts.drags.drag_measures import ALL_SOLVERS
from scripts.drags.drag_steps import straight
from scripts.drags.drag_study import Row, drag_parser, print_drags
from scripts.drags.drag_tables import mean_and_worst
from solver.effectors.contact import Contact
from solver.ik.memory import Memory
from solver.kinematics.rotations import from_rotation_vector

Way = tuple[float, float, float]
UP = np.array([0.0, 1.0, 0.0])
LAST, FPS = 20, 30  # the second key's frame; frames a second
TURN = np.radians(5.0)  # that a thing is turned by in each step
CARRIES: tuple[tuple[Way, Way, float], ...] = (  # metres to the first key, and on to the second; radians
    ((0.0, 0.3, 0.0), (-0.1, -0.5, 0.0), 0.0), ((-0.1, -0.3, 0.0), (0.2, 0.6, 0.1), 0.0),
    ((0.25, 0.0, 0.0), (-0.55, 0.1, 0.05), 0.0), ((-0.25, 0.1, 0.0), (0.5, -0.2, 0.0), 0.0),
    ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.2), ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), -1.2),
)  # fmt: skip
COLUMNS = (
    "frames", "keys: fingers mm", "worst", "palm mm", "worst", "skew °", "worst", "between: fingers mm", "worst",
    "palm mm", "worst", "skew °", "worst", "off mm", "worst", "jerk m/s³", "worst", "ms",
)  # fmt: skip


@dataclass
class Between(Row):
    """Metres and degrees, (…, 3) fingers, palm and skew at keys and between them; metres, m/s³ and milliseconds."""

    keys: list[tuple[float, float, float]] = field(default_factory=list)
    frames: list[tuple[float, float, float]] = field(default_factory=list)
    off: list[float] = field(default_factory=list)
    jerk: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    @property
    def cells(self) -> list[str]:
        """Of a table, in the order of `COLUMNS`."""
        cells = [f"{len(self.frames)}"]
        for fingers, palm, turned in (np.array(each).T for each in (self.keys, self.frames)):
            cells += [*mean_and_worst(1e3 * fingers), *mean_and_worst(1e3 * palm), *mean_and_worst(turned, digits=0)]
        off = mean_and_worst(1e3 * np.array(self.off))
        return [*cells, *off, *mean_and_worst(self.jerk, digits=0), f"{np.median(self.took):.1f}"]


def looked_at(document: Document, frame: int) -> Document:
    """The document at a frame."""
    return document.at(frames_at(document, frame / FPS))


def carries(thing: str, body: str, solver: str) -> Iterator[Document]:
    """Somebody who has taken a thing and carried it, the way between both keys not being solved yet."""
    for edge in EDGES:
        memories = dict[str, Memory]()
        taken = take(before(thing, body, solver), edge, memories)
        if taken is None:
            continue
        for one, other, turn in CARRIES:
            kept = dict(memories)
            there = carried(taken[0], kept, one)
            (prop,) = there.props
            keyed = edits.set_clip_length(FIRST, LAST + 1)(there)
            keyed = keyed if keyed.actor(FIRST).clip.key(0) is not None else edits.set_key(FIRST, 0)(keyed)
            keyed = looked_at(edits.animate_prop(prop.id, LAST + 1)(keyed), LAST)
            keyed = edits.set_key(FIRST, LAST)(edits.set_prop_key(prop.id, LAST)(keyed))
            yield carried(looked_at(keyed, LAST), kept, other, turn)


def carried(document: Document, memories: dict[str, Memory], way: Way, turn: float = 0.0) -> Document:
    """The document with its thing moved by metres and then turned by radians to the left, in steps as a drag's."""
    (prop,) = document.props
    arms = arms_on_props(document, [prop.id])
    for shift in straight(np.array(way), STEP) if any(way) else ():
        document, _, _ = solved(edits.put_prop(prop.moved(shift))(document), memories, arms)
    (prop,) = document.props
    for angle in np.linspace(0.0, turn, 1 + round(abs(turn) / TURN))[1:]:
        turned = prop.turned_to(from_rotation_vector(angle * UP) @ prop.turn)
        document, _, _ = solved(edits.put_prop(turned)(document), memories, arms)
    return document


def measured(document: Document) -> Between:
    """How the thing lies in the hand at the frames of a carry."""
    began = process_time()
    done = document_completed(document)
    took = 1e3 * (process_time() - began) / (LAST - 1)
    row, places = Between(took=[took]), []
    for frame in range(LAST + 1):
        there = looked_at(done, frame)
        (prop,), person = there.props, there.character(FIRST)
        asked = character_with_resolved_targets(there, person)
        contact = next(e for e in asked.effectors if isinstance(e, Contact) and e.around)
        fingers, palm, _ = depths(person, prop)
        world, j = joints_of(person), skeleton_of(person).index(contact.joint)
        places.append(world.positions)
        (row.frames if 0 < frame < LAST else row.keys).append((fingers, palm, skew(person, prop, contact)))
        if 0 < frame < LAST:
            row.off.append(contact.residual_at(world.positions[j], world.rotations[j]))
    jerks = np.diff(np.array(places, np.float64), 3, axis=0) * FPS**3
    row.jerk.append(float(np.linalg.norm(jerks, axis=-1).max()))
    return row


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each thing and solver."""
    parser = drag_parser(__file__, __doc__, ALL_SOLVERS, each="carry", bodies=(*BODIES, CHILD))
    add_parts(parser, "things", THINGS)
    given = parser.parse_args(arguments)

    def rows(thing: str, solver: str) -> Iterator[tuple[str, Between]]:
        for body in given.bodies:
            for document in carries(thing, body, solver):
                yield body, measured(document)

    print_drags(Between, COLUMNS, given.solvers, list(with_part(THINGS, given.things)), rows, given.each, "thing")


if __name__ == "__main__":
    main()
