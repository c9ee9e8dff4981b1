"""Measure which latents poses usually have, and write it beside the weights.

    python -m scripts.networks.usual_latents --bvh ../shared/mocap --weights weights/dragposer

DragPoser's search leans to them. Run it again for each new autoencoder.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from scripts.arguments import script_parser
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.evaluation.tracking.follow import Clip, read_clips
from solver.files.atomic import write_bytes
from solver.kinematics.skeleton import Skeleton
from solver.solvers.latent.latent_weights import load_latent_weights
from solver.solvers.latent.pose_space import PoseSpace
from solver.solvers.latent.usual_latents import FILE, MEAN, SPREAD


def main(arguments: list[str] | None = None) -> None:
    """Encode the clips of the split and write mean and covariance."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--bvh", type=Path, required=True)
    parser.add_argument("--split", default="train")
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--max-poses", type=int, help="frames, over all clips together")
    args = parser.parse_args(arguments)
    skeleton = load_body(DEFAULT_BODY).skeleton(BodyShape())
    space = PoseSpace(load_latent_weights(args.weights, DEFAULT_BODY))
    clips = read_clips(args.bvh, args.split, skeleton, args.max_poses)
    latents = np.concatenate([latents_of(space, skeleton, clip) for clip in clips])
    mean, spread = latents.mean(axis=0), np.cov(latents.T)
    write_bytes(args.weights / FILE, save({MEAN: mean.astype(np.float32), SPREAD: spread.astype(np.float32)}))
    print(f"{len(latents)} poses of {len(clips)} clips: {args.weights / FILE}")


def latents_of(space: PoseSpace, skeleton: Skeleton, clip: Clip) -> NDArray[np.float64]:
    """(F - 1, L) of every frame but the first, which has no frame before it."""
    bones = skeleton.offsets[: space.joints]
    found = []
    for before, pose in zip(clip.poses, clip.poses[1:], strict=False):
        back = before.rotations[0].astype(np.float64).T
        shift, turn = back @ (pose.root_position - before.root_position), back @ pose.rotations[0]
        found.append(space.encode(pose.rotations, shift, turn, bones))
    return np.array(found)


if __name__ == "__main__":
    main()
