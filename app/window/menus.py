"""The order of commands in the menus and in the toolbar."""

from __future__ import annotations

from app.document.posing.hold_table import COMMON_HOLDS
from app.window.commands.look_commands import LOOK_MENU
from app.window.commands.view_commands import LENSES_MM

OPENS, CLOSES = "> ", "<"  # before the title of a submenu, and after its content
ADD = "Add"
MENUS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("File", ("file.new", "file.open", "file.photo", "file.motion", "file.backdrop", "file.add_photo", "file.label",
               "recent", "-", "file.joint_map", "body.own_skin", "-",
               "file.save", "file.save_as", "file.save_label", "-",
               "file.export", "file.export_bvh", "file.export_own", "file.export_json", "file.export_npz",
               "file.export_mesh", "file.export_png", "file.export_film", "-", "file.settings", "-", "file.quit")),
    ("Edit", ("edit.undo", "edit.redo", "-", "edit.copy", "edit.paste", "edit.paste_flipped", "-",
               "edit.select_all", "edit.select_none", "edit.next_effector", "edit.previous_effector",
               "edit.select_people", "edit.next_person", "edit.previous_person", "-", "prop.scale", "edit.rename",
               "edit.delete")),
    (ADD, ("pose.add_person", "pose.add_here", "-", "prop.box", "prop.plane", "prop.stairs", "prop.ball",
              "prop.cylinder", "prop.stick", "prop.chair", "prop.table", "prop.cup", "prop.file", "-", "prop.here")),
    ("Pose", ("pose.add_person", "pose.duplicate", "pose.remove_person",
               "> In the photo", "pose.find_in_box", "pose.read_again", "pose.merge", "<", "-",
               "pose.move", "pose.rotate", "pose.look", "pose.pin", "pose.strict", "pose.loose", "-",
               "pose.other", "pose.variations", "pose.compare", "-", "pose.library", "pose.library_save",
               "> From pose to pose", "pose.library_next", "pose.library_previous", "<", "-",
               "pose.hands", "pose.hands_throughout", "body.presets", "-",
               "> Left and right", "pose.mirror", "pose.mirror_selected",
               "pose.copy_right", "pose.copy_left", "pose.symmetry", "<",
               "> In depth", "pose.flip_limb", "pose.turn_round", "pose.farther", "pose.nearer",
               "pose.turn_left", "pose.turn_right", "pose.look_camera", "<", "-",
               "pose.set_base", "pose.return", "pose.settle",
               "> On the floor", "pose.floor", "pose.rest", "<")),
    ("Contact", ("pose.hold", "contact.floor", "contact.here", "contact.let_go",
                  "contact.put_down", "-",
                  *(f"contact.{hold.id}" for hold in COMMON_HOLDS))),
    ("Time", ("time.play", "time.loop", "view.follow", "view.film_way", "-", "time.frame_after", "time.frame_before",
               "time.key_after", "time.key_before", "time.first", "time.last", "-", "time.begin", "time.end",
               "time.whole", "time.cut", "-", "time.animate", "time.set_key", "pose.remove_key", "time.by_joints",
               "time.rate", "time.speed", "time.stride", "-", "time.trackers", "time.calibrate")),
    ("View", ("view.body", "view.bones", "view.both", "view.ghost", "view.onion", "view.before",
               "view.handles", "view.grid", "view.axes", "view.balance", "view.intersections", "view.curves", "-",
               "view.panels", "view.full_screen", "> Go to a panel", "view.next_area", "view.previous_area", "<", "-",
               "view.frame", "view.frame_all", "view.undo", "view.redo", "-",
               "> From a side", "view.front", "view.right", "view.top", "view.back", "view.left", "view.bottom",
               "view.other_side", "-", "view.turn_left", "view.turn_right", "view.turn_up", "view.turn_down",
               "view.nearer", "view.farther", "<",
               "> Views of your own", "view.bookmark2", "view.bookmark4", "view.bookmark6", "view.bookmark8", "-",
               "view.keep2", "view.keep4", "view.keep6", "view.keep8", "<",
               "> Lens", *(f"view.lens{mm}" for mm in LENSES_MM), "<",
               "> Photo", "view.photo", "view.next_photo", "view.wipe", "view.outline",
               "view.matte", "view.points", "view.beside", "view.horizon", "<",
               "view.flat", "-", "view.light")),
    LOOK_MENU,
    ("Label", ("file.label", "file.save_label", "-", "label.checked", "label.unusable",
                "label.take_back", "-",
                "label.next", "label.previous", "label.unchecked", "label.go_to", "-", "label.stop")),
    ("Help", ("help.search", "help.manual", "help.keys", "help.about")),
)  # fmt: skip

TOOLBAR: tuple[str, ...] = (
    "file.open", "file.photo", "file.save", "file.export", "-", "edit.undo", "edit.redo", "-",
    "pose.move", "pose.rotate", "pose.look", "pose.pin", "pose.other", "pose.mirror", "pose.library", "-",
    "view.body", "view.bones", "view.both", "view.ghost", "view.onion", "view.handles", "view.frame", "view.photo",
    "stretch", "help.search", "view.light",
)  # fmt: skip
