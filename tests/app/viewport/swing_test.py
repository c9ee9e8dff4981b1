"""Real drags through somebody with a solid body: an arm that jumps is drawn on its way over, and the document has it
there at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from window_driver import Clock, ViewMouse, active, place_of, settled

from app.document import edits
from app.document.posing.solving import joints_of
from app.window.editor import Editor
from rendering.scene.values import Figure
from solver.kinematics.pose import Pose
from solver.ik.options import SOLID_BODY

pytestmark = pytest.mark.gl


def test_try(editor: Editor) -> None:
    session = editor.session
    session.edit("Solver", edits.set_solver("c1", "dls"))
    session.edit("Solid", edits.set_solver_option("c1", SOLID_BODY.id, True), solve=True)
    settled(session)
    print([ (e.joint,e.kind,e.loose) for e in active(editor).effectors])
    mouse = ViewMouse(editor)
    clock = editor.session_view.swings.clock = Clock()
    # touch pelvis and head
    for joint in ("pelvis", "head"):
        start = mouse.place(place_of(editor, joint)); 
        from PySide6.QtCore import QPoint
        mouse.drag(start, QPoint(3, -3), QPoint(0, 0)); settled(session)
    print([ (e.joint,e.kind,e.loose) for e in active(editor).effectors])
    editor.session_view.standard("front"); 
    editor.viewport.finish_glide() if hasattr(editor.viewport,'finish_glide') else None
    from window_driver import until
    until(lambda: not editor.viewport.gliding if hasattr(editor.viewport,'gliding') else True)
    from PySide6.QtTest import QTest
    QTest.qWait(600)
    def line(points):
        at = mouse.place(place_of(editor, "right_wrist"))
        mouse.drag(at, QPoint(3, -3), release=False)
        before=None
        for p in points:
            to = mouse.place(p)
            mouse.move(to); settled(session); clock.now_s += 1/60
            editor.session_view.refresh(); scene = editor.viewport.scene if hasattr(editor.viewport,'scene') else None
            sw=editor.session_view.swings
            sw.over(session.shown)
            d=sw._drawn["c1"]
            print(np.round(place_of(editor,"right_wrist"),2), np.round(next(e for e in active(editor).effectors if e.joint=='right_wrist').target,2), sw.swinging, 'way %.3f'%np.linalg.norm(joints_of(replace(d.character,pose=d.pose)).positions-joints_of(active(editor)).positions,axis=1).max(), 'jump %.3f'%(0 if before is None else np.linalg.norm(before-joints_of(active(editor)).positions,axis=1).max()))
            before=joints_of(active(editor)).positions
        mouse.release(to); settled(session)
    w = place_of(editor,"right_wrist")
    goal=np.array([0.0,1.17,w[2]])
    line(np.linspace(w,goal,12)[1:])
    editor.session_view.standard("left"); QTest.qWait(600)
    w = place_of(editor,"right_wrist"); print(w)
    line(np.linspace(w,[w[0],1.17,.35],10)[1:])
    w = place_of(editor,"right_wrist"); print(w)
    line(np.linspace(w,[w[0],1.2,-.3],60)[1:])
