"""What a proposal that knew how sure it is could gain.

python -m scripts.networks.proposal_confidence --bvh DIR [--clips NAME …]

Every problem of protocol Rp is solved about the network's proposal, about the natural pose aligned with the effectors,
and about mixtures of both. The smaller error of the first two is what perfect confidence would choose.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from scripts.arguments import script_parser
from solver.body.body import Body
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.evaluation.poses import TruePose, read_poses
from solver.evaluation.protocols import PROTOCOLS
from solver.ik.exact import refine
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.solvers.catalog import load_solver

FLOOR = ("m2m_meditate", "m2m_sleeping", "m2m_tired_kneeling", "m2m_pushup", "m2m_crawl_rm")
SHARES = (0.0, 0.25, 0.5, 1.0)  # of the natural pose


def main(arguments: list[str] | None = None) -> None:
    """Print a row for each clip: the error about each mixture, and about the better end of them."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--bvh", type=Path, required=True)
    parser.add_argument("--clips", nargs="*", default=FLOOR)
    parser.add_argument("--solver", default="smplik")
    args = parser.parse_args(arguments)
    body = load_body(DEFAULT_BODY)
    print(f"{'MPJPE mm':24s}" + "".join(f"{share:8.2f}" for share in SHARES) + f"{'best':>8s}")
    for clip in args.clips:
        errors = of_clip(args.bvh, clip, args.solver, body)
        means = [*errors.mean(axis=0), errors[:, [0, -1]].min(axis=1).mean()]
        print(f"{clip:24s}" + "".join(f"{mean:8.1f}" for mean in means), flush=True)


def of_clip(folder: Path, clip: str, solver: str, body: Body) -> np.ndarray:
    """(problems, shares) millimetres, with the exact stage."""
    trials = list(PROTOCOLS["Rp"].trials(read_poses(folder, body, clips_like=clip).poses))
    proposals = load_solver(solver).propose_batch([trial.problem for trial in trials])
    return np.array(
        [
            [error(trial.truth, refine(trial.problem, mixed(trial.problem, pose, share)).pose) for share in SHARES]
            for trial, pose in zip(trials, proposals, strict=True)
        ]
    )


def mixed(problem: IKProblem, proposed: Pose, share: float) -> Pose:
    """From the proposal to the natural pose, which is the problem's base pose."""
    away = to_rotation_vector(np.swapaxes(proposed.rotations, -1, -2) @ problem.base_pose.rotations)
    root = (1.0 - share) * proposed.root_position + share * problem.base_pose.root_position
    return Pose(root.astype(np.float32), (proposed.rotations @ from_rotation_vector(share * away)).astype(np.float32))


def error(truth: TruePose, pose: Pose) -> float:
    """Mean distance of the body joints, millimetres."""
    true, found = (forward_kinematics(truth.skeleton, one).positions[:22] for one in (truth.pose, pose))
    return float(1000.0 * np.linalg.norm(true - found, axis=-1).mean())


if __name__ == "__main__":
    main()
