"""The card beside shipped weights: what they are, how good they are, and where they fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from solver.effectors.kinds import network_kinds, type_of
from solver.training.run.config import TrainConfig

TITLES = {"smplik": "SMPL-IK", "protores": "ProtoRes"}
PAPERS = {
    "smplik": "Voleti et al., SMPL-IK, SIGGRAPH Asia 2022, on ProtoRes (Oreshkin et al., ICLR 2022)",
    "protores": "Oreshkin et al., ProtoRes, ICLR 2022",
}
PAPER = {
    "width": 1024, "blocks": 3, "layers": 3, "embedding": 32, "dropout": 0.01, "batch": 2048, "learning_rate": 2e-4,
    "optimizer": "adam", "position_weight": 100.0, "effector_share": 1.0, "limb_share": 0.0, "noise": 0.1,
    "noise_exponent": 13.0, "largest_weight": 1e3,
}  # fmt: skip
CURVE = 12  # columns
UNKNOWN = "SETTINGS.toml"  # in a command, where no file of ours has the settings


def deviations(config: TrainConfig) -> list[str]:
    """The settings that are not the paper's, one line each."""
    found = [
        f"- `{name}` {getattr(config, name)} (paper: {value})"
        for name, value in PAPER.items()
        if getattr(config, name) != value
    ]
    if config.start_from:
        found.append(f"- starts with the weights of the run {config.start_from} (paper: random weights)")
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
) -> str:
    """CARD.md. run: the name of its folder. settings: the file of them. history: its validations."""
    kinds = [type_of(id).spec.title.lower() for id in network_kinds()]
    title, shipped = TITLES[config.network], metrics[metrics["shipped"]]
    rows = "\n".join(
        f"| {what} | {e['mpjpe_mm']:.1f} | {e['pa_mpjpe_mm']:.1f} | {e['ge_rad']:.3f} | {e['effector_mm']:.1f} |"
        for what, e in (("network alone", shipped["raw"]), ("with the exact stage", shipped["exact"]))
    )
    shape = "any shape within ±3 standard deviations" if config.network == "smplik" else "the mean neutral body"
    return f"""# {title}

Completes a pose of SMPL's 22 body joints from any set of {", ".join(kinds[:-1])} and {kinds[-1]} effectors.
After {PAPERS[config.network]}. Licence of the weights: {notes.licence}.

## Training

Data: {notes.sources}.
Body: `{config.body}`, {shape}. {metrics["steps"]} steps of {config.batch} poses in {metrics["minutes"]:.0f} minutes;
all settings are in config.json.

Different from the paper:
{chr(10).join([*deviations(config), *_always()])}

Made with these commands (docs/training.md says how to make the data file):

```
{_commands(config, run, settings)}
```
{_paragraph(notes.note)}{_curve(history)}
## How good it is

Split {metrics["split"]}, protocol {metrics["protocol"]} (6 to 12 random effectors, one on each limb), mean neutral
body, {metrics["shipped"]}, {shipped["megabytes"]:.1f} MB, {shipped["network_ms"]:.2f} ms per answer on one thread:

| | MPJPE mm | PA-MPJPE mm | rotations rad | effectors mm |
|--|--|--|--|--|
{rows}

model.safetensors holds the trained float32 weights; torch runs them when a GPU is chosen.

## Limits and bias

- The data are about half an hour of a few adults, mostly walking, running, dancing, fighting and climbing. Nobody sits
  on a chair, kneels at rest, does yoga or touches another person, and there is hardly any floor work.
- There is no finger motion. Wrists are only as good as the capture; hands follow the wrists.
- The network knows nothing of the floor or of other bodies, and treats each pose on its own, without time.
- The shape space does not cover children, unusual proportions or missing limbs.
- The network alone meets effectors only approximately; the exact stage after it meets them.
"""


def _commands(config: TrainConfig, run: str, settings: str) -> str:
    """From the data file to this folder."""
    length = f"--minutes {config.minutes:g}" if config.minutes else f"--steps {config.steps}"
    before = f"# after the run {config.start_from}\n" if config.start_from else ""
    if settings == UNKNOWN:
        before += f"# {UNKNOWN}: what config.json calls “training”\n"
    return f"""{before}python main.py train run --config {settings} --out out/{run} {length}
python main.py train export --run out/{run} -o weights/{config.network}"""


def _paragraph(note: str) -> str:
    return f"\n{note}\n" if note else ""


def _curve(history: Sequence[Mapping[str, float]]) -> str:
    """The validations as a table of at most a dozen columns, the last one among them."""
    if not history:
        return ""
    every = -(-len(history) // CURVE)
    rows = list(history)[::-1][::every][::-1]
    lines = (
        ["minutes", *(f"{row['minutes']:.0f}" for row in rows)],
        ["--"] * (len(rows) + 1),
        ["MPJPE mm, network alone", *(f"{row['mpjpe_mm']:.1f}" for row in rows)],
    )
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return f"\nProgress on the split val:\n\n{table}\n"


def _always() -> list[str]:
    return [
        "- learning rate: linear warm-up, then cosine decay (paper: constant)",
        "- the shipped weights are the moving average of training (paper: the last weights)",
        "- weights start with He initialisation, embeddings small; rotations are predicted relative to the rest pose",
        "- every set of effectors has at least one position; gradients are clipped",
        "- motion capture at 30 frames a second, without AMASS",
    ]
