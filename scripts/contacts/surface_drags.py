"""How long parts of the body take to come onto surfaces by a drag with S, and how far they are off.

python -m scripts.contacts.surface_drags [PATCH…] [--bodies neutral,female,…] [--solvers dls,smplik]
    [--onto floor,knee,other,wall,beside,box] [--seated]

Somebody new stands, or sits on a box, and lays each patch of the trunk and the left side that can be held on something
onto the floor before it, the own right knee, another one's belly, a wall half a metre behind or ahead, a wall beside
the person, or a box. In the first step it comes there at once, as under the pointer; in four more it wanders by a
centimetre each. Off: by how many cm the contact is missed in each. Within: how many cm the skin is within the wall or
the box. Step: how many cm the joint goes that moves most. Lost: by how many cm the worst other strict place is missed
in the end.
"""

from __future__ import annotations

from dataclasses import replace
from time import process_time

import numpy as np

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop_spots import spot_of
from app.document.posing.contact_patches import UP, on_skin, own_limb, patches_of, place_of_patch
from app.document.posing.fitting_effectors import new_effector
from app.document.posing.solving import with_solution
from app.document.posing.surroundings import surroundings_of
from app.document.posing.tied_groups import NO_HOLDS, answers_of, tied_groups
from app.document.posing.touched_surfaces import props_of
from app.viewport.tools.surface_drag import Spot, landing
from scripts.arguments import add_list, add_parts, with_part
from scripts.drags.contact_depths import FIRST, SECOND, Hold, before, sits, skin_of
from scripts.drags.drag_measures import Array, apart, places_of
from scripts.drags.drag_study import drag_parser
from scripts.drags.drag_tables import print_row
from solver.contact.patch_table import PATCH_ROWS
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.effectors.sources import FloorSource
from solver.ik.memory import Memory
from solver.ik.multi_solve.only_limb import LimbHold
from solver.ik.solution import Answer
from solver.rig.roles import SIDES, Role

ONTO = ("floor", "knee", "other", "wall", "beside", "box")
THINGS = ("wall", "beside", "box")
STEPS, STEP = 4, 0.01  # metres
AHEAD, WALL, BOX = 0.1, 0.5, 0.55  # metres before the patch or the pelvis
BESIDE, THICK = 0.45, 0.2  # metres to the left of the pelvis; of a wall
PATCHES = tuple(name for name, row in PATCH_ROWS.items() if row.holds and not name.startswith(f"{SIDES[1]}_"))


def scene(onto: str, patch: str, body: str, solver: str, memories: dict[str, Memory], seated: bool) -> Document:
    """Somebody, and what the patch is to come onto, as the last prop or the second person."""
    document = before(Hold((), 0.6 if onto == "other" else 0.0), body, solver)
    if seated:
        document = solved(sits(document), memories, None)[0]
    person = document.character(FIRST)
    x, _, z = person.pose.root_position.tolist()
    if onto == "wall":
        side = _side(person, patch)
        size, place = [2.4, 2.2, THICK], [x, 0.0, z + side * (WALL + THICK / 2)]
    elif onto == "beside":
        size, place = [THICK, 2.2, 2.4], [x + BESIDE + THICK / 2, 0.0, z]
    else:
        size, place = [0.6, 0.45, 0.5], [x, 0.0, z + BOX]
    thing = replace(new_prop(document, "box"), size=np.array(size, np.float32), place=np.array(place, np.float32))
    return add_prop(thing)(document) if onto in THINGS else document


def spot_at(document: Document, onto: str, patch: str, aside: float) -> Spot | None:
    """Where the patch is to come, so many metres aside; None where that is its own limb."""
    person = document.character(FIRST)
    known, joint = patches_of(person), patches_of(person)[patch].joint
    at, (x, _, z) = place_of_patch(person, known[patch]), person.pose.root_position.tolist()
    by = np.array([aside, 0.0, 0.0])
    if onto == "floor":
        return Spot((at + [0.0, 0.0, AHEAD]) * (1.0 - UP) + by, UP, FloorSource())
    if onto in ("knee", "other"):
        owner = document.character(FIRST if onto == "knee" else SECOND)
        touched = patches_of(owner)[Role.RIGHT_KNEE if onto == "knee" else "belly"]
        own = own_limb(person, joint) if onto == "knee" else frozenset[int]()
        if skeleton_of(owner).index(touched.joint) in own:
            return None
        source, place, normal = on_skin(owner, place_of_patch(owner, touched) + by, own)
        return Spot(place, normal, source)
    thing, side = document.props[-1], _side(person, patch)
    place, normal = np.array([at[0], at[1], z + side * WALL]) + by, np.array([0.0, 0.0, -side])
    if onto == "beside":
        by = np.array([0.0, 0.0, aside])
        place, normal = np.array([x + BESIDE, at[1], at[2]]) + by, np.array([-1.0, 0.0, 0.0])
    elif onto == "box":
        place, normal = np.array([x, thing.size[1], z + BOX - 0.05]) + by, UP
    on_thing, place, normal = spot_of(thing, thing.frame.own(place), normal)
    return Spot(place, normal, on_thing)


def solved(document: Document, memories: dict[str, Memory], hold: LimbHold | None) -> tuple[Document, Answer, float]:
    """The document with the first one and who is tied to them solved, the first one's answer, and milliseconds."""
    group = next(each for each in tied_groups(document.characters) if any(c.id == FIRST for c in each))
    stays = NO_HOLDS if hold is None or len(group) > 1 else {FIRST: hold}
    around, props, started = surroundings_of(document, group), props_of(document), process_time()
    answers = answers_of(group, memories, holds=stays, surroundings=around, props=props)
    took = 1e3 * (process_time() - started)
    for person in group:
        answer = answers[person.id]
        memories[person.id] = answer.solution.memory
        document = document.with_character(with_solution(person, answer.solution, answer.effectors))
    return document, answers[FIRST], took


def drag(onto: str, patch: str, body: str, solver: str, seated: bool) -> list[tuple[float, ...]]:
    """Of each step: milliseconds, cm off, cm within a thing, cm gone, and cm by which another strict place is missed;
    none where the patch cannot come there."""
    memories, found = dict[str, Memory](), list[tuple[float, ...]]()
    document = scene(onto, patch, body, solver, memories, seated)
    spots = [spot_at(document, onto, patch, n * STEP) for n in range(1 + STEPS)]
    joint = patches_of(document.character(FIRST))[patch].joint
    held = [e for e in document.character(FIRST).effectors if e.joint == joint and isinstance(e, Position)]
    lead = held[0] if held else new_effector(document.character(FIRST), Position.kind, joint)
    first, hold = (() if held else (edits.add_effector(FIRST, lead),)), None
    for spot in spots:
        if spot is None:
            return found
        person, was = document.character(FIRST), places_of(document)[:1]
        lands = landing(document, person, lead, spot, patch, first)
        assert lands is not None, "it has that patch"
        hold = lands.hold and lands.hold.of(hold.base if hold else person.pose)
        document, answer, took = solved(lands.edit(document), memories, hold)
        told = [
            (isinstance(e, Contact) and e.joint == joint, left.value)
            for e, left in zip(answer.effectors, answer.solution.residuals, strict=True)
            if e.is_active and e.is_strict and isinstance(e, Position | Contact)
        ]
        off, lost = (max((v for its, v in told if its is own), default=0.0) for own in (True, False))
        gone = apart(places_of(document)[:1], was)
        found.append((took, 100 * off, 100 * (_within(document) if onto in THINGS else 0.0), 100 * gone, 100 * lost))
        first = ()
    return found


def _within(document: Document) -> float:
    """Metres that the first one's skin is within the last prop."""
    (thing,) = document.props[-1].solids()
    return max(0.0, -float(thing.distances(skin_of(document.character(FIRST))).min()))


def _side(person: Character, patch: str) -> float:
    """1 for a wall ahead, -1 for one behind, where the patch faces."""
    found = patches_of(person)[patch]
    facing: Array = joints_of(person).rotations[skeleton_of(person).index(found.joint)] @ found.normal
    return -1.0 if facing[2] < -0.3 else 1.0


def main(arguments: list[str] | None = None) -> None:
    """Print a row for each patch, surface, body and solver."""
    parser = drag_parser(__file__, __doc__)
    add_parts(parser, "patches", PATCHES)
    add_list(parser, "--onto", ONTO)
    parser.add_argument("--seated", action="store_true", help="of somebody who sits on a box")
    given = parser.parse_args(arguments)
    print_row("patch", "onto", "body", "solver", "ms", "off cm", "within cm", "step cm", "lost cm")
    for patch in with_part(dict.fromkeys(PATCHES), given.patches):
        for onto in given.onto:
            for body in given.bodies:
                for solver in given.solvers:
                    steps = drag(onto, patch, body, solver, given.seated)
                    if steps:
                        took, off, within, gone, lost = zip(*steps, strict=True)
                        cells = (
                            " ".join(f"{n:.{d}f}" for n in each)
                            for each, d in zip((took, off, within, gone), (0, 1, 1, 0), strict=True)
                        )
                        print_row(patch, onto, body, solver, *cells, f"{lost[-1]:.1f}")


if __name__ == "__main__":
    main()
