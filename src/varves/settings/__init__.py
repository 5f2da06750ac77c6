"""Everything that comes from the environment or from `.varves/settings.toml`, read in one place."""

from __future__ import annotations

import os
import sys

from varves.errors import Damaged, UsageError
from varves.places.places import FOLDER
from varves.values.names import safe_name
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from varves.values.consents import Asked

FILE = "settings.toml"
PATH = f"{FOLDER}/{FILE}"
CONSENTS = "consents.toml"
_HINTS = (
    *("CLAUDE_PROJECT_DIR", "COPILOT_CLI", "CURSOR_PLUGIN_ROOT", "CURSOR_PROJECT_DIR"),
    *("GEMINI_PROJECT_DIR", "GEMINI_SESSION_ID", "COPILOT_PROJECT_DIR"),
)
_PLUGIN_ROOTS = ("CLAUDE_PLUGIN_ROOT", "PLUGIN_ROOT", "COPILOT_PLUGIN_ROOT", "CURSOR_PLUGIN_ROOT")
_MANIFESTS = ("plugin.json", ".claude-plugin/plugin.json", "gemini-extension.json")
LOSSY = "fast mode: the newest writes may be lost in a power cut"


class Settings(Value):
    """What one opened ledger goes by."""

    root: str
    home: str
    actor: str = "USER"
    session: str | None = None
    now: str | None = None
    teams: dict[str, str] = {}  # noqa: RUF012 - values are frozen
    mode: str = "durable"
    strict: tuple[str, ...] | None = None  # clones that count beside our own; None: all do
    share: str = "worktrees"  # or "branch": what other checkouts hold is not read
    usage: bool = True  # whether it is recorded who was told what
    project: str | None = None  # the id of the project at hand, where somebody named it
    tables: dict[str, dict[str, Any]] = {}  # noqa: RUF012 - what the file says for each protocol
    bridges: tuple[tuple[str, str, str], ...] = ()  # from which protocol, what category, to which
    dense: bool = True  # whether a warm process compares meanings unasked, where it can
    model: dict[str, Any] = {}  # noqa: RUF012 - what the project's file says of a model
    capture: str = "private"  # what becomes of what hooks hear: private, shared, or off
    hooked: tuple[str, ...] = ()  # the protocols whose own verbs hooks call
    waiting: tuple[Asked, ...] = ()  # what the file sets and this person has not agreed to
    invalid: tuple[Asked, ...] = ()  # what the file sets that cannot be read, so has no effect
    git: tuple[str, str, str] | None = None  # what the environment says: see `named_git`
    odd: tuple[str, ...] = ()  # what the file says to no effect: invalid, or read by nobody

    def is_waiting(self, team: str) -> bool:
        """Tell whether a team's folder is named that this person has not agreed to, or could."""
        return self.is_lost(team) or any(key == f"teams.{team}.root" for key, _ in self.waiting)

    def is_asking(self) -> bool:
        """Tell whether anything of the file has no effect for want of consent."""
        return bool(self.waiting or self.invalid)

    def is_lost(self, team: str) -> bool:
        """Tell whether the file speaks of a team, or of all, in no form that could be read."""
        return any(key in ("teams", f"teams.{team}") for key, _ in self.invalid)


def load(
    root: str | None = None,
    *,
    home: str | None = None,
    actor: str | None = None,
    session: str | None = None,
    mode: str | None = None,
    hook: bool = False,
) -> Settings:
    """Put arguments, environment and the project's settings file together, in that order.

    To a hook a bad value, or a file that cannot be read, is no reason to stop: see `_hasty`.
    """
    environ = os.environ
    given = root or environ.get("VARVES_ROOT") or find_root(os.getcwd())
    place = os.path.abspath(given)
    if "\0" in given or not os.path.isdir(place):
        raise UsageError(f"no folder {given}", "name an existing folder with --root")
    who = actor or environ.get("VARVES_ACTOR") or "USER"
    within = session or environ.get("VARVES_SESSION") or None
    mine = os.path.abspath(home or environ.get("VARVES_HOME") or _user_folder(environ))
    said = _hasty(place, mine) if hook else _whole(place, mine, mode)
    return Settings(
        root=place,
        home=mine,
        actor=safe_name(who, "actor"),
        session=None if within is None else safe_name(within, "session"),
        now=environ.get("VARVES_NOW") or None,
        project=_project(environ.get("VARVES_PROJECT")),
        git=named_git(environ),
        **said | _dense(environ.get("VARVES_DENSE")),
    )


def _whole(place: str, home: str, mode: str | None) -> dict[str, Any]:
    """Return what the project's file says, and what in it nobody reads."""
    file = _file(f"{place}/{PATH}")
    said = _said(file, place, home, mode)
    if not file:
        return said
    from varves.values.written import odd

    return said | {"odd": (*_shown(said["invalid"]), *odd(file), *_odd(said["tables"]))}


def _odd(tables: dict[str, dict[str, Any]]) -> list[str]:
    """Return what stands in the tables of protocols and is read by none."""
    if not tables:
        return []
    from varves.protocols.tables import odd

    return odd(tables)


def _hasty(place: str, home: str) -> dict[str, Any]:
    """Return what the project's file says to a hook, and as `odd` only why it says less.

    What is wrong in it is for the verbs to refuse; nobody who works here would see it now.
    """
    file: dict[str, Any] = {}
    try:
        file = _file(f"{place}/{PATH}")
        return _said(file, place, home, None)
    except Damaged as fault:
        from varves.values.guarded import spared

        return _said(spared(file), place, home, None) | {"odd": (f"Damaged: {fault}",)}


def _said(file: dict[str, Any], place: str, home: str, mode: str | None) -> dict[str, Any]:
    """Return what the project's file says; most projects have none."""
    if not file and mode is None:
        return {}
    from varves.values import written as read

    written, waiting, invalid = _agreed(file, place, home)
    return {
        "teams": read.teams(place, written),
        "mode": read.mode(mode, written),
        "strict": read.strict(written),
        "share": read.share(written),
        "usage": read.usage(written),
        "tables": read.tables(written),
        "bridges": read.bridges(written),
        "dense": read.dense(written),
        "model": read.model(written, PATH),
        "capture": read.capture(written),
        "hooked": read.hooked(written),
        "waiting": waiting,
        "invalid": invalid,
    }


def _shown(invalid: tuple[Asked, ...]) -> list[str]:
    """Return the line about what is invalid, if anything is."""
    if not invalid:
        return []
    from varves.values.guarded import line

    return [line(invalid)]


def _dense(said: str | None) -> dict[str, bool]:
    """Return whether the environment says to compare meanings unasked, if it says so."""
    if said and said not in ("0", "1"):
        raise UsageError(f"VARVES_DENSE is neither: {said!a}", "set it to 0 or 1, or not at all")
    return {"dense": said == "1"} if said else {}


def _agreed(
    written: dict[str, Any], place: str, home: str
) -> tuple[dict[str, Any], tuple[Asked, ...], tuple[Asked, ...]]:
    """Return what a project's file says as far as this person agreed to it.

    With it goes what waits, and what nobody can agree to. In one's own home all counts, and what
    is invalid is for its reader to refuse.
    """
    from varves.values import consents

    if not consents.guarded(written) or _is_own(place, home):
        return written, (), ()
    from varves.values import guarded
    from varves.values import written as read

    written, invalid = guarded.sifted(written)
    asked = consents.asked(written, lambda root: os.path.realpath(read.folder(place, root)))
    if not asked:
        return written, (), invalid
    from varves.settings.checkout_token import checkout_tokens

    try:
        known = agreements(home).get(checkout(place), frozenset())
    except Damaged:
        known = frozenset()
    there = checkout_tokens(place) if known else frozenset()
    agreed = {mark for mark, token in known if token in there}
    waiting = tuple(one for one in asked if consents.digest(one) not in agreed)
    return consents.without(written, waiting), waiting, invalid


def _is_own(place: str, home: str) -> bool:
    """Tell whether a settings file lies in the user's own home, where no clone puts one."""
    here, mine = os.path.realpath(place), os.path.realpath(home)
    return f"{here}/".startswith(f"{mine}/") or here == os.path.realpath(os.path.expanduser("~"))


def checkout(place: str) -> str:
    """Return the name under which consents for a folder are kept."""
    return os.fsencode(os.path.realpath(place)).decode("utf-8", "backslashreplace")


def agreements(home: str) -> dict[str, frozenset[tuple[str, str]]]:
    """Return what this person agreed to, by checkout: each value's digest, and a token or none.

    Raises:
        Damaged: the file cannot be read.
    """
    path = f"{home}/{CONSENTS}"
    found: dict[str, frozenset[tuple[str, str]]] = {}
    listed = _file(path, path).get("agreed", ())
    for one in listed if isinstance(listed, list) else ():
        said = one if isinstance(one, dict) else {}
        where, mark, token = said.get("checkout"), said.get("digest"), said.get("token", "")
        if isinstance(where, str) and isinstance(mark, str) and isinstance(token, str):
            found[where] = found.get(where, frozenset()) | {(mark, token)}
    return found


def find_root(start: str) -> str:
    """Return the nearest folder with a ledger, else the git top level, else where we are."""
    here, top = os.path.abspath(start), None
    while True:
        if os.path.isdir(f"{here}/{FOLDER}"):
            return here
        if top is None and os.path.exists(f"{here}/.git"):
            top = here
        above = os.path.dirname(here)
        if above == here:
            return top or start
        here = above


def named_git(environ: Mapping[str, str] = os.environ) -> tuple[str, str, str] | None:
    """Return git's folder, its work tree and the current folder, if the environment names git's.

    Without a work tree in the environment its name is empty.
    """
    folder, tree = environ.get("GIT_DIR"), environ.get("GIT_WORK_TREE")
    if not folder:
        return None
    try:
        return os.path.abspath(folder), os.path.abspath(tree) if tree else "", os.getcwd()
    except OSError:
        return None


def own_model(home: str) -> dict[str, Any]:
    """Return what the user's own settings file says of a model."""
    from varves.values import written as read

    path = f"{home}/{FILE}"
    return read.model(_file(os.path.realpath(path), path), path)


def key_of(name: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return the key that a variable of the environment holds; no error ever quotes it.

    Raises:
        UsageError: there is none, or it could not be sent as it is.
    """
    key = environ.get(name, "").strip()
    if not key:
        raise UsageError(f"[model] key_env names {name}, which is not set", f"export {name}=…")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise UsageError(f"what {name} holds is no key", "a key is one word of plain characters")
    return key


def host_hints(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return what a coding agent tells the commands it runs: which it is, and for which project."""
    return {name: environ[name] for name in _HINTS if environ.get(name)}


def hook_places(
    folder: str | None, environ: Mapping[str, str] = os.environ
) -> tuple[str | None, str]:
    """Return the project a hook is for and the user's folder, whatever the settings file says.

    No project: there is no such folder, or none was named and we run in a plugin's.
    """
    home = os.path.abspath(environ.get("VARVES_HOME") or _user_folder(environ))
    if not environ.get("VARVES_ROOT") and not folder and in_plugin(environ):
        return None, home
    root = environ.get("VARVES_ROOT") or find_root(folder or os.getcwd())
    return (os.path.abspath(root) if "\0" not in root and os.path.isdir(root) else None), home


def served(environ: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Return the project and the actor of a server that a coding agent starts, where it says so.

    Agents start servers anywhere, and name the project in a variable of their own. One that names
    none and starts us in the plugin's folder leaves us lost: whatever repository that folder lies
    in is not what its user works on.
    """
    hints = host_hints(environ)
    folders = [folder for name, folder in hints.items() if name.endswith("_PROJECT_DIR")]
    there = [folder for folder in folders if "\0" not in folder and os.path.isdir(folder)]
    root = environ.get("VARVES_ROOT") or (find_root(there[0]) if there else None)
    lost = root is None and in_plugin(environ)
    return {"root": root, "actor": environ.get("VARVES_ACTOR") or None, "lost": lost}


def in_plugin(environ: Mapping[str, str] = os.environ) -> bool:
    """Tell whether we were started in a plugin's folder: one the agent names, or our own."""
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:
        return False
    for named in filter(None, map(environ.get, _PLUGIN_ROOTS)):
        top = os.path.realpath(named)
        if f"{here}/".startswith(f"{top}/") and any(_manifests(top)):
            return True
    return any('"name": "varves"' in text for text in _manifests(here))


def _manifests(folder: str) -> Iterator[str]:
    """Yield what makes a folder a plugin's."""
    for path in (f"{folder}/{name}" for name in _MANIFESTS):
        if os.path.isfile(path):
            try:
                with open(path, encoding="utf-8", errors="replace") as file:
                    yield file.read(4096)
            except OSError:
                continue


def no_color(environ: Mapping[str, str] = os.environ) -> bool:
    """Tell whether the user asked for output without colour."""
    return bool(environ.get("NO_COLOR"))


def debug(environ: Mapping[str, str] = os.environ) -> bool:
    """Tell whether internal errors are to be shown with their traceback."""
    return bool(environ.get("VARVES_DEBUG"))


def host_folders(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return where coding agents keep what they are set to, by their names, and the user's home."""
    user = os.path.expanduser("~")
    config = environ.get("XDG_CONFIG_HOME") or f"{user}/.config"
    return {
        "home": user,
        "claude-code": environ.get("CLAUDE_CONFIG_DIR") or f"{user}/.claude",
        "claude.json": (environ.get("CLAUDE_CONFIG_DIR") or user) + "/.claude.json",
        "codex": environ.get("CODEX_HOME") or f"{user}/.codex",
        "gemini": f"{environ.get('GEMINI_CLI_HOME') or user}/.gemini",
        "copilot": environ.get("COPILOT_HOME") or f"{user}/.copilot",
        "opencode": f"{config}/opencode",
        "goose": f"{config}/goose",
        "cursor": f"{user}/.cursor",
    }


def child_environ(
    changes: Mapping[str, str], environ: Mapping[str, str] = os.environ
) -> dict[str, str]:
    """Return the environment for a process of ours, with some of it changed."""
    return {**environ, **changes}


def _user_folder(environ: Mapping[str, str]) -> str:
    user = os.path.expanduser("~")
    if sys.platform == "darwin":
        return f"{user}/Library/Application Support/varves"
    return f"{environ.get('XDG_DATA_HOME') or user + '/.local/share'}/varves"


def _project(named: str | None) -> str | None:
    """Return the project's id that the environment names."""
    return safe_name(named, "project") if named else None


def _file(path: str, shown: str = PATH) -> dict[str, Any]:
    """Read a settings file; most projects have none."""
    if not os.path.lexists(path):
        return {}
    from varves.settings.tomlfile import read

    return read(path, shown)
