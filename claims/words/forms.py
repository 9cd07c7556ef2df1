"""The forms of verbs, nouns and adjectives; some that nobody uses are among them."""

_IRREGULAR = """
beat:beaten outrun:outran outdo:outdid,outdone overtake:overtook,overtaken win:won fall:fell,fallen
rise:rose,risen shrink:shrank,shrunk sink:sank,sunk hold:held keep:kept lose:lost lead:led
grow:grew,grown give:gave,given get:got,gotten bring:brought see:saw,seen make:made find:found
show:shown spend:spent take:took,taken leave:left shine:shone eat:ate,eaten withstand:withstood
speed:sped drive:drove,driven hide:hid,hidden creep:crept swell:swollen meet:met catch:caught
stick:stuck go:went,gone overshoot:overshot undershoot:undershot come:came run:ran draw:drew,drawn
stand:stood fly:flew,flown tie:tying
"""
_IRREGULARS = {
    verb: forms.split(",") for verb, _, forms in (one.partition(":") for one in _IRREGULAR.split())
}
_DOUBLING = """
cut drop slip dip trim lag win hit top sag chop clip crop rub spur whip pip lap run get set put shed
undercut outrun hog shrug equal
"""
_DOUBLED = frozenset(_DOUBLING.split())
_VOWELS = frozenset("aeiou")


def as_is(word: str) -> list[str]:
    """Return the word alone."""
    return [word]


def verb(word: str) -> list[str]:
    """Return a verb in its forms: beat, beats, beaten, beating."""
    stem = word[:-1] if word.endswith("e") else word
    forms = [word, f"{word}s", f"{stem}ed", f"{stem}ing"]
    if word.endswith(("s", "sh", "ch", "x", "z", "o")):
        forms.append(f"{word}es")
    if word.endswith("y") and word[-2] not in _VOWELS:
        forms += [f"{word[:-1]}ies", f"{word[:-1]}ied"]
    if word in _DOUBLED:
        forms += [f"{word}{word[-1]}ed", f"{word}{word[-1]}ing"]
    return forms + _IRREGULARS.get(word, [])


def noun(word: str) -> list[str]:
    """Return a noun and its plural: loss, losses."""
    plural = f"{word[:-1]}ies" if word.endswith("y") and word[-2] not in _VOWELS else f"{word}s"
    return [word, plural, f"{word}es"]


def comparative(word: str) -> list[str]:
    """Return what an adjective is compared with: faster."""
    return _compared(word, "er")


def superlative(word: str) -> list[str]:
    """Return what an adjective is at its most: fastest."""
    return _compared(word, "est")


def _compared(word: str, ending: str) -> list[str]:
    if word.endswith("e"):
        return [word + ending[1:]]
    if word.endswith("y"):
        return [f"{word[:-1]}i{ending}"]
    return [word + ending, word + word[-1] + ending]
