"""Pages that pass, with every form of binding on them: what the mutants are made of."""

from claims.pages import regions
from claims.selftest.attack import Source, written

_PROSE = """\
---
title: Eight rows at a time
---

# The tuned decoder at a depth of 2,048

§tuned§ It was measured against the plain loop on an H100.

At a depth of 2,048 the tuned decoder gives 533.8 tok/s<!--claim:tuned-rate--> and the plain decoder
400.0 tok/s<!--claim:plain-rate-->, a gain of 33.5 %<!--claim:tuned--> in five runs.

- Prefill gives 35.16 tok/s<!--claim:steady--> in the median of 5 runs.
- Over these runs it lies at 34.91 to 35.31 tok/s<!--claim:steady-->.
- In one cell, prefill gives 163.1 tok/s<!--claim:few-->, of 3 runs.

"""
_SENTENCES = """\
> §retaining§

§forbidding§ §compared§

## What was lost

§loss§ In other words, it is slower by 7.4 %<!--claim:loss--> there.

"""
_TABLES = """\
## In numbers

<!-- claim: tuned row=arm cols="median:median, least:min, most:max" -->
| arm | median | least | most |
| --- | ---: | ---: | ---: |
| tuned | 533.8 | 532.6 | 535.1 |
| plain | 400.0 | 399.5 | 400.4 |

| what | value |
| --- | ---: |
| gain | 1.33×<!--claim:tuned--> |
| prefill | 35.2 tok/s<!--claim:steady--> |
| loss | 0.926×<!--claim:loss--> |

<!--claim:plain-rate-->
- The plain decoder reaches 400.0 tok/s.
- The plain decoder reaches 400 tok/s.

"""
_CITATIONS = """\
## Where it stands

We throw one request away [docs/method.md §Warm-up], since “the arms alternate, so that drift falls
on both alike” [docs/method.md §2]. As “the only honest denominator is busy time” [ledger J3] says,
the log reads so [benches/decode.log:7 "7.5 tok/s"], and its rows lie in [receipt steady].

Prefill gives [35.16 tok/s](docs/claims.md#claim-steady), of which there is a note[^steady].

[^steady]: as measured.
"""


def pages(source: Source) -> dict[str, str]:
    """Return the pages by name, filled from the register and the ledger."""
    made = {
        "prose.md": _PROSE,
        "sentences.md": _SENTENCES,
        "tables.md": _TABLES,
        "citations.md": _CITATIONS,
    }
    filled = {name: written(text, source)[0] for name, text in made.items()}
    return filled | {"region.md": regions.write("mean", source.sentence("mean"))}
