"""A network's weights as a file of float32 tensors (safetensors), for torch; nothing in it can run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor, nn

from solver.errors import InputRefused
from solver.files.reading import MEBIBYTE, read_bytes
from solver.networks.catalog import make
from solver.networks.residual import NetworkShape

TENSORS = "model.safetensors"
LARGEST = 1024 * MEBIBYTE
_ELSE = "Restore the folder, or let the processor run it (Settings)"


def tensor_bytes(state: Mapping[str, Tensor], network: str, model_sha256: str) -> bytes:
    """The file. network: its name. model_sha256: of the ONNX model that holds the same network."""
    tensors = {name: tensor.detach().float().cpu().contiguous() for name, tensor in state.items()}
    return save(tensors, {"network": network, "model_sha256": model_sha256})


def read_network(path: Path, network: str, joints: int, model_sha256: str) -> nn.Module:
    """The network that the file holds. Raises InputRefused if it is another one, or belongs to another ONNX model."""
    tensors, metadata = read_tensors(path)
    if metadata.get("network") != network:
        raise InputRefused(path, f"it is for the network “{str(metadata.get('network'))[:40]}”, not “{network}”", _ELSE)
    if metadata.get("model_sha256") != model_sha256:
        raise InputRefused(path, "it belongs to another model.onnx", _ELSE)
    try:
        made = make(network, joints, shape_of(tensors, network))
        made.load_state_dict(tensors)
    except (KeyError, RuntimeError) as error:
        raise InputRefused(path, f"its tensors are not the network's ({str(error)[:200]})", _ELSE) from None
    if not all(torch.isfinite(tensor).all() for tensor in tensors.values()):
        raise InputRefused(path, "some of its numbers are not finite", _ELSE)
    return made


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The tensors and what the file says of them. Raises InputRefused if it is not such a file."""
    if not path.exists():
        raise InputRefused(path, "it is missing", _ELSE)
    data = read_bytes(path, LARGEST)
    try:
        return load(data), _metadata(data)
    except (SafetensorError, ValueError, KeyError) as error:
        raise InputRefused(path, f"it is not a file of tensors ({str(error)[:200]})", _ELSE) from None


def shape_of(tensors: Mapping[str, Tensor], network: str = "smplik") -> NetworkShape:
    """The sizes of the network whose tensors these are. Raises KeyError if a tensor that tells them is missing."""
    if network == "pose_edition":
        last = tensors["encoder.2.weight"]
        return NetworkShape(width=last.shape[1], embedding=last.shape[0])
    if network == "lifter":
        blocks = len([name for name in tensors if _is_weight(name, "blocks.") and ".1." in name])
        return NetworkShape(width=len(tensors["first.weight"]), blocks=blocks)
    if network == "skelik":
        return NetworkShape(width=len(tensors["encoder.0.weight"]), embedding=tensors["names.0"].shape[-1])
    embedded = 1 if network == "fcnn" else tensors["joint_embedding.weight"].shape[-1]  # it embeds nothing
    layers = 1 + len([name for name in tensors if _is_weight(name, "position_decoder.blocks.0.hidden.")])
    blocks = len([name for name in tensors if _is_weight(name, "position_decoder.blocks.") and ".first." in name])
    width = tensors["position_decoder.blocks.0.first.weight"].shape[0] // 2
    return NetworkShape(width, blocks, layers, embedded)


def _is_weight(name: str, place: str) -> bool:
    return name.startswith(place) and name.endswith(".weight")


def _metadata(data: bytes) -> dict[str, str]:
    """What the file says beside its tensors: its first eight bytes are the length of a JSON header."""
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return dict(header.get("__metadata__", {}))
