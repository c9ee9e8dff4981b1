"""Open the window: empty, or with a photo, a scene, a pose or an estimate (JSON, .npz), a motion or a character (BVH,
GLB, VRM, AMASS's .npz), a mesh, or a folder of pictures to label.

Without a file there is a character, ready to be posed.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from os.path import exists, isdir  # False where the system refuses to look, where Path's raise OSError
from pathlib import Path

from solver.errors import InputRefused, PoserError


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="a file, or a folder, as above")


def run(args: argparse.Namespace) -> int:
    """Check the file's name and start the window; the exit code is that of the event loop."""
    if args.file is not None:
        if not exists(args.file):
            raise_for_missing(args.file)
        if not isdir(args.file):  # the pictures of a folder are labelled
            from app.document.exchange.file_kind import kind_of

            kind_of(Path(args.file))
    require_screen()
    from app.window.fast_import import import_window

    return int(import_window().run(args.file, body=body_id(args)))


def raise_for_missing(name: str) -> None:
    """Refuse a file that is not there, as wrong usage if it looks like a mistyped command."""
    from app.cli.main import COMMANDS, PROGRAM, WRONG_USAGE

    if may_be_command(name):
        near = difflib.get_close_matches(name.lower(), COMMANDS, n=1)
        hint = f"Did you mean “{near[0]}”?" if near else f"The commands are {', '.join(COMMANDS)} (see --help)."
        print(f"{PROGRAM}: there is no file and no command named “{name}”. {hint}", file=sys.stderr)
        raise SystemExit(WRONG_USAGE)
    raise InputRefused(name, "there is no such file", "Check the name and the folder")


def may_be_command(name: str) -> bool:
    """Whether the name of a file looks like a mistyped command: it has neither folder nor ending."""
    return Path(name).name == name and "." not in name


def require_screen() -> None:
    """Refuse to open a window where there can be none."""
    from app.services.screen import no_window_because

    if reason := no_window_because():
        raise PoserError(reason)


def bodies_of(args: argparse.Namespace) -> tuple[str, ...]:
    """The ids of the official bodies that a scene may name: that of --body, as typed and as resolved."""
    id = body_id(args)
    return () if id is None else (id, f"smpl:{args.body}")


def body_id(args: argparse.Namespace) -> str | None:
    """The id of the body model that --body asks for; None without it."""
    folder = getattr(args, "body", None)
    if folder is None:
        return None
    if not isdir(folder):
        raise InputRefused(folder, "there is no such folder", "--body takes the folder that holds the model files")
    from solver.body.catalog import official_body_id

    return official_body_id(folder)
