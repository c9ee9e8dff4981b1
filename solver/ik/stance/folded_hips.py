"""Who presses the pelvis down over a foot that stands tilts it back, once the thigh folds no further against the trunk.

As the pelvis goes down between feet that stay, thighs fold up towards the trunk, until hips turn no further. Then there
is room only where the pelvis turns, and a search would turn it to a side and to the other, by tens of degrees within
centimetres, with trunk and arms. So the pelvis leans back evenly, by as much as the thigh would fold too far. Taken
aside, hips find that room by themselves: there the pelvis leans the less, the less straight down it is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.effectors.form_ids import TURN
from solver.effectors.forms import PointEffector
from solver.effectors.kinds import Rotation
from solver.ik.stance.hips import FOLDED, downwards, folded, folded_already, nearest_hip, whole_legs
from solver.ik.stance.leans import Lean, Strength, joints_asked, strict_places
from solver.kinematics.curves import eased
from solver.kinematics.fk import WorldJoints
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised

Array = NDArray[np.float64]
FIRMLY = np.radians(2.0)  # that a thigh would fold too far, by which the pelvis is held firmly
TILTS = Strength(1e3, 1e3)
SLANTED = 0.2  # how straight down the pelvis is taken, 0..1, up to where it does not lean
STEPS = 8  # of the way down, at which it is asked how far thighs would fold


@memoised(16, by_identity=True)  # a drag of something else calls it with the same effectors in every solve
def folded_leans(skeleton: Skeleton, effectors: tuple[Effector, ...], base: WorldJoints) -> tuple[Lean, ...]:
    """A lean of the pelvis, which is pressed down, to where it is tilted back as far as thighs would fold too far; none
    if they do not, or if its turn is asked. Only legs count whose ankles are held, and that are folded already.

    base: of the base pose.
    """
    placed = strict_places(skeleton, effectors)
    legs = _legs(skeleton, base) if 0 in placed else ()
    if not any(share for _, share in legs):  # as of all who stand
        return ()
    down = downwards(placed[0].target - base.positions[0])
    if down <= SLANTED or 0 in joints_asked(skeleton, effectors, TURN):
        return ()
    turn, asked = base.rotations[0].astype(np.float64), {skeleton.index(e.joint) for e in effectors if e.is_active}
    legs = tuple((line, share) for line, share in legs if line[1] not in asked and line[2] in placed)
    over, places = 0.0, _on_the_way(skeleton, base, placed, [line for line, _ in legs])
    for line, share in legs:
        was = base.positions[list(line)].astype(np.float64)
        hips, ankle = places + turn @ skeleton.offsets[line[0]], placed[line[2]].target.astype(np.float64)
        now = folded((_knees(skeleton, was, line, hips, ankle) - hips) @ turn)
        before = folded((was[1:2] - was[0]) @ turn)
        over = max(over, share * float(now.max() - max(FOLDED, before[0])))
    straight = eased((down - SLANTED) / (1.0 - SLANTED))
    over *= straight
    tilted = (from_rotation_vector(turn[:, 0] * -over) @ turn).astype(np.float32)
    firmly = TILTS.times(straight * eased(over / FIRMLY))
    return (Lean(Rotation(skeleton.names[0], tilted), firmly),) if over > 0.0 else ()


@memoised(32, by_identity=True)  # every solve of a drag calls it with the same pose
def _legs(skeleton: Skeleton, base: WorldJoints) -> tuple[tuple[tuple[int, ...], float], ...]:
    """Each leg's hip, knee and ankle, and how much its thigh is folded already."""
    return tuple((line, folded_already(base, line)) for line in whole_legs(skeleton))


def _on_the_way(
    skeleton: Skeleton, base: WorldJoints, placed: Mapping[int, PointEffector], lines: Sequence[Sequence[int]]
) -> Array:
    """(N, 3) places of the pelvis on its way to where it is asked to be, no lower than knees bend.

    All of the way counts, so that the pelvis does not tilt ahead again where a thigh would come to point aside.
    """
    was, turn = base.positions.astype(np.float64), base.rotations[0].astype(np.float64)
    places = was[0] + (placed[0].target - was[0]) * (np.arange(1, STEPS + 1)[:, None] / STEPS)
    for line in lines:
        ways = places + turn @ skeleton.offsets[line[0]] - placed[line[2]].target
        high = nearest_hip(skeleton, was, line) ** 2 - ways[:, 0] ** 2 - ways[:, 2] ** 2
        rise = np.sqrt(np.maximum(high, 0.0)) - ways[:, 1]
        places[:, 1] += np.where(high > 0.0, np.maximum(rise, 0.0), 0.0)
    return np.asarray(places)


def _knees(skeleton: Skeleton, was: Array, line: Sequence[int], hips: Array, ankle: Array) -> Array:
    """(N, 3) where a knee comes to be between each of the hips, (N, 3), and the ankle, (3,), bent towards where it is
    in the base pose. was: (3, 3) metres, hip, knee and ankle of that pose."""
    thigh, shin = (float(np.linalg.norm(skeleton.offsets[j])) for j in line[1:])
    ways = hips - ankle
    lengths = np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-6)
    ways /= lengths
    along = np.clip((shin**2 + lengths**2 - thigh**2) / (2.0 * lengths), -shin, shin)
    ahead = was[1] - was[2] - ways * (ways @ (was[1] - was[2]))[:, None]
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-6)
    return np.asarray(ankle + ways * along + ahead * np.sqrt(shin**2 - along**2))
