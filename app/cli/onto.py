"""--onto: a pose or a motion back onto the user's own character, and the options that go with it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.document.model.character import Character
    from app.document.model.document import Document
    from solver.rig.joint_map_file import JointMaps

_WHY = "which writes your character's file again as it is, with only its joints posed"


def check_usage(args: argparse.Namespace, needing: Sequence[str], without: Sequence[str] = ()) -> None:
    """Stop as for wrong usage if an option is given that only --onto makes use of, or one that it makes no use of, or
    several people with it.

    needing, without: the options that are nothing without --onto, and with it.
    """
    from app.cli.main import stop

    for option in needing if args.onto is None else without:
        if getattr(args, option.replace("-", "_")):
            stop(f"--{option} is for --onto" if args.onto is None else f"--{option} does not go with --onto, {_WHY}")
    if args.onto is not None and len(args.character) > 1:
        stop("--onto writes one person: give one --character")


def write_onto(
    args: argparse.Namespace, document: Document, maps: JointMaps, source: str, output: str, whole_motion: bool
) -> str:
    """Write the file of --onto again with its character posed as one of the document's people; what was written, as
    who, in a sentence.

    That is the person of --character, else the first, as stderr then says. maps: of the user's character. source: the
    file of the document, for messages. InputRefused, UnknownName as for any export.
    """
    from app.cli.main import PROGRAM
    from app.document.exchange.export import chosen_characters
    from app.document.exchange.onto.own_character import export_onto, own_character_in
    from app.document.over_time.in_betweens import document_completed

    first, *others = chosen_characters(document, args.character, source)
    own = own_character_in(Path(args.onto), maps)
    (person,) = chosen_characters(document_completed(document), [first.id], source)
    file, hint = export_onto(output, person, own, whole_motion)
    if others:
        taken = f"{Path(source).name} holds {1 + len(others)} people: “{first.name}” was taken"
        way_out = "--character NAME takes another one" if not args.character else "the others have the same name"
        hint = f"{taken}; {way_out}. {hint}".strip()
    if hint:
        print(f"{PROGRAM}: {hint}", file=sys.stderr)
    return f"Wrote {file}, posed as “{first.name}”."


def tell_of_frames_left(characters: Sequence[Character]) -> None:
    """Say on stderr of whom a file holds one frame alone, though they move."""
    from app.cli.main import PROGRAM
    from solver.sentences import counted

    moving = [character for character in characters if len(character.clip) > 1]
    if not moving:
        return
    whose = ", ".join(f"“{one.name}” ({counted(len(one.clip), 'frame')})" for one in moving)
    print(f"{PROGRAM}: of {whose}, only the frame shown was written: --motion writes all.", file=sys.stderr)


def tell_of_own_skins(characters: Sequence[Character]) -> None:
    """Say on stderr whose own skin a mesh file does not hold."""
    from app.cli.main import PROGRAM
    from app.document.edits.body import is_own

    names = ", ".join(f"“{character.name}”" for character in characters if is_own(character))
    if names:
        instead = "our body is written, not the skin of your own character: --onto writes that"
        print(f"{PROGRAM}: of {names} {instead}.", file=sys.stderr)
