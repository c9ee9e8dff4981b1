"""What an ONNX model's bytes contain, read field by field (protocol buffers, without the onnx package)."""

from __future__ import annotations

from collections.abc import Iterator

# The fields that lead to tensors, by the message they are in: onnx.proto's numbers.
_INNER: dict[str, dict[int, str]] = {
    "model": {7: "graph", 20: "training", 25: "function"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
    "function": {7: "node", 11: "attribute"},
    "training": {1: "graph", 2: "graph"},
    "tensor": {},
}
_EXTERNAL_DATA, _DATA_LOCATION = 13, 14  # of a tensor: where its numbers are, and whether they are in another file
_DEEPEST = 100  # as protocol buffers' own readers allow


def names_other_files(model: bytes) -> bool:
    """Whether any tensor of the model has its numbers in another file. ValueError for bytes that are not a model.

    onnxruntime looks for such a file from the working folder, wherever the path leads.
    """
    waiting = [("model", memoryview(model), 0)]
    while waiting:
        kind, message, depth = waiting.pop()
        if depth > _DEEPEST:
            raise ValueError("it is nested too deeply")
        for number, value in fields_of(message):
            if kind == "tensor" and (number == _EXTERNAL_DATA or (number == _DATA_LOCATION and value != 0)):
                return True
            inner = _INNER[kind].get(number)
            if inner is not None:
                if isinstance(value, int):
                    raise ValueError("a part of it is of another type")
                waiting.append((inner, value, depth + 1))
    return False


def fields_of(message: memoryview) -> Iterator[tuple[int, memoryview | int]]:
    """The fields of a message: number, and bytes or a whole number (0 for numbers of a fixed width)."""
    place, end = 0, len(message)
    while place < end:
        key, place = _varint(message, place)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, place = _varint(message, place)
            yield number, value
            continue
        if wire == 2:
            size, place = _varint(message, place)
            yield number, message[place : place + size]
        elif wire in (1, 5):
            size = 8 if wire == 1 else 4
            yield number, 0
        else:
            raise ValueError(f"a field is of the unknown type {wire}")
        place += size
        if place > end:
            raise ValueError("it ends too early")


def whole_numbers_of(packed: memoryview) -> list[int]:
    """Whole numbers that are stored one behind the other. ValueError if the last one has no end."""
    found, place = [], 0
    while place < len(packed):
        value, place = _varint(packed, place)
        found.append(value)
    return found


def _varint(message: memoryview, place: int) -> tuple[int, int]:
    """A whole number, seven bits a byte, and the place after it."""
    value = 0
    for shift in range(0, 70, 7):
        if place >= len(message):
            raise ValueError("it ends too early")
        byte = message[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
    raise ValueError("a number has no end")
