"""The examples of docs/frameworks.md, run where their framework is loaded anyhow."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs/frameworks.md"


def run_example(name: str) -> None:
    """Run the example that the page gives under a name, in the current folder."""
    text = PAGE.read_text(encoding="utf-8")
    (code,) = re.findall(
        rf"^```python {re.escape(name)}\n(.*?)^```", text, re.MULTILINE | re.DOTALL
    )
    exec(compile(code, f"{PAGE.name}: {name}", "exec"), {"__name__": "example"})  # noqa: S102
