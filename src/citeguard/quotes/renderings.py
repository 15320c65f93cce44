"""Systematic renderings of a text: the same words in another typography.

A copy in ASCII, with "ae" for "ä" or Swiss "ss"; stress marks; letters of another script that look
the same; polytonic Greek; spellings of Hindi nasals; words with two spellings; Russian and Japanese
before their reforms. What may be another word is taken for a rendering only if the whole quote is
written so.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import pairwise

from rapidfuzz.distance import Levenshtein

from citeguard.language import lexicon
from citeguard.language.spelling import GREEK_VOWELS, without_marks
from citeguard.language.tokens import Token

_Sides = tuple[list[Token], list[Token]]
_Rule = Callable[[str], str]

_ENOUGH = 2  # words that are rendered, so that none of them is an error


def rendered_alike(quoted: Sequence[Token], source: Sequence[Token], language: str) -> _Sides:
    """Return the tokens of both sides, those of the quote as the source renders them.

    Args:
        quoted: The quote's tokens without marks.
        source: The source's.
        language: The code of their language, "" if unknown.
    """
    sides = _plain_charges(quoted), _plain_charges(source)
    if language == "ja":
        sides = _japanese(*sides)
    pairs = _pairs(*sides)
    rules = [rule for rule in _sure_rules(*sides, language) if rule is not None]
    same = {i: j for i, j in pairs if _is_sure(sides[0], sides[1], i, j, rules)}
    rest = [(i, j) for i, j in pairs if i not in same]
    for systematic in (_german, _swiss, _ascii, _nukta, _pre_reform):
        if systematic is _ascii and language == "de":
            continue  # "wurde" and "hatte" are other words than "würde" and "hätte"
        same |= systematic(*sides, [pair for pair in rest if pair[0] not in same])
    if not same:
        return sides
    quote = [
        _like(token, sides[1][same[i]]) if i in same else token for i, token in enumerate(sides[0])
    ]
    return quote, sides[1]


def _pairs(quoted: list[Token], source: list[Token]) -> list[tuple[int, int]]:
    """Return the places of words that differ, in both sides."""
    keys = [token.key for token in quoted], [token.key for token in source]
    pairs: list[tuple[int, int]] = []
    for op in Levenshtein.opcodes(*keys):
        if op.tag == "replace":
            places = zip(
                range(op.src_start, op.src_end), range(op.dest_start, op.dest_end), strict=False
            )
            pairs += [(i, j) for i, j in places if quoted[i].kind == source[j].kind == "word"]
    return pairs


def _like(token: Token, other: Token) -> Token:
    if token.text.isupper() and len(token.text) > 1:
        text = other.text.upper()
    else:
        text = other.text if token.text[:1].isupper() == other.text[:1].isupper() else token.text
    return token._replace(key=other.key, text=text)


# What is never another word

_STRESS = re.compile("(?<=[аеиоуыэюяіє\u0308])[\u0300\u0301]")
_POLYTONIC = "\u0300\u0342\u0313\u0314\u0345"
_BREATHINGS = re.compile("[\u0313\u0314\u0345]")
_ACCENTS = re.compile("[\u0300\u0301\u0342]")
# Consonants that a nasal is written before as a letter or as a dot.
_NASALS = re.compile("ङ्(?=[कखगघ])|ञ्(?=[चछजझ])|ण्(?=[टठडढ])|न्(?=[तथदध])|म्(?=[पफबभ])|ँ")
_NASAL_LETTERS = {
    consonant: f"{nasal}्"
    for nasal, row in zip("ङञणनम", ("कखगघ", "चछजझ", "टठडढ", "तथदध", "पफबभ"), strict=True)
    for consonant in row
}
_NASAL_DOT = re.compile("ं(?=([क-घच-झट-ढत-धप-भ]))")
_TO_CYRILLIC = str.maketrans("aeopcxyijsbhkmt", "аеорсхуіјѕвнкмт")
_TO_GREEK = str.maketrans("ovaikptuxybehmzn", "οναικρτυχυβεημζν")
_FROM_CYRILLIC = str.maketrans("аеорсхуіјѕвнкмт", "aeopcxyijsbhkmt")


def _sure_rules(quoted: list[Token], source: list[Token], language: str) -> list[_Rule | None]:
    keys = "".join(token.key for token in (*quoted, *source))
    decomposed = unicodedata.normalize("NFD", keys)
    has_cyrillic, has_greek = re.search("[а-я]", keys), re.search("[α-ω]", keys)
    return [
        _without_stress if has_cyrillic and _STRESS.search(decomposed) else None,
        _unmixed if has_cyrillic or has_greek else None,
        _monotonic if has_greek and any(mark in decomposed for mark in _POLYTONIC) else None,
        _nasal_dots if re.search("[\u0900-\u097f]", keys) else None,
        partial(_in_one_spelling, language=language) if _variants(language) else None,
        _as_latin5 if any(char in _LATIN5 for char in map(ord, keys)) else None,
    ]


def _is_sure(quoted: list[Token], source: list[Token], i: int, j: int, rules: list[_Rule]) -> bool:
    one, other = quoted[i].key, source[j].key
    if {one, other} == {"c", "с"}:
        return i > 0 and quoted[i - 1].key == "°"
    if all(_without_stress(word) != word for word in (one, other)):
        return False  # "за́мок" is a castle, "замо́к" a lock
    return any(rule(one) == rule(other) for rule in rules)


# Turkish that was read as Western European.
_LATIN5 = str.maketrans("ýþð", "ışğ")


def _as_latin5(word: str) -> str:
    return word.translate(_LATIN5)


@cache
def _variants(language: str) -> dict[str, str]:
    """Return words with two spellings, or their beginnings with "*", and the other spelling."""
    rows = lexicon.load_lexicon(language).variants if language in lexicon.CODES else ()
    return dict(row.split("=") for row in rows)


def _in_one_spelling(word: str, language: str) -> str:
    variants = _variants(language)
    if word in variants:
        return variants[word]
    for end in range(len(word), 1, -1):
        if f"{word[:end]}*" in variants:
            return variants[f"{word[:end]}*"].removesuffix("*") + word[end:]
    return word


def _without_stress(word: str) -> str:
    return unicodedata.normalize("NFC", _STRESS.sub("", unicodedata.normalize("NFD", word)))


def _unmixed(word: str) -> str:
    """Return a word of letters of two scripts in one of them."""
    if not re.search("[a-z]", word):
        return word
    if re.search("[а-я]", word):
        cyrillic = word.translate(_TO_CYRILLIC)
        return word.translate(_FROM_CYRILLIC) if re.search("[a-z]", cyrillic) else cyrillic
    return word.translate(_TO_GREEK) if re.search("[\u0370-\u03ff]", word) else word


def _monotonic(word: str) -> str:
    """Return a Greek word with the accents of today; a monosyllable has none, but for "ή"."""
    decomposed = _BREATHINGS.sub("", unicodedata.normalize("NFD", word))
    bare = _ACCENTS.sub("", decomposed)
    if len(GREEK_VOWELS.findall(bare)) == 1:
        if bare in ("που", "πωσ"):
            decomposed = decomposed.replace("\u0300", "")
        elif bare != "η":
            decomposed = bare
    return unicodedata.normalize("NFC", _ACCENTS.sub("\u0301", decomposed))


def _nasal_dots(word: str) -> str:
    # "हँस" is to laugh, "हंस" a swan.
    return word if word.startswith("हँस") else _NASALS.sub("ं", word)


# What a whole quote must be written in

_DIGRAPHS = (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss"))
_NUKTA = re.compile("(?<=[कखगजफ])\u093c")
# Other words without the dot.
_DOTTED = frozenset("राज सजा जरा फन बाज खुदा गज तेज नाज कमर खाना".split())


def _digraphs(word: str) -> str:
    for umlaut, digraph in _DIGRAPHS:
        word = word.replace(umlaut, digraph)
    return word


def _german(
    quoted: list[Token], source: list[Token], pairs: list[tuple[int, int]]
) -> dict[int, int]:
    """Return the words with "ae" for "ä" and the like, if one side is without umlauts."""
    same = {i: j for i, j in pairs if _digraphs(quoted[i].key) == _digraphs(source[j].key)}
    umlauts = [
        any(char in token.key for token in side for char in "äöü") for side in (quoted, source)
    ]
    is_umlaut = [
        any(char in quoted[i].key + source[j].key for char in "äöü") for i, j in same.items()
    ]
    if all(umlauts) or not any(is_umlaut):
        return {}
    # "Mueller" alone may be another name than "Müller".
    is_word = any(quoted[i].text.islower() for i in same)
    return same if len(same) >= _ENOUGH or is_word else {}


def _swiss(
    quoted: list[Token], source: list[Token], pairs: list[tuple[int, int]]
) -> dict[int, int]:
    """Return the words with "ss" for "ß", if there are several and one side has no "ß"."""
    same = {
        i: j
        for i, j in pairs
        if quoted[i].key.replace("ß", "ss") == source[j].key.replace("ß", "ss")
    }
    has = [any("ß" in token.key for token in side) for side in (quoted, source)]
    return same if len(same) >= _ENOUGH and not all(has) else {}


def _ascii(
    quoted: list[Token], source: list[Token], pairs: list[tuple[int, int]]
) -> dict[int, int]:
    """Return the words of Latin letters without their marks, if the quote has no marks at all."""
    if not all(token.key.isascii() for token in quoted if token.kind == "word"):
        return {}
    same = {i: j for i, j in pairs if quoted[i].key == without_marks(source[j].key)}
    return same if len(same) >= _ENOUGH else {}


def _nukta(
    quoted: list[Token], source: list[Token], pairs: list[tuple[int, int]]
) -> dict[int, int]:
    """Return the words of Hindi without the dots of foreign sounds; several if one is unsure."""

    def plain(word: str) -> str:
        return _nasal_dots(_NUKTA.sub("", word))

    same = {i: j for i, j in pairs if plain(quoted[i].key) == plain(source[j].key)}
    if len(same) < _ENOUGH and any(plain(quoted[i].key) in _DOTTED for i in same):
        return {}
    return same


_PRE_REFORM = re.compile("[ѣѳѵ]|[бвгджзклмнпрстфхцчшщ]ъ$")
_REFORMED = str.maketrans("ѣѳѵіё", "ефиие")


_FINAL_CONSONANT = re.compile(r"(?<=[бвгджзклмнпрстфхцчшщ])(?!\w)")


def _reformed(text: str) -> str:
    text = re.sub(r"ъ(?!\w)", "", text.translate(_REFORMED))
    return re.sub(r"(?<=\w\w)([ая])го(?!\w)", lambda match: _ENDINGS[match[1]], text)


_ENDINGS = {"а": "ого", "я": "его"}


def _pre_reform(
    quoted: list[Token], source: list[Token], pairs: list[tuple[int, int]]
) -> dict[int, int]:
    """Return the words of Russian as written before 1918, if only one side is written so."""
    old = [any(_PRE_REFORM.search(token.key) for token in side) for side in (quoted, source)]
    if all(old) or not any(old):
        return {}
    return {i: j for i, j in pairs if _reformed(quoted[i].key) == _reformed(source[j].key)}


# Japanese

_OLD_KANJI = (
    "亞亜惡悪壓圧圍囲爲為醫医壹壱隱隠營営榮栄衞衛驛駅圓円鹽塩應応歐欧櫻桜奧奥橫横價価假仮畫画會会懷懐"
    "繪絵擴拡殼殻覺覚學学嶽岳樂楽勸勧卷巻寬寛歡歓觀観關関陷陥巖巌顏顔歸帰氣気龜亀僞偽戲戯犧犠舊旧據拠"
    "擧挙峽峡挾挟狹狭曉暁區区驅駆勳勲徑径惠恵溪渓經経繼継莖茎螢蛍輕軽鷄鶏藝芸缺欠儉倹劍剣圈圏檢検權権"
    "獻献縣県險険顯顕驗験嚴厳效効廣広恆恒鑛鉱號号國国黑黒濟済碎砕齋斎劑剤雜雑參参慘惨棧桟蠶蚕贊賛殘残"
    "齒歯兒児辭辞濕湿實実舍舎寫写釋釈壽寿收収從従澁渋獸獣縱縦肅粛處処緖緒敍叙將将稱称燒焼證証條条狀状"
    "乘乗淨浄剩剰疊畳繩縄壤壌孃嬢讓譲釀醸觸触囑嘱寢寝愼慎眞真盡尽圖図粹粋醉酔隨随髓髄數数樞枢聲声靜静"
    "齊斉攝摂竊窃專専戰戦淺浅潛潜纖繊踐践錢銭禪禅雙双壯壮搜捜插挿爭争總総莊荘裝装騷騒增増臟臓藏蔵屬属"
    "續続墮堕體体對対帶帯滯滞臺台瀧滝擇択澤沢單単擔担膽胆團団彈弾斷断癡痴遲遅晝昼蟲虫鑄鋳廳庁聽聴鎭鎮"
    "遞逓轉転點点傳伝黨党盜盗燈灯當当鬪闘獨独讀読屆届腦脳霸覇廢廃拜拝賣売麥麦發発髮髪拔抜蠻蛮祕秘濱浜"
    "拂払佛仏竝並變変邊辺辯弁舖舗步歩寶宝豐豊沒没飜翻萬万滿満默黙彌弥譯訳藥薬與与豫予餘余譽誉搖揺樣様"
    "謠謡來来賴頼亂乱覽覧龍竜兩両獵猟綠緑壘塁淚涙禮礼勵励戾戻靈霊齡齢曆暦歷歴戀恋爐炉勞労樓楼錄録灣湾"
)
_NEW_KANJI = str.maketrans(_OLD_KANJI[::2], _OLD_KANJI[1::2])
_TO_OLD_KANJI = str.maketrans(_OLD_KANJI[1::2], _OLD_KANJI[::2])
# The long mark at the end of a word is optional. Three kana make two words now and then ("ドラマ"
# is a drama, "ドラマー" a drummer), four hardly ever.
_LONG_MARK = re.compile(
    "(?:(?<![ァ-ヺー])(?:ユーザ|サーバ|メモリ|モニタ|マスタ|センサ|ルータ|タイマ|モータ|レーザ|ヘッダ|リーダ"
    "|ローダ|メーカ|メンバ|センタ|ボディ|ベンダ|ライタ|ドクタ|カウンタ)|[ァ-ヺー]{4})(ー)(?![ァ-ヺー])"
)
# Kana that may be left to the kanji before them.
_OKURIGANA = re.compile(
    "行(な)[わいうえおっ]|[表現著](わ)|[断賜](わ)|暮(ら)[さしすせそ]|落(と)[さしすせそ]|[終変代](わ)"
    "|起(こ)[さしすせそらりるれろっ]|当(た)[らりるれろっ]|向(か)[わいうえおっ]|分(か)[らりるれろっ]"
    "|聞(こ)え|生(ま)れ|積(も)り|浮(か)[ばびぶべぼん]|捕(ら)え|手続(き)|受(け)付|取(り)扱|申(し)込|打(ち)合"
    "|問(い)合|組(み)合|合(わ)せ|引(っ)越|売(り)上|取(り)消|払(い)戻|支払(い)|見積(も)|乗(り)換|貸(し)出"
    "|受(け)取|締(め)切|繰(り)返|買(い)物"
)
# Kana before 1946, in verbs and auxiliaries; as many as today's, so that tokens keep their places.
_OLD_KANA = (
    ("つ(?=[たて])", "っ"),
    ("(?<=[一-龥])は(?=[なれせずぬ])", "わ"),
    ("(?<=[一-龥])ひ(?![一-龥])", "い"),
    ("(?<=[一-龥いた])ふ", "う"),
    ("(?<=[一-龥])へ(?=[るたてばずなら])", "え"),
    ("ゐ", "い"),
    ("ゑ", "え"),
    ("や(?=うな|うに|うだ|うで)", "よ"),
    ("(?<=[だあな])ら(?=う)", "ろ"),
)


def _japanese(quoted: list[Token], source: list[Token]) -> _Sides:
    """Return both sides with today's characters and kana, without optional kana."""
    texts = ["".join(map(_character, side)) for side in (quoted, source)]
    modern = [_modern_kana(text) for text in texts]
    # Only one side may be in old kana, or else "っ" and "つ" are different.
    was_old = [text != form for text, form in zip(texts, modern, strict=True)]
    old = was_old if was_old[0] != was_old[1] else [False, False]
    one, other = (
        _shortened(side, form if is_old else text)
        for side, text, form, is_old in zip((quoted, source), texts, modern, old, strict=True)
    )
    return one, other


def _character(token: Token) -> str:
    return token.key if token.kind == "character" and len(token.key) == 1 else "\0"


def _modern_kana(text: str) -> str:
    for old, new in _OLD_KANA:
        text = re.sub(old, new, text)
    return text


def _shortened(tokens: list[Token], text: str) -> list[Token]:
    text = text.translate(_NEW_KANJI)
    dropped = {match.start(1) for match in _LONG_MARK.finditer(text)}
    for match in _OKURIGANA.finditer(text):
        dropped.add(match.start(match.lastindex or 0))
    return [
        token if char == "\0" else token._replace(key=char, text=char)
        for place, (token, char) in enumerate(zip(tokens, text, strict=True))
        if place not in dropped
    ]


# Charges of ions

_IONS = frozenset(
    "H Li Na K Rb Cs Ag Cu Mg Ca Sr Ba Zn Fe Co Ni Mn Cd Hg Pb Sn Al Cr NH4 H3O".split()
)
_CHARGE = re.compile("([²³]?)(⁺)")


def _plain_charges(tokens: Sequence[Token]) -> list[Token]:
    """Return tokens with "Ca2+" for "Ca²⁺"."""
    plain = list(tokens[:1])
    for before, token in pairwise(tokens):
        match = _CHARGE.fullmatch(token.key) if token.kind == "symbol" else None
        # "x²" is not "x2", nor "m²" "m2".
        if match is None or before.end != token.start or before.text not in _IONS:
            plain.append(token)
            continue
        for start, end in (match.span(1), match.span(2)):
            if start < end:
                digit = unicodedata.normalize("NFKC", token.key[start:end])
                plain.append(
                    token._replace(
                        key=digit,
                        text=digit,
                        start=token.start + start,
                        end=token.start + end,
                        kind="number" if digit.isdigit() else "symbol",
                    )
                )
    return plain


# Search


MAY_BE_RENDERED = re.compile("[aou]e|[^\\x00-\\x7f]", re.IGNORECASE)


def other_renderings(text: str) -> list[str]:
    """Return a text in other renderings whose letters approximate search may miss."""
    forms = [re.sub(r"(?<![aeqAEQ])([aouAOU])e", r"\1", text)] if text.isascii() else []
    if any(char in text for char in "äöüÄÖÜ"):
        forms.append(_digraphs(text.lower()))
    if text.isascii():
        return [form for form in forms if form != text]
    forms += [text.translate(_TO_OLD_KANJI), text.translate(_NEW_KANJI)]
    forms += [_FINAL_CONSONANT.sub("ъ", text), _reformed(text)]
    if "ं" in text:
        forms.append(_NASAL_DOT.sub(lambda dot: _NASAL_LETTERS[dot[1]], text))
    words = text.lower().split()
    unmixed = [_unmixed(word) for word in words]
    if unmixed != words:
        forms.append(" ".join(unmixed))
    return [form for form in forms if form != text]
