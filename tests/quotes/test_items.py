"""Quotes without what counts the items of a list, and other writings of short texts."""

from __future__ import annotations

import pytest

from citeguard.language.lexicon import find_lexicon
from citeguard.quotes.items import find_item_marks
from quotes.tables import accepted, rows
from rows import each_row

# A text, a quote of it, and a change of the quote.
LISTS = rows(r"""
De huurder moet:\na. de huur betalen;\nb. de woning niet verhuren;\nc. schade melden.
    | De huurder moet: de huur betalen; de woning niet verhuren; schade melden.
    | De huurder moet: de huur betalen; de woning verhuren; schade melden.
Орендар має:\nа) сплачувати оренду;\nб) не чинити шуму;\nв) утримувати майно.
    | Орендар має: сплачувати оренду; не чинити шуму; утримувати майно.
    | Орендар має: сплачувати оренду; чинити шуму; утримувати майно.
Son causas: (a) la ofensa grave; (b) no acudir al trabajo; (c) la embriaguez.
    | Son causas: la ofensa grave; no acudir al trabajo; la embriaguez.
    | Son causas: la ofensa leve; no acudir al trabajo; la embriaguez.
São órgãos:\nI – o Tribunal Federal;\nII – o Superior Tribunal;\nIII – os Regionais.
    | São órgãos: o Tribunal Federal; o Superior Tribunal; os Regionais.
    | São órgãos: o Tribunal Federal; os Regionais.
甲方义务：（一）按期付款；（二）不得转租；（三）保守秘密。
    | 甲方义务：按期付款；不得转租；保守秘密。
    | 甲方义务：按期付款；转租；保守秘密。
申请人应提交：①身份证复印件；②户口簿；③近期照片两张。
    | 申请人应提交：身份证复印件；户口簿；近期照片两张。
    | 申请人应提交：身份证复印件；户口簿；近期照片三张。
1 The whole earth was void. 2 And it was dark everywhere. 3 ¶ And God said, Let there be light.
    | And it was dark everywhere. And God said, Let there be light.
    | And it was not dark everywhere. And God said, Let there be light.
1 Der HERR ist mein Hirte.\n2 Er weidet mich auf der Aue.\n3 Er erquicket meine Seele.
    | Der HERR ist mein Hirte. Er weidet mich auf der Aue.
    | Der HERR ist mein Hirte. Er weidet dich auf der Aue.
وَالْعَصْرِ ﴿١﴾ إِنَّ الْإِنسَانَ لَفِي خُسْرٍ ﴿٢﴾
    | وَالْعَصْرِ إِنَّ الْإِنسَانَ لَفِي خُسْرٍ
    | وَالْعَصْرِ إِنَّ الْإِنسَانَ لَفِي يُسْرٍ
Sont exclus :\n1° les mineurs ;\n2° les étrangers ;\n3° les retraités.
    | Sont exclus : les mineurs ; les étrangers ; les retraités.
    | Sont exclus : les mineurs ; les retraités.
""")
# A text without a list, and a quote that loses a number of it.
COUNTS = rows(r"""
Three days passed. 3 Men were hurt in town. 4 Cars burnt. | Men were hurt in town. Cars burnt.
3 Men were hurt. 4 Cars burnt. 5 Dogs ran. | Men were hurt. Cars burnt. Dogs ran.
Es waren 3 Männer im Haus. 5 Autos brannten dort aus. 7 Hunde. | Es waren Männer im Haus. Autos
""")
OTHER_WRITINGS = rows(r"""
Opent om 8.15 uur aan spoor 4. | Opent om 8:15 uur aan spoor 4. | Opent om 8:51 uur
Start o godz. 17:30 w sali 12. | Start o godz. 17.30 w sali 12. | godz. 17.03 w sali
会议于二〇一九年十月八日在北京召开。
    | 会议于2019年10月8日在北京召开。
    | 会议于2019年10月18日在北京召开。
ราคาเพิ่มขึ้น 15 เปอร์เซ็นต์ในเดือนมีนาคม
    | ราคาเพิ่มขึ้น 15% ในเดือนมีนาคม
    | ราคาเพิ่มขึ้น 15 บาทในเดือนมีนาคม
ประชาชนร้อยละ 62 ไม่เห็นด้วยกับร่าง
    | ประชาชน 62% ไม่เห็นด้วยกับร่าง
    | ประชาชน 26% ไม่เห็นด้วยกับร่าง
มีผู้บาดเจ็บยี่สิบเอ็ดคนจากรถชน | มีผู้บาดเจ็บ 21 คนจากรถชน | มีผู้บาดเจ็บ 22 คนจากรถชน
응답자의 42퍼센트가 정책에 반대했다.
    | 응답자의 42%가 정책에 반대했다.
    | 응답자의 42명이 정책에 반대했다.
총 삼십오 명이 참가하여 합격하였다.
    | 총 35명이 참가하여 합격하였다.
    | 총 53명이 참가하여 합격하였다.
행사는 오후 2시 30분에 시작한다. | 행사는 오후 2시30분에 시작한다. | 행사는 오후 3시20분에 시작한다.
법원은 위헌(違憲) 결정을 내렸다. | 법원은 위헌 결정을 내렸다. | 법원은 합헌 결정을 내렸다.
L’État a versé 3 millions aux écoles.
    | L'Etat a versé 3 millions aux écoles.
    | L'Etat a versé 5 millions
¹Die Frist beträgt einen Monat. ²Sie ruht nie.
    | Die Frist beträgt einen Monat. Sie ruht nie.
    | Die Frist beträgt einen Monat. Sie ruht.
Die Probe enthielt ³He und ²H nur in Spuren.
    | Die Probe enthielt ³He und ²H nur in Spuren.
    | Die Probe enthielt He und H nur in Spuren.
Clădirea are o sută douăzeci de apartamente.
    | Clădirea are 120 de apartamente.
    | Clădirea are 102 de apartamente.
सन्त और पञ्च ने झण्डा नहीं फहराया। | संत और पंच ने झंडा नहीं फहराया। | संत और पंच ने झंडा फहराया।
[12/03/2023 14:22] Ana: Foi adiada\n[12/03/2023 14:23] Ana: para sexta-feira
    | Foi adiada para sexta-feira
    | Foi adiada para quinta-feira
El acuerdo fue prin-\n\nAnuario general 2012   \x7c   47\n\ncipalmente político.
    | El acuerdo fue principalmente político.
    | El acuerdo fue principalmente apolítico.
""")


@each_row("text, quote, changed", (*LISTS, *OTHER_WRITINGS))
def test_a_list_without_its_marks_and_other_writings(text: str, quote: str, changed: str) -> None:
    assert accepted(quote, text)
    assert not accepted(changed, text)


@each_row("text, quote", COUNTS)
def test_a_number_that_counts_no_verse_is_kept(text: str, quote: str) -> None:
    assert not accepted(quote, text)


@pytest.mark.parametrize(
    "text",
    [
        "Authors:\nA. Smith\nB. Jones",
        "Classifica:\n1 - Inter\n2 - Milan",
        "Der 1. Weltkrieg endete. 2. Weltkrieg und Folgen.",
        "Siehe (2) oder (4).",
        "In 2019. It fell.",
        "Lows tonight:\n1° in the north\n2° in the south",
    ],
)
def test_names_and_amounts_are_no_marks(text: str) -> None:
    assert not find_item_marks(text)


def test_marks_of_a_list_in_a_list() -> None:
    text = "1. Wer:\na) kauft,\nb) mietet.\n2. Wann."
    marks = [text[low:high].strip() for low, high in find_item_marks(text)]
    assert marks == ["1.", "a)", "b)", "2."]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Le village comptait soixante-douze habitants et deux cent quarante moutons.", "fr"),
        ("Potrivit vecinilor, bărbatul a dat foc casei.", "ro"),
        ("Vie\u0323\u0302t Nam co\u0301 54 da\u0302n to\u0323\u0302c anh em.", "vi"),
    ],
)
def test_the_language_of_a_short_text(text: str, code: str) -> None:
    lexicon = find_lexicon(text)
    assert lexicon is not None
    assert lexicon.code == code
