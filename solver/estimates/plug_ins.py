"""Estimators of poses that other packages bring along, by the entry point group `contrapposto.estimators`.

An entry point names a function `estimate(rgb, focal_px)`: rgb is the picture, (H, W, 3) uint8, upright; focal_px its
focal length in pixels, or None. It returns the people in any layout of docs/estimates.md, as dictionaries, lists and
numpy arrays; an empty list if nobody is seen.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

from solver import focal_length
from solver.body.body import Body
from solver.camera import level_camera
from solver.errors import PoserError, UnknownName
from solver.estimates.plug_in_names import BUILT_IN, installed_entry_points
from solver.photo.estimate import Cancelled, Progress, SoFar, estimate_people
from solver.photo.image_file import PhotoImage
from solver.photo.people import PhotoResult

_ASKING = Lock()  # one call at a time: one that was cancelled may still hold the graphics card
_LOOK_S = 0.05  # how often to check whether the call was cancelled
_WAITING = "Waiting for an earlier call of an estimator to end"
_WAY_OUT = f"Fix the plug-in, or choose another estimator in the settings (“{BUILT_IN}” on the command line)."


def people_in_photo(
    name: str,
    image: PhotoImage,
    body: Body,
    focal_px: float | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
    so_far: SoFar | None = None,
) -> PhotoResult:
    """Everybody in a photo as the estimator of that name sees them, in one camera and on a common floor.

    so_far: called with those found by then, roughly posed; not for plug-ins. cancelled: asked now and then; once it
    returns true, the answer is no longer waited for, and the picture counts as empty.
    UnknownName for another name; PoserError naming the plug-in if it cannot be loaded or fails; InputRefused if what it
    returns has an unknown layout, or holds numbers that are not finite.
    """
    if name == BUILT_IN:
        return estimate_people(image, body, focal_px, progress, cancelled, so_far)

    from solver.estimates.people import to_people  # what reads others' layouts: ours does without
    from solver.estimates.read import estimate_of

    if progress:
        progress(0.0, f"Asking {name}")
    focal = focal_px or image.focal_px
    content = _answer(name, _load(name), image, focal, progress, cancelled)
    found = None if _nobody(content) else estimate_of(content, Path(f"estimator {name}"), nobody_too=True)
    if found is None or not found.people:
        return _nobody_in(image, focal)

    def tell(share: float, what: str) -> None:
        if progress:
            progress(0.8 + 0.2 * share, what)

    return to_people(found, body, image.size, focal_px=focal, progress=tell).result


def _nobody_in(image: PhotoImage, focal_px: float | None) -> PhotoResult:
    """A level camera that saw nobody."""
    return PhotoResult(level_camera(focal_px or focal_length.guessed_px(image.size), image.size), ())


def check_estimator(name: str) -> None:
    """UnknownName where no estimator has that name, PoserError for one that cannot be loaded."""
    if name != BUILT_IN:
        _load(name)


def _load(name: str) -> Callable[..., Any]:
    if name not in (found := installed_entry_points()):
        raise UnknownName("estimator of poses", name, (BUILT_IN, *sorted(found)))
    try:
        loaded = found[name].load()
    except (Exception, SystemExit) as error:  # somebody else's package can raise anything, or exit
        reason = f"The estimator “{name}” ({found[name].value}) cannot be loaded: {_line(error)}."
        raise PoserError(f"{reason} {_WAY_OUT}") from error
    if not callable(loaded):
        raise PoserError(
            f"The estimator “{name}” ({found[name].value}) is not a function that takes a picture. {_WAY_OUT}"
        )
    return loaded  # type: ignore[no-any-return]


def _answer(
    name: str,
    estimate: Callable[..., Any],
    image: PhotoImage,
    focal_px: float | None,
    progress: Progress | None,
    cancelled: Cancelled | None,
) -> Any:
    """What the plug-in returns; nobody once it is cancelled. Nothing can stop the call, which goes on to no purpose."""
    answer: Future[Any] = Future()
    begun, waits = Event(), False

    def ask() -> None:
        with _ASKING:
            begun.set()
            try:
                answer.set_result([] if cancelled and cancelled() else estimate(image.rgb, focal_px))
            except BaseException as error:  # it is raised where the answer is taken
                answer.set_exception(error)

    Thread(target=ask, name=f"estimator {name}", daemon=True).start()
    while not wait([answer], _LOOK_S).done:
        if cancelled and cancelled():
            return []
        if progress and waits is begun.is_set():
            waits = not waits
            progress(0.0, _WAITING if waits else f"Asking {name}")
    try:
        return answer.result()
    except (Exception, SystemExit) as error:
        raise PoserError(f"The estimator “{name}” failed: {_line(error)}. {_WAY_OUT}") from error


def _nobody(content: Any) -> bool:
    return content is None or (isinstance(content, list | tuple | dict) and not content)


def _line(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}".rstrip(": .")
