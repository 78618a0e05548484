"""Walks through a real browser, started by `tools/walks`: whole games with bots, what several players do at
once, going back, reading everything.

With the environment variable `CROUPIER_PICTURES` each of the published games leaves pictures of a desk and of
a phone in that folder.
"""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from math import dist
from pathlib import Path
from typing import Any

import pytest

import croupier

pytestmark = pytest.mark.walk
playwright = pytest.importorskip("playwright.sync_api", reason="a walk in a browser needs playwright")
uvicorn = pytest.importorskip("uvicorn", reason="games in the browser need uvicorn")
BROWSER = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
if BROWSER is None:
    pytest.skip("no Chromium is installed", allow_module_level=True)

from croupier.server.app import application  # noqa: E402
from croupier.server.store import TableStore  # noqa: E402
from croupier.server.tables import SPECTATOR_SEAT, Tables  # noqa: E402

GAMES = {"witches_of_blackmore": 2, "una_notte_da_lupi": 4, "wednesday_hyde": 2, "vudu": 3, "baron_voodoo": 2}
SIZES = {"desk": (1400, 900), "phone": (390, 844)}
AT = dict.fromkeys(GAMES, 24) | {"una_notte_da_lupi": 3}  # decisions, after which the pictures are taken
MOST = 900  # decisions of a game
HOSTILE = "</script><img src=x onerror=alert(1)>"
MARKUP = "https://x.example/<b>{boss}</b>&amp;"

# Every text with less contrast than 4.5 to what lies behind it, every text that is wider than its box, and
# whether the page scrolls sideways.
LOOK = """() => {
  const parts = (c) => (c.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => { const f = (v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
    return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
  const seen = (c) => { const p = parts(c); return p.length > 2 && (p.length < 4 || p[3] > 0.9) ? p : null; };
  const behind = (e) => { for (; e; e = e.parentElement) { const found = seen(getComputedStyle(e).backgroundColor); if (found) return found; }
    return [255, 255, 255]; };
  const wrong = [];
  for (const e of document.querySelectorAll("body *:not(svg *):not(option)")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !e.getClientRects().length || e.closest(".skip, [aria-hidden]")) continue;
    const style = getComputedStyle(e), [a, b] = [light(parts(style.color)), light(behind(e))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) wrong.push(`${e.tagName}.${e.className} "${e.textContent.slice(0, 30)}" has a contrast of ${ratio.toFixed(2)}`);
    if (e.scrollWidth > e.clientWidth + 2 && e.clientWidth && style.display !== "inline" && style.overflowX === "visible")
      wrong.push(`${e.tagName}.${e.className} "${e.textContent.slice(0, 30)}" is wider than its box`);
  }
  for (const t of document.querySelectorAll("svg text.on")) {
    const piece = t.parentElement.querySelectorAll("rect.piece, circle.piece");
    const ink = light(parts(getComputedStyle(t).fill)), edge = light(parts(getComputedStyle(t).stroke));
    const [a, b] = [ink, edge].sort((x, y) => y - x);
    if (piece.length && (a + 0.05) / (b + 0.05) < 4.5) wrong.push(`"${t.textContent}" on a piece`);
  }
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth + 1) wrong.push(`the page is ${wide} wide, the screen ${innerWidth}`);
  return wrong;
}"""  # noqa: E501 the text as it is read


class House:
    """A server, and browsers at its tables; errors of pages are gathered."""

    def __init__(self, address: str, tables: Tables, browser: Any) -> None:
        self.address, self.tables, self.browser = address, tables, browser
        self.errors: list[str] = []

    def sit(self, link: str, size: str = "desk", scheme: str = "light") -> Any:
        """A browser of its own at a seat."""
        width, height = SIZES[size]
        page = self.browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme
        ).new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on(
            "dialog", lambda dialog: self.errors.append(f"a dialog: {dialog.message}") or dialog.dismiss()
        )
        page.goto(f"{self.address}{link}")
        page.wait_for_selector("#table section")
        return page

    def another(self, link: str) -> str:
        """One more link of the first seat of a table, as for another device: a link is used up."""
        id = link.partition("#")[0].rpartition("/")[2]
        keys = self.tables.keys_of(self.tables.find(id))
        return f"/t/{id}#{self.tables.keys.issue(id, keys, 0, anew=False)}"

    def table(
        self, ruleset: str, players: int, persons: list[int], seed: int = 1, **more: Any
    ) -> dict[int, str]:
        """A new table; the links of its seats."""
        id, tokens = self.tables.make(
            ruleset, players, persons, ["random"], more.pop("names", []), seed, **more
        )
        return {seat: f"/t/{id}#{token}" for seat, token in tokens.items()}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    file = tmp_path_factory.mktemp("walks") / "markup.yaml"
    file.write_text(HOSTILE_RULES, encoding="utf-8")
    react = file.with_name("react.yaml")
    react.write_text(REACTING, encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    limits = pytest.MonkeyPatch()
    limits.setattr("croupier.server.access.MAX_BURST", 1_000_000)
    offered = [*GAMES, "tic_tac_toe", "goofspiel", "fences", "homesteads", str(file), str(react)]
    tables = Tables(TableStore(file.with_name("tables.db")), offered, croupier.load)
    server = uvicorn.Server(
        uvicorn.Config(
            application(tables, ["127.0.0.1"]), port=port, log_level="error", timeout_graceful_shutdown=1
        )
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        found = House(f"http://127.0.0.1:{port}", tables, browser)
        found.markup, found.react = str(file), str(react)  # type: ignore[attr-defined]
        yield found
        browser.close()
    server.should_exit = True
    thread.join(10)
    limits.undo()
    assert not found.errors


HOSTILE_RULES = f"""croupier: 1
ruleset: markup
title: "<i>Markup</i>"
players: 2
components:
  Card: {{ids: [a, b, c, d]}}
zones:
  deck: {{holds: Card, order: pile, start: all, label: "<s>deck</s>"}}
  hand: {{holds: Card, per: Player, seen_by: owner}}
phases:
  play: |
    for p in players:
        draw 1 from deck to hand[p]
        choose n from 1..2 by p as "<u>take</u> {{n}} {MARKUP.replace("{boss}", "")}"
    finish win players.first as "<b>won</b>"
"""

REACTING = """croupier: 1
ruleset: react
title: React
players: 2
state:
  calls: 0..9 = 0 seen by everybody
definitions: |
  window lied(p: Player)
  in lied(p) if p != owner as "call it a lie":
      calls += 1
phases:
  play: |
    for p in turns():
        choose n from 1..3 by p as "say {n}"
        open lied(p) to others(p)
        if calls == 2: finish draw
"""


def decide(page: Any, turn: int) -> bool:
    """Take one of the options; whether there was one."""
    try:
        page.wait_for_function(
            "document.querySelector('.option') || !document.querySelector('#over').hidden", timeout=60_000
        )
    except playwright.TimeoutError:
        pytest.fail(f"nothing may be chosen, and the game is not over: {page.inner_text('body')[:300]}")
    count = page.locator(".option").count()
    if not count:
        return False
    page.evaluate(
        """(at) => new Promise((go) => { const was = document.querySelector("#log").textContent + document.querySelector("#options").textContent;
          document.querySelectorAll(".option")[at].click(); const till = Date.now() + 8000;
          const look = () => (document.querySelector("#log").textContent + document.querySelector("#options").textContent !== was || Date.now() > till
            ? go() : setTimeout(look, 5)); look(); })""",  # noqa: E501 the text as it is read
        turn % count,
    )
    return True


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_with_bots(house: House, name: str) -> None:
    names = ["Anna", "Ben", "Cleo", "Dora"][: GAMES[name]]
    links = house.table(name, GAMES[name], [0], names=names)
    page = house.sit(links[0])
    for turn in range(MOST):
        if turn == AT[name] // 2:
            page.reload()
            page.wait_for_selector("#table section")
        if turn == AT[name]:
            pictures(house, links[0], name)
        if not decide(page, turn * 7 + turn // 3):
            break
    else:
        pytest.fail("the game does not end")
    assert page.inner_text("#status").startswith("finished")
    page.click("text=«")
    playwright.expect(page.locator("#over")).to_contain_text("0 of ")


def pictures(house: House, link: str, name: str) -> None:
    """The same position on each screen, light and dark: nothing unreadable, nothing too wide; a picture of it
    if that is wanted.
    """
    folder = os.environ.get("CROUPIER_PICTURES")
    for size in SIZES:
        for scheme in ("light", "dark"):
            page = house.sit(house.another(link), size, scheme)
            assert page.evaluate(LOOK) == [], f"{name} on a {size}, {scheme}"
            if folder and scheme == "light":
                page.screenshot(path=str(Path(folder) / f"{name}_{size}.jpeg"), type="jpeg", quality=72)
            page.context.close()


def test_a_vote_at_the_same_time(house: House) -> None:
    """Each sees that others still choose, and nothing of what they chose; a sealed choice is taken back."""
    links = house.table("goofspiel", 2, [0, 1])
    anna, ben = house.sit(links[0]), house.sit(links[1])
    before = ben.inner_text("#table")
    anna.locator(".option").last.click()
    playwright.expect(anna.locator("#options")).to_contain_text("the others still choose")
    anna.click("#undo")
    playwright.expect(anna.locator(".option").first).to_be_visible()
    anna.locator(".option").first.click()
    playwright.expect(anna.locator("#options")).to_contain_text("the others still choose")
    assert ben.inner_text("#table") == before
    ben.locator(".option").first.click()
    playwright.expect(anna.locator("#log")).to_contain_text("player 2")
    playwright.expect(anna.locator("#undo")).to_be_hidden()


def test_a_reaction_in_the_turn_of_another(house: House) -> None:
    links = house.table(house.react, 2, [0, 1], names=["Anna", "Ben"])  # type: ignore[attr-defined]
    anna, ben = house.sit(links[0]), house.sit(links[1])
    for first, second in ((anna, ben), (ben, anna)):
        first.locator(".option").nth(2).click()
        playwright.expect(second.locator("#options h2")).to_contain_text("You may react to")
        assert "say 3" in second.inner_text("#options h2")
        playwright.expect(first.locator("#options")).to_contain_text("Somebody else decides")
        second.locator(".option", has_text="call it a lie").click()
    for page in (anna, ben):
        playwright.expect(page.locator("#status")).to_contain_text("finished")


def test_undo_remarks_a_fork_and_what_is_kept(house: House, tmp_path: Path) -> None:
    links = house.table("tic_tac_toe", 2, [0, 1], names=["Anna", "Ben"])
    anna, ben, looker = house.sit(links[0]), house.sit(links[1]), house.sit(links[SPECTATOR_SEAT])
    anna.locator(".cell.may").nth(4).click()
    playwright.expect(ben.locator(".option")).to_have_count(8)
    anna.click("#undo")
    playwright.expect(anna.locator(".option")).to_have_count(9)
    playwright.expect(ben.locator(".option")).to_have_count(0)
    assert looker.locator(".option").count() == 0 and looker.locator("#undo").is_hidden()
    for page, cell in ((anna, "(1,1)"), (ben, "(2,1)"), (anna, "(1,2)"), (ben, "(2,2)"), (anna, "(1,3)")):
        page.locator(".option", has_text=cell).click()
    playwright.expect(looker.locator("#status")).to_contain_text("won by Anna")
    looker.click("text=‹")
    playwright.expect(looker.locator("#over")).to_contain_text("4 of 5")
    looker.fill("#over input", "<b>here</b> it was lost")
    looker.click("text=say it")
    playwright.expect(looker.locator(".remarks")).to_contain_text("a spectator: <b>here</b> it was lost")
    with ben.expect_download() as download:
        ben.click("text=a page to watch")
    download.value.save_as(tmp_path / "game.html")
    kept = house.browser.new_page()
    kept.on("pageerror", lambda error: house.errors.append(str(error)))
    kept.goto((tmp_path / "game.html").as_uri())
    kept.wait_for_selector("#table section")
    for _ in range(4):
        kept.keyboard.press("ArrowRight")
    playwright.expect(kept.locator("#remarks")).to_contain_text("a spectator: <b>here</b> it was lost")
    looker.click("text=Go on from here")
    looker.locator("dialog select").nth(1).select_option("person")
    looker.click("dialog >> text=Make the table")
    looker.wait_for_selector("dialog #list a")
    again = house.sit(looker.locator("dialog #list a").first.get_attribute("href"))
    playwright.expect(again.locator(".option")).to_have_count(5)


def test_a_table_with_variants_parameters_and_bots(house: House) -> None:
    page = house.browser.new_page()
    page.on("pageerror", lambda error: house.errors.append(str(error)))
    page.goto(house.address)
    page.wait_for_selector("#seats .row")
    page.select_option("#game", "wednesday_hyde")
    page.wait_for_selector("#variants:not([hidden]) input", state="attached")
    page.click("#variants summary")
    page.locator("#variants label", has_text="expert").click()
    page.wait_for_timeout(1500)
    page.click("#parameters summary")
    page.fill("#parameters input[name=losses_allowed]", "3")
    page.select_option("#players", "2")
    page.fill("#seats .row:nth-of-type(1) input", HOSTILE)
    page.click("button.main")
    page.wait_for_selector("#list a")
    seat = house.sit(page.locator("#list a").first.get_attribute("href"))
    assert seat.locator("img").count() == 0 and HOSTILE in seat.inner_text("#table")
    made = house.tables.find(seat.url.rpartition("/")[2]).entry
    assert made.variants == ("expert",) and made.parameters == {"losses_allowed": 3}
    page.fill("#parameters input[name=losses_allowed]", "many")
    page.click("button.main")
    playwright.expect(page.locator("#error")).to_contain_text("losses_allowed")


def test_no_text_of_a_ruleset_is_markup(house: House) -> None:
    page = house.sit(house.table(house.markup, 2, [0, 1], names=["<u>A", "B"])[0])  # type: ignore[attr-defined]
    assert page.locator("u, s, i, b:not(.part)").count() == 0
    assert "<u>take</u> 1 https://x.example/<b></b>&amp;" in page.inner_text(
        "#options"
    ) and "<s>deck</s>" in page.inner_text("#table")


def tab_to(page: Any, selector: str, most: int = 60) -> None:
    """Press Tab until something has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    pytest.fail(f"Tab does not come to {selector}")


def test_a_whole_game_with_the_keyboard_alone(house: House) -> None:
    """A table is made, and played at to the end, and the game is watched again; nothing is clicked.

    What happens is added to the live region.
    """
    page = house.browser.new_page()
    page.on("pageerror", lambda error: house.errors.append(str(error)))
    page.goto(house.address)
    page.wait_for_selector("#seats .row")
    tab_to(page, "#game")
    page.keyboard.type("tic")
    playwright.expect(page.locator("#title")).to_contain_text("Tic")
    tab_to(page, "button.main")
    page.keyboard.press("Enter")
    page.wait_for_selector("#list a")
    tab_to(page, "#list a")
    page.keyboard.press("Enter")
    page.wait_for_selector(".option")
    page.evaluate(
        """() => { window.added = [];
          new MutationObserver((all) => all.forEach((one) => one.addedNodes.forEach((node) => window.added.push(node.textContent))))
            .observe(document.querySelector("#log"), { childList: true }); }"""  # noqa: E501 the text as it is read
    )
    for turn in range(9):
        page.wait_for_selector(".option, #over:not([hidden])")
        if not page.locator(".option").count():
            break
        count = page.locator("#log li").count()
        tab_to(page, ".skip" if turn == 0 else ".option")
        page.keyboard.press("Enter")
        if turn == 0:
            tab_to(page, ".option", 3)
            page.keyboard.press("Enter")
        page.wait_for_selector(f"#log li:nth-child({count + 1})")
    assert page.inner_text("#status").startswith("finished")
    added, lines = page.evaluate("window.added"), page.locator("#log li").all_inner_texts()
    assert len(added) == len(set(added)) and page.get_attribute("#log", "aria-live") == "polite", (
        "each line is told once"
    )
    assert [" ".join(text.split()) for text in lines[-len(added) :]] == [
        " ".join(text.split()) for text in added
    ]
    tab_to(page, "#over button")
    page.keyboard.press("Enter")
    playwright.expect(page.locator("#over")).to_contain_text("0 of ")


def test_what_lies_on_edges_is_drawn_on_the_board(house: House) -> None:
    page = house.sit(house.table("fences", 2, [0, 1])[0])
    assert page.locator("svg.board").count() == 1
    free, may = page.locator(".part .free").count(), page.locator(".part.may")
    assert free == may.count() == page.locator(".option").count()
    may.nth(3).focus()
    assert page.locator(".option").count() == free
    page.keyboard.press("Enter")
    playwright.expect(page.locator(".part .held")).to_have_count(1)


def test_edges_and_corners_of_hexagons_lie_where_they_meet(house: House) -> None:
    page = house.sit(house.table("homesteads", 2, [0])[0])
    assert page.locator("svg.board").count() == 1 and page.locator("svg.board polygon").count() == 7
    page.locator(".part.may").first.click()
    page.locator(".part.may").first.click()
    playwright.expect(page.locator(".part .held.p1")).to_have_count(2)
    house_at, path_at = (page.locator(".part .held.p1").nth(n).bounding_box() for n in (0, 1))
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in (house_at, path_at)]
    width = page.locator("svg.board polygon").first.bounding_box()["width"]
    assert dist(*middles) == pytest.approx(width / 3**0.5 / 2, rel=0.1), (
        "half an edge from the corner where it begins"
    )


def test_components_tell_their_rules_and_those_alike_are_drawn_once(house: House) -> None:
    page = house.sit(house.table("baron_voodoo", 2, [0, 1])[0])
    playwright.expect(page.locator(".thing", has_text="gold-offering")).to_have_count(1)
    assert "all dice of one line are pushed" in page.locator(".option", has_text="Mama Wata").inner_text()
    page.locator(".option", has_text="Mama Wata").hover()
    assert page.locator(".thing.lit").all_inner_texts() == ["Mama Wata"]
    page.locator(".thing", has_text="Gran Bwa").click(button="right")
    playwright.expect(page.locator("dialog .rules li")).to_have_count(2)
    assert page.locator("dialog .rules li").first.inner_text().startswith("BV-56: Gran Bwa")
