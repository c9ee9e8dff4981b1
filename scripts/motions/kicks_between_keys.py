"""How people kick who stand at one key, have a foot up with the leg stretched at the next, and stand again at a third.

python -m scripts.motions.kicks_between_keys [KICK…] [--bodies female,male,…]

Jerk: m/s³ of any joint; of the kicking foot alone. Speed: m/s of the fastest joint; of the kicking foot. Peaks: how
often that foot is fastest beside the pelvis, counted both ways; two for one each. Bends: degrees that the knee is bent
at most on the way. Slides: mm that the ball of the foot that stands goes over the floor; it may turn about it. Scrapes:
mm that skin of the one that kicks does. Sinks: mm that any skin is below that. Off: cm that the centre of mass is
beside what bears the body, in the mean over frames at which the kicking foot is up.
"""

from __future__ import annotations

from argparse import Namespace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.model.finger_curve import hands_at
from app.document.posing.solving import floor_of
from scripts.arguments import script_parser
from scripts.motions.poses_between_keys import FOLDER, keyed
from scripts.motions.walks_between_keys import FPS, ON_M, PEOPLE, joints_over_time, print_ways, slid
from solver.body.catalog import load_body
from solver.contact.balance import balance
from solver.kinematics.rotations import angle_between
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

Array = NDArray[np.float64]
FAST = 0.3  # of the greatest speed, from which a peak counts

STAND, GUARD, FIGHTING = None, FOLDER / "Fighting" / "Guard.json", FOLDER / "Fighting"
KICKS = {
    f"{kick.lower()} kick, {name}, {frames / FPS:.1f} s": (before, FIGHTING / f"{kick} kick.json", frames)
    for kick in ("Front", "Side", "Roundhouse")
    for name, before in (("standing", STAND), ("on guard", GUARD))
    for frames in (18, 27)
}


class Measured(NamedTuple):
    """Of one kick, in the units of the table."""

    jerk: float
    foot_jerk: float
    speed: float
    foot_speed: float
    peaks: float
    bends: float
    slides: float
    scrapes: float
    sinks: float
    off: float


def measured(document: Document, at: int) -> Measured:
    """What the frames between the keys do. at: the frame of the kick."""
    person, actor = document.character("c1"), document.actor("c1")
    body, rig, worlds = load_body(person.body), rig_of(skeleton_of(person)), joints_over_time(document)
    floor = floor_of(person.body, person.shape, person.hands, actor.posing.solver_options)
    assert floor is not None
    places = np.array([world.positions for world in worlds], np.float64)
    skins = np.array([floor.places(world) for world in worlds])
    kicks, stays = sorted(LEGS, key=lambda leg: -places[at, rig.joint(leg.end), 1])
    hip, knee, ankle = (rig.joint(role) for role in (kicks.root, kicks.hinge, kicks.end))
    jerks = np.linalg.norm(np.diff(places, 3, axis=0), axis=-1) * FPS**3
    speeds = np.linalg.norm(np.diff(places, axis=0), axis=-1) * FPS
    beside = np.linalg.norm(np.diff(places[:, ankle] - places[:, 0], axis=0), axis=-1)
    peaks = (beside[1:-1] > np.maximum(beside[:-2], beside[2:])) & (beside[1:-1] > FAST * beside.max())
    bends = [angle_between(one[knee] - one[hip], one[ankle] - one[knee]) for one in places]
    mine = [np.isin(floor.carriers, [rig.joint(leg.end), rig.joint(leg.tip)]) for leg in (stays, kicks)]
    on = [skins[:, foot, 1] < ON_M for foot in mine]
    up = np.flatnonzero(skins[:, mine[1], 1].min(axis=1) > ON_M)
    margins = [balance(body, person.shape, worlds[one], hands_at(actor.clip, one)).margin for one in up.tolist()]
    return Measured(
        float(jerks.max()),
        float(jerks[:, ankle].max()),
        float(speeds.max()),
        float(speeds[:, ankle].max()),
        float(peaks.sum()),
        float(np.degrees(max(bends))),
        slid(places[:, [rig.joint(stays.tip)]], np.any(on[0], axis=1)[:, None]),
        slid(skins[:, mine[1]], on[1]),
        -1000.0 * float(skins[..., 1].min()),
        float(np.mean([100.0 * max(-each, 0.0) for each in margins if each is not None] or [0.0])),
    )


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each kick and person."""
    parser = script_parser(__file__, __doc__)

    def row_of(kick: str, who: str, given: Namespace) -> Measured:
        before, up, frames = KICKS[kick]
        return measured(keyed(PEOPLE[who], {0: before, frames: up, 2 * frames: before}, False), frames)

    print_ways(parser, "kick", KICKS, Measured._fields, row_of, arguments)


if __name__ == "__main__":
    main()
