"""Remotes: other places that keep copies of a ledger's logs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.remotes.known import KnownRemote
    from varves.remotes.port import Adapter


def adapter(remote: KnownRemote, *, root: str, home: str, clone: str) -> Adapter:
    """Return the adapter for a remote's kind; only its own modules and drivers are imported.

    Args:
        remote: the remote.
        root: the checkout, in which a relative folder and the name of a git remote are looked up.
        home: the user's folder.
        clone: the id of this clone.
    """
    if remote.scheme == "file":
        from varves.remotes.folder import FolderRemote

        return FolderRemote(remote, root=root)
    if remote.scheme == "git":
        from varves.remotes.git_refs import GitRemote

        return GitRemote(remote, root=root, home=home, clone=clone)
    from varves.remotes.postgres.remote import PostgresRemote

    return PostgresRemote(remote)
