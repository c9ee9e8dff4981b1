"""A progress bar for a run, with the time left."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TextIO

from solver.sentences import percent
from solver.training.run.config import TrainConfig
from solver.training.run.loop import Report

WIDTH = 28
EVERY = 0.5  # seconds between two drawings
LINES = 20.0  # seconds between two lines where nothing can be redrawn, until the first validation


class ProgressBar:
    """Redraws one line on a terminal. Elsewhere each validation is a line; until the first one, so is the first step,
    and then one every 20 seconds: whoever starts a run sees at once that it goes on."""

    def __init__(self, config: TrainConfig, stream: TextIO) -> None:
        self._config, self._stream = config, stream
        self._live = stream.isatty()
        self._drawn = -LINES
        self._validated = False

    def begin(self, out: Path) -> None:
        """Says what is trained, for how long, and where it goes, before data and network are made."""
        config = self._config
        long = f"{config.steps:,} steps" if config.steps > 0 else f"{config.minutes:g} minutes"
        self._line(f"Training {config.network} for {long}; checkpoints go into {out}.")

    def show(self, report: Report) -> None:
        """Shows a step."""
        if report.note:
            self._line(f"not saved: {report.note}")
        if report.validation is not None:
            errors = ", ".join(f"{name} {value:.4g}" for name, value in report.validation.items())
            self._line(f"step {report.step}, {report.elapsed / 60:.1f} min, loss {report.loss:.4g}: {errors}")
            self._validated = True
        now = time.monotonic()
        if self._live and now - self._drawn > EVERY:
            self._drawn = now
            print(f"\r\x1b[K{self.text(report)}", end="", file=self._stream, flush=True)
        elif not self._live and not self._validated and now - self._drawn >= LINES:
            self._drawn = now
            self._line(self.plain(report))

    def text(self, report: Report) -> str:
        """The bar's text for a step."""
        done = round(WIDTH * report.progress)
        rate = report.step / max(report.elapsed, 1e-9)
        bar = "█" * done + "·" * (WIDTH - done)
        state = f"step {report.step}  {rate:.1f}/s  loss {report.loss:.3g}"
        return f"{bar} {percent(report.progress):>4}  {state}  {clock(_left_s(report))} left"

    def plain(self, report: Report) -> str:
        """A step as a line of its own."""
        left = f", {clock(left_s)} left" if (left_s := _left_s(report)) else ""
        return f"{percent(report.progress)}, step {report.step}, loss {report.loss:.3g}{left}"

    def close(self) -> None:
        """Ends the line."""
        if self._live:
            print(file=self._stream)

    def _line(self, text: str) -> None:
        start = "\r\x1b[K" if self._live else ""
        print(f"{start}{text}", file=self._stream, flush=True)


def _left_s(report: Report) -> float:
    return report.elapsed * (1.0 - report.progress) / report.progress if report.progress > 0 else 0.0


def clock(seconds: float) -> str:
    """Hours, minutes and seconds as 1:02:03 or 2:03."""
    hours, rest = divmod(round(seconds), 3600)
    minutes, rest = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
