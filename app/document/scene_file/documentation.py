"""docs/scene-format.md and scene.schema.json, from the table: `python -m app.document.scene_file.documentation`."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.document.model.document import FORMAT_VERSION
from app.document.scene_file.documentation_text import AFTER, BEFORE
from app.document.scene_file.table import SCENE
from solver.files.json_forms import Definitions, Schema
from solver.files.json_record import REQUIRED, Field, Record
from solver.files.json_text import json_text
from solver.formats.pose_json import effector_json, source_json

FOLDER = Path("docs")
WIDTH = 126  # characters of a line of prose


def schema() -> Schema:
    """The JSON Schema of a scene, draft 2020-12."""
    definitions: Definitions = {}
    top = SCENE.own_schema(definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"contrapposto-scene-{FORMAT_VERSION}",
        "title": f"Contrapposto scene, version {FORMAT_VERSION}",
        **top,
        "$defs": definitions,
    }


def page() -> str:
    """The page, with one table of keys for each kind of object."""
    parts = [BEFORE.strip(), "## Keys"]
    for record in records():
        parts += [
            f"### {record.name.replace('_', ' ').capitalize()}",
            textwrap.fill(record.doc, WIDTH, break_on_hyphens=False),
            _rows(record),
        ]
    return "\n\n".join([*parts, AFTER.strip()]) + "\n"


def records() -> list[Record]:
    """Every table of the format, from the scene down, each once."""
    found: dict[str, Record] = {}

    def visit(record: Record) -> None:
        if record.name in found:
            return
        found[record.name] = record
        for each in record.fields:
            form = getattr(each.form, "form", each.form)
            if isinstance(form, Record):
                visit(form)
            elif isinstance(form, effector_json.EffectorForm):
                for own in effector_json.RECORDS.values():
                    visit(own)
            elif isinstance(form, source_json.SourceForm):
                for _, own in source_json.RECORDS.values():
                    visit(own)

    visit(SCENE)
    return list(found.values())


def generated_files(folder: Path) -> dict[Path, str]:
    """Both documents, by where they belong in a checkout at `folder`."""
    return {
        folder / FOLDER / "scene-format.md": page(),
        folder / FOLDER / "scene.schema.json": json_text(schema()),
    }


def _rows(record: Record) -> str:
    rows = [f"| `{each.key}` | {_kind(each)} | {_without(each)} | {each.doc} |" for each in record.fields]
    return "\n".join(["| key | value | without it | meaning |", "|--|--|--|--|", *rows])


def _without(each: Field) -> str:
    if each.default is REQUIRED:
        return "required"
    if each.default_doc or each.default is None:
        return each.default_doc or "none"
    return json.dumps(each.default, ensure_ascii=False) if each.default != "" else "empty"


def _kind(each: Field) -> str:
    definitions: Definitions = {}
    return _told(each.form.schema(definitions))


def _told(schema: Schema) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2].replace("_", " ")
    if "enum" in schema or "const" in schema:
        return ", ".join(f"“{option}”" for option in schema.get("enum", [schema.get("const")]))
    teller: Callable[[Schema], str] = _TELLERS[schema["type"]]
    return teller(schema)


def _range(schema: Schema, what: str) -> str:
    low, high = schema["minimum"], schema["maximum"]
    return f"{what}, ±{_short(high)}" if low == -high else f"{what}, {_short(low)} to {_short(high)}"


def _list(schema: Schema) -> str:
    inner = _told(schema["items"])
    if "minItems" in schema:
        return f"list of {schema['minItems']}: {inner}"
    most = f", up to {schema['maxItems']:,}" if "maxItems" in schema else ""
    return f"list{most}: {inner}"


def _short(number: Any) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:g}"


_TELLERS: dict[str, Callable[[Schema], str]] = {
    "number": lambda schema: _range(schema, "number"),
    "integer": lambda schema: _range(schema, "whole number"),
    "boolean": lambda schema: "true or false",
    "string": lambda schema: "text",
    "array": _list,
    "object": lambda schema: f"object: {_told(inner)}" if (inner := schema.get("additionalProperties")) else "object",
}


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m app.document.scene_file.documentation", description=__doc__).parse_args()
    for path, text in generated_files(Path()).items():
        path.write_text(text, encoding="utf-8")
