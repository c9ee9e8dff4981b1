"""Contact sheets: poses drawn small, in rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from PIL import Image, ImageDraw, ImageFont

from app.document.model.document import Character, Document
from app.look.figure_colors import SKIN_TONE, SUIT_COLOR
from app.services.view_state import ViewState
from app.viewport.camera.best_side import best_side
from app.viewport.scene_builder import Look, SceneBuilder
from rendering.camera.camera import Camera
from rendering.drawing.offscreen import render_images
from rendering.scene.theme import THEMES
from rendering.scene.values import Scene

CAPTION = 18
PAPER, INK = "#f4f5f7", "#333333"


@dataclass(frozen=True)
class Shown:
    """A picture on a sheet: people, and what is written below. turn: radians further round than their best side."""

    title: str
    people: Sequence[Character]
    turn: float = 0.0


def sheet(shown: Sequence[Shown], columns: int, size: tuple[int, int], plain: bool = False) -> Image.Image:
    """The pictures in rows. size: of one, pixels. plain: on paper, without floor and shadow."""
    width, height = size
    rows = -(-len(shown) // columns)
    whole = Image.new("RGB", (columns * width, rows * (height + CAPTION)), PAPER)
    draw = ImageDraw.Draw(whole)
    shots = _shots(shown, width / height)
    for number, pixels in enumerate(render_images(shots, size, theme=THEMES["light"], transparent=plain)):
        x, y = number % columns * width, number // columns * (height + CAPTION)
        picture = Image.fromarray(pixels)
        whole.paste(picture.convert("RGB"), (x, y), picture if plain else None)
        _write(draw, shown[number].title, x, y + height, width)
    return whole


def _write(draw: ImageDraw.ImageDraw, title: str, x: int, y: int, width: int) -> None:
    size = next(s for s in (12, 11, 10, 9, 8) if s == 8 or ImageFont.load_default(s).getlength(title) < width - 4)
    draw.text((x + width // 2, y + 2), title, INK, ImageFont.load_default(size), anchor="ma")


def _shots(shown: Iterable[Shown], aspect: float) -> Iterator[tuple[Scene, Camera]]:
    builder, view, look = SceneBuilder(), ViewState(handles=False, grid=True), Look(SKIN_TONE, SUIT_COLOR)
    for each in shown:
        camera = best_side(each.people, aspect)
        scene = builder.build(Document().with_characters(each.people), view, look)
        yield scene, replace(camera, yaw=camera.yaw + each.turn)
