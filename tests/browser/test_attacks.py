"""What a hostile page or a hostile memory can do in a real browser: nothing."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import varves
from tests.figures import note_figure

PAYLOADS = (
    "<script>window.pwned = 1</script>",
    "<img src=x onerror='window.pwned = 1'>",
    "<svg onload='window.pwned = 1'>",
    "<svg><script>window.pwned = 1</script></svg>",
    "<iframe srcdoc='<script>parent.pwned = 1</script>'></iframe>",
    "<a href='javascript:window.pwned = 1'>here</a>",
    "<form action='//evil.example'><input name=x></form>",
    "<style>*{display:none}</style>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<base href='//evil.example/'>",
    "<link rel=stylesheet href='//evil.example/x.css'>",
    "<object data='//evil.example'></object>",
    "</a></p></li></ul></main><script>window.pwned = 1</script>",
    "</textarea><script>window.pwned = 1</script>",
    "</title><script>window.pwned = 1</script>",
    "--><script>window.pwned = 1</script><!--",
    '"><script>window.pwned = 1</script>',
    "' autofocus onfocus='window.pwned = 1",
    '" autofocus onfocus="window.pwned = 1',
    "{{ 7 * 7 }} {% include '/etc/passwd' %} {{ self.__init__.__globals__ }}",
    "${7*7} #{7*7} <%= 7*7 %>",
    "javascript:window.pwned=1",
    "data:text/html,<script>window.pwned=1</script>",
    "&lt;script&gt;window.pwned = 1&lt;/script&gt;",
    "&#60;script&#62;window.pwned = 1",
    "<\x00script>window.pwned = 1</script>",
    "<scr\u200bipt>window.pwned = 1</script>",
    "\u202eabc\u202c \u2066def\u2069 \u200e\u200f",
    "\ufeff\u00ad\u2028\u2029",
    "a\tb\rc\x1b[31md\x07",
    "<math><mtext></mtext><script>window.pwned=1</script></math>",
    "<template><script>window.pwned=1</script></template>",
    "<details open ontoggle='window.pwned=1'>",
    "<video><source onerror='window.pwned=1'></video>",
    "<input autofocus onfocus='window.pwned=1'>",
    "<body onload='window.pwned=1'>",
    "<x onclick='window.pwned=1' tabindex=0 autofocus>x",
    "<button popovertarget=x>p</button><div popover id=x onbeforetoggle='window.pwned=1'>",
    "]]><script>window.pwned=1</script>",
    "%3Cscript%3Ewindow.pwned=1%3C/script%3E",
    "\\u003cscript\\u003ewindow.pwned=1",
    "'; window.pwned = 1; //",
    "`${window.pwned = 1}`",
    "<!DOCTYPE html><html><script>window.pwned=1</script>",
    "<noscript><p title='</noscript><script>window.pwned=1</script>'>",
    "<select><style></select><script>window.pwned=1</script>",
    "<plaintext>",
    "<xmp><script>window.pwned=1</script>",
    "<marquee onstart='window.pwned=1'>",
    "<embed src='//evil.example'>",
    "<portal src='//evil.example'>",
    "🏴\U000e0067\U000e0062 tags",
    "\u0645\u200c\u200d\u0627",
    "A" * 5000,
    "word " * 2000,
    "\u0301" * 200,
    "﷽" * 100,
    "-moz-binding:url(//evil.example)",
    "expression(window.pwned=1)",
    "<script src='/static/app.js?window.pwned'></script>",
)
PATHS = ("/", "/review", "/search", "/timeline", "/search?q=window+pwned+script", "/conflicts")


@pytest.fixture
def foreign(no_network):
    """Serve another site on this machine; each page is given by a test."""
    pages: dict[str, str] = {}
    asked: list[str] = []

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            body = pages.get(self.path, "").encode()
            self.send_response(200)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}", pages, asked
    server.shutdown()
    server.server_close()


def test_nothing_in_sixty_hostile_memories_runs_or_loads(serve, project):
    assert len(PAYLOADS) >= 60
    with varves.open(project) as ledger:
        outside = ledger.through("import")
        names = []
        for text in PAYLOADS:
            names += [outside.remember(f"{text} {len(names)}").id]
            ledger.remember(
                f"said: {text} {len(names)}", tags=["x"], type="note", speaker="<b>x</b>"
            )
    served = serve()
    page = served.page()
    reports = []
    page.on("request", lambda request: reports.append(request.url))
    for path in (*PATHS, *(f"/memory/{name}" for name in names), f"/review?item={names[0]}"):
        page.goto(served.home + path)
        assert page.evaluate("window.pwned") is None, path
        assert page.locator("main").is_visible()
        assert page.locator("iframe, object, embed, base, meta[http-equiv]").count() == 0
        assert page.locator("script").count() == 1
    text = page.goto(f"{served.home}/search").text()
    assert "\u202e" not in text
    assert "U+202E" in text
    assert served.faults == []  # the policy had nothing to stop, either
    assert served.strays == []
    note_figure("S9", payloads_in_pages=len(PAYLOADS), executions=0)


def test_another_site_neither_reads_nor_acts_nor_frames(serve, project, foreign):
    with varves.open(project) as ledger:
        one = ledger.remember("The harbour code is 4711")
    site, pages, asked = foreign
    served = serve()
    home = served.home
    pages["/"] = f"""<!doctype html><script>
      const told = (what) => fetch("/told?" + encodeURIComponent(what));
      (async () => {{
        for (const mode of ["cors", "no-cors"]) for (const path of ["/", "/api/list", "/live"])
          try {{
            const got = await fetch("{home}" + path, {{ mode, credentials: "include" }});
            const text = await got.text();
            await told("read:" + text.length);
          }} catch (error) {{ await told("refused"); }}
        for (const headers of [{{}}, {{ "x-varves": "1" }}])
          try {{
            await fetch("{home}/acts/forget", {{ method: "POST", credentials: "include", headers,
              body: new URLSearchParams({{ id: "{one.id}", reason: "x" }}) }});
          }} catch (error) {{ }}
        await told("done");
      }})();
    </script>
    <iframe src="{home}/"></iframe>
    <img src="{home}/static/icon.svg">
    <script src="{home}/api/list"></script>"""
    pages["/form"] = f"""<!doctype html><form method="post" action="{home}/acts/forget">
      <input name="id" value="{one.id}"><input name="reason" value="x"></form>
      <script>document.forms[0].submit()</script>"""
    page = served.page()
    with page.expect_request(lambda request: "told?done" in request.url):
        page.goto(f"{site}/")
    reads = [path for path in asked if "read" in path]
    assert all(path.endswith("read%3A0") for path in reads), reads
    frame = next(one for one in page.frames if one != page.main_frame)
    assert "4711" not in frame.content()
    page.goto(f"{site}/form")
    page.wait_for_url(f"{home}/acts/forget")
    assert "4711" not in page.content()
    with varves.open(project) as ledger:
        assert ledger.show(one.id).status == "active"


def test_another_browser_sees_nothing(serve, project, engine):
    with varves.open(project) as ledger:
        ledger.remember("The harbour code is 4711")
    served = serve()
    served.page()
    stranger = engine.new_context().new_page()
    for path in ("/", "/api/list", "/live", served.address.removeprefix(served.home)):
        answer = stranger.goto(served.home + path)
        assert answer.status in (401, 403)
        assert "4711" not in answer.text()
    stranger.context.close()
