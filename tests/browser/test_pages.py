"""Every page works in a real browser: both themes, a narrow screen, no script, keys alone."""

from __future__ import annotations

import pytest

MOST = 60  # pages that are looked at
NARROW = {"width": 360, "height": 740}
SKIPPED = ("/api/", "/static/", "/acts/", "step=", "as=markdown")


def reached(served):
    """Return the addresses of all pages that links lead to, one of each kind with its filters."""
    page = served.page()
    seen, waiting, kinds = [], ["/"], {}
    while waiting and len(seen) < MOST:
        path = waiting.pop(0)
        kind = path.partition("?")[0].rpartition("/")[0] if path.count("/") > 1 else path
        if path in seen or kinds.get(kind, 0) >= 3:
            continue
        kinds[kind] = kinds.get(kind, 0) + 1
        answer = page.goto(served.home + path)
        assert answer.status == 200, (path, page.inner_text("main"))
        seen.append(path)
        links = page.eval_on_selector_all("a[href]", "all => all.map(a => a.getAttribute('href'))")
        waiting += [
            one for one in links if one.startswith("/") and not any(part in one for part in SKIPPED)
        ]
    return seen


def faults_of(page):
    """Return what axe-core finds on a page."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [(one["id"], [node["html"][:200] for node in one["nodes"]][:3]) for one in found]


def test_every_page_is_accessible_in_both_themes_and_fits_a_narrow_screen(week, serve):
    served = serve()
    paths = reached(served)
    names = {path.partition("?")[0].split("/")[1] for path in paths}
    assert names >= {"", "review", "conflicts", "conflict", "timeline", "search", "shown", "memory"}
    for theme in ("light", "dark"):
        page = served.page(color_scheme=theme, bypass_csp=True)
        for path in paths:
            page.goto(served.home + path)
            assert faults_of(page) == [], (theme, path)
    narrow = served.page(viewport=NARROW)
    for path in paths:
        narrow.goto(served.home + path)
        wide = narrow.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, path
    assert served.faults == []
    assert served.strays == []


def test_every_page_is_whole_without_a_script(week, serve):
    served = serve()
    scripted, plain = served.page(), served.page(java_script_enabled=False)
    for path in ("/", "/review", "/timeline", "/search?q=payment", "/conflicts", "/health"):
        scripted.goto(served.home + path)
        plain.goto(served.home + path)
        assert plain.inner_text("main").split() == scripted.inner_text("main").split()
    plain.goto(f"{served.home}/review")
    before = plain.locator(".queue li").count()
    plain.locator("[data-key='1']").click()
    assert "Settled; this holds:" in plain.inner_text(".notice")
    assert plain.locator(".queue li").count() == before - 1
    plain.locator(".notice button").click()
    plain.wait_for_selector("text=Undone.")
    assert plain.locator(".queue li").count() == before


def test_fifty_things_are_reviewed_by_keys_alone(serve, kept):
    with kept() as ledger:
        outside = ledger.through("import")
        for n in range(50):
            outside.remember(f"Shelf {n} of the warehouse holds tea number {n * 7}")
    served = serve()
    page = served.page()
    page.keyboard.press("g")
    page.keyboard.press("r")
    page.wait_for_url("**/review")
    page.wait_for_selector(".scripted")
    pressed = 0
    for n in range(50):
        page.keyboard.press("r" if n % 5 == 0 else "a")
        pressed += 1
        left = f"{49 - n} thing" if n < 49 else "Nothing waits"
        page.wait_for_selector(f".scripted main:has-text('{left}')")
    assert pressed <= 100
    with kept() as ledger:
        assert len(ledger.waiting()) == 0
        assert len(ledger.list(status="forgotten")) == 10
        assert len(ledger.list()) == 40
    page.keyboard.press("u")
    page.wait_for_selector("text=1 thing waits")
    assert served.faults == []


def test_an_original_message_is_readable_in_both_themes_and_on_a_phone(week, serve):
    served = serve()
    for theme in ("light", "dark"):
        page = served.page(color_scheme=theme, bypass_csp=True, viewport=NARROW)
        page.goto(f"{served.home}/review")
        page.locator(".queue a:has-text('smoke test')").click()
        page.wait_for_selector("mark:has-text('always run the smoke test')")
        assert faults_of(page) == []
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert served.faults == []


def test_keys_lead_everywhere_and_letters_are_letters_in_a_field(week, serve):
    page = serve().page()
    for keys, path in (("g t", "/timeline"), ("g h", "/health"), ("?", "/keys"), ("g n", "/")):
        for key in keys.split():
            page.keyboard.press(key)
        page.wait_for_url(f"**{path}")
        page.wait_for_selector(".scripted")
    page.keyboard.press("/")
    page.wait_for_url("**/search")
    page.keyboard.type("first wait g t ? u")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=first+wait+g+t*")
    page.wait_for_selector(".scripted [data-row] a.say")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.className").startswith("say")
    page.keyboard.press("Enter")
    page.wait_for_url("**/memory/*")
    page.wait_for_selector(".scripted")
    page.keyboard.press("e")
    assert page.evaluate("document.activeElement.name") == "text"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"


def test_a_moment_is_dragged_to(week, serve):
    served = serve()
    page = served.page()
    rail = page.locator("input[type=range]")
    box = rail.bounding_box()
    page.mouse.move(box["x"] + box["width"] - 8, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.55, box["y"] + 10, steps=5)
    assert page.inner_text("[data-when]") != "Now"
    assert "as-of" not in page.url
    page.mouse.up()
    page.wait_for_url("**as-of=*")
    assert page.locator(".moment.past").count() == 1
    assert page.locator("form[action^='/acts']").count() == 0
    page.keyboard.press(".")
    page.wait_for_url(lambda url: "as-of" not in url)
    page.wait_for_selector(".scripted")
    page.keyboard.press("[")
    page.wait_for_url("**as-of=evt_*")
    page.wait_for_selector(".scripted")
    page.keyboard.press("]")
    page.wait_for_selector(".moment:not(.past)")
    assert served.faults == []


def test_what_is_written_meanwhile_is_announced_and_not_told(serve, kept):
    served = serve()
    page = served.page()
    page.wait_for_selector(".scripted")
    page.wait_for_timeout(800)  # the stream begins
    with kept() as ledger:
        ledger.remember("The harbour code is 4711")
    news = page.locator("[data-live]")
    news.wait_for(state="visible", timeout=8000)
    assert news.inner_text().startswith("1 new event")
    assert "4711" not in page.content()
    news.locator("a").click()
    page.wait_for_selector("text=The harbour code is 4711")
    assert served.faults == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_whole_window_can_be_zoomed_to_twice_its_size(week, serve, theme):
    page = serve().page(color_scheme=theme, viewport={"width": 640, "height": 450})
    for path in ("/", "/review", "/timeline", "/search?q=payment", "/health"):
        page.goto(page.url.split("/", 3)[0] + "//" + page.url.split("/")[2] + path)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
