"""What the architecture tests look at: the repository's own files, and our functions in them."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "varves"

Function = ast.FunctionDef | ast.AsyncFunctionDef


def repository_files() -> list[str]:
    """List the files git tracks or would track, as paths from the root."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        env=env,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return [name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def modules() -> list[Path]:
    """List the modules of the package."""
    return sorted(PACKAGE.rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    """Parse one module."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def short(path: Path) -> str:
    """Name a file from the root, with forward slashes."""
    return path.relative_to(ROOT).as_posix()


def functions(path: Path) -> Iterator[tuple[str, Function, bool]]:
    """Yield each function of a module: qualified name, node, and whether it is a method."""

    def walk(node: ast.AST, prefix: str, *, in_class: bool) -> Iterator[tuple[str, Function, bool]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Function):
                name = f"{prefix}{child.name}"
                yield name, child, in_class
                yield from walk(child, f"{name}.", in_class=False)
            elif isinstance(child, ast.ClassDef):
                yield from walk(child, f"{prefix}{child.name}.", in_class=True)
            else:
                yield from walk(child, prefix, in_class=in_class)

    yield from walk(tree(path), "", in_class=False)


def loaded_by(code: str, *args: str, cwd: Path | None = None) -> set[str]:
    """Run code in a fresh interpreter and name every module it imported, beyond a bare start."""
    return _imports(code, *args, cwd=cwd) - _imports("pass", cwd=cwd)


def _imports(code: str, *args: str, cwd: Path | None) -> set[str]:
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "COVERAGE_"))
    }
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", code, *args],
        cwd=cwd,
        env=env,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    timed = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    rest = [line for line in done.stderr.splitlines() if not line.startswith("import time:")]
    assert done.returncode == 0, "\n".join(rest)
    return {line.rpartition("|")[2].strip() for line in timed}
