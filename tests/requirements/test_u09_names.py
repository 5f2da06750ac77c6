from __future__ import annotations

import pytest

import varves as package
from varves.errors import UnsafeName, UsageError

EVIL = [
    *("../evil", "..", "/etc/evil", "a/../b", "a\\..\\b", "C:\\evil", "a\0b", "CON", "nul.txt"),
    *("COM1", ".hidden", "x" * 300, "a\nb"),
]


def everything(folder):
    return sorted(str(path) for path in folder.rglob("*"))


@pytest.mark.requirement("U-09")
@pytest.mark.parametrize("evil", EVIL, ids=ascii)
def test_names_that_could_leave_their_folder_are_refused_and_nothing_is_written(
    tmp_path, project, ledger, evil
):
    before = everything(tmp_path)
    for scope in ("agent", "team", "session", "project"):
        with pytest.raises(UnsafeName):
            ledger.remember("x", scope=f"{scope}:{evil}")
    with pytest.raises(UsageError):
        ledger.remember("x", id=evil)
    with pytest.raises((UnsafeName, UsageError)):
        ledger.remember("x", session=evil)
    for name in ("actor", "session"):
        with pytest.raises(UnsafeName):
            package.open(project, **{name: evil})
    if evil not in (".hidden", "x" * 300):  # these two are paths inside the project
        with pytest.raises((UnsafeName, UsageError)):
            ledger.remember("x", evidence=[evil])
    assert everything(tmp_path) == before


@pytest.mark.requirement("U-09")
@pytest.mark.parametrize("evil", ["../evil", "/etc/evil", "CON", "a\\b"])
def test_the_command_line_refuses_them_with_code_3(varves, tmp_path, evil):
    before = everything(tmp_path)
    for argv in (
        ("remember", "x", "--scope", f"agent:{evil}"),
        ("remember", "x", "--actor", evil),
        ("remember", "x", "--session", evil),
    ):
        answer = varves(*argv)
        assert answer.code == 3
        assert answer.err.startswith("varves: unsafe ")
    assert everything(tmp_path) == before
