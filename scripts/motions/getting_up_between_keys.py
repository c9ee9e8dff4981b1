"""How people get up from the floor between two keys, and lie down: what slides, sinks and floats, and how balanced.

python -m scripts.motions.getting_up_between_keys [WAY…] [--bodies female,male,…]

Sinks: mm that any skin is below the floor, at most; floats: mm that all of it is above. Feet, knees, hands: mm that
skin of each goes over the floor, at most, while it stays on it and trunk and thighs are off it; sweeps: the same of a
hand or a foot, whatever else bears the body. Off: cm that the centre
of mass is beside what bears the body, in the mean over frames at which it goes slower than 0.4 m/s, and at most; 100
where nothing does. Knee: cm per frame², how abruptly a knee moves beside the hip. Pelvis: m/s³, its jerk. Speed: m/s
of the fastest joint.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import entry_of, poses_of
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.model.finger_curve import hands_at
from app.document.posing.solving import floor_of
from app.library.folders import shipped_folder
from scripts.arguments import script_parser
from scripts.motions.walks_between_keys import (
    FPS,
    ON_M,
    PEOPLE,
    Person,
    Walk,
    joints_over_time,
    print_ways,
    slid,
    walking,
)
from solver.body.catalog import load_body
from solver.contact.balance import balance, mass_shares
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, LEGS

SLOW, KNEE_M = 0.4, 0.12  # m/s of the centre of mass; metres around a knee in which skin is its own


class Way(NamedTuple):
    """first, second: starting poses at both keys; "" for standing. last: the second key's frame. by: (3,) metres that
    whoever stands is moved, and turn: radians that they are turned."""

    first: str
    second: str
    last: int
    by: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turn: float = 0.0


WAYS = {
    "from the back": Way("Lying/Lie on the back", "", 110),
    "from the back, away": Way("Lying/Lie on the back", "", 130, (0.6, 0.0, 1.2), 1.2),
    "from the back, hasty": Way("Lying/Lie on the back", "", 40),
    "from the belly": Way("Lying/Lie face down", "", 110),
    "from the side": Way("Lying/Sleep on the side", "", 110),
    "from the seat": Way("Sitting on the floor/Sit, hands behind", "", 80),
    "from folded legs": Way("Sitting on the floor/Sit, legs folded", "", 80),
    "from the knees": Way("Kneeling/Kneel upright", "", 60),
    "from the heels": Way("Kneeling/Sit on the heels", "", 60),
    "from one knee": Way("Kneeling/Knight", "", 40),
    "onto the back": Way("", "Lying/Lie on the back", 110),
    "onto the belly": Way("", "Lying/Lie face down", 110),
    "from the back to the seat": Way("Lying/Lie on the back", "Sitting on the floor/Sit, hands behind", 50),
    "from the seat to the back": Way("Sitting on the floor/Sit, hands behind", "Lying/Lie on the back", 50),
    "from the back to folded legs": Way("Lying/Lie on the back", "Sitting on the floor/Sit, legs folded", 50),
    "from the side to the seat": Way("Lying/Sleep on the side", "Sitting on the floor/Sit, hands behind", 60),
    "from the belly to the seat": Way("Lying/Lie face down", "Sitting on the floor/Sit, hands behind", 80),
    "from the back to the belly": Way("Lying/Lie on the back", "Lying/Lie face down", 80),
    "from the back to the side": Way("Lying/Lie on the back", "Lying/Sleep on the side", 60),
    "from the belly to the knees": Way("Lying/Lie face down", "Kneeling/Kneel upright", 80),
    "from the seat to the knees": Way("Sitting on the floor/Sit, legs folded", "Kneeling/Kneel upright", 60),
}  # fmt: skip


class Measured(NamedTuple):
    """Of one way, in the units of the table."""

    sinks: float
    floats: float
    feet: float
    knees: float
    hands: float
    sweeps: float
    off: float
    off_most: float
    knee: float
    pelvis: float
    speed: float


def getting_up(way: Way, who: Person) -> Document:
    """Somebody with those poses at two keys."""
    document = walking(Walk(way.by, way.turn, way.last), who)
    for frame, name in ((0, way.first), (way.last, way.second)):
        if name:
            content = poses_of(entry_of(shipped_folder() / f"{name}.json"))
            document = take_pose("c1", content, Taking())(document.at_frame("c1", frame))
            document = (
                edits.set_key("c1", frame)(document) if document.actor("c1").clip.key(frame) is None else document
            )
    return document


def measured(document: Document) -> Measured:
    """What the frames between the keys do."""
    person = document.character("c1")
    body, rig, worlds = load_body(person.body), rig_of(skeleton_of(person)), joints_over_time(document)
    floor = floor_of(person.body, person.shape, person.hands, document.actor("c1").posing.solver_options)
    assert floor is not None
    clip, options = document.actor("c1").clip, document.actor("c1").posing.solver_options
    hands = [hands_at(clip, frame) for frame in range(len(worlds))]
    floors = [floor_of(person.body, person.shape, held, options) for held in hands]
    skins = np.array([each.places(world) for each, world in zip(floors, worlds, strict=True) if each is not None])
    places = np.array([world.positions for world in worlds], np.float64)
    limbs = _of(rig, [role for limb in (*LEGS, *ARMS) for role in (limb.hinge, limb.end, limb.tip)])
    trunk = ~np.isin(floor.carriers, limbs)
    for j in (rig.joint(leg.hinge) for leg in LEGS):
        trunk &= np.linalg.norm(skins - places[:, None, j], axis=-1).min(axis=0) > KNEE_M
    borne: NDArray[np.bool_] = np.asarray(skins[:, trunk, 1].min(axis=1) >= ON_M)
    owners = {
        "feet": [np.isin(floor.carriers, _of(rig, (leg.end, leg.tip))) for leg in LEGS],
        "hands": [np.isin(floor.carriers, _of(rig, (arm.end, arm.tip, *arm.fingers))) for arm in ARMS],
    }
    low = skins[..., 1] < ON_M
    on = low & borne[:, None]
    slides = {name: max(slid(skins[:, mine], on[:, mine]) for mine in each) for name, each in owners.items()}
    sweeps = max(slid(skins[:, mine], low[:, mine]) for each in owners.values() for mine in each)
    knees = [rig.joint(leg.hinge) for leg in LEGS]
    own = [np.isin(floor.carriers, [knee, rig.joint(leg.root)]) for knee, leg in zip(knees, LEGS, strict=True)]
    near = [
        on[:, mine] & (np.linalg.norm(skins[:, mine] - places[:, None, knee], axis=-1) < KNEE_M)
        for knee, mine in zip(knees, own, strict=True)
    ]
    hips = [rig.joint(leg.root) for leg in LEGS]
    bends = np.diff(places[:, knees] - places[:, hips], 2, axis=0)
    shares = mass_shares(body, person.shape)
    speeds = np.linalg.norm(np.gradient(np.array([shares.centre(world) for world in worlds]), axis=0), axis=1) * FPS
    off = [
        _off(balance(body, person.shape, world, held).margin)
        for world, held, speed in zip(worlds, hands, speeds, strict=True)
        if speed < SLOW
    ]
    return Measured(
        -1000.0 * float(skins[..., 1].min()),
        1000.0 * float(skins[..., 1].min(axis=1).max()),
        slides["feet"],
        max(slid(skins[:, mine], each) for mine, each in zip(own, near, strict=True)),
        slides["hands"],
        sweeps,
        float(np.mean(off)),
        max(off),
        100.0 * float(np.linalg.norm(bends, axis=-1).max()),
        float(np.linalg.norm(np.diff(places[:, 0], 3, axis=0), axis=-1).max()) * FPS**3,
        float(np.linalg.norm(np.diff(places, axis=0), axis=-1).max()) * FPS,
    )  # fmt: skip


def _of(rig: Rig, roles: Sequence[object]) -> list[int]:
    return [j for j, role in enumerate(rig.roles) if role in roles]


def _off(margin: float | None) -> float:
    """Centimetres beside the support; of somebody in the air a whole metre."""
    return 100.0 if margin is None else 100.0 * max(-margin, 0.0)


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each way and person."""

    def row_of(way: str, who: str, _: Namespace) -> Measured:
        return measured(getting_up(WAYS[way], PEOPLE[who]))

    print_ways(script_parser(__file__, __doc__), "way", WAYS, Measured._fields, row_of, arguments)


if __name__ == "__main__":
    main()
