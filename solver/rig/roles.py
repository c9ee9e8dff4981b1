"""What joints mean: the roles that a joint of any skeleton can have, and the one table of limbs and body parts.

A role's value is SMPL-X's name of the joint, so that a role can stand wherever a joint of our own body is named.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property


class Role(StrEnum):
    """A joint of the human body, whatever its name in a skeleton. The first 24 are SMPL's, in SMPL's order."""

    PELVIS = "pelvis"
    LEFT_HIP = "left_hip"
    RIGHT_HIP = "right_hip"
    SPINE1 = "spine1"
    LEFT_KNEE = "left_knee"
    RIGHT_KNEE = "right_knee"
    SPINE2 = "spine2"
    LEFT_ANKLE = "left_ankle"
    RIGHT_ANKLE = "right_ankle"
    SPINE3 = "spine3"
    LEFT_FOOT = "left_foot"  # where the toes bend
    RIGHT_FOOT = "right_foot"
    NECK = "neck"
    LEFT_COLLAR = "left_collar"
    RIGHT_COLLAR = "right_collar"
    HEAD = "head"
    LEFT_SHOULDER = "left_shoulder"
    RIGHT_SHOULDER = "right_shoulder"
    LEFT_ELBOW = "left_elbow"
    RIGHT_ELBOW = "right_elbow"
    LEFT_WRIST = "left_wrist"
    RIGHT_WRIST = "right_wrist"
    LEFT_HAND = "left_hand"  # all fingers as one, at the middle knuckle, of bodies that have no fingers
    RIGHT_HAND = "right_hand"
    JAW = "jaw"
    LEFT_EYE = "left_eye"
    RIGHT_EYE = "right_eye"
    LEFT_INDEX1 = "left_index1"
    LEFT_INDEX2 = "left_index2"
    LEFT_INDEX3 = "left_index3"
    LEFT_MIDDLE1 = "left_middle1"
    LEFT_MIDDLE2 = "left_middle2"
    LEFT_MIDDLE3 = "left_middle3"
    LEFT_PINKY1 = "left_pinky1"
    LEFT_PINKY2 = "left_pinky2"
    LEFT_PINKY3 = "left_pinky3"
    LEFT_RING1 = "left_ring1"
    LEFT_RING2 = "left_ring2"
    LEFT_RING3 = "left_ring3"
    LEFT_THUMB1 = "left_thumb1"
    LEFT_THUMB2 = "left_thumb2"
    LEFT_THUMB3 = "left_thumb3"
    RIGHT_INDEX1 = "right_index1"
    RIGHT_INDEX2 = "right_index2"
    RIGHT_INDEX3 = "right_index3"
    RIGHT_MIDDLE1 = "right_middle1"
    RIGHT_MIDDLE2 = "right_middle2"
    RIGHT_MIDDLE3 = "right_middle3"
    RIGHT_PINKY1 = "right_pinky1"
    RIGHT_PINKY2 = "right_pinky2"
    RIGHT_PINKY3 = "right_pinky3"
    RIGHT_RING1 = "right_ring1"
    RIGHT_RING2 = "right_ring2"
    RIGHT_RING3 = "right_ring3"
    RIGHT_THUMB1 = "right_thumb1"
    RIGHT_THUMB2 = "right_thumb2"
    RIGHT_THUMB3 = "right_thumb3"

    @property
    def side(self) -> str:
        """ "left", "right", or "" in the middle."""
        side = self.value.partition("_")[0]
        return side if side in SIDES else ""

    @property
    def part(self) -> str:
        """The role without its side: "wrist" for both wrists."""
        return self.value.partition("_")[2] or self.value

    @property
    def mirrored(self) -> Role:
        """Its counterpart on the other side; itself in the middle."""
        if not self.side:
            return self
        return Role.on(SIDES[1 - SIDES.index(self.side)], self.part)

    @property
    def words(self) -> str:
        """As written in a sentence: "left wrist"; the spine's joints as people call what turns about them."""
        return _SPINE_WORDS.get(self) or self.value.replace("_", " ")

    @classmethod
    def on(cls, side: str, part: str) -> Role:
        """The role of a part on a side; in the middle if `side` is ""."""
        return cls(f"{side}_{part}" if side else part)


SIDES = ("left", "right")
_SPINE_WORDS = {Role.SPINE1: "lower spine", Role.SPINE2: "middle spine", Role.SPINE3: "chest"}
SMPL_ROLES: tuple[Role, ...] = tuple(Role)[:24]
BODY_ROLES: tuple[Role, ...] = SMPL_ROLES[:22]  # without hands, which motion capture seldom records
FINGER_PARTS: tuple[str, ...] = tuple(
    f"{finger}{i}" for finger in ("index", "middle", "pinky", "ring", "thumb") for i in (1, 2, 3)
)


@dataclass(frozen=True)
class Limb:
    """An arm or a leg, from the trunk outward.

    name: as the panels show it. side: "left" or "right". girdle: the collar, which moves an arm's root; None of a leg.
    root: shoulder or hip. hinge: elbow or knee. end: wrist or ankle. tip: hand or toes. fingers: joints beyond the end.
    """

    name: str
    side: str
    girdle: Role | None
    root: Role
    hinge: Role
    end: Role
    tip: Role
    fingers: tuple[Role, ...] = ()

    @cached_property
    def joints(self) -> tuple[Role, ...]:
        """All of SMPL's joints of the limb, in order."""
        return (*((self.girdle,) if self.girdle else ()), self.root, self.hinge, self.end, self.tip)

    @property
    def line(self) -> tuple[Role, Role, Role]:
        """Root, hinge and end."""
        return self.root, self.hinge, self.end


def _arm(side: str) -> Limb:
    collar, shoulder, elbow, wrist, hand = (
        Role.on(side, part) for part in ("collar", "shoulder", "elbow", "wrist", "hand")
    )
    fingers = tuple(Role.on(side, part) for part in FINGER_PARTS)
    return Limb(f"{side} arm", side, collar, shoulder, elbow, wrist, hand, fingers)


def _leg(side: str) -> Limb:
    hip, knee, ankle, foot = (Role.on(side, part) for part in ("hip", "knee", "ankle", "foot"))
    return Limb(f"{side} leg", side, None, hip, knee, ankle, foot)


ARMS: tuple[Limb, Limb] = (_arm("left"), _arm("right"))
LEGS: tuple[Limb, Limb] = (_leg("left"), _leg("right"))
LIMBS: tuple[Limb, ...] = (*ARMS, *LEGS)
SPINE: tuple[Role, ...] = (Role.SPINE1, Role.SPINE2, Role.SPINE3)
TRUNK: tuple[Role, ...] = (Role.PELVIS, *SPINE)
HEAD_AND_NECK: tuple[Role, ...] = (Role.NECK, Role.HEAD)
ENDS: tuple[Role, ...] = (*(limb.end for limb in LIMBS), Role.HEAD)  # wrists, ankles and head
FEET: tuple[Role, ...] = tuple(role for leg in LEGS for role in (leg.end, leg.tip))  # what stands on the floor

BODY_PARTS: dict[str, tuple[Role, ...]] = {
    "head": HEAD_AND_NECK, "torso": TRUNK, **{limb.name: limb.joints for limb in LIMBS},
}  # fmt: skip
