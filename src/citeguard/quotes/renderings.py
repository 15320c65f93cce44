"""The same words in another typography: what makes two spellings of a text one.

A copy in ASCII, with "ae" for "ä" or Swiss "ss"; stress marks; letters of another script that look
the same; polytonic Greek; spellings of Hindi nasals; words with two spellings; Russian and Japanese
before their reforms; charges of ions. What may be another word counts as the same only if the whole
of one side is written so.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from rapidfuzz.distance import Levenshtein

from citeguard.language import lexicon
from citeguard.language.numerals import other_numerals
from citeguard.language.spelling import GREEK_VOWELS, without_marks
from citeguard.language.tokens import Token

_Sides = tuple[list[Token], list[Token]]


def rendered_alike(quoted: Sequence[Token], source: Sequence[Token], language: str) -> _Sides:
    """Return the tokens of both sides, those of the quote as the source renders them.

    Args:
        quoted: The quote's tokens without marks.
        source: The source's.
        language: The code of their language, "" if unknown.
    """
    sides = [*_plain_charges(quoted)], [*_plain_charges(source)]
    if language == "ja":
        sides = _japanese(*sides)
    pairs = _differing_words(*sides)
    same = _surely_same(*sides, pairs, language)
    for way in _WAYS:
        # "wurde" and "hatte" are other words than "würde" and "hätte".
        if way is not _ASCII or language != "de":
            rest = {i: j for i, j in pairs.items() if i not in same}
            same |= way.same(*sides, rest)
    quote = [
        _like(token, sides[1][same[i]]) if i in same else token for i, token in enumerate(sides[0])
    ]
    return quote, sides[1]


def _differing_words(quoted: list[Token], source: list[Token]) -> dict[int, int]:
    """Return the places of words that differ, in both sides."""
    keys = [token.key for token in quoted], [token.key for token in source]
    pairs: dict[int, int] = {}
    for op in Levenshtein.opcodes(*keys):
        if op.tag == "replace":
            pairs |= zip(
                range(op.src_start, op.src_end), range(op.dest_start, op.dest_end), strict=False
            )
    return {i: j for i, j in pairs.items() if quoted[i].kind == source[j].kind == "word"}


def _like(token: Token, other: Token) -> Token:
    if token.text.isupper() and len(token.text) > 1:
        text = other.text.upper()
    else:
        text = other.text if token.text[:1].isupper() == other.text[:1].isupper() else token.text
    return token._replace(key=other.key, text=text)


# What is never another word

_STRESS = re.compile("(?<=[аеиоуыэюяіє\u0308])[\u0300\u0301]")
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
_CYRILLIC, _LATIN = "аеорсхуіјѕвнкмт", "aeopcxyijsbhkmt"
_TO_CYRILLIC = str.maketrans(_LATIN, _CYRILLIC)
_FROM_CYRILLIC = str.maketrans(_CYRILLIC, _LATIN)
_TO_GREEK = str.maketrans("ovaikptuxybehmzn", "οναικρτυχυβεημζν")
# Turkish that was read as Western European.
_LATIN5 = str.maketrans("ýþð", "ışğ")


def _surely_same(
    quoted: list[Token], source: list[Token], pairs: dict[int, int], language: str
) -> dict[int, int]:
    """Return the words that are the same in a writing that makes no two words one."""
    keys = "".join(token.key for token in (*quoted, *source))
    written = keys + unicodedata.normalize("NFD", keys)
    rules = [rule for sign, rule in _SURE_RULES if re.search(sign, written)]
    if variants := _variants(language):
        rules.append(lambda word: _in_one_spelling(word, variants))

    def is_same(i: int, j: int) -> bool:
        one, other = quoted[i].key, source[j].key
        if {one, other} == {"c", "с"}:
            return i > 0 and quoted[i - 1].key == "°"
        # "за́мок" is a castle, "замо́к" a lock.
        stressed = all(_without_stress(word) != word for word in (one, other))
        return not stressed and any(rule(one) == rule(other) for rule in rules)

    return {i: j for i, j in pairs.items() if is_same(i, j)}


@cache
def _variants(language: str) -> dict[str, str]:
    """Return words with two spellings, or their beginnings with "*", and the other spelling."""
    rows = lexicon.load_lexicon(language).variants if language in lexicon.CODES else ()
    return dict(row.split("=") for row in rows)


def _in_one_spelling(word: str, variants: dict[str, str]) -> str:
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


# (what must occur on either side, the writing)
_SURE_RULES: tuple[tuple[str, Callable[[str], str]], ...] = (
    (_STRESS.pattern, _without_stress),
    ("[а-яα-ω]", _unmixed),
    ("[α-ω][\u0301\u0308]*[\u0300\u0342\u0313\u0314\u0345]", _monotonic),
    ("[\u0900-\u097f]", _nasal_dots),
    ("[ýþð]", lambda word: word.translate(_LATIN5)),
)


# What a whole side must be written in


@dataclass(frozen=True, slots=True)
class _Way:
    """A way of writing that makes some words the same as others.

    Attributes:
        signs: What one side has in it, and the other nowhere.
        rewrite: Returns a word in the way of the other side.
        is_clear: Whether a single word of the quote proves it; if not, two do.
    """

    signs: re.Pattern[str]
    rewrite: Callable[[str], str]
    is_clear: Callable[[Token], bool]

    def same(
        self, quoted: list[Token], source: list[Token], pairs: dict[int, int]
    ) -> dict[int, int]:
        """Return those of the words that differ which are the same in this way of writing."""
        has = [any(self.signs.search(token.key) for token in side) for side in (quoted, source)]
        if has[0] == has[1]:
            return {}
        rewrite = self.rewrite
        same = {i: j for i, j in pairs.items() if rewrite(quoted[i].key) == rewrite(source[j].key)}
        return same if len(same) > 1 or all(self.is_clear(quoted[i]) for i in same) else {}


_DIGRAPHS = (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss"))
_NUKTA = re.compile("(?<=[कखगजफ])\u093c")
# Other words without the dot.
_DOTTED = frozenset("राज सजा जरा फन बाज खुदा गज तेज नाज कमर खाना".split())
_PRE_REFORM = re.compile("[ѣѳѵ]|[бвгджзклмнпрстфхцчшщ]ъ$")
_REFORMED = str.maketrans("ѣѳѵіё", "ефиие")
_FINAL_CONSONANT = re.compile(r"(?<=[бвгджзклмнпрстфхцчшщ])(?!\w)")


def _digraphs(word: str) -> str:
    for umlaut, digraph in _DIGRAPHS:
        word = word.replace(umlaut, digraph)
    return word


def _without_nukta(word: str) -> str:
    return _nasal_dots(_NUKTA.sub("", word))


def _reformed(text: str) -> str:
    text = re.sub(r"ъ(?!\w)", "", text.translate(_REFORMED))
    return re.sub(
        r"(?<=\w\w)([ая])го(?!\w)", lambda match: {"а": "ого", "я": "его"}[match[1]], text
    )


_ASCII = _Way(re.compile(r"[^\x00-\x7f]"), without_marks, lambda _: False)
_WAYS = (
    # "Mueller" alone may be another name than "Müller".
    _Way(re.compile("[äöü]"), _digraphs, lambda token: token.text.islower()),
    _Way(re.compile("ß"), lambda word: word.replace("ß", "ss"), lambda _: False),
    _ASCII,
    _Way(_NUKTA, _without_nukta, lambda token: _without_nukta(token.key) not in _DOTTED),
    _Way(_PRE_REFORM, _reformed, lambda _: True),
)

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

_CHARGE = re.compile("([²³⁴-⁹]?)([⁺⁻])")
_LOWERED = str.maketrans("²³⁴⁵⁶⁷⁸⁹⁺⁻", "23456789+-")


def _plain_charges(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield tokens with "Ca2+" for "Ca²⁺": no exponent ends in a sign."""
    for token in tokens:
        match = _CHARGE.fullmatch(token.key) if token.kind == "symbol" else None
        if match is None:
            yield token
            continue
        for group in (1, 2):
            if key := match[group].translate(_LOWERED):
                start, end = token.start + match.start(group), token.start + match.end(group)
                kind = "number" if key.isdecimal() else "symbol"
                yield Token(key, key, start, end, kind, token.bracketed)


# Search


def other_writings(text: str) -> list[str]:
    """Return a text with its numbers and letters in other writings that search may miss."""
    forms = [*other_numerals(text)]
    if text.isascii():
        forms.append(re.sub(r"(?<![aeqAEQ])([aouAOU])e", r"\1", text))
    else:
        forms += [
            _digraphs(text.lower()),
            text.translate(_TO_OLD_KANJI),
            text.translate(_NEW_KANJI),
        ]
        forms += [_FINAL_CONSONANT.sub("ъ", text), _reformed(text)]
        forms.append(_NASAL_DOT.sub(lambda dot: _NASAL_LETTERS[dot[1]], text))
        forms.append(" ".join(map(_unmixed, text.lower().split())))
    return [form for form in dict.fromkeys(forms) if form != text]
