"""The people behind the bodies: the ten shape components and a population of adults, in the controls of `anny`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

Controls = Mapping[str, float]


@dataclass(frozen=True)
class Component:
    """One labelled direction of shape: what a standard deviation of it adds to each control."""

    name: str
    controls: Controls


def _component(name: str, **controls: float) -> Component:
    return Component(name, MappingProxyType({key.replace("_", "-"): value for key, value in controls.items()}))


# Amounts give the spread of adults of one sex: stature 6.5 to 7 cm, body mass index 3 kg/m², lengths and breadths at
# a given stature 1.5 to 2 cm. The height control changes stature by 1.09 m over its range.
COMPONENTS: tuple[Component, ...] = (
    _component("Height", height=0.0625),
    _component(
        "Weight",
        weight=0.25,
        measure_waist_circ_incr=0.30,
        measure_hips_circ_incr=0.25,
        measure_bust_circ_incr=0.22,
        measure_upperarm_circ_incr=0.22,
        measure_thigh_circ_incr=0.22,
        measure_calf_circ_incr=0.15,
        measure_neck_circ_incr=0.18,
        stomach_pregnant_incr=0.12,
        head_fat_incr=0.18,
    ),
    _component("Muscle", muscle=0.20),
    _component("Leg length", upperlegs_height_incr=0.16, lowerlegs_height_incr=0.16, torso_scale_vert_incr=-0.34),
    _component("Arm length", measure_upperarm_length_incr=0.15, measure_lowerarm_length_incr=0.15),
    _component("Shoulder width", measure_shoulder_dist_incr=0.40),
    _component("Hip width", hip_scale_horiz_incr=0.22, measure_hips_circ_incr=0.15),
    _component("Chest", measure_bust_circ_incr=0.35, torso_scale_depth_incr=0.15),
    _component("Belly", stomach_pregnant_incr=0.35, measure_waist_circ_incr=0.30),
    _component("Head size", head_scale_horiz_incr=0.22, head_scale_vert_incr=0.22, head_scale_depth_incr=0.22),
)

# What else varies between people; no slider, but the joint regressor must not be confused by it.
NUISANCES: tuple[Component, ...] = (
    _component("age", age=0.06),
    _component("proportions", proportions=0.12),
    _component("cup size", cupsize=0.15),
    _component("firmness", firmness=0.15),
    _component("african", african=0.08),
    _component("asian", asian=0.08),
    _component("lower legs", lowerlegs_height_incr=0.08, upperlegs_height_incr=-0.06),
    _component("forearms", measure_lowerarm_length_incr=0.08, measure_upperarm_length_incr=-0.08),
)

# The middle of the population; height is then set so that the mean stature comes out.
_MIDDLE: Controls = MappingProxyType(
    {
        "age": 0.74, "muscle": 0.55, "weight": 0.60, "proportions": 0.35, "cupsize": 0.5, "firmness": 0.5,
        "african": 1 / 3, "asian": 1 / 3, "caucasian": 1 / 3,
    }
)  # fmt: skip
ANNY_GENDER: Controls = MappingProxyType({"male": 0.0, "neutral": 0.5, "female": 1.0})
MEAN_STATURE: Controls = MappingProxyType({"male": 1.765, "neutral": 1.70, "female": 1.635})  # metres
_CLIP = 2.5  # standard deviations: nobody beyond is sampled


def middle(gender: str, height: float) -> dict[str, float]:
    """The controls of the mean adult of one gender."""
    return {**_MIDDLE, "gender": ANNY_GENDER[gender], "height": height}


def control_names() -> tuple[str, ...]:
    """Every control that the population moves."""
    names = {name for component in (*COMPONENTS, *NUISANCES) for name in component.controls}
    return tuple(sorted(names | set(_MIDDLE) | {"gender", "height"}))


def sample_scores(count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """(count, components + nuisances) independent standard deviations, with mean 0."""
    half = rng.standard_normal(((count + 1) // 2, len(COMPONENTS) + len(NUISANCES))).clip(-_CLIP, _CLIP)
    return np.concatenate([half, -half])[:count]


def controls_of(scores: NDArray[np.float64], centre: Controls) -> dict[str, NDArray[np.float64]]:
    """The controls of people with these scores, (N,) each."""
    values = {name: np.full(len(scores), centre.get(name, 0.0)) for name in control_names()}
    for column, component in enumerate((*COMPONENTS, *NUISANCES)):
        for name, amount in component.controls.items():
            values[name] += scores[:, column] * amount
    return values
