"""Draw a scene into a PNG file, or its motions into a GIF or MP4 file; the suffix of the file decides.

A scene made from a photo is seen through the photo's camera, over the photo, unless another view is asked for.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from app.cli.looks import RANGE_HELP, configure_look, frame_range

if TYPE_CHECKING:
    from app.document.model.bookmark import Bookmark
    from app.document.model.document import Document

EPILOG = """\
examples:
  python main.py render scene.json -o scene.png
  python main.py render scene.json -o front.png --view front --size 2000x2000 --transparent
  python main.py render scene.json -o bones.png --show bones
  python main.py render scene.json -o lines.png --look line
  python main.py render scene.json -o evening.png --light warm --key-light 70,15
  python main.py render scene.json -o walk.mp4                            the motions, from first frame to last
  python main.py render scene.json -o part.mp4 --range 10-40              frames 10 to 40 of the timeline
  python main.py render scene.json -o shot.mp4 --through-views            with the camera moving from view to view
  python main.py render scene.json -o round.gif --turntable --size 480x480

No screen is needed.
"""
VIEWS = ("photo", "angle", "front", "back", "left", "right", "top", "bottom")
LARGEST = 16384
FPS, SECONDS = 25.0, 6.0


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("scene", metavar="SCENE", help="the scene file")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the PNG, GIF or MP4 file to write")
    parser.add_argument(
        "--size", metavar="WxH", type=picture_size, help="pixels (default: the photo's shape, else 1280x800)"
    )
    parser.add_argument(
        "--view", choices=VIEWS, help="where the camera is (default: photo if there is one, else angle)"
    )
    parser.add_argument("--show", choices=("body", "bones", "both"), default="body", help="what is drawn")
    parser.add_argument("--transparent", action="store_true", help="figures alone on a transparent background")
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors and warnings")
    configure_look(parser)
    film = parser.add_argument_group("GIF and MP4")
    film.add_argument("--turntable", action="store_true", help="once round the people, instead of their motions")
    film.add_argument(
        "--through-views", action="store_true", help="the camera goes through the views that the scene keeps"
    )
    film.add_argument(
        "--seconds", metavar="S", type=_above_0, help=f"the length of what stands still (default: {SECONDS:g})"
    )
    film.add_argument("--range", metavar="A-B", type=frame_range, help=RANGE_HELP)
    film.add_argument(
        "--fps", metavar="N", type=_above_0, help=f"frames a second (default: the motion's own; {FPS:g} of a turntable)"
    )


def run(args: argparse.Namespace) -> int:
    """Load the scene and draw it."""
    import sys
    from os.path import isfile  # False where the system refuses to look, where Path's raise OSError
    from pathlib import Path

    from app.cli.looks import style_of
    from app.cli.main import stop
    from app.cli.open import bodies_of
    from app.cli.scene_files import scene_named, span_of
    from app.cli.streams import show_progress
    from app.document.over_time.in_betweens import document_completed
    from app.document.scene_file.own_files import check_not_own_files, own_files
    from app.film.film import Film
    from app.film.film_file import MOVING, film_rate
    from app.services.clock import clock_of, plays
    from app.viewport.film_drawing import save_film
    from app.viewport.picture import save_picture
    from solver.errors import InputRefused
    from solver.files.atomic import check_writable

    kind = Path(args.output).suffix.lower().removeprefix(".")
    if kind not in ("png", *MOVING):
        drawn = ", ".join(f".{suffix}" for suffix in ("png", *MOVING))
        raise InputRefused(args.output, f"the suffix names nothing that can be drawn ({drawn})", "Change it")
    if args.through_views and (args.turntable or args.view or kind not in MOVING):
        stop(
            "--through-views moves the camera of a film of motions: leave out --turntable and --view, and end the name "
            "in .gif or .mp4"
        )
    if args.fps is not None and kind not in MOVING:
        stop("--fps means nothing for a PNG file, only for a film: end the name in .gif or .mp4")
    document = scene_named(args.scene, bodies_of(args))
    check_not_own_files([Path(args.output)], own_files(document, Path(args.scene)))
    document = document_completed(document)
    photo = document.photo
    if photo is not None and args.view in (None, "photo") and not args.transparent and not isfile(photo.path):
        print(f"The photo {photo.path} was not found; the picture is drawn without it.", file=sys.stderr)
    how = {"transparent": args.transparent, "show": args.show, "style": style_of(args)}
    if kind in MOVING:
        if args.range is not None and args.turntable:
            raise InputRefused(args.output, "a turntable shows no motion", "Leave out --range or --turntable")
        span = span_of(args.range, document, "", args.scene) if args.range is not None else None
        through = _views_of(args, document) if args.through_views else ()
        still = bool(through) and not plays(document)
        if args.seconds is not None and not (args.turntable or still):
            stop("--seconds is the length of a --turntable; a motion is as long as it is, or as --range says")
        fps = args.fps or (FPS if args.turntable or not plays(document) else film_rate(clock_of(document, "").fps))
        film = Film(fps, args.turntable, args.seconds or SECONDS, span, through=through, still=still)
        progress = (lambda share: None) if args.quiet else show_progress
        written = save_film(args.output, document, film, args.size, args.view, **how, progress=progress)
    else:
        if args.range is not None:
            raise InputRefused(
                args.output, "a range of frames makes a film, and a PNG file is one picture", "End it in .gif or .mp4"
            )
        if args.turntable:
            raise InputRefused(
                args.output, "a turntable moves, and a PNG file does not", "End the name in .gif or .mp4"
            )
        check_writable(args.output)
        written = save_picture(args.output, document, args.size, args.view, **how)
    if not args.quiet:
        print(f"Wrote {written}.")
    return 0


def picture_size(text: str) -> tuple[int, int]:
    """ "1280x800" -> (1280, 800)."""
    width, _, height = text.lower().replace("×", "x").partition("x")
    if width.isdecimal() and height.isdecimal() and all(1 <= int(side) <= LARGEST for side in (width, height)):
        return int(width), int(height)
    raise argparse.ArgumentTypeError(f"“{text}” is not a size such as 1280x800 (each side up to {LARGEST})")


def _above_0(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value <= 3600.0:
        raise argparse.ArgumentTypeError(f"“{text}” is not a number above 0 and up to 3600")
    return value


def _views_of(args: argparse.Namespace, document: Document) -> tuple[Bookmark, ...]:
    """The views that the camera of a film goes through. InputRefused where the scene keeps fewer than two."""
    from solver.errors import InputRefused

    if len(document.bookmarks) < 2:
        raise InputRefused(
            args.scene,
            "it keeps fewer than two views for the camera to go through",
            "Open it in the window, look from elsewhere and press Ctrl+2, Ctrl+4 and so on, then save it",
        )
    return document.bookmarks
