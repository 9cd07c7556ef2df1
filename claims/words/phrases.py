"""Set phrases that do in a sentence what a word does: no longer, on par, falls behind.

By the letters of `claims.words.letters`. Of `OF_VERBS` the first word is inflected. Single words
stand here where they must win over every group of `claims.words.vocabulary`.
"""

FIXED = {
    # Words of a claim that claim nothing where they stand together.
    "o": (
        "out-of-bound out-of-bounds upper-bound lower-bound coverage savings-time trailing-slash "
        "trailing-slashes trailing-whitespace trailing-space trailing-spaces trailing-comma "
        "trailing-commas trailing-newline trailing-newlines trailing-zeros trailing-bytes "
        "as-far-as as-soon-as destroyed flattened routed split-in-half at-the-same-time "
        "as-possible as-needed as-necessary "
        "as-required as-desired "
        "as-practical not-a not-an best-of-n best-of-three best-of-five win-out-of a-changed "
        "string-matching pattern-matching prefix-matching template-matching "
        "exact-matching throttling tracked tracking nothing-depends nothing-else-depends "
        "best-paper best-regards best-wishes "
        "best-performance-mode faster-gpus faster-cpus faster-hardware faster-machines "
        "faster-networks git-clone "
        "cut-off cut-off-at not-exact "
        "non-exact"
    ),
    "z": (
        "meeting "
        "interface interfaces notation notations registry registries error-frame "
        "error-frames "
        "error-message error-messages error-code error-codes error-handling "
        "slo slos sla slas"
    ),
    # What a machine manages to do: beside "every" or "whatever" a claim that it does so always.
    "ƒ": (
        "fits fit loads copes cope coped converges converged finishes finished "
        "completes completed generalizes generalises succeeds succeeded boots terminates "
        "terminated cooperates handles-well"
    ),
    "M": "peak-memory peak-vram peak-ram peak-power peak-memory-use peak-memory-usage peak-rss "
    "wait-time wait-times",
    "R": (
        "new-one new-ones other-one older-one newer-one sibling siblings cousin cousins sister "
        "real-chip real-thing real-card real-hardware real-one genuine-article"
    ),
    "O": "hypotheses predictions rankings sums gradients",
    "λ": (
        "top-performer top-performers best-performer top-scorer top-dog top-of-the-class "
        "star-performer top-choice leader-of-the-pack top-of-the-heap top-of-the-pile"
    ),
    "p": "with-and-without",
    "U": "under-control in-check at-bay",
    "n": (
        "have-yet-to has-yet-to had-yet-to yet-to under-no-circumstances at-no-point in-no-case "
        "in-no-test on-no no-longer in-no-way by-no-means not-once not-a-single not-one not-any "
        "not-even not-a-word not-a-byte not-a-bit not-a-token not-a-line "
        "not-a-digit not-a-character not-a-logit not-a-second not-a-point free-from "
        "not-at-all"
    ),
    "γ": "step-up step-forward leap-forward step-change big-step leap-ahead step-ahead",
    "K": "bearing bearings rounding-error rounding-errors quantization-error quantization-errors "
    "step-back "
    "step-backwards",
    "r": "no-other next-to-nothing not-a-thing",
    "w": (
        "for-arbitrary under-arbitrary on-arbitrary "
        "rain-or-shine come-rain-or-shine big-or-small large-or-small long-or-short old-or-new "
        "day-or-night night-or-day you-name-it from-top-to-bottom from-start-to-finish "
        "wall-to-wall to-a-man without-an-exception whatever-the no-exceptions "
        "with-no-exceptions in-all-of on-everything at-every-turn under-all under-any "
        "from-end-to-end with-or-without by-default-everywhere across-the-board "
        "without-exception no-matter in-every-case in-all-cases at-all-times hands-down "
        "down-the-line come-what-may every-time each-time without-fail day-in-day-out "
        "end-to-end-everywhere time-after-time across-all across-every"
    ),
    "y": (
        "bit-by-bit byte-by-byte "
        "all-but at-best at-worst at-their-best best-practice best-effort not-only not-just "
        "not-merely "
        "by-far a-lot a-bit a-little a-great-deal at-least at-most far-and-away "
        "a-good-deal a-touch a-hair a-shade"
    ),
    "v": (
        "compared-to compared-with relative-to in-comparison-with in-comparison-to next-to "
        "as-opposed-to in-contrast-to by-comparison by-comparison-with when-compared-with"
    ),
    "χ": "as-well-as",
    "≡": "the-very-same the-exact-same exactly-the-same precisely-the-same",
    "d": "that-of those-of all-of most-of half-of",
    "q": (
        "at-the-speed-of at-the-pace-of at-the-level-of on-the-level-of at-the-rate-of "
        "just-as-well-as equally-well-as as-well-as-before"
    ),
    "=": (
        "on-equal-terms on-even-terms on-level-terms on-the-same-level at-the-same-level "
        "on-the-same-plane on-top-of-each-other "
        "on-top-of-one-another no-different not-different little-different just-as-well "
        "equally-well "
        "within-the-margin within-the-margins within-margin-of-error within-error-bars "
        "no-differently not-differently as-it-was as-they-were "
        "where-it-was where-they-were as-before like-before as-it-did like-it-did as-ever "
        "as-always one-and-the-same "
        "on-a-par in-line on-equal-footing on-an-equal-footing neck-and-neck on-a-level "
        "in-lockstep in-the-same-league in-the-same-class in-the-same-ballpark in-step "
        "hand-in-hand toe-to-toe within-noise within-the-noise in-the-noise "
        "within-run-to-run-noise one-to-one within-error dead-level level-pegging "
        "drop-in-replacement level-with same-as-before same-as-ever unchanged-from at-its-usual "
        "at-the-usual at-their-usual at-its-normal at-their-normal"
    ),
    "G": "no-extra no-additional no-added without-extra without-additional",
    "E": ("in-a-class-of-its-own top-of-the-line"),
    "A": (
        "top-spot first-place pole-position top-rank market-leader industry-leader clear-leader "
        "the-rest-of-the-field playing-catch-up play-catch-up also-rans runner-up runners-up "
        "second-place the-bar-to-clear one-to-beat engine-to-beat number-to-beat bar-to-beat "
        "score-to-beat time-to-beat kernel-to-beat server-to-beat runtime-to-beat model-to-beat "
        "result-to-beat hall-of-fame no-contest "
        "none-better nothing-better as-good-as-it-gets in-a-league-of-its-own "
        "in-a-class-of-their-own gold-standard catching-up-to-do some-catching-up work-to-do "
        "rear-view-mirror eating-dust eat-dust bar-none second-only-to "
        "without-equal without-peer without-rival without-parallel a-league-of-its-own "
        "hard-to-beat look-no-further"
    ),
    "2": (
        "order-of-magnitude orders-of-magnitude several-times many-times two-times three-times "
        "ten-times"
    ),
    "s": (
        "miles-ahead leagues-ahead way-ahead far-ahead streets-ahead well-ahead far-behind "
        "miles-behind out-in-front out-ahead in-the-lead on-top"
    ),
    "a": "leg-up",
    "π": "tell-apart",
    "ζ": (
        "non-issue not-a-problem no-problem not-an-issue no-issue no-sweat no-obstacle no-big-deal "
        "without-errors without-error without-failures none-the-wiser business-as-usual "
        "as-if-nothing-happened as-if-nothing-had-happened "
        "as-though-nothing-happened as-if-nothing-changed in-its-stride in-their-stride "
        "in-stride without-a-hitch without-a-hiccup without-a-sweat without-breaking-a-sweat "
        "like-nothing-happened at-no-extra-cost at-no-cost-to at-zero-cost "
        "without-a-dent where-we-left-it for-free for-nothing on-the-house at-no-charge"
    ),
    "δ": (
        "little-between not-much-between nothing-between little-to-choose a-dead-heat a-draw "
        "a-tie a-wash six-of-one "
        "take-your-pick nothing-in-it nothing-to-choose much-of-a-muchness"
    ),
    "Z": (
        "empty-diff empty-diffs the-diff-is-empty diff-is-empty "
        "diff-comes-back-empty clean-diff not-a-bit-out not-a-hair-out not-a-comma "
        "word-for-word letter-for-letter character-for-character "
        "logit-for-logit value-for-value frame-for-frame element-for-element one-and-only-one "
        "exactly-what precisely-what "
        "in-every-byte in-every-bit in-every-digit digit-for-digit to-the-letter to-the-bit "
        "to-the-byte down-to-the-bit down-to-the-byte "
        "down-to-the-token down-to-the-digit carbon-copy spitting-image to-the-last-bit "
        "to-the-very-last-bit to-the-last-byte to-the-very-last-byte to-the-last-digit "
        "to-the-very-last-digit to-the-last-token to-the-very-last-token to-the-last-letter "
        "to-the-very-last-letter to-the-last-comma to-the-very-last-comma to-the-last-decimal "
        "to-the-very-last-decimal to-the-last-ulp to-the-very-last-ulp to-the-last-logit "
        "to-the-very-last-logit to-the-last-place to-the-very-last-place to-the-last-word "
        "to-the-very-last-word to-the-last-character to-the-very-last-character"
    ),
    "^": (
        "full-bandwidth full-speed full-throughput full-rate full-performance full-utilization "
        "native-speed at-full-speed peak-bandwidth at-the-ceiling at-the-limit at-the-limits "
        "near-the-limit near-the-ceiling at-its-limit at-the-roof close-to-the-limit "
        "close-to-peak near-peak at-peak at-the-peak close-to-roofline at-roofline "
        "at-the-roofline near-roofline near-the-roofline at-the-maximum at-full-tilt flat-out "
        "full-tilt"
    ),
}
OF_VERBS = {
    "o": (
        "lead-to lead-from lead-through lead-back-to fall-back-to fall-back-on fall-back-onto "
        "fall-through fall-into drop-into move-into pull-from"
    ),
    "J": "speed-up ramp-up pick-up win-back pay-off pay-dividends catch-up",
    "A": (
        "set-the-standard set-the-bar raise-the-bar set-the-pace lead-the-pack lead-the-field "
        "lead-the-way top-the-charts top-the-chart top-the-list top-the-ranking "
        "top-the-leaderboard top-the-table rule-the-roost break-the-record set-a-record "
        "set-a-new-record set-a-new-bar set-a-new-standard set-new-standards set-new-records "
        "hold-the-record break-records set-records"
    ),
    "b": "come-out end-up turn-out",
    "%": "hold-up stand-up",
    "ƒ": "carry-over hold-good hold-true",
    "B": "put-to-shame",
    "H": "slow-down weigh-down bog-down drag-down get-in-the-way-of eat-into",
    "L": (
        "fall-behind fall-short lag-behind trail-behind lose-out drop-behind bring-up-the-rear "
        "come-up-short stay-behind finish-behind lose-ground"
    ),
    "q": (
        "perform-similarly-to score-similarly-to behave-similarly-to scale-similarly-to "
        "run-similarly-to behave-like perform-like act-like come-close come-near get-close "
        "get-near "
        "perform-as-well-as work-as-well-as run-as-well-as score-as-well-as fare-as-well-as "
        "do-as-well-as behave-as-well-as keep-pace keep-up-with keep-pace-with tie-with tie-on "
        "hold-its-own hold-their-own stand-up-to hold-up-to hold-up-against keep-up "
        "catch-up-with measure-up-to go-toe-to-toe-with compete-with line-up-with agree-with "
        "come-close-to keep-step-with be-on-par-with draw-level-with break-even-with "
        "keep-abreast-of"
    ),
    "V": (
        "pull-ahead come-out-ahead edge-out win-out run-rings-around run-circles-around "
        "pull-away come-out-on-top finish-ahead beat-out edge-past leave-behind "
        "stay-ahead break-away have-the-edge have-the-upper-hand take-the-lead come-first "
        "rank-first place-first finish-first"
    ),
    "ζ": "hold-steady hold-firm stay-put stand-firm stay-level give-up-nothing brush-off "
    "shrug-off take-in-its-stride",
    "φ": (
        "run-into run-out-of-memory run-out-of-vram run-out-of-ram run-out-of-steam "
        "run-out-of-room "
        "time-out fall-over blow-up break-down give-out die-on choke-on"
    ),
    "τ": "get-back",
    "δ": "trade-blows split-honours",
    "D": (
        "move-the-needle free-up go-up go-down come-down bring-down drive-down drive-up push-up "
        "push-down cut-down cut-back creep-up shoot-up tick-up edge-up edge-down back-off "
        "push-out"
    ),
}
