"""Chinese, Japanese, German and Arabic: their own typography, and their own small words that count.

The Chinese texts are those of citecheck; the others were written for this benchmark.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from .cases import Candidates, Case, Draft, Place, disjoint, whole
from .corpus import rows
from .languages_texts import ARABIC, GERMAN, JAPANESE
from .noise import Noise
from .typography import composed, matches, substitutes

_CJK = r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]"
_FULL_DIGITS = str.maketrans("0123456789", "０１２３４５６７８９")
_CJK_MARKS = {"，": (",", ", "), "。": (".", "｡"), "：": (":", ": "), "；": (";", "; "), "？": ("?",), "！": ("!",), "（": ("(", " ("), "）": (")", ") "), "、": ("､",), "“": ("「", "『", '"'), "”": ("」", "』", '"'), "「": ("“", "『", '"', "｢"), "」": ("”", "』", '"', "｣"), "《": ("〈", "<"), "》": ("〉", ">")}  # fmt: skip
_HARAKAT = "\u064b\u064c\u064e\u064f\u0650\u0651\u0652"
_ARABIC_MARKS = {"،": ",", "؟": "?", "؛": ";", "«": ("“", '"', "„"), "»": ("”", '"', "“")}


def _cjk_fixed_pairs(m: re.Match[str], rng: Random) -> str:
    return rng.choice(_CJK_MARKS[m.group()])


CJK_NOISES: dict[str, Noise] = {
    "spaces": Noise(matches(f"(?<={_CJK})(?={_CJK})", lambda m, r: r.choice((" ", " ", "\u3000", "\u2009"))), 0.2),
    "lines": Noise(matches(f"(?<={_CJK})(?={_CJK})", lambda m, r: r.choice(("\n", "\n", "\r\n", "\n\u3000\u3000"))), 0.06),
    "marks": Noise(matches("[" + "".join(_CJK_MARKS) + "]", _cjk_fixed_pairs), 1.0, inner=True),
    "digits": Noise(matches(r"\d+", lambda m, r: m.group().translate(_FULL_DIGITS)), 1.0),
    "page": Noise(matches(f"(?<={_CJK}{{2}})(?={_CJK}{{2}})", lambda m, r: r.choice(("\n\n12\n\n", "\n- 7 -\n", "\n\f", "\n第3页\n", "\n\n第 12 页 共 30 页\n\n", "\n45\n"))), 0.0, sides=("source",), inner=True, most=1),
    "latin_gap": Noise(matches(f"(?<={_CJK})(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?={_CJK})", lambda m, r: " "), 1.0),
    "citation": Noise(matches(f"(?<={_CJK})(?=[，。、])", lambda m, r: r.choice(("[1]", "[12]", "［3］", "[2,3]", "²"))), 0.2, inner=True),
}  # fmt: skip
GERMAN_NOISES: dict[str, Noise] = {
    "quotes": Noise(matches("[„“»«]", lambda m, r: {"„": r.choice("»\"“"), "“": r.choice("«\"”"), "»": r.choice("„\""), "«": r.choice("“\"")}[m.group()]), 1.0, inner=True),
    "nfd": Noise(composed("NFD"), 1.0),
    "hyphenation": Noise(matches(r"(?<=\b[A-Za-zäöü]{4})(?=[bdfgklmnrst][a-zäöü]{3,}\b)", lambda m, r: r.choice(("-\n", "\u00ad", "-\n  "))), 0.3, sides=("source",)),
    "upper": Noise(lambda t, r: [(0, len(t), t.upper())], 1.0, sides=("quote",)),
    "wrap": Noise(matches(r"(?<=\w) (?=\w)", lambda m, r: r.choice(("\n", "\u00a0", " \n"))), 0.2),
    "entities": Noise(substitutes({"ä": "&auml;", "ö": "&ouml;", "ü": "&uuml;", "ß": "&szlig;", "–": "&ndash;"}), 1.0, sides=("source",)),
    "mojibake": Noise(substitutes({"ä": "Ã¤", "ö": "Ã¶", "ü": "Ã¼", "ß": "ÃŸ", "„": "â€ž"}), 1.0, sides=("source",), inner=True),
}  # fmt: skip
ARABIC_NOISES: dict[str, Noise] = {
    "harakat": Noise(matches(r"(?<=[\u0628-\u064a])(?=[\u0628-\u064a])", lambda m, r: r.choice(_HARAKAT)), 0.3),
    "tatweel": Noise(matches(r"(?<=[بتثجحخسشصضطظعغفقكلمنهي])(?=[\u0628-\u064a])", lambda m, r: "ـ" * r.randint(1, 3)), 0.1),
    "marks": Noise(substitutes(_ARABIC_MARKS), 1.0, inner=True),
    "direction": Noise(matches(r"(?<= )(?=[\u0628-\u064a])", lambda m, r: r.choice("\u200f\u200e\u202b\u061c")), 0.3),
    "wrap": Noise(matches(r"(?<=\S) (?=\S)", lambda m, r: r.choice(("\n", "  ", "\u00a0"))), 0.3),
    "presentation": Noise(substitutes({"لا": "ﻻ", "الله": "ﷲ"}), 1.0),
}  # fmt: skip


def _table(**groups: tuple[tuple[str, str], ...]) -> dict[str, Candidates]:
    """Make finders of strings to be replaced, both ways where both stand."""
    return {name: _pairs(pairs) for name, pairs in groups.items()}


def _pairs(pairs: tuple[tuple[str, str], ...]) -> Candidates:
    """Make a finder of the first string of each pair."""
    table: dict[str, list[str]] = {}
    for old, new in pairs:
        table.setdefault(old, []).append(new)
    return substitutes(table)


def _words(pairs: tuple[tuple[str, str], ...]) -> Candidates:
    """Make a finder of whole words: the first string of each pair, and what follows an emptied one."""
    table: dict[str, list[str]] = {}
    for old, new in pairs:
        table.setdefault(old, []).append(new)
    keys = "|".join(re.escape(key) for key in sorted(table, key=len, reverse=True))
    return matches(rf"(?<!\w)(?:{keys})(?!\w)", lambda m, rng: rng.choice(table[m.group()]))


def _digit(m: re.Match[str], rng: Random) -> str:
    number = m.group()
    at = rng.randrange(len(number))
    return number[:at] + rng.choice([d for d in "123456789" if d != number[at]]) + number[at + 1 :]


CHINESE_CHANGES: dict[str, Candidates] = _table(
    negation=(("不能", "能"), ("不会", "会"), ("不得", "得"), ("不是", "是"), ("没有", "有"), ("不可", "可"), ("无法", "可以"), ("并不", "并"), ("不同", "相同"), ("未", ""), ("不需要", "需要"), ("不应", "应"), ("不足", "充足"), ("不少于", "少于"), ("不超过", "超过"), ("非法", "合法"), ("无效", "有效"), ("不", ""), ("禁止", "允许")),
    number=(("一", "二"), ("两", "三"), ("三", "五"), ("万", "亿"), ("亿", "万"), ("千", "百"), ("第一", "第二"), ("年", "月"), ("%", ""), ("元", "万元"), ("公里", "米"), ("十", "百")),
    quantity=(("所有", "部分"), ("全部", "部分"), ("部分", "全部"), ("可能", "一定"), ("至少", "至多"), ("以上", "以下"), ("以下", "以上"), ("最高", "最低"), ("增加", "减少"), ("提高", "降低"), ("主要", "次要"), ("多", "少"), ("可以", "必须"), ("应当", "可以"), ("一般", "总是"), ("大", "小"), ("前", "后"), ("约", "")),
    word=(("中国", "美国"), ("北京", "上海"), ("男", "女"), ("父", "母"), ("公司", "学校"), ("医院", "法院"), ("孩子", "老人"), ("冬", "夏"), ("左", "右"), ("东", "西"), ("买", "卖"), ("上", "下"), ("内", "外"), ("水", "油")),
)  # fmt: skip
CHINESE_CHANGES["digits"] = matches(r"\d+", _digit)
JAPANESE_CHANGES: dict[str, Candidates] = _table(
    negation=(("できない", "できる"), ("できません", "できます"), ("ではない", "である"), ("ありません", "あります"), ("ません", "ます"), ("しなかった", "した"), ("なかった", "た"), ("しない", "する"), ("いない", "いる"), ("なく", "あって"), ("不可能", "可能"), ("未公開", "公開"), ("非公開", "公開"), ("無料", "有料"), ("決して", ""), ("ずに", "て"), ("されなかった", "された"), ("ない", "る")),
    quantity=(("すべて", "一部"), ("一部", "すべて"), ("必ず", "たぶん"), ("かもしれない", "に違いない"), ("以上", "以下"), ("以下", "以上"), ("より多い", "より少ない"), ("増えた", "減った"), ("減った", "増えた"), ("高い", "低い"), ("約", ""), ("少なくとも", "多くとも"), ("だけ", "も"), ("午前", "午後"), ("前", "後"), ("ほとんど", "すべて")),
    number=(("三", "五"), ("二", "四"), ("十", "百"), ("万", "億"), ("キロ", "メートル"), ("パーセント", ""), ("円", "ドル"), ("一", "三")),
    word=(("東京", "大阪"), ("北", "南"), ("東", "西"), ("夏", "冬"), ("父", "母"), ("春", "秋"), ("病院", "学校"), ("市長", "知事"), ("海", "山"), ("図書館", "博物館"), ("薬", "酒"), ("教師", "医師")),
)  # fmt: skip
JAPANESE_CHANGES["digits"] = matches(r"\d+", _digit)
GERMAN_CHANGES: dict[str, Candidates] = {
    "negation": _words((("nicht ", ""), ("nicht", "doch"), ("kein", "ein"), ("keine", "eine"), ("keine", "alle"), ("keinen", "einen"), ("nie", "oft"), ("niemals", "immer"), ("ohne", "mit"), ("niemand", "jemand"), ("Niemand", "Jeder"), ("nichts", "alles"), ("weder", "sowohl"), ("kaum", "gern"), ("unmöglich", "möglich"), ("unbekannt", "bekannt"), ("ungültig", "gültig"), ("unzulässig", "zulässig"), ("keinem", "einem"), ("nirgends", "überall"))),
    "umlaut": _words((("wurde", "würde"), ("würde", "wurde"), ("wurden", "würden"), ("würden", "wurden"), ("konnte", "könnte"), ("könnte", "konnte"), ("konnten", "könnten"), ("könnten", "konnten"), ("musste", "müsste"), ("müsste", "musste"), ("hatte", "hätte"), ("hätte", "hatte"), ("hatten", "hätten"), ("schon", "schön"), ("schön", "schon"), ("fordern", "fördern"), ("fördern", "fordern"), ("fordert", "fördert"), ("fördert", "fordert"), ("Mutter", "Mütter"), ("Bruder", "Brüder"), ("durfte", "dürfte"), ("dürfte", "durfte"), ("drucken", "drücken"), ("lauten", "läuten"), ("war", "wäre"), ("wäre", "war"), ("zahlen", "zählen"), ("zählen", "zahlen"), ("losen", "lösen"), ("Masse", "Maße"), ("Maße", "Masse"), ("Buße", "Busse"), ("Busse", "Buße"), ("schwule", "schwüle"), ("Mütter", "Mutter"), ("Brüder", "Bruder"), ("sagen", "sägen"), ("tauschen", "täuschen"))),
    "quantity": _words((("alle", "einige"), ("Alle", "Einige"), ("viele", "wenige"), ("Viele", "Wenige"), ("mehr", "weniger"), ("immer", "manchmal"), ("mindestens", "höchstens"), ("höchstens", "mindestens"), ("nur ", ""), ("etwa ", ""), ("fast ", ""), ("kann", "muss"), ("muss", "kann"), ("dürfen", "müssen"), ("soll", "darf"), ("vor", "nach"), ("nach", "vor"), ("angeblich ", ""), ("vermutlich ", ""), ("rund ", ""), ("bis zu ", ""), ("über", "unter"), ("oft", "selten"), ("wenn", "weil"), ("meisten", "wenigsten"), ("größer", "kleiner"), ("jeder", "mancher"))),
    "number": matches(r"\d+(?:,\d+)?|\b(?:zwei|drei|vier|fünf|sieben|zehn|zwölf|hundert|Millionen|Milliarden|Prozent|Euro|Kilometer)\b", lambda m, r: _german_number(m, r)),
}  # fmt: skip
ARABIC_CHANGES: dict[str, Candidates] = {
    "negation": _words((("لا ", ""), ("لم ", ""), ("لن ", ""), ("لن", "سوف"), ("ليس ", ""), ("ليست ", ""), ("غير ", ""), ("بدون", "مع"), ("دون", "مع"), ("ما زال", "كان"), ("لم", "قد"), ("لا", "قد"), ("عدم ", ""))),
    "quantity": _words((("كل", "بعض"), ("جميع", "بعض"), ("بعض", "كل"), ("أكثر", "أقل"), ("أقل", "أكثر"), ("قبل", "بعد"), ("بعد", "قبل"), ("فقط ", ""), ("نحو ", ""), ("قد ", ""), ("ربما ", ""), ("دائما", "أحيانا"), ("غالبا", "نادرا"), ("أكبر", "أصغر"), ("فوق", "تحت"), ("تقريبا ", ""), ("زاد", "نقص"), ("ارتفع", "انخفض"), ("ارتفعت", "انخفضت"), ("معظم", "بعض"))),
    "number": matches(r"\d+|ثلاثة|أربعة|خمسة|عشرة|مليون|ألف|مئة|ثلاث|خمس|أربع|ستة|سبعة", lambda m, r: _digit(m, r) if m.group().isdigit() else r.choice([n for n in ("ثمانية", "تسعة", "مليار") if n != m.group()])),
}  # fmt: skip


def _german_number(m: re.Match[str], rng: Random) -> str:
    """Change a German number: a digit, the comma, or the word."""
    number = m.group()
    if "," in number and rng.random() < 0.5:
        return number.replace(",", "")
    if number[0].isdigit():
        at = 0 if len(number) == 1 else rng.choice([i for i, c in enumerate(number) if c.isdigit()])
        return number[:at] + str((int(number[at]) + rng.randint(1, 8)) % 10 or 5) + number[at + 1 :]
    other = {"Millionen": "Milliarden", "Milliarden": "Millionen", "Prozent": "Promille", "Euro": "Dollar", "Kilometer": "Meter"}
    return other.get(number, rng.choice([n for n in ("sechs", "acht", "neun", "elf") if n != number]))


def chinese_drafts(folder: Path) -> list[Draft]:
    """Read sentences of Chinese texts, one or two of each, every one standing once in its text."""
    drafts: list[Draft] = []
    for row in rows(folder, "citecheck"):
        body = max((c["text"] for c in row["context"]), key=len)[:1500]
        found = [m for m in re.finditer(r"[^。！？\n]{14,70}[。！？]", body) if body.count(m.group()[2:-2]) == 1]
        drafts += [whole(body, *m.span()) for m in found[1:3] if m.group()[0] not in "”」』）)，"]
    return drafts


def written_drafts(texts: tuple[str, ...], stops: str) -> list[Draft]:
    """Draft every sentence of texts written here."""
    pattern = re.compile(rf"[^{stops}\s][^{stops}]*[{stops}][“”»」]?")
    return [whole(body, *m.span()) for body in texts for m in pattern.finditer(body)]


def _case(category: str, draft: Draft, *, accept: bool, number: int) -> Case:
    """Make a case of a draft, its source named every second time."""
    expected = (tuple(Place("q1", *span) for span in draft.spans),) if accept else ()
    return Case(category=category, accept=accept, sources={"q1": draft.text}, quote=draft.quote, source_id="q1" if number % 2 else None, expected=expected, note=draft.note)  # fmt: skip


def _noisy_cases(language: str, drafts: list[Draft], noises: dict[str, Noise], limit: int) -> Iterator[Case]:
    """Apply every noise of a language to its sentences; and quote them as they stand."""
    for name, noise in noises.items():
        made = 0
        for number, draft in enumerate(Random(name).sample(drafts, len(drafts)) * 2):
            rng = Random(f"{language}{name}{number}")
            changed = noise.on(rng.choice(noise.sides), draft, rng)
            if changed and made < limit:
                made += 1
                yield _case(f"{language}_{name}", changed, accept=True, number=number)
    for number, draft in enumerate(drafts[:limit]):
        yield _case(f"{language}_exact", draft, accept=True, number=number)


def _changed_cases(language: str, drafts: list[Draft], changes: dict[str, Candidates], limit: int) -> Iterator[Case]:
    """Make every change of meaning of a language, in the quote or in the source."""
    for name, change in changes.items():
        made, seen = 0, set[tuple[str, str]]()
        for number, draft in enumerate(Random(name).sample(drafts, len(drafts)) * 3):
            case = _changed(f"{language}_not_{name}", change, draft, number)
            if case and made < limit and (key := (case.quote, case.sources["q1"])) not in seen:
                seen.add(key)
                made += 1
                yield case


def _changed(category: str, change: Candidates, draft: Draft, number: int) -> Case | None:
    """Make one change of meaning, if the sentence allows it and the text has no such words."""
    rng = Random(f"{category}{number}")
    edits = [e for e in disjoint(change(draft.quote, rng)) if draft.quote[e[0] : e[1]] != e[2]]
    if not edits:
        return None
    start, end, new = edit = rng.choice(edits)
    altered = draft.edit_quote([edit], f"{draft.quote[start:end]!r} -> {new!r}")
    if rng.random() < 0.35:
        moved = (start + draft.hull[0], end + draft.hull[0], new)
        altered = draft.edit_source([moved], f"{draft.quote[start:end]!r} -> {new!r} in the source")
    if unicodedata.normalize("NFKC", altered.quote) in unicodedata.normalize("NFKC", altered.text):
        return None
    return _case(category, altered, accept=False, number=number)


def language_cases(folder: Path, limit: int) -> Iterator[Case]:
    """Make the cases of all four languages."""
    languages: tuple[tuple[str, Callable[[], list[Draft]], dict[str, Noise], dict[str, Candidates]], ...] = (
        ("zh", lambda: chinese_drafts(folder), CJK_NOISES, CHINESE_CHANGES),
        ("ja", lambda: written_drafts(JAPANESE, "。"), CJK_NOISES, JAPANESE_CHANGES),
        ("de", lambda: written_drafts(GERMAN, ".!?"), GERMAN_NOISES, GERMAN_CHANGES),
        ("ar", lambda: written_drafts(ARABIC, ".؟"), ARABIC_NOISES, ARABIC_CHANGES),
    )
    for name, drafts, noises, changes in languages:
        sentences = drafts()
        yield from _noisy_cases(name, sentences, noises, limit)
        yield from _changed_cases(name, sentences, changes, limit)
