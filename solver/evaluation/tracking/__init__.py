"""Protocol D of the benchmark: whole clips followed by a few sensors (DragPoser, tables 1 and 2)."""
