"""Publishing a run: further runs on random bodies and over effectors, the pictures, and the page with all of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from solver.body.catalog import load_body
from solver.evaluation.evaluate import Progress, Results, contestants_for, evaluate, poses_for
from solver.evaluation.pictures.plots import plot_sweep, plot_times, require_matplotlib
from solver.evaluation.pictures.sweep import sweep
from solver.evaluation.protocols import ALL_PROTOCOLS
from solver.evaluation.report import picture_files, report
from solver.evaluation.weight_folders import Load, load_folder
from solver.files.atomic import make_folder
from solver.files.report_page import write_page

MOST_SWEPT = 40  # poses for each point of the picture over effectors
MOST_OTHER_BODIES = 60


def prepare(page: Path) -> None:
    """Refuses, before the long run, what would otherwise be refused after it."""
    require_matplotlib()
    make_folder(page.parent, "Name a page elsewhere")


def publish(
    results: Results,
    page: Path,
    command: str,
    tell: Progress = lambda what, done, total: None,
    load: Load = load_folder,
) -> None:
    """Write the page and, beside it, its pictures. command: what a reader types to make it again."""
    settings = results.settings
    most = settings.max_poses
    other = None
    if settings.shape == "mean" and "R" in results.figures:
        few = MOST_OTHER_BODIES if most is None else min(most, MOST_OTHER_BODIES)
        other = evaluate(replace(settings, shape="random", protocol="R", max_poses=few), tell, load)
    body = load_body(settings.body)
    swept = MOST_SWEPT if most is None else min(most, MOST_SWEPT)
    poses = poses_for(replace(settings, max_poses=swept), body)
    points = sweep(contestants_for(settings, load).contestants, poses.poses, body, settings.seed, tell)
    files = picture_files(page)
    completed = {id: rows for id, rows in results.figures.items() if not ALL_PROTOCOLS[id].based}
    drawings: tuple[Callable[[Path], None], ...] = (
        lambda path: plot_sweep(points, path),
        lambda path: plot_times(completed, path),
    )
    for draw, path in zip(drawings, files.values(), strict=True):
        draw(path)
    pictures = {title: path.relative_to(page.parent).as_posix() for title, path in files.items()}
    write_page(page, report(results, other, command, pictures, len(poses.poses)))
