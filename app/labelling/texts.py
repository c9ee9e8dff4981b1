"""What labelling says in the status bar, in its bar and in messages."""

from __future__ import annotations

LAST, FIRST = "This is the last picture.", "This is the first picture."
ALL_DONE, NONE_LEFT = "All pictures are checked.", "No picture is left to check: {}."
STOPPED = "Labelling stopped: {}. File › Open recent opens the folder again."
ONE_LEFT = "No other picture is left to check; this one is not checked yet."
NOBODY = "No picture of this folder can be read."
CHANGED = "The picture was changed since its label was made."
SCENE_CHANGED = "The scene's file was changed after its label was made."
OTHER_SIZE = "The picture's size has changed since its label was made."
ANEW = (
    "the picture's size has changed since its label was made, and the people no longer lie on it. Move its label and "
    "scene away and open the folder again to have it read again, or leave the picture out."
)
UNSURE_ONE = (
    "One more was left out, as it may be nobody, a statue or a drawing. Draw a box round it to take it (Shift+F)."
)
UNSURE_SOME = (
    "{} more were left out, as they may be nobody, statues or drawings. Draw boxes round any you want (Shift+F)."
)
LOOK_FIRST = "Look at {} first: the pose may be off."
NOBODY_FOUND = "Nobody was found in this picture. Draw a box round whoever is in it (Shift+F), or check it as it is."
REFUSED = "Its label cannot be read and stays as it is until you replace it."
READING = "Somebody in this picture is still being read. Wait until that is done, or press Esc to stop it."
OPENING = "Wait until {} is open, and look at it first."
BEHIND = "Another photo of the scene is in front ({}). Press Ctrl+0 until {} shows, and look at it first."
TOO_SOON = "{} has only just come up, or does not show yet. Look at it first."
