"""The hands offered by name, the program's and the user's own, and taking one without the panel."""

from __future__ import annotations

from collections.abc import Mapping

from app.document import edits
from app.document.posing.fingertips import holds_finger
from app.document.posing.solving import body_of
from app.services.session import Session
from solver.body.body import Body
from solver.body.hand_presets import HAND_PRESETS, preset_hands
from solver.body.hands import Hands, hands_at_rest

OWN = "own "  # prefix of the names of the user's own, used like the presets' ids
SIDES: dict[str, tuple[int, ...]] = {"left": (0,), "both": (0, 1), "right": (1,)}


def titles_of(own: Mapping[str, Hands]) -> dict[str, str]:
    """The titles of all those offered, by their ids. own: the user's, by name."""
    return {preset.id: preset.title for preset in HAND_PRESETS.values()} | {f"{OWN}{name}": name for name in own}


def hands_called(id: str, own: Mapping[str, Hands], body: Body) -> Hands:
    """Both hands held as `id` says."""
    return own[id.removeprefix(OWN)] if id.startswith(OWN) else preset_hands(id, body)


def step_text(title: str) -> str:
    """The name of the step that takes one."""
    return f"Hold hands: {title}"


def take_hands(session: Session, id: str, own: Mapping[str, Hands], side: str = "both") -> None:
    """Have the active person hold the hands of a side as `id` says, in one step."""
    active = session.active
    if active is not None:
        goal = hands_called(id, own, body_of(active))
        hands = (active.hands or hands_at_rest()).mixed(goal, 1.0, SIDES[side])
        text = step_text(titles_of(own)[id])
        session.edit(text, edits.set_hands(active.id, hands), solve=holds_finger(active))
