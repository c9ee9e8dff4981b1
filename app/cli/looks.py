"""The look and lighting of pictures that the command line draws, and the frames of motions that it writes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rendering.scene.style import Style

LOOKS = ("clay", "suit", "flat", "line", "silhouette")
LIGHTS = ("studio", "grey", "warm", "rim")
RANGE_HELP = "only these frames of the motion, as the timeline counts them from 1: 10-40"


def configure_look(parser: argparse.ArgumentParser) -> None:
    """Say which options a command that draws takes."""
    look = parser.add_argument_group("look and light")
    look.add_argument("--look", choices=LOOKS, default="clay", help="how people look (default: clay)")
    look.add_argument("--light", choices=LIGHTS, default="studio", help="the set-up of lights (default: studio)")
    look.add_argument(
        "--key-light", metavar="TURN,HEIGHT", type=key_light,
        help="where the key light comes from: degrees to the viewer's right and up (default: -40,42)",
    )  # fmt: skip


def style_of(args: argparse.Namespace) -> Style:
    """The style asked for."""
    from rendering.scene.style import Style

    style = Style(args.look, args.light)
    return style.aimed(*args.key_light) if args.key_light else style


def key_light(text: str) -> tuple[float, float]:
    """ "-40,42" -> (-40.0, 42.0)."""
    turn, _, height = text.partition(",")
    try:
        degrees = float(turn), float(height)
    except ValueError:
        degrees = (float("nan"), float("nan"))
    if abs(degrees[0]) <= 360 and abs(degrees[1]) <= 90:
        return degrees
    raise argparse.ArgumentTypeError(
        f"“{text}” is not a direction of light such as -40,42: degrees to the right (-360 to 360) and up (-90 to 90)"
    )


def frame_range(text: str) -> tuple[int, int]:
    """ "10-40" -> (10, 40)."""
    first, _, last = text.replace("–", "-").partition("-")
    if first.strip().isdecimal() and last.strip().isdecimal() and 1 <= int(first) <= int(last):
        return int(first), int(last)
    raise argparse.ArgumentTypeError(f"“{text}” is not a range of frames such as 10-40, counted from 1")
