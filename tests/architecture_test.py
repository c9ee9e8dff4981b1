"""Imports run one way, and the heavy ones stay where they belong."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from solver.rig.roles import Role

ROOT = Path(__file__).resolve().parent.parent
QT_AND_GL = ("PySide6", "pyqtgraph", "OpenGL")

# A package may not import what is listed behind it, nowhere in its files.
FORBIDDEN = {
    "solver": (*QT_AND_GL, "app", "rendering", "scripts"),
    "rendering": ("solver", "app", "scripts"),
    "app": ("torch", "solver.training", "solver.evaluation", "solver.networks", "numba", "scripts"),
    "rendering/camera": QT_AND_GL,
    "rendering/scene": QT_AND_GL,
    "rendering/shapes": QT_AND_GL,
    "rendering/picking": QT_AND_GL,
    "app/document": (*QT_AND_GL, "rendering", "app.services", "app.window", "app.panels", "app.cli"),
}

# Every folder, from the ground up: its files may import files of the folders before it, never of those behind it.
SOLVER = (
    "solver/files",
    "solver/kinematics",
    "solver/rig",
    "solver/body/pickles",
    "solver/body/variants",
    "solver/body",
    "solver/body/build",
    "solver/effectors",
    "solver/contact/fingertips",
    "solver/contact",
    "solver/ik/kernels",
    "solver/ik/stance",
    "solver/ik",
    "solver/ik/limp",
    "solver/ik/pipeline",
    "solver/ik/multi_solve",
    "solver/trackers",
    "solver/networks",
    "solver/networks/skeletal",
    "solver/networks/latent",
    "solver/solvers",
    "solver/solvers/classical",
    "solver/solvers/learned",
    "solver/solvers/latent",
    "solver/formats",
    "solver/formats/bvh",
    "solver/formats/gltf",
    "solver/formats/smpl",
    "solver/formats/pose_json",
    "solver/formats/mesh",
    "solver/formats/vmc",
    "solver/evaluation",
    "solver/evaluation/standing",
    "solver/evaluation/pictures",
    "solver/evaluation/tracking",
    "solver/photo/detection",
    "solver/photo/second_try",
    "solver/photo/fit",
    "solver/photo/floor",
    "solver/photo/likeness",
    "solver/photo",
    "solver/estimates",
    "solver/photo/measuring",
    "solver/training/data",
    "solver/training/losses",
    "solver/training/run",
    "solver/training/export",
    "solver/training",
)
RENDERING = (
    "rendering/camera",
    "rendering/scene",
    "rendering/shapes",
    "rendering/picking",
    "rendering/gl",
    "rendering/items",
    "rendering/drawing",
    "rendering/view",
)
APP = (
    "app/look",
    "app/document/model",
    "app/document/posing",
    "app/document/posing/holds",
    "app/document/posing/brought",
    "app/document/posing/rest",
    "app/document/in_photo",
    "app/document/over_time/getting_up",
    "app/document/over_time/body",
    "app/document/over_time",
    "app/document/over_time/retiming",
    "app/document/curves",
    "app/document/edits",
    "app/document/scene_file",
    "app/document/exchange/own",
    "app/document/exchange",
    "app/document/exchange/onto",
    "app/document/library",
    "app/services",
    "app/services/steps",
    "app/services/background",
    "app/tracking",
    "app/film",
    "app/panels/widgets",
    "app/panels/timeline",
    "app/panels/curves",
    "app/panels/hands",
    "app/panels/target",
    "app/panels",
    "app/dialogs",
    "app/labelling",
    "app/viewport/overlays",
    "app/viewport/swings",
    "app/viewport/bodies",
    "app/viewport/camera",
    "app/viewport",
    "app/viewport/pointing",
    "app/viewport/tools",
    "app/library",
    "app/window/commands",
    "app/window/controls",
    "app/window",
    "app/benchmark",
    "app/cli",
)
SCRIPTS = (
    "scripts",
    "scripts/drags",
    "scripts/starting_poses",
    "scripts/rigs",
    "scripts/motions",
    "scripts/networks",
    "scripts/photo",
    "scripts/photo/situations",
    "scripts/pictures",
    "scripts/contacts",
)
# What stands outside the rooms: foundations that know none of them, and the command that compiles them all.
NO_ROOM = ("solver", "rendering", "app", "app/document")

ALLOWED = {
    ("app/cli/train.py", "solver.training"),  # inside a function; the command line's one door to it
    ("app/cli/evaluate.py", "solver.evaluation"),
    ("app/cli/follow_sensors.py", "solver.evaluation"),
    ("app/cli/solid_floor.py", "solver.evaluation"),
    ("app/cli/kept_balance.py", "solver.evaluation"),
    ("app/cli/solid_body.py", "solver.evaluation"),
    ("app/cli/follow_sensors.py", "solver.training"),  # likewise
    ("app/cli/evaluate.py", "solver.training"),  # for runs that are not exported
    ("app/cli/bench.py", "solver.evaluation"),
    ("app/benchmark/contact_times.py", "solver.evaluation"),
    ("app/benchmark/motion_times.py", "solver.evaluation"),
    ("app/benchmark/measures.py", "solver.evaluation"),
    ("app/benchmark/yardstick.py", "solver.evaluation"),
}


@cache
def imports_of(file: Path, typed: bool = True) -> frozenset[str]:
    """Every module the file imports, at its top or inside a function. typed: also those for annotations alone."""
    names: set[str] = set()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    if not typed:
        tree.body = [n for n in tree.body if not (isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING")]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(names)


@pytest.mark.parametrize("package", FORBIDDEN)
def test_imports_run_one_way(package: str) -> None:
    wrong = []
    for file in sorted((ROOT / package).rglob("*.py")):
        path = file.relative_to(ROOT).as_posix()
        for banned in FORBIDDEN[package]:
            hits = {name for name in imports_of(file) if name == banned or name.startswith(banned + ".")}
            if hits and (path, banned) not in ALLOWED:
                wrong.append(f"{path} imports {', '.join(sorted(hits))}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("rooms", [SOLVER, RENDERING, APP, SCRIPTS], ids=["solver", "rendering", "app", "scripts"])
def test_a_room_knows_only_the_rooms_below_it(rooms: tuple[str, ...]) -> None:
    wrong = []
    for height, room in enumerate(rooms):
        for file in sorted((ROOT / room).glob("*.py")):
            above = [
                f"{name} ({other})" for name in imports_of(file) if (other := room_of(name)) in rooms[height + 1 :]
            ]
            wrong += [f"{file.relative_to(ROOT)} imports {name}" for name in sorted(above)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("package", ["solver", "rendering", "app"])
def test_no_files_import_each_other_in_a_round(package: str) -> None:
    names = {f: ".".join(f.relative_to(ROOT).with_suffix("").parts) for f in (ROOT / package).rglob("*.py")}
    files = {name.removesuffix(".__init__"): f for f, name in names.items()}  # a package is imported by its name
    order = TopologicalSorter({name: imports_of(file, typed=False) & files.keys() for name, file in files.items()})
    order.prepare()  # which names the round if there is one


@cache
def room_of(module: str) -> str:
    """The folder of a module's file; "" for a name within a module and for modules that are not ours."""
    path = ROOT / module.replace(".", "/")
    return path.parent.relative_to(ROOT).as_posix() if path.with_suffix(".py").is_file() else ""


def test_every_folder_has_its_place_in_the_order() -> None:
    folders = {
        file.parent.relative_to(ROOT).as_posix()
        for top in ("solver", "rendering", "app", "scripts")
        for file in (ROOT / top).rglob("*.py")
    }
    assert folders - set(NO_ROOM) == {*SOLVER, *RENDERING, *APP, *SCRIPTS}


def test_no_folder_is_a_heap() -> None:
    heaps = {
        folder.relative_to(ROOT).as_posix(): count
        for top, most in {"solver": 24, "app": 24, "rendering": 24, "scripts": 24, "tests": 45}.items()
        for folder in (ROOT / top, *(p for p in (ROOT / top).rglob("*") if p.is_dir()))
        if (count := len(list(folder.glob("*.py")))) > most
    }
    assert not heaps, f"sort these into rooms: {heaps}"


def test_files_stay_small() -> None:
    long = {
        file.relative_to(ROOT).as_posix(): lines
        for package in ("app", "solver", "rendering", "scripts", "tests")
        for file in (ROOT / package).rglob("*.py")
        if (lines := len(file.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert not long, f"split these: {long}"


@pytest.mark.parametrize("package", ["app", "solver", "rendering"])
def test_data_is_found_through_its_package_not_by_counting_folders(package: str) -> None:
    counting = [
        file.relative_to(ROOT).as_posix()
        for file in sorted((ROOT / package).rglob("*.py"))
        if "__file__" in (text := file.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "parents"
        if any(isinstance(inner, ast.Name) and inner.id == "__file__" for inner in ast.walk(node))
    ]
    assert not counting


PLAIN = ("solver.jit", "solver.effectors.form_ids")  # which the kept machine code is named after as well


def test_what_is_compiled_lies_in_files_that_the_kept_machine_code_is_named_after() -> None:
    """solver.jit looks only at those: code of an older kernel, or of an older tuple's order, must not be met."""
    misplaced = []
    for file in sorted((ROOT / "solver").rglob("*.py")):
        compiles = compiles_functions(file)
        ours = sorted(name for name in imports_of(file) if room_of(name) and name not in PLAIN)
        if compiles and not file.name.endswith("_kernels.py"):
            misplaced.append(f"{file.relative_to(ROOT)} compiles functions")
        elif compiles:
            misplaced += [f"{file.relative_to(ROOT)} takes {name}" for name in ours if not name.endswith("_kernels")]
    assert not misplaced, "name these *_kernels.py, or move there what kernels take:\n" + "\n".join(misplaced)


def compiles_functions(file: Path) -> bool:
    """Whether a function of the file is decorated as a kernel."""
    text = file.read_text(encoding="utf-8")
    if "@kernel" not in text:  # nor need it be parsed
        return False
    functions = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef))
    decorators = (ast.unparse(decorator) for node in functions for decorator in node.decorator_list)
    return any(name.startswith("kernel") for name in decorators)


# Rooms that know joints by name; every other file asks a rig for the joint with a role.
NAMES_JOINTS = ("solver/kinematics", "solver/rig", "solver/body")
# Files that still spell one. The list may only shrink.
STILL_NAME_JOINTS: set[str] = set()


def test_joints_are_known_by_their_roles() -> None:
    found = {
        path: names
        for top in ("app", "solver", "rendering", "scripts")
        for file in (ROOT / top).rglob("*.py")
        if not (path := file.relative_to(ROOT).as_posix()).startswith(NAMES_JOINTS)
        if (names := joints_spelled_in(file))
    }
    wrong = {path: names for path, names in found.items() if path not in STILL_NAME_JOINTS}
    assert not wrong, f"ask a rig for Role.…: {wrong}"
    assert not STILL_NAME_JOINTS - set(found), "take off the list what spells no joint any more"


def joints_spelled_in(file: Path) -> set[str]:
    """Texts of a file, but for its docstrings, that are a joint's name, or from which one is put together."""
    names = {role.value for role in Role} | {"left_", "right_"} | {"_" + role.part for role in Role if role.side}
    source = file.read_text(encoding="utf-8")
    if not any(name in source for name in names):  # nor need it be parsed
        return set()
    tree = ast.parse(source)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    ]
    return names.intersection(texts)


def test_test_modules_have_names_of_their_own() -> None:
    """pytest imports them by name alone, and refuses the second of a name."""
    names = [file.name for file in (ROOT / "tests").rglob("*_test.py")]
    assert sorted(names) == sorted(set(names))
