"""One export, as chosen in the dialog."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character, Document
from app.film.film import Film, Shot, images_of, reach_of, shots
from app.film.film_file import check_film, film_bytes
from app.viewport.camera.framing import BODY_MARGIN, stepped_back
from app.viewport.picture import cropped, png_bytes
from solver.errors import PoserError
from solver.files.atomic import check_writable, write_bytes
from solver.files.file_names import fit_stem
from solver.formats.mesh.mesh_file import MESH_FORMATS

if TYPE_CHECKING:
    from app.dialogs.export_dialog import ExportChoice  # needs Qt, which pictures from the command line do without
    from app.film.main_thread import MainThreadCaller
    from app.services.background.jobs import Cancelled, Progress, Work
    from app.services.clock import Span
    from rendering.camera.camera import Camera
    from rendering.scene.values import Scene
    from rendering.view.pen import Pen


PNG = ".png"
STRIP = 1_000_000  # pixels drawn at once, a quarter of a second by the processor; then the window does other things
DRAWN = 0.4  # of the time that a large picture takes


class ViewCapture(Protocol):
    """Takes pictures of the view."""

    def size(self) -> tuple[int, int]:
        """Width and height that a picture of the view begins with, in pixels."""
        ...

    def still(self) -> Scene:
        """What the view shows now, without handles."""
        ...

    def camera(self) -> Camera:
        """Where the view looks from."""
        ...

    def scenes(self) -> Callable[[Document], Scene]:
        """A function that makes the scenes of a film, showing people as the view does now, without handles."""
        ...

    def pen(self, size: tuple[int, int], transparent: bool) -> Pen:
        """What draws such scenes in pictures of (width, height) pixels, all as the view would now; in the window's
        thread."""
        ...

    def colors(self) -> tuple[str, str]:
        """Skin and suit, "#rrggbb", as the view shows them."""
        ...


def export(
    document: Document, active: Character | None, choice: ExportChoice, path: Path, pictures: ViewCapture,
    progress: Progress = lambda share, text: None, begun: list[Path] | None = None,
) -> list[Path]:  # fmt: skip
    """Write the files and return them; not pictures, see `picture_work` and `film_work`. PoserError where there is
    nothing to export or nowhere to write. progress: asked before each file, too; where it raises, no more is written.
    begun: is given each file as it is begun.
    """
    from app.document.exchange.export import (
        export_bvh,
        export_meshes,
        export_pose_json,
        export_smpl,
        placed_props,
    )
    from app.document.exchange.skinned_export import export_skinned

    if choice.whole_motion:
        # here, as contacts between people and with props go along
        document = shown_over_time(document, choice.span, progress)
    characters = document.characters
    if choice.only_active and active is not None:
        characters = (document.character(active.id),)
    things = placed_props(document, choice.whole_motion) if choice.props and choice.format in MESH_FORMATS else ()
    if not characters and not things:
        raise PoserError("The scene has no people, so there is nothing to export.")

    def before(file: Path) -> None:
        progress(1.0, f"Writing {file.name}")
        if begun is not None:
            begun.append(file)

    if choice.format == "bvh":
        return export_bvh(path, characters, choice.names, choice.unit, choice.whole_motion, choice.fingers, before)
    if choice.format in MESH_FORMATS:
        if _is_skinned(choice, path) and characters:
            colors, how = pictures.colors(), (choice.names, choice.whole_motion, choice.fingers)
            return export_skinned(path, characters, colors, *how, things, before, choice.together)
        return export_meshes(path, characters, _mesh_kind(choice, path), things, before)
    if choice.format == "npz":
        return export_smpl(path, characters, choice.whole_motion, before)
    before(path)
    export_pose_json(path, document.with_characters(characters), choice.whole_motion)
    return [path]


def shown_over_time(document: Document, span: Span | None, progress: Progress = lambda share, text: None) -> Document:
    """The document with all its in-betweens solved, and with no more of its motions than a span of seconds."""
    from app.document.over_time.in_betweens import document_completed
    from app.document.over_time.retiming.cut import cut_to

    document = document_completed(document, progress)
    return document if span is None else cut_to(document, *span)


def files_of(document: Document, choice: ExportChoice, path: Path) -> list[Path]:
    """The files that an export writes: `path`, or one beside it for each person, by name, if each gets one."""
    from app.document.exchange.export import files_for

    one = choice.only_active or choice.format not in ("bvh", "npz", *MESH_FORMATS)
    together = choice.together and _is_skinned(choice, path)
    return files_for(path, () if one or together else document.characters)


def _mesh_kind(choice: ExportChoice, path: Path) -> str:
    """The suffix that was typed decides, if it is one of a mesh."""
    suffix = path.suffix.lower()[1:]
    return suffix if suffix in MESH_FORMATS else choice.format


def _is_skinned(choice: ExportChoice, path: Path) -> bool:
    return choice.skinned and choice.format in MESH_FORMATS and _mesh_kind(choice, path) == "glb"


def suggested_stem(document: Document, active: Character | None, choice: ExportChoice, scene: Path | None) -> str:
    """The file name that an export is offered, without suffix: that of the scene, or of the only person exported."""
    people = document.characters
    only = active if choice.only_active else people[0] if len(people) == 1 and scene is None else None
    if only is not None:
        return fit_stem(only.name, "person")
    return scene.stem.removesuffix(".scene") if scene is not None else "scene"


def picture_work(
    choice: ExportChoice, path: Path, pictures: ViewCapture, main_thread: MainThreadCaller, made: dict[str, bytes]
) -> Work:
    """The job that writes a picture of the view as it is now. The window draws it strip by strip, as the job asks.

    made: see `film_work`. To be called in the window's thread; InputRefused where the file cannot be written.
    """
    check_writable(path)
    scene, camera, (width, height) = pictures.still(), pictures.camera(), choice.size
    draw = pictures.pen(choice.size, choice.transparent)
    strip = max(1, STRIP // width)

    def work(progress: Progress, cancelled: Cancelled) -> list[Path]:
        if PNG not in made:
            pixels = np.empty((height, width, 4), np.uint8)
            for first in range(0, height, strip):
                rows = slice(first, min(first + strip, height))
                pixels[rows] = main_thread.ask(partial(draw, scene, camera, rows), cancelled)
                progress(DRAWN * rows.stop / height, f"Drawing {path.name}")
            pixels = cropped(pixels) if choice.crop else pixels
            packed = lambda share: progress(DRAWN + (1 - DRAWN) * share, f"Compressing {path.name}")  # noqa: E731
            made[PNG] = png_bytes(pixels, packed)
        write_bytes(path, made[PNG])
        return [path]

    return work


def film_work(
    document: Document, choice: ExportChoice, path: Path, pictures: ViewCapture, main_thread: MainThreadCaller,
    made: dict[str, bytes],
) -> Work:  # fmt: skip
    """The job that writes a film of the view. The window draws its images one by one, as the job asks for them, once
    all in-betweens are solved.

    made: by suffix, what is drawn already; a film that could not be written is kept there for another name.
    To be called in the window's thread, where it raises what keeps the film from being written.
    """
    film, camera, scene_of = choice.film or Film(), pictures.camera(), pictures.scenes()
    count, pen = images_of(film, document), pictures.pen(choice.size, choice.transparent)
    check_film(path, count, film.fps, choice.size, choice.transparent)
    if film.turntable:
        next(shots(film, document, camera))  # refuses a camera that cannot turn

    def work(progress: Progress, cancelled: Cancelled) -> list[Path]:
        def draw(shot: Shot) -> NDArray[np.uint8]:
            return pen(scene_of(shot.document), shot.camera)

        def images() -> Iterator[NDArray[np.uint8]]:
            whole = document if film.stands else shown_over_time(document, None, progress)
            seen = stepped_back(camera, reach_of(film, whole, BODY_MARGIN), choice.size) if film.whole else camera
            for number, shot in enumerate(shots(film, whole, seen), start=1):
                image = main_thread.ask(partial(draw, shot), cancelled)
                progress(number / count, f"Drawing {path.name}: frame {number} of {count}")
                yield image

        kind = path.suffix.lower()
        if kind not in made:
            made[kind] = film_bytes(path, images(), count, film.fps, choice.transparent)
        write_bytes(path, made[kind])
        return [path]

    return work
