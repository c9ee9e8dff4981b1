"""The benchmark as pictures: error over effectors, error over solve time."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from solver.errors import PoserError
from solver.evaluation.body_joints import BODY_JOINTS
from solver.evaluation.contestants import RAW
from solver.evaluation.pictures.sweep import COUNTS, MIXES, Point
from solver.evaluation.pictures.trade_off import TradeOff
from solver.evaluation.tables import Figures
from solver.files.atomic import write_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROWS = (("mpjpe_mm", "MPJPE, mm"), ("ge_rad", "geodesic, rad"))
_DPI = 110
LEAST_MM = 1e-3  # constraints met better than this are drawn as missed by this much: the axis is logarithmic


def require_matplotlib() -> None:
    """Raises PoserError if the plotting library is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise PoserError('Plots need matplotlib. Install it with: pip install "contrapposto[plots]".') from None


def plot_sweep(points: Sequence[Point], path: Path) -> None:
    """One column for each mix of effectors, position error above rotation error, one line for each contestant; PNG."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 6.4), layout="constrained")
    axes = figure.subplots(len(_ROWS), len(MIXES), sharex=True, sharey="row", squeeze=False)
    names = list(dict.fromkeys(point.contestant for point in points))
    for column, mix in enumerate(MIXES):
        for row, (metric, label) in enumerate(_ROWS):
            one: Axes = axes[row][column]
            for name in names:
                line = [(p.joints, getattr(p, metric)) for p in points if p.contestant == name and p.mix == mix]
                if line:
                    counts, values = zip(*line, strict=True)
                    style = _style(name, names)
                    one.plot(counts, values, label=name, marker=".", color=style.colour, linestyle=style.dashes)
            one.grid(color="0.9")
            one.set_ylim(bottom=0)
            if column == 0:
                one.set_ylabel(label)
        axes[0][column].set_title("positions and rotations" if mix == "both" else f"{mix} only", fontsize=10)
        axes[-1][column].set_xlabel(f"joints with effectors, of {len(BODY_JOINTS)}")
        axes[-1][column].set_xticks([count for count in COUNTS if count != 3])  # too near to its neighbours
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside right center", frameon=False, fontsize=9)
    _save(figure, path)


def plot_times(figures: Mapping[str, Figures], path: Path) -> None:
    """One panel for each protocol: every contestant's median solve time, logarithmic, and its position error; PNG."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(1.5 + 4.75 * max(len(figures), 1), 4.2), layout="constrained")
    axes = figure.subplots(1, max(len(figures), 1), squeeze=False)[0]
    names = list(dict.fromkeys(name for rows in figures.values() for name in rows))
    for one, (protocol, rows) in zip(axes, figures.items(), strict=False):
        for name, values in rows.items():
            style = _style(name, names)
            at = values["solve_ms_p50"], values["mpjpe_mm"]
            hollow = "none" if name.endswith(RAW) else style.colour
            one.scatter(*at, s=45, facecolors=hollow, edgecolors=style.colour, label=name)
        one.set_xscale("log")
        one.set_axisbelow(True)
        one.xaxis.set_major_formatter("{x:g}")
        one.margins(x=0.1)
        one.set_ylim(0, 1.15 * max((values["mpjpe_mm"] for values in rows.values()), default=1.0))
        one.grid(color="0.9")
        one.set_title(f"protocol {protocol}", fontsize=10)
        one.set_xlabel("median solve time, ms")
    axes[0].set_ylabel("MPJPE, mm")
    shown = {label: dot for one in axes for dot, label in zip(*one.get_legend_handles_labels(), strict=True)}
    if shown:
        dots = [shown[name] for name in names]
        figure.legend(dots, names, loc="outside right center", frameon=False, fontsize=9)
    _save(figure, path)


def plot_trade_offs(points: Sequence[TradeOff], path: Path) -> None:
    """One panel for each freeze: how far constraints are missed over how far the rest is from the base pose, one line
    for each contestant, from nothing kept to everything kept; PNG."""
    from matplotlib.figure import Figure

    modes, names = (list(dict.fromkeys(getattr(point, key) for point in points)) for key in ("mode", "contestant"))
    figure = Figure(figsize=(11, 4.4), layout="constrained")
    axes = figure.subplots(1, max(len(modes), 1), sharey=True, squeeze=False)[0]
    for one, mode, unit in zip(axes, modes, ("m", "rad"), strict=False):
        for name in names:
            line = [
                (p.off_base, max(p.effector_mm, LEAST_MM)) for p in points if (p.contestant, p.mode) == (name, mode)
            ]
            if line:
                style, (off, missed) = _style(name, names), zip(*line, strict=True)
                one.plot(off, missed, label=name, marker=".", color=style.colour, linestyle=style.dashes)
                one.plot(off[-1], missed[-1], marker="o", color=style.colour)  # all kept
        one.set_yscale("log")
        one.yaxis.set_major_formatter("{x:g}")
        one.grid(color="0.9")
        one.set_title(mode, fontsize=10)
        one.set_xlabel(f"off the base pose, {unit}")
    axes[0].set_ylabel("constraints missed by, mm")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center", frameon=False, fontsize=9)
    _save(figure, path)


class _Style(NamedTuple):
    colour: str
    dashes: str


def _style(name: str, names: Sequence[str]) -> _Style:
    """One colour for a solver with and without the exact stage; without it the line is dashed."""
    families = list(dict.fromkeys(n.removesuffix(RAW) for n in names))
    colour = f"C{families.index(name.removesuffix(RAW)) % 10}"
    return _Style(colour, "--" if name.endswith(RAW) else "-")


def _save(figure: Figure, path: Path) -> None:
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=_DPI, metadata={"Software": ""})
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, picture.getvalue())
