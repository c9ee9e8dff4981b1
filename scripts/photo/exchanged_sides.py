"""How surely exchanged sides are noticed: `python -m scripts.photo.exchanged_sides FOLDER`.

Every BVH file of a folder is looked at twice: as it is, where any question about its sides is a false alarm, and with
left and right of the joint map exchanged, which should be noticed. It prints both numbers and the files in question.
"""

from __future__ import annotations

from pathlib import Path

from scripts.arguments import script_parser
from solver.errors import InputRefused
from solver.formats.bvh.mapping import foreign_skeleton
from solver.formats.bvh.people import people_of
from solver.formats.bvh.read import read_bvh
from solver.rig.joint_map_check import swapped_sides, wrong_sides


def main() -> None:
    """Print a line for each file in question, and the sums."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="with BVH files whose names are right")
    people = alarms = seen = 0
    for path in sorted(parser.parse_args().folder.glob("*.bvh")):
        try:
            found = [(foreign_skeleton(person), person.joint_map.joints) for person in people_of(read_bvh(path))]
        except InputRefused as error:
            print(error)
            continue
        for skeleton, joints in found:
            people += 1
            if wrong := wrong_sides(skeleton, joints):
                alarms += 1
                print(f"{path.name}: false alarm ({', '.join(wrong)})")
            if len(wrong_sides(skeleton, swapped_sides(joints))) == 2:
                seen += 1
            else:
                print(f"{path.name}: exchanged sides are not noticed")
    print(f"{people} people: {alarms} false alarms; of {people} exchanged ones {seen} are noticed")


if __name__ == "__main__":
    main()
