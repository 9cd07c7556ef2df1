"""The ledger that the attacks are made on: entries that hold, and one of each kind that does not.

A label says what is wrong with its entry, and no two entries have the same fault. The first five
hold: MAIN and LOSS are windows, won and lost; STEADY is a file of five rates, CELLS one of two
cells with three each; FLOORED is a window above its noise floor.
"""

from fractions import Fraction

from claims.selftest import decoder
from claims.selftest.evidence import STEADY, llama_bench
from claims.selftest.forging import Forge, Walk
from engine import floors, plan
from engine.declared import EQUIVALENCE_MARGIN
from receipts.keys import SigningKey
from receipts.predicates import Engaged, Exactness, GateSoundness

SLOWER = (2_700_100, 2_697_300, 2_702_900, 2_699_200, 2_701_400)
ALIKE = (2_490_100, 2_487_300, 2_492_900, 2_489_200, 2_491_400)
UNLIKE = (2_440_100, 2_437_300, 2_442_900, 2_439_200, 2_441_400)
NOISY = (1_500_100, 1_900_300, 2_300_500, 1_700_700, 2_100_900)
CROSSING = (1_873_200, 1_868_900, 2_577_600, 1_871_100, 1_875_300)
NEARLY = (2_450_100, 2_447_300, 2_452_900, 2_449_200, 2_451_400)
GRID = ("grid-short", "grid-long")


def populate(forge: Forge, stranger: SigningKey) -> None:
    """Append every entry."""
    _standing(forge)
    _chain(forge, stranger)
    _windows(forge)
    _dated(forge)
    _struck(forge)
    _cited(forge)


def _standing(forge: Forge) -> None:
    forge.experiment("MAIN", "receipt://main", title="The tuned decoder against the plain one")
    forge.experiment("STEADY", "receipt://steady")
    forge.experiment("CELLS", "receipt://cells")
    said = {"model": "Llama-3.1-8B", "lane": "offline", "gpu": "H100"}
    forge.experiment("SCOPED", "receipt://steady", scope=said)
    forge.experiment("QUANTIZED", "receipt://steady", scope={"quantization": "Q4_K_M"})
    forge.experiment("CACHED", "receipt://steady", scope={"kv": "f16"})
    forge.experiment("CACHED-SMALL", "receipt://steady", scope={"kv": "q8_0"})
    forge.experiment("LOSS", forge.walk("loss", Walk("decode-d8192", tuned=SLOWER)))
    several = forge.several(GRID)
    first, second = (
        forge.walk(cell, Walk(cell, tuned=times, plan=several, window={"scope": forge.sized(cell)}))
        for cell, times in zip(GRID, (decoder.TUNED, SLOWER), strict=True)
    )
    forge.experiment("SHORT", first)
    forge.experiment("LONG", second)
    forge.experiment("GRID", first, second)


def _chain(forge: Forge, stranger: SigningKey) -> None:
    """Append entries whose chain breaks at an entry, a receipt or a raw file."""
    forge.append(kind="ENTRY", label="OPEN", hypothesis="a smaller batch")
    forge.experiment("BARE")
    void = {"verdict": {"outcome": "void"}}
    forge.experiment("VOID", forge.attach(llama_bench([(512, (61.0, 61.1, 61.2))])), **void)
    forge.experiment("STRANGER", forge.alter(by=stranger, scope={"depth": "2048"}))
    forge.experiment("UNRECORDED", forge.alter(admit=False, warnings=["never admitted"]))
    for label, rate in (("RAW-GONE", 41.0), ("RAW-CHANGED", 42.0), ("RECEIPT-GONE", 43.0)):
        rates = [rate + place / 100 for place in range(5)]
        forge.experiment(label, forge.attach(llama_bench([(512, rates)])))
    wrong = llama_bench([(512, STEADY)]).replace(b'"samples_ts": [34.91', b'"samples_ts": [39.41')
    forge.experiment("MISPRINTED", forge.attach(wrong))
    forge.remove("RAW-GONE", raw=True)
    forge.remove("RECEIPT-GONE", raw=False)
    forge.damage("RAW-CHANGED")


def _windows(forge: Forge) -> None:
    """Append windows in which something about the arms, the plan or the noise is wrong."""
    forge.experiment("NOISY", forge.walk("noisy", Walk("decode-noisy", tuned=NOISY)))
    other = Walk("decode-other", tokens=(17, 4, 99, 24))
    forge.experiment("OTHER", forge.walk("other", other))
    forge.experiment("FLAT", forge.walk("flat", Walk("decode-flat", tuned=ALIKE)))
    bare = Walk("decode-bare", plan={"anchors": None}, window={"anchors": None})
    forge.experiment("UNANCHORED", forge.walk("bare", bare))
    forge.experiment("FLOORED", _floored(forge))
    forge.walk("unmentioned", Walk("decode-twice"))
    forge.experiment("SIBLING", forge.walk("mentioned", Walk("decode-twice")))
    forge.experiment("MISPLANNED", forge.alter(baseline="slow"))
    away = Walk("decode-away", run=_elsewhere)
    forge.experiment("ELSEWHERE", forge.walk("away", away))
    idle = [Engaged(arm="tuned", proof=plan.APART, held=False)]
    forge.experiment("IDLE", forge.alter(engagement=idle))
    differs = Exactness(result="differs", compared="tokens", first_difference="at token 3")
    forge.experiment("ADMITS", forge.alter(exactness=differs))
    unlimited = {"cv_limit": None}
    crossing = Walk("decode-crossing", tuned=CROSSING, plan=unlimited, window=unlimited)
    forge.experiment("CROSSING", forge.walk("crossing", crossing))
    forge.experiment("BLIND", _blind(forge))
    for label, tuned in (("EVEN", ALIKE), ("UNEVEN", UNLIKE)):
        scope = {name: str(value) for name, value in forge.plan["scope"].items()}
        planned = {"scope": {**scope, EQUIVALENCE_MARGIN: "0.02"}}
        walk = Walk(f"decode-{label.lower()}", tuned=tuned, plan=planned, window=planned)
        forge.experiment(label, forge.walk(label.lower(), walk))


def _blind(forge: Forge) -> str:
    """Return a window with an accuracy gate that the broken arm passes too."""
    said = {"name": "tail", "threshold": "0.9", "defect": "half the context"}
    command = forge.plan["candidate"]["command"]
    scores = {"self_score": "1", "broken_score": "1", "candidate_score": "1", "result": "blind"}
    gate = GateSoundness.parse({**said, **scores}, "gate")
    planned = {"gates": [{**said, "broken": command}]}
    return forge.walk("blind", Walk("decode-blind", plan=planned, window={"gates": [gate]}))


def _elsewhere(place: int) -> dict[str, object]:
    return {"environment": {"host": "another"}} if place == 6 else {}


def _floored(forge: Forge) -> str:
    """Return a window whose gain of two per cent lies under the floor of its cell."""
    control = forge.alter(control=True)
    made = floors.contract("decode-floored", "decode_tok_s", [Fraction(1, 25)] * 3, control)
    forge.append(**made)
    return forge.walk("floored", Walk("decode-floored", tuned=NEARLY))


def _struck(forge: Forge) -> None:
    """Append entries that later rows take back, replace, contest or bar."""
    targets = {}
    for place, label in enumerate(("REPLACED", "TAKEN-BACK", "CONTESTED", "BARRED")):
        rates = [51.0 + place + number / 100 for number in range(5)]
        uri = forge.attach(llama_bench([(512, rates)]))
        targets[label] = [forge.experiment(label, uri).id]
    better = forge.experiment("BETTER", "receipt://steady").id
    why = {"reason": "the fan had stopped"}
    forge.append(kind="SUPERSEDED", targets=targets["REPLACED"], replacement=better, **why)
    forge.append(kind="RETRACTION", targets=targets["TAKEN-BACK"], **why)
    first = forge.experiment("OUTDATED", forge.attach(llama_bench([(512, STEADY[::-1])]))).id
    second = forge.experiment("FALLEN", "receipt://steady").id
    forge.append(kind="SUPERSEDED", targets=[first], replacement=second, **why)
    forge.append(kind="RETRACTION", targets=[second], **why)
    forge.append(kind="CORRECTION", targets=targets["CONTESTED"], affects=["evidence"], **why)
    forge.append(kind="AMENDMENT", targets=targets["BARRED"], bars=["prefill_tok_s"], **why)


def _dated(forge: Forge) -> None:
    """Append two windows of one cell, whose candidates ran under other words."""
    candidate = forge.plan["candidate"]
    other = {**candidate, "command": [*candidate["command"], "again"]}
    first = Walk("decode-dated")
    second = Walk("decode-dated", tuned=NEARLY, plan={"candidate": other})
    forge.experiment("FIRST", forge.walk("first", first))
    forge.experiment("SECOND", forge.walk("second", second))


def _cited(forge: Forge) -> None:
    """Append what the pages quote and cite."""
    verdict = {"outcome": "pass", "sentence": "The only honest denominator is busy time."}
    forge.append(kind="ENTRY", label="J3", title="Five-pair verdict", verdict=verdict)
    for _ in range(2):
        forge.append(kind="ENTRY", title="Nightly matrix", lesson="Every depth was walked.")
