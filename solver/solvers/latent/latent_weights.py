"""DragPoser's weights from their folder, checked before any of them is used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load

from solver.errors import InputRefused
from solver.files.reading import MEBIBYTE
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.solvers.latent.usual_latents import UsualLatents, read_usual_latents
from solver.solvers.learned.weights import CONFIG, WeightsConfig, described_bytes, read_config

Array = NDArray[np.float32]

TENSORS = "model.safetensors"
NETWORK = "dragposer_time"  # the temporal predictor, which holds its autoencoder
LARGEST = 256 * MEBIBYTE
_ELSE = "Restore the folder, or choose another solver"


@dataclass(frozen=True)
class LatentWeights:
    """What the folder says of itself, and the network's tensors by name. usual: latents that poses have, if known."""

    config: WeightsConfig
    tensors: Mapping[str, Array]
    usual_latents: UsualLatents | None = None

    def under(self, name: str) -> dict[str, Array]:
        """The tensors of one part, by their names within it."""
        start = name + "."
        return {key[len(start) :]: tensor for key, tensor in self.tensors.items() if key.startswith(start)}


def load_latent_weights(folder: Path, body: str) -> LatentWeights:
    """The weights in `folder` for that body; InputRefused says why they cannot be used."""
    if not folder.is_dir():
        raise InputRefused(folder, "there is no such folder of weights", _ELSE)
    config, path = read_config(folder / CONFIG), folder / TENSORS
    for what, said, wanted in (("network", config.network, NETWORK), ("body", config.body, body)):
        if said != wanted:
            raise InputRefused(folder / CONFIG, f"its {what} is “{str(said)[:40]}”, not “{wanted}”", _ELSE)
    if config.joints != SMPL_JOINTS[: len(config.joints)]:
        raise InputRefused(folder / CONFIG, "its joints are not SMPL's body joints in their order", _ELSE)
    data = described_bytes(path, config, LARGEST)
    try:
        tensors = {name: np.ascontiguousarray(tensor, np.float32) for name, tensor in load(data).items()}
    except (SafetensorError, ValueError) as error:
        raise InputRefused(path, f"it is not a file of tensors ({str(error)[:200]})", _ELSE) from None
    if not all(np.isfinite(tensor).all() for tensor in tensors.values()):
        raise InputRefused(path, "some of its numbers are not finite", _ELSE)
    return LatentWeights(config, tensors, read_usual_latents(folder))
