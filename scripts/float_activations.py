"""Has an exported int8 network compute in float32: `python -m scripts.float_activations WEIGHTS --data data/mocap.npz`.

For folders that `train export` wrote before it did so itself. Weights stay what they are; model.onnx, its fingerprints
and its figures on the split `val` are written anew.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

from safetensors.torch import load_file

from solver.networks.tensor_file import TENSORS, tensor_bytes
from solver.solvers.learned.weights import CONFIG, METRICS, MODEL, read_config, sha256
from solver.training.data.dataset import load_pose_data
from solver.training.export.export import measured, measures_of
from solver.training.export.float_activations import float_activations


def main() -> None:
    """Convert the folder and print what the network is worth now."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    args = parser.parse_args()
    folder: Path = args.weights
    config = read_config(folder / CONFIG)
    tensors = load_file(folder / TENSORS)
    model = float_activations((folder / MODEL).read_bytes())
    (folder / MODEL).write_bytes(model)
    (folder / CONFIG).write_text(replace(config, sha256=sha256(model)).json(), encoding="utf-8")
    (folder / TENSORS).write_bytes(tensor_bytes(tensors, config.network, sha256(model)))
    metrics = json.loads((folder / METRICS).read_text(encoding="utf-8"))
    sets = measures_of(config.network, config.body, load_pose_data(args.data))
    metrics[config.precision] = measured(folder, config.network, config.body, sets)
    (folder / METRICS).write_text(json.dumps(metrics, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(metrics[config.precision], indent=2))


if __name__ == "__main__":
    main()
