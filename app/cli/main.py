"""The command line: the window by default, sub-commands for the same work without it.

Nothing heavy is imported here: `--help` has to answer at once. Each sub-command's module says what the command takes
(`configure`) and does it (`run`), importing what it needs only then.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from app.cli.failures import report_unexpected
from app.cli.streams import drop_printed, file_alone, printing
from solver.errors import PoserError

PROGRAM = "contrapposto"
WINDOWS = os.name == "nt"
DONE, REFUSED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130

COMMANDS = {
    "open": "open the window, with a photo, a scene, a motion or a folder if named (what happens without a command)",
    "photo": "find the people in a photo and write them as a scene",
    "convert": "write a motion, a pose or a pose estimator's output as a scene",
    "label": "find the people in a folder of pictures and write labels to be corrected (SMPL, COCO)",
    "solve": "let the solver pose every character of a scene again",
    "export": "write a scene's poses as BVH, pose JSON, .npz, a mesh, a picture or a film",
    "render": "draw a scene into a PNG file, or as a film into GIF or MP4",
    "bench": "measure how fast this machine poses, draws and starts",
    "evaluate": "measure every solver on recorded poses",
    "train": "train the learned solvers on motion capture",
    "info": "show versions, device, solvers and assets",
}
_OF_ONE = ("open", "photo", "label", "solve", "export", "render")  # commands that take one file or folder
_INTO_FOLDER = ("convert",)  # commands that write several files into a folder
WITHOUT_BODY = ("bench", "train", "info")  # commands that have nothing to do with official bodies

DESCRIPTION = "Pose 3D characters with a few handles; start from a photo, end in BVH, JSON, PNG or a mesh."

EPILOG = """\
examples:
  python main.py                                open the window
  python main.py photo.jpg                      open a photo, find its people and pose them
  python main.py shoot/                         open a folder of pictures and label them
  python main.py walk.bvh                       open a motion (BVH, GLB, AMASS's .npz) and choose a frame
  python main.py photo team.jpg -o team.json    the same work without a window
  python main.py export team.json -o team.bvh   one file for each character: team_Anna.bvh …
  python main.py render team.json -o team.png --view photo

“python main.py COMMAND --help” explains a command. A file whose name is that of a command is opened as ./NAME.
exit codes: 0 done; 1 the input was refused (one line on stderr says why); 2 wrong usage; 130 Ctrl+C.
“-o -” writes to standard output, for pipes; what the command says then goes to stderr.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program with these arguments (sys.argv's by default) and return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _never_fail_to_print()
    debug = "--debug" in arguments
    try:
        parsed = build_parser().parse_args(with_command(arguments))
        check_usage(parsed, arguments)
        with printing(), file_alone(parsed):
            return int(import_module(f"app.cli.{parsed.command}").run(parsed))
    except SystemExit as stop:  # argparse: --help and --version end with 0, wrong usage with 2
        return stop.code if isinstance(stop.code, int) else WRONG_USAGE
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has seen enough
        drop_printed()
        return DONE
    except PoserError as error:
        if debug:
            raise
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return REFUSED
    except Exception as error:
        if debug:
            raise
        print(f"{PROGRAM}: {report_unexpected(error, arguments)}", file=sys.stderr)
        return REFUSED


def check_usage(parsed: argparse.Namespace, arguments: Sequence[str]) -> None:
    """Stop as for wrong usage where the file to write has no name, where an argument is empty, as with an unset
    variable of a script (a folder of that name would be the current one), and where --body means nothing."""
    if parsed.command in WITHOUT_BODY and hasattr(parsed, "body"):
        stop(f"--body means nothing for {parsed.command}")
    output = getattr(parsed, "output", None)
    names_folder = isinstance(output, str) and output.endswith(("/", os.sep)) and parsed.command not in _INTO_FOLDER
    if isinstance(output, str) and (not output.strip() or names_folder):
        why = f"{output} names a folder" if output.strip() else "its name is empty"
        stop(f"-o takes the file to write: {why}")
    if not all(argument.strip() for argument in arguments):
        stop("one of the arguments is empty, as a variable that is not set would be")
    if isinstance(output, str):
        _check_name(os.path.basename(output))


def _check_name(name: str) -> None:
    """Say that Windows allows no file this name, to which it may be handed on; on Windows itself, stop."""
    from solver.files.file_names import unfit_for_windows

    if reason := unfit_for_windows(name):
        text = f"on Windows no file can be called “{name}”: the name {reason}"
        if WINDOWS:
            stop(text)
        if sys.stderr is not None:
            print(f"{PROGRAM}: {text}.", file=sys.stderr)


def stop(why: str) -> NoReturn:
    """End as for wrong usage."""
    print(f"{PROGRAM}: {why}.", file=sys.stderr)
    raise SystemExit(WRONG_USAGE)


def build_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    parser = _Parser(
        prog=_called_as(),
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {version()}")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND", parser_class=_Parser)
    for name, summary in COMMANDS.items():
        module = import_module(f"app.cli.{name}")
        one = commands.add_parser(
            name,
            help=summary,
            parents=[_common(with_body=name not in WITHOUT_BODY)],
            description=(module.__doc__ or "").strip(),
            epilog=getattr(module, "EPILOG", None),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.configure(one)
    return parser


def _common(with_body: bool) -> _Parser:
    """What every command takes. with_body: whether --body means something for it, and is shown."""
    common = _Parser(add_help=False, argument_default=argparse.SUPPRESS)
    use = "use the official SMPL, SMPL-H or SMPL-X files of this folder for new characters, and for a scene's own"
    common.add_argument("--body", metavar="DIR", help=use if with_body else argparse.SUPPRESS)
    common.add_argument("--debug", action="store_true", help="show the traceback when something fails")
    return common


def with_command(arguments: list[str]) -> list[str]:
    """The arguments with the command in front, even if it stood behind options such as --body; "open" if none."""
    place = 0
    while place < len(arguments) and arguments[place].startswith("-"):
        if arguments[place] in ("-h", "--help", "--version"):
            return arguments
        place += 2 if arguments[place] == "--body" else 1
    if place < len(arguments) and arguments[place] in COMMANDS:
        return [arguments[place], *arguments[:place], *arguments[place + 1 :]]
    return ["open", *arguments]


def version() -> str:
    """The program's version, from the installed package or from the file beside it."""
    from app import __version__

    return __version__


def _called_as() -> str:
    called = os.path.basename(sys.argv[0] if sys.argv else "")
    return called.removesuffix(".exe") if called.startswith(PROGRAM) else "python main.py"


class _Parser(argparse.ArgumentParser):
    """Reports wrong usage in one line that points to the help."""

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As in argparse; what is left over is told with the help of the command that it was given to."""
        parsed, left = self.parse_known_args(args, namespace)
        if left:
            command, part = getattr(parsed, "command", None) or "", getattr(parsed, "part", None) or ""
            named, opening = parsed.file if command == "open" else None, import_module("app.cli.open")
            if named and opening.may_be_command(named) and not os.path.exists(named):
                opening.raise_for_missing(named)
            one = f" “{command}” takes one at a time." if command in _OF_ONE and not left[0].startswith("-") else ""
            asked = " ".join(word for word in (self.prog, command, part) if word)
            message = f"unrecognized arguments: {' '.join(left)}.{one} See “{asked} --help”."
            self.exit(WRONG_USAGE, f"{PROGRAM}: {message}\n")
        return parsed

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(WRONG_USAGE, f"{PROGRAM}: {message}. See “{self.prog} --help”.\n")


def _never_fail_to_print() -> None:
    """Let a console without our quotation marks show substitutes instead of raising an error."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
