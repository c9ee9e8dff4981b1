"""Whether somebody found in a photo is a statue or a drawing, by their colours."""
