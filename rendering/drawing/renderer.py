"""Draws a scene with OpenGL into whatever framebuffer it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rendering.gl.api import GL, limit_of
from rendering.gl.clipping import Part, clipped
from rendering.gl.render_targets import RenderTarget
from rendering.items.background import half_of, photo_view
from rendering.items.bodies import Bodies
from rendering.items.bones import Bones
from rendering.items.contact_shadow import ContactShadows
from rendering.items.eyes import Eyes
from rendering.items.floor_occluder import FloorOccluder
from rendering.items.frame import Frame
from rendering.items.gizmo import GizmoItem
from rendering.items.handles import Handles
from rendering.items.root_handle import RootHandleItem
from rendering.items.soft_shadow import SoftShadow
from rendering.items.static_layer import StaticLayer
from rendering.scene.values import Scene

if TYPE_CHECKING:
    from rendering.items.balance import BalanceItem
    from rendering.items.guides import GuidesItem
    from rendering.items.props import Props

SOFTWARE = ("llvmpipe", "softpipe", "swrast", "software", "gdi generic", "basic render")


def device_name() -> str:
    """The name of the current context's renderer."""
    name = GL.glGetString(GL.GL_RENDERER)
    return name.decode(errors="replace") if name else "unknown"


def is_software(device: str) -> bool:
    """Whether a renderer of that name draws with the processor."""
    return any(word in device.lower() for word in SOFTWARE)


class SceneRenderer:
    """All items of one OpenGL context. Make and use it with that context current."""

    def __init__(self) -> None:
        self.device = device_name()
        self.is_software = is_software(self.device)
        self.max_samples = limit_of(GL.GL_MAX_SAMPLES)
        self._static_layer, self._floor_occluder = StaticLayer(), FloorOccluder()
        self._bodies, self._eyes, self._bones = Bodies(), Eyes(), Bones()
        self._shadow = SoftShadow(ContactShadows(self._bodies.draw_skin))
        self._handles, self._gizmo, self._root = Handles(), GizmoItem(), RootHandleItem()
        self._balance: BalanceItem | None = None
        self._props: Props | None = None
        self._guides: GuidesItem | None = None
        self._target: RenderTarget | None = None

    def draw(self, scene: Scene, frame: Frame, fbo: int, samples: int = 0) -> None:
        """Draw into `fbo`, whose size is frame.drawn_size; through a multisampled buffer where samples > 0."""
        width, height = frame.device_size
        GL.glDisable(GL.GL_SCISSOR_TEST)
        self._prepare(scene, frame)
        target = self._multisampled(*frame.drawn_size, min(samples, self.max_samples))
        drawn = target.fbo if target else fbo
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, drawn)
        GL.glViewport(0, -frame.below, width, height)
        GL.glClearColor(0.0, 0.0, 0.0, 0.0)
        GL.glDepthMask(True)
        GL.glStencilMask(0xFF)
        self._begin()
        copied = target is None and frame.rows is None and self._static_layer.copy_to(scene, frame, drawn)
        depths = GL.GL_DEPTH_BUFFER_BIT | GL.GL_STENCIL_BUFFER_BIT
        GL.glClear(depths if copied else depths | GL.GL_COLOR_BUFFER_BIT)
        if not copied:
            self._static_layer.paint(scene, frame)
        with clipped(self._part(scene, frame), frame.device_size, frame.pixel_ratio, frame.below):
            self._paint(scene, frame)
        if target:
            target.resolve_to(fbo)
        GL.glUseProgram(0)
        GL.glBindVertexArray(0)

    def _prepare(self, scene: Scene, frame: Frame) -> None:
        self._static_layer.prepare(scene)
        if scene.props and self._props is None:
            from rendering.items.props import Props  # not loaded before there are any

            self._props = Props()
        if self._props is not None:
            self._props.prepare(scene, frame)
        self._bodies.prepare(scene)
        self._shadow.prepare(scene, frame)
        self._eyes.prepare(scene)
        self._bones.prepare(scene)
        self._handles.prepare(scene, frame)
        self._gizmo.prepare(scene, frame)
        self._root.prepare(scene, frame)
        if scene.balances and self._balance is None:
            from rendering.items.balance import BalanceItem  # not loaded before it is asked for

            self._balance = BalanceItem()
        if self._balance is not None:
            self._balance.prepare(scene, frame)
        if scene.guides and self._guides is None:
            from rendering.items.guides import GuidesItem  # not loaded before it is asked for

            self._guides = GuidesItem()
        if self._guides is not None:
            self._guides.prepare(scene, frame)

    @staticmethod
    def _part(scene: Scene, frame: Frame) -> Part | None:
        """The part of the view in which bodies show: not beside the photo's copy, and to the right of the wipe."""
        looks, half = photo_view(scene.backplate, frame), half_of(scene, frame)
        if not looks or scene.wipe <= 0.0:
            return half
        left, top, right, bottom = half or (0.0, 0.0, frame.view.width, frame.view.height)
        return max(left, looks.across(scene.wipe, frame.view.width, frame.view.height)), top, right, bottom

    @staticmethod
    def _begin() -> None:
        GL.glEnable(GL.GL_DEPTH_TEST)
        GL.glDepthFunc(GL.GL_LEQUAL)
        GL.glEnable(GL.GL_BLEND)
        GL.glBlendFuncSeparate(GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ONE, GL.GL_ONE_MINUS_SRC_ALPHA)

    def _paint(self, scene: Scene, frame: Frame) -> None:
        self._shadow.paint(scene, frame)
        if self._props is not None:
            self._props.paint_shadows(scene, frame)
        self._floor_occluder.paint(scene, frame)
        if self._props is not None:
            self._props.paint(scene, frame)
        self._bodies.paint_opaque(scene, frame)
        self._bones.paint(scene, frame)
        self._bodies.paint_translucent(scene, frame)
        self._eyes.paint(scene, frame)
        self._bodies.paint_lines(scene, frame)
        self._root.paint(scene, frame)
        if self._balance is not None:
            self._balance.paint(scene, frame)
        if self._guides is not None:
            self._guides.paint(scene, frame)
        self._handles.paint(frame)
        self._gizmo.paint(scene, frame)
        GL.glDisable(GL.GL_BLEND)

    def _multisampled(self, width: int, height: int, samples: int) -> RenderTarget | None:
        if samples <= 1:
            return None
        if self._target is None or not self._target.fits(width, height, samples):
            if self._target:
                self._target.delete()
            self._target = RenderTarget(width, height, samples)
            if not self._target.complete():
                self._target.delete()
                self._target, self.max_samples = None, 0
        return self._target
