"""Results as text: a table for the terminal, the same as Markdown, and JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping

from solver.effectors.kinds import Position, kinds

Figures = Mapping[str, Mapping[str, float]]  # by contestant, then by metric

# Heading and decimals, in the order of the columns.
COLUMNS: dict[str, tuple[str, int]] = {
    "mpjpe_mm": ("MPJPE mm", 1),
    "mpjpe_ci_mm": ("± mm", 1),
    "pa_mpjpe_mm": ("PA-MPJPE mm", 1),
    "ge_rad": ("geodesic rad", 3),
    "l2_root": ("L2 root m²", 4),
    "l2_joints": ("L2 joints m²", 4),
    Position.spec.figure: (Position.spec.figure_title, 2),
    "effector_p95_mm": ("effector p95 mm", 2),
    **{kind.figure: (kind.figure_title, 2) for kind in kinds() if kind.figure and kind is not Position.spec},
    "bone_mm": ("bones mm", 3),
    "edited_mm": ("edited end mm", 2),
    "erosion_mm": ("erosion mm", 1),
    "jerk": ("jerk m/s³", 0),
    "skate_cm": ("foot skate cm", 2),
    "kept_m": ("off base m", 3),
    "kept_rad": ("off base rad", 3),
    "prior_energy": ("prior energy", 2),
    "limits_deg": ("beyond limits °", 2),
    "nearest_mm": ("nearest pose mm", 1),
    "foot_mm": ("foot mm", 1),
    "penetration_mm": ("penetration mm", 1),
    "solve_ms_p50": ("solve ms p50", 2),
    "solve_ms_p95": ("solve ms p95", 2),
    "model_bytes": ("model bytes", 0),
}
ABSENT = "–"


def cells_of(figures: Figures) -> list[list[str]]:
    """Heading and rows of a table; columns without any figure are left out."""
    columns = [name for name in COLUMNS if any(name in row for row in figures.values())]
    rows = [["solver", *(COLUMNS[name][0] for name in columns)]]
    for contestant, values in figures.items():
        rows.append([contestant, *(_cell(values, name) for name in columns)])
    return rows


def text_table(figures: Figures) -> str:
    """Aligned columns, with long headings over several lines."""
    heading, *rows = cells_of(figures)
    words = [name.split() for name in heading]
    height = max(len(w) for w in words)
    lines = [[""] * (height - len(w)) + w for w in words]
    table = [*(list(row) for row in zip(*lines, strict=True)), *rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(heading))]
    return "\n".join(_line(row, widths) for row in table)


def markdown_table(figures: Figures) -> str:
    """The table as Markdown."""
    heading, *rows = cells_of(figures)
    rule = ["---", *("--:" for _ in heading[1:])]
    return "\n".join(f"| {' | '.join(row)} |" for row in (heading, rule, *rows))


def posture_table(postures: Mapping[str, tuple[int, Figures]], metric: str) -> str:
    """One metric as Markdown, a column for each posture class. postures: number of poses and figures by class."""
    heading, _ = COLUMNS[metric]
    names = list(dict.fromkeys(name for _, figures in postures.values() for name in figures))
    head = [heading, *(f"{posture} ({poses})" for posture, (poses, _) in postures.items())]
    rows = [[name, *(_cell(figures.get(name, {}), metric) for _, figures in postures.values())] for name in names]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---", *("--:" for _ in postures)], *rows))


def json_text(results: Mapping[str, object]) -> str:
    """Results as JSON, with a line end."""
    return json.dumps(results, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _line(row: list[str], widths: list[int]) -> str:
    name, *rest = row
    aligned = (cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))
    return "  ".join([name.ljust(widths[0]), *aligned]).rstrip()


def _cell(values: Mapping[str, float], name: str) -> str:
    return f"{values[name]:.{COLUMNS[name][1]}f}" if name in values else ABSENT
