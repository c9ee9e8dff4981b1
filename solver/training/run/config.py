"""One training run's settings: a TOML file to write by hand, a JSON file beside the weights."""

from __future__ import annotations

import json
import math
import tomllib
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from solver.errors import InputRefused, UnknownName
from solver.files.reading import MEBIBYTE, read_text
from solver.networks.catalog import NETWORKS
from solver.networks.residual import ABLATIONS

OPTIMIZERS = ("adam", "muon")
DEVICES = ("auto", "cpu", "cuda")
PRECISIONS = ("auto", "fp32", "bf16")


@dataclass(frozen=True)
class TrainConfig:
    """Every setting of a run; the defaults are ProtoRes' (its appendix E), but for the width.

    Give `minutes` or `steps`: the rate's schedule ends with it. position_weight: W_pos. effector_share: the weight of
    the randomised losses, relative to the paper's. preservation: λ_pp of SKEL-IK, that of the pose-preservation loss.
    limit_weight: the cost of a radian beyond the limit of a joint, with base poses.
    exact_share: the weight of the errors after the exact stage, which one row in four goes through; processors only.
    divergence, continuity: λ_KLD and λ_C of DragPoser; its λ_FK is position_weight.
    limb_share: share of batches with a position effector on each limb.
    rest_weight: k of pose edition. bone_weight: the weight of its bones' lengths. fixed_weight: that of targets that
    are missed once bones have their lengths. drawn_share: share of its edits whose targets are drawn about the
    start pose.
    posture_balance: from 0, frames drawn as recorded, to 1, every posture class drawn equally often.
    without: parts that SKEL-IK does without, separated by commas: mask (the confidence mask), levels (limbs and body),
    exchange (attention from level to level; means instead), hidden (the network behind the attention), bits (control
    bits), bones.
    recorded: on one GPU, play recorded steps instead of asking for each operation anew.
    average_decay: of the moving average of the weights, which is what is validated and shipped.
    start_from: the folder of a run, or of exported weights, with which this one begins; none if it is empty.
    teacher: the folder of a run whose answers are learned too, see distillation.py; none if it is empty.
    teacher_share: the weight of its answers beside recorded poses. mixed_share: of rows with poses that nobody
    performed, for which there is only the teacher's answer.
    """

    network: str = "smplik"
    data: str = "data/mocap.npz"
    body: str = "anny"
    width: int = 256
    blocks: int = 3
    layers: int = 3
    embedding: int = 32
    dropout: float = 0.0
    without: str = ""
    start_from: str = ""
    teacher: str = ""
    teacher_share: float = 0.5
    mixed_share: float = 0.5

    minutes: float = 0.0
    steps: int = 0
    batch: int = 512
    optimizer: str = "adam"
    learning_rate: float = 1e-3
    final_rate: float = 0.01
    warmup_steps: int = 300
    gradient_clip: float = 1.0
    average_decay: float = 0.999

    position_weight: float = 100.0
    effector_share: float = 1.0
    preservation: float = 1.0
    limit_weight: float = 0.0
    exact_share: float = 0.0
    divergence: float = 1e-3
    continuity: float = 1.0
    limb_share: float = 0.0
    posture_balance: float = 0.0
    noise: float = 0.1
    noise_exponent: float = 13.0
    largest_weight: float = 1e3
    rest_weight: float = 0.01
    bone_weight: float = 0.0
    fixed_weight: float = 0.0
    drawn_share: float = 0.0

    seed: int = 0
    device: str = "auto"
    precision: str = "auto"
    compile: bool = False
    recorded: bool = False
    threads: int = 0
    validate_minutes: float = 3.0
    checkpoint_minutes: float = 3.0

    def __post_init__(self) -> None:
        for what, value, known in (
            ("network", self.network, NETWORKS),
            ("optimizer", self.optimizer, OPTIMIZERS),
            ("device", self.device, DEVICES),
            ("precision", self.precision, PRECISIONS),
        ):
            if value not in known:
                raise UnknownName(what, value, known)
        for name in ("width", "blocks", "layers", "embedding", "batch", "learning_rate", "validate_minutes"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be above 0, not {getattr(self, name)}")
        for part in self.ablations:
            if part not in ABLATIONS:
                raise UnknownName("part to do without", part, ABLATIONS)
        if not 0 <= self.posture_balance <= 1:
            raise ValueError(f"posture_balance must be from 0 to 1, not {self.posture_balance}")
        for name in ("drawn_share", "teacher_share", "mixed_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be from 0 to 1, not {getattr(self, name)}")
        if self.recorded and (self.optimizer != "adam" or self.exact_share):
            raise ValueError("recorded steps go with adam alone, and without exact_share")
        if self.minutes <= 0 and self.steps <= 0:
            raise ValueError("give minutes or steps above 0: the schedule ends with them")

    @property
    def ablations(self) -> frozenset[str]:
        """The parts of `without`."""
        return frozenset(part.strip() for part in self.without.split(",") if part.strip())


def config_from(values: dict[str, Any], source: object) -> TrainConfig:
    """The settings of a table; InputRefused names a key that is unknown or of another type."""
    kinds = {f.name: type(f.default) for f in fields(TrainConfig)}
    checked: dict[str, Any] = {}
    for key, given in values.items():
        if key not in kinds:
            raise InputRefused(source, "there is no such setting", f"Known: {', '.join(kinds)}", place=key)
        kind = kinds[key]
        value = float(given) if kind is float and type(given) is int else given
        if type(value) is not kind:
            raise InputRefused(source, f"expected {kind.__name__}, found {value!r}", "Correct the value", place=key)
        if isinstance(value, float) and not math.isfinite(value):
            raise InputRefused(source, f"{value} is not a finite number", "Correct the value", place=key)
        checked[key] = value
    try:
        return TrainConfig(**checked)
    except ValueError as error:
        raise InputRefused(source, str(error), "Correct the value") from None


def load_config(path: Path, **overrides: Any) -> TrainConfig:
    """The settings of a TOML or JSON file; overrides that are not None win."""
    if not path.exists():
        raise InputRefused(path, "there is no such file", "Give one of configs/*.toml")
    text = read_text(path, MEBIBYTE)
    try:
        values = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputRefused(path, f"it cannot be read ({error})", "Give one of configs/*.toml") from None
    if not isinstance(values, dict):
        raise InputRefused(path, "it holds no table of settings", "Give one of configs/*.toml")
    return config_from({**values, **{k: v for k, v in overrides.items() if v is not None}}, path)


def config_json(config: TrainConfig) -> str:
    """The settings as JSON, every one of them."""
    return json.dumps(asdict(config), indent=2) + "\n"
