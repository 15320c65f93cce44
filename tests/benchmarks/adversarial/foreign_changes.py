"""Changes of meaning in Chinese, Japanese, German and Arabic."""

from __future__ import annotations

import re
from random import Random

from .cases import Candidates
from .typography import matches, substitutes


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
    """Make a finder of whole words, or of words with the space behind them: first of each pair."""
    table: dict[str, list[str]] = {}
    for old, new in pairs:
        table.setdefault(old, []).append(new)
    keys = "|".join(re.escape(key) for key in sorted(table, key=len, reverse=True))
    return matches(
        rf"(?<!\w)(?:{keys})(?:(?!\w)|(?<= ))", lambda m, rng: rng.choice(table[m.group()])
    )


def _digit(m: re.Match[str], rng: Random) -> str:
    number = m.group()
    at = rng.randrange(len(number))
    return number[:at] + rng.choice([d for d in "123456789" if d != number[at]]) + number[at + 1 :]


CHINESE_CHANGES: dict[str, Candidates] = _table(
    negation=(
        ("不能", "能"),
        ("不会", "会"),
        ("不得", "得"),
        ("不是", "是"),
        ("没有", "有"),
        ("不可", "可"),
        ("无法", "可以"),
        ("并不", "并"),
        ("不同", "相同"),
        ("未", ""),
        ("不需要", "需要"),
        ("不应", "应"),
        ("不足", "充足"),
        ("不少于", "少于"),
        ("不超过", "超过"),
        ("非法", "合法"),
        ("无效", "有效"),
        ("不", ""),
        ("禁止", "允许"),
    ),
    number=(
        ("一", "二"),
        ("两", "三"),
        ("三", "五"),
        ("万", "亿"),
        ("亿", "万"),
        ("千", "百"),
        ("第一", "第二"),
        ("年", "月"),
        ("%", ""),
        ("元", "万元"),
        ("公里", "米"),
        ("十", "百"),
    ),
    quantity=(
        ("所有", "部分"),
        ("全部", "部分"),
        ("部分", "全部"),
        ("可能", "一定"),
        ("至少", "至多"),
        ("以上", "以下"),
        ("以下", "以上"),
        ("最高", "最低"),
        ("增加", "减少"),
        ("提高", "降低"),
        ("主要", "次要"),
        ("多", "少"),
        ("可以", "必须"),
        ("应当", "可以"),
        ("一般", "总是"),
        ("大", "小"),
        ("前", "后"),
        ("约", ""),
    ),
    word=(
        ("中国", "美国"),
        ("北京", "上海"),
        ("男", "女"),
        ("父", "母"),
        ("公司", "学校"),
        ("医院", "法院"),
        ("孩子", "老人"),
        ("冬", "夏"),
        ("左", "右"),
        ("东", "西"),
        ("买", "卖"),
        ("上", "下"),
        ("内", "外"),
        ("水", "油"),
    ),
)
CHINESE_CHANGES["digits"] = matches(r"\d+", _digit)
JAPANESE_CHANGES: dict[str, Candidates] = _table(
    negation=(
        ("できない", "できる"),
        ("できません", "できます"),
        ("ではない", "である"),
        ("ありません", "あります"),
        ("ません", "ます"),
        ("しなかった", "した"),
        ("なかった", "た"),
        ("しない", "する"),
        ("いない", "いる"),
        ("なく", "あって"),
        ("不可能", "可能"),
        ("未公開", "公開"),
        ("非公開", "公開"),
        ("無料", "有料"),
        ("決して", ""),
        ("ずに", "て"),
        ("されなかった", "された"),
        ("ない", "る"),
    ),
    quantity=(
        ("すべて", "一部"),
        ("一部", "すべて"),
        ("必ず", "たぶん"),
        ("かもしれない", "に違いない"),
        ("以上", "以下"),
        ("以下", "以上"),
        ("より多い", "より少ない"),
        ("増えた", "減った"),
        ("減った", "増えた"),
        ("高い", "低い"),
        ("約", ""),
        ("少なくとも", "多くとも"),
        ("だけ", "も"),
        ("午前", "午後"),
        ("前", "後"),
        ("ほとんど", "すべて"),
    ),
    number=(
        ("三", "五"),
        ("二", "四"),
        ("十", "百"),
        ("万", "億"),
        ("キロ", "メートル"),
        ("パーセント", ""),
        ("円", "ドル"),
        ("一", "三"),
    ),
    word=(
        ("東京", "大阪"),
        ("北", "南"),
        ("東", "西"),
        ("夏", "冬"),
        ("父", "母"),
        ("春", "秋"),
        ("病院", "学校"),
        ("市長", "知事"),
        ("海", "山"),
        ("図書館", "博物館"),
        ("薬", "酒"),
        ("教師", "医師"),
        ("川", "湖"),
        ("電車", "バス"),
        ("冬", "夏"),
        ("患者", "学生"),
        ("港", "駅"),
        ("朝", "晩"),
        ("橋", "塔"),
        ("研究者", "記者"),
        ("小説", "映画"),
        ("大人", "子ども"),
        ("水", "油"),
        ("窓", "扉"),
        ("社長", "部長"),
    ),
)
JAPANESE_CHANGES["digits"] = matches(r"\d+", _digit)
GERMAN_CHANGES: dict[str, Candidates] = {
    "negation": _words(
        (
            ("nicht ", ""),
            ("nicht", "doch"),
            ("kein", "ein"),
            ("keine", "eine"),
            ("keine", "alle"),
            ("keinen", "einen"),
            ("nie", "oft"),
            ("niemals", "immer"),
            ("ohne", "mit"),
            ("niemand", "jemand"),
            ("Niemand", "Jeder"),
            ("nichts", "alles"),
            ("weder", "sowohl"),
            ("kaum", "gern"),
            ("unmöglich", "möglich"),
            ("unbekannt", "bekannt"),
            ("ungültig", "gültig"),
            ("unzulässig", "zulässig"),
            ("keinem", "einem"),
            ("nirgends", "überall"),
        )
    ),
    "umlaut": _words(
        (
            ("wurde", "würde"),
            ("würde", "wurde"),
            ("wurden", "würden"),
            ("würden", "wurden"),
            ("konnte", "könnte"),
            ("könnte", "konnte"),
            ("konnten", "könnten"),
            ("könnten", "konnten"),
            ("musste", "müsste"),
            ("müsste", "musste"),
            ("hatte", "hätte"),
            ("hätte", "hatte"),
            ("hatten", "hätten"),
            ("schon", "schön"),
            ("schön", "schon"),
            ("fordern", "fördern"),
            ("fördern", "fordern"),
            ("fordert", "fördert"),
            ("fördert", "fordert"),
            ("Mutter", "Mütter"),
            ("Bruder", "Brüder"),
            ("durfte", "dürfte"),
            ("dürfte", "durfte"),
            ("drucken", "drücken"),
            ("lauten", "läuten"),
            ("war", "wäre"),
            ("wäre", "war"),
            ("zahlen", "zählen"),
            ("zählen", "zahlen"),
            ("losen", "lösen"),
            ("Mütter", "Mutter"),
            ("Brüder", "Bruder"),
            ("sagen", "sägen"),
            ("tauschen", "täuschen"),
        )
    ),
    "quantity": _words(
        (
            ("alle", "einige"),
            ("Alle", "Einige"),
            ("viele", "wenige"),
            ("Viele", "Wenige"),
            ("mehr", "weniger"),
            ("immer", "manchmal"),
            ("mindestens", "höchstens"),
            ("höchstens", "mindestens"),
            ("nur ", ""),
            ("etwa ", ""),
            ("fast ", ""),
            ("kann", "muss"),
            ("muss", "kann"),
            ("dürfen", "müssen"),
            ("soll", "darf"),
            ("vor", "nach"),
            ("nach", "vor"),
            ("angeblich ", ""),
            ("vermutlich ", ""),
            ("rund ", ""),
            ("bis zu ", ""),
            ("über", "unter"),
            ("oft", "selten"),
            ("wenn", "weil"),
            ("meisten", "wenigsten"),
            ("größer", "kleiner"),
            ("jeder", "mancher"),
        )
    ),
    "number": matches(
        r"\d+(?:,\d+)?|\b(?:zwei|drei|vier|fünf|sieben|zehn|zwölf|hundert|Millionen|Milliarden|Prozent|Euro|Kilometer)\b",
        lambda m, r: _german_number(m, r),
    ),
}
ARABIC_CHANGES: dict[str, Candidates] = {
    "negation": _words(
        (
            ("لا ", ""),
            ("لم ", ""),
            ("لن ", ""),
            ("لن", "سوف"),
            ("ليس ", ""),
            ("ليست ", ""),
            ("غير ", ""),
            ("بدون", "مع"),
            ("دون", "مع"),
            ("ما زال", "كان"),
            ("لم", "قد"),
            ("لا", "قد"),
            ("عدم ", ""),
        )
    ),
    "quantity": _words(
        (
            ("كل", "بعض"),
            ("جميع", "بعض"),
            ("بعض", "كل"),
            ("أكثر", "أقل"),
            ("أقل", "أكثر"),
            ("قبل", "بعد"),
            ("بعد", "قبل"),
            ("فقط ", ""),
            ("نحو ", ""),
            ("قد ", ""),
            ("ربما ", ""),
            ("دائما", "أحيانا"),
            ("غالبا", "نادرا"),
            ("أكبر", "أصغر"),
            ("فوق", "تحت"),
            ("تقريبا ", ""),
            ("زاد", "نقص"),
            ("ارتفع", "انخفض"),
            ("ارتفعت", "انخفضت"),
            ("معظم", "بعض"),
        )
    ),
    "number": matches(
        r"\d+|ثلاثة|أربعة|خمسة|عشرة|مليون|ألف|مئة|ثلاث|خمس|أربع|ستة|سبعة",
        lambda m, r: (
            _digit(m, r)
            if m.group().isdigit()
            else r.choice([n for n in ("ثمانية", "تسعة", "مليار") if n != m.group()])
        ),
    ),
}


def _german_number(m: re.Match[str], rng: Random) -> str:
    """Change a German number: a digit, the comma, or the word."""
    number = m.group()
    if "," in number and rng.random() < 0.5:
        return number.replace(",", "")
    if number[0].isdigit():
        at = 0 if len(number) == 1 else rng.choice([i for i, c in enumerate(number) if c.isdigit()])
        return number[:at] + str((int(number[at]) + rng.randint(1, 8)) % 10 or 5) + number[at + 1 :]
    other = {
        "Millionen": "Milliarden",
        "Milliarden": "Millionen",
        "Prozent": "Promille",
        "Euro": "Dollar",
        "Kilometer": "Meter",
    }
    return other.get(
        number, rng.choice([n for n in ("sechs", "acht", "neun", "elf") if n != number])
    )
