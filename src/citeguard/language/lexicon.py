"""Words that carry meaning out of proportion to their length, as tables by language.

To add a language, append a `Lexicon` to `LEXICONS`. The guard rejects every change of a word in any
language. These tables give the reason, name words that an ellipsis must not omit, and say at which
borders of a word a quote must not begin or end. All words are in lower case, with `'` as the
apostrophe.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from citeguard.language import quantities


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _tuple(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _none() -> frozenset[str]:
    return frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """The tables of one language.

    Attributes:
        negators: words that deny, as tokens.
        qualifiers: quantifiers, comparatives, modals and hedges, as tokens.
        hedges: qualifiers that turn a statement when an ellipsis hides them, as tokens.
        quantifiers: what turns it when hidden right before the words it quantifies.
        phrases: what turns it when hidden, of several tokens, or in a script without spaces.
        numbers: number words and magnitudes.
        negating_prefixes: what denies a word as its beginning.
        negators_before: characters that deny what follows at once (scripts without spaces).
        negators_after: strings that deny what precedes them at once (scripts without spaces).
    """

    negators: frozenset[str] = field(default_factory=_none)
    qualifiers: frozenset[str] = field(default_factory=_none)
    hedges: frozenset[str] = field(default_factory=_none)
    quantifiers: frozenset[str] = field(default_factory=_none)
    phrases: tuple[str, ...] = ()
    numbers: frozenset[str] = field(default_factory=_none)
    negating_prefixes: frozenset[str] = field(default_factory=_none)
    negators_before: tuple[str, ...] = ()
    negators_after: tuple[str, ...] = ()


BE = _words("be am is are was were been being")
HAVE = _words("have has had having")
DO = _words("do does did")
MODALS = _words("can could may might must shall should will would")
AUXILIARIES = (BE | HAVE | DO | MODALS) - {"be", "been", "being", "having"}
"""The auxiliaries of English in their finite forms."""

DETERMINERS = _words("the a an any his her its their our my your this these those")

DENIALS = _words(
    "not no never none nobody nothing nowhere neither nor without cannot n't ain't hardly scarcely"
    " barely rarely seldom non"
)
"""The English words that deny whatever follows; `ENGLISH.negators` also has verbs such as "fail".
"""

ENGLISH = Lexicon(
    negators=DENIALS
    | _words(
        "lack lacks lacked lacking fail fails failed false"
        " falsely deny denies denied refuse refuses refused except excluding unlike instead"
    ),
    qualifiers=_words(
        "all every each both any some most many much several few fewer little less least more"
        " half only merely solely just almost nearly about around approximately roughly exactly"
        " up over under above below may might could would should must shall will can possibly"
        " perhaps probably likely unlikely maybe apparently allegedly alleged reportedly"
        " supposedly purportedly claimed presumably seemingly potentially partly partially"
        " mostly mainly largely usually often sometimes occasionally generally typically if"
        " unless until although though but however always ever suggested suspected so-called"
        " proposed hypothetical formerly nominally estimated minimum maximum better worse"
        " greater higher lower larger smaller fewer"
    ),
    hedges=_words(
        "only merely rarely seldom hardly scarcely barely almost nearly unless if except may might"
        " could allegedly alleged reportedly supposedly purportedly claimed possibly perhaps"
        " probably suspected false falsely formerly sometimes occasionally partly partially few"
        " little less until potentially apparently presumably likely unlikely maybe about"
        " approximately"
    ),
    quantifiers=_words("most some all every each any both"),
    phrases=("up to", "at least", "at most", "as if", "no longer", "most of", "some of"),
    numbers=quantities.NUMBER_WORDS,
    negating_prefixes=_words("un in im il ir non dis anti mis de a ab counter"),
)
GERMAN = Lexicon(
    negators=_words(
        "nicht kein keine keinen keinem keiner keines nie niemals niemand nichts nirgends"
        " weder noch ohne kaum"
    ),
    qualifiers=_words(
        "alle jeder jede jedes einige manche viele wenige mehr weniger nur fast etwa ungefähr"
        " rund höchstens mindestens kann könnte soll sollte muss darf wird würde vielleicht"
        " wahrscheinlich angeblich wenn falls"
    ),
    numbers=_words(
        "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig"
        " hundert tausend million millionen milliarde milliarden"
    ),
    hedges=_words(
        "außer nur angeblich vielleicht wahrscheinlich fast etwa ungefähr wenn falls sofern"
        " höchstens mindestens könnte dürfte möglicherweise vermutlich mutmaßlich bis"
    ),
    quantifiers=_words("alle einige manche viele wenige jede jeder jedes"),
    negating_prefixes=_words("un nicht miss"),
)
CHINESE = Lexicon(
    negators=_words("不 没 沒 未 无 無 非 别 勿 莫 否"),
    qualifiers=_words("可 能 或 仅 只 约 大 些 全 都 最 更 多 少 若 如"),
    numbers=_words("零 一 二 三 四 五 六 七 八 九 十 百 千 万 萬 亿 億 两 兩 〇"),
    phrases=_tuple("据称 据说 可能 也许 或许 除非 除了 如果 大约 疑似 不 没有 未"),
    negators_before=_tuple("不 没 沒 未 无 無 非 勿 没有 沒有 並未 并未"),
)
JAPANESE = Lexicon(
    negators=_words("ない なかっ なく ず ぬ ません"),
    phrases=_tuple("ない なかった ません かもしれ おそらく とされ という だけ のみ 一部"),
    negators_before=_tuple("不 未 無 非"),
    negators_after=_tuple(
        "ない なかった なく ません なけれ ではない ではなく じゃない わけではない とは限らない"
        " ことはない れない られない られなかった れなかった れません られません いない いません"
        " いなかった していない していません"
    ),
)
ARABIC = Lexicon(
    negators=_words("لا لم لن ليس ليست ليسوا ما غير دون بدون"),
    qualifiers=_words("كل بعض معظم كثير قليل أكثر أقل فقط قد ربما تقريبا حوالي إذا لو"),
    numbers=_words("صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة مئة ألف مليون مليار"),
    hedges=_words("ربما قد فقط إذا إلا تقريبا حوالي لو"),
    quantifiers=_words("كل بعض معظم"),
)
FRENCH = Lexicon(
    negators=_words("ne pas jamais rien aucun aucune sans ni personne"),
    qualifiers=_words(
        "tous toutes certains plusieurs plus moins environ seulement peut pourrait si"
    ),
)
SPANISH = Lexicon(
    negators=_words("no nunca jamás nada ningún ninguno ninguna sin ni nadie tampoco"),
    qualifiers=_words(
        "todos todas algunos varias más menos aproximadamente solo sólo puede podría si"
    ),
)

ITALIAN = Lexicon(negators=_words("non mai niente nulla nessuno nessuna senza né"))
PORTUGUESE = Lexicon(negators=_words("não nunca nada nem sem nenhum nenhuma ninguém"))
DUTCH = Lexicon(negators=_words("niet geen nooit niemand niets zonder noch"))
RUSSIAN = Lexicon(negators=_words("не нет ни никогда никто ничего без"))

LEXICONS = (
    ENGLISH, GERMAN, CHINESE, JAPANESE, ARABIC, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH,
    RUSSIAN,
)  # fmt: skip

NEGATORS = _none().union(*(lexicon.negators for lexicon in LEXICONS))
QUALIFIERS = _none().union(*(lexicon.qualifiers for lexicon in LEXICONS))
NUMBER_WORDS = _none().union(*(lexicon.numbers for lexicon in LEXICONS))
HEDGES = _none().union(*(lexicon.hedges for lexicon in LEXICONS))
QUANTIFIERS = _none().union(*(lexicon.quantifiers for lexicon in LEXICONS))
PHRASES = frozenset(phrase for lexicon in LEXICONS for phrase in lexicon.phrases)
NEGATING_PREFIXES = _none().union(*(lexicon.negating_prefixes for lexicon in LEXICONS))
NEGATORS_BEFORE = tuple(word for lexicon in LEXICONS for word in lexicon.negators_before)
NEGATORS_AFTER = tuple(word for lexicon in LEXICONS for word in lexicon.negators_after)

# Words that mean something else with a capital: "us"/"US". Lower case of the capitalised sense.
ACRONYM_WORDS = _words("us it who aids act cat pet ram mad sad ice nice care dare fast start")
NAME_WORDS = _words(
    "may march august polish turkey china pole poles lent job mark will bill apple amazon"
    " catholic nice reading mobile bath cork chad jordan georgia guinea panama japan swede dane"
    " finn hungary greece rich frank grant rose grace hope faith joy dick jack john rob sue pat"
    " nick earnest ray dean baker cook smith bush rice church king queen prince earl duke"
    " bishop pope congress house senate commons lords labour liberal democrat republican"
    " conservative green black white brown orange earth mercury mars saturn jupiter sun moon"
    " god bible windows word excel access office oracle python java ruby rust swift go target"
    " gap shell ford visa discover chase state times post sun"
)

# Words whose two halves, written apart, mean something else.
SPLIT_WORDS = _words(
    "everyday maybe already sometime anyway apart across away ahead along aside alike around"
    " about above notable nowhere therapist alone altogether abroad below beside become believe"
    " sometimes anyone everyone someone always almost indeed inform invalid island"
)
# How words begin that a hyphen makes other words: "re-sign" and "resign".
HYPHEN_WORDS = _tuple(
    "resign recover reform recreat resent recollect remark repress resort restore reserve relay"
    " release represent redress reside react"
)
# Words that an accent makes other words, in English.
ACCENT_PAIRS = _words("resume expose rose pate mate lame sake ore")
# What an editor's bracket may stand in for.
PRONOUNS = _words(
    "he she it they him her them his its their this that these those i we us our you your who which"
)
# Function words that tell English from the languages that share a few of them.
ENGLISH_FUNCTION_WORDS = _words(
    "the of and to is that with by from are were be it this which has its for at was"
)
FOREIGN_FUNCTION_WORDS = _words(
    "der die das und ist nicht ein eine einen einer im zu den von mit des auf für er sie es"
    " wer wird sich dem bei nach aus wie über seine ihre auch noch le les des et est une dans"
    " pour que qui sur du au ne pas el los las y en por con una del al il di che non per della"
)
