"""How feet roll, slide and sink, and how knees bend, where people are moved between two keys and step or walk there.

python -m scripts.motions.walks_between_keys [WALK…] [--bodies female,male,…] [--held]

Leaves and lands: degrees by which the toes are down as the foot comes off the floor and up as it comes onto it, of the
longest steps. Slides: mm that skin on the floor goes over it while its foot stands, at most; sinks: mm that any skin is
below the floor, at most. Knee: cm per frame², how abruptly a knee moves beside the hip. Jerk: m/s³ of any joint. Path:
degrees between where the body heads and where it goes, in the mean. Lists, sways: degrees that the hips go to both
sides, and mm that they go beside their way, from one extreme to the other. Pelvis, speed:
m/s of that and of the fastest joint. --held: contacts hold the soles at keys.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.over_time.in_betweens import document_completed
from app.document.posing.create import new_character
from app.document.posing.holds.nearest_surface import held_here
from app.document.posing.solving import floor_of, with_solution
from app.document.posing.tied_groups import answers_of
from app.document.posing.touched_surfaces import props_of
from scripts.arguments import add_parts, script_parser, some_of, with_part
from solver.body.body import BodyShape
from solver.contact.floor_points import FloorPoints
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.rig.level_feet import toes_down
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

Array = NDArray[np.float64]
ON_M = 0.004  # metres above the floor at which skin is on it
FPS = 30
TWO_STEPS = 22  # frames


class Walk(NamedTuple):
    """by: (3,) metres that somebody is moved, and turn: radians that they are turned. last: the second key's frame."""

    by: tuple[float, float, float]
    turn: float
    last: int


class Person(NamedTuple):
    """Who walks."""

    body: str
    gender: str
    height: float
    solver: str


WALKS = {
    "1.2 m in 1.7 s": Walk((0.0, 0.0, 1.2), 0.0, 51),
    "3 m in 3.3 s": Walk((0.0, 0.0, 3.0), 0.0, 100),
    "0.5 m, two steps": Walk((0.0, 0.0, 0.5), 0.0, 45),
    "back 1 m": Walk((0.0, 0.0, -1.0), 0.0, 60),
    "aside 1 m": Walk((1.0, 0.0, 0.0), 0.0, 75),
    "a bend of 80°": Walk((1.2, 0.0, 1.4), 1.4, 90),
    "round on the spot": Walk((0.0, 0.0, 0.0), 2.0, 60),
    "ahead and about": Walk((0.0, 0.0, 1.5), np.pi, 100),
    "about and away": Walk((0.0, 0.0, -1.5), -np.pi, 100),
    "1.5 m in 1 s": Walk((0.0, 0.0, 1.5), 0.0, 30),
    "in haste, ahead and about": Walk((0.0, 0.0, 1.45), np.pi, 45),
    "in haste, about and away": Walk((0.0, 0.0, -1.45), np.pi, 45),
    "in haste, 2 m and round": Walk((0.0, 0.0, 2.0), 2.4, 60),
}
PEOPLE = {
    "female": Person("anny", "female", 0.0, "smplik"),
    "male": Person("anny", "male", 0.0, "dls"),
    "short": Person("anny", "female", -3.0, "protores"),
    "tall": Person("anny", "male", 3.0, "smplik"),
    "child": Person("anny:child", "neutral", 0.0, "smplik"),
    "neutral": Person("anny", "neutral", 0.0, "skelik"),
}


class Measured(NamedTuple):
    """Of one walk, in the units of the table."""

    leaves: float
    lands: float
    slides: float
    sinks: float
    knee: float
    jerk: float
    path: float
    lists: float
    sways: float
    pelvis: float
    speed: float


def walking(walk: Walk, person: Person) -> Document:
    """Somebody who stands at the first frame and has been moved at the last one."""
    betas = np.array([person.height] + [0.0] * 9, np.float32)
    shape = BodyShape(betas, gender=person.gender)  # type: ignore[arg-type]
    there = new_character(Document(), body=person.body, shape=shape, solid_floor=True)
    document = Document().with_characters((replace(there, solver=person.solver),))
    document = edits.set_clip_length("c1", walk.last + 1)(document)
    document = edits.set_key("c1", 0)(document) if document.actor("c1").clip.key(0) is None else document
    document = document.at_frame("c1", walk.last)
    placed = edits.place_together([document.character("c1")], walk.by, walk.turn, whole=False)(document)
    answer = answers_of(placed.characters, {})["c1"]
    return placed.with_character(with_solution(placed.characters[0], answer.solution, answer.effectors))


def with_soles_held(document: Document) -> Document:
    """The document with a contact at every key that holds each sole on what it stands on."""
    for frame in [key.frame for key in document.actor("c1").clip.keys]:
        document = document.at_frame("c1", frame)
        for leg in LEGS:
            person = document.character("c1")
            joint = rig_of(skeleton_of(person)).name(leg.end)
            like = next(e for e in person.effectors if e.joint == joint and e.holds_joint)
            contact = held_here(person, joint, (), document.props, like)
            assert contact is not None
            document = edits.hold("c1", contact, like.id)(document)
        answer = answers_of(document.characters, {}, props=props_of(document))["c1"]
        document = document.with_character(with_solution(document.character("c1"), answer.solution, answer.effectors))
    return document


def joints_over_time(document: Document) -> list[WorldJoints]:
    """Of each frame, all between the keys being solved."""
    done = document_completed(document)
    motion, skeleton = done.actor("c1").motion(), skeleton_of(done.character("c1"))
    assert motion is not None
    return [forward_kinematics(skeleton, motion.pose(frame)) for frame in range(len(motion))]


def measured(document: Document) -> Measured:
    """What the frames between the keys do."""
    person = document.character("c1")
    rig, worlds = rig_of(skeleton_of(person)), joints_over_time(document)
    floor = floor_of(person.body, person.shape, person.hands, document.actor("c1").posing.solver_options)
    assert floor is not None
    places = np.array([world.positions for world in worlds], np.float64)
    skins = [floor.places(world) for world in worlds]
    hips, knees = (
        [rig.joint(role) for role in roles] for roles in ([leg.root for leg in LEGS], [leg.hinge for leg in LEGS])
    )
    feet = [_foot(floor, skins, worlds, rig.joint(leg.end), rig.joint(leg.tip)) for leg in LEGS]
    bends = np.diff(places[:, knees] - places[:, hips], 2, axis=0)
    jerks = np.diff(places, 3, axis=0) * FPS**3
    speeds = np.linalg.norm(np.diff(places, axis=0), axis=-1) * FPS
    return Measured(
        max(foot[0] for foot in feet),
        max(foot[1] for foot in feet),
        max(foot[2] for foot in feet),
        -1000.0 * min(float(skin[:, 1].min()) for skin in skins),
        100.0 * float(np.linalg.norm(bends, axis=-1).max()),
        float(np.linalg.norm(jerks, axis=-1).max()),
        _astray(worlds),
        _lists(places[:, hips]),
        _sways(places[:, 0]),
        float(speeds[:, 0].max()),
        float(speeds.max()),
    )


def _foot(
    floor: FloorPoints, skins: list[Array], worlds: list[WorldJoints], ankle: int, ball: int
) -> tuple[float, float, float]:
    """Degrees as it leaves and lands, at most, and mm that it slides at most while it stands."""
    mine = np.isin(floor.carriers, [ankle, ball])
    soles = np.array([skin[mine] for skin in skins])
    pitches = np.degrees([toes_down(world.rotations[ankle].astype(np.float64)) for world in worlds])
    on = soles[..., 1] < ON_M
    stands = np.asarray(on.any(axis=1))
    leaves = [pitches[at + 1] for at in range(len(stands) - 1) if stands[at] and not stands[at + 1]]
    lands = [-pitches[at] for at in range(len(stands) - 1) if stands[at + 1] and not stands[at]]
    return max(leaves, default=0.0), max(lands, default=0.0), slid(soles, on)


def _astray(worlds: list[WorldJoints]) -> float:
    """Degrees between the way that the pelvis goes and how it heads, in the mean weighted by how far it goes; over two
    steps each, as it sways to each foot."""
    places = np.array([world.positions[0] for world in worlds], np.float64)[:, [0, 2]]
    roots = np.lib.stride_tricks.sliding_window_view(places, TWO_STEPS, axis=0).mean(axis=-1)
    ahead = np.array([world.rotations[0][[0, 2], 2] for world in worlds], np.float64)
    ahead = np.lib.stride_tricks.sliding_window_view(ahead, TWO_STEPS + 1, axis=0).mean(axis=-1)
    ways = np.diff(roots, axis=0)
    far = np.linalg.norm(ways, axis=1)
    if far.sum() < 0.1:
        return 0.0
    angles = np.abs(np.arctan2(ways[:, 0] * ahead[:, 1] - ways[:, 1] * ahead[:, 0], (ways * ahead).sum(axis=1)))
    return float(np.degrees((angles * far).sum() / far.sum()))


def _lists(hips: Array) -> float:
    """Degrees from where one hip is lowest to where the other one is. hips: (F, 2, 3) metres."""
    across = hips[:, 0] - hips[:, 1]
    return float(np.ptp(np.degrees(np.arctan2(across[:, 1], np.linalg.norm(across[:, [0, 2]], axis=1)))))


def _sways(roots: Array) -> float:
    """Millimetres that the pelvis (F, 3) goes beside the middle of two steps' way, from one side to the other."""
    places = roots[:, [0, 2]]
    means = np.lib.stride_tricks.sliding_window_view(places, TWO_STEPS + 1, axis=0).mean(axis=-1)
    ways = np.gradient(means, axis=0)
    far = np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-9)
    off = places[TWO_STEPS // 2 : TWO_STEPS // 2 + len(means)] - means
    beside = (off * (ways / far)[:, ::-1] * [1.0, -1.0]).sum(axis=1)
    return 1000.0 * float(np.ptp(beside))


def slid(skins: Array, on: NDArray[np.bool_]) -> float:
    """Millimetres that skin (F, N, 3) goes at most while it is on something, (F, N)."""
    slides, far = np.zeros(2), [0.0]
    for before in range(len(skins) - 1):
        both = on[before] & on[before + 1]
        way = (skins[before + 1] - skins[before])[both][:, [0, 2]]
        slides = slides + way.mean(axis=0) if both.any() else np.zeros(2)
        far.append(1000.0 * float(np.linalg.norm(slides)))
    return max(far)


def print_ways(
    parser: ArgumentParser,
    one: str,
    ways: Collection[str],
    columns: Sequence[str],
    measure: Callable[[str, str, Namespace], Sequence[float]],
    arguments: list[str] | None,
) -> None:
    """Print a table, a row for each way and person. one: what a way is called, "climb".

    measure: for the names of a way and of somebody in `PEOPLE`, and what else was said on the command line.
    """
    add_parts(parser, f"{one}s", ways)
    parser.add_argument("--bodies", type=some_of(PEOPLE), default=list(PEOPLE), help="default: all")
    given = parser.parse_args(arguments)
    print(f"| {one} | who | " + " | ".join(columns) + " |\n|" + "--|" * (2 + len(columns)))
    for name in with_part(dict.fromkeys(ways), vars(given)[f"{one}s"]):
        for who in given.bodies:
            row = measure(name, who, given)
            print(f"| {name} | {who} | " + " | ".join(f"{value:.1f}" for value in row) + " |", flush=True)


def print_of_standing(
    parser: ArgumentParser,
    one: str,
    ways: Collection[str],
    columns: Sequence[str],
    made: Callable[[str, str], Document],
    measure: Callable[[Document], Sequence[float]],
    arguments: list[str] | None,
) -> None:
    """As `print_ways`, of people who stand at both keys, with their soles held if that is said on the command line.
    made: the document for a way and somebody."""
    parser.add_argument("--held", action="store_true", help="contacts hold the soles at both keys")

    def row_of(way: str, who: str, given: Namespace) -> Sequence[float]:
        document = made(way, who)
        return measure(with_soles_held(document) if given.held else document)

    print_ways(parser, one, ways, columns, row_of, arguments)


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each walk and person."""
    parser, made = script_parser(__file__, __doc__), lambda way, who: walking(WALKS[way], PEOPLE[who])
    print_of_standing(parser, "walk", WALKS, Measured._fields, made, measured, arguments)


if __name__ == "__main__":
    main()
