"""The patches of skin that contacts know, by name: one row for each, defined on any human body by its joints' roles."""

from __future__ import annotations

from dataclasses import dataclass, replace

from solver.rig.roles import SIDES, Role

Vector = tuple[float, float, float]
DOWN, UP, AHEAD, BEHIND = (0.0, -1.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)
FINGERTIPS = "fingertips"  # after the side, in names of the patches where thumb and index finger meet
THUMB_AND_FINGERS = "thumb_and_fingers"  # likewise, of those where thumb and fingers hold flat things


@dataclass(frozen=True)
class PatchRow:
    """Where a patch is on a body at rest, arms along X and palms down.

    name: "left_palm". joint: the one that an effector for it acts on. carriers: those whose skin it may be part of.
    start, end, share, shift: the point within the body that it lies over, a share of the way between two joints and
    (3,) metres from there. way: (3,) outward from there. radius: metres around it that count. flat: whether it is
    turned to lie flat on what it touches. rocks: whether it is round, and may lie there tilted, as a seat does. holds:
    whether it can be held on something, and is not only there to be touched. around: whether it is the hollow of a
    hand, which closes around things, or where its thumb and index finger meet around small ones, or its thumb and
    fingers on the two faces of flat ones; `end` is then where the fingers begin.
    """

    name: str
    joint: Role
    carriers: tuple[Role, ...]
    start: Role
    way: Vector
    radius: float
    end: Role | None = None
    share: float = 0.0
    shift: Vector = (0.0, 0.0, 0.0)
    flat: bool = False
    rocks: bool = False
    holds: bool = True
    around: bool = False

    @property
    def words(self) -> str:
        """As written in a sentence: "left palm", "back of left hand"."""
        return patch_words(self.name)


def _limb_rows(side: str) -> tuple[PatchRow, ...]:
    """The rows of one side; ways and shifts are the left one's."""
    wrist, hand, elbow, shoulder, collar = (
        Role.on(side, part) for part in ("wrist", "hand", "elbow", "shoulder", "collar")
    )
    hip, knee, ankle, foot = (Role.on(side, part) for part in ("hip", "knee", "ankle", "foot"))
    hands, arm, sole = (wrist, hand), (shoulder, elbow), (ankle, foot)
    waist, chest = (Role.PELVIS, Role.SPINE1, hip), (Role.SPINE1, Role.SPINE2, Role.SPINE3)
    rows = (
        PatchRow("palm", wrist, hands, wrist, DOWN, 0.07, hand, 0.7, flat=True),
        PatchRow("hand", wrist, hands, wrist, DOWN, 0.03, hand, 0.85, flat=True, holds=False, around=True),
        PatchRow(FINGERTIPS, wrist, hands, wrist, DOWN, 0.03, hand, 0.85, holds=False, around=True),
        PatchRow(THUMB_AND_FINGERS, wrist, hands, wrist, DOWN, 0.03, hand, 0.85, flat=True, holds=False, around=True),
        PatchRow("back_of_hand", wrist, hands, wrist, UP, 0.055, hand, 0.6, flat=True),
        PatchRow("knuckles", wrist, hands, hand, (0.6, 0.8, 0.0), 0.035),
        PatchRow("forearm", elbow, (elbow,), elbow, DOWN, 0.07, wrist, 0.5, flat=True),
        PatchRow("elbow", elbow, arm, elbow, BEHIND, 0.04),
        PatchRow("upper_arm", shoulder, (shoulder,), shoulder, UP, 0.05, elbow, 0.55),
        PatchRow("back_of_forearm", elbow, (elbow,), elbow, (0.0, 0.8, -0.6), 0.05, wrist, 0.33, holds=False),
        PatchRow("ribs", Role.SPINE2, chest, Role.SPINE2, (0.45, 0.0, 0.89), 0.06, Role.SPINE3, 0.2, holds=False),
        PatchRow("shoulder", collar, (collar, shoulder, Role.SPINE3), shoulder, UP, 0.04, shift=(-0.03, 0.0, 0.0),
                 holds=False),
        PatchRow("thigh", hip, (hip,), hip, AHEAD, 0.06, knee, 0.6),
        PatchRow("knee", knee, (hip, knee), knee, AHEAD, 0.045),
        PatchRow("shin", knee, (knee,), knee, AHEAD, 0.1, ankle, 0.45, flat=True),
        PatchRow("calf", knee, (knee,), knee, BEHIND, 0.08, ankle, 0.35),
        PatchRow("sole", ankle, sole, ankle, DOWN, 0.16, foot, 0.45, flat=True),
        PatchRow("heel", ankle, sole, ankle, (0.0, -0.8, -0.6), 0.05),
        PatchRow("toes", foot, sole, foot, DOWN, 0.05, shift=(0.0, 0.0, 0.02), flat=True),
        PatchRow("hip", Role.PELVIS, waist, Role.PELVIS, (1.0, 0.0, 0.0), 0.06, Role.SPINE1, 0.5),
        PatchRow("front_of_hip", Role.PELVIS, waist, Role.PELVIS, (0.84, 0.0, 0.54), 0.06, Role.SPINE1, 0.8,
                 holds=False),
        PatchRow("back_of_head", Role.HEAD, (Role.HEAD,), Role.HEAD, (0.8, 0.15, -0.6), 0.035, shift=(0.0, 0.09, 0.0),
                 holds=False),
        PatchRow("cheek", Role.HEAD, (Role.HEAD,), Role.HEAD, (0.85, -0.2, 0.5), 0.035, shift=(0.0, 0.05, 0.05)),
        PatchRow("ear", Role.HEAD, (Role.HEAD,), Role.HEAD, (1.0, 0.0, 0.0), 0.035, shift=(0.0, 0.065, 0.02),
                 holds=False),
    )  # fmt: skip
    return tuple(_on_side(row, side) for row in rows)


def _on_side(row: PatchRow, side: str) -> PatchRow:
    sign = 1.0 if side == SIDES[0] else -1.0
    way, shift = ((sign * vector[0], vector[1], vector[2]) for vector in (row.way, row.shift))
    return replace(row, name=f"{side}_{row.name}", way=way, shift=shift)


_HEAD = (Role.HEAD,)
MIDDLE_ROWS = (
    PatchRow("seat", Role.PELVIS, (Role.PELVIS,), Role.PELVIS, DOWN, 0.12, flat=True, rocks=True),  # as low as thighs
    PatchRow("buttocks", Role.PELVIS, (Role.PELVIS, Role.LEFT_HIP, Role.RIGHT_HIP), Role.PELVIS, BEHIND, 0.1,
             shift=(0.0, -0.06, 0.0)),
    PatchRow("lower_belly", Role.PELVIS, (Role.PELVIS, Role.SPINE1), Role.PELVIS, AHEAD, 0.07),
    PatchRow("back", Role.SPINE3, (Role.SPINE2, Role.SPINE3), Role.SPINE3, BEHIND, 0.15, flat=True),
    PatchRow("lower_back", Role.SPINE1, (Role.PELVIS, Role.SPINE1, Role.SPINE2), Role.SPINE1, BEHIND, 0.07),
    PatchRow("chest", Role.SPINE3, (Role.SPINE2, Role.SPINE3), Role.SPINE3, AHEAD, 0.09, shift=(0.0, 0.03, 0.0)),
    PatchRow("belly", Role.SPINE1, (Role.PELVIS, Role.SPINE1, Role.SPINE2), Role.SPINE1, AHEAD, 0.07),
    PatchRow("forehead", Role.HEAD, _HEAD, Role.HEAD, (0.0, 0.25, 0.97), 0.04, shift=(0.0, 0.13, 0.0)),
    PatchRow("chin", Role.HEAD, _HEAD, Role.HEAD, (0.0, -0.6, 0.8), 0.035, shift=(0.0, 0.03, 0.0)),
    PatchRow("lips", Role.HEAD, _HEAD, Role.HEAD, AHEAD, 0.02, shift=(0.0, 0.021, 0.0), holds=False),
    PatchRow("back_of_head", Role.HEAD, _HEAD, Role.HEAD, BEHIND, 0.05, shift=(0.0, 0.12, 0.0)),
)  # fmt: skip
PATCH_ROWS: dict[str, PatchRow] = {
    row.name: row for row in (*MIDDLE_ROWS, *(r for side in SIDES for r in _limb_rows(side)))
}


def patch_words(patch: str) -> str:
    """A patch as written in a sentence, also one from another version: "left palm", "back of left hand"."""
    side, _, rest = patch.partition("_")
    if rest == THUMB_AND_FINGERS:  # there is a hand around something either way
        return f"{side} hand"
    part, of, whole = rest.partition("_of_")
    if side in SIDES and of and whole != Role.HEAD.words:  # the head is not on a side; its back has a left
        return f"{part} of {side} {whole}".replace("_", " ")
    return patch.replace("_", " ")


def pinches(patch: str) -> bool:
    """Whether a patch is where thumb and index finger of a hand meet."""
    return patch.partition("_")[2] == FINGERTIPS


def opposes(patch: str) -> bool:
    """Whether a patch is where thumb and fingers of a hand hold flat things between them."""
    return patch.partition("_")[2] == THUMB_AND_FINGERS


def side_of(patch: str) -> int:
    """Which side a patch such as "left_palm" is on: 0 left, 1 right. ValueError for one in the middle."""
    return SIDES.index(patch.partition("_")[0])
