"""How deep skin is in skin where people hold themselves and each other, how far contacts are missed, and the time.

python -m scripts.drags.contact_depths [HOLD…] [--bodies neutral,female,…] [--presets] [--drawn COUNT]
    [--pictures FOLDER]

Drawn bodies are likely ones (betas of one standard deviation), of the three genders in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, skeleton_of
from app.document.posing.contact_patches import UP, contact_of, on_patch, patches_of
from app.document.posing.create import new_character
from app.document.posing.hold_table import COMMON_HOLDS
from app.document.posing.solving import with_solution
from app.document.posing.surroundings import surroundings_of
from app.document.posing.tied_groups import NO_HOLDS, answers_of
from app.document.posing.touched_surfaces import props_of
from app.viewport.picture import save_picture
from scripts.arguments import add_list, add_parts, script_parser, with_part
from scripts.drags.drag_measures import MET
from scripts.drags.drag_tables import print_row
from solver.body.body import GENDERS, SHAPE_COMPONENTS, SHAPE_LIMIT, BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.floor import posed_vertices
from solver.body.hands import skin_with
from solver.body.measures import with_stature
from solver.body.shape_presets import SHAPE_PRESETS
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource
from solver.evaluation.standing.skin_intersection import depth_within, self_intersection_depth
from solver.ik.memory import Memory
from solver.ik.multi_solve.only_limb import LimbHold, only_arms
from solver.rig.roles import Role

COMMON = {hold.id: hold for hold in COMMON_HOLDS}
FIRST, SECOND = "c1", "c2"
STATURES = {"short": 1.55, "tall": 1.95}  # metres
BODIES = ("neutral", "female", "male", "short", "tall")
DRAWN = "drawn "
SIZE = (560, 720)  # pixels


@dataclass(frozen=True)
class Hold:
    """A contact, or several. apart: metres between two people. facing: whether they face each other. by_arms: whether
    only the first one's arms move, as in the window."""

    make: tuple[Callable[[Document], Document], ...]
    apart: float = 0.0
    facing: bool = True
    by_arms: bool = False

    @property
    def two(self) -> bool:
        """Whether it takes two people."""
        return self.apart > 0.0


def common(name: str, *ids: str) -> tuple[Callable[[Document], Document], ...]:
    """A common hold, taken by each of some people in turn."""
    return tuple(edits.take_hold(id, COMMON[name]) for id in ids or (FIRST,))


def alone(name: str) -> Hold:
    """A common hold of one person, with only the arms moving if it is taken that way."""
    return Hold(common(name), by_arms=COMMON[name].by_arms)


def lies(patch: str, of: str, owner: str = FIRST) -> tuple[Callable[[Document], Document], ...]:
    """The first one's patch on a patch of somebody's skin."""

    def edit(document: Document) -> Document:
        document = edits.open_hand(FIRST, patch)(document)
        source, place, normal = on_patch(document.character(owner), of)
        made = contact_of(patches_of(document.character(FIRST))[patch], place, normal)
        return edits.hold(FIRST, replace(made, source=source))(document)

    return (edit,)


def sits(document: Document) -> Document:
    """The first one with the seat on a box behind."""
    person = document.characters[0]
    x, _, z = person.pose.root_position.tolist()
    box = replace(new_prop(document, "box"), place=np.array([x, 0.0, z - 0.45]))
    seat = contact_of(patches_of(person)["seat"], box.frame.points((0.0, 1.0, 0.2)), UP)
    seat = replace(seat, source=PropSource(box.id, np.array([0.0, 0.5, 0.2]), UP))
    return edits.chain(add_prop(box), edits.hold(FIRST, seat))(document)


HOLDS = {  # patches of hips and shoulders are named like the joints
    "hands on hips": alone("hips"),
    "hands behind the head": alone("behind_head"),
    "back of hand on hip": Hold(lies("left_back_of_hand", Role.LEFT_HIP)),
    "chin on hand": alone("chin"),
    "forehead on hand": Hold(lies("right_palm", "forehead")),
    "arms crossed": alone("crossed"),
    "palm on far hip": Hold(lies("left_palm", Role.RIGHT_HIP)),
    "palm on own shoulder": Hold(lies("left_palm", Role.RIGHT_SHOULDER)),
    "sitting, hand on thigh": Hold((sits, *lies("left_palm", "left_thigh"))),
    "other's shoulder, 0.5 m": Hold(common("shoulder"), 0.5),
    "other's shoulder, 0.6 m": Hold(common("shoulder"), 0.6),
    "other's shoulder, 0.7 m": Hold(common("shoulder"), 0.7),
    "each other's shoulder, 0.5 m": Hold(common("shoulder", FIRST, SECOND), 0.5),
    "each other's shoulder, 0.6 m": Hold(common("shoulder", FIRST, SECOND), 0.6),
    "each other's shoulder, 0.7 m": Hold(common("shoulder", FIRST, SECOND), 0.7),
    "beside, each other's shoulder": Hold(common("shoulder", FIRST, SECOND), 0.7, facing=False),
    "other's chest, 0.5 m": Hold(lies("left_palm", "chest", SECOND), 0.5),
    "holding hands, beside": Hold(common("hands"), 0.7, facing=False),
    "holding hands, facing": Hold(common("hands"), 0.8),
}  # fmt: skip


@dataclass(frozen=True)
class Measures:
    """Of a solved hold: metres that skin is in skin at the deepest, metres by which the worst contact and the worst
    other strict effector are missed, and seconds of processor time."""

    depth: float
    missed: float
    other: float
    seconds: float


def build_of(name: str) -> tuple[str, BodyShape]:
    """A body and its shape by name: one of BODIES, a preset's, or one drawn at random."""
    for preset in SHAPE_PRESETS:
        if preset.name == name:
            shape = preset.shape(load_body(preset.body).component_names, "neutral")
            assert shape is not None
            return preset.body, shape
    if name.startswith(DRAWN):
        number = int(name.removeprefix(DRAWN))
        betas = np.random.default_rng(number).normal(size=SHAPE_COMPONENTS).clip(-SHAPE_LIMIT, SHAPE_LIMIT)
        return DEFAULT_BODY, BodyShape(betas, GENDERS[number % len(GENDERS)])
    if name in STATURES:
        return DEFAULT_BODY, with_stature(load_body(DEFAULT_BODY), BodyShape(), STATURES[name])
    return DEFAULT_BODY, BodyShape(gender=name)


def new_person(body: str, solver: str) -> Character:
    """The first person of an empty document, with that build, a solid floor and that solver."""
    model, shape = build_of(body)
    return replace(new_character(Document(), body=model, shape=shape, solid_floor=True), solver=solver)


def before(hold: Hold, body: str, solver: str = "") -> Document:
    """The people of a hold as they stand before it; posed by that solver, or a new person's."""
    document, (model, shape) = Document(), build_of(body)
    for _ in range(1 + hold.two):
        made = new_character(document, body=model, shape=shape, solid_floor=True)
        made = replace(made, solver=solver or made.solver)
        document = document.with_characters((*document.characters, made))
    if not hold.two:
        return document
    first, second = document.characters
    way = np.array([0, 0, hold.apart] if hold.facing else [hold.apart, 0, 0], np.float32)
    there = first.pose.root_position - second.pose.root_position + way
    document = edits.move_character(SECOND, there * np.array([1, 0, 1], np.float32))(document)
    return edits.turn_character(SECOND, np.pi)(document) if hold.facing else document


def made(hold: Hold, body: str) -> tuple[Document, Measures]:
    """The document with the hold made, and its measures."""
    document, _, measures = taken(hold, body)
    return document, replace(measures, depth=depth_of(document))


def taken(hold: Hold, body: str, solver: str = "") -> tuple[Document, dict[str, Memory], Measures]:
    """The document with the hold made, one edit after another, each solved; what the solvers remember; the measures
    except the depth, which takes longer."""
    document, memories = before(hold, body, solver), dict[str, Memory]()
    seconds, missed, other = 0.0, 0.0, 0.0
    for edit in hold.make:
        first = document.character(FIRST)
        stays = {FIRST: only_arms(skeleton_of(first), first.pose)} if hold.by_arms else NO_HOLDS
        document = edit(document)
        started = process_time()
        document, missed, other = solved(document, memories, stays)
        seconds += process_time() - started
    return document, memories, Measures(np.nan, missed, other, seconds)


def solved(
    document: Document, memories: dict[str, Memory], stays: Mapping[str, LimbHold] = NO_HOLDS
) -> tuple[Document, float, float]:
    """The document with everybody solved together, and metres by which contacts and other effectors are missed.

    stays: what stays, by the person's id.
    """
    people, missed, other = document.characters, 0.0, 0.0
    props, surroundings = props_of(document), surroundings_of(document, people)
    answers = answers_of(people, memories, holds=stays, surroundings=surroundings, props=props)
    for person in people:
        answer = answers[person.id]
        memories[person.id] = answer.solution.memory
        document = document.with_character(with_solution(person, answer.solution, answer.effectors))
        for effector, left in zip(answer.effectors, answer.solution.residuals, strict=True):
            if isinstance(effector, Contact):
                missed = max(missed, left.value)
            elif effector.is_active and effector.tolerance == 0.0:
                other = max(other, left.value)
    return document, missed, other


def skin_of(person: Character) -> NDArray[np.float64]:
    """(V, 3) metres, the skin in the world."""
    body = body_of(person)
    rest = skin_with(body, person.shape, person.hands)
    return posed_vertices(body, person.shape, person.pose, rest=rest).astype(np.float64)


def depth_of(document: Document) -> float:
    """Metres that skin of forearms, hands, shins and feet is in other parts of the same body, and any skin in somebody
    else's."""
    people = document.characters
    deepest = max(self_intersection_depth(body_of(p), p.shape, p.pose, p.hands) for p in people)
    skins = [skin_of(person) for person in people]
    for one, skin in enumerate(skins):
        for other in range(len(people)):
            if other != one:
                used = np.unique(body_of(people[one]).faces).astype(np.int64)
                deepest = max(deepest, depth_within(skin, used, skins[other], body_of(people[other])))
    return deepest


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each hold: depth, missed, and time, of each body."""
    parser = script_parser(__file__, __doc__)
    titles = [preset.name for preset in SHAPE_PRESETS]
    add_parts(parser, "holds", HOLDS)
    add_list(parser, "--bodies", BODIES)
    parser.add_argument("--presets", action="store_true", help="the bodies of the program's presets as well")
    parser.add_argument("--drawn", type=int, default=0, metavar="COUNT", help="COUNT bodies drawn at random as well")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="where to draw them")
    given = parser.parse_args(arguments)
    bodies = [
        *given.bodies,
        *(titles if given.presets else ()),
        *(f"{DRAWN}{n + 1}" for n in range(given.drawn)),
    ]
    print("| hold | " + " | ".join(bodies) + " |   (depth mm, contact missed mm, others missed mm, ms)")
    every = []
    for name, hold in with_part(HOLDS, given.holds).items():
        cells = []
        for body in bodies:
            document, found = made(hold, body)
            every.append(found)
            depth, missed, other = (1e3 * value for value in (found.depth, found.missed, found.other))
            cells.append(f"{depth:.1f}, {missed:.1f}, {other:.1f}, {1e3 * found.seconds:.0f}")
            if given.pictures:
                save_picture(given.pictures / f"{name.replace(' ', '-')}-{body}.png", document, SIZE, "angle")
        print_row(name, *cells)
    depths = np.array([one.depth for one in every]) * 1e3
    far = sum(one.missed > MET for one in every)
    print(f"depth mean {depths.mean():.1f}, median {np.median(depths):.1f}, worst {depths.max():.1f} mm")
    print(f"contacts missed by more than a millimetre: {far} of {len(every)}")
    print(f"processor time, median {1e3 * np.median([one.seconds for one in every]):.0f} ms")


if __name__ == "__main__":
    main()
