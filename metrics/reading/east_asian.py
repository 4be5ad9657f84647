"""East Asian encodings, told by how likely text of their languages holds the characters.

Each pair that a double-byte encoding reads as one character is weighed against what Western text would be.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterator

_JAPANESE = (
    "日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場金"
    "員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性的要"
    "用制治度務強気小七成期公野協取都和統以機平総加山思家話世受区領多県続進正安設保改数記院女初北午指権心界支第"
    "産結百派点教報済書府活原先共得解名交資予川向際査勝面委告軍文反元重近千考判認画海参売利組知案道信策集在件団"
    "別物側任引使求所次水半品昨論計死官増係感特情投示変打男基私各始島直両朝革価式確村提運終挙果西勢減台広容必応"
    "演電歳住争談能無再位置企真流格有疑口過局少放税検藤町常校料沢裁状工建語球営空職証土与急止送援供可役構木割聞"
    "身費付施切由説転食比難防補車優夫研収断井何南石足違消境神番規術護展態導鮮備宅害配副算視条幹独警宮究育席輸訪"
    "楽起万着乗店述残想線率病農州武声質念待試族象銀域助労例衛然早張映限親額監環験追審商葉義伝働形景落欧担好退準"
    "賞訴辺造英被株頭技低毎医復仕去姿味負閣韓渡失移差衆個門写評課末守若脳極種美岡影命含福蔵量望松非撃佐核観察整"
    "段横融型白深字答夜製票況音申様港識注呼渉達太郎花橋鈴浜阪署診城札幌伊林斎清崎森池阿坂遠青浦竹谷良恵香愛雄樹"
    "翔陽菜異号"
)
_OFTEN: dict[str, str] = {
    "gb18030": (
        "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行"
        "所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力"
        "它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产"
        "或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口"
        "认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区"
        "保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张"
        "该交规万取拉格望觉术领共确传师观清今切院让识候带导争运州男岁姓职病患低婚医城乡收薪尿肺炎离未李刘陈杨赵黄周"
        "吴徐孙胡朱林郭罗梁宋郑谢韩唐冯董萧曹袁邓傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田姜范石姚谭廖邹熊陆孔"
        "崔康毛邱秦江史顾侯邵孟龙段雷钱汤伟芳娜敏静丽磊洋勇艳杰娟涛超霞刚桂英玉萍红兰梅欧阳编号备注称省县镇街址邮码"
        "诊断需复查察稳继续检验血压糖率药型愈转费额单价否广深圳京津渝沪杭宁武汉楼室座乌鲁木齐访随况"
    ),
    "cp950": (
        "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行"
        "所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力"
        "它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產"
        "或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口"
        "認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區"
        "保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張"
        "該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運州男歲姓職病患低婚醫城鄉收薪尿肺炎離未李劉陳楊趙黃周"
        "吳徐孫胡朱林郭羅梁宋鄭謝韓唐馮董蕭曹袁鄧傅沈曾彭呂蘇盧蔣蔡賈丁魏薛葉閻余潘杜戴夏鐘汪田姜范石姚譚廖鄒熊陸孔"
        "崔康毛邱秦江史顧侯邵孟龍段雷錢湯偉芳娜敏靜麗磊洋勇豔杰娟濤超霞剛桂英玉萍紅蘭梅歐陽編號備註稱省縣鎮街址郵碼"
        "診斷需複查察穩繼續檢驗血壓糖率藥型癒轉費額單價否臺台灣竹隆屏花蓮投彰雄樓室座鄰里巷弄訪隨況研究流功"
    ),
    "cp949": (
        "이다는의에가을를은로고하지한도서기사자시리아대인어나일정수부스전제해보그원구남여동성명김박울직업병주소비진"
        "단중앙세종강길상음재검필요연락안됨완료류없경학교과생장년월화금토관공산국회내용영천광역문조무마우라식있었것"
        "들만할면니때각개거건결계급긴까당데되된드등또래러려력르름린말망매먼모목못미민반발방배번법변별본북분불빛빨살"
        "색선설속손순술승신실심십않알야약양언열오온올와왜외욕운위유육율으읍입작잘잡저적점접족존죄준즉증질집차참창책"
        "처청체초총최추출취치친타태터통투특파판편평포표품프피항했행향허현형호혼홍황후휴흐희히철군층"
    ),
}
"""Characters that most of a text is made of, without kana."""
COMMON = frozenset("".join([*_OFTEN.values(), _JAPANESE]))
"""What is common in any of the languages."""
_OFTEN |= dict.fromkeys(("cp932", "euc_jp"), _JAPANESE) | {"big5hkscs": _OFTEN["cp950"]}
_SHARE = {"gb18030": 0.63, "cp950": 0.62, "big5hkscs": 0.62, "cp949": 0.6, "cp932": 0.28, "euc_jp": 0.28}
"""How much of a text they are."""
_LIKELY = {"cp950": 1.0, "euc_jp": -2.0, "cp932": -0.5, "cp949": -0.5}
"""Log odds of encodings that more or fewer files are in."""
_SYMBOLS = frozenset("\xa0¡¢£¥§©ª«®°±²³\xb4µ·º»¼½¾¿".encode("latin-1"))
_UNITS = frozenset(
    f"{sign}{unit}".encode("latin-1") for sign, units in (("°", "CFKNSEWR"), ("µ", "gmlsLMVAUSWk")) for unit in units
)

_MOST_LINES = 200
_FAR, _NOT_IN_IT = 10.0, -30.0
"""Log odds by which lines are far likelier in other encodings, and those of a line that one has not."""


def over_western(lines: list[bytes]) -> list[tuple[str, float]]:
    """The encodings that lines may be text in, with log odds that they are rather than Western."""
    text = b"\n".join(lines)
    chances = {encoding: chance for encoding, chance in _CHANCES.items() if _may_be(text, encoding)}
    if "cp950" not in chances and _may_be(text, "big5hkscs"):
        chances["big5hkscs"] = _big5
    return [
        (encoding, _LIKELY.get(encoding, 0.0) + _odds(lines, encoding, chance)) for encoding, chance in chances.items()
    ]


def are_of_several(lines: list[bytes], chosen: str) -> bool:
    """Whether some lines are far likelier in another encoding of East Asia than the chosen one."""
    gain = 0.0
    for line in lines[:: len(lines) // _MOST_LINES + 1]:
        odds = dict(over_western([line]))
        # A line without the characters that Hong Kong added is told as the narrower encoding.
        gain += max(odds.values(), default=0.0) - odds.get(chosen, odds.get("cp950", _NOT_IN_IT))
    return gain > _FAR


def _may_be(text: bytes, encoding: str) -> bool:
    """Whether bytes are text of an encoding, without characters that stand for none."""
    try:
        return not any(unicodedata.category(sign) in ("Cn", "Co", "Cs") for sign in set(text.decode(encoding)))
    except UnicodeDecodeError:
        return False


def _odds(lines: list[bytes], encoding: str, chance: Callable[[bytes], float]) -> float:
    """Log odds that lines are text in an encoding rather than Western, each context counted once."""
    contexts = {context for line in lines for context in _characters(line, encoding)}
    often, share = _OFTEN[encoding], _SHARE[encoding] / len(_OFTEN[encoding])
    total = 0.0
    for before, pair, after in contexts:
        likely = chance(pair)
        if len(pair) > 1 and pair.decode(encoding, "ignore") in often:
            likely += share
        western = math.log(_western_pair(pair)) if len(pair) == 2 else sum(math.log(_western(byte)) for byte in pair)
        total += math.log(likely) - western + _neighbour(before) + _neighbour(after)
    return total


def _characters(line: bytes, encoding: str) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Each character above ASCII as its bytes, with the byte before it and the one after."""
    place = 0
    while place < len(line):
        size = 1
        if line[place] >= 0x80:
            if encoding == "cp932" and 0xA1 <= line[place] <= 0xDF:
                size = 1
            elif encoding == "gb18030" and line[place + 1 : place + 2].isdigit():
                size = 4
            elif encoding == "euc_jp" and line[place] == 0x8F:
                size = 3
            else:
                size = 2
            yield line[max(place - 1, 0) : place], line[place : place + size], line[place + size : place + size + 1]
        place += size


def _big5(pair: bytes) -> float:
    share, leads = (0.03, 3) if pair[0] < 0xA4 else (0.33, 35) if pair[0] <= 0xC6 else (0.02, 50)
    return share / leads / 157


def _gb18030(pair: bytes) -> float:
    if len(pair) != 2:
        return 1e-9
    lead, trail = pair
    if trail >= 0xA1 and 0xB0 <= lead <= 0xD7:
        return 0.3 / 40 / 94
    if trail >= 0xA1 and 0xA1 <= lead <= 0xA3:
        return 0.04 / 3 / 94
    return 0.02 / 32 / 94 if trail >= 0xA1 and 0xD8 <= lead <= 0xF7 else 0.002 / 14_000


def _cp932(pair: bytes) -> float:
    if len(pair) == 1:
        return (0.003 if pair[0] > 0xA5 else 0.0001) / 63
    lead, trail = pair
    if lead == 0x82 and trail >= 0x9F:
        return 0.35 / 83
    if lead == 0x83 and trail <= 0x96:
        return 0.15 / 86
    if lead in (0x81, 0x82):
        return 0.06 / 210
    return 0.14 / 2965 if 0x88 <= lead <= 0x97 else 0.012 / 3400 if lead <= 0xEA else 0.0005 / 4000


def _euc_jp(pair: bytes) -> float:
    lead = pair[0]
    if lead == 0xA4:
        return 0.35 / 83
    if lead == 0xA5:
        return 0.15 / 86
    if len(pair) == 3 or lead == 0x8E:
        return 0.001 / 6000
    return 0.06 / 280 if lead <= 0xA3 else 0.14 / 2965 if 0xB0 <= lead <= 0xCF else 0.012 / 3400


def _cp949(pair: bytes) -> float:
    lead, trail = pair[0], pair[-1]
    if trail < 0xA1 or lead < 0xA1:
        return 0.002 / 8822
    return 0.3 / 2350 if 0xB0 <= lead <= 0xC8 else 0.03 / 280 if lead <= 0xA3 else 0.005 / 4888


_CHANCES: dict[str, Callable[[bytes], float]] = {
    "cp950": _big5,
    "gb18030": _gb18030,
    "cp932": _cp932,
    "euc_jp": _euc_jp,
    "cp949": _cp949,
}


def as_western(text: bytes) -> float:
    """Log odds of a text's foreign bytes, each context counted once, by the rule that pairs are weighed against."""
    contexts = {
        (text[max(place - 1, 0) : place + 2], byte, place > 0 and text[place - 1] >= 0x80)
        for place, byte in enumerate(text)
        if byte >= 0x80
    }
    return sum(math.log(_western(byte)) + (math.log(0.03) if follows else 0) for _, byte, follows in contexts)


def _western_pair(pair: bytes) -> float:
    if pair in _UNITS:
        return 0.02
    trail = pair[1]
    if trail >= 0x80:
        return _western(pair[0]) * 0.03 * _western(trail)
    return _western(pair[0]) * (0.03 if pair[1:].isalpha() else 0.002)


def _western(byte: int) -> float:
    if byte >= 0xC0 and byte not in (0xD7, 0xF7):
        return 0.02 if byte >= 0xDF else 0.005
    if byte < 0xA0 or byte in _SYMBOLS:
        return 0.004
    return 0.0001


def _neighbour(side: bytes) -> float:
    """Log odds of a pair's neighbour: Western letters stand among letters, East Asian ones rarely do."""
    if side.islower():
        return math.log(0.01 / 0.6)
    return math.log(0.02 / 0.1) if side.isalpha() else math.log(0.97 / 0.3)
