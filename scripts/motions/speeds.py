"""Which feet are still planted when a recorded motion goes faster or slower, and which would be if found anew.

python -m scripts.motions.speeds [--data data/mocap.npz] [--split test] [--clips N]

Of the frames of either foot at each speed. Lost: planted in the recording at that moment, and no longer. Added:
planted only at the new speed. Both once for the footings that go along, once for those that the new motion alone would
give. ms: what the change of speed takes, with finding the footings of the recording, for a thousand frames of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.over_time.retiming.retimed import even_times
from app.document.posing.create import new_document
from scripts.arguments import script_parser
from scripts.drags.contact_depths import FIRST
from scripts.motions.motion_edit_drags import spread
from scripts.motions.recorded_motions import motions_of_split
from solver.kinematics.pose import Motion
from solver.rig.contacts import FootContact, foot_contacts_of
from solver.rig.roles import LEGS
from solver.training.data.dataset import load_pose_data

SPEEDS = (0.25, 0.5, 0.8, 1.25, 2.0, 4.0)


def planted(contacts: Sequence[FootContact], frames: int) -> NDArray[np.bool_]:
    """(2, frames): whether the left and the right foot is planted."""
    found = np.zeros((len(LEGS), frames), bool)
    for foot, first, last in contacts:
        found[[leg.tip for leg in LEGS].index(foot), first : last + 1] = True
    return found


def compared(motion: Motion, speed: float) -> tuple[list[NDArray[np.bool_]], float]:
    """(2, F) each: planted in the recording, as it goes along, and as found anew; and the seconds that it took."""
    document: Document = edits.import_motion(FIRST, motion)(new_document())
    count, frames = len(motion), round((len(motion) - 1) / speed) + 1
    began = perf_counter()
    after = edits.set_speed(FIRST, frames)(document)
    took = perf_counter() - began
    was, now = (each.actor(FIRST).clip.source for each in (document, after))
    assert was is not None
    assert now is not None
    nearest = np.round(even_times(count, frames)).astype(int)
    recorded = planted(was.contacts(""), count)[:, nearest]
    anew = foot_contacts_of(skeleton_of(after.character(FIRST)), now.motion)
    return [recorded, planted(now.contacts(""), frames), planted(anew, frames)], took


def main(arguments: list[str] | None = None) -> None:
    """Print a row for each speed."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--data", type=Path, default=Path("data/mocap.npz"))
    parser.add_argument("--split", default="test")
    parser.add_argument("--clips", type=int, default=1000, metavar="N", help="spread over the split (default: all)")
    given = parser.parse_args(arguments)
    clips = list(spread(list(motions_of_split(load_pose_data(given.data), given.split)), given.clips))
    print("| speed | planted % | lost % | added % | lost anew % | added anew % | ms |\n|--|--|--|--|--|--|--|")
    length = sum(len(motion) for _, motion in clips)
    for speed in SPEEDS:
        found = [compared(motion, speed) for _, motion in clips]
        was, along, anew = (np.concatenate([masks[i] for masks, _ in found], axis=1) for i in range(3))
        shares = [was.mean(), *(part for now in (along, anew) for part in ((was & ~now).mean(), (now & ~was).mean()))]
        took = 1e6 * sum(seconds for _, seconds in found) / length
        print(f"| {speed:.0%} | {' | '.join(f'{100 * share:.1f}' for share in shares)} | {took:.0f} |", flush=True)


if __name__ == "__main__":
    main()
