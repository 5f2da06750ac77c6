"""`varves ui`: gives the web window the verbs' answers, and lets it serve or export.

The window (`varves.web`) and the readers of transcripts (`varves.hosts`) are imported at run time
by their names, because the import contracts do not allow one surface to import another.
"""

from __future__ import annotations

from varves.cli.arguments import keyword, read
from varves.cli.render import document
from varves.cli.run import reported
from varves.cli.table import shape_of
from varves.errors import Refused, UsageError, VarvesError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from varves import Ledger, Memory
    from varves.cli.arguments import Given
    from varves.cli.render import Answer
    from varves.sessions.originals import OriginalMessage

_ENDLESS = "follow"
_MOMENT = "as-of"


class VerbAnswers:
    """The verbs of the command line, answered for the window."""

    def document(self, ledger: Ledger, verb: str) -> Any:
        """Return what a verb without arguments answers."""
        return _answer(ledger, read([*verb.split(), "--json"])).document

    def twin(
        self, ledger: Ledger, verb: str, asked: Sequence[tuple[str, str]]
    ) -> tuple[int, bytes]:
        """Return (exit code, JSON) as `varves VERB --json` prints it."""
        try:
            answer = _answer(ledger, read([*verb.split(), *_words(verb, asked)]))
            return answer.exit, f"{document(answer.document)}\n".encode()
        except VarvesError as error:
            return error.exit, f"{reported(error)}\n".encode()

    def reads_moments(self, verb: str) -> bool:
        """Return whether a verb takes `--as-of`."""
        return shape_of(verb).reads

    def original(self, ledger: Ledger, memory: Memory) -> OriginalMessage | None:
        """Return the message from which a memory was captured, if its client still has it."""
        transcripts = __import__("varves.hosts.transcripts", fromlist=("read",))

        def read(client: str, path: str, offset: int, session: str) -> Any:
            return transcripts.read(client, path, offset, session=session)

        return ledger.original(memory, read)


def _answer(ledger: Ledger, given: Given) -> Answer:
    run: Callable[[Ledger, Given], Answer] = shape_of(given.verb).function()
    return run(ledger, given)


def _words(verb: str, asked: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield the arguments of a verb; only the verb's own options and --as-of may be given."""
    shape = shape_of(verb)
    kinds = {keyword(name): (name, kind) for name, kind, _, _ in shape.options}
    kinds[keyword(_MOMENT)] = (f"--{_MOMENT}", "value")
    places = [keyword(name) for name in shape.positionals]
    words: list[str] = []
    yield "--json"
    for given, value in asked:
        name = keyword(given)
        if name in places:
            words.append(value)
        elif name not in kinds or name == _ENDLESS:
            raise UsageError(f"{verb} takes no {given} here", f"see varves {verb} --help")
        elif kinds[name][1] == "flag":
            yield kinds[name][0]
        elif kinds[name][0].startswith("--"):
            yield f"{kinds[name][0]}={value}"
        else:
            yield from (kinds[name][0], value)
    yield from ("--", *words)


def ui(given: Given) -> int:
    """Serve the window until the process ends, or write it to files."""
    try:
        serving = __import__("varves.web.serving", fromlist=("serve",))
    except ImportError:
        raise Refused(
            "the web window needs the packages of the extra ui", "pip install 'varves[ui]'"
        ) from None
    shared = {name: given.shared[name] for name in ("root", "actor") if name in given.shared}
    run = serving.write if "export" in given.own else serving.serve
    code: int = run(shared, VerbAnswers(), as_json="json" in given.shared, **given.own)
    return code
