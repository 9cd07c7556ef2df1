"""What a number is when it is no claim: the closed list of exclusions, each with its name.

Everything that none of these names must resolve to a claim. A number is judged by the word that it
is part of (`glued`), and then by what stands around that (`neighbours`); nothing is inferred from
how large it is.
"""

EXCLUSIONS: dict[str, str] = {
    "date": "a date or a part of one: 2026-08-15, Aug 15, 15/08/2026",
    "time": "a time of day, told as one: at 12:30, 09:05:01Z, 2:15 pm",
    "year": "a year, told by its neighbours: in 2024, (2024), MLSys 2025",
    "version": "a version: v0.6.0, 1.2.3, CUDA 12.8, vllm>=0.6, 2.4 or later",
    "section-number": "the number of a heading: ## 3.2 Results",
    "list-ordinal": "the number of a list item, written or numbered by Markdown: (1) a, (2) b",
    "row-number": "a number in a column that numbers, dates or names its rows: #, Run, Date, PR",
    "label": "a number that labels something: Table 3, Step 2, § 4.1, Phase 2, Step 3 of 5,"
    " layer 0, GPU 1",
    "ordinal-word": "a rank in a sequence: 1st, 2nd",
    "issue": "an issue or pull request: #123, PR 77",
    "hash": "a commit or digest: 7 to 64 hexadecimal digits with a letter among them",
    "url": "an address: https://…, www.…, example.org/3",
    "ip-address": "an IP address, its port included",
    "port": "a port: localhost:8080, port 8080",
    "constant": "a limit or a shape that nobody measures: 2^31, a 3x3 convolution, 1:1,"
    " the 80/20 rule",
    "inventory": "how many there are of what no run measures: 2,500 stars, 40+ models",
    "identifier": "digits of a name: GB10, Q4_K_M, sm_120, SHA-256, pp512, RFC 9110, HTTP 404,"
    " 0x80070005, a 64-bit integer, PCIe x16",
    "model-name": "a model or its size: Llama 3.1, 70B, 8x7B, GPT-2 (124M), 124M parameters",
    "hardware-name": "a product: RTX 4090, EPYC 9654, 3090 Ti",
    "file-name": "a file or a path: qcache_4.md, ./doc/3/",
    "citation": "a citation mark: [1], (see [3, 4])",
    "complexity": "an order of growth: O(1), O(n^2)",
    "number-word": "a number word that counts no result: one of, the first two",
    "html-comment": "text of an HTML comment, which is not rendered",
    "html-attribute": "an attribute of a tag that nobody reads: width, href, id",
    "html-script": "text of a script, a style or preformatted HTML",
    "code-span": "code between backticks",
    "code-block": "a code block; `claims-scan` in its info string has it read",
    "front-matter": "front matter other than title, description and their like",
    "link-target": "the target of a link or an image, or a link's definition",
    "footnote-mark": "the label of a footnote",
    "entity": "the spelling of one character: &#8202;",
    "not-rendered": "a cell beyond the table's header, which is not rendered",
}
"""Every exclusion by its name, with what it covers."""
