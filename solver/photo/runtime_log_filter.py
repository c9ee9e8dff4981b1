"""Starts networks without the INFO line that their runtime prints; everything else it prints stays."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from solver.memoise import memoised
from solver.photo.detection.blazepose import DETECTOR_SIDE, run_network
from solver.photo.detection.models import DETECTOR

_STDERR = 2
_REMARK = b"INFO:"  # how TensorFlow Lite's harmless lines begin


@memoised()
def start_networks() -> bool:
    """Run the first network once, since its runtime prints then, and only then, how it computes. Again: does nothing.

    Raises InputRefused if a network's file is missing or damaged.
    """
    with without_info_lines():
        run_network(DETECTOR, np.zeros((DETECTOR_SIDE, DETECTOR_SIDE, 3), np.float32))
    return True


@contextmanager
def without_info_lines() -> Iterator[None]:
    """Drop the lines beginning with “INFO:” that any thread writes to the process's standard error meanwhile; other
    lines appear when the block ends, however it ends.

    The runtime bypasses Python and has no setting for this, so the file descriptor itself is redirected.
    """
    try:
        kept = os.dup(_STDERR)
    except OSError:  # no standard error, as in a program without a console
        yield
        return
    try:
        with tempfile.TemporaryFile() as aside:
            _flush()
            os.dup2(aside.fileno(), _STDERR)
            try:
                yield
            finally:
                _flush()
                os.dup2(kept, _STDERR)
                aside.seek(0)
                said = b"".join(line for line in aside if not line.startswith(_REMARK))
                if said:
                    os.write(_STDERR, said)
    finally:
        os.close(kept)


def _flush() -> None:
    if sys.stderr is not None:
        sys.stderr.flush()
