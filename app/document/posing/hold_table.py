"""The table of common holds, such as hands on hips: which patches come together, of one person or of two."""

from __future__ import annotations

from dataclasses import dataclass

from solver.rig.roles import SIDES, Role

Vector = tuple[float, float, float]

PALMS = tuple(f"{side}_palm" for side in SIDES)  # their fingers are straight on flat things
LIPS, EARS = "lips", tuple(f"{side}_ear" for side in SIDES)
EYES = "eyes"  # before which things are read; no patch
FACE = (LIPS, *EARS)  # patches to which hands bring what they are around


@dataclass(frozen=True)
class CommonHold:
    """A hold with a name. pairs: for a hold of one person, each patch that is held and the own one it lies on.

    mutual: for two, whether both hold. onto: for two, the other's part that a palm comes onto, on the nearest side.
    hands: how the hand of each pair is held: a preset by its id, and the share of the way there from one pressed flat,
    as palms are by default. by_arms: whether arms alone can reach it, so that all the rest stays. begin: turns of
    joints, as rotation vectors in radians, to start from, so that arms go around the body on the right side; none where
    any pose will do. brings: for one that brings what a hand is around to the face, and only lays an empty hand there,
    the part of it: lips, the ear on the hand's side, or the eyes, before which it comes.
    """

    id: str
    title: str
    tip: str
    pairs: tuple[tuple[str, str], ...] = ()
    onto: str = ""
    mutual: bool = False
    hands: tuple[tuple[str, float], ...] = ()
    by_arms: bool = False
    begin: tuple[tuple[Role, Vector], ...] = ()
    brings: str = ""

    @property
    def needs_two(self) -> bool:
        """Whether it takes another person."""
        return bool(self.onto)

    @property
    def needs_thing(self) -> bool:
        """Whether it takes a thing in a hand."""
        return bool(self.brings) and not self.pairs


def _same(part: str) -> tuple[tuple[str, str], ...]:
    return tuple((f"{side}_palm", f"{side}_{part}") for side in SIDES)


ON_HIPS = (  # elbows out to the sides, forearms back to the hips
    (Role.LEFT_SHOULDER, (1.41, -0.33, -1.1)), (Role.LEFT_ELBOW, (-0.04, -1.6, 0.9)),
    (Role.LEFT_WRIST, (-0.55, 0.01, -0.07)),
    (Role.RIGHT_SHOULDER, (1.41, 0.33, 1.1)), (Role.RIGHT_ELBOW, (-0.04, 1.6, -0.9)),
    (Role.RIGHT_WRIST, (-0.55, -0.01, 0.07)),
)  # fmt: skip
CROSSED = (  # the left forearm before the right one, elbows low; the right hand between the left arm and the ribs
    (Role.LEFT_SHOULDER, (1.02, -1.61, -0.35)), (Role.LEFT_ELBOW, (-0.11, -1.29, 0.67)),
    (Role.LEFT_WRIST, (-1.0, -0.07, -0.29)),
    (Role.RIGHT_SHOULDER, (1.14, 1.37, 0.61)), (Role.RIGHT_ELBOW, (-0.12, 1.62, -0.87)),
    (Role.RIGHT_WRIST, (-1.17, 0.17, 0.3)),
)  # fmt: skip
RAISED = (  # elbows out to the sides, hands beside the head
    (Role.LEFT_SHOULDER, (-1.04, -1.05, 0.48)), (Role.LEFT_ELBOW, (-0.1, -1.85, 1.1)),
    (Role.RIGHT_SHOULDER, (-1.04, 1.05, -0.48)), (Role.RIGHT_ELBOW, (-0.1, 1.85, -1.1)),
)  # fmt: skip
BEFORE_MOUTH = (  # the right elbow out, the hand across
    (Role.RIGHT_SHOULDER, (-0.04, 1.55, 0.29)), (Role.RIGHT_ELBOW, (-0.2, 1.86, -1.05)),
    (Role.RIGHT_WRIST, (-1.81, -0.46, -0.07)),
)  # fmt: skip
COMMON_HOLDS = (
    CommonHold("hips", "Hands on hips", "both palms on one's own hips",
               _same("front_of_hip"), hands=(("cupped", 0.2),) * 2, by_arms=True, begin=ON_HIPS),
    CommonHold("crossed", "Arms crossed", "a palm on the other forearm, the other hand beneath at the ribs",
               (("left_palm", "right_back_of_forearm"), ("right_palm", "left_ribs")),
               hands=(("cupped", 0.35), ("relaxed", 0.15)), by_arms=True, begin=CROSSED),
    CommonHold("behind_head", "Hands behind the head", "both palms on the back of the head", _same("back_of_head"),
               by_arms=True, begin=RAISED),
    CommonHold("chin", "Chin on hand", "the chin on the knuckles of a closed hand",
               ((f"{SIDES[1]}_knuckles", "chin"),), hands=(("loose_fist", 1.0),)),
    CommonHold("mouth", "Hold to the mouth", "the rim of a held cup at the lips; an empty hand over the mouth",
               ((f"{SIDES[1]}_palm", LIPS),), hands=(("flat", 0.8),), by_arms=True, begin=BEFORE_MOUTH, brings=LIPS),
    CommonHold("ear", "Hold to the ear", "what a hand is around at the ear on its side, as a phone",
               by_arms=True, brings="ear"),
    CommonHold("read", "Hold to read", "a held book, tablet, phone, paper or plate before the eyes, its face to them",
               by_arms=True, brings=EYES),
    CommonHold("shoulder", "Hand on the other's shoulder", "the nearer palm on the nearest other person's shoulder",
               onto="shoulder"),
    CommonHold("hands", "Hold hands", "palm in palm with the nearest other person", onto="palm", mutual=True),
)  # fmt: skip
