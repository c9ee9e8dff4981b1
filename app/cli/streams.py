"""Standard output, also as the file to write (“-o -”) and where it cannot be printed on; progress on a terminal."""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import sys
import time
from collections.abc import Iterator
from typing import TextIO

from solver.errors import PoserError
from solver.files.atomic import STANDARD_OUTPUT, reason_of
from solver.sentences import percent

DASH = "-"
REDRAWN_S, LINES_S = 0.1, 20.0


@contextlib.contextmanager
def printing() -> Iterator[None]:
    """What is printed inside is written at the end at the latest. PoserError where the system does not take it, as on a
    full disk; a reader that has seen enough is a BrokenPipeError."""
    if sys.stdout is None:  # a script closed it
        yield
        return
    with contextlib.redirect_stdout(_Checked(sys.stdout)):  # type: ignore[type-var]
        yield
        sys.stdout.flush()


@contextlib.contextmanager
def file_alone(parsed: argparse.Namespace) -> Iterator[None]:
    """Where the file to write is standard output, nothing else goes there: what the command says goes to stderr.

    “-” as the file becomes the system's own name of standard output. PoserError where the system has none.
    """
    output = getattr(parsed, "output", None)
    if output == DASH:
        if not os.path.exists(STANDARD_OUTPUT[0]):
            raise PoserError(f"“-o -” needs {STANDARD_OUTPUT[0]}, which this system lacks. Name a file.")
        parsed.output = output = STANDARD_OUTPUT[0]
    with contextlib.redirect_stdout(sys.stderr) if output in STANDARD_OUTPUT else contextlib.nullcontext():
        yield


def drop_printed() -> None:
    """Let what is printed go nowhere from now on, also what is held back: else it fails again at the end."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def show_progress(share: float, what: str = "") -> None:
    """Show what is being done, and the share of it that is done, in a line of stderr that goes again with the next
    output or at the end; nothing where stderr is not a terminal."""
    if sys.stderr is not None and sys.stderr.isatty():  # None where a script closed it
        text = f"{what} {percent(share):>4}".lstrip() if share < 1.0 else ""
        print(f"\r\x1b[K{text}", end="\r", file=sys.stderr, flush=True)


class CountedProgress:
    """Tells on stderr how many of how many are done: on a terminal in a line that goes again; elsewhere, as in a log,
    in a line at once and then one every 20 seconds; not at all if a script closed it."""

    def __init__(self) -> None:
        self._live = sys.stderr is not None and sys.stderr.isatty()
        self._told = -math.inf

    def __call__(self, what: str, done: int, total: int) -> None:
        """what: is being done, in a few words."""
        now, over = time.monotonic(), self._live and done == total
        if sys.stderr is None or (now - self._told < (REDRAWN_S if self._live else LINES_S) and not over):
            return
        self._told = now
        text = "" if over else f"{what}: {done} of {total}"
        start, end = ("\r\x1b[K", "\r") if self._live else ("", "\n")
        print(f"{start}{text}", end=end, file=sys.stderr, flush=True)


class _Checked:
    """A stream of text whose failures are told in one line."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        with self._told():
            return self._stream.write(text)

    def flush(self) -> None:
        with self._told():
            self._stream.flush()

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            raise
        except OSError as error:
            drop_printed()
            raise PoserError(f"What is printed cannot be written: {reason_of(error)}. Send it elsewhere.") from None
