"""The Look menu: what people look like, how they are lit, and where the key light comes from."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.panels.widgets.notices import Notices
from app.services.settings import SettingsStore
from app.viewport.looks import style_of
from app.viewport.session_view import SessionView
from app.window.commands.actions import Command
from rendering.scene.style import LIGHTINGS

if TYPE_CHECKING:
    from app.viewport.overlays.light_ball import LightBall

SAID_MS = 8000
LOOKS = (
    ("clay", "Clay", "Alt+4", "Clay: a matte mannequin whose planes are easy to read"),
    ("suit", "Suit", "Alt+5", "Suit: skin and a plain suit, in the colours of the settings"),
    ("flat", "Flat", "Alt+6", "Flat: skin and suit without light, with a line around every limb"),
    ("line", "Line", "Alt+7", "Line: a line drawing"),
    ("silhouette", "Silhouette", "Alt+8", "Silhouette: the outline filled, to judge how clear a pose is"),
)
LIGHTS = (
    ("studio", "Studio light", "Studio light: a warm key light, a cool rim light"),
    ("grey", "Grey light", "Grey light: the studio's without colour, to judge values"),
    ("warm", "Warm light", "Warm light: as from a low sun"),
    ("rim", "Rim light", "Rim light: from behind, with little from the front"),
)
LOOK_MENU: tuple[str, tuple[str, ...]] = (
    "Look",
    (
        *(f"look.{id}" for id, *_ in LOOKS),
        "-",
        *(f"look.{id}_light" for id, *_ in LIGHTS),
        "look.next_light",
        "-",
        "look.key_light",
    ),
)


class KeyLight:
    """Shows and hides the ball on which the key light is dragged; in a look without light it is away."""

    def __init__(self, settings: SettingsStore, view: SessionView) -> None:
        self._settings, self._view = settings, view
        self._ball: LightBall | None = None
        self.shown = False  # whether it was asked for

    @property
    def shines(self) -> bool:
        """Whether the look has light."""
        return style_of(self._settings.values).is_lit

    def toggle(self) -> None:
        """Show the ball, or hide it."""
        self.shown = not self.shown
        if self._ball is None:
            from app.viewport.overlays.light_ball import LightBall  # only once it is asked for

            self._ball = LightBall(self._view.viewport, lambda: self._view.style, self._aim)
            self._settings.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        if self._ball is not None:
            self._ball.setVisible(self.shown and self.shines)
            self._ball.follow()

    def _aim(self, turn: float, height: float, done: bool) -> None:
        aimed = style_of(self._settings.values).aimed(turn, height)
        if done:
            self._view.preview_light(None)
            self._settings.set(key_turn=aimed.turn, key_height=aimed.height)
        else:  # saved once the drag ends
            self._view.preview_light(aimed)


def look_commands(settings: SettingsStore, view: SessionView, notices: Notices) -> tuple[Command, ...]:
    """The commands of the Look menu."""
    key_light = KeyLight(settings, view)
    told = ""  # of a light that is not seen

    def choose_look(id: str) -> None:
        settings.set(look=id)
        notices.retract(told)

    def choose_light(id: str) -> None:
        nonlocal told
        settings.set(light_setup=id)
        notices.retract(told)
        if not key_light.shines:  # a key that changes nothing in the view seems broken
            look, light = _title(LOOKS, settings.values.look), _title(LIGHTS, id)
            told = f"{light} is chosen. {look} has no light; Clay (Alt+4) and Suit (Alt+5) have."
            notices.say(told, SAID_MS)

    def next_light() -> None:
        names = list(LIGHTINGS)
        choose_light(names[(names.index(settings.values.light_setup) + 1) % len(names)])

    return (
        *(
            Command(f"look.{id}", title, partial(choose_look, id), (key,), tip=tip,
                    checked=lambda id=id: settings.values.look == id)  # type: ignore[misc]
            for id, title, key, tip in LOOKS
        ),
        *(
            Command(f"look.{id}_light", title, partial(choose_light, id), tip=tip,
                    checked=lambda id=id: settings.values.light_setup == id)  # type: ignore[misc]
            for id, title, tip in LIGHTS
        ),
        Command("look.next_light", "Next light", next_light, ("Alt+9",), tip="Next light: the next set-up"),
        Command(
            "look.key_light", "Key light", key_light.toggle, ("Alt+0",),
            checked=lambda: key_light.shown and key_light.shines, enabled=lambda: key_light.shines,
            tip="Key light: a ball in the corner of the view; drag the light on it",
        ),
    )  # fmt: skip


def _title(table: tuple[tuple[str, ...], ...], id: str) -> str:
    return next(title for row, title, *_ in table if row == id)
