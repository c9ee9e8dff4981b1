"""The work of `train prepare`, `train run` and the other training commands, from paths to files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TextIO

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.errors import InputRefused
from solver.evaluation.body_joints import BODY_JOINTS
from solver.files.atomic import check_writable, make_folder
from solver.formats.clip_folder import SPLITS
from solver.kinematics.skeleton import SMPL_PARENTS
from solver.networks.catalog import ANY_BODY, EDIT, LIFT
from solver.sentences import counted
from solver.training.data.bodies import fixed_skeleton, shaped_bodies
from solver.training.data.dataset import PoseData, check_splits, load_pose_data, save_pose_data
from solver.training.data.prepare import Source, prepare
from solver.training.data.synthetic import SYNTHETIC, data_of
from solver.training.run.checkpoint import check_run
from solver.training.run.config import TrainConfig, config_from, load_config
from solver.training.run.loop import run
from solver.training.run.progress import ProgressBar
from solver.training.run.training_data import TrainingData
from solver.training.run.workers import is_first

SMOKE = {
    "width": 32, "batch": 64, "steps": 120, "learning_rate": 3e-3, "warmup_steps": 10, "average_decay": 0.9,
    "start_from": "", "data": SYNTHETIC,
}  # fmt: skip


def prepare_data(
    sources: Sequence[Source],
    out: Path,
    body: str,
    say: Callable[[str], None] = print,
    leave_out: Sequence[str] = (),
) -> PoseData:
    """Make pose data from folders of motion capture and say what was read, skipped and written.

    out: the file; its folder is made. InputRefused, before anything is read, where it cannot be written.
    """
    make_folder(out.parent, "Name a file elsewhere")
    check_writable(out)
    skeleton = load_body(body).skeleton(BodyShape())
    made = prepare(sources, skeleton, tell=say, leave_out=leave_out)
    save_pose_data(made.data, out)
    counts = ", ".join(f"{split} {len(made.data.frames_of(split))}" for split in SPLITS)
    frames, clips = counted(len(made.data), "frame"), counted(len(made.data.clip_names), "clip")
    say(f"{frames} of {clips} ({counts}); {counted(len(made.skipped), 'file')} skipped")
    say(f"wrote {out} ({out.stat().st_size / 2**20:.1f} MB)")
    return made.data


def train(
    config_file: Path | None, out: Path, *, smoke: bool = False, resume: bool = False, **overrides: object
) -> dict[str, float]:
    """Train as the file says and return the last validation. smoke: a few seconds on synthetic poses instead.

    InputRefused for a folder that holds a run already, which only resume goes on with.
    """
    changes = {**SMOKE, **overrides} if smoke else overrides
    config = load_config(config_file, **changes) if config_file else config_from(changes, "--set")
    check_run(out, resume)
    data = data_of(config.data, config.seed)
    unmeasured = config.network in (*EDIT, *LIFT)  # these are trained without a validation, too
    check_splits(data, config.data, "train", *(() if unmeasured else ("val",)))
    bar = ProgressBar(config, sys.stderr)
    make_folder(out, "Name another folder for the run")  # as `run` does, but before the data is read, which takes long
    if is_first():
        bar.begin(out)
    try:
        return run(config, load_training_data(config, data), out, resume=resume, tell=bar.show)
    finally:
        bar.close()


def export_weights(
    run_folder: Path,
    out: Path,
    precision: str,
    every: int,
    notes: Mapping[str, str],
    say: Callable[[str], None] = print,
    share: float = 1.0,
    share_from: Path | None = None,
    data: Path | None = None,
) -> None:
    """Export a run and say how good both precisions are. notes: what differs from the defaults of CardNotes. share: of
    what it has learnt since it began, or since the weights of share_from. data: what to measure on, if not the run's
    own."""
    from solver.training.export.card import CardNotes
    from solver.training.export.compare import comparison_table
    from solver.training.export.export import export

    known = None if data is None else load_pose_data(data)
    told = CardNotes(**notes)
    made = export(
        run_folder, out, data=known, precision=precision, every=every, notes=told, share=share, share_from=share_from
    )
    measured = tuple(name for name in ("fp32", "int8") if name in made.metrics)
    say(comparison_table(measured, tuple(made.metrics[name] for name in measured)))
    say(f"wrote {out} ({made.precision})")


def compare_weights(folders: tuple[Path, ...], data: Path, every: int, say: Callable[[str], None] = print) -> None:
    """Measure two folders of weights and say which one is better."""
    from solver.training.export.compare import compare, comparison_table

    poses = load_pose_data(data)
    check_splits(poses, data, "val")
    better, found = compare(folders, poses, every)
    say(comparison_table(tuple(str(folder) for folder in folders), found))
    say(f"better with the exact stage: {folders[better]}")


def load_training_data(config: TrainConfig, data: PoseData) -> TrainingData:
    """The data with the body's bones: of random shapes if the network reads the body, else of the mean neutral one."""
    body = load_body(config.body)
    if data.joint_names != BODY_JOINTS:
        raise InputRefused(
            config.data, "its joints are not SMPL's 22 body joints", "Make it again with “train prepare”"
        )
    names = data.joint_names
    bodies = (
        shaped_bodies(body, names) if config.network in ANY_BODY else fixed_skeleton(body.skeleton(BodyShape()), names)
    )
    return TrainingData(data, SMPL_PARENTS[: len(names)], bodies)


def write_errors(errors: dict[str, float], to: TextIO) -> None:
    """The last validation, one line."""
    known = [word.format(errors[name]) for name, word in _WORDS.items() if name in errors]
    rest = [f"{name} {value:.4g}" for name, value in errors.items() if not known]
    print(f"validation: {', '.join(known or rest)}", file=to)


_WORDS = {
    "mpjpe_mm": "MPJPE {:.1f} mm",
    "pa_mpjpe_mm": "PA {:.1f} mm",
    "ge_rad": "rotations {:.3f} rad",
    "effector_mm": "effectors {:.1f} mm",
}
