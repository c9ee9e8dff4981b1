"""Rewrites the ONNX model of exported weights: `python -m scripts.networks.renew_model WEIGHTS --data data/mocap.npz`.

For folders written by an older `train export`, whose models were different; what was learned stays as it is. A float32
network is exported again from its tensors, and so is one with int8 weights, which keeps its whole numbers. model.onnx,
its fingerprints and its figures on the split `val` are written.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from scripts.arguments import script_parser
from solver.networks.tensor_file import TENSORS, read_network, read_tensors, tensor_bytes
from solver.solvers.learned.weights import CONFIG, METRICS, MODEL, WeightsConfig, read_config, sha256
from solver.training.data.dataset import load_pose_data
from solver.training.export.export import measured, measures_of
from solver.training.export.int8_weights import with_weights_of
from solver.training.export.onnx_model import int8_bytes, onnx_bytes


def main(arguments: list[str] | None = None) -> None:
    """Renew the folder and print what the network is worth now."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    args = parser.parse_args(arguments)
    folder: Path = args.weights
    config = read_config(folder / CONFIG)
    model, (tensors, _) = renewed(folder, config), read_tensors(folder / TENSORS)
    (folder / MODEL).write_bytes(model)
    (folder / CONFIG).write_text(replace(config, sha256=sha256(model)).json(), encoding="utf-8")
    (folder / TENSORS).write_bytes(tensor_bytes(tensors, config.network, sha256(model)))
    metrics = json.loads((folder / METRICS).read_text(encoding="utf-8"))
    sets = measures_of(config.network, config.body, load_pose_data(args.data))
    metrics[config.precision].update(measured(folder, config.network, config.body, sets))
    (folder / METRICS).write_text(json.dumps(metrics, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(metrics[config.precision], indent=2))


def renewed(folder: Path, config: WeightsConfig) -> bytes:
    """The model of the same weights, as written today."""
    model = onnx_bytes(read_network(folder / TENSORS, config.network, len(config.joints), config.sha256))
    return with_weights_of(int8_bytes(model), (folder / MODEL).read_bytes()) if config.precision == "int8" else model


if __name__ == "__main__":
    main()
