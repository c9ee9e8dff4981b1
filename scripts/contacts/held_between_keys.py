"""How people and what they hold go between keys: a cup carried, a box between palms, a ball thrown, a bench turned.

python -m scripts.contacts.held_between_keys [WAY…] [--bodies neutral,female,…,child] [--solvers dls,smplik]
    [--pictures FOLDER]

Speed: m/s of the fastest joint. Elbow: degrees in a frame that an elbow goes at most about the line from shoulder to
hand, of an arm that holds. Beside: cm per frame² of any joint at a key and the frames next to it. Gap: mm that a hand
or seat is off its spot on the thing between two keys that hold it. Turns: degrees in a frame that the thing turns in
the hand. Within: mm that skin is in the thing, more than at the keys. Jerk: m/s³ of any joint.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.edits.world_contacts import carrying, with_borne, world_contacts
from app.document.model.actor import Actor
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.history import Edit
from app.document.model.prop_spots import nearest_on
from app.document.over_time.in_betweens import document_completed
from app.document.over_time.tracks import is_held, name_of
from app.document.posing.contact_patches import UP, contact_of, patches_of
from app.document.posing.create import new_character
from app.document.posing.hold_table import PALMS
from app.document.posing.holds.arms_first import arms_on_props
from app.document.posing.holds.grasping import hand_around
from app.document.posing.sources import character_with_resolved_targets
from app.services.clock import frames_at
from scripts.arguments import add_list, add_parts, script_parser, with_part
from scripts.contacts.held_measures import depth_in, swivels
from scripts.contacts.low_grips import ARM, CHILD, SMALL, standing
from scripts.drags.contact_depths import BODIES, FIRST, sits, skin_of, solved
from scripts.drags.drag_measures import ALL_SOLVERS
from scripts.drags.drag_tables import print_row
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource
from solver.ik.memory import Memory
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS

Array = NDArray[np.float64]
Vector = tuple[float, float, float]
Made = Callable[[str, str], Document]  # of a body and a solver
FPS, STEP, TURN = 30, 0.02, np.radians(5.0)  # frames a second; metres and radians that things are moved by in each step
SPOTS = dict(zip(PALMS, ((0.5, 0.5, 0.0), (-0.5, 0.5, 0.0)), strict=True))  # of a box, that both palms are on
BOX, BALL = (0.36, 0.25, 0.25), 0.09  # metres
AHEAD = np.array([0.0, 0.0, 0.5])  # metres
SIZE = (420, 520)  # pixels


class Play:
    """A document that is edited frame by frame as a user edits it, each edit being solved."""

    def __init__(self, document: Document) -> None:
        self.document, self._memories = document, dict[str, Memory]()

    def edit(self, *made: Edit, arms: bool = False) -> None:
        """Make these edits. arms: with nothing but the arms of whoever holds what they move, as in the window."""
        stays = arms_on_props(self.document, [prop.id for prop in self.document.props]) if arms else {}
        self.document, _, _ = solved(edits.chain(*made)(self.document), self._memories, stays)

    def look(self, frame: int) -> None:
        """Go to a frame."""
        self.document = at(self.document, frame)

    def animate(self, last: int) -> None:
        """Give everybody and every prop that many frames, and a key at the first and the last."""
        for person in self.document.characters:
            self.document = edits.set_clip_length(person.id, last + 1)(self.document)
            for frame in (0, last):
                if self.document.actor(person.id).clip.key(frame) is None:
                    self.document = edits.set_key(person.id, frame)(self.document)
        for prop in self.document.props:
            self.document = edits.animate_prop(prop.id, last + 1)(self.document)
            self.document = edits.set_prop_key(prop.id, last)(self.document)

    def carry(self, way: Vector, turn: ArrayLike = (0.0, 0.0, 0.0), id: str = "p1") -> None:
        """Move a thing by metres and then turn it by a rotation vector, in steps as a drag's; hands go along."""
        prop, turned = self.document.prop(id), np.asarray(turn, np.float64)
        steps = max(1, round(float(np.linalg.norm(way)) / STEP), round(float(np.linalg.norm(turned)) / TURN))
        for share in np.linspace(0.0, 1.0, steps + 1)[1:]:
            there = prop.moved(share * np.asarray(way))
            there = there.turned_to(from_rotation_vector(share * turned) @ prop.turn)
            now = self.document.prop(id)
            self.edit(with_borne(edits.put_prop(replace(now, place=there.place, turn=there.turn))), arms=True)

    def held(self) -> list[str]:
        """The contacts of the first person's hands around something."""
        effectors = self.document.character(FIRST).effectors
        return [e.id for e in effectors if isinstance(e, Contact) and e.around]

    def walk(self, by: Vector, turn: float) -> None:
        """Move the first person by the cross, and turn them, at the frame looked at, with what they carry."""
        start = self.document.character(FIRST)
        contacts = world_contacts(self.document, [FIRST])
        placed = edits.place_together([start], by, turn, whole=False)
        self.document, self._memories = carrying([start], contacts, placed)(self.document), {}


def at(document: Document, frame: int) -> Document:
    """The document as seen at a frame."""
    return document.at(frames_at(document, frame / FPS))


def with_cup(body: str, solver: str) -> Play:
    """Somebody new with a cup in the right hand."""
    return with_thing("cup", body, solver)


def with_thing(kind: str, body: str, solver: str, size: float = 1.0) -> Play:
    """Somebody new who has taken a thing before the right shoulder, 70% of that high."""
    document = standing(body, solver)
    person = document.character(FIRST)
    shoulder = joints_of(person).positions[rig_of(skeleton_of(person)).index(ARM.root)].astype(np.float64)
    thing = new_prop(document, kind)
    thing = thing.sized(thing.size * size * (SMALL if body == CHILD else 1.0))
    place = shoulder * [0.8, 0.78, 1.0] + [0.0, 0.0, 0.22 * shoulder[1]]
    thing = thing.moved(place - thing.middle)
    contact = hand_around(person, thing, ARM.end, nearest_on(thing, thing.middle - AHEAD)[0])
    assert contact is not None, "a hand that goes around it"
    play = Play(document)
    play.edit(add_prop(thing), edits.hold(FIRST, contact), edits.close_hand(FIRST, contact))
    return play


def with_box(body: str, solver: str, size: Vector = BOX) -> Play:
    """Somebody new with a box before the belly, between both palms."""
    document = standing(body, solver)
    person = document.character(FIRST)
    x, y, z = joints_of(person).positions[0].astype(np.float64)
    box = new_prop(document, "box").sized(np.array(size))
    box = box.moved(np.array([x, 1.15 * y, z + 0.36 * y]) - box.middle)
    play = Play(document)
    play.edit(add_prop(box))
    for patch, spot in SPOTS.items():
        facing = np.sign(spot[0]) * np.array([1.0, 0.0, 0.0])
        contact = contact_of(patches_of(play.document.character(FIRST))[patch], box.frame.points(spot), facing)
        source = PropSource(box.id, np.array(spot), facing)
        play.edit(edits.open_hand(FIRST, patch), edits.hold(FIRST, replace(contact, source=source)))
    return play


def carried(
    make: Callable[[str, str], Play], first: Vector, second: Vector, turn: Vector = (0, 0, 0), last: int = 20
) -> Made:
    """What is held carried one way, which is a key, and from there another way and turned, which is the next."""

    def made(body: str, solver: str) -> Document:
        play = make(body, solver)
        play.carry(first)
        play.animate(last)
        play.look(last)
        play.carry(second, turn)
        return play.document

    return made


def walked(make: Callable[[str, str], Play], by: Vector, turn: float, last: int) -> Made:
    """Somebody who holds something moved and turned by the cross at the second key."""

    def made(body: str, solver: str) -> Document:
        play = make(body, solver)
        play.animate(last)
        play.look(last)
        play.walk(by, turn)
        return play.document

    return made


def seated(
    turn: float, size: Vector = (0.5, 0.45, 0.5), aside: float = 0.0, last: int = 20, by: Vector = (0, 0, 0),
    up: float = 0.0,
) -> Made:  # fmt: skip
    """A box turned by radians and moved by metres under somebody who sits on it, beside its middle by metres; raised
    before that."""

    def made(body: str, solver: str) -> Document:
        play = Play(standing(body, solver))
        play.edit(sits)
        seat, box = play.document.character(FIRST).effectors, play.document.prop("p1")
        wider = box.sized(np.array(size)).moved((aside, 0.0, 0.0))
        on = next(e for e in seat if isinstance(e, Contact) and isinstance(e.source, PropSource))
        own = PropSource("p1", (wider.frame.own(on.target) - [0.0, 0.5, 0.0]).astype(np.float32), UP)
        play.edit(edits.put_prop(wider), edits.on_effector(FIRST, on.id, lambda e: replace(e, source=own)))
        play.carry((0.0, up, 0.0))
        play.animate(last)
        play.look(last)
        play.carry(by, (0.0, turn, 0.0))
        return play.document

    return made


def passed(body: str, solver: str) -> Document:
    """A cup carried up to somebody who faces the first one, held by both at that key, and then taken on."""
    play = with_cup(body, solver)
    first = play.document.character(FIRST)
    tall = float(joints_of(first).positions[:, 1].max())
    other = replace(new_character(play.document, body=first.body, shape=first.shape, solid_floor=True), solver=solver)
    play.document = play.document.with_characters((*play.document.characters, other))
    there = np.array([-0.2, 0.0, 0.62]) * tall + first.pose.root_position - other.pose.root_position
    play.document = edits.move_character(other.id, there * [1.0, 0.0, 1.0])(play.document)
    play.document = edits.turn_character(other.id, np.pi)(play.document)
    play.animate(40)
    play.look(20)
    play.carry((-0.05, 0.12, 0.13))
    cup = play.document.prop("p1")
    grip = hand_around(play.document.character(other.id), cup, ARM.end, nearest_on(cup, cup.middle + AHEAD)[0])
    assert grip is not None, "a hand that goes around it"
    play.edit(edits.hold(other.id, grip), edits.close_hand(other.id, grip))
    play.look(40)
    play.edit(edits.let_go(FIRST, play.held()), edits.hold(other.id, grip), edits.close_hand(other.id, grip))
    play.carry((0.1, 0.05, 0.2))
    return play.document


def thrown(body: str, solver: str) -> Document:
    """A ball swung up from beside the hip, let go after a third of a second, and on the floor far away later."""
    play = with_thing("ball", body, solver, BALL / 0.25)
    play.carry((0.0, -0.35, -0.25))
    play.animate(30)
    play.look(12)
    play.carry((0.0, 0.45, 0.45))
    for frame in (20, 30):
        play.look(frame)
        play.edit(edits.let_go(FIRST, play.held()))
    ball = play.document.prop("p1")
    play.edit(edits.put_prop(ball.moved(np.array([0.0, 0.02, 3.0]) - ball.middle * [0.0, 1.0, 0.0])))
    return play.document


def taken(body: str, solver: str) -> Document:
    """Somebody who stands, holds a cup at the second key, and higher at the third."""
    play, empty = with_cup(body, solver), standing(body, solver).character(FIRST)
    play.animate(40)
    play.look(20)
    play.edit(edits.set_key(FIRST, 20), edits.set_prop_key("p1", 20))
    play.look(40)
    play.carry((0.1, 0.3, -0.05))
    play.look(0)
    now = play.document.character(FIRST)
    before = replace(now, pose=empty.pose, effectors=empty.effectors, hands=empty.hands)
    return play.document.with_character(before)


LOW, HIGH = (-0.05, -0.45, -0.1), (0.1, 0.95, 0.0)
WAYS: dict[str, Made] = {
    "cup, low to high": carried(with_cup, LOW, HIGH),
    "cup, high to low": carried(with_cup, (0.05, 0.5, -0.1), (-0.1, -0.95, 0.0)),
    "cup, across and down": carried(with_cup, (-0.3, 0.3, -0.1), (0.55, -0.5, 0.05)),
    "cup, behind to ahead": carried(with_cup, (-0.25, -0.2, -0.45), (0.3, 0.3, 0.55)),
    "box, low to high": carried(with_box, (0.0, -0.35, 0.0), (0.0, 1.0, 0.0)),
    "box, aside": carried(with_box, (0.25, -0.1, -0.05), (-0.5, 0.2, 0.0), (0.0, -0.6, 0.0)),
    "box, tipped": carried(with_box, (0.0, 0.0, 0.0), (0.0, 0.15, 0.0), (-1.2, 0.0, 0.0)),
    "cup, turned about with": walked(with_cup, (0.0, 0.0, 0.0), np.pi, 60),
    "box, turned about with": walked(with_box, (0.0, 0.0, 0.0), -np.pi, 60),
    "box, quarter with": walked(with_box, (0.0, 0.0, 0.0), 1.6, 60),
    "cup, walked ahead": walked(with_cup, (0.0, 0.0, 2.0), 0.0, 80),
    "box, walked ahead": walked(with_box, (0.0, 0.0, 2.0), 0.0, 80),
    "box, walked in a bend": walked(with_box, (1.2, 0.0, 1.4), 1.4, 90),
    "seat, turned by 80°": seated(np.radians(80.0)),
    "bench, turned by 80°": seated(np.radians(80.0), (1.5, 0.45, 0.4)),
    "bench, off its middle": seated(np.radians(80.0), (1.5, 0.45, 0.4), 0.4),
    "bench, turned by 30°": seated(np.radians(-30.0), (1.5, 0.45, 0.4)),
    "seat, turned slowly": seated(np.radians(80.0), last=60),
    "seat, high and turned": seated(np.radians(80.0), up=0.4),
    "seat, pulled ahead": seated(0.0, by=(0.0, 0.0, 0.6), last=40),
    "seat, raised": seated(0.0, by=(0.0, 0.5, 0.0)),
    "cup, passed": passed,
    "ball, thrown": thrown,
    "cup, taken and lifted": taken,
}  # fmt: skip


class Measured(NamedTuple):
    """Of one way, in the units of the table."""

    speed: float
    elbow: float
    beside: float
    gap: float
    turns: float
    within: float
    jerk: float


def measured(document: Document) -> Measured:
    """What the frames between the keys do, of whoever does it most."""
    done = document_completed(document)
    frames = range(max(len(actor.clip) for actor in done.actors))
    every = [at(done, frame) for frame in frames]
    return Measured(*np.max([_of_person(actor, every) for actor in done.actors], axis=0).tolist())


def _of_person(actor: Actor, every: Sequence[Document]) -> Measured:
    people = [there.character(actor.id) for there in every]
    rig, places = rig_of(skeleton_of(people[0])), np.array([joints_of(each).positions for each in people], np.float64)
    keyed, last = [key.frame for key in actor.clip.keys], len(people) - 1
    leaps = np.linalg.norm(np.diff(places, 2, axis=0), axis=-1).max(axis=1)
    near = {frame for key in keyed for frame in (key - 1, key, key + 1) if 0 < frame < last}
    held = {frame: _held(actor, there) for frame, there in enumerate(every) if frame not in keyed}
    gaps = [
        np.linalg.norm(contact.at_pose(rig, joints_of(people[frame])).target - contact.target)
        for frame, contacts in held.items()
        for contact in contacts
    ]
    ends = {contact.joint for contacts in held.values() for contact in contacts}
    arms = [arm for arm in ARMS if rig.name(arm.end) in ends]
    elbows = [swivels(*(places[:, rig.joint(role)] for role in (arm.root, arm.hinge, arm.end))) for arm in arms]
    skins = [skin_of(person) for person in people]
    depth = np.array([depth_in(skin, there.props[0]) for skin, there in zip(skins, every, strict=True)])
    return Measured(
        FPS * float(np.linalg.norm(np.diff(places, axis=0), axis=-1).max()),
        max((float(each.max()) for each in elbows), default=0.0),
        100.0 * max(float(leaps[frame - 1]) for frame in near),
        1000.0 * float(max(gaps, default=0.0)),
        max((_turns(rig.joint(arm.end), people, every, held) for arm in arms), default=0.0),
        1000.0 * float(depth.max() - max(*depth[keyed], 0.0)),
        FPS**3 * float(np.linalg.norm(np.diff(places, 3, axis=0), axis=-1).max()),
    )


def _held(actor: Actor, document: Document) -> list[Contact]:
    """What both keys around the frame have a person hold on the thing, resolved for where that is."""
    person = document.character(actor.id)
    around = [key for key in actor.clip.around(person.frame)[1:3] if key is not None]
    own = [e for key in around for e in key.effectors if isinstance(e, Contact) and e.is_active]
    names = {name_of(one) for one in own if is_held([e for e in own if name_of(e) == name_of(one)])}
    asked = character_with_resolved_targets(document, person).effectors
    return [e for e in asked if isinstance(e, Contact) and name_of(e) in names]


def _turns(
    joint: int, people: Sequence[Character], every: Sequence[Document], held: Mapping[int, Sequence[Contact]]
) -> float:
    """Degrees that the thing turns in a hand from one frame to the next at most."""
    frames = [frame for frame, contacts in held.items() if contacts and held.get(frame + 1)]
    both = [
        [joints_of(people[at]).rotations[joint].T.astype(np.float64) @ every[at].props[0].turn for at in (one, one + 1)]
        for one in frames
    ]
    return max((float(np.degrees(geodesic_angle(*each))) for each in both), default=0.0)


def pictures(document: Document, folder: Path, name: str, count: int = 9) -> None:
    """Save pictures of frames in a row."""
    from app.viewport.picture import save_picture

    done = document_completed(document)
    for frame in np.linspace(0, len(done.actor(FIRST).clip) - 1, count).round().astype(int).tolist():
        file = f"{name.replace(' ', '_').replace(',', '')}-{frame:03d}.png"
        save_picture(folder / file, at(done, frame), SIZE, "angle")


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each way, body and solver."""
    parser = script_parser(__file__, __doc__)
    add_parts(parser, "ways", WAYS)
    add_list(parser, "--bodies", (*BODIES, CHILD))
    add_list(parser, "--solvers", ALL_SOLVERS)
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="where to draw frames of each")
    given = parser.parse_args(arguments)
    print_row("way", "body", "solver", *Measured._fields)
    for name, make in with_part(WAYS, given.ways).items():
        for body in given.bodies:
            for solver in given.solvers:
                document = make(body, solver)
                row = measured(document)
                print_row(name, body, solver, *(f"{value:.1f}" for value in row))
                if given.pictures:
                    pictures(document, given.pictures, f"{name} {body} {solver}")


if __name__ == "__main__":
    main()
