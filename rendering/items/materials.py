"""The material of a figure or a prop in each look: colours, how light falls on it, and the line around it."""

from __future__ import annotations

from dataclasses import dataclass

from rendering.items.frame import Frame
from rendering.scene.theme import Rgb, linear, mixed, rgb
from rendering.scene.values import Figure, Scene

CLAY = "#bbb1a5"
CLAY_OF_MANY = 0.28  # share of a person's own colour, by which several are told apart
PAPER, INK = "#f1eee8", "#1d2126"
NIGHT = "#e9e6e0"  # a silhouette against a dark room
CONTOUR, THIN = 1.7, 1.2  # logical pixels
SEAM = 0.35
BESIDE = 0.6  # share of what is behind, in a prop beside a silhouette


@dataclass(frozen=True)
class Material:
    """Colours are linear. seam: how much darker the suit's edge is. gloss: of skin and suit.

    lit: 1 if light falls on it, 0 if it has its plain colour. ink: how strongly hollows are drawn into that.
    contour: the line around every limb, its colour as displayed and its width in logical pixels; None for none.
    around: whether that line is around the whole body instead, with none within. colored: whether a surface that has
    colours of its own shows them.
    """

    skin: Rgb
    suit: Rgb
    seam: float = 0.0
    gloss: tuple[float, float] = (0.0, 0.0)
    lit: float = 1.0
    ink: float = 0.0
    contour: tuple[Rgb, float] | None = None
    around: bool = False
    colored: bool = False


def material_of(figure: Figure, scene: Scene, frame: Frame) -> Material:
    """How a figure of the scene looks."""
    look = scene.style.look
    if look == "clay":
        clay = mixed(linear(CLAY), linear(figure.color), CLAY_OF_MANY if _several(scene) else 0.0)
        return Material(clay, clay, gloss=(0.025, 0.025))
    if look == "line":
        paper = mixed(linear(PAPER), linear(figure.color), 0.16 if _several(scene) else 0.0)
        return Material(paper, paper, lit=0.0, ink=0.55, contour=(rgb(INK), CONTOUR))
    if look == "silhouette":
        light = frame.theme.name == "dark" and not frame.transparent
        plain = linear(NIGHT if light else INK)
        apart = rgb(PAPER if frame.transparent else frame.theme.background_bottom)
        return Material(plain, plain, lit=0.0, contour=(apart, CONTOUR) if _several(scene) else None, around=True)
    skin, suit = linear(figure.skin), linear(figure.suit)
    if look == "flat":
        return Material(skin, suit, lit=0.0, ink=0.25, contour=(rgb(INK), THIN), colored=True)
    return Material(skin, suit, seam=SEAM, gloss=(0.10, 0.035), colored=True)


def prop_material_of(color: str, scene: Scene, frame: Frame) -> Material:
    """How a prop of that colour looks. Beside a silhouette it is half as strong, so that the pose can still be read."""
    look, own = scene.style.look, linear(color)
    if look == "line":
        paper = linear(PAPER)
        return Material(paper, paper, lit=0.0, contour=(rgb(INK), CONTOUR))
    if look == "flat":
        return Material(own, own, lit=0.0, contour=(rgb(INK), THIN))
    if look == "silhouette":
        dark = frame.theme.name == "dark" and not frame.transparent
        behind = linear(frame.theme.background_bottom) if dark else linear(PAPER)
        plain = mixed(linear(NIGHT if dark else INK), behind, BESIDE)
        return Material(plain, plain, lit=0.0)
    return Material(own, own, gloss=(0.02, 0.02))


def _several(scene: Scene) -> bool:
    return len({figure.color for figure in scene.figures if not figure.ghost}) > 1
