"""How much of something slow is done, on a terminal."""

from __future__ import annotations

import sys


def show_progress(share: float, what: str = "") -> None:
    """Show what is being done, and the share of it that is done, in a line of stderr that goes again with the next
    output or at the end; nothing where stderr is not a terminal."""
    if sys.stderr is not None and sys.stderr.isatty():  # None where a script closed it
        text = f"{what} {share:4.0%}".lstrip() if share < 1.0 else ""
        print(f"\r\x1b[K{text}", end="\r", file=sys.stderr, flush=True)
