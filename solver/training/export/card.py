"""The card beside shipped weights: what they are, how good they are, and where they fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from solver.effectors.kinds import network_kinds, type_of
from solver.networks.catalog import ANY_BODY, EDIT, FOLLOW, LIFT, READ_BASE
from solver.training.export.card_facts import ALWAYS, PAPER, PAPERS, TITLES
from solver.training.export.edit_card import EDIT_CURVE, EDIT_LIMITS, EDITS, edit_quality
from solver.training.export.follow_card import FOLLOW_CURVE, FOLLOW_LIMITS, FOLLOWS, follow_quality
from solver.training.export.lift_card import LIFT_CURVE, LIFT_LIMITS, LIFTS, lift_quality
from solver.training.run.config import TrainConfig

CURVE = 12  # columns
FOLDERS = {"dragposer_time": "dragposer"}  # under weights/, where it is not called after the network
TORCH = "model.safetensors holds the trained float32 weights, which torch runs when a GPU is chosen."
LIFT_ALONE = (
    "model.safetensors holds the same float32 weights as model.onnx, under torch's names. The wheel leaves it out:\n"
    "a later run can start from either."
)
FOLLOW_ALONE = "model.safetensors holds both networks in float32, which numpy runs."
TIMELESS = ". It treats each pose on its own, without time"
MEETS = "- On its own the network meets effectors only roughly. The exact stage that follows meets them exactly.\n"
UNKNOWN = "SETTINGS.toml"  # in a command, where no file of ours has the settings


def deviations(config: TrainConfig) -> list[str]:
    """The settings that are not the paper's, one line each."""
    found = [
        f"- `{name}` {getattr(config, name)} (paper: {value})"
        for name, value in PAPER[config.network].items()
        if getattr(config, name) != value
    ]
    if config.start_from:
        found.append(f"- training starts from the weights of {config.start_from} (paper: random weights)")
    return found


@dataclass(frozen=True)
class CardNotes:
    """What the exporter says about the weights. sources: of the data. licence: of the weights. note: a paragraph."""

    note: str = ""
    sources: str = "CMU Graphics Lab Motion Capture Database (free for any use) and DeepMimic's reference motions (MIT)"
    licence: str = "Apache-2.0"


def card_text(
    config: TrainConfig,
    run: str,
    settings: str,
    metrics: dict[str, Any],
    notes: CardNotes,
    history: Sequence[Mapping[str, float]] = (),
    begun: Sequence[str] = (),
) -> str:
    """CARD.md. run: the name of its folder. settings: the file of them. history: its validations. begun: lines about
    the run that it started from."""
    title, shipped = TITLES[config.network], metrics[metrics["shipped"]]
    shape = "any shape within ±3 standard deviations" if config.network in ANY_BODY else "the mean neutral body"
    follows = config.network in FOLLOW
    of_kind = next((texts for some, texts in _KINDS if config.network in some), None)
    does, quality, limits = of_kind or (_completes(config), _quality, MEETS)
    alone = FOLLOW_ALONE if follows else LIFT_ALONE if config.network in LIFT else TORCH
    return f"""# {title}

{does}
After {PAPERS[config.network]}. Licence of the weights: {notes.licence}.

## Training

Data: {notes.sources}.
Body: `{config.body}`, {shape}. It took {metrics["steps"]} steps of {config.batch} poses, in {metrics["minutes"]:.0f}
minutes. All settings are in config.json.

What differs from the paper:
{chr(10).join([*deviations(config), *begun, *ALWAYS[config.network]])}

These commands made it (docs/training.md explains how to make the data file):

```
{_commands(config, run, settings)}
```
{_paragraph(notes.note)}{_curve(history)}
## How good it is

{quality(metrics, shipped)}
{_kept(history)}
{alone}

## Limits and bias

- The data show a few adults for about half an hour, mostly walking, running, dancing, fighting and climbing. Nobody
  sits on a chair, kneels at rest, does yoga or touches another person, and there is hardly any floor work.
- Fingers do not move. Wrists are only as good as the motion capture, and hands follow the wrists.
- The network does not know about the floor or about other bodies{"" if follows else TIMELESS}.
- Children, unusual proportions and missing limbs are outside its range of body shapes.
{limits}"""


def _completes(config: TrainConfig) -> str:
    """What such a network does."""
    kinds = [type_of(id).spec.title.lower() for id in network_kinds()]
    based = ", and keeps any joint of a base pose as firmly as you ask" if config.network in READ_BASE else ""
    effectors = f"{', '.join(kinds[:-1])} and {kinds[-1]} effectors"
    return f"Completes a pose of SMPL's 22 body joints from any set of {effectors}{based}."


def _quality(metrics: Mapping[str, Any], shipped: Mapping[str, Any]) -> str:
    """How good it is on protocol R."""
    rows = "\n".join(
        f"| {what} | {e['mpjpe_mm']:.1f} | {e['pa_mpjpe_mm']:.1f} | {e['ge_rad']:.3f} | {e['effector_mm']:.1f} |"
        for what, e in (("network alone", shipped["raw"]), ("with the exact stage", shipped["exact"]))
    )
    split = f"Split {metrics['split']}, protocol {metrics['protocol']}"
    return f"""{split} (6 to 12 random effectors, one on each limb), mean neutral
body, {metrics["shipped"]}, {shipped["megabytes"]:.1f} MB, {shipped["network_ms"]:.2f} ms per answer on one thread:

| | MPJPE mm | PA-MPJPE mm | rotations rad | effectors mm |
|--|--|--|--|--|
{rows}"""


def _commands(config: TrainConfig, run: str, settings: str) -> str:
    """From the data file to this folder."""
    length = f"--minutes {config.minutes:g}" if config.minutes else f"--steps {config.steps}"
    before = f"# starts from {config.start_from}\n" if config.start_from else ""
    if settings == UNKNOWN:
        before += f"# {UNKNOWN}: the settings under “training” in config.json\n"
    return f"""{before}python main.py train run --config {settings} --out out/{run} {length}
python main.py train export --run out/{run} -o weights/{FOLDERS.get(config.network, config.network)}"""


def _paragraph(note: str) -> str:
    return f"\n{note}\n" if note else ""


# What networks do that do not complete poses from effectors, how good they are, and their limits.
_KINDS = (
    (EDIT, (EDITS, edit_quality, MEETS + EDIT_LIMITS)),
    (FOLLOW, (FOLLOWS, follow_quality, MEETS + FOLLOW_LIMITS)),
    (LIFT, (LIFTS, lift_quality, LIFT_LIMITS)),
)


def _kept(history: Sequence[Mapping[str, float]]) -> str:
    """What is kept of a base pose, of the last validation; nothing of networks that read none."""
    if not history or "kept_mm" not in history[-1]:
        return ""
    last = history[-1]
    return f"""
Given another pose of the split as the base, and the true places of pelvis and ankles as targets, the network alone
leaves the other joints {last["kept_mm"]:.0f} mm from their base places in Place freeze and {last["kept_rad"]:.3f} rad
from their base shape in Pose freeze. Pelvis and ankles are then {last["asked_mm"]:.0f} mm from their targets.
"""


def _curve(history: Sequence[Mapping[str, float]]) -> str:
    """The validations as a table of at most a dozen columns, the last one among them."""
    if not history:
        return ""
    last, name, what, digits = history[-1], "mpjpe_mm", "MPJPE mm, network alone", 1
    if "drawn_mm" in last:
        name, what = "drawn_mm", EDIT_CURVE
    elif "held" in last:
        name, what, digits = "mean", FOLLOW_CURVE, 3
    elif "unsure_mm" in last:
        what = LIFT_CURVE
    every = -(-len(history) // CURVE)
    rows = list(history)[::-1][::every][::-1]
    lines = (
        ["minutes", *(f"{row['minutes']:.0f}" for row in rows)],
        ["--"] * (len(rows) + 1),
        [what, *(f"{row[name]:.{digits}f}" for row in rows)],
    )
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return f"\nProgress on the val split:\n\n{table}\n"
