"""One walk through a real browser: a table is made and a game played to its end, with a reload and a hostile
name. Skipped without a browser.
"""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Iterator

import pytest

import croupier

playwright = pytest.importorskip("playwright.sync_api", reason="a walk in a browser needs playwright")
uvicorn = pytest.importorskip("uvicorn", reason="games in the browser need uvicorn")
BROWSER = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
if BROWSER is None:
    pytest.skip("no Chromium is installed", allow_module_level=True)

from croupier.server.app import application  # noqa: E402
from croupier.server.store import TableStore  # noqa: E402
from croupier.server.tables import Tables  # noqa: E402

HOSTILE = "<img src=x onerror=document.title='owned'>"[:40]


@pytest.fixture
def address() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    tables = Tables(TableStore(":memory:"), ["tic_tac_toe"], croupier.load)
    server = uvicorn.Server(
        uvicorn.Config(
            application(tables, ["127.0.0.1"]), port=port, log_level="error", timeout_graceful_shutdown=1
        )
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(10)


def test_a_game_in_the_browser(address: str) -> None:
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        errors: list[str] = []
        anna, ben = (browser.new_context().new_page() for _ in range(2))
        for one in (anna, ben):
            one.on("pageerror", lambda error: errors.append(str(error)))
            one.on(
                "console", lambda message: errors.append(message.text) if message.type == "error" else None
            )
        anna.goto(address)
        anna.wait_for_selector("#seats .row")
        anna.fill("#seats .row:nth-of-type(1) input", HOSTILE)
        anna.select_option("#seats .row:nth-of-type(2) select", "person")
        anna.click("button.main")
        anna.wait_for_selector("#list a")
        links = [link.get_attribute("href") for link in anna.locator("#list a").all()]
        assert len(links) == 3
        for one, link in ((anna, links[0]), (ben, links[1])):
            one.goto(f"{address}{link}")
            one.wait_for_selector("#table .cell")
            assert "#" not in one.url, "the token leaves the address"
        anna.locator(".cell.may").nth(4).click()
        ben.wait_for_selector(".option")
        ben.keyboard.press("1")
        anna.wait_for_selector(".option")
        anna.reload()
        anna.wait_for_selector(".option")
        anna.locator(".option", has_text="(1,2)").click()
        ben.wait_for_selector(".option")
        ben.locator(".cell.may").first.focus()
        ben.keyboard.press("Enter")
        anna.wait_for_selector(".option")
        anna.locator(".option", has_text="(3,2)").click()
        for one in (anna, ben):
            playwright.expect(one.locator("#status")).to_contain_text("won by")
            assert (
                HOSTILE in one.inner_text("#status")
                and one.locator("img").count() == 0
                and "owned" not in one.title()
            )
        anna.click("text=«")
        playwright.expect(anna.locator("#over")).to_contain_text("0 of 5")
        assert anna.locator(".piece").count() == 0
        assert not [error for error in errors if "favicon" not in error]
        browser.close()


def test_two_seats_in_two_tabs_of_one_browser(address: str) -> None:
    """The link of the second seat asks; then each tab has its own seat, and keeps it."""
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        context = browser.new_context()
        first = context.new_page()
        first.goto(address)
        first.wait_for_selector("#seats .row")
        first.select_option("#seats .row:nth-of-type(2) select", "person")
        first.click("button.main")
        first.wait_for_selector("#list a")
        links = [link.get_attribute("href") for link in first.locator("#list a").all()]
        first.goto(f"{address}{links[0]}")
        first.wait_for_selector(".option")
        second = context.new_page()
        second.goto(f"{address}{links[1]}")
        second.locator("dialog .option", has_text="Sit in this tab as player 2").click()
        second.wait_for_selector("#table .cell")
        first.locator(".cell.may").nth(4).click()
        second.wait_for_selector(".option")
        playwright.expect(first.locator(".option")).to_have_count(0)
        for tab in (first, second):
            tab.reload()
        second.wait_for_selector(".option")
        playwright.expect(first.locator(".option")).to_have_count(0)
        browser.close()
