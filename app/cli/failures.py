"""What the user sees when something fails that should not: one line, and where the details are."""

from __future__ import annotations

import re
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

REASON_LIMIT = 200  # characters of an error's text that fit into one line


def report_unexpected(error: BaseException, arguments: Sequence[str]) -> str:
    """Write the traceback to a file in the temporary folder; return the line that says what failed and where it is."""
    reason = " ".join(re.sub(r"\x1b\[[0-9;]*m", "", str(error)).split()) or "no details"
    if len(reason) > REASON_LIMIT:
        reason = reason[: REASON_LIMIT - 1] + "…"
    what = f"Something went wrong inside the program: {type(error).__name__}: {reason}".rstrip(".")
    text = "".join(traceback.format_exception(error))
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="contrapposto-", suffix=".log", delete=False, encoding="utf-8"
        ) as log:
            log.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')}  {' '.join(arguments)}\n\n{text}")
            place = Path(log.name)
    except OSError:
        return f"{what}. Run it again with --debug to see where."
    return f"{what}. The details are in {place}."
