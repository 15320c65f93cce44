"""The same text is the same quote, whatever its lines, spaces, encoding and typography.

Metamorphic: no expectation is written by hand. A slice of a text is accepted in the text, so it
must be accepted in every rendering of the text, and every rendering of the slice in the text.
"""

import html
import random
import re
import textwrap
import unicodedata
from collections.abc import Callable

import pytest

from citeguard import Sources, locate

# Sentences written for this test, and facts that nobody owns: one text for each kind of writing.
TEXTS = {
    "en": "Dr. Lee's team (Deng et al., 2009; Li, 2016) didn't find <1 m of ice at −5 °C [3]. "
    "It was “well known” that 12–15 of the 1,250 samples, i.e. x > 3 and y < 2, failed.",
    "code": "if (a && !b) { return x[i] + 1; } // shift left: y = x << 3, see `main()` and *args. "
    'Use f"{value:.2f}" with --no-cache, or __init__ in C:\\temp\\new; price != $5.00.',
    "de": "Der Vertrag (§ 5 Abs. 2) endet am 3. Mai 2019; die Straße „Am Ring“ wurde verkauft.",
    "fr": "L’été dernier, « la ville » a dépensé 12,5 euros par tête : c’était trop cher ?",
    "es": "¿Qué pasó en 1936? El año empezó mal; según García (2011), «nadie» lo esperaba.",
    "it": "Nell’estate del 1990 la città spese 3,5 milioni di euro: è un record, disse l’ente.",
    "pt": "A decisão não foi unânime: 3 dos 11 juízes votaram contra, segundo o relatório de 2020.",
    "nl": "De gemeente (ca. 12.000 inwoners) kreeg in ’s-Hertogenbosch geen vergunning vóór 1 mei.",
    "pl": "Źródło podaje, że „żaden” z 12 wniosków nie został przyjęty; kwota to 1250 zł.",
    "ro": "Ședința a început la ora 9, iar țara nu și-a asumat cele 12 puncte „dificile”.",
    "tr": "İstanbul'da 12 kişi ışıkları kapattı; yağmur yağmadı, ama %5 artış görüldü.",
    "vi": "Năm 1945, Việt Nam tuyên bố độc lập; không ai trong số 12 người từ chối.",
    "ru": "Согласно отчёту (2019), ни один из 12 образцов не прошёл «проверку» — это пять.",
    "uk": "За даними звіту, жоден із 12 зразків не пройшов «перевірку» — це п’ять.",
    "el": "Η Αθήνα δεν ενέκρινε τα 12 αιτήματα· «κανείς» δεν απάντησε πριν από το 2019.",
    "ar": "لم توافق المدينة على ١٢ طلبًا في عام 2019، وقال الوزير: «هذا قرار نهائي».",
    "he": "העירייה לא אישרה את 12 הבקשות בשנת 2019, ואמרה: „זו החלטה סופית”.",
    "hi": "नगर निगम ने 2019 में 12 आवेदन स्वीकार नहीं किए; यह पाँच की कमी थी।",
    "th": "ในปี 2019 เทศบาลไม่อนุมัติคำขอ 12 รายการ และกล่าวว่า “เป็นคำตัดสินสุดท้าย”",
    "zh": "2019年，市政府没有批准12项申请；发言人说：“这是最终决定”（见第5条）。",
    "ja": "2019年、市は12件の申請を承認しなかった。「最終決定だ」と広報は述べた（第5条）。",
    "ko": "2019년 시는 12건의 신청을 승인하지 않았다. 대변인은 “최종 결정”이라고 말했다.",
}  # fmt: skip
_QUOTES = str.maketrans("“”„«»‘’", '"""""\'\'')


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 24, break_long_words=False, break_on_hyphens=False)


def _each_blank(blank: str) -> Callable[[str], str]:
    return lambda text: text.replace(" ", blank)


RENDERINGS: dict[str, Callable[[str], str]] = {
    "wrapped": _wrapped,
    "indented": lambda text: textwrap.indent(_wrapped(text), "        "),
    "CRLF": lambda text: _wrapped(text).replace("\n", "\r\n"),
    "one line": lambda text: " ".join(text.split()),
    "two blanks": _each_blank("  "),
    "tabs": _each_blank("\t"),
    "NBSP": _each_blank("\u00a0"),
    "thin spaces": _each_blank("\u2009"),
    "NFD": lambda text: unicodedata.normalize("NFD", text),
    "NFC": lambda text: unicodedata.normalize("NFC", text),
    "straight quotes": lambda text: text.translate(_QUOTES),
    "one kind of dash": lambda text: re.sub("[–—]", "-", text),
    "zero width": lambda text: text.replace(" ", " \u200b"),
    "direction marks": lambda text: f"\u200e{text}\u200f",
    "entities": lambda text: html.escape(text),
    "BOM": lambda text: f"\ufeff{text}",
}


def _slices(text: str, seed: str) -> list[str]:
    """Return the text, and parts of it that begin and end between words."""
    random.seed(seed)
    borders = [0, *(match.end() for match in re.finditer(r"\s+", text)), len(text)]
    slices = [text]
    for _ in range(2):
        start, end = sorted(random.sample(borders, 2)) if len(borders) > 2 else (0, len(text))
        slices.append(text[start:end].strip())
    return [part for part in dict.fromkeys(slices) if sum(map(str.isalnum, part)) > 3]


def _accepted(quote: str, text: str) -> bool:
    match = locate(quote, Sources({"s": f"Before.\n\n{text}\n\nAfter."}))
    return match is not None and match.accepted


@pytest.mark.parametrize("rendering", RENDERINGS)
def test_a_rendering_changes_no_verdict(rendering: str) -> None:
    render = RENDERINGS[rendering]
    changed = [
        (language, side, quote)
        for language, text in TEXTS.items()
        for quote in _slices(text, rendering + language)
        if _accepted(quote, text)
        for side, accepted in (
            ("source", _accepted(quote, render(text))),
            ("quote", _accepted(render(quote), text)),
        )
        if not accepted
    ]
    assert changed == []


def test_verbatim_slices_are_accepted() -> None:
    rejected = [
        (language, quote)
        for language, text in TEXTS.items()
        for quote in _slices(text, language)
        if not _accepted(quote, text) and not _cuts_off_a_limit(quote, text)
    ]
    assert rejected == []


def _cuts_off_a_limit(quote: str, text: str) -> bool:
    """Return whether all that is wrong with a slice is what stands right before or behind it."""
    found = locate(quote, Sources({"text": text}))
    return found is not None and {edit.reason for edit in found.material} == {"limit"}


ALTERED: dict[str, Callable[[str], str]] = {
    "an ellipsis": lambda text: f"{text} … ",
    "a line break shown": lambda text: text.replace("\n", " / "),
    "a footnote mark left out": lambda text: text.replace("[1]", ""),
}
"""Other harmless differences, by which quote and source are compared word by word."""


@pytest.mark.parametrize("altered", ALTERED)
def test_a_rendering_changes_no_verdict_where_words_are_compared(altered: str) -> None:
    alter = ALTERED[altered]
    changed: list[tuple[str, str]] = []
    for language, text in TEXTS.items():
        middle = text.find(" ", len(text) // 2)
        marked = f"{text[:middle]}[1]\n{text[middle + 1 :]}" if middle > 0 else text
        quote = alter(marked).strip()
        if not _accepted(quote, marked):
            continue
        for name in ("NFD", "NFC", "NBSP", "straight quotes", "zero width"):
            render = RENDERINGS[name]
            if not (_accepted(render(quote), marked) and _accepted(quote, render(marked))):
                changed.append((language, name))
    assert changed == []
