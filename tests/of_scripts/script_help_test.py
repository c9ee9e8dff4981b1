"""What can be run of scripts, solver and document says what it is for when asked with --help, and does nothing else."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(path for top in ("scripts", "solver", "app/document") for path in (ROOT / top).rglob("*.py"))
RUN = [path for path in FILES if 'if __name__ == "__main__"' in path.read_text("utf-8")]
MODULES = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in RUN]


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_help_comes_before_any_work(
    module: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [module, "--help"])
    monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)  # a window would end the process
    with pytest.raises(SystemExit) as ended:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert said.startswith(f"usage: python -m {module.removesuffix('.__main__')} ")
    assert len(re.findall(r"\w+", said.partition("options:")[0])) > 15, "it does not say what it is for"
