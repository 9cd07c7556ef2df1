import pytest

from claims.pages.directives import Written
from claims.pages.document import MAX_CHARACTERS, Document, parse
from receipts.errors import MalformedError


def texts(document: Document) -> list[str]:
    return [fragment.text for fragment in document.fragments]


def rendered(source: str) -> str:
    return "".join(fragment.rendered for fragment in parse(source).fragments)


def test_rendered_text_is_fragments_and_code_is_kept_apart():
    document = parse("We reach **1.05×**<!--claim:C16--> on `pp512`.\n")
    assert texts(document) == ["We reach ", "1.05×", " on ", "."]
    assert [(code.text, code.rendered, code.role) for code in document.code] == [
        ("`pp512`", "pp512", "code")
    ]


@pytest.mark.parametrize(
    "source",
    [
        "```\n35 tok/s\n```",
        "    35 tok/s",
        "<div>\n<script>35 tok/s</script>\n</div>",
        "<!-- 35 tok/s -->",
        "[x]: https://a.b/35 'tok/s'",
        "---\nspeed: 35 tok/s\n---\n",
        "---\n# 35 tok/s\na: 1\n...",
    ],
)
def test_code_html_comments_definitions_and_front_matter_are_no_fragments(source: str):
    assert texts(parse(source)) == []


def test_link_text_and_image_text_are_read_and_their_targets_are_not():
    document = parse('see [the 3](u "35") and ![chart of 4](v "36") end')
    roles = [(fragment.text, fragment.role) for fragment in document.fragments]
    assert roles == [
        ("see ", "prose"),
        ("the 3", "prose"),
        (" and ", "prose"),
        ("chart of 4", "alt"),
        (" end", "prose"),
    ]


def test_only_what_opens_the_page_is_front_matter():
    source = "text\n\n---\nspeed: 35 tok/s\n---\n"
    assert "speed: 35 tok/s" in texts(parse(source))
    assert "35 tok/s" in texts(parse("---\n\n35 tok/s\n\n---\n"))


def test_positions_behind_front_matter_relate_to_the_whole_page():
    (fragment,) = parse("\ufeff---\r\nother: é\r\n---\r\nspeed").fragments
    assert (fragment.line, fragment.column, fragment.start) == (4, 1, 21)


def test_a_byte_order_mark_does_not_hide_the_heading_and_counts_as_a_column():
    (fragment,) = parse("\ufeff# Head").fragments
    assert (fragment.text, fragment.role, fragment.column) == ("Head", "heading", 4)


def test_columns_count_code_points_and_a_tab_counts_one():
    document = parse("速度 🚀\té *35*")
    assert [(f.text, f.column) for f in document.fragments] == [("速度 🚀\té ", 1), ("35", 9)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_ending_is_one_line_and_reads_as_a_space(end: str):
    document = parse(f"a{end}> b{end}> c")
    assert [(f.text, f.line, f.column) for f in document.fragments] == [
        ("a", 1, 1),
        ("b", 2, 3),
        (end, 2, 4),
        ("c", 3, 3),
    ]
    assert rendered(f"a{end}c") == "a c"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_code_fence_hides_only_its_own_lines_whatever_ends_them(end: str):
    assert texts(parse(f"> ```t{end}> code{end}> ```{end}> 35 tok/s{end}")) == ["35 tok/s"]


def test_an_entity_is_a_fragment_of_its_own_and_an_escape_leaves_its_backslash_out():
    document = parse("35&nbsp;tok/s \\*note")
    assert [(f.text, f.rendered) for f in document.fragments] == [
        ("35", "35"),
        ("&nbsp;", "\u00a0"),
        ("tok/s ", "tok/s "),
        ("*note", "*note"),
    ]


def test_break_and_superscript_tags_read_as_a_space():
    assert rendered("1.05×<sup>1</sup> x<br>y <b>z</b>") == "1.05× 1  x y z"


def test_cells_and_blocks_and_tight_items_have_blocks_of_their_own():
    source = "| a | b |\n|---|---|\n| 1\\|2 | 3 |\n\n- p\n- q\n  > r\n\nend"
    document = parse(source)
    blocks: dict[int, str] = {}
    for fragment in document.fragments:
        blocks[fragment.block] = blocks.get(fragment.block, "") + fragment.text
    assert list(blocks.values()) == ["a", "b", "1|2", "3", "p", "q", "r", "end"]
    assert {f.role for f in document.fragments[:5]} == {"cell"}
    assert document.fragments[3].column == 5


@pytest.mark.parametrize("comment", ["<!--claim:C-1.a_b-->", "<!-- claim: C-1.a_b -->"])
def test_a_claim_comment_is_a_marker_with_its_place_and_block(comment: str):
    document = parse(f"one\n\n1.05×{comment} two")
    (marker,) = document.markers
    assert (marker.claim, marker.line, marker.column) == ("C-1.a_b", 3, 6)
    assert document.source[marker.start : marker.end] == comment
    assert marker.block == document.fragments[-1].block


def test_markers_stand_in_cells_headings_and_alone_on_a_line_but_not_in_code():
    source = (
        "# 1<!--claim:a-->\n\n| x |\n|---|\n| 2<!--claim:b--> |\n\n<!--claim:c-->\n\n"
        "`<!--claim:d-->`\n\n```\n<!--claim:e-->\n```\n"
    )
    assert [marker.claim for marker in parse(source).markers] == ["a", "b", "c"]


@pytest.mark.parametrize(
    "comment",
    [
        "<!--claim:-->",
        "<!--claim:a b-->",
        "<!--claim:-a-->",
        "<!--claim:é-->",
        "<!--Claim:a-->",
        "<!--claim :a-->",
        f"<!--claim:{'a' * 65}-->",
    ],
)
def test_a_marker_with_a_bad_id_is_reported_and_is_no_marker(comment: str):
    document = parse(f"3 ms{comment}")
    assert document.markers == ()
    (bad,) = document.bad_markers
    assert (bad.kind, bad.line, bad.column) == ("malformed", 1, 5)


def test_other_comments_are_left_alone():
    document = parse("a <!-- claims are 3x --> b <!-- note --> c\n\n<!-- 3 -->\n")
    assert document.markers == document.bad_markers == ()


@pytest.mark.parametrize("comment", ["<!--claim:a-->", "<!-- note -->", "<!-- a\n  b -->"])
def test_text_after_a_comment_that_starts_a_line_is_misplaced(comment: str):
    document = parse(f"text\n\n- {comment} **35** tok/s\n")
    assert texts(document)[:1] == ["text"]
    (bad,) = document.bad_markers
    assert (bad.kind, bad.line, bad.column) == ("misplaced", 3, 3)
    assert document.markers == ()


def test_a_comment_that_shares_its_line_only_with_tags_hides_nothing():
    assert parse("<!-- logo --> <img src='a.png'> <!-- end -->\n").bad_markers == ()


def test_a_claim_comment_that_never_ends_is_reported():
    (bad,) = parse("<!--claim:a\n\n35 tok/s").bad_markers
    assert (bad.kind, bad.line) == ("malformed", 1)


def test_pages_that_cannot_be_read_are_refused_in_one_line():
    with pytest.raises(MalformedError, match="over the limit"):
        parse("a" * (MAX_CHARACTERS + 1))
    with pytest.raises(MalformedError, match="lone surrogate at character 1;"):
        parse("a\udc80")


# --- everything that is rendered -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "roles"),
    [
        ("<h3>Only 24GB</h3>", [("Only 24GB", "heading")]),
        ("<div>\n<b>3</b> ms\n</div>", [("3", "prose"), (" ms", "prose")]),
        ("<table><tr><td>35</td><td>x</td></tr></table>", [("35", "cell"), ("x", "cell")]),
        ("<p>a <!-- 4 --> b</p>", [("a ", "prose"), (" b", "prose")]),
        ("<script>\n35\n</script>\n\n<style>\n36\n</style>", []),
        ("<pre>\n35 tok/s\n</pre>", []),
        (
            '<table><tr><td width="42%">5&nbsp;x</td></tr></table>',
            [("5", "cell"), ("&nbsp;", "cell"), ("x", "cell")],
        ),
        ("5 < 6 <b and 7", [("5 < 6 <b and 7", "prose")]),
        ("<p>35 <b 36", [("35 <b 36", "prose")]),
        ("x[^1]\n\n[^1]: foot 12", [("x", "prose"), ("foot 12", "prose")]),
        ("```text claims-scan\n35 tok/s\n\n36\n```", [("35 tok/s", "fence"), ("36", "fence")]),
        ("---\ntitle: '2.7x'\nlayout: 3\n---\n", [("2.7x", "front-matter")]),
        (
            "---\nsummary: >-\n  up to\n  5x\nn: 4\n---\n",
            [("up to", "front-matter"), ("\n  ", "front-matter"), ("5x", "front-matter")],
        ),
    ],
)
def test_every_part_that_is_rendered_is_read_in_its_role(source: str, roles: list[tuple[str, str]]):
    read = [(one.text, one.role) for one in parse(source).fragments if one.text not in " \n"]
    assert read == roles


@pytest.mark.parametrize(
    ("source", "asides"),
    [
        ('[a](u "35 tok/s")', [("35 tok/s", "title")]),
        ("![a](u '3 \\' ms') b", [("3 \\' ms", "title")]),
        ("[a](u (4 ms))", [("4 ms", "title")]),
        ("[a][r]\n\n[r]: u 'title 3'", [("title 3", "title")]),
        ("x <img src='4.png' alt='35 tok/s' width=3>", [("35 tok/s", "alt")]),
        ('<img alt="5x" title="6&times;">', [("5x", "alt"), ("6", "title"), ("&times;", "title")]),
        ('<meta name="d" content="7x">', [("7x", "title")]),
        ('<a content="8" href="9">x</a>', []),
    ],
)
def test_titles_and_readable_attributes_are_asides(source: str, asides: list[tuple[str, str]]):
    document = parse(source)
    assert [(one.text, one.role) for one in document.asides] == asides
    for one in document.asides:
        assert document.source[one.start : one.start + len(one.text)] == one.text


def test_a_table_knows_its_header_rows_lines_and_caption():
    source = "Speed (tok/s):\n\n| Depth | *De*code |\n|---|---|\n| 2,048 | 35 |\n| 1\\|2 | `x` |\n"
    document = parse(source)
    (table,) = document.tables
    assert table.header == ("Depth", "Decode")
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["2,048", "35"],
        ["1|2", "\ufffc"],
    ]
    assert (table.first_line, table.last_line, table.caption) == (3, 6, "Speed (tok/s):")
    assert table.before == document.fragments[0].block
    cell = table.rows[1][0]
    assert (cell.row, cell.column) == (1, 0)
    assert document.cell(cell.block) == (table, cell)
    assert document.cell(0) is None


def test_a_table_of_html_is_a_table():
    source = (
        "<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td>2 <b>x</b></td></tr>\n</table>\n"
    )
    (table,) = parse(source).tables
    assert table.header == ("a", "b")
    assert [[cell.text.strip() for cell in row] for row in table.rows] == [["1", "2 x"]]
    assert (table.first_line, table.last_line) == (1, 4)


def test_links_and_footnote_references_have_the_span_of_their_text():
    document = parse("So [1.025×](docs/claims.md#c16) and 3[^C1].\n\n[^C1]: see it\n")
    link, note = document.links
    assert (link.destination, document.text[link.start : link.end]) == (
        "docs/claims.md#c16",
        "1.025×",
    )
    assert (link.line, link.column, link.is_footnote) == (1, 4, False)
    assert (note.destination, note.is_footnote, note.column) == ("C1", True, 38)
    (body,) = document.footnotes
    assert (body.label, body.stop - body.first) == ("C1", 1)
    assert document.block_text(body.first) == "see it"


# --- directives -----------------------------------------------------------------------------------

SHA = "ab" * 32


@pytest.mark.parametrize(
    ("comment", "written"),
    [
        ("<!--claim:C16@b512#median-->", Written("bind", "C16", "b512", "median")),
        (
            '<!-- claim: C2 row=depth cols="Decode rate:decode" -->',
            Written("block", "C2", arguments=(("row", "depth"), ("cols", "Decode rate:decode"))),
        ),
        (f"<!-- claim:begin C2 sha256={SHA} -->", Written("begin", "C2", sha256=SHA)),
        ("<!-- claim:end C2 -->", Written("end", "C2")),
        (
            "<!-- claims-ignore[CLM101, CLM102]: a  reason -->",
            Written("ignore", codes=("CLM101", "CLM102"), reason="a reason"),
        ),
        (
            "<!-- claims-ignore-file[CLM101]: why -->",
            Written("ignore", codes=("CLM101",), reason="why", reach="file"),
        ),
        (
            "<!-- claims-ignore-line[CLM101]: -->",
            Written("ignore", codes=("CLM101",), reach="line"),
        ),
        ("{/*claim:C16*/}", Written("bind", "C16")),
        ("{/* claim: C16 */}", Written("bind", "C16")),
    ],
)
def test_a_directive_has_its_value_and_its_place(comment: str, written: Written):
    document = parse(f"text\n\n3 ms{comment} so\n")
    (directive,) = document.directives
    assert directive.written == written
    assert (directive.line, directive.column, directive.alone) == (3, 5, False)
    assert document.source[directive.start : directive.end] == comment == directive.text
    assert document.text[: directive.before].endswith("3 ms")


@pytest.mark.parametrize(
    "comment",
    [
        "<!-- claim: C2 row -->",
        "<!-- claims-ignore: why -->",
        "<!-- claims-ignore[X]: why -->",
        "<!--claim:C1@-->",
        "{/*claim:-*/}",
    ],
)
def test_a_directive_that_cannot_be_read_is_reported(comment: str):
    document = parse(f"3 ms{comment}\n")
    assert document.directives == ()
    (bad,) = document.bad_markers
    assert (bad.kind, bad.column) == ("malformed", 5)


@pytest.mark.parametrize(
    "comment", ["<!-- claim:begin C2 sha256=0 -->", f"<!-- claim:end C2 sha256={SHA} -->"]
)
def test_a_comment_of_a_region_that_cannot_be_read_is_one_of_a_region(comment: str):
    (bad,) = parse(f"abc {comment}\n").bad_markers
    assert (bad.kind, bad.column) == ("region", 5)


def test_the_first_comment_of_a_region_may_have_no_digest_yet():
    (begun,) = parse("<!-- claim:begin C2 -->\n").directives
    assert (begun.written.form, begun.written.sha256) == ("begin", None)


def test_a_directive_alone_on_its_line_says_so():
    source = "a\n\n<!-- claim: C2 -->\n| a |\n|---|\n| 3 |\n\n> <!-- claim: C3 -->\n"
    assert [one.alone for one in parse(source).directives] == [True, True]


def test_a_comment_between_the_rows_of_a_table_is_misplaced():
    (bad,) = parse("| a |\n|---|\n| 3 |\n<!-- claim: C2 -->\n| 4 |\n").bad_markers
    assert (bad.kind, bad.line) == ("misplaced", 4)
    assert parse("| a |\n|---|\n| 3 |\n<!-- claim: C2 -->\n\ntext\n").bad_markers == ()


def test_only_a_directive_of_mdx_is_taken_out_of_the_text():
    assert "35" in "".join(texts(parse("{/* 35 tok/s */}")))
