"""Reads the environment and `.varves/settings.toml`; no other module reads them."""

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
REMOTES = "remotes.toml"
_HINTS = (
    *("CLAUDE_PROJECT_DIR", "COPILOT_CLI", "CURSOR_PLUGIN_ROOT", "CURSOR_PROJECT_DIR"),
    *("GEMINI_PROJECT_DIR", "GEMINI_SESSION_ID", "COPILOT_PROJECT_DIR"),
)
_PLUGIN_ROOTS = ("CLAUDE_PLUGIN_ROOT", "PLUGIN_ROOT", "COPILOT_PLUGIN_ROOT", "CURSOR_PLUGIN_ROOT")
_MANIFESTS = ("plugin.json", ".claude-plugin/plugin.json", "gemini-extension.json")
LOSSY = "fast mode: the newest writes may be lost in a power cut"


class Settings(Value):
    """The settings of one opened ledger."""

    root: str
    home: str
    actor: str = "USER"
    session: str | None = None
    now: str | None = None
    teams: dict[str, str] = {}  # noqa: RUF012 - values are frozen
    mode: str = "durable"
    # clones whose memories are trusted in addition to this clone's; None: those of all clones
    strict: tuple[str, ...] | None = None
    # or "branch": the project logs of other checkouts are not read
    share: str = "worktrees"
    usage: bool = True  # whether it is recorded which memories are shown to whom
    project: str | None = None  # the id of the current project, if one was set
    tables: dict[str, dict[str, Any]] = {}  # noqa: RUF012 - the file's table of each protocol
    bridges: tuple[tuple[str, str, str], ...] = ()  # source protocol, category, target protocol
    dense: bool = True  # whether a long-running process compares meanings by default
    model: dict[str, Any] = {}  # noqa: RUF012 - the project file's [model]
    capture: str = "private"  # where hooks store captured statements: private, shared or off
    # the setting hooks.protocols of the file; None if it is not set
    driven: tuple[str, ...] | None = None
    waiting: tuple[Asked, ...] = ()  # settings that have no effect until this person agrees
    invalid: tuple[Asked, ...] = ()  # settings that cannot be read and have no effect
    git: tuple[str, str, str] | None = None  # git's folders from the environment: see `named_git`
    in_hook: bool = False  # whether a coding agent's hook opened the ledger
    odd: tuple[str, ...] = ()  # messages about settings without effect: invalid or unknown

    @property
    def hooked(self) -> tuple[str, ...]:
        """The protocols whose verbs hooks call: as set in the file, else as set up here."""
        return set_up(self.root, self.home) if self.driven is None else self.driven

    def is_waiting(self, team: str) -> bool:
        """Return whether a team's folder is set without effect: not agreed to, or unreadable."""
        return self.is_lost(team) or any(key == f"teams.{team}.root" for key, _ in self.waiting)

    def is_asking(self) -> bool:
        """Return whether a setting of the file has no effect: invalid, or without consent."""
        return bool(self.waiting or self.invalid)

    def is_lost(self, team: str) -> bool:
        """Return whether the file's settings of a team, or of all teams, cannot be read."""
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
    """Combine arguments, environment and the project's settings file, in this order of precedence.

    For a hook, a bad value or an unreadable file is not an error: see `_hasty`.
    """
    environ = os.environ
    given = root or environ.get("VARVES_ROOT") or find_root(_current_folder())
    place = os.path.abspath(given)
    if "\0" in given or not os.path.isdir(place):
        raise UsageError(f"no folder {given}", "give an existing folder with --root")
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
        in_hook=hook,
        **said | _dense(environ.get("VARVES_DENSE")),
    )


def _whole(place: str, home: str, mode: str | None) -> dict[str, Any]:
    """Return the settings of the project's file, and messages about settings without effect."""
    file = _file(f"{place}/{PATH}")
    said = _said(file, place, home, mode)
    if not file:
        return said
    from varves.values.written import odd

    return said | {"odd": (*_shown(said["invalid"]), *odd(file), *_odd(said["tables"]))}


def _odd(tables: dict[str, dict[str, Any]]) -> list[str]:
    """Return messages about unknown keys in the protocols' tables of the settings."""
    if not tables:
        return []
    from varves.protocols.tables import odd

    return odd(tables)


def _hasty(place: str, home: str) -> dict[str, Any]:
    """Return the settings of the project's file for a hook; `odd` lists those without effect.

    A hook raises no error, because nobody would see its message; verbs report what is wrong.
    """
    file: dict[str, Any] = {}
    try:
        file = _file(f"{place}/{PATH}")
        return _said(file, place, home, None)
    except Damaged as fault:
        from varves.values.guarded import spared

        said = {"driven": (), "odd": (f"Damaged: {fault}",)}
        return _said(spared(file), place, home, None) | said


def _said(file: dict[str, Any], place: str, home: str, mode: str | None) -> dict[str, Any]:
    """Return the settings of the project's file; {} if there is no file, as in most projects."""
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
        "driven": () if _is_unclear(invalid) else read.hooked(written),
        "waiting": waiting,
        "invalid": invalid,
    }


def _is_unclear(invalid: tuple[Asked, ...]) -> bool:
    """Return whether a setting in the table `hooks` is invalid."""
    return any(key.partition(".")[0] == "hooks" for key, _ in invalid)


def _shown(invalid: tuple[Asked, ...]) -> list[str]:
    """Return a list with one line about invalid settings; empty if there are none."""
    if not invalid:
        return []
    from varves.values.guarded import line

    return [line(invalid)]


def _dense(said: str | None) -> dict[str, bool]:
    """Return the value of the environment variable VARVES_DENSE; {} if it is not set."""
    if said and said not in ("0", "1"):
        raise UsageError(f"VARVES_DENSE is not 0 or 1: {said!a}", "set it to 0 or 1, or unset it")
    return {"dense": said == "1"} if said else {}


def _agreed(
    written: dict[str, Any], place: str, home: str
) -> tuple[dict[str, Any], tuple[Asked, ...], tuple[Asked, ...]]:
    """Return the settings of a project's file that this person has accepted.

    Also returns the settings that wait for consent and those that are invalid. In the user's own
    home, every setting takes effect, and an invalid setting is an error.
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
    agreed = _consents(place, home)
    waiting = tuple(one for one in asked if consents.digest(one) not in agreed)
    return consents.without(written, waiting), waiting, invalid


def waiting_now(settings: Settings) -> tuple[Asked, ...]:
    """Return the settings that wait for consent at this moment, not when the ledger was opened."""
    return _agreed(_file(f"{settings.root}/{PATH}"), settings.root, settings.home)[1]


def _consents(place: str, home: str) -> set[str]:
    """Return the digests of the settings that this person has accepted in a checkout."""
    try:
        known = agreements(home).get(checkout(place), frozenset())
    except Damaged:
        known = frozenset()
    if not known:
        return set()
    from varves.settings.checkout_token import checkout_tokens

    there = checkout_tokens(place)
    return {mark for mark, token in known if token in there}


def set_up(place: str, home: str) -> tuple[str, ...]:
    """Return the protocols for hooks that this person has set up in a checkout."""
    agreed = _consents(place, home)
    if not agreed:
        return ()
    from varves.values.consents import PROTOCOLS, digest
    from varves.values.written import HOOKED

    return tuple(name for name in HOOKED if digest((PROTOCOLS, name)) in agreed)


def _is_own(place: str, home: str) -> bool:
    """Return whether a settings file is in the user's home, and so does not come from a clone."""
    here, mine = os.path.realpath(place), os.path.realpath(home)
    return f"{here}/".startswith(f"{mine}/") or here == os.path.realpath(os.path.expanduser("~"))


def has_remotes(home: str) -> bool:
    """Return whether this person has named any remote, for any checkout."""
    return os.path.lexists(f"{home}/{REMOTES}")


def checkout(place: str) -> str:
    """Return the path under which this person's consents for a checkout are stored."""
    return os.fsencode(os.path.realpath(place)).decode("utf-8", "backslashreplace")


def agreements(home: str) -> dict[str, frozenset[tuple[str, str]]]:
    """Return this person's consents by checkout, as (digest of the setting, token or "").

    A table that says `withdrawn` takes back the consents before it.

    Raises:
        Damaged: the file cannot be read.
    """
    path = f"{home}/{CONSENTS}"
    found: dict[str, frozenset[tuple[str, str]]] = {}
    listed = _file(path, path).get("agreed", ())
    for one in listed if isinstance(listed, list) else ():
        said = one if isinstance(one, dict) else {}
        where, mark, token = said.get("checkout"), said.get("digest"), said.get("token", "")
        if not (isinstance(where, str) and isinstance(mark, str) and isinstance(token, str)):
            continue
        known = found.get(where, frozenset())
        if said.get("withdrawn") is True:
            found[where] = frozenset(pair for pair in known if pair[0] != mark)
        else:
            found[where] = known | {(mark, token)}
    return found


def _current_folder() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:
        raise UsageError(
            "the current folder no longer exists",
            "change to another folder, or give one with --root",
        ) from None


def find_root(start: str) -> str:
    """Return the nearest folder with a ledger, from `start` up; else git's top level or `start`."""
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
    """Return git's folder, its work tree and the current folder, if the environment sets GIT_DIR.

    The work tree is "" if the environment does not set GIT_WORK_TREE.
    """
    folder, tree = environ.get("GIT_DIR"), environ.get("GIT_WORK_TREE")
    if not folder:
        return None
    try:
        return os.path.abspath(folder), os.path.abspath(tree) if tree else "", os.getcwd()
    except OSError:
        return None


def own_model(home: str) -> dict[str, Any]:
    """Return the model settings of the user's own settings file."""
    from varves.values import written as read

    path = f"{home}/{FILE}"
    return read.model(_file(os.path.realpath(path), path), path)


def key_of(name: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return the key in an environment variable.

    No error message contains the key.

    Raises:
        UsageError: the variable is not set, or its value cannot be sent unchanged.
    """
    key = environ.get(name, "").strip()
    if not key:
        raise UsageError(f"[model] key_env names {name}, which is not set", f"export {name}=…")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise UsageError(
            f"the value of {name} is not a key", "a key is one word of plain characters"
        )
    return key


def host_hints(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the variables by which a coding agent identifies itself and its project."""
    return {name: environ[name] for name in _HINTS if environ.get(name)}


def hook_places(
    folder: str | None, environ: Mapping[str, str] = os.environ
) -> tuple[str | None, str]:
    """Return the project of a hook and the user's folder, without reading the settings file.

    The project is None if its folder does not exist. It is also None if no project is named and the
    current folder belongs to a plugin.
    """
    home = os.path.abspath(environ.get("VARVES_HOME") or _user_folder(environ))
    if not environ.get("VARVES_ROOT") and not folder and in_plugin(environ):
        return None, home
    root = environ.get("VARVES_ROOT") or find_root(folder or os.getcwd())
    return (os.path.abspath(root) if "\0" not in root and os.path.isdir(root) else None), home


def served(environ: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Return the project and the actor for a server, if the coding agent that starts it names them.

    Agents start servers in any folder and name the project in their own variable. If no project is
    named and the current folder belongs to a plugin, the project is `lost`, because the repository
    around the plugin is not the user's project.
    """
    hints = host_hints(environ)
    folders = [folder for name, folder in hints.items() if name.endswith("_PROJECT_DIR")]
    there = [folder for folder in folders if "\0" not in folder and os.path.isdir(folder)]
    root = environ.get("VARVES_ROOT") or (find_root(there[0]) if there else None)
    lost = root is None and in_plugin(environ)
    return {"root": root, "actor": environ.get("VARVES_ACTOR") or None, "lost": lost}


def in_plugin(environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether the current folder belongs to a coding agent's plugin.

    The agent names the folders of its plugins; the plugins of this package are recognised too.
    """
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
    """Yield the texts of the plugin manifests in a folder, if there are any."""
    for path in (f"{folder}/{name}" for name in _MANIFESTS):
        if os.path.isfile(path):
            try:
                with open(path, encoding="utf-8", errors="replace") as file:
                    yield file.read(4096)
            except OSError:
                continue


def no_color(environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether the user wants output without colour."""
    return bool(environ.get("NO_COLOR"))


def debug(environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether internal errors are shown with their traceback."""
    return bool(environ.get("VARVES_DEBUG"))


def has_screen(environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether a browser with a window of its own can be opened here."""
    if sys.platform in ("darwin", "win32"):
        return not environ.get("SSH_CONNECTION")
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def host_folders(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the settings folders of coding agents by name, and the user's home."""
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
    """Return the environment for a child process, with some variables changed."""
    return {**environ, **changes}


def _user_folder(environ: Mapping[str, str]) -> str:
    user = os.path.expanduser("~")
    if sys.platform == "darwin":
        return f"{user}/Library/Application Support/varves"
    return f"{environ.get('XDG_DATA_HOME') or user + '/.local/share'}/varves"


def _project(named: str | None) -> str | None:
    """Return the project id in the environment, or None."""
    return safe_name(named, "project") if named else None


def _file(path: str, shown: str = PATH) -> dict[str, Any]:
    """Return the content of a settings file; {} if there is no file, as in most projects."""
    if not os.path.lexists(path):
        return {}
    from varves.settings.tomlfile import read

    return read(path, shown)
