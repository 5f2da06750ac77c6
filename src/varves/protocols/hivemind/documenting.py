"""The verb for the documents that every session loads: show one, or replace its content."""

from __future__ import annotations

from varves.errors import Refused, UsageError
from varves.events.kinds import REVISED
from varves.protocols.hivemind.entries import body_of, content_of, owner, recorded_content
from varves.protocols.hivemind.loaded import NAMES, wishes_for
from varves.protocols.hivemind.sessions import project_of
from varves.protocols.hivemind.start import SessionStart
from varves.protocols.hivemind.tree import folder_of, path_of
from varves.protocols.hivemind.wording import is_blank
from varves.protocols.port import reads, writes
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.protocols.hivemind.entries import Wish


class LoadedDocument(Value):
    """One of the documents, as it is after the call."""

    name: str
    id: str
    path: str
    content: dict[str, Any]
    blank: bool
    """Whether it has no content yet, so that no session shows it."""
    changed: bool


class Documenting(SessionStart):
    """The verb `document`."""

    def document(
        self,
        name: str,
        content: dict[str, Any] | str | None = None,
        *,
        project: str | None = None,
    ) -> LoadedDocument:
        """Return a document; if content is given, replace the document's content by it first.

        Args:
            name: user-profile, system-config, terminology or context.
            content: the new content; a text becomes `{"text": …}`.
            project: the project of `context`; by default the current one.
        """
        stem = str(name).removesuffix(".json")
        if stem not in NAMES:
            raise UsageError(f"no document {quoted(name)}", f"use {', '.join(NAMES)}")
        if content is None:
            return self._shown_document(stem, project)
        return self._replaced_document(stem, content_of(content), project)

    def _request(self, name: str, project: str | None) -> Wish:
        named = owner(project_of(self.core, project).id, "project")
        return next(one for one in wishes_for(named) if one.file == f"{name}.json")

    @reads
    def _shown_document(self, name: str, project: str | None) -> LoadedDocument:
        wish = self._request(name, project)
        memory = self.held(wish)
        current = memory if memory is not None and memory.status == "active" else None
        content = {} if current is None else body_of(current)
        path = f"{folder_of(wish.scope)}/{wish.file}" if current is None else path_of(current)
        self.core.told("hivemind.document", [] if current is None else [current.id])
        return LoadedDocument(
            name=name,
            id=str(wish.id) if current is None else current.id,
            path=path,
            content=content,
            blank=is_blank(content),
            changed=False,
        )

    @writes
    def _replaced_document(
        self, name: str, content: dict[str, Any], project: str | None
    ) -> LoadedDocument:
        wish = self._request(name, project)
        clean, _ = self.core.clean(content)
        act, _ = self.acting()
        memory = self.held(wish)
        if memory is not None and memory.status != "active":
            hint = f"restore it: varves restore {memory.id}"
            raise Refused(f"{name} is no longer in use", hint)
        changed = memory is None or body_of(memory) != clean
        if memory is None:
            self.enter(wish.replace(content=clean, summary=None), act)
        elif changed:
            values = recorded_content(clean)
            self.core.flush(memory.scope)  # first, so that the files show current counters
            said = {"memory": memory.id, "set": values | {"body": values["body"] or {}}}
            with self.core.deciding(memory.kept):
                self.core.append(memory.kept, [act.draft(REVISED, said, memory.version)])
        return LoadedDocument(
            name=name,
            id=str(wish.id) if memory is None else memory.id,
            path=f"{folder_of(wish.scope)}/{wish.file}",
            content=clean,
            blank=is_blank(clean),
            changed=changed,
        )
