"""Recognises a shell command by its shape: what somebody ran, and no statement about it.

A command begins with a program in small letters or with a path, and has no word that only a
sentence has ("git push --force is forbidden"). Then one sign is enough: an option, a pipe, a known
program with a path, or a known program with one of its commands.
"""

from __future__ import annotations

import re

_PROMPT = re.compile(r"[$%] (?=\S)")
_BEFORE = re.compile(r"(?:(?:sudo|env|time|nohup|command)\s+|[A-Z_][A-Z0-9_]*=\S*\s+)*")
_QUOTED = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`|\$\([^)\n]*\)")
_FIRST = re.compile(r"(?:~|\.{1,2})?/[\w./-]+$|[a-z][a-z0-9_.+-]*$")
_SYNTAX = re.compile(r"\s-{1,2}[a-zA-Z]|\s(?:\|\|?|&&)\s|\d>&\d|\$[A-Z{]")
_PATH = re.compile(r"\s\S*(?:[\w.~*-]/|/\w|\w\.[a-z]|:\d|\*|=|localhost|Q_)|\s\.[\w./]*(?=\s|$)")
_SAYS = re.compile(
    r"\b(?:an?|the|is|are|was|were|be|has|have|had|do|does|did|must|should|shall|can|could|may|will"
    r"|would|not|never|always|only|we|our|you|they|it|this|that|these|for|to|of|on|in|with|without"
    r"|by|at|from|into|over|under|before|after|when|if|unless|until|because|than|and|or|but|every"
    r"|each|instead)\b(?![./=:-])",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"(?:use|prefer|run|pass|set|add|keep|enable|disable|avoid|require|drop|choose|adopt|write|call"
    r"|put|give|allow|forbid|ban|no|all|our|we)$"
)
_COMMANDED = re.compile(
    r"(?:git|gh|npm|npx|pnpm|yarn|bun|pip3?|pipx|uv|poetry|cargo|go|rustup|docker|podman|kubectl|helm"
    r"|terraform|ansible|aws|gcloud|az|brew|apt|apt-get|systemctl|varves|mvn|gradle|dotnet|ruff|alembic"
    r"|composer|bundle|rails|mix|make)$"
)
_COMMANDS = re.compile(
    r"(?:add|am|apply|attach|audit|bisect|blame|branch|build|bump|check|checkout|cherry-pick|ci|clean"
    r"|clone|compile|compose|config|commit|cp|create|deploy|describe|destroy|diff|down|downgrade|dump"
    r"|exec|export|fetch|fmt|format|freeze|gc|get|grep|help|images|import|info|init|inspect|install"
    r"|kill|lint|list|lock|log|login|logs|ls|merge|migrate|mod|mv|outdated|plan|pr|prune|ps|publish"
    r"|pull|push|rebase|reflog|remote|remove|reset|restart|restore|revert|rm|rollback|rollout|run|s3"
    r"|scale|search|show|start|stash|status|stop|submodule|switch|sync|tag|test|tidy|top|tree"
    r"|uninstall|up|update|upgrade|validate|verify|version|vet|view|why|worktree)$"
)
_PLAIN = re.compile(
    r"(?:ls|cd|pwd|ps|cp|mv|rm|mkdir|rmdir|chmod|chown|ln|sed|awk|grep|rg|fd|jq|yq|wget|curl|tar|zip"
    r"|unzip|wc|df|du|xargs|psql|mysql|sqlite3|redis-cli|ssh|scp|rsync|ping|dig|nmap|htop|strace|lsof"
    r"|netstat|echo|printf|tee|pytest|jest|vitest|mypy|tox|eslint|tsc|vim|nano|emacs|httpie)$"
)
_ENGLISH = re.compile(
    r"(?:cat|head|tail|find|sort|touch|kill|cut|watch|test|join|split|tree|diff|file|which|less|more"
    r"|top|node|python3?|ruby|java|bash|sh|zsh|open|source)$"
)
"""Programs with the name of an English word or of a language; they need a path or an option."""
_SHORT = 2


def is_command(text: str) -> bool:
    """Return whether a text is one line as somebody types it in a shell."""
    line = text.strip()
    if "\n" in line:
        return False
    if _PROMPT.match(line):
        return True
    line = _QUOTED.sub("Q_", line)
    begun = _BEFORE.match(line)
    line = line[begun.end() if begun else 0 :]
    program, *arguments = line.split() or [""]
    if not _FIRST.match(program) or _ORDERS.match(program) or _SAYS.search(line):
        return False
    if "/" in program or _SYNTAX.search(line):
        return True
    if _COMMANDED.match(program) and arguments and _COMMANDS.match(arguments[0]):
        return True
    short = len(arguments) < _SHORT
    if _PLAIN.match(program) or program == "make":
        return short or _PATH.search(line) is not None
    return _ENGLISH.match(program) is not None and _PATH.search(line) is not None
