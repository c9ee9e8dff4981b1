"""The networks by name, known without importing torch."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import nn

    from solver.networks.residual import NetworkShape

NETWORKS = {
    "smplik": "solver.networks.smplik:SmplIK",
    "protores": "solver.networks.protores:ProtoRes",
    "masked_fcr": "solver.networks.masked_fcr:MaskedFCR",
    "transformer": "solver.networks.transformer:TransformerIK",
    "skelik": "solver.networks.skeletal.skelik:SkelIK",
    "protores_with_prev": "solver.networks.protores_with_prev:ProtoResWithPrev",
    "fcnn": "solver.networks.fcnn:FCNN",
    "dragposer": "solver.networks.latent.pose_autoencoder:PoseAutoencoder",
    "dragposer_time": "solver.networks.latent.temporal_predictor:TemporalPredictor",
    "pose_edition": "solver.networks.pose_edition:PoseEdition",
    "lifter": "solver.networks.lifter:Lifter",
}
EDIT = frozenset({"pose_edition"})  # networks that go from a start pose's joint positions to those of the edited pose
LIFT = frozenset({"lifter"})  # networks that go from the landmarks of a person in a photo to a pose
READ_BASE = frozenset({"skelik", "protores_with_prev", "fcnn"})  # networks that read a base pose, and with it the bones
LATENT = frozenset({"dragposer", "dragposer_time"})  # networks about a latent space of poses
FOLLOW = frozenset({"dragposer_time"})  # networks that follow a motion, over frames
ANY_BODY = READ_BASE | LATENT | LIFT | {"smplik"}  # those that are told of the body, and learn from bodies of any shape


def make(id: str, joints: int, shape: NetworkShape) -> nn.Module:
    """A fresh network of that name; its weights are drawn from torch's own generator. KeyError for another name."""
    module, _, name = NETWORKS[id].partition(":")
    network: nn.Module = getattr(import_module(module), name)(joints, shape)
    return network
