"""The table of common holds by name, such as hands on hips: which patches come together, of one person or of two."""

from __future__ import annotations

from dataclasses import dataclass

from solver.rig.roles import SIDES, Role

Vector = tuple[float, float, float]

PALMS = tuple(f"{side}_palm" for side in SIDES)  # whose fingers are straight on what is flat


@dataclass(frozen=True)
class CommonHold:
    """A hold that has a name. pairs: the patch that is held and the own one that it lies on, of a hold of one person.

    mutual: of two, whether both hold. onto: of two, the other's part that a palm comes onto, whichever side is nearest.
    fist: whether the hand is closed. by_arms: whether arms reach it by themselves, so that all the rest stays. begin:
    turns of joints, as rotation vectors in radians, that it is begun from, so that arms go around the body on the right
    side; none where any pose will do.
    """

    id: str
    title: str
    tip: str
    pairs: tuple[tuple[str, str], ...] = ()
    onto: str = ""
    mutual: bool = False
    fist: bool = False
    by_arms: bool = False
    begin: tuple[tuple[Role, Vector], ...] = ()

    @property
    def needs_two(self) -> bool:
        """Whether it takes another person."""
        return bool(self.onto)


def _same(part: str) -> tuple[tuple[str, str], ...]:
    return tuple((f"{side}_palm", f"{side}_{part}") for side in SIDES)


def _crossed(part: str) -> tuple[tuple[str, str], ...]:
    return tuple((f"{side}_palm", f"{other}_{part}") for side, other in (SIDES, SIDES[::-1]))


CROSSED = (  # the left forearm before the right one
    (Role.LEFT_SHOULDER, (0.4, -1.62, 0.77)), (Role.LEFT_ELBOW, (-0.23, -1.55, 0.94)),
    (Role.RIGHT_SHOULDER, (0.31, 2.03, 0.28)), (Role.RIGHT_ELBOW, (-0.15, 1.59, -1.02)),
)  # fmt: skip
RAISED = (  # elbows out to the sides, hands beside the ears: they come together from there
    (Role.LEFT_SHOULDER, (-1.02, -1.11, 0.45)), (Role.LEFT_ELBOW, (-0.05, -0.84, 0.5)),
    (Role.RIGHT_SHOULDER, (-1.02, 1.11, -0.45)), (Role.RIGHT_ELBOW, (-0.05, 0.84, -0.5)),
)  # fmt: skip
COMMON_HOLDS = (
    CommonHold("hips", "Hands on hips", "both palms on the own hips",
               _same("hip"), by_arms=True),
    CommonHold("crossed", "Arms crossed", "each palm on the other upper arm", _crossed("outer_upper_arm"),
               begin=CROSSED),
    CommonHold("behind_head", "Hands behind the head", "both palms on the back of the head", _same("back_of_head"),
               begin=RAISED),
    CommonHold("chin", "Chin on hand", "the chin on the knuckles of a closed hand",
               ((f"{SIDES[1]}_knuckles", "chin"),), fist=True),
    CommonHold("shoulder", "Hand on the other's shoulder", "the nearer palm on the nearest other person's shoulder",
               onto="shoulder"),
    CommonHold("hands", "Hold hands", "palm in palm with the nearest other person", onto="palm", mutual=True),
)  # fmt: skip
