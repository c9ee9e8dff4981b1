"""Where things that somebody holds are brought to: to the mouth, to an ear, before the eyes."""
