"""Foreign trees for tests: the samples, and small ones laid out on the spot."""

from __future__ import annotations

import json
from pathlib import Path

SAMPLES = Path(__file__).with_name("samples")
TREE = SAMPLES / "at-82e915a" / "memory"


def laid(folder: Path, files: dict[str, object]) -> Path:
    """Lay a tree of files out; text stands as it is given, all else as JSON."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
    return folder


def one(**changes: object) -> dict[str, object]:
    """Return an entry as published, but for the changes."""
    return {
        "id": "mem_aaaaaaaaaaaa",
        "type": "factual",
        "subtype": "preference",
        "created_by": "DEV-001",
        "created_at": "2025-12-18T00:00:00Z",
        "updated_at": "2025-12-18T00:00:00Z",
        "scope": "project",
        "scope_id": "shop",
        "tags": ["style"],
        "priority": "medium",
        "ttl": "permanent",
        "content": {"text": "Tabs are not used"},
        "references": [],
        "confidence": 0.9,
        "access_count": 0,
        "last_accessed": None,
        **changes,
    }


def told(done, path: str) -> str:
    """Return all that was said of one file."""
    return "\n".join(line for line in done.mappings if line.startswith(f"{path}: "))
