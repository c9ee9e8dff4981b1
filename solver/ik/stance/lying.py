"""People who lie or sit on the floor stay down while a hand, a foot or the head is moved.

Networks have hardly seen anybody lying, and propose to get up. So a proposal keeps to the base pose for as long as
nobody takes the trunk off the floor, and the solve leans to where the trunk lies. It slides along the floor, as far as
a limb needs it to reach its target; and where a strict effector is missed all the same, the leans give way. Who lies on
the front, or is pulled up from a hand that is held, takes the chest along, and may turn above that hand. Feet of who is
lifted from the seat swing in below the hips, and keep above the floor on the way.

So it is with people who are tipped over: upside down, bent over backwards, or as stiff and aslant as a felled tree; and
with those who lie on a thing, as on a bed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.contact.floor_points import FloorPoints, HeightBound
from solver.contact.weight_shift import LEAVES, weight_borne
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.effectors.kinds import Position, Rotation
from solver.ik.stance.hips import whole_legs
from solver.ik.stance.leans import Lean, Strength, joints_with
from solver.ik.stance.seated import is_lifted, is_lifted_with_hand_held, reaching
from solver.kinematics.curves import eased, eased_between
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose, pose_between
from solver.kinematics.rotations import interpolate, rotation_between
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, HEAD_AND_NECK, LEGS, LIMBS, SPINE, TRUNK, Role

Array = NDArray[np.float64]
# A trunk that is held more firmly no longer follows a knee; the seat alone has to carry somebody who sits.
SEAT, BACK = Strength(3e3, 60.0), Strength(1e3, 10.0)
LIES_TURNED, SITS_TURNED = Strength(1e3, 20.0), Strength(100.0, 3.0)  # somebody who sits leans over
LIFTED, STOOD_UP = (0.25, 0.6), (0.03, 0.25)  # metres: raised by more than the first, the trunk is let go of by and by
BY_HAND = (0.0, 0.9)  # likewise, while a hand is held
FEET_LED, LED = Strength(1e3, 3.0), (0.1, 0.3)  # of who is lifted; likewise, how far until they are led firmly
ANKLE_STANDS = 0.12  # above the floor, in lengths of the leg
LEGS_STAND = (0.3, 1.0)  # of the legs' length: how far somebody is lifted as legs begin to hang to stand, and stand
FRONT_DOWN = (0.5, 0.9)  # how far the front faces down, as a sine: from the first it begins to, by the second it does
CHEST_BEHIND = 0.1  # metres that a chest on the floor stays behind a pelvis that is taken up, at most
# Metres that the pelvis of somebody on the front rises from what else is held; how much its turn is still held there.
PULLED_UP, TURNED_LEFT = 0.3, 0.05
HEAD_UP = (0.03, 0.15)  # likewise the back, as the head rises
SLACK, ROUNDS = 0.98, 3  # of a limb's length, as far as it is stretched; of sliding to what several limbs reach
STEEP, ANKLE_LIES = (0.9, 1.0), (0.09, 0.13)  # rise of the knee by the shin's length; metres above the floor
BENT = (0.05, 0.15)  # share by which a leg is shorter than stretched
LEVEL, DOWN = np.array([1.0, 0.0, 1.0]), np.array([0.0, -1.0, 0.0])
BACK_AND_SEAT = (Role.PELVIS, *SPINE)
HANGS = (0.0, 0.25)  # how far down a trunk points, as a sine
FEET_UP = (0.0, 0.3)  # lengths of the trunk that both ankles are above the pelvis
FRONT_UP = (0.3, 0.7)  # how far up the pelvis faces, as a sine
STIFF = (0.8, 0.95)  # cosine of the angle between the trunk and each leg
ASLANT = (0.97, 0.925)  # cosine of the angle between the line from ankles to neck and the vertical: nobody stands so
TRUNK_LEVEL = (0.62, 0.55)  # how far a trunk points up or down, as a sine
LEGS_LEVEL = (-0.45, -0.3)  # lengths of the trunk that the lowest knee or ankle is above the pelvis
RAISED = (0.2, 0.9)  # metres that the trunk is taken up: whoever was felled gets up little by little
FLESH = {Role.PELVIS: (Role.PELVIS, *(leg.root for leg in LEGS))}  # the seat is partly the thighs'


@dataclass(frozen=True, eq=False)
class Bed:
    """How a pose lies on the floor. world: its joints. bears: how much of the weight joints of the trunk bear, 0..1, by
    index; without those that bear none."""

    world: WorldJoints
    bears: Mapping[int, float]

    @property
    def faces_down(self) -> float:
        """How far somebody lies on the front, 0..1, by how the pelvis is turned."""
        return eased_between(-float(self.world.rotations[0][1, 2]), *FRONT_DOWN)

    @property
    def is_seat(self) -> bool:
        """Whether it is only sat on."""
        return all(j == 0 for j in self.bears)


class Moved(NamedTuple):
    """What effectors ask of a trunk that lies. slide: (3,) metres along the floor. down: from 1 to 0 as it
    is taken off the floor. back: likewise for the back alone, as the head rises. turned: from 1 to a
    little for how the pelvis of somebody on the front is turned, as it rises from what else is asked. carried: metres
    that a chest is carried up."""

    slide: Array
    down: float
    back: float
    turned: float
    carried: float


class _Line(NamedTuple):
    """(3,) metres from the pelvis to the neck, and (2, 3) to ankles and knees. front: how far up the pelvis faces, as a
    sine."""

    trunk: NDArray[np.float64]
    ankles: NDArray[np.float64]
    knees: NDArray[np.float64]
    front: float

    @property
    def length(self) -> float:
        """Of the trunk."""
        return max(float(np.linalg.norm(self.trunk)), 1e-6)

    @property
    def hangs(self) -> float:
        """How far the trunk points down, 0..1."""
        return eased_between(-float(self.trunk[1]) / self.length, *HANGS)


def lying_leans(skeleton: Skeleton, bed: Bed, effectors: Sequence[Effector]) -> tuple[Lean, ...]:
    """Leans to where the trunk lies; weaker ones, and in the end none, as effectors take it away from there."""
    placed, moved = _placed(skeleton, effectors), _moved(skeleton, bed, effectors)
    leans = list[Lean]()
    for j, bears in bed.bears.items():
        name, share = skeleton.names[j], moved.down * bears * (moved.back if j else 1.0)
        if share <= 0.0:
            continue
        if j not in placed:
            place = bed.world.positions[j] + moved.slide + [0.0, moved.carried if j else 0.0, 0.0]
            leans.append(Lean(Position(name, place.astype(np.float32)), (BACK if j else SEAT).times(share)))
        if j == 0:
            turned = SITS_TURNED if bed.is_seat else LIES_TURNED
            leans.append(Lean(Rotation(name, bed.world.rotations[j]), turned.times(share * moved.turned)))
    return (*leans, *_sliding_feet(skeleton, bed, placed, moved.down))


def kept_down(
    skeleton: Skeleton, bed: Bed, effectors: Sequence[Effector], base: Pose, proposal: Pose, lifted: bool = False
) -> Pose:
    """The proposal, as near to the base pose, which lies as `bed` says, as its trunk is kept on the floor.

    lifted: whether somebody who sat is lifted by the pelvis, and keeps the legs as they are until there is room for
    them.
    """
    moved = _moved(skeleton, bed, effectors)
    if lifted:
        moved = moved._replace(down=_share_left(_raised(skeleton, bed, effectors), *LEGS_STAND))
    if moved.down <= 0.0 and not lifted:
        return proposal
    there = Pose((base.root_position + moved.slide).astype(np.float32), base.rotations)
    made = pose_between(proposal, there, moved.down)
    return _with_feet_led(skeleton, bed, effectors, made, proposal) if lifted else made


def _with_feet_led(skeleton: Skeleton, bed: Bed, effectors: Sequence[Effector], made: Pose, proposal: Pose) -> Pose:
    """A pose with its knees bent as far as its ankles are led."""
    share = 1.0 - _share_left(_raised(skeleton, bed, effectors), *LED)
    if share <= 0.0:
        return made
    rotations = np.array(made.rotations, np.float64)
    pelvis = _placed(skeleton, effectors)[0]
    place = bed.world.positions[0] + pelvis.target - pelvis.held_at(skeleton, bed.world)
    hangs = None if is_lifted_with_hand_held(skeleton, effectors) else forward_kinematics(skeleton, proposal)
    for line, ankle in _led(skeleton, bed, effectors, hangs):
        own = rotations[list(line)]
        rotations[list(line)] = interpolate(own, reaching(skeleton, line, own, rotations[0].T @ (ankle - place)), share)
    return Pose(made.root_position, rotations.astype(np.float32))


@memoised(16, by_identity=True)
def bed_of(skeleton: Skeleton, floor: FloorPoints, pose: Pose) -> Bed:
    """How a pose lies on the floor."""
    rig, world = rig_of(skeleton), forward_kinematics(skeleton, pose)
    if _flesh_bound(skeleton, floor).least(world) > LEAVES + floor.ground.gives:  # as of nearly all who stand
        return Bed(world, {})
    points, places = floor.near(world, LEAVES)
    carriers, weights = floor.carriers[points], weight_borne(places[:, 1])
    # Of a thigh only the half at the hip is sat on: the other half bears somebody who kneels.
    for line in whole_legs(skeleton):
        hip, knee = (np.linalg.norm(places - world.positions[j], axis=1) for j in line[:2])
        weights = np.where((carriers == line[0]) & (knee < hip), 0.0, weights)
    bears = dict[int, float]()
    for joint, flesh in _flesh(rig).items():
        most = float(weights[np.isin(carriers, flesh)].max(initial=0.0))
        if most > 0.0:
            bears[joint] = most
    return Bed(world, bears)


def _flesh(rig: Rig) -> dict[int, tuple[int, ...]]:
    """The joints whose flesh each joint of the trunk lies on."""
    return {rig.index(role): joints_with(rig, FLESH.get(role, (role,))) for role in TRUNK if not rig.lacking([role])}


@memoised(16, by_identity=True)
def _flesh_bound(skeleton: Skeleton, floor: FloorPoints) -> HeightBound:
    """How low the flesh of the trunk can be."""
    return floor.bound_of(sorted(set().union(*_flesh(rig_of(skeleton)).values())), len(skeleton))


def _raised(skeleton: Skeleton, bed: Bed, effectors: Sequence[Effector]) -> float:
    """How far the pelvis is asked to rise, in lengths of the legs."""
    rig, placed = rig_of(skeleton), _placed(skeleton, effectors)
    legs = [np.linalg.norm(skeleton.offsets[list(joints_with(rig, leg.line[1:]))], axis=1).sum() for leg in LEGS]
    above = float(placed[0].target[1] - placed[0].held_at(skeleton, bed.world)[1]) if 0 in placed else 0.0
    return above / max(float(np.mean(legs)), 1e-6)


def _placed(skeleton: Skeleton, effectors: Sequence[Effector]) -> dict[int, PointEffector]:
    """What asks for a place, by its joint."""
    return {skeleton.index(e.joint): e for e in effectors if e.is_active and isinstance(e, PointEffector)}


def _away(skeleton: Skeleton, world: WorldJoints, effectors: Sequence[Effector]) -> dict[int, Array]:
    """(3,) metres that joints are asked to be away from where they are there, by joint."""
    placed = _placed(skeleton, effectors)
    return {j: np.asarray(e.target - e.held_at(skeleton, world), np.float64) for j, e in placed.items()}


def _trunk_raised(skeleton: Skeleton, effectors: Sequence[Effector], base: Pose) -> float:
    """Metres by which pelvis and back are asked to be higher than in the base pose, at most."""
    away = _away(skeleton, forward_kinematics(skeleton, base), effectors)
    return _highest(rig_of(skeleton), BACK_AND_SEAT, away)


def _moved(skeleton: Skeleton, bed: Bed, effectors: Sequence[Effector]) -> Moved:
    rig, away = rig_of(skeleton), _away(skeleton, bed.world, effectors)
    slide, above = (away[0] * LEVEL, 0.0) if 0 in away else _slide_to_reach(skeleton, rig, bed.world, away)
    by_hand = is_lifted_with_hand_held(skeleton, effectors)
    low, high = STOOD_UP if bed.is_seat else BY_HAND if by_hand else LIFTED
    raised = max(above, _highest(rig, BACK_AND_SEAT, away))
    head = _highest(rig, HEAD_AND_NECK, away)
    down = _share_left(raised, low, high)
    rises = float(away[0][1]) if 0 in away else 0.0
    turns = 0.0 if is_lifted(skeleton, effectors) else bed.faces_down * (1.0 - TURNED_LEFT) * eased(rises / PULLED_UP)
    carried = 1.0 if by_hand else bed.faces_down
    return Moved(slide, down, _share_left(head, *HEAD_UP), 1.0 - turns, carried * _carried(rises, down))


def _carried(raised: float, down: float) -> float:
    """Metres that a chest goes up with a pelvis that is raised: it is left behind at first, and catches up as the trunk
    is let go of. Kept on the floor, it came off with a jump."""
    return raised - down * CHEST_BEHIND * (1.0 - float(np.exp(-raised / CHEST_BEHIND))) if raised > 0.0 else 0.0


def _sliding_feet(skeleton: Skeleton, bed: Bed, placed: Mapping[int, PointEffector], down: float) -> Iterator[Lean]:
    """Leans of feet that lie on the floor to where they still are on it under a knee that is dragged."""
    rig = rig_of(skeleton)
    for leg in LEGS:
        line = joints_with(rig, leg.line)
        if len(line) < len(leg.line) or line[1] not in placed or line[2] in placed:
            continue
        hip, knee, ankle = (bed.world.positions[j].astype(np.float64) for j in line)
        along, shin = (ankle - hip) * LEVEL, float(np.linalg.norm(skeleton.offsets[line[2]]))
        target = knee + placed[line[1]].target - placed[line[1]].held_at(skeleton, bed.world)
        rise = float(target[1] - ankle[1])
        bent = 1.0 - float(np.linalg.norm(ankle - hip)) / (shin + float(np.linalg.norm(knee - hip)))
        share = down * _share_left(rise / shin, *STEEP) * _share_left(float(ankle[1]), *ANKLE_LIES)
        share *= _share_left(bent, *BENT)  # a leg that is bent already need not slide
        if share > 0.0 and rise > 0.0 and along.any():
            out = np.sqrt(shin**2 - rise**2) * along / np.linalg.norm(along)
            place = target * LEVEL + out + [0.0, ankle[1], 0.0]
            yield Lean(Position(skeleton.names[line[2]], place.astype(np.float32)), BACK.times(share))


def lifted_feet(skeleton: Skeleton, bed: Bed, effectors: Sequence[Effector]) -> Iterator[Lean]:
    """Leans of the feet of somebody who sat and is pulled up by the pelvis, with a hand held, to where they are led.
    Above that hand the pelvis turns, and would swing the legs round."""
    share = 1.0 - _share_left(_raised(skeleton, bed, effectors), *LED)
    if share > 0.0 and is_lifted_with_hand_held(skeleton, effectors):
        for line, place in _led(skeleton, bed, effectors):
            yield Lean(Position(skeleton.names[line[2]], place.astype(np.float32)), FEET_LED.times(share))


def _led(
    skeleton: Skeleton, bed: Bed, effectors: Sequence[Effector], hangs: WorldJoints | None = None
) -> Iterator[tuple[tuple[int, ...], Array]]:
    """Where ankles of somebody who sat and is pulled up by the pelvis are led, (3,) metres, with the joints of their
    legs, from the hip: they swing in below the hips, on the floor until there is room for legs to hang, however the
    pelvis turns above them.

    hangs: with legs as they are to hang; else they do straight down.
    """
    if not (bed.is_seat and is_lifted(skeleton, effectors, ARMS)):
        return
    pelvis = _placed(skeleton, effectors)[0]
    stands = 1.0 - _share_left(_raised(skeleton, bed, effectors), *LEGS_STAND)
    way = np.asarray(pelvis.target - pelvis.held_at(skeleton, bed.world), np.float64)
    for line in whole_legs(skeleton):
        hip, ankle = (bed.world.positions[j].astype(np.float64) for j in (line[0], line[2]))
        length = float(np.linalg.norm(skeleton.offsets[list(line[1:])], axis=1).sum())
        out = ankle - hip
        down = SLACK * length * DOWN if hangs is None else hangs.positions[line[2]] - hangs.positions[line[0]]
        far, reach = (max(float(np.linalg.norm(v)), 1e-6) for v in (out, down))
        turn = interpolate(np.eye(3), rotation_between(out, down), stands)
        place = way + hip + turn @ out * (1.0 + stands * (reach / far - 1.0))
        place[1] = max(place[1], ANKLE_STANDS * length)  # in the floor, feet would flip below the hips at once
        yield line, place


def _highest(rig: Rig, roles: Sequence[Role], away: Mapping[int, Array]) -> float:
    return max((float(away[j][1]) for j in joints_with(rig, roles) if j in away), default=0.0)


def _share_left(way: float, low: float, high: float) -> float:
    return 1.0 - eased_between(way, low, high)


def _slide_to_reach(skeleton: Skeleton, rig: Rig, world: WorldJoints, away: Mapping[int, Array]) -> tuple[Array, float]:
    """How far along the floor the trunk has to go for its limbs to reach where their joints are taken, (3,) metres, and
    by how much the highest of these would still be too high."""
    slide, above = np.zeros(3), 0.0
    for _ in range(ROUNDS):
        for limb in LIMBS:
            line, length = joints_with(rig, limb.line), 0.0
            for j in line[1:] if len(line) == len(limb.line) else ():
                length += float(np.linalg.norm(skeleton.offsets[j]))
                if j in away:
                    way = world.positions[j] + away[j] - world.positions[line[0]] - slide
                    far = float(np.hypot(way[0], way[2]))
                    reach = float(np.sqrt(max((SLACK * length) ** 2 - float(way[1]) ** 2, 0.0)))
                    slide = slide + way * LEVEL * (1.0 - reach / far) if far > reach else slide
                    above = max(above, float(way[1]) - SLACK * length)
    return slide, above


def how_tipped(skeleton: Skeleton, effectors: Sequence[Effector], base: Pose) -> float:
    """How far somebody is tipped over, 0..1: 1 upside down, as in a handstand, bent over backwards, as in a bridge, and
    felled (`how_felled`); this the less, the further up effectors take the trunk. 0 for a rig without neck, knees or
    ankles."""
    upside_down, felled = _how_posed(skeleton, base)
    if felled <= upside_down:  # as of nearly all
        return upside_down
    return max(upside_down, felled * (1.0 - eased_between(_trunk_raised(skeleton, effectors, base), *RAISED)))


def how_felled(skeleton: Skeleton, base: Pose) -> float:
    """How far somebody lies, or is aslant as they stood, 0..1."""
    return _how_posed(skeleton, base)[1]


@memoised(16, by_identity=True)
def _how_posed(skeleton: Skeleton, base: Pose) -> tuple[float, float]:
    """How far somebody is upside down or bent over backwards, and how far felled."""
    line = _line(skeleton, base)
    if line is None:
        return 0.0, 0.0
    return max(_upside_down(line), _bent_back(line)), max(_stiff(line), _lies(line))


def _line(skeleton: Skeleton, base: Pose) -> _Line | None:
    rig = rig_of(skeleton)
    ends = joints_with(rig, (Role.PELVIS, Role.NECK, *(leg.end for leg in LEGS), *(leg.hinge for leg in LEGS)))
    if len(ends) < 2 + 2 * len(LEGS):
        return None
    was = forward_kinematics(skeleton, base)
    pelvis, neck, *legs = was.positions[list(ends)].astype(np.float64)
    ankles, knees = np.split(np.stack(legs) - pelvis, 2)
    return _Line(neck - pelvis, ankles, knees, float(was.rotations[0][1, 2]))


def _upside_down(line: _Line) -> float:
    """With the trunk hanging and both ankles above the pelvis."""
    return line.hangs * eased_between(float(line.ankles[:, 1].min()) / line.length, *FEET_UP)


def _bent_back(line: _Line) -> float:
    """With the trunk hanging and the front up."""
    return line.hangs * eased_between(line.front, *FRONT_UP)


def _stiff(line: _Line) -> float:
    """With thighs and legs in line with the trunk, aslant: who kneels or sits so has the thighs elsewhere."""
    legs = np.concatenate((line.ankles, line.knees))
    along = -legs @ line.trunk / np.maximum(np.linalg.norm(legs, axis=1) * line.length, 1e-6)
    whole = line.trunk - line.ankles.mean(axis=0)
    tilt = float(whole[1]) / max(float(np.linalg.norm(whole)), 1e-6)
    return eased_between(float(along.min()), *STIFF) * eased_between(-tilt, *(-each for each in ASLANT))


def _lies(line: _Line) -> float:
    """With the trunk about level, and no leg much lower: on all fours thighs are, and on a chair shins."""
    steep = abs(float(line.trunk[1])) / line.length
    lowest = float(min(line.ankles[:, 1].min(), line.knees[:, 1].min())) / line.length
    return eased_between(-steep, *(-each for each in TRUNK_LEVEL)) * eased_between(lowest, *LEGS_LEVEL)
