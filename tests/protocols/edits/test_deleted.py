"""A published file that was deleted is made again, and never without a word."""

from __future__ import annotations

import pytest

from tests.protocols.edits.conftest import LATER, NEXT
from tests.protocols.edits.scene import Hivemind

HIVEMIND = Hivemind()
SIDECAR = "_mdan/state/sidecars/ada.sidecar.json"


def named(path, name, *, again):
    """Return what is said of a deleted file."""
    does = "rendered again from the log" if again else "the next write renders it again"
    return f"{path}: deleted; {does}: varves forget {name} removes a record"


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
def test_reads_status_doctor_and_the_write_that_restores_it_name_it(project_of, protocol, varves):
    here = project_of(protocol, "Use Zod", "Use Yup", commit=True)
    path = protocol.path_of(here.root, "Use Zod")
    [name] = [one.id for one in here.at(NEXT).list() if one.text == "Use Zod"]
    here.close()
    name = name if protocol.name == "hivemind" else "ID"
    (here.root / path).unlink()
    waits = named(path, name, again=False)

    assert waits in varves("status", cwd=here.root).out
    doctor = varves("doctor", cwd=here.root).out
    assert waits.partition(": ")[2] in doctor
    assert path in doctor
    read = varves(protocol.name, "validate", cwd=here.root)
    assert waits in read.err
    written = varves("rebuild", cwd=here.root)

    assert named(path, name, again=True) in written.err
    assert protocol.texts(here.root) == ["Use Yup", "Use Zod"]
    assert varves("rebuild", cwd=here.root).err == ""
    assert "deleted" not in varves("status", cwd=here.root).out


@pytest.mark.requirement("U-07")
def test_a_sidecar_too(clone, varves):
    here = clone()
    ledger = here.at(NEXT)
    ledger.party.start(agents=["ada"])
    ledger.party.remember("ada", type="context", content="Known", confidence=0.9)
    ledger.party.end()
    here.close()
    (here.root / SIDECAR).unlink()
    assert named(SIDECAR, "ID", again=False) in varves("status", cwd=here.root).out
    ledger = here.at(LATER)
    assert named(SIDECAR, "ID", again=True) in ledger.rebuild()["notes"]


@pytest.mark.requirement("U-07")
def test_many_are_told_in_one_line(project_of, varves):
    here = project_of(HIVEMIND, *(f"Fact {word}" for word in "abcdefg"), commit=True)
    for path in (here.root / "memory").rglob("mem_*.json"):
        path.unlink()
    said = varves("rebuild", cwd=here.root).err.splitlines()
    assert len(said) == 1
    assert "deleted, with 6 other files; rendered again from the log" in said[0]
    assert len(HIVEMIND.texts(here.root)) == 7


@pytest.mark.requirement("U-07")
def test_what_is_forgotten_with_its_file_is_not_made_again(project_of, varves):
    here = project_of(HIVEMIND, "Use Zod", "Use Yup", commit=True)
    path = HIVEMIND.path_of(here.root, "Use Zod")
    (here.root / path).unlink()
    name = path.rpartition("/")[2].removesuffix(".json")
    done = varves("forget", name, "--reason", "outdated", cwd=here.root)
    assert (done.code, "rendered again" in done.err) == (0, False)
    assert HIVEMIND.texts(here.root) == ["Use Yup"]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
def test_a_file_that_a_branch_has_not_is_not_missed_there(project_of, protocol, varves):
    here = project_of(protocol, commit=True)
    (here.root / "app.py").write_text("", encoding="utf-8")
    here.commit("code")
    here.git("branch", "old")
    protocol.write(here.at(NEXT), "Use Zod")
    here.commit("new")
    here.git("switch", "--quiet", "old")
    for verb in (("status",), ("rebuild",), (protocol.name, "validate")):
        done = varves(*verb, cwd=here.root)
        assert "deleted" not in done.out + done.err
