"""How far the joints of the user's own characters are from the handles: `python -m scripts.rigs.handles_on_rigs`.

Characters of other makes are written as GLB files, in several proportions, poses and units, and opened as a user opens
them. Handles are dragged to random goals and solved; then it is measured where the joint is that the file's own rig
shows. Printed in millimetres: how far the shown joint is from its goal, of handles that our body meets within 1 mm; the
mean and the worst of wrists, ankles and head. Met: the share of handles that our body meets. Rest: how far any joint
that the rig has is from ours as the file is opened.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.exchange.open_file import open_file
from app.document.exchange.own.own_pose import own_matrices
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.solving import solved
from scripts.arguments import add_list, script_parser, some_of
from scripts.rigs.foreign_rigs import RESTS, RIGS, Rest, read_rigs
from scripts.rigs.skinned_rigs import PROPORTIONS, Binding, glb_rig, in_proportions
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.effectors.kinds import Position
from solver.rig.roles import ARMS, ENDS, LEGS, LIMBS, Role

Array = NDArray[np.float64]
SOLVERS = ("smplik", "protores", "skelik", "dls", "dragposer")
OF_RIGS = (
    "Mixamo", "Unreal 5", "VRoid", "Rigify DEF", "MakeHuman default", "Daz Genesis 8", "iClone CC", "Biped", "Spanish",
    "MMD Japanese", "Simple no neck/toes/clav", "No spine", "Roblox",
)  # fmt: skip
BINDINGS = {
    "T": Binding(),
    "A in cm": Binding(Rest(np.radians(40), np.radians(6)), unit=100.0, armature=(0.01, 0.01, 0.01)),
    "Z up 3 times": Binding(Rest(np.radians(20)), upright=RESTS["T, Z up"].axes, size=3.0),
    "child": Binding(Rest(np.radians(45)), size=0.55),
}
GOALS = 30
FAR = 0.25  # metres from rest of somebody of usual size, at most
STATURE = 1.6  # metres, theirs to the head's joint
MET = 1e-3  # metres
COLUMNS = ("rest", "met %", "wrists", "worst", "ankles", "worst", Role.HEAD.value, "worst")


class Miss(NamedTuple):
    """Of one handle. ours, shown: metres from the goal to our body's joint, and to the rig's."""

    role: Role
    ours: float
    shown: float


def main(arguments: list[str] | None = None) -> None:
    """Print a row for each rig."""
    parser = script_parser(__file__, __doc__)
    rigs = read_rigs(RIGS.read_text(encoding="utf-8"))
    parser.add_argument("--rigs", type=some_of(rigs), default=list(OF_RIGS), help=f"default: {', '.join(OF_RIGS)}")
    add_list(parser, "--solvers", SOLVERS)
    add_list(parser, "--proportions", PROPORTIONS)
    add_list(parser, "--bindings", BINDINGS)
    parser.add_argument("--goals", type=int, default=GOALS, help=f"for each rig and solver (default: {GOALS})")
    asked = parser.parse_args(arguments)
    print(f"| rig | {' | '.join(COLUMNS)} |\n| -- |{' --: |' * len(COLUMNS)}")
    everything: list[tuple[float, list[Miss]]] = []
    for name in asked.rigs:
        found: list[tuple[float, list[Miss]]] = []
        for person in people(name, asked.proportions, asked.bindings):
            misses = [miss for solver in asked.solvers for miss in missed(person, solver, asked.goals)]
            found.append((at_rest(person), misses))
        everything += found
        print(row(name, found), flush=True)
    print(row("**all**", everything))


def people(rig: str, proportions: list[str], bindings: list[str]) -> Iterator[Character]:
    """The rig's characters, as opened."""
    ours = load_body(DEFAULT_BODY).skeleton(BodyShape())
    tree = read_rigs(RIGS.read_text(encoding="utf-8"))[rig]
    with TemporaryDirectory() as folder:
        for proportion in proportions:
            for number, binding in enumerate(bindings):
                path = Path(folder) / f"{number}.glb"
                skeleton = in_proportions(ours, PROPORTIONS[proportion])
                path.write_bytes(glb_rig(tree, skeleton, BINDINGS[binding], seed=number))
                edit = open_file(path).edit
                assert edit is not None, "a rig is an edit"
                yield edit(Document()).characters[-1]


def missed(person: Character, solver: str, goals: int) -> Iterator[Miss]:
    """Handles of one to three ends of limbs that are dragged to random places at once."""
    rng, home = np.random.default_rng(5), joints_of(person)
    skeleton, has = skeleton_of(person), _joints_of_rig(person)
    roles = [role for role in ENDS if role in has]
    size = float(home.positions[:, 1].max())
    handles = {e.joint: e for e in person.effectors if isinstance(e, Position)}
    for _ in range(goals):
        chosen = [roles[k] for k in rng.choice(len(roles), size=int(rng.integers(1, 4)), replace=False)]
        document = edits.set_solver(person.id, solver)(edits.add_character(person)(Document()))
        goal: dict[Role, Array] = {}
        for role in chosen:
            way = rng.normal(size=3)
            way[1] = abs(way[1]) if role in [leg.end for leg in LEGS] else way[1]
            step = rng.uniform(0, FAR) * size / STATURE * way / np.linalg.norm(way)
            goal[role] = home.positions[skeleton.index(role)] + step
            handle = handles.get(role)
            asked = Position(role.value, goal[role].astype(np.float32), id=f"the {role.words}")
            one = edits.set_target(person.id, handle.id, goal[role]) if handle else edits.add_effector(person.id, asked)
            document = one(document)
        after = solved(document.character(person.id))
        ours, shown = joints_of(after).positions, shown_joints(after)
        for role, at in goal.items():
            apart = (np.linalg.norm(joint - at) for joint in (ours[skeleton.index(role)], shown[role]))
            yield Miss(role, *map(float, apart))


def at_rest(person: Character) -> float:
    """How far limbs' joints, and the head, of the rig are from ours at most as the file was opened, in metres."""
    ours, shown, skeleton = joints_of(person).positions, shown_joints(person), skeleton_of(person)
    roles = {*(role for limb in LIMBS for role in limb.line), Role.HEAD}
    return max(float(np.linalg.norm(ours[skeleton.index(role)] - at)) for role, at in shown.items() if role in roles)


def shown_joints(person: Character) -> dict[Role, Array]:
    """(3,) metres by role: where the joints of the rig are as the view draws it."""
    own = person.own_skin
    assert own is not None, "it came from a file with a skin"
    rig, matrices = own.rig(), own_matrices(person, own)
    worlds = matrices @ np.linalg.inv(rig.binds)
    bones = {node: number for number, node in enumerate(rig.bones.tolist())}
    return {role: worlds[bones[node]][:3, 3] for role, node in _joints_of_rig(person).items() if node in bones}


def _joints_of_rig(person: Character) -> dict[Role, int]:
    assert person.own_skin is not None, "it came from a file with a skin"
    bvh = person.own_skin.rig().person
    return {Role(name): (bvh.places or ())[j] for name, j in bvh.joint_map.joints.items()}


def row(name: str, found: list[tuple[float, list[Miss]]]) -> str:
    """A table's row."""
    misses = [miss for _, some in found for miss in some]
    met = [miss for miss in misses if miss.ours < MET]
    cells = [f"{1e3 * max(rest for rest, _ in found):.1f}", f"{100 * len(met) / max(len(misses), 1):.0f}"]
    for roles in ([arm.end for arm in ARMS], [leg.end for leg in LEGS], [Role.HEAD]):
        off = 1e3 * np.array([miss.shown for miss in met if miss.role in roles])
        cells += [f"{off.mean():.1f}", f"{off.max():.1f}"] if off.size else ["–", "–"]
    return f"| {name} | {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
