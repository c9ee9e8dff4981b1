"""The hands to choose from by name, the program's presets and the user's own, and applying one."""

from __future__ import annotations

from collections.abc import Mapping

from app.document import edits
from app.document.model.figure import body_of
from app.document.posing.fingertips import body_follows
from app.services.session import Session
from solver.body.body import Body
from solver.body.hand_presets import HAND_PRESETS, preset_hands
from solver.body.hands import Hands, hands_at_rest

OWN = "own "  # prefix of the names of the user's own, used like the presets' ids
SIDES: dict[str, tuple[int, ...]] = {"left": (0,), "both": (0, 1), "right": (1,)}


def choice_titles(own: Mapping[str, Hands]) -> dict[str, str]:
    """The titles of all choices, by their ids. own: the user's hands, by name."""
    return {preset.id: preset.title for preset in HAND_PRESETS.values()} | {f"{OWN}{name}": name for name in own}


def hands_of_choice(id: str, own: Mapping[str, Hands], body: Body) -> Hands:
    """Both hands as the choice with that id holds them."""
    return own[id.removeprefix(OWN)] if id.startswith(OWN) else preset_hands(id, body)


def step_text(title: str) -> str:
    """The undo text of applying a choice."""
    return f"Take the hands “{title}”"


def apply_hands(session: Session, id: str, own: Mapping[str, Hands]) -> None:
    """Give the active person the hands called `id`, in one step."""
    active = session.active
    if active is not None:
        goal = hands_of_choice(id, own, body_of(active))
        hands = (active.hands or hands_at_rest()).mixed(goal, 1.0, SIDES["both"])
        text = step_text(choice_titles(own)[id])
        session.edit(text, edits.set_hands(active.id, hands), solve=body_follows(active))
