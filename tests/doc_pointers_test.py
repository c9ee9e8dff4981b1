"""Where code and pages point to a page of the documents, or to a heading on one, it is there."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = ("app", "rendering", "solver", "scripts", "examples")
MENTION = re.compile(r"(?<![\w./])docs/[\w./-]+\.(?:md|json)(?:#[\w-]+)?")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def test_files_that_mention_a_page_mention_one_that_is_there() -> None:
    files = [*pages(), ROOT / "Makefile", *(file for top in CODE for file in (ROOT / top).rglob("*.py"))]
    texts = [(file, text) for file in files if "docs/" in (text := file.read_text(encoding="utf-8"))]
    mentions = [(file, ROOT, target) for file, text in texts for target in MENTION.findall(text)]
    assert mentions
    assert not lost(mentions)


def test_links_of_pages_lead_to_a_file_and_a_heading_that_are_there() -> None:
    links = [(page, page.parent, target) for page in pages() for target in LINK.findall(page.read_text("utf-8"))]
    assert any("#" in target for _, _, target in links)
    assert not lost(links)


def pages() -> list[Path]:
    return [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "weights").rglob("*.md")]


def lost(pointers: list[tuple[Path, Path, str]]) -> list[str]:
    """Those of (file, folder that the target is relative to, target) that lead nowhere."""
    found = []
    for file, folder, target in pointers:
        name, _, heading = target.partition("#")
        page = folder / name if name else file
        if ":" not in name and not (page.exists() and (not heading or heading in headings(page.resolve()))):
            found.append(f"{file.relative_to(ROOT)}: {target}")
    return found


@cache
def headings(page: Path) -> frozenset[str]:
    """The headings of a page as links name them."""
    lines = page.read_text(encoding="utf-8").splitlines()
    titles = (line.lstrip("#").strip().lower() for line in lines if line.startswith("#"))
    return frozenset(re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles)
