"""The rules of `claims.words.grammar`: which sequences of words claim, and what each needs.

In a rule ``@`` is any subject, ``~`` any word, a comma the end of a clause; so ``q[dy]*@`` is a
verb of matching and its object. What a rule needs besides itself is said as in `claims.words.term`.
"""

from dataclasses import dataclass

from claims.words.term import Kind, Need

SUBJECT = "NMWOTRSXY"
# After these a comparison is at its end: "is lower than", "is lower.", "is lower on".
_END = r"(?=[,tvpcwyksmgujx#iψ<]|$)"


# "Latency grows with the batch" says nothing of one engine.
_AND_NO_LOAD = r"(?=[,ypvcwst#2xkψ]|<u|$)(?!p?k?d?F?g)"


@dataclass(frozen=True, slots=True)
class Rule:
    """A way to claim: its kind, what it needs besides itself, its patterns of letters."""

    kind: Kind
    needs: Need
    ways: tuple[str, ...]


def _rule(kind: Kind, needs: Need, *ways: str) -> Rule:
    return Rule(kind, needs, tuple(map(_expanded, ways)))


# What is slower or worse compares as what is faster or better; "very" is an adverb.
_ALSO = {"f": "fς", "C": "Cϲ", "y": "yι", "U": "UƑ"}
# What may stand between a subject and its verb: "latency on every card of ours was …".
_REST = "[^,ψbhmjc%nlDPqBLHJVΔ]{0,9}?"
_SHORT = {"_": _END, "@": f"[{SUBJECT}]", "~": "[^,ψ]", "…": _REST}


def _expanded(way: str) -> str:
    """Return a pattern with its shorthands written out."""
    parts: list[str] = []
    is_class = False
    for letter in way:
        is_class = letter == "[" or (is_class and letter != "]")
        also = _ALSO.get(letter, "")
        parts.append((also if is_class else f"[{also}]") if also else _SHORT.get(letter, letter))
    return "".join(parts)


RULES = (
    # Faster, lower than, more efficient.
    _rule("slower", "pointed", r"ς(?!z)"),
    _rule("faster", "pointed", r"f(?!z)"),
    _rule("flat", "inside", r"[MWOTNY]~{0,3}?[b%][yn]*Ƒ", r"ƑM"),
    _rule(
        "more",
        "named",
        r"C[^,zg]{0,6}?[tv]",
        r"C[gFoNT]{0,3}[MWOI][^,z]{0,3}?[tv]",
        r"Q[^,ψz]{0,3}?t",
        r"y\+O",
        r"\+y?F",
        r"[$τK]y?\+(?=[,ptvx]|$)",
        r"\$y*[fςC]x",
        r"\+[go]ƒ",
        r"[%lD$]d?~?[NMWOTRSY]y?[fCQ](?=[,vpx]|$)",
        r"[DlhHK$]p?y?\+[^,z]{1,3}?t[py]",
        r"\+[oTW]?K",
        r"D[oTNWMO]{0,2}[dyFS+]{0,2}?I(?![zβ]|o[p,b])",
        r"[dNTYRWo]I[pdNTYRS]{0,4}[bhy]{0,2}D(?=[,pwy]|$)",
        r"v~{0,3}@~{0,2},~{0,6}[FG]_",
        r"b~{0,2}F~{0,5}v~{0,2}@",
        r"[MWNTY]~?[b%]y*F(?:[p<]u|w|pdi)",
        r"[MWNTS]%y*F(?=[,p]|$)",
        r"[MWNT][b%]wF",
        r"\+[^,z]{1,9}?t[pdS]*o?[NRT]",
        r"\+tih",
        r"Co?τ",
        r"\+(?:[^,z]{1,5}?t|t(?=[dS]?[NRTM]))(?!S[$bml]|Sh.)~{0,4}@",
    ),
    _rule("more", "inside", r"[HJL][^,zψ#]{0,4}?\+y?t[dpSo]{0,2}@"),
    _rule("more", "inside", r"C[FGyo]?[MWO]", r"(?<!p)Cg[MW]", r"\+[FyoTN]{0,2}[MW]"),
    _rule(
        "more",
        "pointed",
        r"[bhP%Wl]y*C(?!g)_",
        r"bdC(?=[,p]|$)",
        r"@~{0,4}?[^,ψc#]C(?=[,vp]|$)",
        r"C[oy]x~?@",
        r"[TWN]~{0,4}Cy*(?=,|$)",
    ),
    # Fastest, unmatched, the only one, nothing beats.
    _rule(
        "best",
        "named",
        r"(?<!v)(?<!vd)E~?@(?!o?z|p~{0,2}b)",
        r"[bh]y*d?E(?!x|ψ|~{0,3}[zb])",
        r"E(?=,|$|p[du])",
        r"Eyx~?@",
        r"Eτ",
        r"n[TNRYW]~{0,6}?by*[fC](?=[,p]|$)",
        r"[E5]~{0,5}?bS",
        r"[lbh]y*d?[E5]y?[Kγa]",
        r"ey?F",
        r"A",
        r"5~?[MW](?!~{0,3}z|p~?b)",
        r"[bh]y*d?5(?!o|~{0,3}z)",
    ),
    _rule(
        "best",
        "named",
        r"r[^,p]{0,2}?[BVqfCQ+]",
        r"no?[TNRY]~{0,3}?[fCBVq]",
        r"no?[TNRYo]~{0,3}?k[Fy](?!k)",
        r"r[^,pψ]{1,4}?[fCQ](?=[,p]|$)",
        r"r(?:p~{0,3})?b[yd]*[fC]",
        r"r~{0,2}l~{0,2}[MWO]",
        r"r~{0,3}kF",
        r"r[^,]{1,8}?[lb$%][^,]{0,3}?[dy]F(?=[,p]|$)",
        r"[bh]n≡",
        r"n[fC][oy]?[xTNYWR]",
        r"de[NTWM]?[MWτOKI]",
        r"d1~?[TNRY]~{0,3}?[xj]",
        r"5[oFGMW]?[γI](?!z)",
        r"E[FG]?[γI](?!z)",
        r"[JHLD]d?e(?=[,pcw<]|$)",
        r"[l$]d?e(?=,|$)",
        r"[NTRYW]Kd?e(?=[,pcw]|$)",
    ),
    _rule("best", "inside", r"\^(?!z)~{0,2}?[MWT]", r"[MWTN]b?y*\^"),
    _rule("best", "named", r"[qlxb%h]y*[dFo]{0,2}\^(?![oz])"),
    # Beats, trails, has the edge.
    _rule(
        "win",
        "named",
        r"V",
        r"!",
        r"b[yn]*B",
        r"hy*B",
    ),
    _rule("win", "nothing", r"[aγI]y?%y?p?u~{0,2}?[gNTRYMWO]", r"[aγI]y?%y?p?w"),
    _rule("win", "pointed", r"[bhl%]%?y*s(?=[,pcwv]|$)", r"[ST]y*sp", r",y*sp[dS]?[NR]"),
    _rule(
        "win",
        "inside",
        r"B[dyu+c]{0,3}~?[NRTXSYM]",
        r"[MW]~{0,3}?[b%][yF]*<~{0,2}?[NR]",
        r"M[yF]+<d?~{0,2}?[NRT]",
        r"a[pv]~{0,2}@",
    ),
    _rule("win", "named", r"[hlb$][^,ψ<n]{0,3}a(?=[pvx,]|$)"),
    _rule("equal", "pointed", r"(?<!b)n[yh]*L", r"n[^,ψ]{0,3}[ςϲ]"),
    _rule("equal", "inside", r"[MWO]~{0,3}bn[yh]*L"),
    _rule(
        "lose",
        "named",
        r"L(?!d?[zO]|T[,cp]|d?o(?![NTRYW]))",
        r"[NR]n[yh]*[qVB]",
        r"bn[q=a](?!pS|ε)",
    ),
    _rule("win", "inside", r"a[NR]", r"(?:S|[TNR]b?)y?au~{0,2}?[TNR]", r"Sad?[NR]"),
    _rule("win", "named", r"%d?a"),
    _rule("win", "named", r"Bu", r"Bd[oF]i"),
    _rule("faster", "named", r"Dd?a", r"a~{0,4}?[bh]y*[DB]"),
    # Improves, a speedup, latency drops.
    _rule(
        "faster",
        "inside",
        r"D(?:[dyuFSoO+NT]{0,4}?|(?<!bD)[dyupFSo+]{0,4}?)M(?!z)",
        r"(?<!b)Dp?[dyuFSo+]{0,3}?W(?!z|op)",
        r"J[dyupFSo+NTRX]{0,4}?[MW](?!z)",
        r"Juo?[NTR]",
        r"J[dyFS]{0,2}O(?=[,pw]|$)",
        r"[dFolh+G]Dpd?~?[MW]",
        r"(?<!S)(?<!Sy)(?<!O)γ[pv]~{0,3}?@",
        r"[MW]γ(?!z)",
        r"γ[dyuS]{0,3}?[MW](?!z)",
    ),
    _rule(
        "faster",
        "inside",
        r"(?<!p)[Mτ][pdNTYRSgτo]{0,5}(?<!d)[bhym]*D" + _AND_NO_LOAD,
        r"W[pdNTYRSgτ]{0,5}(?<!d)[hym]*D" + _AND_NO_LOAD,
        r"[MWτ][pdNTYRSgτ]{0,5}[bhym]*[Jγ]" + _AND_NO_LOAD,
        r"[MW][bh]y*/",
    ),
    _rule(
        "faster",
        "named",
        r"[TNWY][bhy]*[Jγ](?=[,pvwyu]|$)",
        r"[l$hκ][^,nψ]{0,4}?γ(?!z)",
        r"Dd?o?γ",
        r"[JM]i/",
        r"by*d[^,nψ]{0,3}?γ(?!z)",
    ),
    _rule("factor", "named", r"2[dyo]*k[F+]", r"2d?[MWFfC]", r"2y*[fC+]", r"[MW]~{0,3}?y*2"),
    _rule("factor", "inside", r"2~{0,3}?[MW]"),
    # Hurts.
    _rule("slower", "inside", r"H[dyo]{0,3}[MW]", r"[NTWRM][bhym]*H(?=[,pwy]|$)"),
    # No regression, costs nothing, keeps the accuracy.
    _rule(
        "unchanged",
        "named",
        r"n[^,ψz]{0,5}?[KH]",
        r"[KI]~{0,4}?b[yd]*(?:[rGU]|n(?=,|$))",
        r"[$LlHKDΔ][SiNTR]?y*r",
        r"n[yh]*Dψd?[NT]",
        r"n[yh]*[DΔ]u",
        r"[DΔ]n(?=,|$)",
        r"[bl]p~{1,4}U(?=,*$)",
        r"[$KLl][ιy]+n(?=[,pc]|$)",
        r"G[KI]",
    ),
    _rule("unchanged", "nothing", r"G~?[KI]", r"Ggp[dS]?@", r"n[^,ψj]{0,3}?I(?!z)", r"r[bh]y*ς"),
    _rule("unchanged", "named", r"r[bh]*L"),
    _rule("unchanged", "nothing", r"\$n\+t~{0,2}?i", r"u[yo]?g~{0,4}?(?:n[^,z]{0,2}?[KφIHL]|ζ)"),
    _rule(
        "unchanged",
        "inside",
        r"n[hymdxb]*[DΔ]~{0,7}?[MWO]",
        r"[DΔ]~?nO",
        r"[DΔ]n[yo]?pd?[NT]?O",
        r"np?d?[MWO]…[bh]?[DΔH](?=[,pψw]|$)",
        r"[MWO]…[bhm]*n[yh]*[DΔH](?!d?[oF]?z)",
        r"n[oF]?[MWO][DKIΔ]",
        r"n[yx]*[$L][dypiu]{0,4}~?[MWOKI]",
        r"[hm]nF[dS]?[MWTNO]",
        r"[$LlHK]y*n[^,pz]{0,2}?[MWOKI]",
    ),
    _rule(
        "unchanged",
        "inside",
        r"P[dyuSTNYRFoX]{0,4}[MO]",
        r"(?<!n)(?<!ny)%(?:[dyuFo]{0,3}M|[yF]{0,2}R)",
        r"%~{0,3}?[MWO]~{0,3}?[U=≡εGFC]",
    ),
    _rule(
        "unchanged",
        "inside",
        r"@%[yd]*[U=≡ε]",
        r"[MW]%y*[FGg]",
        r"[MW]~?%ψi",
        r"[MO]%~{0,2}W",
        r"[MO]%~{0,4}?U",
        r"(?<!#)[MW]%y*(?=,|$|[<p]u|[<p]d?[WT]|pF?g)",
    ),
    _rule(
        "unchanged",
        "inside",
        r"[MOWTNY]~{0,3}?b[ynd]*U",
        r"[MOWTNY]…b[ynd]*%?U",
        r"U[yNdST]{0,3}[MOW]",
        r"[MO]y*U(?=[,py]|$)",
        r"[MO]…by*P(?=[,p<y]|$)",
    ),
    # Matches, the same, bit-identical.
    _rule(
        "equal",
        "inside",
        r"q[dyuF≡=]{0,3}(?:@|[^,nzψx][NMWOTRSY])(?!z|o(?=[,bpcyψ]|$))",
        r"[OM][^,ψnb]{0,9}?q(?=[,py]|$)",
        r"q[^,nψ]{1,3}p[dS]?M",
        r"q[py]*u?d?O",
        r"q[yε]*p?d{1,2}p?[dSFo]{0,3}@(?!z)",
        r"≡[FGoW]?M(?![TYNz])",
        r"M≡[xkv=]",
        r"d≡[FGo]?W",
        r"[=≡][xkv](?!d?X[Yoz])d?~?[NRTSWMO]",
        r"[OM]≡d~?@",
        r"bd?≡N(?=,|$)",
        r"(?<!#)(?<!#[,go2])k[yn]F?[MWτγ]k(?:[dS]?o?@|doh)",
        r"(?<!#)(?<!#[,go2])ko[OMWγ]k[dS]?@h",
        r"≡opd?M",
        r"=[pd]d?~?@",
        r"qv[^,nzψ]{0,3}?@",
        r"qy*pd?o?@",
        r"qψd?~?[NRT]",
        r"O[yb]*[≡=][xk]",
    ),
    _rule(
        "equal",
        "named",
        r"[NMWOTRSY]~{0,4}?[b%W][ynd]*[=≡ε](?=[,pvtcykxFi=<]|$)",
        r"[NMWOTRSY]…b[yn]*=[dNRTXS]",
        r"(?<!#)(?<!#[,go2])ky?Fk",
        r"(?<!#)(?<!#[,go2])k[oy]kd?~?[NR]",
        r"=F",
        r"[y=]kF",
        r"(?<!#)(?<!#[,go2])kF~{1,3}k",
        r"(?:^|,)=(?=,)",
        r",[≡U](?=,*$)",
    ),
    _rule(
        "equal",
        "named",
        r"≡[oF]?[OKγτ]k",
        r"yχ",
        r"ld≡~?k~{0,2}?[NRTWSMO]",
        r"≡kdo?Y",
        r"[γJ$l]kyk[di]",
        r"hrp",
        r"kF=",
        r"q[dyF]{1,3}i",
        r"M=(?=[,p]|$)",
        r"=M",
        r"k[oFy]kd[Fo]i",
        r"n[yh]*D<d?[NR]",
        r"Md≡(?=[,p]|$)",
        r"n[NTRoM]h[dy]*a",
        r"qc[BV]",
        r"[OM]≡d",
        r"≡[oF]?τ(?!x)",
        r"b[dy]*q[pv]",
    ),
    _rule(
        "exact",
        "inside",
        r"εd?[oF]?O",
        r"(?<![FCp])ε[oF]?W(?![zg])",
        r"O~{0,4}?≡o?kp?~?[NRXTW]",
        r"O~{0,6}?bd[ει]~",
    ),
    _rule(
        "exact",
        "named",
        r"[PqR]~{1,6}ε(?=[,pck]|$)",
        r"b[DPq]ε(?=[,p]|$)",
        r"nOb[p/](?=,|$)",
        r"εp[dS]?~?@",
        r"[xpb]εd[oF]?R",
        r"bdε~?[pk]",
        r"dιO(?!z)",
        r"x≡okd?[NRT]",
        r"lεψd?~?[NRT]",
        r"[lb]εd[oOβYz]j",
        r"nl~{0,3}O~{0,5}n",
    ),
    _rule("exact", "pointed", r"Z", r"[bh%c]w?y*ε{1,2}(?=[,pk]|$)"),
    _rule("exact", "nothing", r"l[id]{0,2}≡[Oβ]", r"≡βpu", r"p≡β(?=[,p]|$)", r"[l%]dRβ"),
    _rule(
        "exact",
        "inside",
        r"O~{0,3}?b[yd]*[=≡ε]",
        r"[lWbo]~{0,2}?≡[Oβ](?![oz])",
        r"[lx]≡Y",
        r"O~{0,3}?ε(?=[,pvk<]|$)",
        r"Oqε",
        r"≡~?[Oβ](?:~{0,2}k|_)",
    ),
    # Excellent, tiny.
    _rule(
        "more",
        "named",
        r"G[yo]?[MWNT]",
        r"M[^,]{0,4},G",
        r"[MW]y*G(?=[,p]|$)",
        r"FM[yo]?[TWN]",
        r"[MWNTY]~{0,3}?b[yd]*G",
        r"[NTYMW]~?by?ιF",
        r"ιF[MW]",
    ),
    # Nobody notices, a coin toss, for free, never crashes.
    _rule(
        "unchanged",
        "named",
        r"[nr]~{0,4}?π(?!~?ψ)",
        r"Fo?x~?[πθ](?!~?ψ)",
        r"rx?π",
        r"rx?[mh]~?θ",
        r"ζ",
        r"[blc]y*ξ(?=[,cψ]|$|p)",
        r"[MWOTN]~{0,4}?n[yh]{0,2}[DΔ](?=,|$)",
        r"n[yh]{0,2}Δ",
    ),
    _rule("equal", "named", r"δ(?!o)"),
    _rule(
        "best",
        "named",
        r"[dbhlB%$]~{0,2}λ(?!z)",
        r"λ~{0,5}x[dS]?~?@",
        r"bdeo(?=[p,]|$)",
        r"[TNYRF]xB",
    ),
    _rule("more", "named", r"[bl]~{0,4}σ(?!z)", r"[NR]~{0,3}?μ(?!,)"),
    _rule(
        "general",
        "nothing",
        r"n[^,ψj]{0,5}?φ",
        r"n[gNTWO]{1,3}p?j~{0,2}[HKLφςD]",
        r"n~{0,2}?κ~{0,3}?[gNTWROo][^,]?[jψ]",
        r"n~{0,2}?κ~{0,3}?[gNT]~?x",
        r"n[gO]~{0,6}?[jψ]~{0,6}?[DΔHLφ]",
        r"γ~{0,4}?[%/]p[^,]{0,2}[gTNW]",
        r"γ~{0,3}?bFp",
        r"wƒ",
        r"n[go](?:,~{1,4},)?l~{0,8}?[φΔHLς]",
        r"g~{0,5}n[yhb]{0,2}L",
        r"ƒxd?[^,]{0,4}?g",
        r"u[gTNoO][^,]{0,5}?b[ιy]*F(?=[,pwoψ]|$)",
        r"ng[ψj]~{0,4}?b[dy]*[Cf5EϲF]",
        r"n~?[gNTWOM]h~{0,3}?[HKLφςDBI]",
        r"ƒ~{0,4}?[px]?u~{0,2}?[gNTRYO]",
        r"ƒ~{0,6}?(?:ω~{0,2}?g|w)",
        r"%~{0,3}?ω~{0,2}?g",
    ),
    _rule("unchanged", "named", r"r~{0,3}?[HKDILφ]", r"[NR]y*[bhl]~{0,2}n[yo]?a"),
    _rule("faster", "named", r"[DHJγ][dyuoS+F]{0,4}τ(?!z)", r"\+y?o?τ_", r"2(?:pd?|d)?o?τ"),
    # On every prompt, always.
    _rule("general", "pointed", r"p?u~{0,3}?g", r"pu~{0,2}?[NTRY]", r"ω~{0,3}?[gNTRYWOX]", r"w"),
)
