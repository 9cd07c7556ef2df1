"""What the tests of claims may ask for besides: a window of another plan."""

import json

import pytest
from click.testing import CliRunner


@pytest.fixture
def walk(publisher):
    """Return a function that walks the plan of EXACT, changed, and cites it under a label.

    The window has a cell of its own, or it would be a sibling of EXACT that nobody accounts for.
    """
    from engine.cli import engine

    def make(label, *, window=None, **changes):
        plan = json.loads((publisher.root / "exact.yaml").read_text())
        plan |= {"cell": f"decode-{label.lower()}", **changes}
        file = publisher.root / "changed.yaml"
        file.write_text(json.dumps(plan))
        name = window or label.lower()
        words = ["ab", str(file), "--execute", "--name", name]
        assert CliRunner().invoke(engine, words, catch_exceptions=False).exit_code == 0
        publisher.experiment(label, f"receipt://{name}")

    return make


@pytest.fixture
def cells(publisher):
    """Return a function that walks a plan of several cells; the tuned arm takes so many ns in each.

    The windows are called `NAME.CELL`; each is cited by an entry of its own, called as the cell,
    in capitals, and all of them by the entry ALL.
    """
    from engine.cli import engine

    def make(name="grid", entries="", **times):
        plan = json.loads((publisher.root / "exact.yaml").read_text())
        del plan["cell"]
        for arm, word in (("baseline", "{slow}"), ("candidate", "{quick}")):
            plan[arm]["command"][-2] = word
        plan["anchors"][0]["command"] = plan["baseline"]["command"]
        words = {
            cell: {"slow": f"{cell}-plain", "quick": f"at{ns}-tuned"} for cell, ns in times.items()
        }
        plan |= {"name": name, "cells": [{"cell": c, "words": w} for c, w in words.items()]}
        (publisher.root / f"{name}.yaml").write_text(json.dumps(plan))
        walked = ["ab", f"{name}.yaml", "--execute", "--name", name]
        result = CliRunner().invoke(engine, walked, catch_exceptions=False)
        assert result.exit_code in (0, 1), result.output
        listed = [f"receipt://{name}.{cell}" for cell in times]
        for cell, uri in zip(times, listed, strict=True):
            publisher.experiment(f"{entries}{cell.upper()}", uri)
        publisher.experiment(f"{entries}ALL", *listed)
        return [{"entry": f"{entries}ALL"}]

    return make
