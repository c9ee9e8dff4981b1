"""Begin a run with what another has learnt: the same network, ProtoRes with the weights of SMPL-IK, or a temporal
predictor with those of its autoencoder."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from solver.body.body import SHAPE_COMPONENTS
from solver.errors import InputRefused
from solver.files.reading import read_bytes
from solver.networks.latent.temporal_predictor import TemporalPredictor
from solver.networks.protores import ProtoRes
from solver.networks.smplik import SmplIK
from solver.networks.tensor_file import LARGEST, TENSORS, read_tensors
from solver.solvers.learned.onnx_tensors import tensors_of
from solver.solvers.learned.weights import MODEL
from solver.training.run.checkpoint import CHECKPOINT, load_checkpoint
from solver.training.run.config import TrainConfig

FIRST_OF_ALL = "by_joint.weight"  # of a pose autoencoder
FIRST = "encoder.blocks.0.first"
INSIDE = "network."  # before a tensor's name in an ONNX model


@torch.no_grad()
def warm_start(network: nn.Module, run: Path) -> None:
    """Give `network` the averaged weights of a run, or an exported folder's; InputRefused if they do not fit.

    SMPL-IK differs from ProtoRes by what it adds to every effector's row (figure 6); for the mean neutral body that
    is the same vector in every row, so its share of the first layer is a bias, and ProtoRes begins as exactly
    the SMPL-IK of that body.
    """
    weights = _weights(run)
    try:
        if isinstance(network, ProtoRes) and not isinstance(network, SmplIK) and "gender_embedding.weight" in weights:
            weights = _of_the_mean_neutral_body(weights)
        inside = network.autoencoder if isinstance(network, TemporalPredictor) and FIRST_OF_ALL in weights else network
        inside.load_state_dict(weights)
    except (RuntimeError, KeyError):
        raise InputRefused(run, "its weights do not fit this network", "Start from a run of the same sizes") from None


@torch.no_grad()
def blend_with_start(
    network: nn.Module, config: TrainConfig, share: float, run: Path, start: Path | None = None
) -> None:
    """Move the network only part of the way from the weights that its run began with: 0 is those, 1 the run's own.

    start: other weights to go from instead, such as those that the run's own start had begun with.

    A short run on rare postures forgets a little of the common ones. Between the two sets of weights nearly all of the
    gain is kept and the loss is not (Wortsman et al., Robust fine-tuning of zero-shot models, CVPR 2022, equation 1).
    InputRefused if the run began with random weights.
    """
    if start is None and not config.start_from:
        raise InputRefused(run, "it began with random weights", "Export it whole, without --share")
    begun = copy.deepcopy(network)
    warm_start(begun, start or Path(config.start_from))
    for own, first in zip(network.parameters(), begun.parameters(), strict=True):
        own.copy_(first + share * (own - first))


def _weights(run: Path) -> dict[str, Tensor]:
    if not (run / CHECKPOINT).exists():
        if (run / TENSORS).exists():
            return read_tensors(run / TENSORS)[0]
        if (run / MODEL).exists():  # as in the wheel, which leaves out what a float32 model holds as well
            return _of_the_model(run / MODEL)
    return dict(load_checkpoint(run, "Train that run first, or take start_from out of the settings").average)


def _of_the_model(path: Path) -> dict[str, Tensor]:
    """The float32 tensors of an ONNX model by the network's own names."""
    try:
        found = tensors_of(read_bytes(path, LARGEST))
    except ValueError:
        raise InputRefused(path, "it is not an ONNX model", "Start from a run, or from exported weights") from None
    named = {name.removeprefix(INSIDE): value for name, value in found.items() if name.startswith(INSIDE)}
    return {name: torch.from_numpy(value.copy()) for name, value in named.items() if value.dtype == np.float32}


def _of_the_mean_neutral_body(smplik: dict[str, Tensor]) -> dict[str, Tensor]:
    """The ProtoRes weights that answer like SMPL-IK's for betas of 0 and the neutral gender."""
    weights = dict(smplik)
    neutral = weights.pop("gender_embedding.weight")[0]
    conditioning = torch.cat([neutral.new_zeros(SHAPE_COMPONENTS), neutral])
    first = weights[f"{FIRST}.weight"]
    own = first.shape[1] - len(conditioning)
    weights[f"{FIRST}.weight"] = first[:, :own].clone()
    weights[f"{FIRST}.bias"] = weights[f"{FIRST}.bias"] + first[:, own:] @ conditioning
    return weights
