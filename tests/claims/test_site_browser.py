"""The site of a register in a real browser: a phone, a desk, a printer; light and dark."""

import pytest

from tests.claims import test_site
from tests.fixtures import chromium

pytestmark = [
    pytest.mark.skipif(chromium.find() is None, reason="not run: no Chromium on this machine"),
    pytest.mark.xdist_group("browser"),
]
WIDTHS = (320, 390, 768, 1280)
PAGES = ("index", "prefill", "tuned", "hostile", "noisy", "steady")


@pytest.fixture(scope="module")
def site(shared_publisher, tmp_path_factory):
    """Return the folder of a site with claims of every state."""
    test_site.fill(shared_publisher)
    folder = tmp_path_factory.mktemp("pages") / "site"
    result = shared_publisher.claims("render", "--site", folder)
    assert result.exit_code == 1, result.output
    return folder


@pytest.fixture(scope="module")
def browser():
    with chromium.browser() as opened:
        yield opened


def url(site, page, anchor=""):
    return f"{(site / page).as_uri()}.html{anchor}"


OVERFLOW = """[...document.querySelectorAll('body *')].filter(one => {
  if (one.closest('.wide, pre, .skip, svg')) return false;
  const box = one.getBoundingClientRect();
  return box.width && (box.right > innerWidth + 1 || box.left < -1);
}).map(one => one.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_wider_than_the_screen(browser, site, page, width):
    browser.open(url(site, page), width=width)
    browser.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    assert browser.evaluate(OVERFLOW) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_asks_for_nothing_and_complains_of_nothing(browser, site, page, scheme):
    seen = browser.open(url(site, page), scheme=scheme)
    assert [one for one in seen.requests if not one.startswith("data:")] == [url(site, page)]
    assert seen.messages == []


def test_the_policy_stops_a_script_that_got_in_all_the_same(browser, site, tmp_path):
    (tmp_path / "page.html").write_text(
        (site / "tuned.html")
        .read_text()
        .replace("</main>", "<script>window.ran = 1</script></main>")
    )
    seen = browser.open((tmp_path / "page.html").as_uri())
    assert any("Content Security Policy" in message for message in seen.messages)
    assert browser.evaluate("window.ran === undefined")


def test_markup_in_a_wording_is_words_on_the_screen(browser, site):
    browser.open(url(site, "hostile"))
    text = browser.evaluate("document.querySelector('.sentence').innerText")
    assert text.startswith('<script>alert(1)</script> & "Prefill" <img src=x onerror=alert(1)>')
    assert browser.evaluate("document.querySelectorAll('script, img').length") == 0


@pytest.mark.parametrize(("page", "anchor"), [("index", "#steady"), ("tuned", "#history")])
def test_an_anchor_brings_its_claim_or_section_onto_the_screen(browser, site, page, anchor):
    browser.open(url(site, page, anchor), width=390, height=600)
    box = f"document.getElementById('{anchor[1:]}').getBoundingClientRect().top"
    assert browser.evaluate("scrollY") > 0
    assert 0 <= browser.evaluate(box) < 600


def test_every_link_of_the_register_can_be_followed_and_leads_back(browser, site):
    browser.open(url(site, "index"))
    links = browser.evaluate("[...document.querySelectorAll('main h3 a')].map(one => one.href)")
    assert len(links) == 12
    for link in links:
        seen = browser.open(link)
        assert seen.messages == []
        back = browser.evaluate("document.querySelector('.crumb a').href")
        claim = link.rpartition("/")[2].removesuffix(".html")
        assert back == url(site, "index", f"#{claim}")


CONTRAST = """(() => {
  const part = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = c => { const [r, g, b] = c.match(/[0-9.]+/g).map(Number);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b); };
  const behind = e => { for (; e; e = e.parentElement) {
    const c = getComputedStyle(e).backgroundColor;
    if (!/rgba\\(.*, 0\\)/.test(c)) return c; } return 'rgb(255, 255, 255)'; };
  const bad = new Set();
  for (const e of document.querySelectorAll('body *')) {
    if (e.closest('title, desc')) continue;
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    const style = getComputedStyle(e);
    const ink = e.namespaceURI.endsWith('svg') ? style.fill : style.color;
    const [a, b] = [light(ink), light(behind(e))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) bad.add(e.tagName + '.' + e.className + ' ' + ink);
  }
  return [...bad];
})()"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_every_text_on_the_screen_can_be_read(browser, site, page, scheme):
    browser.open(url(site, page), scheme=scheme)
    browser.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    assert browser.evaluate(CONTRAST) == []


def test_dark_is_dark_and_light_is_light(browser, site):
    found = []
    for scheme in ("light", "dark"):
        browser.open(url(site, "index"), scheme=scheme)
        found.append(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert found == ["rgb(252, 251, 248)", "rgb(22, 21, 19)"]


def test_dots_lie_inside_the_picture_and_where_their_values_are(browser, site):
    browser.open(url(site, "prefill"), width=390)
    # A dot of no length would be lost in print.
    assert browser.evaluate("document.querySelector('svg .dots').getTotalLength()") > 0
    box = browser.evaluate(
        "(() => { const b = document.querySelector('svg .dots').getBBox();"
        " return [b.x, b.y, b.x + b.width, b.y + b.height]; })()"
    )
    assert 48 < box[0] < box[2] < 352
    assert (box[1], box[3]) == (12, 166)


def test_a_printed_page_shows_what_was_folded(browser, site):
    browser.open(url(site, "tuned"), media="print")
    seen = "document.querySelector('details td').checkVisibility()"
    assert browser.evaluate(seen) is True
    browser.open(url(site, "tuned"))
    assert browser.evaluate(seen) is False


def test_the_keyboard_reaches_the_content_first(browser, site):
    browser.open(url(site, "tuned"))
    for kind in ("keyDown", "keyUp"):
        browser.call(
            "Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9
        )
    focused = browser.evaluate("document.activeElement.getAttribute('href')")
    assert focused == "#page:content"
