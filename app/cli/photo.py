"""Find the people in a photo, pose a body for each of them, and write the scene.

Each person becomes a character with a few effectors that stand for their pose, all seen by one camera, the photo's.
"""

from __future__ import annotations

import argparse
from pathlib import Path

MAX_FOCAL_PX = 1e6
EPILOG = """\
examples:
  python main.py photo team.jpg -o team.json
  python main.py photo team.jpg -o team.json --people 1,3 --effectors 12
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("image", metavar="IMAGE", help="the photo")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the scene file to write")
    parser.add_argument(
        "--people", metavar="WHICH", type=people, default=None, help="all, or numbers as printed: 1,3 (default: all)"
    )
    parser.add_argument(
        "--effectors", metavar="N", type=count, default=8,
        help="at most this many effectors for each person (default: 8, and two more where these leave a pose far off)",
    )  # fmt: skip
    parser.add_argument(
        "--threshold", metavar="MM", type=positive, default=10.0,
        help="stop adding effectors once the joints are this close on average (default: 10 mm)",
    )  # fmt: skip
    parser.add_argument(
        "--focal", metavar="PX", type=focal_length, default=None,
        help="focal length in pixels (default: from the photo's EXIF, else of a 50 mm lens; for a panorama, 28 mm)",
    )  # fmt: skip
    parser.add_argument(
        "--estimator", metavar="NAME", default="built-in",
        help="who reads the photo: built-in, or a plug-in's name (docs/estimates.md)",
    )  # fmt: skip
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")


def run(args: argparse.Namespace) -> int:
    """Find the people and save the scene."""
    from app.cli.open import body_id
    from app.cli.scene_files import check_scene_output
    from app.cli.streams import show_progress
    from app.document.exchange.photo_document import document_of_photo
    from app.document.scene_file.io import save_scene

    def tell(line: str) -> None:
        if not args.quiet:
            print(line)

    check_scene_output(args.output, {Path(args.image): "the photo"})
    recovery = args.effectors, args.threshold / 1e3
    document = document_of_photo(
        Path(args.image),
        body_id(args),
        args.people,
        recovery=recovery,
        focal_px=args.focal,
        tell=tell,
        estimator=args.estimator,
        progress=None if args.quiet else show_progress,
    )
    if not args.quiet:
        show_progress(1.0)
    save_scene(args.output, document)
    tell(f"Wrote {args.output}.")
    return 0


def people(text: str) -> list[int] | None:
    """ "all" -> None; "1,3" -> [1, 3]."""
    if text.strip().lower() == "all":
        return None
    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is neither “all” nor numbers such as 1,3") from None
    if min(numbers) < 1:
        raise argparse.ArgumentTypeError("people are numbered from 1")
    return list(dict.fromkeys(numbers))


def count(text: str) -> int:
    """A whole number from 1 to 100."""
    if text.isdecimal() and 1 <= int(text) <= 100:
        return int(text)
    raise argparse.ArgumentTypeError(f"“{text}” is not a whole number from 1 to 100")


def focal_length(text: str) -> float:
    """A number of pixels above 0 that a scene can hold."""
    value = positive(text)
    if value <= MAX_FOCAL_PX:
        return value
    raise argparse.ArgumentTypeError(f"“{text}” is more than {MAX_FOCAL_PX:,.0f} pixels")


def positive(text: str) -> float:
    """A finite number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if 0.0 < value < float("inf"):
        return value
    raise argparse.ArgumentTypeError(f"“{text}” is not a number above 0")
