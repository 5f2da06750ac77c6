"""`python -m benchmarks.windows`: the window beside two other local viewers, fava and datasette.

Each shows the same texts from a process of its own: how long until the first page, how much memory,
a page and a search when it is warm, and what a page of another site could read. The two others are
installed into an environment that is removed afterwards. Seconds depend on what else the machine
does; so processor time is shown too.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from http.client import HTTPConnection
from random import Random
from statistics import median
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import varves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PEERS = ("fava==1.30.16", "beancount==3.2.3", "datasette==0.65.5")
WORDS = "retry payment invoice customer order account email webhook session table index deploy log"
SOUGHT = "xylophone"  # one text has it
ROUNDS = 15
_TICK = os.sysconf("SC_CLK_TCK")
_ATTEMPTS = {  # what a page of another site can make a browser send
    "no token": {},
    "foreign origin": {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
    "rebound name": {"Host": "evil.example", "Sec-Fetch-Site": "same-origin"},
}


class Viewer:
    """One viewer, served by a process.

    Args:
        name: its name.
        command: starts it on a port.
        page: its first page with texts.
        search: its page that finds one text.
        frame: the page that loads `page` by a script, if that is how the viewer works.
    """

    def __init__(
        self,
        name: str,
        command: Callable[[int], list[str]],
        page: str,
        search: str,
        *,
        frame: str | None = None,
    ) -> None:
        self.name = name
        self._port = _free()
        self.page, self.search, self.frame = page, search, frame
        self._cookie = ""
        self._began = time.perf_counter()
        self.process = subprocess.Popen(
            command(self._port), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def opened(self) -> float:
        """Wait for the first page, and return the seconds since the start of the process."""
        if self.name == "varves":
            stdout = self.process.stdout
            url = json.loads(stdout.readline())["url"] if stdout else ""
            _, headers, _ = self._until(url.partition(str(self._port))[2])
            self._cookie = headers["set-cookie"].partition(";")[0]
        self._until(self.page)
        return time.perf_counter() - self._began

    def _until(self, path: str) -> tuple[int, dict[str, str], bytes]:
        while True:
            try:
                found = self.ask(path)
            except OSError:
                time.sleep(0.01)
                continue
            if found[0] < 400:
                return found
            raise SystemExit(f"{self.name}: {path} answered {found[0]}")

    def ask(
        self, path: str, headers: dict[str, str] | None = None, *, known: bool = True
    ) -> tuple[int, dict[str, str], bytes]:
        """Send one request; return the status, the headers and the body."""
        given = {"Sec-Fetch-Site": "none", **(headers or {})}
        if known and self._cookie:
            given["Cookie"] = self._cookie
        with closing(HTTPConnection("127.0.0.1", self._port, timeout=120)) as line:
            line.request("GET", path, headers=given)
            answer = line.getresponse()
            body = answer.read()
            return answer.status, {n.lower(): v for n, v in answer.getheaders()}, body

    @property
    def memory(self) -> float:
        """The resident memory, in MB."""
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            found = re.search(r"VmRSS:\s+(\d+)", file.read())
        return int(found[1]) / 1024 if found else 0.0

    @property
    def processor(self) -> float:
        """The processor time of the process, in seconds."""
        with open(f"/proc/{self.process.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICK

    def close(self) -> None:
        """End the process."""
        self.process.terminate()
        self.process.wait(timeout=30)
        if self.process.stdout is not None:
            self.process.stdout.close()


def _free() -> int:
    with closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def texts(count: int) -> list[str]:
    """Return short made-up texts; one of them has the word that is sought."""
    chosen, words = Random(7), WORDS.split()
    found = [f"{' '.join(chosen.choices(words, k=10))} {n}" for n in range(count)]
    found[-2] = f"{SOUGHT} {found[-2]}"
    return found


def prepare(folder: str, said: list[str]) -> None:
    """Write the texts as a ledger, as a database and as a file of transactions."""
    root = f"{folder}/project"
    os.makedirs(root)
    subprocess.run(["git", "init", "--quiet", root], check=True)
    with varves.open(root, home=f"{folder}/home", actor="bench") as ledger:
        ledger.init()
        ledger.remember_many({"text": text} for text in said)
        ledger.status()
    with closing(sqlite3.connect(f"{folder}/texts.db")) as db:
        db.execute("create table texts (id integer primary key, text text)")
        db.executemany("insert into texts (text) values (?)", ((text,) for text in said))
        db.execute("create virtual table texts_fts using fts5(text, content='texts')")
        db.execute("insert into texts_fts (texts_fts) values ('rebuild')")
        db.commit()
    with open(f"{folder}/texts.beancount", "w", encoding="utf-8") as file:
        file.write('option "title" "texts"\n')
        file.write("2020-01-01 open Assets:Cash\n2020-01-01 open Expenses:Other\n")
        for n, text in enumerate(said):
            day = f"{2021 + n // 28000}-{1 + n // 2400 % 12:02}-{1 + n // 90 % 28:02}"
            file.write(f'{day} * "{text}"\n  Assets:Cash  -1 EUR\n  Expenses:Other\n')


def viewers(folder: str, peers: str) -> Iterator[Viewer]:
    """Start one viewer after the other."""
    ui = ["--root", f"{folder}/project", "--json", "ui", "--no-open", "--port"]
    yield Viewer(
        "varves",
        lambda port: [sys.executable, "-m", "varves", *ui, str(port)],
        "/",
        f"/search?q={SOUGHT}",
    )
    yield Viewer(
        "datasette",
        lambda port: [f"{peers}/datasette", f"{folder}/texts.db", "--port", str(port)],
        "/texts/texts",
        f"/texts/texts?_search={SOUGHT}",
    )
    yield Viewer(
        "fava",
        lambda port: [f"{peers}/fava", f"{folder}/texts.beancount", "--port", str(port)],
        "/texts/api/journal_page?page=1&order=desc",
        f"/texts/api/journal_page?page=1&order=desc&filter=%22{SOUGHT}%22",
        frame="/texts/journal/",
    )


def _warm(one: Viewer, path: str, word: str) -> str:
    status, _, body = one.ask(path)
    if status != 200 or word.encode() not in body:
        return f"not shown ({status})"
    took, before = [], one.processor
    for _ in range(ROUNDS):
        began = time.perf_counter()
        one.ask(path)
        took.append(time.perf_counter() - began)
    spent = (one.processor - before) / ROUNDS
    return f"{median(took) * 1000:.0f} ms ({spent * 1000:.0f} ms of a processor)"


def _size(one: Viewer) -> str:
    pages = [one.ask(path)[2] for path in (one.page, one.frame) if path is not None]
    text = pages[-1].decode("utf-8", "replace")
    found = re.findall(r'(?:src|href)="([^"]+\.(?:js|css)[^"]*)"', text)
    parts = [sum(map(len, pages))]
    for name in dict.fromkeys(found):
        path = urlsplit(name).path
        parts.append(len(one.ask(path if path.startswith("/") else f"/{path}")[2]))
    return f"{parts[0] / 1000:.0f} kB and {sum(parts[1:]) / 1000:.0f} kB of scripts and styles"


def reads(one: Viewer) -> str:
    """Return which attempts of another site bring a page with the texts."""
    found = []
    for name, headers in _ATTEMPTS.items():
        for path in (one.page, one.search):
            status, _, body = one.ask(path, headers, known=name != "no token")
            if status == 200 and any(word.encode() in body for word in ("webhook", SOUGHT)):
                found.append(name)
                break
    _, headers, _ = one.ask(one.frame or one.page)
    framed = "x-frame-options" not in headers and (
        "frame-ancestors" not in headers.get("content-security-policy", "")
    )
    return ", ".join(found + ["a frame"] * framed) or "none"


def main() -> int:
    """Measure the three, one after the other."""
    ask = argparse.ArgumentParser(prog="python -m benchmarks.windows", description=__doc__)
    ask.add_argument("--texts", type=int, default=100_000, help="how many texts (100,000)")
    ask.add_argument("--peers", help="the bin folder of an environment that has fava and datasette")
    given = ask.parse_args()
    with tempfile.TemporaryDirectory(prefix="varves-windows-") as folder:
        os.environ["HOME"] = folder
        os.environ["VARVES_HOME"] = f"{folder}/home"
        peers = given.peers
        if peers is None:
            peers = f"{folder}/peers/bin"
            subprocess.run([sys.executable, "-m", "venv", f"{folder}/peers"], check=True)
            subprocess.run([f"{peers}/pip", "install", "--quiet", *PEERS], check=True)
        said = texts(given.texts)
        prepare(folder, said)
        for one in viewers(folder, peers):
            try:
                took = one.opened()
                spent = one.processor
                print(f"{one.name}: first page after {took:.2f} s ({spent:.2f} s of a processor)")
                print(f"  memory {one.memory:.0f} MB; page {_size(one)}")
                page = _warm(one, one.page, "webhook")
                print(f"  page {page}; search {_warm(one, one.search, said[-2])}")
                print(f"  memory after {2 * ROUNDS} pages {one.memory:.0f} MB")
                print(f"  another site reads by: {reads(one)}", flush=True)
            finally:
                one.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
