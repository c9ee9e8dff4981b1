"""Makes the README's pictures from the real window.

xvfb-run -a -s "-screen 0 1600x1000x24" .venv/bin/python -m scripts.pictures.screenshots
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.document import edits
from app.services.settings import SettingsStore
from app.window.editor import Editor
from app.window.start import make_application, open_window
from scripts.arguments import script_parser
from scripts.pictures.photo_pictures import open_drawn
from solver.rig.roles import Role

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
SIZE = (1440, 900)
# Where the hands and a foot go, metres; then the look.
POSE = {
    (Role.LEFT_WRIST, "position"): (0.52, 1.55, 0.30),
    (Role.RIGHT_WRIST, "position"): (-0.45, 1.15, 0.42),
    (Role.RIGHT_ANKLE, "position"): (-0.30, 0.30, 0.35),
    (Role.HEAD, "lookat"): (0.9, 1.75, 1.0),
}


def shoot(editor: Editor, name: str) -> None:
    """One picture of the window as it is on the screen."""
    QTest.qWait(1500)
    window = editor.window
    QApplication.primaryScreen().grabWindow(window.winId()).save(str(IMAGES / name))
    print(f"wrote docs/images/{name}")


def pose(editor: Editor) -> None:
    """A figure that reaches, with the gizmo on its hand and the base pose as a ghost."""
    session = editor.session
    character = session.document.characters[0]
    for (joint, kind), target in POSE.items():
        effector = next(e for e in character.effectors if (e.joint, e.kind) == (joint, kind))
        session.edit("Pose", edits.set_target(character.id, effector.id, np.array(target, np.float32)), solve=True)
    session.solve_now()
    hand = next(e for e in character.effectors if (e.joint, e.kind) == (Role.LEFT_WRIST, "position"))
    session.select(character.id, [hand.id])
    session.set_view(ghost=True)
    editor.session_view.frame_all(glide=False)


def main() -> None:
    """All pictures."""
    script_parser(__file__, __doc__).parse_args()
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        application = make_application()
        store = SettingsStore(QSettings(str(Path(folder, "settings.ini")), QSettings.Format.IniFormat))
        editor = open_window(application, store)
        editor.window.setGeometry(0, 0, *SIZE)
        QTest.qWait(500)
        editor.warm_up()
        editor.service.wait(120)
        pose(editor)
        shoot(editor, "window.png")
        editor.session.history.mark_saved()
        editor.session.open(editor.files.fresh())
        open_drawn(editor)
        QTest.qWait(1500)
        editor.session_view.over_photo.toggle_wipe()
        shoot(editor, "photo.png")
        editor.session.history.mark_saved()
        editor.shut_down()
        application.quit()


if __name__ == "__main__":
    main()
