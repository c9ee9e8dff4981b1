"""What a user can set of DragPoser's search: floor, room, hands, and what counts more than what."""

from __future__ import annotations

from solver.ik.options import PROPOSAL_ALONE, Number, Option, Switch

FLOOR = Switch("floor", "Stay above the floor", "The search keeps all joints above the floor")
ROOM = Number(
    "room", "Room to each side", 0.0, 5.0, 0.0,
    "The search keeps all joints in a square about where the pelvis began, this far to each side; 0 for no limit",
    unit="m",
)  # fmt: skip
HANDS_APART = Switch(
    "hands_apart", "Keep the hands' distance", "The search keeps the wrists as far apart as they were to begin with"
)
BALANCE = Number(
    "balance", "Places or turns", -1.0, 1.0, 0.0,
    "Below 0 the search heeds places more than turns, above 0 turns more than places",
)  # fmt: skip
MOST = 4.0  # times as much


def _priority(title: str, joints: str) -> Number:
    tip = f"How much it counts in the search what is asked of {joints}: 0 hardly at all, 1 as of other joints"
    return Number(title.lower().replace(" ", "_"), title, 0.0, MOST, 1.0, tip, decimals=1)


HANDS = _priority("Hands count", "wrists and fingers")
FEET = _priority("Feet count", "ankles and toes")
HEAD = _priority("Head counts", "the head")
PELVIS = _priority("Pelvis counts", "the pelvis")

DRAGPOSER_OPTIONS: tuple[Option, ...] = (
    PROPOSAL_ALONE, FLOOR, ROOM, HANDS_APART, BALANCE, HANDS, FEET, HEAD, PELVIS,
)  # fmt: skip
