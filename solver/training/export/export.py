"""From a run's folder to a folder of weights: model, settings, measured errors and a card."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
from safetensors.numpy import save
from torch import Tensor

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.errors import InputRefused
from solver.evaluation.body_joints import BODY_JOINTS
from solver.files.atomic import make_folder, write_bytes, write_text
from solver.kinematics.skeleton import SMPL_PARENTS
from solver.networks.catalog import EDIT, FOLLOW, LATENT, LIFT, READ_BASE
from solver.networks.tensor_file import TENSORS, tensor_bytes
from solver.solvers.learned.edit_proposer import EditProposer
from solver.solvers.learned.weights import CARD, COLUMNS, CONFIG, METRICS, MODEL, WeightsConfig, load_weights, sha256
from solver.training.data.bodies import fixed_skeleton, shaped_bodies
from solver.training.data.dataset import PoseData, check_splits
from solver.training.data.edit_trials import EditTrials, edit_errors, edit_milliseconds, edit_trials
from solver.training.data.lift_trials import LiftTrials, lift_errors, lift_milliseconds, lift_trials
from solver.training.data.protocol_r import ProblemSet, problems
from solver.training.data.synthetic import SYNTHETIC, data_of
from solver.training.export.card import UNKNOWN, CardNotes, card_text
from solver.training.export.followed_clips import FollowedClips, follow_errors, follow_milliseconds, followed_clips
from solver.training.export.latent_run import autoencoder_lines, latent_trackers, plain_tensors
from solver.training.export.model_errors import milliseconds, model_errors
from solver.training.export.onnx_model import conditions_of, int8_bytes, onnx_bytes
from solver.training.run.checkpoint import load_checkpoint
from solver.training.run.config import TrainConfig, config_from, load_config
from solver.training.run.networks import make_network
from solver.training.run.warm_start import blend_with_start

WORTH = 1.02  # int8 is shipped if no error grows by more than this factor
SHIPPED = ("smplik", "protores", *sorted(READ_BASE | EDIT | FOLLOW | LIFT))
WHOLE = (
    READ_BASE | EDIT | FOLLOW | LIFT
)  # what is kept of a base pose has to come back unchanged; the other networks are small anyway
NOBODY = "random poses that nobody performed; the network is good for nothing but a trial"
CONFIGS = Path("configs")  # of the checkout that the run is exported from
# what may differ between a run and the file of its settings
FREE = frozenset({"data", "minutes", "steps", "device", "threads", "precision", "compile"})


Measures = tuple[ProblemSet, ...] | EditTrials | FollowedClips | LiftTrials


@dataclass(frozen=True)
class Exported:
    """What was written. metrics: of the shipped model, and of both precisions."""

    precision: str
    metrics: dict[str, Any]


def export(
    run: Path,
    out: Path,
    *,
    data: PoseData | None = None,
    precision: str = "auto",
    every: int = 1,
    notes: CardNotes | None = None,
    share: float = 1.0,
    share_from: Path | None = None,
) -> Exported:
    """Write the averaged weights of a run as a folder of weights.

    precision: fp32, int8, or auto: int8 if no error with the exact stage grows by more than 2%. data: what to validate
    on, else the run's own. every: only every n-th problem is solved exactly, to save time. notes: for config.json and
    the card. share, share_from: of what the run has learnt, see `blend_with_start`.
    """
    checkpoint, notes = load_checkpoint(run, "Name the folder of a run"), notes or CardNotes()
    config = config_from(checkpoint.config, run)
    if config.network in LATENT - FOLLOW:
        way_out = "Train a dragposer_time that starts from it, and export that"
        raise InputRefused(run, "it is DragPoser's autoencoder alone", way_out)
    if config.network not in SHIPPED:
        raise InputRefused(run, f"{config.network} is a baseline and is not shipped", f"Export {' or '.join(SHIPPED)}")
    if precision == "int8" and config.network in WHOLE:
        raise InputRefused(run, f"{config.network} is not made smaller", "Export it with --precision fp32")
    known = data or _own_data(config)
    check_splits(known, config.data if data is None else "--data", "val")
    if config.data == SYNTHETIC and notes.sources == CardNotes.sources:
        notes = replace(notes, sources=NOBODY)
    network = make_network(config, len(BODY_JOINTS)).eval()
    network.load_state_dict(checkpoint.average)
    if share < 1.0:
        blend_with_start(network, config, share, run, share_from)
    models = {"fp32": save(plain_tensors(network)) if config.network in FOLLOW else onnx_bytes(network)}
    if config.network not in WHOLE:
        models["int8"] = int8_bytes(models["fp32"])
    sets = measures_of(config.network, config.body, known)
    written: dict[str, Any] = {}
    for name, model in models.items():
        _write_model(out, config, model, name, notes)
        written[name] = measured(out, config.network, config.body, sets, every)
    chosen = precision if precision != "auto" else _cheaper(written)
    if "int8" in models and chosen != "int8":
        _write_model(out, config, models[chosen], chosen, notes)
    if config.network in EDIT:
        written["fp32"]["paper_megabytes"] = paper_bytes(network.state_dict()) / 1e6
    if config.network not in FOLLOW:
        write_bytes(out / TENSORS, tensor_bytes(network.state_dict(), config.network, sha256(models[chosen])))
    protocol = next((p for p, some in (("N", EDIT), ("D", FOLLOW), ("P", LIFT)) if config.network in some), "R")
    metrics = {"split": "val", "protocol": protocol, "shipped": chosen, "steps": checkpoint.step,
               "minutes": checkpoint.elapsed / 60.0, **written}  # fmt: skip
    write_text(out / METRICS, json.dumps(metrics, indent=2) + "\n")
    name, settings = run.resolve().name, settings_file(config, run)
    begun = autoencoder_lines(config) if config.network in FOLLOW else []
    write_text(out / CARD, card_text(config, name, settings, metrics, notes, checkpoint.history, begun))
    return Exported(chosen, metrics)


def measures_of(network: str, body: str, data: PoseData) -> Measures:
    """What networks of that name are measured with: the split `val` on the mean neutral body."""
    if network in FOLLOW:
        return followed_clips(data, "val", load_body(body).skeleton(BodyShape()))
    parents = SMPL_PARENTS[: len(BODY_JOINTS)]
    if network in LIFT:
        found = lift_trials(data, "val", parents, shaped_bodies(load_body(body), BODY_JOINTS), body)
        if found is None:
            raise InputRefused("val", "the data have no frame of this split to measure on", "Add clips of it")
        return found
    bodies = fixed_skeleton(load_body(body).skeleton(BodyShape()), BODY_JOINTS)
    if network in EDIT:
        return edit_trials(data, "val", parents, bodies) or EditTrials(())
    return problems(data, "val", parents, bodies, based=network in READ_BASE)


def measured(folder: Path, network: str, body: str, sets: Measures, every: int = 1) -> dict[str, Any]:
    """Errors of a folder's model alone and with the exact stage, its size and its time."""
    if isinstance(sets, FollowedClips):
        exact, alone = latent_trackers(folder, body)
        return {
            "raw": follow_errors(alone, sets, every),
            "exact": follow_errors(exact, sets, every),
            "network_ms": follow_milliseconds(alone, sets),
            "megabytes": (folder / TENSORS).stat().st_size / 1e6,
        }
    weights = load_weights(folder, network, body)
    skeleton = load_body(body).skeleton(BodyShape())
    size = {"megabytes": (folder / MODEL).stat().st_size / 1e6}
    if isinstance(sets, LiftTrials):
        raw, taken = lift_errors(weights.session, sets, every), lift_milliseconds(weights.session, sets)
        return {"raw": raw, "network_ms": taken, **size}
    if isinstance(sets, EditTrials):
        proposer = EditProposer(weights, skeleton)
        return {
            "raw": edit_errors(proposer, sets, exact=False, every=every),
            "exact": edit_errors(proposer, sets, exact=True, every=every),
            "network_ms": edit_milliseconds(proposer, sets),
            **size,
        }
    return {
        "raw": model_errors(weights.session, sets, skeleton, exact=False, every=every),
        "exact": model_errors(weights.session, sets, skeleton, exact=True, every=every),
        "network_ms": milliseconds(weights.session, sets[0]),
        **size,
    }


def paper_bytes(state: Mapping[str, Tensor]) -> int:
    """The size in float32 of pose edition's tensors as in the paper, without the solver of all five joints."""
    return 4 * sum(tensor.numel() for name, tensor in state.items() if not name.startswith("solvers.all."))


def settings_file(config: TrainConfig, run: Path) -> str:
    """The file under configs that says what the run was trained with, or UNKNOWN."""
    file, said = CONFIGS / f"{run.resolve().name}.toml", asdict(config)
    if file.is_file() and all(said[n] == value for n, value in asdict(load_config(file)).items() if n not in FREE):
        return f"configs/{file.name}"
    return UNKNOWN


def _own_data(config: TrainConfig) -> PoseData:
    """What the run learned from; InputRefused, with the ways out, if it is no longer there."""
    if config.data != SYNTHETIC and not Path(config.data).exists():
        way_out = "Name them with --data, or make them again with “train prepare”"
        raise InputRefused(config.data, "the data that the run learned from are not there", way_out)
    return data_of(config.data, config.seed)


def _cheaper(written: dict[str, Any]) -> str:
    """int8 if there is one and it costs no more than 2% with the exact stage, else fp32."""
    if "int8" not in written:
        return "fp32"
    full, small = written["fp32"]["exact"], written["int8"]["exact"]
    alike = all(small[name] <= WORTH * full[name] for name in ("mpjpe_mm", "pa_mpjpe_mm", "ge_rad"))
    return "int8" if alike else "fp32"


def _write_model(out: Path, config: TrainConfig, model: bytes, precision: str, notes: CardNotes) -> None:
    settings = WeightsConfig(
        id=config.network,
        network=config.network,
        joints=BODY_JOINTS,
        body=config.body,
        rotation_6d=COLUMNS,
        precision=precision,
        sha256=sha256(model),
        training=asdict(config),
        data=notes.sources,
        licence=notes.licence,
        torch=torch.__version__,
        commit=_commit(),
        conditions=() if config.network in FOLLOW else conditions_of(model),
    )
    make_folder(out, "Name another folder for the weights")
    write_bytes(out / (TENSORS if config.network in FOLLOW else MODEL), model)
    write_text(out / CONFIG, settings.json())


def _commit() -> str:
    """The commit of the program that exports, if it is a checkout."""
    here = Path(__file__).resolve().parent
    try:
        asked = subprocess.run(["git", "rev-parse", "HEAD"], cwd=here, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return asked.stdout.strip()
