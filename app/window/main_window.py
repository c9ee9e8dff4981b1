"""The window's layout: menus, toolbar, panels left and right, the view between them, the status bar."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QMainWindow,
    QMenu,
    QSizePolicy,
    QSplitter,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.look.mnemonics import IN_USE, mark_while_shown, marked, mnemonics
from app.look.theme import SPACE
from app.panels.panel_column import PanelColumns, SideArea, move_focus_to_fallback
from app.panels.widgets.external_text import escaped, window_title
from app.panels.widgets.popups import grey_out, say_why_grey
from app.panels.widgets.section import Section, wrapped_label
from app.panels.widgets.status_line import StatusLine
from app.viewport.overlays.axis_triad import width_of_triad
from app.window.commands.actions import Actions
from app.window.key_filters import AltKeyFilter, HeldKeyRepeats, ThirdLevelLetters
from app.window.menus import ADD, CLOSES, MENUS, OPENS, TOOLBAR
from app.window.window_geometry import SMALLEST, WANTED

SOON_MS, BUSY_MS = 30, 120
LOW_VIEW = 640  # logical pixels: in a lower view a hint at the top lies over the head of who stands in it
PART = " · "  # separates the parts of a hint
MORE_TOOLS = "More tools"
LEFT, RIGHT = "Effectors", "Pose and body"  # the sides' names when they share one place


@dataclass(frozen=True)
class WindowParts:
    """The widgets that the window arranges. below: below the view; lowest: below that, as tall as the user likes.

    left, right: sections from top to bottom.
    """

    view: QWidget
    below: QWidget
    lowest: QWidget
    left: tuple[Section, ...]
    right: tuple[Section, ...]


class MainWindow(QMainWindow):
    """dropped(paths, place): files were dropped at a place of the window. expected(path): one may be opened soon, as it
    is dragged over the window or pointed at in the recent ones. may_close: asked before the window closes; closed(): it
    has. panels_back(): hidden panels are shown again.

    hovered: is given the files held over the window, or none once they are gone, and says whether a drop would do
    anything; held_at: is given the place of the window where they are. address_hovered: called when addresses of the
    web are held there instead.

    key_filter: gets each key before the window does. key_coming: is told of the view's keys before commands get them.
    key_released: is told of each one released, and with None that the window has lost the keyboard, so that none is
    held any more.
    """

    dropped = Signal(list, QPoint)
    expected = Signal(Path)
    closed = Signal()
    panels_back = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.may_close: Callable[[], bool] = lambda: True
        self.hovered: Callable[[list[Path]], bool] = lambda _files: True
        self.held_at: Callable[[QPoint], object] = lambda _place: None
        self.address_hovered: Callable[[], object] = lambda: None
        self._welcome = True
        self.key_filter: Callable[[QKeyEvent], bool] = lambda _event: False
        self.key_coming: Callable[[QKeyEvent], object] = lambda _event: None
        self.key_released: Callable[[QKeyEvent | None], object] = lambda _event: None
        self.setAcceptDrops(True)
        self.setMinimumSize(SMALLEST)
        self.resize(WANTED)
        self.recent = QMenu("Open recent", self)  # with a parent, as its entries keep what they open alive
        self.recent.setToolTipsVisible(True)  # they show whole paths
        self.hint = wrapped_label()
        self.hint.setObjectName("hint")
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._hint_texts = ("", "")
        self.over_hint: QWidget | None = None  # lies over the hint wherever both show
        self.status = StatusLine(("under", "worst", "time", "device"))
        self._refresh = QTimer(self)
        self._refresh.setSingleShot(True)

    def lay_out(self, parts: WindowParts, actions: Actions) -> None:
        """Put everything in its place."""
        self._add_menus(actions)
        self._add_toolbar(actions)
        upper = QWidget()
        column = QVBoxLayout(upper)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(parts.view, 1)
        column.addWidget(parts.below)
        middle = QSplitter(Qt.Orientation.Vertical)
        middle.setHandleWidth(1)
        middle.setChildrenCollapsible(False)
        for widget, stretch in ((upper, 1), (parts.lowest, 0)):
            middle.addWidget(widget)
            middle.setStretchFactor(middle.count() - 1, stretch)
        left, right = SideArea(LEFT, parts.left, parts.view), SideArea(RIGHT, parts.right, parts.view)
        self._columns = PanelColumns(left, middle, right)
        self._columns.panels_back.connect(self.panels_back)
        self._middle = (parts.view, parts.below, parts.lowest)
        self.setCentralWidget(self._columns)
        self.hint.setParent(parts.view)
        parts.view.installEventFilter(self)
        self._view = parts.view
        self.statusBar().addPermanentWidget(self.status, 1)
        self.statusBar().setSizeGripEnabled(False)

    @property
    def areas(self) -> tuple[QWidget, ...]:
        """The visible parts, from left to right: panels, what is docked, the view, and what is below it."""
        columns = [column for i in range(self._columns.count()) if (column := self._columns.widget(i)) is not None]
        outer = [self._middle if column is self._columns.view else (column,) for column in columns]
        return tuple(area for some in outer for area in some if area.isVisible())

    @property
    def panels_shown(self) -> bool:
        """Whether the panels at the sides show."""
        return self._columns.with_panels

    def show_panels(self, shown: bool) -> None:
        """Show the panels at the sides, or leave the view the whole window."""
        self._columns.show_panels(shown)

    def wait_for(self, text: str) -> None:
        """Let the panels be grey under a text while what they show is about to be replaced; "" for no longer."""
        for side in self._columns.sides:
            side.wait_for(text)
        self._middle[1].setEnabled(not text)

    def dock(self, panel: QWidget, width: int = 0) -> None:
        """Show a panel left of the view or, if there is little room, in place of the panels there.

        width: pixels that it would like, if that is more than it needs.
        """
        self._columns.dock(panel, width)

    def room_to_dock(self) -> int:
        """Pixels of width that a docked panel may take and leave the view what it wants."""
        return self._columns.room_to_dock()

    def covered_by(self, panel: QWidget) -> bool:
        """Whether a floating panel would leave the view too little, and would do better docked."""
        return self._columns.covers_view(panel)

    def undock(self, panel: QWidget) -> None:
        """Put a docked panel away again."""
        self._columns.undock(panel)

    def refresh_with(self, refresh: Callable[[], None], busy: Callable[[], bool]) -> Callable[[], None]:
        """A function that calls `refresh` soon, once for many calls; while `busy`, no more often than one can read."""
        self._refresh.timeout.connect(refresh)

        def soon() -> None:
            if not self._refresh.isActive():
                self._refresh.start(BUSY_MS if busy() else SOON_MS)

        return soon

    def set_document_name(self, path: Path | None, dirty: bool) -> None:
        """Name the document in the title, with a star while it is unsaved."""
        title = window_title(path.name if path else "Untitled")
        if (self.windowTitle(), self.isWindowModified()) != (title, dirty):
            self.setWindowTitle(title)
            self.setWindowModified(dirty)

    def set_hint(self, text: str, short: str = "") -> None:
        """One quiet line at the top of the view, "" for none.

        short: shown instead if the view is too narrow for one line; with it the hint of a small view is at the bottom.
        Without it the last parts of a text, separated by middle dots, are left out; a text without parts takes several
        lines.
        """
        if (text, short) != self._hint_texts:
            self._hint_texts = (text, short)
            self.hint.setVisible(bool(text))
            self._place_hint()

    def set_recent(
        self, paths: tuple[str, ...], open_path: Callable[[Path], None], forget: Callable[[], object] | None = None
    ) -> None:
        """Fill the menu of recent files. forget: empties the list."""
        from app.window.distinct_names import distinct_names  # not needed to show the window

        self.recent.clear()
        for text, name in zip(paths, distinct_names(paths), strict=True):
            action = QAction(escaped(name), self.recent)
            action.setToolTip(text)
            action.triggered.connect(lambda _checked=False, text=text: open_path(Path(text)))
            action.hovered.connect(lambda text=text: self.expected.emit(Path(text)))
            self.recent.addAction(action)
        if paths and forget is not None:
            self.recent.addSeparator()
            self.recent.addAction("Clear this list", forget)
        self.recent.setEnabled(bool(paths))
        grey_out(self.recent.menuAction(), "" if paths else "nothing has been opened yet")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the hint in its place when the view is resized or shown; tell of a key that a command may take."""
        if watched is self._view and event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._place_hint()
        elif watched is self._view and event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            self.key_coming(event)
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Offer the key to the view's tools before Qt has it."""
        if not self.key_filter(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Pass on the release of a key."""
        self.key_released(event)
        super().keyReleaseEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Let keys count as released when another window gets the keyboard."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow():
            self.key_released(None)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Move the focus on Tab, and when the widget with the focus goes, as the timeline may: see SideArea.

        It goes from panel to panel, not into the view, where Tab hides them. Qt would go in the order in which fields
        were made, which for rows and for what opens later is not the order in which they stand.
        """
        if move_focus_to_fallback(self, self._view):
            return True
        focused, panels = self.focusWidget(), [area for area in self.areas if area is not self._view]
        if focused is not None and any(area is focused or area.isAncestorOf(focused) for area in panels):
            from app.panels.widgets.tab_order import go_on

            return go_on(panels, focused, next)
        return super().focusNextPrevChild(next)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a drag that brings files of this machine, and say what a drop would do."""
        files = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if files:
            event.acceptProposedAction()  # even for useless files: else nothing tells when they leave
            self._welcome = self.hovered(files)
        elif event.mimeData().urls():  # a picture out of a browser
            event.acceptProposedAction()
            self._welcome = False
            self.address_hovered()
        for path in files:
            self.expected.emit(path)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Show by the pointer whether a drop would do anything, and say where."""
        event.setAccepted(self._welcome)
        self.held_at(event.position().toPoint())

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Note that the files are gone, dropped in vain or elsewhere."""
        self.hovered([])

    def dropEvent(self, event: QDropEvent) -> None:
        """Pass on the dropped files; questions they raise get the keys, not the window they came from."""
        event.acceptProposedAction()
        self.hovered([])
        self.activateWindow()
        files = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        self.dropped.emit(files, event.position().toPoint())

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close, if unsaved work allows it."""
        if not self.may_close():
            event.ignore()
            return
        event.accept()
        self.closed.emit()

    def _place_hint(self) -> None:
        text, short = self._hint_texts
        beside = width_of_triad(self._view)
        room = self._view.width() - 2 * SPACE - beside
        self.hint.setWordWrap(False)
        self.hint.setText(text)
        if short and self.hint.sizeHint().width() > room:
            self.hint.setText(short)
        while PART in self.hint.text() and self.hint.sizeHint().width() > room:
            self.hint.setText(self.hint.text().rpartition(PART)[0])
        width = min(self.hint.sizeHint().width(), room)
        self.hint.setWordWrap(True)
        self.hint.resize(width, self.hint.heightForWidth(width))
        middle = (self._view.width() - self.hint.width()) // 2
        left, top = min(middle, self._view.width() - beside - self.hint.width() - SPACE), SPACE * 2
        low = self._view.height() < LOW_VIEW
        if short and (low or self.hint.text() != text):  # in a view this small a figure's head is at the top
            top = self._view.height() - self.hint.height() - SPACE
        self.hint.move(left, top)
        self.hint.raise_()
        if self.over_hint is not None:
            self.over_hint.raise_()

    def _add_menus(self, actions: Actions) -> None:
        AltKeyFilter(self)
        ThirdLevelLetters(self)
        repeats = HeldKeyRepeats(self)
        for id in actions.commands:
            repeats.add(actions[id])
        titles, names = [title for title, _ in MENUS], {id: each.title for id, each in actions.commands.items()}
        letters = mnemonics(titles, actions.letters_with_alt) if IN_USE else [""] * len(titles)
        for (title, ids), letter in zip(MENUS, letters, strict=True):
            whole = menu = self.menuBar().addMenu(marked(title, letter))
            menu.aboutToShow.connect(actions.refresh)  # panels come and go without a signal
            if title == ADD:
                menu.aboutToShow.connect(partial(_shorten, menu))
            for id in ids:
                if id == "-":
                    menu.addSeparator()
                elif id.startswith(OPENS):
                    menu = whole.addMenu(id.removeprefix(OPENS))
                elif id == CLOSES:
                    menu = whole
                elif id == "recent":
                    menu.addMenu(self.recent)
                else:
                    menu.addAction(actions[id])
            for each in (whole, *whole.findChildren(QMenu)):
                mark_while_shown(each, names if title != ADD else {id: _short(name) for id, name in names.items()})
            if title == ADD:
                whole.aboutToHide.connect(partial(_lengthen, whole, names))
            say_why_grey(whole)

    def _add_toolbar(self, actions: Actions) -> None:
        bar = QToolBar("Tools")
        bar.setObjectName("toolbar")
        bar.setMovable(False)
        bar.setIconSize(QSize(18, 18))
        for id in TOOLBAR:
            if id == "-":
                bar.addSeparator()
            elif id == "stretch":
                space = QWidget()
                space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
                bar.addWidget(space)
            else:
                bar.addAction(actions[id])
        further = bar.findChild(QToolButton, "qt_toolbar_ext_button")  # Qt's own, shown when not all have room
        if further is not None:
            further.setToolTip(MORE_TOOLS)
            further.setAccessibleName(MORE_TOOLS)
        self.addToolBar(bar)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)


def _short(title: str) -> str:
    """Leave out of a title what the menu is called: “Box” for “Add a box”."""
    rest = title.removeprefix("Add a ").removeprefix("Add ")
    return rest[:1].upper() + rest[1:]


def _shorten(menu: QMenu) -> None:
    for action in menu.actions():
        action.setText(_short(action.text()))


def _lengthen(menu: QMenu, names: Mapping[str, str]) -> None:
    """Call the commands again what they are called anywhere else."""
    for action in menu.actions():
        if action.objectName():
            action.setText(names[action.objectName()])
