"""The site of a register: what a reader is shown, what is withheld, and that pages are sound."""

import re
import shutil
import subprocess
from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest
from markupsafe import escape

from claims import desk
from claims.judging import values
from claims.judging.chain import Evidence
from claims.judging.judge import Judgement
from claims.numerals import numbers
from claims.registers.model import Claim
from claims.site import pages
from claims.site.record import Record
from claims.site.view import Gallery

NOON = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)
PREFILL = "Prefill reaches 163.77 tok/s (median of 3 repetitions)."
TUNED = "The tuned decoder runs at 1.25× the plain one (n = 5)."
HOSTILE = (
    '<script>alert(1)</script> & "Prefill" <img src=x onerror=alert(1)> '
    "{value:.2f} {unit} (n = {n})."
)
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
TOOLS = ("bash", "sqlite3", "sha256sum", "openssl", "ssh-keygen")


def register(publisher):
    """Return claims that hold, some that are refused each for its own reason, one to withdraw."""
    level, change = publisher.level, publisher.change
    scope = {"cell": "decode-v8", "lane": "greedy"}
    return {
        "prefill": {
            **level,
            "scope": {"n_ubatch": 512, "cell": "pp2048"},
            "owner": "the kernel team",
        },
        "tuned": {**change, "scope": scope, "must_retain": ["n = 5"], "forbidden": ["every"]},
        "plain-level": {
            **level,
            "id": "plain-level",
            "wording": "The plain decoder runs at {value:.0f} {unit} (median of {n} repetitions).",
            "metric": "decode_tok_s",
            "evidence": [{"entry": "EXACT", "arm": "plain"}],
        },
        "hostile": {**level, "id": "hostile", "wording": HOSTILE},
        "steady": {**level, "id": "steady", "evidence": [{"entry": "STEADY"}]},
        "noisy": {**change, "id": "noisy", "evidence": [{"entry": "NOISY"}]},
        "other": {**change, "id": "other", "evidence": [{"entry": "OTHER"}]},
        "wide": {**change, "id": "wide", "wording": "It is {ratio:.3f}× as fast on every machine."},
        "unapproved": {**level, "id": "unapproved"},
        "target": {**level, "id": "target", "tag": "target"},
        "mistyped": {
            **change,
            "id": "mistyped",
            "wording": "{ratio:.2f} ms at {percent:.1f} tok/s",
        },
        "changed": {**level, "id": "changed"},
    }


def fill(publisher):
    """Write the register, approve what holds, correct, retract and withdraw."""
    claims = register(publisher)
    publisher.write(*claims.values())
    for claim in ("prefill", "plain-level", "hostile", "steady", "changed"):
        assert publisher.claims("approve", claim).exit_code == 0
    done = publisher.claims("approve", "tuned", "--condition", "quote it with <its> machine")
    assert done.exit_code == 0, done.output
    assert (
        publisher.claims("withdraw", "steady", "--reason", "it said 204,787.5 tok/s").exit_code == 0
    )
    claims["changed"]["scope"] = {"cell": "pp2048"}
    publisher.write(*claims.values())
    with publisher.open() as ledger:
        exact = ledger.resolve("EXACT").id
    publisher.append(
        kind="CORRECTION",
        targets=[exact],
        title="the lesson",
        reason="a <b>word</b> was wrong",
        affects=["lesson"],
    )


def build(publisher, **options):
    """Return the pages of the publisher's register, and its judgements by claim."""
    with desk.open_desk(lambda _: None) as opened:
        done = opened.judgements(())
        made = pages.build(opened, done, lambda: NOON, **options)
        return made, {judgement.claim.id: judgement for judgement in done}


@pytest.fixture(scope="module")
def filled(shared_publisher):
    fill(shared_publisher)
    return shared_publisher


@pytest.fixture(scope="module")
def built(filled):
    return build(filled)


@pytest.fixture(scope="module")
def made(built):
    return {name: data.decode() for name, data in built[0].items() if name.endswith(".html")}


@pytest.fixture(scope="module")
def judged(built):
    return built[1]


class Reader(HTMLParser):
    """Reads a page as a browser would, and keeps what must be true of it."""

    def __init__(self, text):
        super().__init__()
        self.open, self.faults, self.ids, self.links = [], [], [], []
        self.words, self.tags, self.headings, self.labels = [], [], [], []
        self.feed(text)
        self.close()
        self.faults += [f"{tag} is never closed" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append((tag, attrs))
        self.ids += [attrs["id"]] if "id" in attrs else []
        self.links += [attrs["href"]] if tag == "a" else []
        self.labels += attrs.get("aria-labelledby", "").split()
        self.headings += [int(tag[1])] if re.fullmatch("h[1-6]", tag) else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> at {self.getpos()} closes {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("style", "title"):
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


@pytest.fixture(scope="module")
def read(made):
    return {name: Reader(text) for name, text in made.items()}


# --- pages as pages ------------------------------------------------------------------------------


def test_there_is_one_page_a_claim_under_its_own_name_and_an_index(made, filled):
    assert sorted(made) == sorted(["index.html", *(f"{claim}.html" for claim in register(filled))])


def test_tags_balance_ids_are_unique_and_every_link_leads_somewhere(read, built):
    for name, page in read.items():
        assert page.faults == [], name
        assert len(set(page.ids)) == len(page.ids), name
        for link in page.links:
            file, _, anchor = link.partition("#")
            if file.endswith(".sh"):
                assert file in built[0], (name, link)
                continue
            target = read[file or name]
            assert not anchor or anchor in target.ids, (name, link)
        assert set(page.labels) <= set(page.ids), name


def test_headings_go_down_one_level_at_a_time_and_landmarks_are_there(read):
    for name, page in read.items():
        assert page.headings[0] == 1, name
        assert page.headings.count(1) == 1, name
        steps = zip(page.headings, page.headings[1:], strict=False)
        assert all(below <= above + 1 for above, below in steps), name
        tags = [tag for tag, _ in page.tags]
        assert [tags.count(one) for one in ("header", "main", "footer")] == [1, 1, 1], name


def test_pages_forbid_themselves_to_run_or_to_fetch_anything(read, made):
    for name, page in read.items():
        (policy,) = (a["content"] for _, a in page.tags if a.get("http-equiv"))
        assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:")
        tags = {tag for tag, _ in page.tags}
        assert not tags & {"script", "img", "iframe", "object", "embed", "form", "base"}, name
        assert not [a for _, a in page.tags if any(key.startswith("on") for key in a)], name
        assert "http://" not in made[name], name
        assert "https://" not in made[name], name


def test_what_somebody_wrote_is_text_and_never_markup(read, made):
    (sentence,) = (b for a, b in [("", read["hostile.html"].text)])
    assert '<script>alert(1)</script> & "Prefill" <img src=x onerror=alert(1)> 163.77' in sentence
    for page in ("index.html", "hostile.html"):
        assert "<script" not in made[page]
        assert "&lt;script&gt;" in made[page]
    assert "a <b>word</b> was wrong" in read["tuned.html"].text
    assert "quote it with <its> machine" in read["tuned.html"].text


def test_the_same_ledger_register_and_time_give_the_same_bytes(filled, built):
    assert build(filled)[0] == built[0]


def test_another_time_changes_nothing_but_the_time(filled, built):
    with desk.open_desk(lambda _: None) as opened:
        later = pages.build(opened, opened.judgements(()), lambda: NOON.replace(hour=13))
    back = {name: data.replace(b"13:00:00", b"12:00:00") for name, data in later.items()}
    assert back == built[0]


@pytest.mark.parametrize("scheme", ["light", "dark", "print"])
def test_every_colour_of_text_stands_out_from_what_is_behind_it(scheme):
    css = (pages.PackageLoader("claims.templates", "").get_source(None, "site.css.j2"))[0]
    blocks = re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    assert len(blocks) == 3
    found = [dict(re.findall(r"--(\w+): (#\w{6});", block)) for block in blocks]
    light, dark, printed = found
    colours = {"light": light, "dark": light | dark, "print": light | printed}[scheme]
    for behind in ("paper", "card", "code"):
        for name in (
            "ink",
            "soft",
            "link",
            "holds",
            "refused",
            "withdrawn",
            "stated",
            "first",
            "second",
        ):
            assert contrast(colours[name], colours[behind]) >= 4.5, (name, behind)


def contrast(one, other):
    """Return the contrast ratio of two colours by WCAG 2."""

    def luminance(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_characters_that_nobody_sees_are_spelled_out(publisher):
    odd = "Prefill\u202e at \u2066{value:.2f}\u0007 {unit}\ud800 (n = {n})."
    claim = Claim.model_construct(
        **{**Claim.model_validate(publisher.level).__dict__, "wording": odd}
    )
    done = Judgement(claim, Evidence())
    publisher.write(publisher.level)
    done.refuse("CLM318", "a \x1b[31mred\x1b[0m \udcff word")
    with desk.open_desk(lambda _: None) as opened:
        made = pages.build(opened, [done], lambda: NOON)
    text = made["prefill.html"].decode()
    assert "Prefill\\u202e at \\u2066[unavailable]\\u0007 tok/s\\ud800 (n" in text
    assert "a \\u001b[31mred\\u001b[0m \\udcff word" in text


# --- a claim that holds --------------------------------------------------------------------------


def test_a_level_shows_sentence_value_scope_and_every_row(read, filled):
    text = read["prefill.html"].text
    for shown in (
        *(PREFILL, "median 163.772 tok/s", "run 3 163.772 161.167 167.707 2.01 %"),
        *("n_ubatch 512", "cell pp2048", "the kernel team", "needs 3 repetitions at least"),
        "0 167.706934 tok/s from samples_ns 12211778884, samples_ts 167.707",
        "higher is better",
    ):
        assert shown in text, shown
    receipt = filled.receipt("cells")
    assert f"receipt {receipt.digest} signed by {receipt.envelope.keyid}" in text
    assert f"file {receipt.require('raw')}" in text


def test_a_change_shows_both_arms_their_receipts_and_the_conditions(read, filled):
    text = read["tuned.html"].text
    for shown in (
        *(TUNED, "ratio of medians 1.24", "plain (baseline) 5", "tuned (candidate) 5"),
        *("must say n = 5", "must not say every", "on condition quote it with <its> machine"),
        *("Anchor of the baseline: plain-anchor", "10 receipts, each with its raw file"),
    ):
        assert shown in text, shown
    for made in filled.repetitions("exact"):
        assert f"{made.digest} signed by {made.envelope.keyid}" in text
        assert made.require("raw") in text


def test_the_picture_has_a_dot_for_every_repetition_and_says_the_same_in_words(made):
    dots = re.findall(r'class="dots arm(\d)" d="([^"]*)"', made["tuned.html"])
    assert [(arm, path.count("M")) for arm, path in dots] == [("0", 5), ("1", 5)]
    description = re.search(r'<desc id="plot-text">(.*?)</desc>', made["tuned.html"])[1]
    assert "plain: 5 from " in description
    assert "tuned: 5 from " in description
    assert description.count("median") == 2


def test_banners_stand_in_the_chain_and_in_the_history(read):
    page = read["tuned.html"].text
    assert page.count("CORRECTED by entry") == 1
    assert page.count("a <b>word</b> was wrong; struck: lesson") == 2
    history = page[page.index("History") :]
    assert history.index("Recorded by entry") < history.index("Approved by entry")
    assert history.index("Approved by entry") < history.index("Corrected by entry")


def test_what_is_not_established_is_said_on_every_page(read):
    for name, page in read.items():
        if name != "index.html":
            assert "that the machine was otherwise idle" in page.text
            assert "What the record does not establish" in page.text
    assert "the file was attached, and nobody watched" in read["prefill.html"].text
    assert "the file was attached" not in read["tuned.html"].text
    assert "no floor is on record for this cell here" in read["tuned.html"].text


@pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in TOOLS), reason=f"not run: needs {TOOLS}"
)
@pytest.mark.parametrize("claim", ["prefill", "tuned", "steady", "noisy"])
def test_the_commands_of_a_page_verify_its_chain_and_find_a_changed_byte(
    filled, built, made, claim, tmp_path
):
    script = built[0][f"{claim}.verify.sh"].decode()
    assert escape(script) in made[f"{claim}.html"]
    copy = tmp_path / "copy"
    shutil.copytree(filled.root, copy)

    def run():
        return subprocess.run(["bash", "-c", script], cwd=copy, capture_output=True, text=True)

    done = run()
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("ok: ")
    assert filled.keys["operator"].public.fingerprint in done.stdout
    for path in re.findall(r"^\w{64}  (evidence/.*)$", script, re.MULTILINE)[-2:]:
        whole = (copy / path).read_bytes()
        (copy / path).chmod(0o644)
        (copy / path).write_bytes(bytes([whole[0] ^ 1]) + whole[1:])
        assert run().returncode != 0, path
        (copy / path).write_bytes(whole)
    assert run().returncode == 0
    other = filled.keys["stranger"].public
    forged = re.sub(r"(?m)^(signed \S+) \S+$", rf"\1 {other.openssh.split()[1]}", script)
    assert forged != script
    refused = subprocess.run(["bash", "-c", forged], cwd=copy, capture_output=True, text=True)
    assert refused.returncode != 0


# --- a claim that does not hold ------------------------------------------------------------------

REFUSED = {
    "noisy": "CLM306",
    "other": "CLM320",
    "wide": "CLM203",
    "unapproved": "CLM401",
    "target": "CLM405",
    "mistyped": "CLM104",
    "changed": "CLM401",
    "steady": "CLM401",
}


@pytest.mark.parametrize("claim", REFUSED)
def test_a_claim_that_does_not_hold_is_unavailable_with_its_reasons(read, claim):
    for name in ("index.html", f"{claim}.html"):
        assert REFUSED[claim] in read[name].text
    assert "Unavailable" in read[f"{claim}.html"].text
    assert "svg" not in {tag for tag, _ in read[f"{claim}.html"].tags}


SPREAD = {"cv", "baseline.cv", "candidate.cv"}


def is_spread(number, judgement):
    """Say whether a number is a CV of the claim, or the limit of five percent in every plan."""
    return values.agrees(number, judgement.values, SPREAD) or (number.text, number.unit) == (
        "5",
        "%",
    )


@pytest.mark.parametrize("claim", REFUSED)
def test_no_number_of_a_refused_claim_is_on_its_page_or_in_the_index(made, read, judged, claim):
    judgement = judged[claim]
    line = re.search(rf'<li id="{claim}".*?\n</li>\n', made["index.html"], re.DOTALL)[0]
    prose = re.sub(r"<pre.*?</pre>|<style.*?</style>", "", made[f"{claim}.html"], flags=re.DOTALL)
    for source in (line, prose):
        text = Reader(source).text
        # How busy the machine was is said all the same: it is no number of the claim.
        about_it = re.sub(r"that [^:]+ ran undisturbed: .*? \(limit \S+ %\)", "", text)
        told = [n for n in numbers.find(about_it) if numbers.is_measurement(n.unit)]
        assert [n for n in told if not is_spread(n, judgement)] == [], claim
        shown = [
            n
            for n in numbers.find(text)
            if values.agrees(n, judgement.values, {*judgement.values} - SPREAD)
        ]
        assert shown == [], claim
        for name, value in judgement.values.items():
            if not isinstance(value, int | str) and name not in SPREAD:
                assert f"{float(value):.2f}" not in source, name


def test_the_same_claims_do_have_numbers_to_withhold(judged):
    with_values = [claim for claim in REFUSED if judged[claim].values]
    assert sorted(with_values) == sorted({*REFUSED} - {"other"})


def test_the_twin_that_holds_shows_its_number_on_both_pages(read):
    for name in ("index.html", "prefill.html"):
        assert PREFILL in read[name].text


def test_a_withdrawn_claim_stands_beside_the_others_with_its_reason(read):
    index = read["index.html"].text
    assert "Withdrawn: it said [withheld] tok/s" in index
    order = [tag["id"] for name, tag in read["index.html"].tags if name == "li" and "id" in tag]
    assert order.index("steady") == 4
    assert "Withdrawn by entry" in read["steady.html"].text


def test_a_claim_that_left_the_register_is_still_named(filled, made):
    kept = (filled.root / "claims.yaml").read_bytes()
    try:
        filled.write(filled.level)
        index = Reader(build(filled)[0]["index.html"].decode()).text
    finally:
        (filled.root / "claims.yaml").write_bytes(kept)
    gone = index[index.index("No longer in the register") :]
    assert "tuned : approved by entry" in gone
    assert "taken out of the register since" in gone
    assert "steady : withdrawn by entry" in gone
    assert "204,787.5" not in index
    assert "No longer in the register" not in made["index.html"]


def test_the_index_counts_and_names_the_ledger_its_head_and_its_standing(read, filled):
    text = read["index.html"].text
    assert "4 hold 7 refused 1 withdrawn" in text
    with filled.open() as ledger:
        head = ledger.entry(ledger.size - 1).id
        told = f"{ledger.size} entries verified, anchored to the remembered head"
    assert f"head {head}" in text
    assert told in text
    assert "generated 2026-11-30 12:00:00 UTC" in text
    assert "Unsealed engineering evidence" in text


def test_the_negative_space_and_what_was_taken_back_are_part_of_the_register(publisher):
    publisher.beside = {
        "negative_space": [{"phrase": "on every GPU", "note": "only <one> was there"}],
        "withdrawn": [
            {
                "id": "old",
                "sentence": "It ran at 3.25×.",
                "reason": "3.25× was of a stale build",
                "at": "2026-11-02",
                "replaced_by": "prefill",
            }
        ],
    }
    publisher.publish(publisher.level)
    assert publisher.claims("render", "--site", "site").exit_code == 0
    index = (publisher.root / "site" / "index.html").read_text()
    assert "<li>on every GPU: only &lt;one&gt; was there</li>" in index
    assert "<b>old</b>: [withheld]× was of a stale build" in index
    assert 'replaced by <a href="prefill.html">prefill</a>' in index
    assert "3.25" not in index


def test_over_a_ledger_that_does_not_verify_no_claim_is_shown(publisher):
    fill(publisher)
    publisher.flip_row(5, 40)
    made, _ = build(publisher)
    read = {name: Reader(text.decode()) for name, text in made.items() if name.endswith("html")}
    assert "The ledger does not verify" in read["index.html"].text
    assert "0 hold 12 refused 0 withdrawn" in read["index.html"].text
    for name, page in read.items():
        assert page.faults == [], name
        assert "163.77" not in page.text, name
        assert "CLM301" in page.text, name


def test_an_unanchored_ledger_is_said_to_be_so_on_every_page(publisher):
    fill(publisher)
    shutil.rmtree(publisher.home / ".local")
    made, _ = build(publisher)
    for name, text in made.items():
        if not name.endswith(".html"):
            continue
        assert "unanchored: rollback not excluded" in text.decode()
        if name != "index.html":
            assert "that no entry was cut off or rolled back" in text.decode()


def test_a_claim_called_index_has_no_page_of_its_own(publisher):
    publisher.write({**publisher.level, "id": "index"})
    result = publisher.claims("render", "--site", "site")
    assert result.exit_code == 4
    assert "claim index would have the page of the register itself" in result.stderr
    assert not (publisher.root / "site").exists()


def test_what_was_never_measured_is_stated_under_its_tag_and_shows_no_figure(filled):
    fields = {"id": "hope", "tag": "target", "wording": "The target is {value:.0f} {unit}."}
    claim = Claim.model_validate({**filled.level, **fields})
    done = Judgement(claim, Evidence(), sentence="The target is a level decoder.")
    view = Gallery(filled.place, Record(None), anchored=True).view(done)
    assert (view.state, view.result, view.steps, view.script) == ("stated", None, (), None)
    with desk.open_desk(lambda _: None) as opened:
        made = pages.build(opened, [done], lambda: NOON)
    read = {name: Reader(made[name].decode()) for name in ("index.html", "hope.html")}
    assert "1 stated, not measured" in read["index.html"].text
    for page in read.values():
        assert page.faults == []
        assert "hope target" in page.text
        assert "hope holds" not in page.text
        assert "svg" not in {tag for tag, _ in page.tags}
