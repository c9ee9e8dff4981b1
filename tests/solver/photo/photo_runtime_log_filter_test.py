"""What networks print when they start: remarks for developers are dropped, errors are not, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
START = "from solver.photo.runtime_log_filter import start_networks, without_info_lines\n"


def run(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", START + script], check=False, cwd=ROOT, capture_output=True, text=True, timeout=300
    )


@pytest.mark.slow
def test_networks_start_without_a_word() -> None:
    done = run("start_networks()\nstart_networks()\nprint('started')")
    assert (done.returncode, done.stdout, done.stderr) == (0, "started\n", "")


def test_of_what_is_written_past_python_remarks_alone_are_dropped_and_all_comes_again_after() -> None:
    done = run(
        "import os, sys\n"
        "with without_info_lines():\n"
        "    os.write(2, b'INFO: created\\nERROR: no such thing\\n')\n"
        "    print('a warning', file=sys.stderr)\n"
        "os.write(2, b'INFO: later\\n')"
    )
    assert done.stderr == "ERROR: no such thing\na warning\nINFO: later\n"


def test_an_error_within_shows_with_what_was_said_before_it() -> None:
    done = run(
        "import os\nwith without_info_lines():\n    os.write(2, b'WARNING: low\\n')\n    raise ValueError('broken')"
    )
    assert done.returncode == 1
    assert done.stderr.startswith("WARNING: low\n")
    assert done.stderr.endswith("ValueError: broken\n")


def test_a_program_without_a_standard_error_goes_on() -> None:
    done = run("import os\nos.close(2)\nwith without_info_lines():\n    print('within')")
    assert done.stdout == "within\n"
