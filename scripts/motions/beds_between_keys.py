"""How people lie down on a bed, sit down on a box and get up again between two keys: what is in it, sweeps and jerks.

python -m scripts.motions.beds_between_keys [WAY…] [--bodies female,male,…] [--pictures FOLDER]

Within: mm that skin is in the prop at most, more than at the keys; sinks: below the floor. Feet: mm that skin of a foot
goes over the floor at most, while it stays there. Off: cm that the centre of mass is beside the feet, in the mean over
frames at which these stand, with the seat off the prop and not up yet, slower than 0.4 m/s. Pelvis: m/s³, its jerk.
Hovers: mm that all skin is above the prop, or the
floor, at most. Slides: mm that skin of trunk, thighs and shins goes over the prop at most, while it stays there. Speed:
m/s of the fastest joint. Leaps: cm per frame² of any joint at most. Time: ms of a processor for a frame.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import entry_of, poses_of
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.finger_curve import hands_at
from app.document.over_time.in_betweens import document_completed
from app.document.posing.solving import floor_of
from app.library.folders import shipped_folder
from scripts.arguments import script_parser
from scripts.motions.getting_up_between_keys import SLOW
from scripts.motions.walks_between_keys import FPS, ON_M, PEOPLE, Person, Walk, print_ways, slid, walking
from solver.body.catalog import load_body
from solver.contact.balance import balance, mass_shares
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, LEGS, Role

Array = NDArray[np.float64]
SITS_M = 0.03  # metres above the prop, up to which a seat counts as on it
UP = 0.95  # of the height of a standing pelvis
SEATED = (Role.PELVIS, *(leg.root for leg in LEGS))


class Way(NamedTuple):
    """first, second: starting poses at both keys; "" for standing. last: the second key's frame. top: metres that the
    prop is high; None for as high as the seat of who sits. stands: (x, z) metres and radians, where and how somebody
    stands, who faces +Z at 0. lies: likewise, of the pelvis and of the way from there to the head, +Z at 0; of who
    sits, how they face. size: metres of the prop's sides. then: as `lies`, at the second key, if it differs."""

    first: str
    second: str
    last: int
    top: float | None
    stands: tuple[float, float, float] = (0.0, 0.0, 0.0)
    lies: tuple[float, float, float] = (0.0, 0.0, 0.0)
    size: tuple[float, float] = (1.0, 2.1)
    then: tuple[float, float, float] | None = None


BACK, SIDE, BELLY = LIE = "Lying/Lie on the back", "Lying/Sleep on the side", "Lying/Lie face down"
KNEELS = "Kneeling/Kneel upright"
UPRIGHT, LEGS_OUT = "Sitting on a chair/Sit upright", "Sitting on the floor/Sit, hands behind"
WIDE = (1.7, 2.1)
BESIDE, FACING = (0.75, 0.0, np.pi / 2), (0.85, 0.3, -1.4)
WAYS = {
    "onto the back, 45 cm": Way("", BACK, 130, 0.45, BESIDE),
    "off the back, 45 cm": Way(BACK, "", 130, 0.45, BESIDE),
    "off the back, 60 cm": Way(BACK, "", 130, 0.6, BESIDE),
    "off the back, facing it": Way(BACK, "", 150, 0.5, FACING),
    "off the back, far": Way(BACK, "", 180, 0.5, (2.2, 1.0, np.pi / 4)),
    "off the back, hasty": Way(BACK, "", 50, 0.5, BESIDE),
    "onto the side": Way("", SIDE, 130, 0.5, BESIDE),
    "onto the belly": Way("", BELLY, 150, 0.5, BESIDE),
    "off the legs stretched": Way(LEGS_OUT, "", 110, 0.5, BESIDE),
    "off the edge onto the back": Way(UPRIGHT, BACK, 70, None, BESIDE),
    "onto a chair": Way("", UPRIGHT, 60, None, (0.70, 0.0, np.pi / 2), (0.0, 0.0, np.pi / 2), (0.5, 0.5)),
    "off a chair": Way(UPRIGHT, "", 60, None, (0.70, 0.0, np.pi / 2), (0.0, 0.0, np.pi / 2), (0.5, 0.5)),
    "off a chair, away": Way(UPRIGHT, "", 90, None, (2.0, 0.8, 0.8), (0.0, 0.0, np.pi / 2), (0.5, 0.5)),
    "over, back to belly": Way(BACK, BELLY, 80, 0.5, size=WIDE, lies=(-0.2, 0.0, np.pi), then=(0.2, 0.0, np.pi)),
    "over, belly to back": Way(BELLY, BACK, 80, 0.5, size=WIDE, lies=(0.2, 0.0, np.pi), then=(-0.2, 0.0, np.pi)),
    "over in one place": Way(BACK, BELLY, 80, 0.5, size=WIDE, lies=(0.0, 0.0, np.pi)),
    "over, back to side": Way(BACK, SIDE, 60, 0.5, size=WIDE, lies=(0.0, 0.0, np.pi), then=(0.15, 0.0, np.pi)),
    "over, side to belly": Way(SIDE, BELLY, 60, 0.5, size=WIDE, lies=(0.0, 0.0, np.pi), then=(0.15, 0.0, np.pi)),
    "belly to knees": Way(BELLY, KNEELS, 80, 0.5, lies=(0.0, 0.0, 0.0), then=(0.0, -0.35, 0.0)),
    "belly to knees, at the edge": Way(BELLY, KNEELS, 80, 0.5, lies=(0.3, 0.0, 0.0), then=(0.25, -0.35, 0.0)),
    "belly to seat, at the edge": Way(BELLY, LEGS_OUT, 90, 0.5, lies=(0.3, 0.0, 0.0), then=(0.1, 0.0, 0.0)),
    "back to knees": Way(BACK, KNEELS, 110, 0.5, lies=(0.0, 0.0, np.pi), then=(0.0, 0.25, 0.0)),
    "back to knees, about": Way(BACK, KNEELS, 110, 0.5, lies=(0.0, 0.0, np.pi), then=(0.2, 0.0, np.pi)),
    "knees to back": Way(KNEELS, BACK, 110, 0.5, lies=(0.0, 0.25, 0.0), then=(0.0, 0.0, np.pi)),
    "back to seat": Way(BACK, LEGS_OUT, 60, 0.5, lies=(0.0, 0.0, np.pi), then=(0.0, 0.0, 0.0)),
    "belly to seat": Way(BELLY, LEGS_OUT, 90, 0.5, lies=(0.0, 0.0, 0.0), then=(0.0, 0.0, 0.0)),
}  # fmt: skip


class Measured(NamedTuple):
    """Of one way, in the units of the table."""

    within: float
    sinks: float
    feet: float
    off: float
    hovers: float
    slides: float
    pelvis: float
    speed: float
    leaps: float
    time: float


def going(way: Way, who: Person) -> Document:
    """Somebody with those poses at two keys, and the prop."""
    document = walking(Walk((0.0, 0.0, 0.0), 0.0, way.last), who)
    top = way.top if way.top is not None else _seat_height(document)
    thing = replace(new_prop(document, "box"), size=np.array([way.size[0], top, way.size[1]], np.float32))
    document = add_prop(replace(thing, place=np.zeros(3, np.float32)))(document)
    for frame, name in ((0, way.first), (way.last, way.second)):
        document = document.at_frame("c1", frame)
        if not name:
            document = _placed(document, np.array([way.stands[0], 0.0, way.stands[1]]), way.stands[2])
            continue
        document = take_pose("c1", poses_of(entry_of(shipped_folder() / f"{name}.json")), Taking())(document)
        sits = name == UPRIGHT
        inside = 0.14 if way.size[0] < 0.8 else 0.12
        lies = way.then if frame and way.then is not None else way.lies
        x, z, turn = lies if way.top is not None or not sits else (way.size[0] / 2 - inside, 0.0, np.pi / 2)
        document = _placed(document, np.array([x, 0.0 if sits else top, z]), turn, trunk=name in LIE)
        document = edits.come_to_rest("c1")(document)
        if document.actor("c1").clip.key(frame) is None:
            document = edits.set_key("c1", frame)(document)
    return document


def _placed(document: Document, to: Array, turn: float, trunk: bool = False) -> Document:
    """With the person's pelvis above a place and turned: how it faces, or where the head is."""
    person = document.character("c1")
    world, rig = joints_of(person), rig_of(skeleton_of(person))
    ahead = world.positions[rig.joint(Role.NECK)] - world.positions[0] if trunk else world.rotations[0][:, 2]
    by = (turn - float(np.arctan2(ahead[0], ahead[2])) + np.pi) % (2.0 * np.pi) - np.pi
    turned = edits.place_together([person], (0.0, 0.0, 0.0), by, whole=False)(document)
    person = turned.character("c1")
    off = to - joints_of(person).positions[0] * [1.0, 0.0, 1.0]
    return edits.place_together([person], off, 0.0, whole=False)(turned)


def _seat_height(document: Document) -> float:
    """Metres that the seat is high of who takes the pose of sitting on a chair."""
    sat = take_pose("c1", poses_of(entry_of(shipped_folder() / f"{UPRIGHT}.json")), Taking())(document)
    person = sat.character("c1")
    floor = floor_of(person.body, person.shape, person.hands, document.actor("c1").posing.solver_options)
    assert floor is not None
    rig = rig_of(skeleton_of(person))
    mine = np.isin(floor.carriers, _of(rig, SEATED))
    return float(floor.places(joints_of(person))[mine, 1].min())


def _of(rig: Rig, roles: Sequence[Role]) -> list[int]:
    return [rig.joint(role) for role in roles]


def worlds_of(done: Document) -> list[WorldJoints]:
    """The joints at each frame."""
    motion, skeleton = done.actor("c1").motion(), skeleton_of(done.character("c1"))
    assert motion is not None
    return [forward_kinematics(skeleton, motion.pose(frame)) for frame in range(len(motion))]


def measured(document: Document) -> Measured:
    """What the frames between the keys do."""
    began = process_time()
    done = document_completed(document)
    took = process_time() - began
    person, actor, (prop,) = document.character("c1"), document.actor("c1"), document.props
    body, rig, worlds = load_body(person.body), rig_of(skeleton_of(person)), worlds_of(done)
    hands = [hands_at(actor.clip, frame) for frame in range(len(worlds))]
    floors = [floor_of(person.body, person.shape, held, actor.posing.solver_options) for held in hands]
    skins = np.array([each.places(world) for each, world in zip(floors, worlds, strict=True) if each is not None])
    off = np.array([np.min([solid.distances(skin) for solid in prop.solids()], axis=0) for skin in skins])
    places = np.array([world.positions for world in worlds], np.float64)
    assert floors[0] is not None
    carriers = floors[0].carriers
    seat = np.isin(carriers, _of(rig, SEATED))
    sits = off[:, seat].min(axis=1) < SITS_M
    limbs = [*(role for arm in ARMS for role in arm.joints), *(role for leg in LEGS for role in (leg.end, leg.tip))]
    bulk = ~np.isin(carriers, [rig.joint(role) for role in limbs if rig.find(role) is not None])
    on = skins[..., 1] < ON_M
    feet = max(
        slid(skins[:, mine], on[:, mine]) for mine in (np.isin(carriers, _of(rig, (g.end, g.tip))) for g in LEGS)
    )
    shares = mass_shares(body, person.shape)
    speeds = np.linalg.norm(np.gradient(np.array([shares.centre(world) for world in worlds]), axis=0), axis=1) * FPS
    rises = ~sits & (places[:, 0, 1] < UP * max(places[0, 0, 1], places[-1, 0, 1])) & (speeds < SLOW)
    margins = [balance(body, person.shape, worlds[at], hands[at]).margin for at in np.flatnonzero(rises)]
    aside = [100.0 * max(-each, 0.0) for each in margins if each is not None]
    depth = -off.min(axis=1)
    return Measured(
        1000.0 * float(max(depth.max() - max(depth[0], depth[-1], 0.0), 0.0)),
        -1000.0 * float(skins[..., 1].min()),
        feet,
        float(np.mean(aside)) if aside else 0.0,
        1000.0 * float(np.minimum(off.min(axis=1), skins[..., 1].min(axis=1)).max()),
        slid(skins[:, bulk], off[:, bulk] < ON_M),
        float(np.linalg.norm(np.diff(places[:, 0], 3, axis=0), axis=-1).max()) * FPS**3,
        float(np.linalg.norm(np.diff(places, axis=0), axis=-1).max()) * FPS,
        100.0 * float(np.linalg.norm(np.diff(places, 2, axis=0), axis=-1).max()),
        1000.0 * took / len(worlds),
    )  # fmt: skip


def pictures(document: Document, folder: Path, name: str, count: int = 8) -> None:
    """Save pictures of frames in a row."""
    from app.viewport.picture import save_picture

    done = document_completed(document)
    for frame in np.linspace(0, len(done.actor("c1").clip) - 1, count).round().astype(int).tolist():
        save_picture(
            folder / f"{name.replace(' ', '_').replace(',', '')}-{frame:03d}.png",
            done.at_frame("c1", frame),
            (480, 400),
        )


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each way and person."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--pictures", type=Path, help="folder for pictures of each")

    def row_of(way: str, who: str, given: Namespace) -> Measured:
        document = going(WAYS[way], PEOPLE[who])
        if given.pictures is not None:
            pictures(document, given.pictures, f"{way} {who}")
        return measured(document)

    print_ways(parser, "way", WAYS, Measured._fields, row_of, arguments)


if __name__ == "__main__":
    main()
