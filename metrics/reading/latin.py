"""What stands beside the letters with marks of languages in Latin letters, counted in the words of free programs.

It tells apart what two encodings read as different letters: ň ends Czech words, but ò does not follow an e.
"""

# The letters of other alphabets are the subject here.
# ruff: noqa: RUF001

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

_WORDS = {
    "French": (
        "western",
        "é0rdt-snlmpgiuhvcf/-escrtpmldgfvnab è3ilrthmgdcpfsv-nb/rmtsgnqldvc ê4rtnpu-mvgch/tmcn î4ah-tokrdnlm/-tnlc "
        "ô4rcphtlmsv/ltnmo ç5anre-i/aou â5lthrba-ngy/cgtlmsnkyhj ï5aou/-twqrmke+nvagds û5osdmg/tr-ml œ6nc-b/u "
        "à6j-lics/-d ü6gnkw/resi ë6uo/-sl ù6o/- ÿ6a/- æ6c/t",
    ),
    "German": (
        "western central baltic",
        "ü1rl-fntkghws/bschrlfgntp-dm ä1rhtlw-nfmszgdpe/ntrhlgucsd+fi ö2rlhw-mnzktfe/+srgfcphtnml "
        "ß2+eouia/e-itkblsgzrnmhfw é6rumyc-n/bm-gd",
    ),
    "Spanish": (
        "western",
        "ó1irctmnlzbdgsp-/n-drlsmg á1rtm-pvlucnibgzs/-nslgtfrmcpbx í2rltsudvcfmnabep-/andt-scmgofxlrbe "
        "é2mtnid-rulvghcbpy/sntr-clxpadfbz ú3n-bmpgtyldrhas/snlmab-ftrcpze ñ3aeiou/aoeiu ü5g/eo",
    ),
    "Portuguese": (
        "western",
        "ç1aineurpc/+ao ã2+srtni/o á2rtmnvsild-pczbug/vr-ltfsgxubpc í2ustlrnma-vdcfgbh/vdnctsgmflr-poa õ3+sprti-/e "
        "ó3trmcnplb-sgfe/rspdtnlg-ximb ê3rdtnulgcvmi+o/ns-m é3mtrns-blgcvpud/rtmsdg-lcnip ú4-nmpierthb/lnsmbtdcrvp "
        "â4trn-lcfsgmpzi+vu/nm ô5npmtrcidlf/nrdms à6-/-qs ü6q/+e",
    ),
    "Italian": (
        "western",
        "à0tripcn-mvlds/-+ é3hkluvrzsnm/-ncdskrom ò3riu+cltdnmgzvpsb/-+n ì3ds+publnrtcmv/-+rn ù3int+sdbrmclv/- "
        "è3-o+hsim/-+",
    ),
    "Danish and Norwegian": (
        "western",
        "ø1tfnslrk-mhjpdg/rgkjsndyvlmbte- æ1vrlsmhjknt-gfd/rntlskgvfd å2rhml-vgptnsbkd/ndr-lsektbgpvm "
        "é3tlrkvcmdsng-uih/r-n ö6js-m/rdsl ä6mpj/hin ò7/ ô7/",
    ),
    "Swedish": (
        "western",
        "ä1vlrtsfkjmn-hg/nrlgtmskdxfc ö1fs-lrtkhmdgj/rkvsndmjgpla å2r-hmltgvpnsfk/tlnrgds-kevb é6tvrdmy/-ium à6-/-j "
        "ü6l/-",
    ),
    "Finnish": (
        "western",
        "ä0t+mksvjpnlir/-+nrylitsmvkhpje ö2tyknlir+p/t-nmskiyl+hpjra š6ta-ki/euakit ž6d-ie/ain-eu å6gr/+n",
    ),
    "Icelandic": (
        "western",
        "ð1ia+ruego/-aiusfrlgmnvjkb á2rj-ltmhdgnk+f/lkst-rangfm+bhi í2stlvrd-pnbmkga+/s+ln-amtkrbxvdgp "
        "ó2-jtlrmphk+sbnfeg/+sltn-kpgrvmf ö2tmjrlgdvf-hs+nk/lgr+nfkpms æ2tvrlhfsnb-gd/r+ktgsnmjil "
        "ú3n-brlgtjm+ps/tnmisrl-akg+bv ý3slnk+td-rbp/nrts+l-jpm þ3-+tmerlaf/e+jayrvu é4srv+hln/rtl-+nfu",
    ),
    "Dutch": (
        "western",
        "ë1ie/-rnlixfvse ï2eao+r/nms-rdtlae é2v+-hbrklszdte/-ng+smrtp ö3j-krgtlsv/rlntbpdsve ü4sgtel/marn- ç5in/+o "
        "è5cl/n",
    ),
    "Catalan": (
        "western",
        "ó1itrd/-s à1rtmi-lncpvbsduef/-rntlgmfscxpub è2mrtndl-gpuc+sbvf/nstr-dcpvgifxb "
        "í2ltrdmfs-vcpubnax/sn-ctmgfdxlepoa ç3anrpel/a-o+d ò3tmnlrcpb-sx+ig/nrdspg-ltfmcx é3tcurmv-bflniz/s-nmi "
        "ú3n-mbpjrtsglxd/slm-nbtrfv ï3ueia/tdnubsl-ex ü4qg/e+i",
    ),
    "Czech": (
        "central",
        "í1n+cjtvdmlpzbs/-cmst+hlknrdvz á2vnrkdlzt+mhspbu/n-vltzd+smrchp é2nkvtlmdhr/-hmnrd ř2p+t-odveaiy/e+ia-ou "
        "ý2nvkltrmh/-cmr+svpz č3a-eou+nirym/e+nikta-oul ě3nvmtdbp/n-+ltrjdzkcsh ž3ou+ar-eyidm/ei+na-kdoubts "
        "š3u+-iaeovjztryln/e+tiknlo-pau ů4rdtkplmz+svcjnh/-vsm+zlhrb ú5-e/s+pldvrkcnht ň5al+euvtjdiorpcz/uo-ktac+ "
        "ó5kmzvt+g/dnt-l ť6+suoh/o-utk ď6a+eur/-tuao",
    ),
    "Slovak": (
        "central",
        "á2nrkvlztdmhupbis/-vcltrzsdmn+jpk ý2nvktrhl/-cmsrb+vplt é2nvktlrmhd/-hmrn í2n+rtpczlvidsjb/-svmtkncr+pz "
        "č2ao-+eniruyd/in+eao-kut ú3jns-ktvr+pldbe/-c+rtbsvdplkhm ť3ais+eu-/-ao š3-+naeuovjyrizlp/tie+apoknl-u "
        "ž3ou+-areiyd/i+enakd-obus ľ3eoh-akdus+/naok-u+svb ó4kltrgmfizev/dngrpmbl ň5e+aldvtz-jrop/oua-t "
        "ô5pdmkrvh/vs+lzrnbtjdp ä5vpm+/+tzb ď5-eau+ivdo/a-outeh ĺ6dtphlo/+pb ŕ6mh/t+",
    ),
    "Polish": (
        "central",
        "ł2aosdekgw-y+zuipb/a+ouy-nekcd ą2j+inzwtlkdcr/c-dz+tgp ę2itjz+rnlwkbpgd/-tcdpk+zbg "
        "ó2rtpkg+wmsncidz-b/w+rcbdjtls ś2o-eyjai+du/c+lrnw-m ć2a+iyeu/- ż2uoead+-iy/ynea+-soldku ń3aeoiy/s-c "
        "ź4d-+aeu/-nrwoaldp+",
    ),
    "Hungarian": (
        "central",
        "á1tzlsrvmn-fjgdbek/slrtnjmgbkvchz é1tkslzmnv-rgdpfcj/srngpltkvmzdch- ó2tlirzmbdkgfsv-/-kldtsbjnrivpzah "
        "í2slztcdkphrn-ev+y/trvmpnlcs ő3tlzdrbnvgsy/-klstrzvbfnjd+ep ö3kt-zlrgnsmhjbf/rzlvnstkbmg "
        "ü3f-rnklzstviydj/lgzkrtns-bv ú4-sthbyzmjngrli+d/jt-lzrsgnca ű4tymzfrgnsjvd/k-vzrsjntebicml",
    ),
    "Romanian": (
        "central",
        "ă1tzcrlnmps+dvgfb/-rt+sul ţ1anice+rup-lb/ie+a ş2eia-+uornc/tiaue-+on î3-eci/nmrt â3ctmrvfszdn+pglh/nrtm+lb",
    ),
    "Croatian and Slovene": (
        "central",
        "č1ioaue-+nl/einaku-rlj š1ieo-arujz/itkea+nl-u ž2oeuar-id/eianulj- ć3ueaoi+-p/eiaun- đ3eaoi+r/eaui",
    ),
    "Turkish": (
        "turkish",
        "ı1nrsd+ltmykczp/-nrl+kymzcsdt ş2i+eau-ro/tl-+iamekusv ü2drstngly-+mkzcb/nrmzl-+ksytcv ğ2ae+iou/i+leuramd "
        "ç2-eair+ultk/e+ail-moutb ö3-gdy+sbkt/nrzlsk+gymp İ4-dlrm+bstzknghca/+nls-mzkrtfpdhyc â5klgr-s/lrynmztd+ "
        "î6tmshl/-c",
    ),
    "Lithuanian": (
        "baltic",
        "š1ia-ekru+oynt/ikatyv+osepurdlm ė2nldmtrksbv+pzgj/-sjtlm+knprg ų2itmnjkrldsvg+b/-j "
        "ž2du-a+eroi/iyaedorkvut+bnpm ą2mtjsikrndlgb+v/-jsr+l į2-nltejrk+dp/-rvdstjkpg+ č3neia-+ruosyk/iea+ "
        "ū3btirgkljd+pscv-/rstknz+lvdg ę4ntlrmjsbvd+kge/-s+",
    ),
    "Latvian": (
        "baltic",
        "ā1tnrkpjmld+vbgsau/-rtsjdmlkc+npv ē2lvtmrz+sdpncbh-/tjrl+-mgsndp ī2tdrzlns+-cvpmb/tbgmdvjsk+-crp "
        "š2+okea-gruipmt/a+iuo-rspm ņ3ieaz+to-dl/aeu+oijr ļ3kae+tu-io/a+uio-kv ū3t+blrjsgmn/trksndl+-vzc "
        "ķ4+roi-ek/i+eau- ž4ead-inu/+ouai-es ģ4ie+-ogpa/i+eah č6-+ucipra/aueid",
    ),
    "Estonian": (
        "baltic western",
        "ä1vjmk+tpnls-/ril+shetnbdgp ü1-st+klrnph/hlm+skpnbr-g õ2vltskmp-nra/itprnlhuesmj ö3+tpsrmk-v/+trd-jlink "
        "š4-tao+ui/iaoue+t ž5edn/i-ako",
    ),
}
"""Of each language the groups of encodings for it, and its letters: minus the logarithm of each one's share, the
commonest signs before it and those after it. "-" is no letter, "+" one beyond ASCII."""
_RARE = {"Icelandic": -4.0}
"""Log odds of languages of which there are far fewer files."""
_LISTED = 0.97
"""Share of the neighbours that are listed."""
_UNLISTED = -3.5
_ANY_LETTER, _ANY_OTHER, _ANY_FOREIGN = 2.3, 1.6, 1.0
"""Minus the log chances of neighbours in any text."""
_BESIDE_DIGIT = -1.5
_OF_NONE = -10.0
"""Log odds of a letter that no language of the group has."""
_OF_OTHERS = -3.5
"""Log odds of a word of another language of the group."""


@dataclass(frozen=True)
class _Words:
    """Where a language has its letters with marks: log chances of letters, log odds of neighbours."""

    likely: float
    letters: dict[str, float]
    before: dict[str, dict[str, float]]
    after: dict[str, dict[str, float]]

    def odds(self, before: str, letter: str, after: str) -> float:
        """Log odds of a letter that the language has between two signs."""
        return self.letters[letter] + _beside(self.before[letter], before) + _beside(self.after[letter], after)


def likely_languages(group: str) -> list[float]:
    """Log odds of every language of a group before looking at the text."""
    return [words.likely for words in _words_of(group)]


def odds_by_language(group: str, letters: list[tuple[str, str, str]]) -> list[float]:
    """Log odds of letters, each with what stands before and after it, in every language of a group."""
    languages = _words_of(group)
    totals = [0.0] * len(languages)
    every = 0.0
    for before, letter, after in letters:
        folded = letter if letter == "İ" else letter.lower()
        having = [
            (place, words.odds(before, folded, after))
            for place, words in enumerate(languages)
            if folded in words.letters
        ]
        if not having:
            every += _OF_NONE
            continue
        least = max(odds for _, odds in having) + _OF_OTHERS
        every += least
        for place, odds in having:
            totals[place] += max(odds - least, 0.0)
    return [every + total for total in totals]


@cache
def _words_of(group: str) -> tuple[_Words, ...]:
    return tuple(
        _words(_RARE.get(name, 0.0), letters.split())
        for name, (groups, letters) in _WORDS.items()
        if group in groups.split()
    )


def _words(likely: float, entries: list[str]) -> _Words:
    letters, before, after = {}, {}, {}
    for entry in entries:
        letter, left, right = entry[0], *entry[2:].split("/")
        letters[letter] = -float(entry[1]) - 0.3
        before[letter], after[letter] = _neighbours(left), _neighbours(right)
    return _Words(likely, letters, before, after)


def _neighbours(listed: str) -> dict[str, float]:
    weights = [(place + 2) ** -1.4 for place in range(len(listed))]
    base = {"-": _ANY_OTHER, "+": _ANY_FOREIGN}
    return {
        sign: math.log(_LISTED * weight / sum(weights)) + base.get(sign, _ANY_LETTER)
        for sign, weight in zip(listed, weights, strict=True)
    }


def _beside(neighbours: dict[str, float], sign: str) -> float:
    if sign.isdigit():
        return _BESIDE_DIGIT
    key = "-" if not sign.isalpha() else "+" if sign > "\x7f" else sign.lower()
    return neighbours.get(key, _UNLISTED)
