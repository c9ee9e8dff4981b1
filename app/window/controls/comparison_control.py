"""The comparison of solvers in the window: each is asked in the background, its pose is drawn, and one can be taken."""

from __future__ import annotations

from functools import partial
from threading import Event

from PySide6.QtCore import Signal

from app.dialogs.comparison import PREPARING, SOLVING, Comparison, Mark, SolverTile, Verdict
from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.solver_comparison import SolverAnswer, answer_of
from app.look.wording import effector_title, met_text, misses_text, residual_text, time_text, worst_state
from app.services.background.jobs import Cancelled, Progress
from app.services.solve_requests import solve_failure_text
from app.viewport.thumbnails import around, fits
from app.window.controls.gallery_control import GalleryControl
from rendering.camera.camera import OrbitCamera, View
from solver.compile_events import telling_of_compiling
from solver.effectors.forms import PointEffector
from solver.ik.solution import IKSolution
from solver.sentences import mid_sentence
from solver.solvers.catalog import SOLVERS, try_again

ASKING = "Asking every solver for the same handles…"
COMPILING = "Preparing the solvers (once, about {} min)…"  # on a new machine
ASKED = "All begin at the base pose. Click one to take the solver and its pose."
PATIENCE_S = 0.05  # between two checks of whether a run is over
OUT_OF_DATE = "What the solvers were asked has changed since. Compare again."


class ComparisonControl(GalleryControl):
    """Opens the comparison and fills it."""

    gallery: Comparison | None
    _waits = Signal(object, int, str)  # from the job's thread: the run, the tile's number, what for
    _answered = Signal(object, int, object)  # from the job's thread: the run, the tile's number, the answer
    _ended = Signal(object)  # a run, however it ended

    def __init__(self, *parts: object) -> None:
        super().__init__(*parts)  # type: ignore[arg-type]
        self._run: object = None
        self._camera: OrbitCamera | None = None
        self._rested = Event()  # nothing is being drawn, so that the next solver is timed with the machine to itself
        self._waits.connect(self._tell_what_for)
        self._answered.connect(self._arrived)
        self._ended.connect(self._finish)

    def _make(self) -> Comparison:
        gallery = Comparison(self._viewport.window())
        gallery.taken.connect(self._take)
        gallery.again.connect(self._search)
        gallery.stop.clicked.connect(self._stop)
        return gallery

    def _outdated(self) -> str:
        return OUT_OF_DATE

    def _search(self) -> None:
        gallery, asked = self.gallery, self._begin()
        if gallery is None or asked is None:
            return
        try_again()  # the cause of a refusal may have been fixed
        run = self._run = object()
        specs, document = list(SOLVERS), self._session.document
        self._found, self._camera = [None] * len(specs), None
        gallery.lay([SolverTile(spec) for spec in specs])
        gallery.set_busy(True)
        self._say(ASKING)

        def work(progress: Progress, cancelled: Cancelled) -> None:
            def over() -> bool:
                return cancelled() or run is not self._run

            try:
                for number, spec in enumerate(specs):
                    progress(number / len(specs), f"Asking {spec.title}")
                    if over():
                        return
                    self._waits.emit(run, number, SOLVING)
                    try:
                        with telling_of_compiling(partial(self._waits.emit, run, number, PREPARING)):
                            answer = answer_of(document, asked, spec.id, over)
                    except Exception as error:  # one failure must not spoil the others
                        answer = SolverAnswer(spec.id, refusal=solve_failure_text(error))
                    self._rested.clear()
                    self._answered.emit(run, number, answer)
                    while not over() and not self._rested.wait(PATIENCE_S):
                        pass
            finally:
                self._ended.emit(run)

        self._jobs.run("Comparing solvers", work, lambda _nothing: None)

    def _stop(self) -> None:
        run, self._run = self._run, None
        self._finish(run)

    def _tell_what_for(self, run: object, number: int, why: str) -> None:
        if self.gallery is None or run is not self._run:
            return
        self.gallery.tiles[number].wait(why)
        if why == PREPARING:
            self._say(COMPILING.format(self._minutes()))

    def _arrived(self, run: object, number: int, answer: SolverAnswer) -> None:
        gallery, asked = self.gallery, self._asked
        if gallery is None or asked is None or run is not self._run:
            return
        if answer.solution is None:
            gallery.tiles[number].refuse(answer.refusal)
            self._rested.set()
            return
        self._found = [answer.solution if i == number else old for i, old in enumerate(self._found)]
        gallery.tiles[number].judge(verdict_of(asked, answer.solution))
        self._aim(number)
        self._mark_handles()
        self._check()
        self._next.start()

    def _finish(self, run: object) -> None:
        """End the run: no solver is asked any more."""
        if self.gallery is None or self._run not in (run, None):
            return
        self._run = None
        self.gallery.set_busy(False)
        self._say(ASKED)
        self._check()

    def _aim(self, number: int) -> None:
        """Show all pictures from one place, so that a handle is at the same spot in each. If the latest answer does not
        fit, all are drawn again from further back."""
        gallery, asked, latest = self.gallery, self._asked, self._as_found(number)
        assert gallery is not None
        assert asked is not None
        assert latest is not None
        size = gallery.tiles[number].picture
        if self._camera is not None and fits(latest, self._camera, size):
            return
        solved = [c for i in range(len(self._found)) if (c := self._as_found(i)) is not None]
        self._camera = around([asked, *solved], self._viewport.camera, size)
        for tile in gallery.tiles:
            tile.drawn = False

    def _draw_one(self) -> None:
        try:
            super()._draw_one()
        finally:
            if not self._next.isActive():
                self._rested.set()

    def _seen(self, number: int) -> OrbitCamera:
        assert self._camera is not None
        return self._camera

    def _mark_handles(self) -> None:
        gallery, asked, camera = self.gallery, self._asked, self._camera
        assert gallery is not None
        assert asked is not None
        assert camera is not None
        for tile, solution in zip(gallery.tiles, self._found, strict=True):
            if solution is not None:
                tile.show_marks(marks_of(asked, solution, View(camera, tile.picture.width(), tile.picture.height())))

    def _shows(self, now: Character, number: int) -> bool:
        assert self.gallery is not None
        return super()._shows(now, number) and now.solver == self.gallery.tiles[number].spec.id

    def _still_asks(self, now: Character, asked: Character) -> bool:
        if (now.base_pose, now.preserve) != (asked.base_pose, asked.preserve):
            return False
        return super()._still_asks(now, asked)

    def _take(self, number: int) -> None:
        solution, asked, gallery = self._found[number], self._asked, self.gallery
        if solution is None or asked is None or gallery is None or gallery.tiles[number].taken:
            return
        spec = gallery.tiles[number].spec
        text = f"Take the pose of {spec.title}"
        self._session.take_solution(text, asked.id, asked.frame, solution, solver=spec.id)

    def _closed(self) -> None:
        self._run = None
        super()._closed()


def verdict_of(character: Character, solution: IKSolution) -> Verdict:
    """What to say about a solution."""
    pairs = list(zip(character.effectors, solution.residuals, strict=True))
    misses = [
        f"{effector_title(effector)}: {residual_text(effector.spec, residual)}"
        for effector, residual in pairs
        if residual.state in ("tolerated", "unreachable")
    ]
    met, off = met_text(solution.residuals), misses_text(pairs)
    time = time_text(solution.elapsed_s)
    whole = "\n".join([f"{met} met, {mid_sentence(off)}. One solve takes {time}.", *misses])
    return Verdict(f"{met} met", off, worst_state(solution.residuals), time, whole)


def marks_of(character: Character, solution: IKSolution, view: View) -> list[Mark]:
    """Marks at the places that effectors ask for."""
    skeleton, joints = skeleton_of(character), joints_of(character)
    pairs = zip(character.effectors, solution.residuals, strict=True)
    asked = [(e, r) for e, r in pairs if e.is_active and isinstance(e, PointEffector)]
    places = [view.project(e.handle_at(skeleton, joints)) for e, _ in asked]
    return [Mark(float(x), float(y), r.state) for (x, y), (_, r) in zip(places, asked, strict=True)]
