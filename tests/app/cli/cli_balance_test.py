"""`evaluate --balance` from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.cli.main import main
from tests.solver.evaluation_samples import write_clips


def test_balance_is_printed_as_a_table_for_each_mode(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_clips(tmp_path, {"walk": 11})
    assert main(["evaluate", "--bvh", str(tmp_path), "--balance", "--solver", "dls", "--max-poses", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "dls"
    assert "balanced %" in lines[2]
