"""Draw a scene into a PNG file.

A scene made from a photo is seen through the photo's camera, over the photo, unless another view is asked for.
"""

from __future__ import annotations

import argparse

EPILOG = """\
examples:
  python main.py render scene.json -o scene.png
  python main.py render scene.json -o front.png --view front --size 2000x2000 --transparent
  python main.py render scene.json -o bones.png --show bones

No screen is needed.
"""
VIEWS = ("photo", "angle", "front", "back", "left", "right", "top", "bottom")
LARGEST = 16384


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("scene", metavar="SCENE", help="the scene file")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the PNG file to write")
    parser.add_argument(
        "--size", metavar="WxH", type=picture_size, help="pixels (default: the photo's shape, else 1280x800)"
    )
    parser.add_argument("--view", choices=VIEWS, help="where from (default: photo if there is one, else angle)")
    parser.add_argument("--show", choices=("body", "bones", "both"), default="body", help="what is drawn")
    parser.add_argument("--transparent", action="store_true", help="figures alone on a transparent background")


def run(args: argparse.Namespace) -> int:
    """Load the scene and draw it."""
    import sys
    from pathlib import Path

    from app.cli.open import bodies_of
    from app.document.posing.in_betweens import document_completed
    from app.document.scene_file.io import load_scene
    from app.viewport.picture import save_picture

    document = document_completed(load_scene(args.scene, bodies_of(args)))
    photo = document.photo
    if photo is not None and args.view in (None, "photo") and not args.transparent and not Path(photo.path).is_file():
        print(f"The photo {photo.path} was not found; the picture is drawn without it.", file=sys.stderr)
    written = save_picture(args.output, document, args.size, args.view, transparent=args.transparent, show=args.show)
    print(f"Wrote {written}.")
    return 0


def picture_size(text: str) -> tuple[int, int]:
    """ "1280x800" -> (1280, 800)."""
    width, _, height = text.lower().replace("×", "x").partition("x")
    if width.isdecimal() and height.isdecimal() and all(1 <= int(side) <= LARGEST for side in (width, height)):
        return int(width), int(height)
    raise argparse.ArgumentTypeError(f"“{text}” is not a size such as 1280x800 (each side up to {LARGEST})")
