"""What becomes of a memory that points to lines or to a symbol of a file."""

from __future__ import annotations

import pytest

from tests.evidence.conftest import CODE
from tests.rooms import room
from tests.tables import each_row
from varves.evidence.fates import Fates

GO = """\
package zoo

// Feed is called at noon.
func (z *Zoo) Feed(animal string) error {
	if animal == "" {
		return ErrNobody
	}
	return nil
}

type Zoo struct {
	Open bool
}
"""
C = """\
#define LIMIT 10

PROTOTYPE feed(name)

int feed(const char *name)
{
    return total + 1;
}

int main(void) {
    feed("zebra");
    return 0;
}
"""
JS = """\
export const limit = 10;

export async function feed(animal) {
  await bring(animal);
}

class Zoo {
  open(hour) {
    return hour > 8;
  }
}
"""
YAML = """\
build:
  image: alpine
  steps: [make]
test:
  image: debian
"""


def test_an_edited_line_is_changed(scene):
    name = scene.remember("src/store.py:3")
    scene.replace("src/store.py", "LIMIT = 10", "LIMIT = 11")
    assert scene.fate(name) == ("changed", "src/store.py:3")


def test_an_edit_elsewhere_leaves_a_line_unchanged(scene):
    name = scene.remember("src/store.py:3")
    scene.replace("src/store.py", "self.rows[key] = row", "self.rows.add(key, row)")
    assert scene.fate(name) == ("unchanged", "src/store.py:3")


def test_a_line_is_followed_when_lines_come_and_go_above_it(scene):
    name = scene.remember("src/store.py:3")
    scene.replace("src/store.py", "import os\n", "import os\nimport sys\nimport time\n")
    assert scene.fate(name) == ("moved", "src/store.py:5")
    scene.replace("src/store.py", "import os\nimport sys\nimport time\n\n", "")
    assert scene.fate(name) == ("moved", "src/store.py:1")


def test_of_equal_lines_the_one_among_its_neighbours_is_it(scene):
    scene.write("a.c", "if (a) {\n  one();\n}\nif (b) {\n  two();\n}\nif (c) {\n  three();\n}\n")
    name = scene.remember("a.c:6")
    scene.replace("a.c", "if (a) {\n", "start();\nstop();\nif (0) {\n}\nif (a) {\n")
    assert scene.fate(name) == ("moved", "a.c:10")


def test_indentation_and_spaces_at_the_end_of_a_line_are_no_change(scene):
    name = scene.remember("src/store.py:3")
    scene.replace("src/store.py", "LIMIT = 10", "    LIMIT = 10  ")
    assert scene.fate(name) == ("unchanged", "src/store.py:3")


def test_several_lines_are_followed_together_and_changed_by_any_of_them(scene):
    name = scene.remember("src/store.py:6-8")
    scene.replace("src/store.py", "import os\n", "")
    assert scene.fate(name) == ("moved", "src/store.py:5")
    scene.replace("src/store.py", "file.read()", "file.read(1)")
    assert scene.fate(name) == ("changed", "src/store.py:6")


def test_a_line_is_followed_into_a_file_that_was_moved_and_edited(scene):
    name = scene.remember("src/store.py:3")
    scene.git("mv", "src/store.py", "src/depot.py")
    scene.replace("src/depot.py", "import os\n", "import os\nimport sys\n")
    scene.commit("moved and edited")
    assert scene.fate(name) == ("moved", "src/depot.py:4")
    scene.replace("src/depot.py", "LIMIT = 10", "LIMIT = 11")
    assert scene.fate(name) == ("changed", "src/depot.py:3")


@pytest.mark.parametrize(
    ("text", "fate"),
    [
        (f"{CODE}\n\nEND = 1\n", ("moved", "lib/store.py:3")),
        ("LIMIT = 10\n", ("gone", "src/store.py")),
    ],
    ids=["with its neighbours", "alone"],
)
def test_a_line_of_a_lost_file_is_known_by_its_neighbours(scene, text, fate):
    name = scene.remember("src/store.py:3")
    scene.write("lib/store.py", text)
    (scene.root / "src/store.py").unlink()
    assert scene.fate(name) == fate


def test_a_line_that_was_never_there_is_as_good_as_its_file(scene):
    name = scene.remember("README.md:99")
    assert scene.fate(name) == ("unchanged", "README.md:99")
    scene.replace("README.md", "noon", "dawn")
    assert scene.fate(name) == ("changed", "README.md:99")


def test_a_pointer_of_an_older_ledger_has_only_the_digest_of_its_file(scene):
    memory = scene.ledger.show(scene.remember("README.md:3"))
    old = {name: memory.evidence[0][name] for name in ("path", "line", "digest")}
    memory = memory.replace(evidence=(old,))
    assert scene.judge(memory) == "unchanged"
    scene.git("mv", "README.md", "src/README.md")
    with room(scene.root) as seen:
        assert Fates(seen).of(memory).place == "src/README.md:3"
    scene.replace("src/README.md", "# Zoo", "# The Zoo")
    scene.git("mv", "src/README.md", "README.md")
    assert scene.judge(memory) == "changed"


def test_a_symbol_is_its_definition_wherever_it_stands(scene):
    name = scene.remember("src/store.py::load")
    scene.replace("src/store.py", "import os\n", "import os\nimport sys\n")
    assert scene.fate(name) == ("unchanged", "src/store.py:7")
    scene.replace("src/store.py", "self.rows[key] = row", "self.rows.add(key, row)")
    assert scene.fate(name) == ("unchanged", "src/store.py:7")
    scene.replace("src/store.py", "file.read()", "file.read().strip()")
    assert scene.fate(name) == ("changed", "src/store.py:7")


def test_a_decorator_belongs_to_a_symbol(scene):
    name = scene.remember("src/store.py::Store.save")
    scene.replace("src/store.py", "    def save", "    @locked\n    def save")
    assert scene.fate(name) == ("changed", "src/store.py:15")


def test_both_halves_of_a_property_are_the_symbol(scene):
    both = "class A:\n    @property\n    def x(self):\n        return 1\n\n    @x.setter\n"
    scene.write("a.py", both + "    def x(self, to):\n        self.y = to\n")
    name = scene.remember("a.py::A.x")
    scene.replace("a.py", "self.y = to", "self.z = to")
    assert scene.fate(name) == ("changed", "a.py:2")


@pytest.mark.parametrize(
    ("symbol", "old", "other", "line"),
    [
        ("LIMIT", "LIMIT = 10", "LIMIT = 11", 3),
        ("Store", "self.rows[key] = row", "self.rows.add(key)", 11),
        ("Store.load", "self.rows[key]\n", "self.rows.get(key)\n", 12),
    ],
)
def test_constants_classes_and_methods_are_symbols(scene, symbol, old, other, line):
    name = scene.remember(f"src/store.py::{symbol}")
    beside = scene.remember("src/store.py::load")
    assert scene.fate(name) == ("unchanged", f"src/store.py:{line}")
    scene.replace("src/store.py", old, other)
    assert scene.fate(name) == ("changed", f"src/store.py:{line}")
    assert scene.fate(beside) == ("unchanged", "src/store.py:6")


def test_a_symbol_given_another_name_is_gone(scene):
    name = scene.remember("src/store.py::load")
    scene.replace("src/store.py", "def load(path)", "def fetch(path)")
    assert scene.fate(name) == ("gone", "src/store.py")


def test_a_symbol_moved_into_another_class_is_followed(scene):
    name = scene.remember("src/store.py::Store.save")
    scene.replace("src/store.py", "    def save", "class Shelf:\n    def save")
    assert scene.fate(name) == ("moved", "src/store.py:16")


def test_a_symbol_moved_to_another_file_is_followed(scene):
    name = scene.remember("src/store.py::load")
    body = CODE[CODE.index("def load(path)") : CODE.index("class Store")].rstrip()
    scene.replace("src/store.py", body, "")
    scene.write("src/reading.py", f"# moved here\n\n\n{body}\n")
    assert scene.fate(name) == ("moved", "src/reading.py:4")
    scene.replace("src/reading.py", "file.read()", "file.read(1)")
    assert scene.fate(name) == ("gone", "src/store.py")


def test_a_symbol_that_is_found_again_later_is_found(scene):
    name = scene.remember("src/store.py::load")
    body = CODE[CODE.index("def load(path)") : CODE.index("class Store")].rstrip()
    scene.replace("src/store.py", body, "")
    scene.settle("src/store.py")
    assert scene.fate(name) == ("gone", "src/store.py")
    scene.write("src/reading.py", f"{body}\n")
    assert scene.fate(name) == ("moved", "src/reading.py:1")


def test_a_symbol_of_a_python_file_that_no_longer_parses_is_found_by_its_looks(scene):
    name = scene.remember("src/store.py::Store.load")
    scene.replace("src/store.py", "LIMIT = 10", "LIMIT = = 10")
    assert scene.fate(name) == ("unchanged", "src/store.py:12")


@each_row(
    ("path", "text", "symbol", "line", "edit"),
    [
        ("zoo.go", GO, "Feed", 4, ("return nil", "return z.feed()")),
        ("zoo.go", GO, "Zoo", 11, ("Open bool", "Closed bool")),
        ("zoo.c", C, "feed", 5, ("total + 1", "total + 2")),
        ("zoo.c", C, "main", 10, ('feed("zebra")', 'feed("lion")')),
        ("zoo.c", C, "LIMIT", 1, ("LIMIT 10", "LIMIT 11")),
        ("zoo.js", JS, "feed", 3, ("bring(animal)", "bring(animal, 1)")),
        ("zoo.js", JS, "limit", 1, ("limit = 10", "limit = 11")),
        ("zoo.js", JS, "Zoo.open", 8, ("hour > 8", "hour > 9")),
        ("zoo.yaml", YAML, "build", 1, ("alpine", "fedora")),
        ("zoo.yaml", YAML, "test.image", 5, ("debian", "fedora")),
    ],
)
def test_in_other_languages_a_symbol_is_known_by_its_looks(scene, path, text, symbol, line, edit):
    scene.write(path, text)
    name = scene.remember(f"{path}::{symbol}")
    assert scene.fate(name) == ("unchanged", f"{path}:{line}")
    scene.write(path, f"\n{text}\n\n")
    assert scene.fate(name) == ("unchanged", f"{path}:{line + 1}")
    scene.write(path, text.replace(*edit))
    assert scene.fate(name) == ("changed", f"{path}:{line}")


def test_a_symbol_that_was_never_there_is_as_good_as_its_file(scene):
    name = scene.remember("src/store.py::missing")
    assert scene.fate(name) == ("unchanged", "src/store.py")
    scene.replace("src/store.py", "LIMIT = 10", "LIMIT = 11")
    assert scene.fate(name) == ("changed", "src/store.py")
