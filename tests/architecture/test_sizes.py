from __future__ import annotations

import pytest

from tests.architecture.source import ROOT, functions, modules, repository_files, short

SOFT, HARD = 400, 600
FUNCTION, SURFACE_FUNCTION = 60, 40
PARAMETERS = 6
# A private function is read beside its callers, so it may take more by position.
POSITIONAL, PRIVATE_POSITIONAL = 3, 4

# Published options are the keywords of these methods, one for one.
FACADE = ("src/varves/__init__.py", "src/varves/ledger/door.py")


def lengths() -> dict[str, int]:
    found = {}
    for name in repository_files():
        if name.endswith(".py"):
            found[name] = len((ROOT / name).read_text(encoding="utf-8").splitlines())
    return found


def ratchet() -> dict[str, int]:
    text = (ROOT / "tests/architecture/ratchet.txt").read_text(encoding="utf-8")
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return {name: int(length) for name, length in lines}


def test_no_file_is_longer_than_the_soft_limit_or_its_ratchet():
    allowed = ratchet()
    long = {
        name: n
        for name, n in lengths().items()
        if n > allowed.get(name, SOFT) and not name.startswith("tests/")
    }
    assert not long, f"split these files: {long}"


def test_no_file_is_longer_than_the_hard_limit():
    assert not {name: n for name, n in lengths().items() if n > HARD}
    assert not {name: n for name, n in ratchet().items() if n > HARD}


def test_the_ratchet_follows_the_files_down():
    now = lengths()
    slack = {
        name: (n, now.get(name))
        for name, n in ratchet().items()
        if now.get(name, 0) < n or now[name] <= SOFT
    }
    assert not slack, f"lower or remove these lines of the ratchet (listed, now): {slack}"


@pytest.mark.parametrize("path", modules(), ids=short)
def test_functions_are_short(path):
    name = short(path)
    limit = SURFACE_FUNCTION if name.startswith("src/varves/cli/") else FUNCTION
    long = {
        qualified: node.end_lineno - node.lineno + 1
        for qualified, node, _ in functions(path)
        if node.end_lineno - node.lineno + 1 > limit
    }
    assert not long, f"at most {limit} lines: {long}"


@pytest.mark.parametrize("path", modules(), ids=short)
def test_functions_take_few_parameters_and_most_by_keyword(path):
    facade = short(path) in FACADE
    many = []
    for qualified, node, method in functions(path):
        if node.name.startswith("__") and node.name.endswith("__") and node.name != "__init__":
            continue
        static = any(getattr(mark, "id", "") == "staticmethod" for mark in node.decorator_list)
        own = 1 if method and not static else 0
        positional = len(node.args.posonlyargs) + len(node.args.args) - own
        total = positional + len(node.args.kwonlyargs)
        private = any(
            part.startswith("_") for part in qualified.removesuffix("__init__").split(".")
        )
        limit = PRIVATE_POSITIONAL if private else POSITIONAL
        if (total > PARAMETERS and not facade) or positional > limit:
            many.append((qualified, positional, total))
    assert not many, (
        f"at most {PARAMETERS} parameters, keyword-only beyond {POSITIONAL} "
        f"(name, positional, all): {many}"
    )
