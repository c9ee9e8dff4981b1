"""From an estimate to people of ours in one camera: shape, pose and place, on a common floor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from solver import focal_length
from solver.body.body import SHAPE_COMPONENTS, SHAPE_LIMIT, Body, BodyShape
from solver.body.catalog import official_folder
from solver.body.shape_fit import DEFAULT_ESTIMATOR, shape_of_bones
from solver.camera import PinholeCamera
from solver.errors import InputRefused
from solver.estimates.estimate import FARTHEST, Estimate, KeyPoints, Person, SmplParameters
from solver.estimates.missing_landmarks import flat_places, solid_places, with_guessed_landmarks
from solver.estimates.picture_shares import in_pixels
from solver.estimates.points_of_body import seen_points
from solver.formats.smpl.motion import UPRIGHT, mid_hips
from solver.kinematics.pose import Motion, Pose
from solver.photo.body_box import box_round
from solver.photo.detection.blazepose import Landmarks
from solver.photo.fit.evidence import BodyPoints, Evidence, evidence
from solver.photo.fit.fit import fit_person, shape_of
from solver.photo.fit.least_squares import Fit, Weights, posed_joints
from solver.photo.fit.lifting import lifted_flat_evidence
from solver.photo.fit.open_sides import fit_landmarks
from solver.photo.floor.common_floor import PlacedPeople, place_people
from solver.photo.people import EstimatedPerson, PhotoResult

Array = NDArray[np.float64]
Progress = Callable[[float, str], None]
FILM_FPS = 30.0
_TURNED = np.diag([1.0, -1.0, -1.0])  # from x right, y down, z forward to ours: x right, y up, looking along -z
_UNKNOWN_SIZE = (1000, 1000)
_NEAREST = 0.1  # metres in front of the camera
_SHORTEST_LEG = 1.0  # pixels: a person who looks smaller is that far away because the places are not in metres
_TRUSTED = Weights(pixel=0.01, lateral=0.03, depth=0.03)  # for points in 3D that a strong estimator gives
_HIDDEN = 0.05


@dataclass(frozen=True, eq=False)
class EstimatedPeople:
    """result: everybody as in a photo. motions: each one's motion in a film, or None. seen: whether there is a camera
    at all; without one the people stand in a world."""

    result: PhotoResult
    motions: tuple[Motion | None, ...]
    seen: bool


def to_people(
    estimate: Estimate, body: Body, image_size: tuple[int, int] | None = None, shape_by: str = DEFAULT_ESTIMATOR,
    progress: Progress | None = None, focal_px: float | None = None,
) -> EstimatedPeople:  # fmt: skip
    """Everybody of an estimate in one camera, the first of a film's frames set onto a common floor.

    image_size: of the picture, if known; it takes precedence over the file's. shape_by: the estimator of shapes for
    people who come with bones. focal_px: of the picture's lens, if the estimate has none. InputRefused if somebody
    would stand behind the camera.
    """
    estimate = in_pixels(estimate, image_size)
    size = image_size or estimate.image_size or _size_of_points(estimate)
    longer = max(size)
    focal = estimate.focal_px or (
        estimate.focal_share * longer if estimate.focal_share else focal_px or focal_length.guessed_px(size)
    )
    principal = estimate.principal or (size[0] / 2, size[1] / 2)
    lens = _Lens(body, float(focal), principal, size)
    tracks = _by_track(estimate)
    if estimate.up != "camera":
        return _in_world(estimate, lens, shape_by)
    fits: list[Fit] = []
    seen: list[Evidence] = []
    marks: list[Landmarks] = []
    for done, track in enumerate(tracks):
        if progress:
            progress(done / len(tracks), f"Posing person {done + 1} of {len(tracks)}")
        fit, one, points = lens.look(track[0], estimate.source, shape_by)
        fits.append(fit)
        seen.append(one)
        marks.append(points)
    placed = place_people(body, fits, seen)
    camera = PinholeCamera(
        placed.position.astype(np.float32), placed.rotation.astype(np.float32), lens.focal_px, principal, size
    )
    people = tuple(
        EstimatedPerson(
            _score(track[0]), box_round(marks[i], body, shape_of(placed.fits[i]), placed.poses[i], camera),
            shape_of(placed.fits[i]), placed.poses[i], marks[i], fits[i], placed.on_floor[i],
            scored=track[0].score is not None,
        )
        for i, track in enumerate(tracks)
    )  # fmt: skip
    motions = tuple(_film(track, i, placed, lens, estimate.source) for i, track in enumerate(tracks))
    return EstimatedPeople(PhotoResult(camera, people), motions, True)


@dataclass(frozen=True, eq=False)
class _Lens:
    body: Body
    focal_px: float
    principal: tuple[float, float]
    size: tuple[int, int]

    def look(self, person: Person, source: str, shape_by: str) -> tuple[Fit, Evidence, Landmarks]:
        """One person in the camera's frame, and what the picture would show of them."""
        if isinstance(person.content, SmplParameters):
            fit = self.posed(person.content, shape_of_person(person.content, self.body, shape_by), _TURNED, source)
            return fit, *self._as_seen(fit, _score(person))
        return self._fitted(person.content, _score(person))

    def posed(
        self, parameters: SmplParameters, shape: BodyShape, turned: Array, source: str, before: bool = True
    ) -> Fit:
        """Parameters on our body. A larger or smaller one stands further or nearer in proportion and looks the same."""
        skeleton = self.body.skeleton(shape)
        rotations = parameters.rotations.copy()
        rotations[0] = turned @ rotations[0]
        hips = turned @ parameters.hip_centre * (skeleton.leg_length / parameters.leg_length)
        far = np.abs(hips).max() > FARTHEST
        behind = before and hips[2] > -_NEAREST
        tiny = before and self.focal_px * parameters.leg_length < -hips[2] * _SHORTEST_LEG
        if far or behind or tiny:
            where = "kilometres away" if far else "behind its camera" if behind else "smaller than a pixel, so far away"
            way_out = "Save places in metres, in the camera's frame: x right, y down, z forward"
            raise InputRefused(source, f"has somebody {where}", way_out)
        return Fit(hips - rotations[0] @ mid_hips(skeleton), rotations, shape.betas.astype(np.float64))

    def _as_seen(self, fit: Fit, score: float) -> tuple[Evidence, Landmarks]:
        """What landmark networks would say about a body posed like that."""
        points = seen_points(self.body)
        places = points.places(*posed_joints(self.body, fit))
        pixels = self._pixels(places)
        inside = ((pixels >= 0) & (pixels <= self.size)).all(axis=1) & (places[:, 2] < -_NEAREST)
        marks = np.full((33, 2), np.nan)
        marks[points.landmark] = pixels
        visible = np.zeros(33)
        visible[points.landmark] = inside
        about = (pixels - self.principal) * [1.0, -1.0]
        weight = points.trust * np.where(inside, 1.0, _HIDDEN)
        size = float(np.linalg.norm(np.ptp(about, axis=0)))
        middle = places[points.hips].mean(axis=0)
        one = Evidence(points, about, places - middle, weight, weight, max(size, 1.0), self.focal_px)
        return one, _landmarks(with_guessed_landmarks(marks), visible, _cut_out(points, places - middle), score)

    def _fitted(self, key_points: KeyPoints, score: float) -> tuple[Fit, Evidence, Landmarks]:
        """Points: fitted as the landmarks of a photo are."""
        if key_points.world is not None or key_points.depths is not None:
            return self._as_landmarks(key_points, score)
        points, known = seen_points(self.body), ~np.isnan(key_points.pixels[:, 0])
        pixels = key_points.pixels if key_points.positions is None else key_points.pixels + self.principal
        full = with_guessed_landmarks(pixels)
        places = flat_places(full) if key_points.positions is None else with_guessed_landmarks(key_points.positions)
        marks = _landmarks(full, key_points.confidence, places - places[[23, 24]].mean(axis=0), score)
        here = known[points.landmark]
        one = evidence(marks, points, self.focal_px, self.principal)
        one = replace(one, pixel_weights=one.pixel_weights * here, world_weights=np.zeros(len(here)))
        if key_points.positions is None:
            one = self._with_lifted_depths(one, marks)
            return fit_person(self.body, one), one, marks
        world = marks.world[points.landmark] @ _TURNED
        one = replace(one, world=world, world_weights=points.trust * here)
        return fit_person(self.body, one, _TRUSTED), one, marks

    def _with_lifted_depths(self, seen: Evidence, marks: Landmarks) -> Evidence:
        """What is seen, with depths by the lifter, as photos have them; it knows all points but the eyes, which come
        last."""
        deep = lifted_flat_evidence(self.body, marks, self.focal_px, self.principal)
        known = len(deep.world)
        world, weights = seen.world.copy(), seen.world_weights.copy()
        world[:known], weights[:known] = deep.world, deep.world_weights * (seen.pixel_weights[:known] > 0)
        return replace(seen, world=world, world_weights=weights)

    def _as_landmarks(self, key_points: KeyPoints, score: float) -> tuple[Fit, Evidence, Landmarks]:
        """Landmarks of the networks that read photos here, too."""
        full = with_guessed_landmarks(key_points.pixels)
        if key_points.world is not None:
            places = with_guessed_landmarks(key_points.world)
        else:
            assert key_points.depths is not None, "a network gave either"
            depths = with_guessed_landmarks(np.column_stack([key_points.pixels, key_points.depths]))[:, 2:]
            places = solid_places(np.concatenate([full, depths], axis=1))
        marks = _landmarks(full, key_points.confidence, places - places[[23, 24]].mean(axis=0), score)
        marks, seen, fit = fit_landmarks(self.body, marks, self.focal_px, self.principal)
        return fit, seen, marks

    def _pixels(self, places: Array) -> Array:
        depth = np.maximum(-places[:, 2:], _NEAREST)
        return np.asarray(self.focal_px * places[:, :2] * [1.0, -1.0] / depth + self.principal)


def shape_of_person(parameters: SmplParameters, body: Body, shape_by: str = DEFAULT_ESTIMATOR) -> BodyShape:
    """SMPL's own betas on SMPL's own body; on ours the shape from the bones, where the file has joints."""
    if parameters.betas is not None and official_folder(body.id) is not None:
        return BodyShape(np.clip(parameters.betas, -SHAPE_LIMIT, SHAPE_LIMIT).astype(np.float32))
    if parameters.bone_lengths is not None:
        return shape_of_bones(parameters.bone_lengths, body, estimator=shape_by).shape
    return BodyShape(np.zeros(SHAPE_COMPONENTS, np.float32))


def _score(person: Person) -> float:
    return 1.0 if person.score is None else person.score


def _landmarks(pixels: Array, sure: Array, world: Array, score: float) -> Landmarks:
    ends = np.concatenate([pixels, np.repeat(pixels[[23, 24]].mean(axis=0)[None], 6, axis=0)])
    return Landmarks(score, ends, sure, world)


def _cut_out(points: BodyPoints, places: Array) -> Array:
    """(33, 3) metres of landmarks, x right, y down, z away."""
    world = np.full((33, 3), np.nan)
    world[points.landmark] = places @ _TURNED
    return with_guessed_landmarks(world)


def _by_track(estimate: Estimate) -> list[list[Person]]:
    """The frames of each person, by time; a person without a track has a single frame."""
    tracks: dict[str, list[Person]] = {}
    for place, person in enumerate(estimate.people):
        tracks.setdefault(person.track or f"#{place}", []).append(person)
    return [sorted(frames, key=lambda person: person.frame) for frames in tracks.values()]


def _film(track: list[Person], place: int, placed: PlacedPeople, lens: _Lens, source: str) -> Motion | None:
    """All frames of one person in the world of the first frame; where they were not seen they stay as they were."""
    if len(track) < 2:
        return None
    shape, poses = shape_of(placed.fits[place]), []
    distance = float(np.linalg.norm(_root(track[0], lens, shape, source)))
    nearer = float(np.linalg.norm(placed.fits[place].root)) / max(distance, 1e-9)
    for person, after in zip(track, (*track[1:], None), strict=True):
        assert isinstance(person.content, SmplParameters), "only parameters have tracks"
        fit = lens.posed(person.content, shape, _TURNED, source)
        rotations = fit.rotations.copy()
        rotations[0] = placed.rotation @ rotations[0]
        pose = Pose(
            (placed.rotation @ (nearer * fit.root) + placed.position).astype(np.float32), rotations.astype(np.float32)
        )
        poses += [pose] * (max(after.frame - person.frame, 1) if after else 1)
    return Motion(np.stack([p.root_position for p in poses]), np.stack([p.rotations for p in poses]), FILM_FPS)


def _root(person: Person, lens: _Lens, shape: BodyShape, source: str) -> Array:
    assert isinstance(person.content, SmplParameters), "only parameters have tracks"
    return lens.posed(person.content, shape, _TURNED, source).root


def _size_of_points(estimate: Estimate) -> tuple[int, int]:
    """The smallest picture that holds all points, where the file has no size."""
    points = [
        p.content.pixels for p in estimate.people if isinstance(p.content, KeyPoints) and p.content.positions is None
    ]
    if not points:
        return _UNKNOWN_SIZE
    right, bottom = np.ceil(np.nanmax(np.concatenate(points), axis=0)).astype(int) + 1
    return max(int(right), 2), max(int(bottom), 2)


def _in_world(estimate: Estimate, lens: _Lens, shape_by: str) -> EstimatedPeople:
    """People whose file has no camera, where the file has them, the lowest of them on the floor."""
    from solver.body.floor import lowest_point

    upright = UPRIGHT[estimate.up]
    people, lows = [], []
    for person in estimate.people:
        assert isinstance(person.content, SmplParameters), "points are seen by a camera"
        shape = shape_of_person(person.content, lens.body, shape_by)
        fit = lens.posed(person.content, shape, upright, estimate.source, before=False)
        pose = Pose(fit.root.astype(np.float32), fit.rotations.astype(np.float32))
        lows.append(lowest_point(lens.body, shape, pose))
        _, marks = lens._as_seen(fit, _score(person))
        score, scored = _score(person), person.score is not None
        people.append(EstimatedPerson(score, (0.0, 0.0, 0.0, 0.0), shape, pose, marks, fit, True, scored=scored))
    first = people[0].pose.root_position
    shift = np.array([first[0], min(lows), first[2]], np.float32)
    moved = tuple(replace(p, pose=replace(p.pose, root_position=p.pose.root_position - shift)) for p in people)
    camera = PinholeCamera(
        np.array([0, 1.6, 4], np.float32), np.eye(3, dtype=np.float32), lens.focal_px, lens.principal, lens.size
    )
    return EstimatedPeople(PhotoResult(camera, moved), (None,) * len(moved), False)
