"""The text of docs/scene-format.md besides the tables."""

from __future__ import annotations

BEFORE = """
<!-- Made by `python -m app.document.scene_file.documentation`; change app/document/scene_file, not this file. -->

# The scene file

A scene holds everything that undo covers: the characters with their bodies and clips, the props, the photos with their
cameras, and up to four bookmarked views. It is JSON in UTF-8, one file, usually called `something.json`.
[scene.schema.json](scene.schema.json) is its JSON Schema (draft 2020-12). Both are generated from the table by which
the program reads and writes.

## Conventions

Right-handed, Y up, a person at rest faces +Z with the left hand at +X. Metres. Matrices act on column vectors and are
written row by row. `root_position` is the place of the pelvis joint. `rotations` holds every joint's rotation, by the
joint's name: relative to its parent, the pelvis's relative to the world. The rest pose, all rotations identity, is a
T-pose. The floor is y = 0.

Rotations are matrices, not quaternions, because a pose is single precision and has to come back with the same bits:
opening a saved scene gives an equal document. Numbers are the shortest decimals that do so. An effector's rotation
target is a quaternion `[x, y, z, w]`, easy to write by hand, with the unrounded matrix beside it; where the two differ,
the quaternion wins.

An effector with `"loose": true` asks for nothing: solvers leave it out, and its target follows its joint from pose to
pose (a look-at's target keeps its distance, straight ahead). Moving its target by hand, changing its tolerance or
pinning it makes it hold. Somebody who takes a lying pose gets loose ankles. In older scenes they are strict, and stay
so when the scene is opened: the file does not tell them from ankles that the user made strict, and a scene has to open
as it was saved. *Make loose* in the list of handles frees them.

A clip has keys over an optional source motion. Poses, targets and motion are in the clip's own space; the clip's
`placement` carries them into the world: p -> turn p + shift. A still pose is a clip with one key.

A source motion is packed, since it may have thousands of frames: little-endian float32, zlib, base64. In Python:

```python
rotations = np.frombuffer(zlib.decompress(base64.b64decode(m["rotations"])), "<f4").reshape(m["frames"], -1, 3, 3)
```

What is not in a scene: selection, the view's camera, window settings, the undo history, what a solver remembers, and
the body model itself (named by `body`). A scene may name a folder of official files (`smpl:/path`), which is read only
if the user has chosen that folder: in the settings, with `--body`, or by agreeing when the scene is opened.

## What a program does not know

Unknown keys are kept, at every level: they are written back where they were, with the digits that their numbers had.
Those of an effector go when the effector is deleted.

An effector of an unknown kind, or whose target is an object instead of numbers, is kept asleep: it is listed, can be
selected, copied and deleted, asks for nothing, and is written back as it was. A `source` of an unknown type is kept as
well; the target then stays where it is.
"""

AFTER = """
## Versions

`version` is the version of the format that the file was written in. A program opens files of any version. Of a newer
file it reads what it understands and keeps the rest: a value that it cannot read counts as missing until somebody
changes it, and saving writes the file's own value back. A file that must not be opened like that lists in `needs` what
a reader has to know; a program that does not know one of these names refuses the file and leaves whatever is open as it
is. `min_reader_version` is for programs that know only version 1: they refuse a file whose `min_reader_version` is
above 1.

Every version that was ever released stays readable; `tests/data` holds one file of each. In version 1 a character had
one key, whose `pose`, `base_pose`, `effectors` and `preserve` stood in the character itself, its source motion in
`motion` (with `fps`, and the number of joints in place of their names), and the option of the network alone in `raw`;
the scene had one photo, in `photo`.

## Photo

`path` is relative to the scene file, with forward slashes. If nothing is there, a file of the same name beside the
scene is taken; among several, the one whose content has the `sha256`. A scene whose photo is lost still opens.

## Limits

Refused, with the key path in the message: files above 256 MB, more than 100 characters, 1,000 effectors of a
character, 10,000 of all, 200 props, 1,000,000 triangles of all props, 200,000 frames of all motions together or 500,000
JSON values, coordinates beyond ±1,000,000 m (±999,000 m for the path of a motion), betas beyond ±5, numbers that are
not finite, keys given twice in an object, matrices that are not rotations, missing joints, joints that the body does
not have.

A scene is written to a temporary file in the same folder, flushed to the disk and renamed: a full disk or a power cut
leaves the old file whole.
"""
