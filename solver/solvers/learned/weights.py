"""A folder of shipped weights: model.onnx and config.json, checked before anything of it is used."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from solver.errors import InputRefused, one_line
from solver.files.reading import MEBIBYTE, read_bytes, read_start, read_text
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_6d
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.networks.catalog import EDIT, LIFT
from solver.resources import resource_folder
from solver.rig.roles import Role
from solver.size_limits import FARTHEST_M
from solver.solvers.learned.mirror_image import mean_of
from solver.solvers.learned.model_input import poses_of
from solver.solvers.learned.onnx_parts import names_other_files
from solver.solvers.learned.protores_model import ProtoResModel, protores_model

if TYPE_CHECKING:
    import onnxruntime


class Named(Protocol):
    """An input of a model."""

    @property
    def name(self) -> str:
        """One of INPUTS, EDIT_INPUTS or LIFT_INPUTS."""
        ...


class Model(Protocol):
    """What runs a network: onnxruntime's session, or anything that is called like it."""

    def get_inputs(self) -> Sequence[Named]:
        """What the network reads."""
        ...

    def run(self, outputs: list[str], inputs: dict[str, np.ndarray]) -> Sequence[np.ndarray]:
        """The named outputs."""
        ...


MODEL, CONFIG, METRICS, CARD = "model.onnx", "config.json", "metrics.json", "CARD.md"
LARGEST = 1024 * MEBIBYTE  # of a model
WEIGHTS = resource_folder("weights")
COLUMNS = "columns"
OF_BODY = frozenset({"betas", "gender"})  # the shape of the body
OF_BASE = frozenset({"base_positions", "base_world", "base_local", "offsets", "keep_place", "keep_shape"})
CONDITIONS = OF_BODY | OF_BASE
INPUTS = frozenset({"data", "tolerance", "joint", "kind"}) | CONDITIONS
EDIT_INPUTS = frozenset({"start", "targets", "asked"})  # of networks that edit joint positions, see `EditBatch`
LIFT_INPUTS = frozenset({"picture", "space", "weight"})  # of networks that lift landmarks, see `CentredViewBatch`
_PICKLES = frozenset({".pkl", ".pickle", ".pt", ".pth", ".ckpt", ".bin", ".joblib"})
_RESTORE = "Restore the folder"
_ELSE = f"{_RESTORE}, or choose another solver"


@dataclass(frozen=True)
class WeightsConfig:
    """The content of config.json.

    network: its name, such as "smplik". joints: the roles that it wants, in the model's order. body: id of the body
    that it was trained on. conditions: its inputs beside effectors, of CONDITIONS; None if the file does not say.
    rotation_6d: “columns”: six numbers are the first two columns of a rotation matrix. precision: "fp32" or "int8".
    sha256: of model.onnx. training: the run's settings. data, licence, torch, commit: where the weights come from.
    """

    id: str
    network: str
    joints: tuple[str, ...]
    body: str
    rotation_6d: str
    precision: str
    sha256: str
    training: dict[str, Any]
    data: str
    licence: str
    torch: str
    commit: str
    conditions: tuple[str, ...] | None = None

    @property
    def reads_base(self) -> bool:
        """Whether it reads a base pose, the bones, and what to keep."""
        return bool(OF_BASE & set(self.conditions or ()))

    @property
    def roles(self) -> tuple[Role, ...]:
        """What the joints are, in the model's order."""
        return tuple(map(Role, self.joints))

    def json(self) -> str:
        """The file's text."""
        return json.dumps(asdict(self), indent=2) + "\n"


@dataclass(frozen=True)
class Weights:
    """A checked folder: what it says of itself, and the model ready to run. source: names it in refusals."""

    config: WeightsConfig
    session: Model
    source: Path = Path(MODEL)

    @property
    def size_bytes(self) -> int:
        """The size of the model's file; 0 if it is in none."""
        return self.source.stat().st_size if self.source.exists() else 0

    @cached_property
    def _reads(self) -> frozenset[str]:
        return frozenset(entry.name for entry in self.session.get_inputs())

    def poses(self, inputs: dict[str, np.ndarray], joints: int, other_side: np.ndarray | None = None) -> list[Pose]:
        """The network's answers, for a body of so many joints; InputRefused if they are not poses.

        other_side: if each problem is followed by its mirror image, see `mean_of`; then the mean for each problem.
        """
        with self._asked("these effectors"), np.errstate(invalid="ignore", divide="ignore"):
            draft, rotations = run_model(self.session, inputs, self._reads)
            rows, known = len(inputs["data"]), len(self.config.joints)
            _check_shape((draft, (rows, known, 3)), (rotations, (rows, known, 6)))
            _check_range(draft, "it gives a joint an impossible position")
            if other_side is not None:
                return poses_of(*mean_of(draft, rotations, other_side), joints)
            return poses_of(draft[:, 0], from_6d(rotations), joints)

    def places(self, inputs: dict[str, np.ndarray]) -> np.ndarray:
        """(B, J, 3) metres, the edited poses that such a network gives; InputRefused if these are not places."""
        with self._asked("these targets"):
            (positions,) = self.session.run(["positions"], inputs)
            _check_shape((positions, inputs["start"].shape))
            _check_range(positions, "it gives a joint an impossible position")
            return np.asarray(positions)

    def lifted(self, inputs: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """rotations_6d (B, J, 6) and unsure (B, P), float64, see `LiftPrediction`; InputRefused if these are none."""
        with self._asked("what was seen", _RESTORE):
            turns, unsure = (np.asarray(a, np.float64) for a in self.session.run(["rotations_6d", "unsure"], inputs))
            for numbers in (turns, unsure):
                _check_range(numbers, "it answers with impossible numbers")
            return turns, unsure

    @contextmanager
    def _asked(self, what: str, way_out: str = _ELSE) -> Iterator[None]:
        """Whatever goes wrong with an answer is refused as that of this model."""
        try:
            yield
        except Exception as error:  # onnxruntime's errors share no base of their own
            reason = f"it gives no pose for {what} ({one_line(error, 200)})"
            raise InputRefused(self.source, reason, way_out) from None


def _check_range(numbers: np.ndarray, what: str) -> None:
    if not (np.abs(numbers) <= FARTHEST_M).all():  # also false for NaN
        raise ValueError(what)


def _check_shape(*answers: tuple[np.ndarray, tuple[int, ...]]) -> None:
    """What a model says that it answers with is not always what it does, and compiled functions trust that it is."""
    if any(numbers.shape != shape for numbers, shape in answers):
        raise ValueError("it answers with more or fewer numbers than it says")


def load_weights(folder: Path, network: str, body: str) -> Weights:
    """The weights in `folder`, for that network and body; InputRefused says why they cannot be used."""
    if not folder.is_dir():
        raise InputRefused(folder, "there is no such folder of weights", _ELSE)
    try:
        pickles = [file for file in sorted(folder.iterdir()) if file.suffix.lower() in _PICKLES or _is_pickle(file)]
    except OSError as error:
        raise InputRefused(folder, f"it cannot be read ({error.strerror})", _ELSE) from None
    for file in pickles:
        raise InputRefused(file, "it is a pickle, which could run any program", "Remove it; weights are ONNX files")
    config = read_config(folder / CONFIG)
    if config.network != network:
        raise InputRefused(
            folder / CONFIG, f"it is for the network “{str(config.network)[:40]}”, not “{network}”", _ELSE
        )
    if config.joints != SMPL_JOINTS[: len(config.joints)]:
        raise InputRefused(folder / CONFIG, "its joints are not SMPL's body joints in their order", _ELSE)
    if config.body != body:
        raise InputRefused(
            folder / CONFIG, f"it was trained on the body “{str(config.body)[:40]}”, not “{body}”", _ELSE
        )
    if config.rotation_6d != COLUMNS:
        raise InputRefused(folder / CONFIG, f"rotation_6d is “{str(config.rotation_6d)[:40]}”, not “{COLUMNS}”", _ELSE)
    strange = sorted(set(config.conditions or ()) - CONDITIONS)
    if strange:
        raise InputRefused(
            folder / CONFIG, f"it needs inputs that this program does not have: {', '.join(strange)[:80]}", _ELSE
        )
    return Weights(config, _model(folder / MODEL, config), folder / MODEL)


def read_config(path: Path) -> WeightsConfig:
    """config.json, checked for its keys and their types."""
    if not path.exists():
        raise InputRefused(path, "it is missing", _ELSE)
    try:
        values = json.loads(read_text(path, MEBIBYTE))
    except ValueError as error:
        raise InputRefused(path, f"it cannot be read ({error})", _ELSE) from None
    except RecursionError:
        raise InputRefused(path, "it is nested too deeply", _ELSE) from None
    names = [f.name for f in fields(WeightsConfig) if f.default is MISSING]
    missing = [name for name in names if not isinstance(values, dict) or name not in values]
    if missing:
        raise InputRefused(path, f"it does not say {', '.join(missing)}", _ELSE)
    try:
        joints = tuple(str(name) for name in values["joints"])
        told = None if values.get("conditions") is None else tuple(str(name) for name in values["conditions"])
    except TypeError:
        raise InputRefused(path, "its joints or conditions are not a list of names", _ELSE) from None
    return WeightsConfig(**{**{name: values[name] for name in names}, "joints": joints, "conditions": told})


def sha256(data: bytes) -> str:
    """The file's fingerprint, as config.json holds it."""
    return hashlib.sha256(data).hexdigest()


def run_model(
    session: Model, inputs: dict[str, np.ndarray], reads: frozenset[str] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """draft (B, J, 3) and rotations_6d (B, J, 6) for the inputs that the model has. reads: their names, if known."""
    wanted = {entry.name for entry in session.get_inputs()} if reads is None else reads
    draft, rotations = session.run(
        ["draft", "rotations_6d"], {name: value for name, value in inputs.items() if name in wanted}
    )
    return draft, rotations


def described_bytes(path: Path, config: WeightsConfig, largest: int) -> bytes:
    """What a file of weights of at most that many bytes holds; InputRefused unless it is the one of config.json."""
    if not path.exists():
        raise InputRefused(path, "it is missing", _ELSE)
    data = read_bytes(path, largest)
    if sha256(data) != config.sha256:
        raise InputRefused(path, "it is truncated or not the file that config.json describes", _ELSE)
    return data


def _model(path: Path, config: WeightsConfig) -> Model:
    """What runs the model: compiled functions where it is one that they know, else onnxruntime."""
    data = described_bytes(path, config, LARGEST)
    try:
        external = names_other_files(data)
    except ValueError as error:
        raise InputRefused(path, f"it is not a model that runs here ({error})", _ELSE) from None
    if external:
        raise InputRefused(path, "it reads numbers from another file, which could be any file on this computer", _ELSE)
    model = protores_model(data, config.network) or _session(path, data)
    _check_interface(path, config, model)
    return model


def _session(path: Path, data: bytes) -> onnxruntime.InferenceSession:
    try:
        import onnxruntime
    except ImportError as error:  # on Windows also where Microsoft's C++ runtime is missing
        raise InputRefused(
            path, f"onnxruntime, which runs it, cannot be loaded ({error})", "Install the program again, or choose dls"
        ) from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.disable_quant_qdq", "1")  # int8 weights are turned back once, here
    try:
        # Without a fallback there is nothing that it would print about one.
        cpu = ["CPUExecutionProvider"]
        return onnxruntime.InferenceSession(data, options, providers=cpu, enable_fallback=0)
    except Exception as error:  # onnxruntime's errors share no base of their own
        raise InputRefused(path, f"it is not a model that runs here ({str(error).splitlines()[0]})", _ELSE) from None


def _check_interface(path: Path, config: WeightsConfig, session: ProtoResModel | onnxruntime.InferenceSession) -> None:
    """Raises InputRefused if the model asks for something else, or answers something else, than its kind does."""
    edits, lifts, joints = config.network in EDIT, config.network in LIFT, len(config.joints)
    asked = {entry.name for entry in session.get_inputs()}
    unknown = asked - (EDIT_INPUTS if edits else LIFT_INPUTS if lifts else INPUTS)
    if unknown:
        raise InputRefused(
            path, f"it asks for inputs that this program does not have: {', '.join(sorted(unknown))}", _ELSE
        )
    told = asked & CONDITIONS
    if told != (told & OF_BODY if config.conditions is None else set(config.conditions)):
        said = ", ".join(sorted(told)) or "nothing"
        raise InputRefused(path, f"beside the effectors it takes {said}, but config.json says otherwise", _ELSE)
    outputs = {entry.name: list(entry.shape) for entry in session.get_outputs()}
    turns = {"rotations_6d": [joints, 6]}
    wanted = {"positions": [joints, 3]} if edits else turns if lifts else {"draft": [joints, 3], **turns}
    if any(outputs.get(name, [0])[1:] != shape for name, shape in wanted.items()):
        raise InputRefused(path, f"it does not answer with {joints} joints", _ELSE)


def _is_pickle(file: Path) -> bool:
    """Whether a file begins like a pickle, or like torch's zip with a pickle in it."""
    if not file.is_file():
        return False
    head = read_start(file, 256)
    if head[:2] in (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"):
        return file.suffix != ".safetensors"  # its first number, the header's length, may look like that
    return head[:2] == b"PK" and b".pkl" in head
