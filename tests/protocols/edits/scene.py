"""The two protocols as a person with an editor meets them: records in files."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = "memory/projects/p"
ANOTHER = "2026-11-02T03:04:05Z"


class Scoped:
    """One file with all records of a project."""

    name = "scoped"
    file = f"{FOLDER}/memory.json"

    def write(self, ledger: Any, text: str) -> str:
        """Record through the verb, and return the memory's id."""
        ledger.scoped.write("project", "p", type="pattern", content=text)
        return str(next(one.id for one in ledger.list() if one.text == text))

    def read(self, ledger: Any) -> Any:
        """Read through the verb."""
        return ledger.scoped.read("project", "p")

    def texts(self, root: Path) -> list[str]:
        """Return what the files say."""
        document = json.loads((root / self.file).read_text(encoding="utf-8"))
        return sorted(entry["content"] for entry in document["entries"])

    def change(self, root: Path, old: str, **changes: Any) -> str:
        """Change the record that says something, and return the file's path."""
        document = json.loads((root / self.file).read_text(encoding="utf-8"))
        [found] = [entry for entry in document["entries"] if entry["content"] == old]
        said = changes.pop("text", None)
        found.update(changes | ({"content": said} if said else {}))
        return put(root, self.file, document)

    def add(self, root: Path, text: str) -> str:
        """Write a record by hand."""
        document = json.loads((root / self.file).read_text(encoding="utf-8"))
        number = len(document["entries"]) + 1
        document["entries"].append(
            {
                "id": f"mem-{number:03}",
                "type": "decision",
                "content": text,
                "confidence": 0.8,
                "created_at": ANOTHER,
                "accessed_count": 0,
            }
        )
        return put(root, self.file, document)

    def take_out(self, root: Path, *texts: str) -> str:
        """Remove records by hand."""
        document = json.loads((root / self.file).read_text(encoding="utf-8"))
        document["entries"] = [one for one in document["entries"] if one["content"] not in texts]
        return put(root, self.file, document)

    def path_of(self, root: Path, text: str) -> str:
        """Return the file in which a record stands."""
        assert text in self.texts(root)
        return self.file


class Hivemind:
    """One file for each record of a project."""

    name = "hivemind"

    def write(self, ledger: Any, text: str, **options: Any) -> str:
        """Record through the verb, and return the memory's id."""
        content = {"text": text}
        ledger.hivemind.write(type="factual", content=content, scope="project:p", **options)
        return str(next(one.id for one in ledger.list() if one.text == text))

    def read(self, ledger: Any) -> Any:
        """Read through the verb."""
        return ledger.hivemind.search("anything", project="p")

    def documents(self, root: Path) -> dict[str, Any]:
        """Return the records' files by path."""
        found = {}
        for name in sorted(os.listdir(root / FOLDER)):
            if name.startswith("mem_"):
                path = f"{FOLDER}/{name}"
                found[path] = json.loads((root / path).read_text(encoding="utf-8"))
        return found

    def texts(self, root: Path) -> list[str]:
        """Return what the files say."""
        return sorted(one["content"]["text"] for one in self.documents(root).values())

    def path_of(self, root: Path, text: str) -> str:
        """Return the file in which a record stands."""
        shown = self.documents(root)
        [path] = [path for path, one in shown.items() if one["content"]["text"] == text]
        return path

    def change(self, root: Path, old: str, **changes: Any) -> str:
        """Change the record that says something, and return the file's path."""
        path = self.path_of(root, old)
        document = json.loads((root / path).read_text(encoding="utf-8"))
        said = changes.pop("text", None)
        document.update(changes | ({"content": {"text": said}} if said else {}))
        return put(root, path, document)

    def add(self, root: Path, text: str) -> str:
        """Write a record by hand."""
        document = {
            "id": "mem_byhand000001",
            "type": "semantic",
            "subtype": "decision",
            "content": {"text": text},
            "created_at": ANOTHER,
            "created_by": "USER",
        }
        return put(root, f"{FOLDER}/mem_byhand000001.json", document)


BOTH = [Scoped(), Hivemind()]


def put(root: Path, path: str, document: Any) -> str:
    """Write a file as an editor does: in place."""
    text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    (root / path).write_text(text, encoding="utf-8")
    return path


def kinds(ledger: Any) -> list[str]:
    """Return the kinds of all events about memories, in order."""
    return [event.kind for event in ledger.log() if event.kind.startswith(("memory.", "conflict."))]
