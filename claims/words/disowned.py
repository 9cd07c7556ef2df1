"""What nobody here claims: it is left open, taken back, spoken of, or said by somebody else."""

import re
from functools import lru_cache

_UNCLAIMED = re.compile(
    r"(?:\b(?:too early|too soon|too few|too little|premature|no|not|never|without|nobody|neither|"
    r"nor|nothing(?! "
    r"(?:else )?(?:we|i)\b)|none|"
    r"cannot|hardly)|"
    r"n't)\b(?:[^.:;]|\.(?=\w)){0,40}?\b(?:claim\w*"
    r"|evidence|guarant\w+|promis\w+|prov(?:e|es|ed|en|ing)|proof|impl(?:y|ies|ied)|mean(?:s|t)?|"
    r"show[ns]?"
    r"|establish\w*|assert\w*|assum\w+|measured|tested|known|know|says?|said|conclu\w+|verified|"
    r"checked"
    r"|a (?:statement|reason)|sign|indication|hint|demonstrat\w+|support\w*|sure|clear|reason to|"
    r"data|figures|numbers|"
    r"measurements?|information|opinion)\b(?:(?!, (?:it|we|they|the|so|and|but)\b)(?:[^.:;]|"
    r"\.(?=\w))){0,60}\Z"
    r"|\b(?:unproven|unknown|unclear|untested|unverified|doubt\w*|remains open|disputed?|myth)\b"
)
# Nobody here says so: it is only spoken of, or it is asked, checked, awaited, taken back.
_DISOWNED = re.compile(
    r"\b(?:not (?:yet |been )?(?:checked|tested|measured|verified|run|benchmarked)\b|"
    r"no (?:runs?|measurements?|tests?) (?:\w+ )?(?:made|done|yet|so far)|tb[da]\b|"
    r"to be (?:agreed|decided|defined|determined|confirmed|measured|discussed|checked|tested)|"
    r"(?:not|n't|neither|never|cannot|no way to|unable to) (?:\w+ ){0,2}(?:endorse|confirm|vouch)|"
    r"(?:not|never|nobody|no one|n't) (?:\w+ )?look(?:ed|ing)? (?:for|into)\b|"
    r"(?:cannot|can't|could not|couldn't) (?:rule out|exclude)\b|not (?:something|a claim|one) "
    r"(?:that )?we (?:claim|say|make)|we do not make it|too strong a (?:statement|"
    r"claim)|(?:not|n't|never) (?:present|describe|advertise|sell|bill|offer) [^.;]{1,60} as |out "
    r"of scope|non-goal|not an? (?:goal|requirement)|nice to have|no (?:tests?|checks?|"
    r"benchmarks?|data|measurements?) (?:for|of|on|that)\b|(?:nobody|"
    r"no one) "
    r"has (?:\w+ )?(?:confirmed|measured|tested|checked|verified|reproduced)|"
    r"(?: not|n't) (?:yet )?(?:verif(?:y|ied)|check(?:ed)?|test(?:ed)?|repeat(?:ed)?|"
    r"confirm(?:ed)?|reproduced?|"
    r"support(?:ed)?|advertised?) (?:this|that|it|these|them|either)\b|without (?:supporting|"
    r"checking|endorsing|"
    r"verifying|confirming)\b|(?:is|are) (?:on the roadmap|planned|scheduled|under way|in "
    r"progress|what we (?:\w+ )?"
    r"(?:aiming|aim|want|hope|need)\b)|"
    r"(?:cannot|can't|not|never) be (?:expected|guaranteed|assumed|promised)|"
    r"open (?:question|issue|point)s?\b|withdr(?:ew|awn)|retracted|no such claim|makes? no (?:\w+ "
    r")?(?:claim|statement|promise)|(?:do|does|did|can|could|"
    r"will|"
    r"would)(?: not|n't) (?:yet )?(?:claim|contend|suggest|guarantee|argue|maintain|say|know|"
    r"promise|assume|assert|measure|show|prove|"
    r"establish)\b|"
    r"(?:have|has|had|was|were|is|are|been)(?: not|n't| never) (?:yet |been |ever |even "
    r")*(?:measured|"
    r"tested|checked|verified|shown|established|proven|compared|benchmarked|evaluated|confirmed|"
    r"tried|"
    r"demonstrated|quantified|studied|published)|(?:is|are|remains?|stays?|left) (?:an |still |"
    r"yet |wide )*(?:open|unclear|unknown|untested|unproven|unverified|unmeasured|undecided|"
    r"disputed|"
    r"hypothetical|"
    r"speculation)\b(?! (?:on|in|at|with|by|under)\b)|"
    r"(?:is|are|yet|still) to be (?:measured|tested|verified|shown|seen|determined)|"
    r"remains? to be|yet to (?:be |\w+ly )?(?:evaluate|measure|test|verify|check|confirm|show|"
    r"establish|"
    r"compare|try|benchmark|prove|reproduce|publish|decide|study|quantify|run|examine|evaluated|"
    r"measured|tested|"
    r"verified|checked|confirmed|shown|established|compared|tried|decided|determined|published)|"
    r"(?:is|was|remains|are|will be) (?:the|our|a|one|still a) (?:\w+ )?(?:goal|aim|target|plan|"
    r"hope|dream|wish|ambition|requirement|hypothesis|question|claim|slogan|myth|rumou?r|"
    r"assumption|guess|milestone)"
    r"|(?:is|are|remains?|stays?) (?:\w+ )?(?:prohibited|forbidden|banned|disallowed))\b"
    # A row or an item that says of itself how far it has come.
    r"|[:(|] ?(?:[\w-]+,? ){0,3}(?:milestone|planned|requested|wip|pending|still open|"
    r"not (?:yet )?(?:implemented|supported|available|done|started))\b|(?:\A|[|:(]) ?to be "
    r"\w+(?:ed|n)\b"
)
_SPOKEN_OF = re.compile(
    r"\b(?:the|a|this|that|any|every|no|their|our|his|her|old|whose) (?:[\w'-]+ ){0,2}(?:claim|"
    r"line|remark|comment|"
    r"claims|statement|"
    r"idea|myth|rumou?r|belief|assumption|hypothesis|suspicion|question|notion|theory|sentence|"
    r"slogan|phrase|"
    r"allegation|impression|report|reports|headline|wording|boast|prediction|expectation|"
    r"complaint) "
    r"(?:that|of|about|whether|like|says|said|saying|reads|reading|was|is|:)\b(?:[^.:;]|"
    r"\.(?=\w)){0,100}\Z"
    r"|\b(?:checks?|tests?|asserts?|requires?|demands?|verifies|verify|decid(?:es?|ing)|"
    r"determin(?:es?|ing)|"
    r"asks?|measures?|"
    r"compares?|shows?|describes?|explains?|lists?|tells?|see|find out|learn|records?|states?) "
    r"(?:us |you |"
    r"users )?(?:how|which|why|what|where|when)\b(?:[^.:;]|\.(?=\w)){0,120}\Z"
    r"|\b(?:checks|tests|asserts|requires|demands|verifies|ensures|decides) (?:that|"
    r"whether)\b(?:[^.:;]|\.(?=\w)){0,80}\Z"
    r"|\b(?:anyone|anybody|someone|somebody|people) (?:writes?|says?|claims?|states?) "
    r"that\b(?:[^.:;]|\.(?=\w)){0,120}\Z"
    r"|\b(?:do not|don't|never) (?:write|say|claim|state|call|assume|expect|conclude)\b(?:[^.:;]|"
    r"\.(?=\w)){0,120}\Z"
    r"|\b(?:requires?|needs?|demands?|awaits?|pending) (?:\w+ )?(?:evidence|proof|confirmation) "
    r"(?:that|of)\b"
    r"(?:[^.:;]|\.(?=\w)){0,100}\Z|\b(?:wait(?:s|ing)?|withdr\w+|retract\w*|reject\w*|struck|"
    r"den(?:y|ies|ied)|"
    r"dispute\w*|doubt\w*|refus\w+|reopen\w*|speculat(?:es?|ed|ing)|debat\w+|discuss\w*|argu\w+|"
    r"opinion) "
    r"(?:\w+ ){0,4}(?:that|whether|if|for|about|on)\b(?:(?! (?:and|but) |, )(?:[^.:;]|"
    r"\.(?=\w))){0,80}\Z"
)
# Somebody else says so, in whatever they write.
_OTHERS_SAY = re.compile(
    r"\b(?:my|their|the|a|an|his|her|one|some|another|its|most|many|several|other|that|this) "
    r"(?:[\w-]+ ){0,2}"
    r"(?:professors?|vendors?|cards?|sites?|decks?|reporters?|others|blogs?|papers?|articles?|"
    r"posts?|vendors?|authors?|"
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
_SOMEBODY_SAYS = re.compile(
    r"\b(?:the|an?|my|their|his|her|one|some|another) (?:[\w-]+ ){1,4}(?:says?|said|claims?|"
    r"claimed|insists?|"
    r"insisted|asserts?|asserted|states?|stated|believes?|thinks?) (?:that |there |it |the |this |"
    r"our )(?:[^.:;]|\.(?=\w)){0,100}\Z"
)
_OTHERS_CLAIM = re.compile(
    r"\b(?:according to|(?<!we )(?:claims?|claimed|claiming|purports?|advertises?|alleges?|alleged|"
    r"boasts?"
    r"|said by \w+ that|(?:is|are) (?:\w+ )?said|reportedly|allegedly|supposedly|believes?|"
    r"argues?))\b(?:[^.:;]|\.(?=\w)){0,80}\Z"
)


def is_disowned(plain: str, before: str) -> bool:
    """Say whether what a sentence, in small letters, says behind `before` is nobody's claim here.

    What follows a "but" is said by us again.
    """
    before = before[max((one.end() for one in _BUT.finditer(before)), default=0) :]
    near = before[-120:]
    return bool(
        _is_open(plain)
        or _SPOKEN_OF.search(before[-180:])
        or _OTHERS_SAY.search(near)
        or _SOMEBODY_SAYS.search(near)
        or _UNCLAIMED.search(near)
        or _OTHERS_CLAIM.search(near)
    )


# A sentence is asked once for each of its words that may claim.
@lru_cache(maxsize=16)
def _is_open(plain: str) -> bool:
    return _DISOWNED.search(plain) is not None
