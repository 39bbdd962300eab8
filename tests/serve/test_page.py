"""The page in a browser: by mouse, by keyboard, on narrow screens, and accessible."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import ok
from tiny_model import rows

LONG_QUESTION = "What did Emma say that a cat liked?"


@pytest.fixture
def page(browser, server) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1000, "height": 800})
    page = context.new_page()
    faults: list[str] = []
    page.on(
        "console", lambda message: faults.append(message.text) if message.type == "error" else None
    )
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: _check_host(request.url, server, faults))
    page.goto(server)
    # It opens with the answer to its first example.
    page.wait_for_selector("#parsed:not([hidden])")
    answered(page)
    page.select_option("#model", "slog")
    yield page
    # A refused request is reported on the console too.
    assert [fault for fault in faults if "status of 400" not in fault] == []
    context.close()


def _check_host(url: str, server: str, faults: list[str]) -> None:
    if not url.startswith(server):
        faults.append(f"asked {url}")


def violations(page: Any) -> list[str]:
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed"
    )
    # axe is code from outside the page, which the page's policy forbids; this goes around it.
    script = Path(axe.__file__).parent / "axe.min.js"
    session = page.context.new_cdp_session(page)
    session.send("Runtime.evaluate", {"expression": script.read_text(encoding="utf-8")})
    found = session.send(
        "Runtime.evaluate", {"expression": "axe.run()", "awaitPromise": True, "returnByValue": True}
    )
    results = found["result"]["value"]
    assert results["passes"], results
    return [
        f"{one['id']}: {node['html'][:200]}"
        for one in results["violations"]
        for node in one["nodes"]
    ]


def answered(page: Any) -> None:
    page.wait_for_function("() => !document.getElementById('status').textContent")


def parse(page: Any, sentence: str) -> None:
    page.fill("#sentence", sentence)
    page.click("#form-parse button")
    answered(page)
    page.evaluate("() => { document.querySelector('#parsed details').open = true; }")


def test_a_question_is_parsed_and_drawn(page) -> None:
    parse(page, "Who did Emma give a cake to?")
    assert page.inner_text("#meaning").startswith("give . agent ( x _ 3 , Emma )")
    card = page.locator("#roles .card", has_text="give")
    assert "to whom or for whom" in card.locator("dt").all_inner_texts()
    assert card.locator("dd").all_inner_texts() == ["Emma", "Who", "cake"]
    # Roles, tree and graph.
    assert page.locator("#pictures svg").count() == 3
    assert "recipient" in page.locator("#pictures svg >> nth=0").inner_html()
    assert page.locator("#pictures svg >> nth=1").inner_html().count("APP_") >= 4
    assert violations(page) == []


def test_the_decoder_is_switched_without_a_request(page) -> None:
    parse(page, "Who did Emma give a cake to?")
    page.check("input[value=astar]")
    assert page.inner_text("#meaning") == (
        "There is no meaning: the model learned no way to combine these words (no well-typed tree)."
    )
    assert violations(page) == []
    page.check("input[value=astar-gap]")
    assert page.inner_text("#meaning").startswith("give")


def test_an_example_is_parsed_by_a_click_and_the_link_holds_it(page) -> None:
    card = page.locator(".card", has_text="Parallel Meaning Bank")
    card.locator("button >> nth=0").click()
    page.wait_for_function("() => location.hash.includes('pmb')")
    assert "Parallel Meaning Bank" in page.inner_text("#reads")
    meaning = page.inner_text("#meaning")
    assert "Agent" in page.locator("#pictures svg >> nth=0").inner_html()
    page.reload()
    page.wait_for_selector("#parsed:not([hidden])")
    assert page.input_value("#model") == "pmb"
    assert page.inner_text("#meaning") == meaning
    assert violations(page) == []


def test_the_next_readings_are_shown_by_a_click(page) -> None:
    page.select_option("#model", "pmb")
    parse(page, "I saw the man.")
    shown = page.inner_text("#meaning")
    page.click("#next")
    page.wait_for_selector("#ranks:not([hidden])")
    buttons = page.locator("#ranks button")
    assert page.inner_text("#meaning") == shown
    meanings = []
    for i in range(buttons.count()):
        buttons.nth(i).click()
        assert buttons.nth(i).get_attribute("aria-pressed") == "true"
        meanings.append(page.inner_text("#meaning"))
    assert len(set(meanings)) == len(meanings) > 1
    assert shown in meanings
    assert violations(page) == []
    page.select_option("#model", "slog")
    parse(page, "Who did Emma give a cake to?")
    page.click("#next")
    page.wait_for_selector("#none:not([hidden])")


def test_unknown_words_are_marked_in_the_sentence(page) -> None:
    parse(page, "Emma saw a wug, Liam slept.")
    assert page.locator("#words mark").all_inner_texts() == ["wug", ","]
    assert page.inner_text("#words") == "Emma saw a wug, Liam slept."


def width(page: Any, selector: str) -> float:
    return float(page.locator(selector).bounding_box()["width"])


def test_a_wide_picture_fits_and_is_zoomed_and_dragged(page) -> None:
    parse(page, "Emma said that " * 9 + "Liam slept.")
    figure = page.locator("#pictures figure >> nth=1")
    box = figure.locator(".picture")
    drawing, place = "#pictures figure >> nth=1 >> svg", "#pictures figure >> nth=1 >> .picture"
    fitting = width(page, drawing)
    assert fitting <= width(page, place)
    figure.get_by_text("+", exact=True).click()
    assert width(page, drawing) == pytest.approx(1.5 * fitting, rel=0.01)
    middle = box.evaluate("box => box.scrollLeft")
    assert middle > 0
    area = box.bounding_box()
    page.mouse.move(area["x"] + 300, area["y"] + 50)
    page.mouse.down()
    page.mouse.move(area["x"] + 200, area["y"] + 50)
    page.mouse.up()
    assert box.evaluate("box => box.scrollLeft") == pytest.approx(middle + 100, abs=2)
    box.focus()
    page.keyboard.press("+")
    assert width(page, drawing) == pytest.approx(2.25 * fitting, rel=0.01)
    assert violations(page) == []
    page.keyboard.press("0")
    assert width(page, drawing) == pytest.approx(fitting)


def test_an_error_replaces_the_answer_until_the_next_request(page) -> None:
    parse(page, "Emma slept.")
    page.fill("#sentence", "   ")
    page.click("#form-parse button")
    page.wait_for_selector("#error:not([hidden])")
    assert page.inner_text("#error") == "No answer: empty, expected a sentence"
    assert page.locator("#parsed").is_hidden()
    assert violations(page) == []
    parse(page, "Emma slept.")
    assert page.locator("#error").is_hidden()
    assert page.locator("#parsed").is_visible()


def test_the_input_grows_with_its_text(page) -> None:
    page.fill("#sentence", "Emma slept.")
    line = page.locator("#sentence").bounding_box()["height"]
    page.fill("#sentence", "Emma said that " * 20 + "Liam slept.")
    assert page.locator("#sentence").bounding_box()["height"] > 2 * line
    page.fill("#sentence", "Emma slept.")
    assert page.locator("#sentence").bounding_box()["height"] == line


def test_arguments_light_their_words(page) -> None:
    parse(page, "Emma saw the cake on the table.")
    page.locator("#roles dd .linked", has_text="the cake").first.hover()
    assert page.locator("#words .lit").all_inner_texts() == ["the", "cake", "on", "the", "table"]
    page.locator("h1").hover()
    assert page.locator("#words .lit").count() == 0


def test_another_model_has_its_own_notation(page) -> None:
    page.select_option("#model", "monotonicity")
    assert page.locator("#parsed").is_hidden()
    parse(page, "Few dogs ran.")
    # Tree, graph and boxes.
    assert page.locator("#pictures svg").count() == 3


def test_everything_is_reached_by_keyboard(page) -> None:
    def focused() -> str:
        return str(
            page.evaluate("() => document.activeElement.id || document.activeElement.tagName")
        )

    page.keyboard.press("Tab")
    assert focused() == "A"
    page.keyboard.press("Tab")
    assert focused() == "sentence"
    page.keyboard.press("Control+A")
    page.keyboard.type("Who did Emma give a cake to?")
    page.keyboard.press("Enter")
    answered(page)
    page.focus("#parsed summary")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    assert page.locator("input[value=astar]").is_checked()
    assert "no well-typed tree" in page.inner_text("#meaning")


def test_rows_of_train_are_examples_of_an_own_model(browser, own_server) -> None:
    page = browser.new_page()
    page.goto(own_server)
    page.wait_for_selector("#parsed:not([hidden])")
    buttons = page.locator("#cards button")
    assert buttons.count() == 3
    assert page.input_value("#sentence") == buttons.nth(0).inner_text()
    page.evaluate("() => { document.getElementById('try').open = true; }")
    text = buttons.nth(2).inner_text()
    assert text in [row[0] for row in rows()]
    buttons.nth(2).click()
    answered(page)
    page.wait_for_function(
        "text => document.getElementById('words').textContent === text", arg=text
    )
    assert page.locator("#meaning.bad").count() == 0
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_page_scrolls_down_alone(page, scheme) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 320, "height": 640})
    parse(page, LONG_QUESTION)
    widths = page.evaluate("() => [document.documentElement.scrollWidth, window.innerWidth]")
    assert widths[0] <= widths[1]
    assert violations(page) == []


# --- pages of evaluations


@pytest.fixture(scope="module")
def gold(tmp_path_factory) -> Path:
    """Write gold rows, some of them wrong on purpose; return the file."""
    # Every second gold meaning has a wrong role: experiencer instead of agent.
    lines = [
        "\t".join((sentence, form.replace("agent", "experiencer") if i % 2 else form, kind))
        for i, (sentence, form, kind) in enumerate(rows())
    ]
    path = tmp_path_factory.mktemp("pages") / "gold.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def offline(browser) -> Iterator[Any]:
    context = browser.new_context(offline=True)
    page = context.new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    assert faults == []
    context.close()


def shown(page: Any) -> int:
    return int(page.locator("article:visible").count())


def test_the_page_of_wrong_answers_is_accessible_and_narrow(tiny, gold, offline) -> None:
    file = gold.with_suffix(".html")
    arguments = ("--model", tiny / "model", "--data", gold, "--device", "cpu")
    ok("evaluate", *arguments, "--html", file)
    offline.goto(file.as_uri())
    assert shown(offline) == len(rows()) // 2
    assert violations(offline) == []
    offline.set_viewport_size({"width": 320, "height": 640})
    widths = offline.evaluate("() => [document.documentElement.scrollWidth, window.innerWidth]")
    assert widths[0] <= widths[1]
