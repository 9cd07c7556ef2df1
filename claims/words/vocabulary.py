"""What words there are, by what they do in a sentence; each group has a letter.

Verbs stand in their plain form and are inflected here, adjectives are compared here. A group is
meant to hold all of its kind and not those that somebody happened to write, so that a sentence that
nobody has seen is read as well. `claims.words.grammar` says which sequences of letters claim.
"""

# --- words that compare ---------------------------------------------------------------------------

SPEEDS = """
fast quick speedy swift snappy rapid brisk nimble slow sluggish hasty
"""
QUALITIES = """
good well bad high low small large big great cheap lean light heavy strong weak tight short long
fine smooth thrifty steep sharp close rich poor cool hot warm crisp costly dear pricey hungry
steady thin slim fat bulky noisy jumpy choppy shaky healthy sturdy tough hard clean
loose frugal greedy true safe deep wide broad narrow full early soon near far tiny hefty
modest shallow gentle kind mild harsh smart clever keen fit rough rigid stiff soft dense sparse
fair
"""
# Compared with "more" and "less"; the plain form claims only beside "as … as", "equally", "every".
MANNERS = """
efficient accurate performant precise economical frugal scalable responsive stable consistent
reliable compact capable effective powerful faithful predictable competitive robust expensive
costly demanding wasteful greedy hungry productive sensitive tolerant resilient thorough faulty
erratic energy-efficient memory-efficient cost-effective compute-efficient power-efficient
resource-hungry memory-hungry power-hungry bandwidth-efficient sample-efficient data-efficient
parameter-efficient dependable deterministic correct trustworthy usable useful fluent coherent
truthful factual helpful parallel balanced uniform variable volatile latency-sensitive
cache-friendly lightweight efficiently accurately economically reliably effectively faithfully
predictably cheaply smoothly quickly slowly rapidly swiftly promptly gracefully evenly tightly
sparingly frugally consistently correctly aggressively affordably affordable performantly modest
"""
WORSE = """
worse lesser inferior costlier dearer pricier poorer weaker heavier bulkier noisier shakier
hungrier rougher
"""
BEST = """
best worst optimal cheapest leanest strongest slimmest thriftiest record-breaking record-setting
top-tier top-notch world-class first-class best-in-class foremost premier state-of-the-art sota
number-one best-performing fastest-growing
"""
UNMATCHED = """
unmatched unrivaled unrivalled unbeaten unbeatable unparalleled unparallelled unsurpassed unequaled
unequalled peerless matchless unprecedented second-to-none industry-leading market-leading
class-leading world-leading world-beating record-beating chart-topping incomparable unapproached
untouchable unbested undefeated insurpassable nonpareil
"""
PRAISES = """
rock-solid bulletproof bullet-proof tiny miniscule excellent outstanding superb remarkable
impressive exceptional incredible amazing stellar stunning insane ultra-low ultra-high ultra-fast
rock-bottom near-zero blazing blistering breathtaking phenomenal unbelievable extraordinary
negligible minuscule tremendous spectacular terrific sensational staggering astonishing
mind-blowing jaw-dropping lightning-fast blazing-fast blazingly-fast terrible awful horrible
abysmal dreadful appalling flawless perfect ideal near-ideal near-perfect near-optimal near-linear
super-linear sub-millisecond instant instantaneous near-instant real-time vanishing imperceptible
unnoticeable immeasurable unmeasurable undetectable marginal minimal trivial
"""

# --- verbs of winning, of losing, of being level --------------------------------------------------

# Nobody says them of anything but a contest.
OUTDO = """
outperform outpace outrun outstrip outdo outclass outscore outmatch outgun outshine outrank
outdistance outrace outsprint outlast outweigh outplay outsmart outserve outscale outdecode
outgenerate outcompete outmuscle outfox surpass overtake eclipse trounce overshadow outfly outsell
underperform
"""
# They win only over something that is named.
BEAT = """
beat crush smoke top destroy demolish trump exceed dominate defeat vanquish conquer thrash whip
thump clobber wallop obliterate annihilate torch humble humiliate embarrass hammer rout edge
dethrone topple overhaul leapfrog upstage shame dwarf steamroll flatten bury pummel shellac
slaughter school cream stomp steam-roll undercut undershoot overpower outbid
"""
WIN = """
win triumph prevail excel shine
"""
LOSE = """
trail lag lose falter struggle choke crawl stumble flounder buckle sag languish underdeliver
underwhelm disappoint
"""
EDGES = """
edge lead advantage upper-hand headroom superiority dominance
supremacy head-start
"""
MATCH = """
match equal tie rival mirror parallel equate emulate replicate reproduce coincide agree
tally overlay approximate shadow approach resemble mimic
"""
SAME = "same identical equal equivalent comparable similar selfsame analogous like-for-like"
EVEN = """
comparably par parity indistinguishable interchangeable alike abreast tied evenly-matched
congruent equally
identically on-par twins twin clone clones mirror-image doppelganger undistinguishable
"""
FAITHFUL = """
verbatim precisely exact exactly deterministic reproducible deterministically reproducibly faithful
bitwise perfectly exact-match exact-matches
"""
EXACT = """
lossless losslessly bit-identical bit-exact bit-equal bit-accurate bit-perfect bit-for-bit
byte-identical byte-exact byte-equal byte-for-byte token-identical token-exact token-for-token
token-equal bitwise bit-wise bitwise-identical bitwise-exact bitwise-equal numerically-identical
logit-identical logit-exact bit-reproducible bit-stable bit-faithful byte-stable exactness
"""

# --- verbs and nouns of change --------------------------------------------------------------------

GAIN = """
improve boost accelerate enhance speed quicken hasten streamline gain profit benefit help aid
supercharge turbocharge amplify uplift excel strengthen sharpen
"""
GAINS = """
speedup speed-up speedups gain improvement saving savings boost win uplift enhancement benefit
payoff leap headway victory gains wins boosts improvements benefits speed-ups leaps
victories
"""
HARM = """
hurt harm degrade worsen impair regress slow sacrifice penalize penalise compromise deteriorate
damage hamper hinder impede cripple throttle bottleneck dent undermine weaken jeopardize jeopardise
forfeit squander waste steal rob
"""
# Harm only where it is of something measured.
TOUCH = """
ruin wreck erode inflate bloat tank kill suffer stall starve drag tax burden touch disturb
interrupt delay spoil affect impact alter influence disrupt eat weigh encumber perturb corrupt skew
bias distort dilute matter
"""
SLOWDOWNS = """
regression slowdown slow-down degradation overhead de-optimization de-optimisation
"""
HARMS = """
penalty loss cost hit tax decline deterioration downside drawback trade-off tradeoff compromise
sacrifice impact difference differences damage harm delay toll dent disadvantage expense
price burden consequence side-effect divergence deviation discrepancy drift mismatch
shortcoming jitter stall stutter hiccup bubble bloat waste bottleneck artifact
artefact blemish nondeterminism non-determinism setback weakness flaw slippage erosion disruption
stutters miss misses concession
gap deficit shortfall cost-penalty perf-loss
"""
# Up or down, of itself or by somebody; most are nouns as well.
MOVE = """
sip guzzle hog devour gulp reduce increase cut slash lower raise shrink save trim decrease drop
shave shorten minimize maximize minimise maximise halve fall rise climb jump soar plummet sink
surge decline dip tumble plunge dwindle slip skyrocket collapse move shift budge grow
diminish lessen curb curtail chop clip crop prune pare squeeze widen narrow lengthen tighten
flatten ease alleviate relieve relax spare conserve economize reclaim swell balloon
spike crater nosedive ebb subside recede abate creep inch tick double triple quadruple multiply
reduction growth amortize amortise hide absorb eliminate remove erase close bridge sag
bring drive push pull vanish disappear evaporate dissipate
"""
DIFFER = "change disagree differ vary deviate diverge fluctuate waver depend"
FACTORS = """
twice double doubled doubles doubling triple tripled triples tripling quadruple quadrupled
quadruples halve halved halves halving half thrice twofold threefold fourfold tenfold two-fold
three-fold four-fold five-fold ten-fold hundredfold manifold multifold third quarter fraction
magnitude
"""
PRESERVE = "preserve retain maintain conserve sustain uphold safeguard protect recover regain"
KEEP = "keep hold stay remain stick persist survive withstand leave"
UNCHANGED = """
unnoticed undetected unchanged intact constant unaffected stable steady untouched preserved
retained unaltered unimpaired undiminished undisturbed undegraded uncompromised unharmed uniform
bounded invariant unvarying neutral harmless invisible transparent seamless
"""
SPEND = """
cost add use need take incur consume require introduce impose demand pay wait spend burn eat carry
entail charge pose cause bring
"""
DELIVER = """
emit generate return output give deliver achieve see yield provide bring show obtain offer reach
gain enjoy get produce attain observe have make exhibit demonstrate net earn hit sustain realize
realise boast unlock
"""
LIMITS = """
saturate saturates saturated saturating saturation peak roofline ceiling line-rate wire-speed
optimum theoretical-peak speed-of-light hardware-limit hardware-limits bandwidth-bound max-out
"""

PERCEIVE = """
notice feel distinguish discern perceive blink flinch budge yawn complain twitch wobble protest
"""
MEET = "find meet encounter hit see spot"
TELL = "tell separate choose pick divide"
FAIL = """
out-of-memory nan inf happen occur arise crash fail hang oom segfault deadlock leak starve overflow
crumble
collapse misbehave violate
"""
TROPHIES = """
prize laurels marks honours honors podium crown throne king champion champ winner trophy medal
gold-standard front-runner frontrunner pacesetter pace-setter trailblazer powerhouse game-changer
juggernaut heavyweight king-of-the-hill
"""
TOSSES = """
coin-toss toss-up coin-flip dead-heat stalemate photo-finish standoff tie ties wash
"""
# What is fast or slow by itself: said of an engine, each is a comparison.
BEASTS = """
rocket lightning cheetah bullet greyhound mud molasses snail tortoise turtle treacle glacier
glacial warp-speed breeze beast monster flash whisker shame joke dinosaur relic dog slouch bicycle
antique museum steroids overdrive charm treat
"""
RESOURCES = (
    "time effort money compute cycles hours minutes seconds milliseconds microseconds wait waits"
)

# --- words that say in which cases ----------------------------------------------------------------

EVERY = "every all any each"
WHATEVER = "whichever whatever"
ALWAYS = """
always everywhere throughout invariably universally uniformly regardless irrespective consistently
unfailingly whenever wherever unconditionally anywhere unanimously
"""
CASES = """
prompt workload size length depth device hardware platform card sequence request shape input
context setting configuration machine cell case task dataset batch architecture chip load condition
benchmark model gpu engine kernel window scenario circumstance use-case language domain topic
question seed level position rate range turn way respect dimension traffic pattern concurrency
modality family vendor generation precision dtype quantization schedule topology cluster node
tenant user client dim situation region locale alphabet mix mixture tokenizer seed-value
"""
# --- small words ----------------------------------------------------------------------------------

ARTICLES = "the a an its their his her this that these those some such own of's your my"
NEGATIONS = """
little no not never without neither nor zero hardly barely scarcely cannot can't isn't aren't
wasn't weren't doesn't don't didn't hasn't haven't hadn't won't couldn't wouldn't seldom rarely
nowhere non free-of
"""
NOTHING = "nil nothing nobody none no-one nought naught"
BE = """
is are was were be lie sit been being gets got get becomes became seems looks proves proved
proven feels
appears turns come comes came goes went runs ran performs performed works worked scales scaled sits
stands lies fares behaves lands ends finishes ranks scores scored perform run work score fare
behave look seem
"""
HAVE = "has have had do does did having"
MODALS = "can could will would shall should may might must ought"
VERSUS = """
versus vs against over compared relative beside alongside unlike comparing
"""
BELOW = "below above under beneath"
INTENSELY = """
very really extremely insanely incredibly super exceptionally remarkably blazingly amazingly
impressively surprisingly stunningly seriously wickedly crazy screamingly ridiculously absurdly
unbelievably astonishingly extraordinarily astoundingly ludicrously outrageously phenomenally
insane
"""
PREPOSITIONS = """
on in at of for with from by per into behind across through during between among within after
before since until beyond near towards toward upon off out around about onto inside outside along
via despite
"""
PRONOUNS = "you it they he she them itself themselves here there everything one ones"
CONJUNCTIONS = "and or so nor plus because"
BREAKS = "but yet while whereas although though"
ADVERBS = """
however much far even still now also just so too quite rather somewhat almost nearly practically
virtually essentially basically way ever again already then today once back only clearly bit lot
noticeably markedly strictly every-bit thus therefore hence run-to-run
"""
UP = "up down"
POSITION = "ahead behind in-front"
ONLY = "first only sole lone"
# What others do who are behind.
ENVY = "envy dream wish jealous envious"
