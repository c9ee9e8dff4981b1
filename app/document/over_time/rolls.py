"""How feet of people who step roll over the floor: off it by the heel and then the ball, and onto it by the heel.

While a foot stands on its ball, that and the toes stay, and the ankle goes up and ahead about it; on its heel, the
ankle goes as the heel rolls. How far it rolls goes by how long the step is. Sideways the heel leaves first, a little,
and the ball lands first. Who walks back does all of it the other way round: a foot leaves by its toes and then the
heel, and lands on the ball, from which the heel comes down.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.between import Frames
from solver.contact.feet import Feet, FootShape
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import TurnEffector
from solver.effectors.kinds import Position, Rotation
from solver.kinematics.curves import eased_between
from solver.rig.level_feet import pitched, toes_down
from solver.rig.rig import Rig
from solver.rig.roles import Limb

Array = NDArray[np.float64]

# Radians that toes are down as a foot leaves the floor and up as it lands, in a step ahead as long as `LONG` legs.
LEAVES, LANDS, LONG = np.radians(42.0), np.radians(20.0), 1.1
LEAST, SHORT = np.radians(14.0), 0.25  # of any step as long as that, in legs, the toes are down so far as it leaves
FLAT = 0.3  # legs that a step ahead is long at most to land on a flat foot
BACK = (0.25, 0.7)  # of how far a step goes, how much it goes back: up to the first it is one aside
LANDS_BACK = np.radians(34.0)  # that toes are down as a foot lands in a step back as long as `LONG` legs
LANDS_ASIDE = np.radians(5.0)  # likewise in a step aside, of `SHORT` legs or more
BEFORE, AFTER = 0.6, 0.35  # of a step's time, in which the heel rises before it and the ball comes down after it
BEFORE_S, AFTER_S = 0.35, 0.15  # seconds of those at most
RISING, LYING = 0.3, 0.15  # of a step's time, in which the heel rises and the ball comes down at least
STEEPEST, READY = 0.12, 0.1  # of the swing's time: in which the heel goes on rising; in which it is ready to land
CLIMBS, HIGH = np.radians(35.0), 0.4  # that toes are further down as a foot leaves that goes up or down so many legs
LEVEL = np.radians(6.0)  # that a foot's toes are down or up at most at a key of which it rolls


class Roll(NamedTuple):
    """How one foot rolls in one step. shape: the foot. rises, leaves, lands, lies: frames at which its heel begins to
    rise, it leaves the floor, lands, and lies flat. down, up: radians that its toes are down as it leaves, and up as it
    lands; on its ball if negative. turns: (2, 3, 3) R_world_ankle at both keys."""

    shape: FootShape
    rises: float
    leaves: float
    lands: float
    lies: float
    down: float
    up: float
    turns: Array

    def at(self, times: Times) -> Roll:
        """This roll at other times."""
        return self._replace(rises=times.rises, leaves=times.leaves, lands=times.lands, lies=times.lies)

    def pitches(self, frames: Frames | Array) -> Array:
        """(N,) radians that its toes are down at some frames."""
        time = self.lands - self.leaves
        top, ready = self.leaves + STEEPEST * time, self.lands - READY * time
        rising = _smooth(frames, self.rises, top)
        swinging = _smooth(frames, top, ready)
        lying = _smooth(frames, self.lands, self.lies)
        return np.asarray(self.down * rising - (self.down + self.up) * swinging + self.up * lying)

    def ankle(self, pitches: Array) -> Array:
        """(N, 3) metres that the ankle goes up and ahead with the toes so far down, of a foot that heads ahead."""
        shape, heel = self.shape, self.shape.heel
        on_ball, on_heel = shape.on_ball(np.maximum(pitches, 0.0)), heel.at(np.maximum(-pitches, 0.0))
        up = on_ball[0] - shape.heights[0] + on_heel[0] - heel.heights[0]
        return np.stack([np.zeros_like(up), up, on_ball[1] + on_heel[1]], axis=1)

    def ball(self, pitches: Array) -> Array:
        """(N, 3) metres that the ball goes, likewise."""
        ball = self.shape.heel.balls[0]
        return np.asarray(self.ankle(pitches) + np.array([pitched(p) @ ball - ball for p in pitches.tolist()]))


class Times(NamedTuple):
    """Frames of a step, as in `Roll`."""

    rises: float
    leaves: float
    lands: float
    lies: float


def times_with_roll(start: float, end: float, first: int, last: int, fps: float, back: float = 0.0) -> Times:
    """When a foot rolls that steps between the frames `start` and `end`: also before and after them, between the keys
    `first` and `last`; if they leave no time for that, it swings for a shorter time. back: as `goes_back` says."""
    step = end - start
    before, before_s, after, after_s, rising, lying = (
        one + back * (other - one)
        for one, other in (
            (BEFORE, AFTER), (BEFORE_S, AFTER_S), (AFTER, BEFORE), (AFTER_S, BEFORE_S), (RISING, LYING), (LYING, RISING)
        )
    )  # fmt: skip
    rises = max(first, start - min(before * step, before_s * fps))
    lies = min(last, end + min(after * step, after_s * fps))
    return Times(rises, max(start, rises + rising * step), min(end, lies - lying * step), lies)


def goes_back(far: float, ahead: float) -> float:
    """How nearly a step goes straight back, 0..1; 0 if it goes aside. far, ahead: as in `amounts`."""
    return eased_between(-ahead / max(far, 1e-6), *BACK)


def amounts(far: float, ahead: float, climbs: float = 0.0) -> tuple[float, float]:
    """Radians that a foot's toes are down as it leaves the floor, and up as it lands; negative the other way round.
    far: lengths of the leg that it goes. ahead: those of them that it goes ahead, negative if it goes back. climbs:
    those that it goes up or down, for which knees bend so far that the heel has to come up."""
    whole, aside, back = min(far / SHORT, 1.0), 1.0 - abs(ahead) / max(far, 1e-6), goes_back(far, ahead)
    down = max(LEAST * whole, LEAVES * min(ahead / LONG, 1.2))
    up = LANDS * _long(ahead) - LANDS_ASIDE * whole * aside
    down += CLIMBS * min(climbs / HIGH, 1.0)
    return down - back * (down + LANDS * _long(-ahead)), up - back * (up + LANDS_BACK * min(-ahead / LONG, 1.2))


def _long(ahead: float) -> float:
    """How long a step is, from `FLAT` to `LONG`, 0..1.2."""
    return min(max(ahead - FLAT, 0.0) / (LONG - FLAT), 1.2)


def may_roll(feet: Feet | None, leg: int, turns: Array) -> bool:
    """Whether a foot rolls by itself, of somebody whose feet stand on a floor. leg: its index in `LEGS`. turns: (2, 3,
    3) R_world_ankle at both keys, where it is flat."""
    if feet is None or leg >= len(feet.stands) or feet.stands[leg] != "auto":
        return False
    return all(abs(toes_down(turn)) < LEVEL for turn in turns)


def held_by_ankle(
    effectors: Sequence[Effector], rig: Rig, leg: Limb, flat: Array, moved: Array
) -> tuple[Effector, ...]:
    """The effectors with the place of an ankle in place of contacts of its foot, which could not roll lying flat.

    flat: (3, 3) R_world_joint of the foot as it lies there. moved: (3,) metres that the ankle goes as the foot rolls.
    """
    ankle, ball = rig.joint(leg.end), rig.joint(leg.tip)
    own = [e for e in effectors if isinstance(e, Contact) and e.is_active and rig.index(e.joint) in (ankle, ball)]
    if not own:
        return tuple(effectors)
    left = [e for e in effectors if e not in own]
    if any(e.is_active and e.holds_joint and rig.index(e.joint) == ankle for e in left):
        return tuple(left)
    held = own[0]
    off = held.offset + (rig.offsets[ball] if rig.index(held.joint) == ball else 0.0)
    place = (held.target - flat @ off + moved).astype(np.float32)
    return (*left, Position(rig.names[ankle], place, tolerance=held.tolerance, pinned=held.pinned, id=held.id))


def with_rolling_foot(
    effectors: Sequence[Effector], rig: Rig, leg: Limb, turn: Array, toes: Array
) -> tuple[Effector, ...]:
    """The effectors with a foot turned as it rolls, if its ankle's place is asked for: strictly, as else it would stand
    by how high its ankle is. turn, toes: (3, 3) R_world_joint of ankle and ball; without toes there is none to turn."""
    ankle, ball = rig.name(leg.end), rig.name(leg.tip)
    if not any(e.is_active and e.joint == ankle and e.holds_joint for e in effectors):
        return tuple(effectors)
    kept = [e for e in effectors if not (isinstance(e, TurnEffector) and e.joint == ankle)]
    made = [Rotation(ankle, turn.astype(np.float32), id="rolls")]
    bends = leg.tip not in rig.merged
    if bends and not any(isinstance(e, TurnEffector) and e.is_active and e.joint == ball for e in kept):
        made.append(Rotation(ball, toes.astype(np.float32), id="bends"))
    return (*kept, *made)


def _smooth(frames: Frames | Array, start: float, end: float) -> Array:
    """From 0 to 1, at rest at both ends."""
    share = np.clip((frames - start) / (end - start), 0.0, 1.0)
    return np.asarray(share**3 * (10.0 - 15.0 * share + 6.0 * share**2))
