"""The content of the page of mouse and keys: sections of rows, (what to do, what it does).

Names in braces are filled in by the settings' keys.
"""

from __future__ import annotations

Rows = tuple[tuple[str, str], ...]
LABELLING = "Labelling a folder"  # a section's title

SECTIONS: tuple[tuple[str, Rows], ...] = (
    (
        "Drag",
        (
            ("Drag a handle", "the body follows; rings turn it, arrows and squares move it along an axis or a plane"),
            ("Drag a body", "drag the joint there; its name appears beside the pointer"),
            ("X, Y, Z while dragging", "move along that axis, with Shift in the plane across it; again to move freely"),
            ("Type a number while dragging", "centimetres along the axis, or degrees when turning; Return keeps it"),
            ("Shift, Ctrl while dragging", "fine movement; steps of 5 cm or 5°"),
            (
                "Wheel while something is held",
                "turn the joint about the line of sight, a person or prop about the vertical",
            ),
            (
                "S held while dragging",
                "put that part, look, person or prop onto what is under the pointer: floor, skin or prop",
            ),
            ("Ctrl+Shift-drag a handle or a joint", "move only that limb; the rest stays in place"),
            ("C while a person is dragged", "leave what they carry there; hold on to props and others, or let go"),
            ("K while a person is dragged", "move somebody who is animated at this frame alone, or at all frames"),
            ("Esc or right button while dragging", "cancel the drag"),
        ),
    ),
    (
        "Effectors",
        (
            ("Double-click a joint", "add a position effector; drag a joint to add one and move it at once"),
            ("Double-click a handle, or P", "pin or unpin it; a red one out of reach comes home to the body"),
            ("Right-click a handle or a joint", "a menu: kind, strict or loose, tolerance, pin, delete; add, keep"),
            ("A faint handle", "is loose: it follows the body until you move it, which makes it strict"),
            ("{ball}, {ring}, {target}", "{kinds} effector of the selected joint"),
            ("Shift-click handles", "select several: one gizmo in their middle moves and turns them as a group"),
            ("Alt+Down, Alt+Up", "select the next effector, the previous one"),
            (
                "Arrow keys where nobody has a motion",
                "move the selected handles, or the person, by 1 cm in the plane of the view; with Shift 10 cm; with "
                "Ctrl+Shift the handle's limb alone",
            ),
        ),
    ),
    (
        "Poses",
        (
            ("O", "another pose for the same effectors; press again for the next one"),
            ("V", "a gallery of poses for the same effectors that look different"),
            ("Shift+V", "what every solver makes of the same effectors, side by side"),
            (
                "Shift+P",
                "the library of poses, open or closed; double-click applies one; ] and [ the next, the previous",
            ),
            ("Esc in its search field", "empty the field; once it is empty, close the library"),
            ("Ctrl+Shift+P", "save the person's pose to the library"),
            ("Ctrl+C, Ctrl+V, Ctrl+Shift+V", "copy, paste, paste flipped"),
            ("Shift+M", "symmetric posing: what is done to one side happens on the other as well"),
            ("Alt+Shift+R, Alt+Shift+L", "copy the left arm or leg to the right, the right one to the left"),
            ("Ctrl+M, Alt+M", "mirror the whole pose; the selected parts alone"),
        ),
    ),
    (
        "People and props",
        (
            ("Right-click the floor", "a menu: add a person or a prop there, paste, frame all"),
            ("Drag the cross on the floor", "move the whole person, with Shift up and down; drag the ring to turn"),
            ("Alt+Shift+A", "add a person where you click on the floor; with Shift several, one after the other"),
            ("Shift-click a body, or names in the list", "select several people: they move and turn together"),
            ("PgDown, PgUp", "select the next person, the previous one"),
            ("F2", "rename the person, or the selected prop"),
            ("Drag a row of the list", "put the person, or the prop, elsewhere in it"),
            ("End", "set the person's lowest point on the floor"),
            ("Ctrl+PgUp, Ctrl+PgDown", "turn the whole person to its left, to its right"),
            ("Ctrl+Alt+A", "add a prop at the pointer; Del deletes the selected one, Ctrl+D copies it"),
            ("Click a prop", "select it; drag it, or its gizmo: {ball} moves, {ring} turns, {scale} scales"),
        ),
    ),
    (
        "View",
        (
            ("Click or drag beside the bodies", "clear the selection, or turn the view"),
            ("F, A", "fit the selection into the view, fit everything"),
            ("1 3 7, with Ctrl the opposite", "front, right, top; 5 parallel projection, 0 the photo's camera"),
            ("2 4 6 8, with Ctrl to keep", "views of your own: Ctrl keeps the one you see, the digit goes to it"),
            ("Alt+Z, Alt+Shift+Z", "the view before the last turn, pan, zoom or jump, and forward again"),
            ("Ctrl+arrow keys, Ctrl++, Ctrl+-", "turn the view, come nearer, go away"),
            ("Click an axis in the corner", "look along it, again from the other side; drag there to turn the view"),
            ("Shift+X", "show the axes in the corner, or hide them"),
            ("B, Shift+B, H", "show the ghost of the base pose, the keys before and after, handles"),
            ("Shift+C", "show balance: the centre of mass and what the body stands on; amber where it would fall"),
            ("Shift+T", "show intersections: skin within another part, a person, a prop or the floor is red"),
            ("Alt+4, 5, 6, 7, 8", "looks: clay, suit, flat, line, silhouette; Alt+9 the next light"),
            ("Alt+0", "a ball to drag the key light on"),
        ),
    ),
    (
        "Motion",
        (
            ("Space", "play or pause the motion, Esc pauses too; posing at a frame sets a key there"),
            ("Left, Right, Shift+Left, Shift+Right", "previous frame, next frame; first and last frame of the range"),
            ("Down, Up", "previous key, next key"),
            ("{set_key}", "set a key at this frame, or remove it; in a still scene, begin a motion"),
            ("Ctrl+Home, Ctrl+End", "start the playback range here, end it here"),
            ("Drag a key on the timeline", "move it, with Ctrl copy it; drag a box to select several, Shift adds"),
            (
                "On the timeline: Shift+Up, Ctrl+A",
                "add the key at this frame to the selection, or take it out; select all",
            ),
            ("On the timeline: Alt+Left, Alt+Right", "move the selected keys by a frame"),
            ("On the timeline: Ctrl+C, Ctrl+V, Del", "copy, paste, delete the selected keys"),
            ("On the timeline: wheel, middle button, A", "zoom, pan, show all frames; Home, End: ends of the range"),
            (
                "On the timeline: Shift+Down",
                "bars of planted feet: arrows go on, Space holds one, Del lets it go, Esc leaves",
            ),
            ("M, hold N", "show the motion before the edit as a ghost; see it alone while N is held"),
            ("J", "between keys: by the joints alone, or every frame solved"),
            ("C", "show curves below the timeline: speed, foot skate, effectors; drag on them to scrub"),
            ("T, F9", "let somebody follow trackers; calibrate them"),
        ),
    ),
    (
        "Photos",
        (
            ("Shift+L", "the person's points in the photo: drag one to where the photo has it, and the body follows"),
            ("Click an empty place, with the points shown", "puts the unseen point of an arm or leg in reach there"),
            ("A dashed line to a point, a faint ring", "the point is a guess; where it was seen in the photo"),
            ("D, Shift+D", "flip the arm or leg under the pointer in depth; front or back of the whole person"),
            ("Click a mark with two arrows", "the photo does not decide that limb: take its other reading, as D does"),
            ("Shift+PgUp, Shift+PgDown", "push the person farther, pull it nearer: the same in the picture"),
            ("Ctrl+Shift-drag the cross on the floor", "the same with the mouse, up and down"),
            ("Shift+H", "the photo's horizon: drag its middle to tilt the camera, an end to roll it"),
            ("Drag a floor line over the photo", "raise or lower the floor below the people, who stay in the picture"),
            ("Shift+W", "a divider over the photo: alone on its left, with the bodies on its right"),
            ("Shift+S, Shift+O", "the photo alone beside the one with the bodies; bodies as outlines"),
            ("Shift+I", "the outline of the active person as the photo shows it"),
            ("Shift+F", "draw a box over the photo round somebody who was not found"),
            ("Shift+R", "read the active person again from where it is in the photo"),
            ("Ctrl+J", "merge the active person with the other one over it in the photo, if found twice"),
            ("Ctrl+0", "the next of several photos of the scene"),
        ),
    ),
    (
        LABELLING,
        (
            ("Ctrl+Return", "checked: save, and go on to the next; with Shift it is left out"),
            ("Alt+Right, Alt+Left", "next and previous picture; Alt+Shift+Right the next unchecked; Ctrl+W leaves"),
            ("Ctrl+G", "go to a picture of the folder by its number or its name"),
        ),
    ),
    (
        "Window",
        (
            ("/", "search all commands, also by the words of other programs"),
            ("Tab in the view", "hide the panels, or show them; in a panel it goes from field to field"),
            ("F11", "full screen; again: the window as it was"),
            (
                "F6 or Ctrl+Tab, Shift+F6",
                "go to the next panel, the previous one, and to the view; Esc goes there at once",
            ),
            ("Esc while something is read or written", "cancel it, as Cancel over the view does"),
            ("On a panel's title: Space, Left, Right", "fold or unfold it"),
            (
                "In the lists: Space, the menu key, F2",
                "select, open the menu, rename (a pose of your own in the library, too); Up, Down: row to row",
            ),
        ),
    ),
)
