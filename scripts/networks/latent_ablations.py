"""What DragPoser's parts are worth: `python -m scripts.networks.latent_ablations --bvh DIR [--without-continuity RUN]`.

Follows clips by six, five and four sensors as protocol D does: complete, without what the temporal predictor expects,
and, if a run is named that was trained that way (`--set continuity=0`), without the continuity loss. In that case also
name a run trained as long with it (`--whole`). A second table limits how many steps the search takes in a frame.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from scripts.arguments import script_parser
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.evaluation.tracking.errors import Errors
from solver.evaluation.tracking.follow import Clip, follow, read_clips
from solver.evaluation.tracking.sensors import CONFIGURATIONS, Sensors
from solver.evaluation.tracking.trackers import Tracker, trackers_of
from solver.ik.pipeline.pipeline import Solver
from solver.kinematics.skeleton import Skeleton
from solver.solvers.catalog import SOLVERS
from solver.solvers.latent.dragposer import WEIGHTS_IN_MOTION, DragPoser
from solver.solvers.latent.latent_search import STEPS, SearchWeights
from solver.solvers.latent.latent_weights import LatentWeights, load_latent_weights
from solver.solvers.learned.weights import WEIGHTS
from solver.training.export.latent_run import latent_weights_of

SENSORS = CONFIGURATIONS[:3]
ALLOWED = (1, 2, 3, 4, 6, 12)
FIGURES = ("effector_cm", "rotation_deg", "velocity_cm_s", "position_cm")


def main(arguments: list[str] | None = None) -> None:
    """Print both tables."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--bvh", type=Path, required=True)
    parser.add_argument("--split", default="test")
    parser.add_argument("--max-poses", type=int, help="frames, over all clips together")
    parser.add_argument("--whole", type=Path, help="a run of the predictor, instead of the shipped weights")
    parser.add_argument("--without-continuity", type=Path, help="the run of such a predictor")
    args = parser.parse_args(arguments)
    skeleton = load_body(DEFAULT_BODY).skeleton(BodyShape())
    clips = read_clips(args.bvh, args.split, skeleton, args.max_poses)
    whole = latent_weights_of(args.whole) if args.whole else load_latent_weights(WEIGHTS / "dragposer", DEFAULT_BODY)
    shipped = {"whole": whole}
    if args.without_continuity:
        shipped["without continuity"] = latent_weights_of(args.without_continuity)
    rows = {name: alone(weights) for name, weights in shipped.items()}
    rows["without predictor"] = alone(shipped["whole"], WEIGHTS_IN_MOTION._replace(expected=0.0))
    print("| sensors | | end effectors cm | rotation ° | velocity cm/s | joints cm |\n|--|--|--:|--:|--:|--:|")
    for sensors in SENSORS:
        for name, tracker in rows.items():
            found = figures(tracker, clips, sensors, skeleton)
            print(f"| {sensors.id} | {name} | {' | '.join(f'{found[key]:.2f}' for key in FIGURES)} |", flush=True)
    print(f"\n| end effectors cm, six sensors, steps | {' | '.join(map(str, ALLOWED))} |\n|--|{'--:|' * len(ALLOWED)}")
    for name, weights in shipped.items():
        by_steps = [figures(alone(weights, steps=steps), clips, SENSORS[0], skeleton) for steps in ALLOWED]
        print(f"| {name} | {' | '.join(format(each['effector_cm'], '.2f') for each in by_steps)} |", flush=True)


def alone(weights: LatentWeights, pulls: SearchWeights = WEIGHTS_IN_MOTION, steps: int = STEPS) -> Tracker:
    """DragPoser's search without the exact stage."""
    return trackers_of("dragposer", Solver(SOLVERS["dragposer"], DragPoser(weights, pulls, steps=steps)))[1]


def figures(tracker: Tracker, clips: tuple[Clip, ...], sensors: Sensors, skeleton: Skeleton) -> dict[str, float]:
    """Protocol D's figures, given the first true pose."""
    errors = Errors()
    for number, clip in enumerate(clips):
        follow(tracker, clip, sensors, skeleton, np.random.default_rng([0, number]), given=True, errors=errors)
    return errors.figures()


if __name__ == "__main__":
    main()
