"""The table of common holds by name, such as hands on hips: which patches come together, of one person or of two."""

from __future__ import annotations

from dataclasses import dataclass

from solver.rig.roles import SIDES

PALMS = tuple(f"{side}_palm" for side in SIDES)  # whose fingers are straight on what is flat


@dataclass(frozen=True)
class CommonHold:
    """A hold that has a name. pairs: the patch that is held and the own one that it lies on, of a hold of one person.

    mutual: of two, whether both hold. onto: of two, the other's part that a palm comes onto, whichever side is nearest.
    fist: whether the hand is closed.
    """

    id: str
    title: str
    tip: str
    pairs: tuple[tuple[str, str], ...] = ()
    onto: str = ""
    mutual: bool = False
    fist: bool = False

    @property
    def needs_two(self) -> bool:
        """Whether it takes another person."""
        return bool(self.onto)


def _same(part: str) -> tuple[tuple[str, str], ...]:
    return tuple((f"{side}_palm", f"{side}_{part}") for side in SIDES)


def _crossed(part: str) -> tuple[tuple[str, str], ...]:
    return tuple((f"{side}_palm", f"{other}_{part}") for side, other in (SIDES, SIDES[::-1]))


COMMON_HOLDS = (
    CommonHold("hips", "Hands on hips", "both palms on the own hips",
               _same("hip")),
    CommonHold("crossed", "Arms crossed", "each palm on the other upper arm", _crossed("outer_upper_arm")),
    CommonHold("behind_head", "Hands behind the head", "both palms on the back of the head", _same("back_of_head")),
    CommonHold("chin", "Chin on hand", "the chin on the knuckles of a closed hand",
               ((f"{SIDES[1]}_knuckles", "chin"),), fist=True),
    CommonHold("shoulder", "Hand on the other's shoulder", "the nearer palm on the nearest other person's shoulder",
               onto="shoulder"),
    CommonHold("hands", "Hold hands", "palm in palm with the nearest other person", onto="palm", mutual=True),
)  # fmt: skip
