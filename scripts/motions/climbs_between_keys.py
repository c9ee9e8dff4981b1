"""How people step onto boxes and stairs, and down, who stand there at one of two keys.

python -m scripts.motions.climbs_between_keys [CLIMB…] [--bodies female,male,…] [--held]

Steps: how many there are; 0 where feet glide. Leaves: degrees by which the toes are down at most. Foot, rest: mm that
skin of the feet, and any other skin, is within a prop at most; sinks: mm that any is below the floor. Slides: mm that
skin of a foot goes over what it stands on, at most. Knee: cm per frame², how abruptly a knee moves beside the hip.
Jerk: m/s³ of any joint. Air: seconds for which both feet are off everything; falls: m/s² by which the hips are drawn
down meanwhile, in the mean; strays: mm that they are off the nearest even fall, at most. --held: contacts hold the
soles at both keys.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.over_time.ground import ground_of
from app.document.over_time.steps import Steps
from app.document.posing.solving import floor_of, with_solution
from app.document.posing.stances import stance_of
from app.document.posing.tied_groups import answers_of
from scripts.arguments import script_parser
from scripts.motions.walks_between_keys import (
    FPS,
    ON_M,
    PEOPLE,
    Person,
    Walk,
    joints_over_time,
    print_of_standing,
    slid,
    walking,
)
from solver.body.catalog import load_body
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.level_feet import toes_down
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

Array = NDArray[np.float64]
FLIES_M, LEAST_FRAMES = 0.01, 5  # metres off everything of feet that fly; frames of which an arc is measured
Place = tuple[float, float, float]


class Climb(NamedTuple):
    """kind, size, at, turn: of the prop, in metres and radians about the vertical. start, end: (3,) metres by which the
    person is moved at both keys. last: the second key's frame. turns: radians that the person turns."""

    kind: str
    size: Place
    at: Place
    turn: float
    start: Place
    end: Place
    last: int
    turns: float = 0.0


STAIRS = (1.0, 0.85, 1.4)
HERE, LOW, HIGH = (0.0, 0.0, 0.0), (0.8, 0.3, 0.8), (0.8, 0.45, 0.8)
CLIMBS = {
    "box of 30 cm": Climb("box", (0.8, 0.3, 0.8), (0.0, 0.0, 1.1), 0.0, (0.0, 0.0, 0.0), (0.0, 0.3, 1.1), 75),
    "box of 45 cm": Climb("box", (0.8, 0.45, 0.8), (0.0, 0.0, 2.0), 0.0, (0.0, 0.0, 0.0), (0.0, 0.45, 2.0), 110),
    "down a box": Climb("box", (0.8, 0.3, 0.8), (0.0, 0.0, 0.0), 0.0, (0.0, 0.3, 0.0), (0.0, 0.0, 1.1), 75),
    "back": Climb("box", (0.8, 0.2, 0.8), (0.0, 0.0, -1.0), 0.0, (0.0, 0.0, 0.0), (0.0, 0.2, -1.0), 75),
    "in a bend": Climb("box", (0.8, 0.2, 0.8), (0.0, 0.0, 1.4), 0.0, (0.0, 0.0, 0.0), (0.0, 0.2, 1.4), 90, 0.9),
    "stairs": Climb("stairs", STAIRS, (0.0, 0.0, 1.3), np.pi, (0.0, 0.0, 0.0), (0.0, 0.85, 1.86), 120),
    "down stairs": Climb("stairs", STAIRS, (0.0, 0.0, 1.3), 0.0, (0.0, 0.85, 0.74), (0.0, 0.0, 2.7), 120),
    "in haste, down 45 cm, 1.2 s": Climb("box", HIGH, HERE, 0.0, (0.0, 0.45, 0.0), (0.0, 0.0, 1.0), 36),
    "in haste, down 45 cm, 1 s": Climb("box", HIGH, HERE, 0.0, (0.0, 0.45, 0.0), (0.0, 0.0, 1.0), 30),
    "in haste, down 30 cm": Climb("box", LOW, HERE, 0.0, (0.0, 0.3, 0.0), (0.0, 0.0, 0.9), 30),
    "in haste, down back": Climb("box", LOW, HERE, 0.0, (0.0, 0.3, 0.0), (0.0, 0.0, -0.9), 30),
    "in haste, down aside": Climb("box", LOW, HERE, 0.0, (0.0, 0.3, 0.0), (0.9, 0.0, 0.0), 32),
    "in haste, up 30 cm": Climb("box", LOW, (0.0, 0.0, 1.0), 0.0, (0.0, 0.0, 0.0), (0.0, 0.3, 0.9), 33),
    "in haste, up 45 cm": Climb("box", HIGH, (0.0, 0.0, 1.0), 0.0, (0.0, 0.0, 0.0), (0.0, 0.45, 0.9), 36),
    "in haste, down and round": Climb("box", LOW, HERE, 0.0, (0.0, 0.3, 0.0), (0.0, 0.0, 0.9), 32, 1.6),
    "in haste, down and about": Climb("box", LOW, HERE, 0.0, (0.0, 0.3, 0.0), (0.0, 0.0, 0.9), 32, np.pi),
    "in haste, along a box": Climb("box", (0.8, 0.3, 2.4), (0.0, 0.0, 0.5), 0.0, (0.0, 0.3, 0.0), (0.0, 0.3, 1.2), 24),
}


class Measured(NamedTuple):
    """Of one climb, in the units of the table."""

    steps: float
    leaves: float
    foot: float
    rest: float
    sinks: float
    slides: float
    knee: float
    jerk: float
    air: float
    falls: float
    strays: float


def climbing(climb: Climb, who: Person) -> Document:
    """Somebody who stands at both ends of a climb, and the prop."""
    document = walking(Walk(climb.end, climb.turns, climb.last), who).at_frame("c1", 0)
    placed = edits.place_together([document.character("c1")], climb.start, 0.0, whole=False)(document)
    answer = answers_of(placed.characters, {})["c1"]
    document = placed.with_character(with_solution(placed.characters[0], answer.solution, answer.effectors))
    turn = from_rotation_vector(np.array([0.0, climb.turn, 0.0])).astype(np.float32)
    thing, size, at = new_prop(document, climb.kind), np.array(climb.size, np.float32), np.array(climb.at, np.float32)
    return add_prop(replace(thing, size=size, place=at, turn=turn))(document)


def measured(document: Document) -> Measured:
    """What the frames between the keys do."""
    person, actor = document.character("c1"), document.actor("c1")
    rig, worlds = rig_of(skeleton_of(person)), joints_over_time(document)
    floor = floor_of(person.body, person.shape, person.hands, actor.posing.solver_options)
    assert floor is not None
    solids = [solid for prop in document.props for solid in prop.solids()]
    skins = np.array([floor.places(world) for world in worlds])
    off = np.array([np.min([solid.distances(skin) for solid in solids], axis=0) for skin in skins])
    feet = [np.isin(floor.carriers, [rig.joint(leg.end), rig.joint(leg.tip)]) for leg in LEGS]
    on = np.minimum(off, skins[..., 1]) < ON_M
    places = np.array([world.positions for world in worlds], np.float64)
    hips, knees = (
        [rig.joint(role) for role in roles] for roles in zip(*[(g.root, g.hinge) for g in LEGS], strict=True)
    )
    bends = np.diff(places[:, knees] - places[:, hips], 2, axis=0)
    jerks = np.diff(places, 3, axis=0) * FPS**3
    shapes = stance_of(load_body(person.body), person.shape, None, actor.posing.solver_options).feet
    plan = Steps.between(rig, actor.clip.keys, FPS, shapes, ground_of(actor, document.props))
    ankles = [world.rotations[rig.joint(leg.end)].astype(np.float64) for world in worlds for leg in LEGS]
    return Measured(
        len(plan.swings),
        max(np.degrees([toes_down(turn) for turn in ankles])),
        -1000.0 * float(off[:, feet[0] | feet[1]].min()),
        -1000.0 * float(off[:, ~(feet[0] | feet[1])].min()),
        -1000.0 * float(skins[..., 1].min()),
        max(slid(skins[:, mine], on[:, mine]) for mine in feet),
        100.0 * float(np.linalg.norm(bends, axis=-1).max()),
        float(np.linalg.norm(jerks, axis=-1).max()),
        *_flight(places[:, 0, 1], np.minimum(off, skins[..., 1])[:, feet[0] | feet[1]].min(axis=1)),
    )


def _flight(hips: Array, off: Array) -> tuple[float, float, float]:
    """Seconds of the longest time in which feet are off everything, m/s² by which the hips fall, and mm that they are
    off an even fall at most. hips: (F,) metres of their height. off: (F,) metres of the feet."""
    runs = [list(run) for flies, run in groupby(range(len(off)), lambda frame: off[frame] > FLIES_M) if flies]
    longest = max(runs, key=len, default=[])
    if len(longest) < LEAST_FRAMES:
        return len(longest) / FPS, 0.0, 0.0
    times = np.array(longest) / FPS
    arc = np.polyfit(times, hips[longest], 2)
    strays = np.abs(np.polyval(arc, times) - hips[longest]).max()
    return len(longest) / FPS, -2.0 * float(arc[0]), 1000.0 * float(strays)


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each climb and person."""
    parser, made = script_parser(__file__, __doc__), lambda way, who: climbing(CLIMBS[way], PEOPLE[who])
    print_of_standing(parser, "climb", CLIMBS, Measured._fields, made, measured, arguments)


if __name__ == "__main__":
    main()
