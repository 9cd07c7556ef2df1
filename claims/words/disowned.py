"""What nobody here claims: it is left open, taken back, spoken of, or said by somebody else."""

import re
from functools import lru_cache

from claims.words.guards import MOODS

_UNCLAIMED = MOODS.any(
    r"(?:\b(?:too early|too soon|too few|too little|premature|no|not|never|without|nobody|"
    r"neither|nor|nothing(?! (?:else )?(?:we|i)\b)|none|cannot|hardly)|n't)\b(?:[^.:;]|"
    r"\.(?=\w)){0,40}?\b(?:claim\w*|evidence|guarant\w+|promis\w+|prov(?:e|es|ed|en|ing)|"
    r"proof|impl(?:y|ies|ied)|mean(?:s|t)?|show[ns]?|establish\w*|assert\w*|assum\w+|measured|"
    r"tested|known|know|says?|said|conclu\w+|verified|checked|a (?:statement|reason)|sign|"
    r"indication|hint|demonstrat\w+|support\w*|sure|clear|reason to|data|figures|numbers|"
    r"measurements?|information|opinion)\b(?:(?!, (?:it|we|they|the|so|and|but)\b)(?:[^.:;]|"
    r"\.(?=\w))){0,60}\Z",
    r"\b(?:unproven|unknown|unclear|untested|unverified|doubt\w*|remains open|disputed?|"
    r"myth)\b",
)
# Nobody here says so: it is only spoken of, or it is asked, checked, awaited, taken back.
_DISOWNED = MOODS.any(
    r"\bnot (?:yet |been )?(?:checked|tested|measured|verified|run|benchmarked)\b",
    r"\bno (?:runs?|measurements?|tests?) (?:\w+ )?(?:made|done|yet|so far)\b",
    r"\btb[da]\b",
    r"\bto be (?:agreed|decided|defined|determined|confirmed|measured|discussed|checked|"
    r"tested)\b",
    r"(?:not|n't|neither|never|cannot|no way to|unable to) (?:\w+ ){0,2}(?:endorse|confirm|"
    r"vouch)\b",
    r"\b(?:not|never|nobody|no one|n't) (?:\w+ )?look(?:ed|ing)? (?:for|into)\b",
    r"\b(?:cannot|can't|could not|couldn't) (?:rule out|exclude)\b",
    r"\bnot (?:something|a claim|one) (?:that )?we (?:claim|say|make)\b",
    r"\bwe do not make it\b",
    r"\btoo strong a (?:statement|claim)\b",
    r"(?:not|n't|never) (?:present|describe|advertise|sell|bill|offer) [^.;]{1,60} as \b",
    r"\bout of scope\b",
    r"\bnon-goal\b",
    r"\bnot an? (?:goal|requirement)\b",
    r"\bnice to have\b",
    r"\bno (?:tests?|checks?|benchmarks?|data|measurements?) (?:for|of|on|that)\b",
    r"\b(?:nobody|no one) has (?:\w+ )?(?:confirmed|measured|tested|checked|verified|"
    r"reproduced)\b",
    r"(?: not|n't) (?:yet )?(?:verif(?:y|ied)|check(?:ed)?|test(?:ed)?|repeat(?:ed)?|"
    r"confirm(?:ed)?|reproduced?|support(?:ed)?|advertised?) (?:this|that|it|these|them|"
    r"either)\b",
    r"\bwithout (?:supporting|checking|endorsing|verifying|confirming)\b",
    r"\b(?:is|are) (?:on the roadmap|planned|scheduled|under way|in progress|what we (?:\w+ "
    r")?(?:aiming|aim|want|hope|need))\b",
    r"\b(?:cannot|can't|not|never) be (?:expected|guaranteed|assumed|promised)\b",
    r"\bopen (?:question|issue|point)s?\b",
    r"\bwithdr(?:ew|awn)\b",
    r"\bretracted\b",
    r"\bno such claim\b",
    r"\bmakes? no (?:\w+ )?(?:claim|statement|promise)\b",
    r"\b(?:do|does|did|can|could|will|would)(?: not|n't) (?:yet )?(?:claim|contend|suggest|"
    r"guarantee|argue|maintain|say|know|promise|assume|assert|measure|show|prove|"
    r"establish)\b",
    r"\b(?:have|has|had|was|were|is|are|been)(?: not|n't| never) (?:yet |been |ever |even "
    r")*(?:measured|tested|checked|verified|shown|established|proven|compared|benchmarked|"
    r"evaluated|confirmed|tried|demonstrated|quantified|studied|published)\b",
    r"\b(?:is|are|remains?|stays?|left) (?:an |still |yet |wide )*(?:open|unclear|unknown|"
    r"untested|unproven|unverified|unmeasured|undecided|disputed|hypothetical|"
    r"speculation)\b(?! (?:on|in|at|with|by|under)\b)",
    r"\b(?:is|are|yet|still) to be (?:measured|tested|verified|shown|seen|determined)\b",
    r"\bremains? to be\b",
    r"\byet to (?:be |\w+ly )?(?:evaluate|measure|test|verify|check|confirm|show|establish|"
    r"compare|try|benchmark|prove|reproduce|publish|decide|study|quantify|run|examine|"
    r"evaluated|measured|tested|verified|checked|confirmed|shown|established|compared|tried|"
    r"decided|determined|published)\b",
    r"\b(?:is|was|remains|are|will be) (?:the|our|a|one|still a) (?:\w+ )?(?:goal|aim|target|"
    r"plan|hope|dream|wish|ambition|requirement|hypothesis|question|claim|slogan|myth|rumou?r|"
    r"assumption|guess|milestone)\b",
    r"\b(?:is|are|remains?|stays?) (?:\w+ )?(?:prohibited|forbidden|banned|disallowed)\b",
    r"[:(|] ?(?:[\w-]+,? ){0,3}(?:milestone|planned|requested|wip|pending|still open|not "
    r"(?:yet )?(?:implemented|supported|available|done|started))\b",
    r"(?:\A|[|:(]) ?to be \w+(?:ed|n)\b",
)
_SPOKEN_OF = MOODS.any(
    r"\b(?:the|a|this|that|any|every|no|their|our|his|her|old|whose) (?:[\w'-]+ "
    r"){0,2}(?:claim|line|remark|comment|claims|statement|idea|myth|rumou?r|belief|assumption|"
    r"hypothesis|suspicion|question|notion|theory|sentence|slogan|phrase|allegation|"
    r"impression|report|reports|headline|wording|boast|prediction|expectation|complaint) "
    r"(?:that|of|about|whether|like|says|said|saying|reads|reading|was|is|:)\b(?:[^.:;]|"
    r"\.(?=\w)){0,100}\Z",
    r"\b(?:checks?|tests?|asserts?|requires?|demands?|verifies|verify|decid(?:es?|ing)|"
    r"determin(?:es?|ing)|asks?|measures?|compares?|shows?|describes?|explains?|lists?|tells?|"
    r"see|find out|learn|records?|states?) (?:us |you |users )?(?:how|which|why|what|where|"
    r"when)\b(?:[^.:;]|\.(?=\w)){0,120}\Z",
    r"\b(?:checks|tests|asserts|requires|demands|verifies|ensures|decides) (?:that|"
    r"whether)\b(?:[^.:;]|\.(?=\w)){0,80}\Z",
    r"\b(?:anyone|anybody|someone|somebody|people) (?:writes?|says?|claims?|states?) "
    r"that\b(?:[^.:;]|\.(?=\w)){0,120}\Z",
    r"\b(?:do not|don't|never) (?:write|say|claim|state|call|assume|expect|"
    r"conclude)\b(?:[^.:;]|\.(?=\w)){0,120}\Z",
    r"\b(?:requires?|needs?|demands?|awaits?|pending) (?:\w+ )?(?:evidence|proof|"
    r"confirmation) (?:that|of)\b(?:[^.:;]|\.(?=\w)){0,100}\Z",
    r"\b(?:wait(?:s|ing)?|withdr\w+|retract\w*|reject\w*|struck|den(?:y|ies|ied)|dispute\w*|"
    r"doubt\w*|refus\w+|reopen\w*|speculat(?:es?|ed|ing)|debat\w+|discuss\w*|argu\w+|opinion) "
    r"(?:\w+ ){0,4}(?:that|whether|if|for|about|on)\b(?:(?! (?:and|but) |, )(?:[^.:;]|"
    r"\.(?=\w))){0,80}\Z",
)
# Somebody else says so, in whatever they write.
_OTHERS_SAY = MOODS.add(
    r"\b(?:my|their|the|a|an|his|her|one|some|another|its|most|many|several|other|that|this) "
    r"(?:[\w-]+ ){0,2}"
    r"(?:professors?|vendors?|cards?|sites?|decks?|reporters?|others|blogs?|papers?|articles?|"
    r"posts?|authors?|"
    r"marketing|websites?|talks?|tweets?|"
    r"docs|readme|"
    r"abstracts?|press release|announcement|reviewers?|colleagues?|users?|customers?|readers?|"
    r"maintainers?|"
    r"critics|people|folks|reports?|leaflet|brochure|data ?sheet|whitepaper|manual|benchmarks? "
    r"site|forum|"
    r"rumou?rs?|comment|issue|ticket|studies|study|thesis|survey)(?:'s)? (?:[\w.-]+ "
    r"){0,5}?(?:says?|said|"
    r"reports?|reported|claims?|claimed|calls?|called|states?|stated|writes?|wrote|argues?|"
    r"argued|describes?|"
    r"announces?|announced|promises?|promised|suggests?|suggested|asks?|asked|complains?|"
    r"complained|notes?|"
    r"noted|thinks?|believes?|insists?|hints?|told (?:us|me)|tells (?:us|me)|has it|mentions?|"
    r"quotes?|boasts?|"
    r"advertises?)\b(?:[^.:;]|\.(?=\w)){0,120}\Z"
)
_BUT = re.compile(r", (?:but|yet|still) |; ")
_SOMEBODY_SAYS = MOODS.add(
    r"\b(?:the|an?|my|their|his|her|one|some|another) (?:[\w-]+ ){1,4}(?:says?|said|claims?|"
    r"claimed|insists?|"
    r"insisted|asserts?|asserted|states?|stated|believes?|thinks?) (?:that |there |it |the |this |"
    r"our )(?:[^.:;]|\.(?=\w)){0,100}\Z"
)
_OTHERS_CLAIM = MOODS.add(
    r"\b(?:according to|(?<!we )(?:claims?|claimed|claiming|purports?|advertises?|alleges?|alleged|"
    r"boasts?"
    r"|said by \w+ that|(?:is|are) (?:\w+ )?said|reportedly|allegedly|supposedly|believes?|"
    r"argues?))\b(?:[^.:;]|\.(?=\w)){0,80}\Z"
)


def is_disowned(plain: str, before: str, may: int) -> bool:
    """Say whether what a sentence, in small letters, says behind `before` is nobody's claim here.

    What follows a "but" is said by us again. `may` says which patterns may match the sentence.
    """
    before = before[max((one.end() for one in _BUT.finditer(before)), default=0) :]
    near = before[-120:]
    return bool(
        _is_open(plain, may)
        or _SPOKEN_OF.search(may, before[-180:])
        or _OTHERS_SAY.search(may, near)
        or _SOMEBODY_SAYS.search(may, near)
        or _UNCLAIMED.search(may, near)
        or _OTHERS_CLAIM.search(may, near)
    )


# A sentence is asked once for each of its words that may claim.
@lru_cache(maxsize=16)
def _is_open(plain: str, may: int) -> bool:
    return _DISOWNED.search(may, plain) is not None
