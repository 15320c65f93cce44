"""Page furniture is whole lines that belong to the page; running text never is."""

from __future__ import annotations

import pytest

from citeguard.quotes.differences import Edit, compare
from citeguard.quotes.printed import find_furniture

FURNITURE = [
    pytest.param("\n12\n", id="page number"),
    pytest.param("\n\n12\n\n", id="page number, set off"),
    pytest.param("\n- 12 -\n", id="page number between dashes"),
    pytest.param("\nPage 12 of 40\n", id="page of pages"),
    pytest.param("\np. 12\n", id="abbreviated"),
    pytest.param("\nSeite 12\n", id="German"),
    pytest.param("\n第 12 頁\n", id="Chinese"),
    pytest.param("\nxiv\n", id="roman numeral"),
    pytest.param("\nA-12\n", id="page of an appendix"),
    pytest.param("\f12\f", id="form feeds"),
    pytest.param("\r\n12\r\n", id="line ends of Windows"),
    pytest.param("\n12\nAnnual Report\n", id="number and head"),
    pytest.param("\fAnnual Report of the Board\n", id="head of a new page"),
    pytest.param("\fSmith et al.\n", id="running authors"),
    pytest.param("\n\nJOURNAL OF TESTS 12\n\n", id="head and number in one line"),
    pytest.param("\nhttps://example.org/a\n", id="address"),
    pytest.param("\ndoi:10.1000/182\n", id="DOI"),
    pytest.param("\n© 2019 The Authors\n", id="copyright"),
    pytest.param("\nDownloaded from example.org on 1 May\n", id="download note"),
    pytest.param("\nConfidential\n", id="label"),
]
TEXT = [
    pytest.param(" not ", id="a word in the line"),
    pytest.param("\nnot\n", id="a word on a line of its own"),
    pytest.param("\n\nNot\n\n", id="a negation as a head"),
    pytest.param("\n\nof the eastern provinces, who were\n\n", id="running text"),
    pytest.param("\nof the eastern provinces who were\n", id="a line of the sentence"),
    pytest.param("\n\nThe Eastern Provinces.\n\n", id="a sentence"),
    pytest.param("\n\nThe Eastern Provinces\n\n", id="a heading that may be the text's own"),
    pytest.param("\nwhich no confidential record of\n", id="a line with a publisher's word"),
    pytest.param("\nill\n", id="a word of Roman letters"),
    pytest.param("\n1850\n", id="a year"),
    pytest.param("\n412\nmillion ", id="a number that is counted"),
    pytest.param("\nGermany 12\n", id="a name and a number"),
    pytest.param("\n123\nCosts of goods\n567\n", id="a table"),
    pytest.param("\n\nIn the East\n\n", id="a phrase in capitals"),
    pytest.param("\n12345\n", id="a number too long for a page"),
    pytest.param("\n12 million\n", id="an amount"),
    pytest.param(" not\n12\n", id="the rest of a line before"),
    pytest.param("\n12\nnot ", id="the beginning of a line after"),
    pytest.param("\n\n" + "Annual " * 20 + "\n\n", id="too long a line"),
]


BEFORE, AFTER = "It held most of", "its soldiers back."


def judged(gap: str, *, elsewhere: str = "") -> tuple[Edit, ...]:
    text = f"{elsewhere}{BEFORE}{gap}{AFTER}"
    return compare(f"{BEFORE} {AFTER}", text, len(elsewhere), len(text))


class TestGuard:
    @pytest.mark.parametrize("gap", FURNITURE)
    def test_lets_a_quote_drop(self, gap: str) -> None:
        edits = judged(gap)
        assert [edit.reason for edit in edits] == ["page furniture"]
        assert not any(edit.material for edit in edits)
        assert edits[0].source == gap.strip()

    @pytest.mark.parametrize("gap", TEXT)
    def test_does_not_let_a_quote_drop(self, gap: str) -> None:
        assert any(edit.material for edit in judged(gap))

    def test_lets_a_quote_drop_a_head_that_stands_on_other_pages_too(self) -> None:
        elsewhere = "One.\nAnnual Report\nTwo.\n"
        assert not any(e.material for e in judged("\nAnnual Report\n", elsewhere=elsewhere))
        assert any(edit.material for edit in judged("\nAnnual Report\n"))

    def test_lets_a_quote_drop_two_page_breaks(self) -> None:
        text = "It held\n\n12\n\nmost of its\n\n13\n\nsoldiers back."
        edits = compare("It held most of its soldiers back.", text, 0, len(text))
        assert [(edit.source, edit.material) for edit in edits] == [("12", False), ("13", False)]

    def test_sees_what_else_was_dropped(self) -> None:
        text = "It did not hold\n\n12\n\nmost of its soldiers back."
        edits = compare("It did hold most of its soldiers back.", text, 0, len(text))
        assert {edit.reason: edit.material for edit in edits} == {
            "page furniture": False,
            "negation": True,
        }

    def test_lets_a_quote_keep_the_page_number(self) -> None:
        text = "It held most of\n\n12\n\nits soldiers back."
        assert compare("It held most of 12 its soldiers back.", text, 0, len(text)) == ()


class TestFindFurniture:
    def test_names_the_lines(self) -> None:
        text = "most of\n\n12\nAnnual Report\n\nits soldiers"
        assert [text[low:high] for low, high in find_furniture(text, 0, len(text))] == [
            "12\nAnnual Report"
        ]

    @pytest.mark.parametrize("text", ["", "12", "12\n13", "\n\n12\n\n", "of\n12", "12\nof"])
    def test_leaves_the_outer_lines_alone(self, text: str) -> None:
        assert find_furniture(text, 0, len(text)) == []

    def test_leaves_what_was_quoted_alone(self) -> None:
        text = "most of\n\nAnnual Report\n\nits soldiers"
        assert find_furniture(text, 0, len(text), "mostofannualreportits") == []


# Words of the page in many languages, between two sentences and inside one.
LINES = r"""
fr|Il a quitté la salle avant le vote.|PUBLICITÉ|La séance a repris.
fr|Il a quitté la salle avant le vote.|Lire aussi : Le maire démissionne|La séance a repris.
fr|Le contrat est conclu pour|— 2 / 6 —        Paraphes : ____|trois ans à compter de la signature.
de|Die Miete ist im Voraus auf das|Seite 4 von 9   Unterschrift: ____|Konto des Eigners zu zahlen.
de|Die Miete ist im Voraus zu zahlen.|Seite 3 von 9   Krüger & Söhne GmbH|§ 5 Kaution. Er zahlt.
de|Der Fluss stieg in der Nacht.|Foto: Anna Schmidt/dpa|Die Brücke wurde am Morgen gesperrt.
tr|Kira bedeli banka hesabına yatırılır.|        Sayfa 2/4|5. Kiracı taşınmazı devredemez.
es|El arrendatario pagará la renta dentro de|Página 3 de 12   Firma: ____|los cinco primeros días.
pt|O locatário pagará o aluguel até|Página 3 de 12     Rubrica: ____|o quinto dia útil.
it|Il ponte sarà aperto in primavera.|Leggi anche: Il sindaco spiega il ritardo|I lavori continuano.
nl|De brug gaat in het voorjaar open.|Advertentie|De werken hebben drie jaar geduurd.
pl|Najemca płaci czynsz do piątego|Strona 3 z 12          Podpis: ________|dnia każdego miesiąca.
ro|Podul se va deschide în primăvară.|PUBLICITATE|Lucrările au durat trei ani.
ru|Мост откроют для движения весной.|Фото: Иван Петров / ТАСС|Работы продолжались три года.
uk|Орендар сплачує плату до п'ятого|Сторінка 3 з 12          Підпис ________|числа кожного місяця.
el|Η γέφυρα θα ανοίξει την άνοιξη.|ΔΙΑΦΗΜΙΣΗ|Τα έργα διήρκεσαν τρία χρόνια.
ar|سيفتح الجسر أمام حركة المرور في الربيع.|إعلان|استمرت الأعمال ثلاث سنوات.
hi|अगर बारिश जारी रही तो पुल बंद कर दिया जाएगा।|यह भी पढ़ें: मानसून की ताज़ा ख़बरें|विपक्ष का आरोप अलग है।
hi|किरायेदार अग्रिम राशि मकान मालिक को देगा।|पृष्ठ 2   हस्ताक्षर ____|धारा 7. किरायेदार परिसर लौटाएगा।
vi|Cầu sẽ được thông xe vào mùa xuân.|Quảng cáo|Công trình kéo dài ba năm.
th|ผู้เช่าต้องชำระค่าเช่าภายในวันที่ห้า|หน้า 3 จาก 12          ลงชื่อ ________|ของทุกเดือน
zh|专家认为老人和孩子仍需防护。|责任编辑：王珂　　第2版|网传的说法不属实。
ja|橋は来年の春に着工する予定だ。|関連記事：市長が計画を発表|三年後に完成する見込みだ。
ko|다리는 내년 봄에 착공할 예정이다.|광고|삼 년 뒤에 완공될 것으로 보인다.
en|They did not inspect any of the|Bridge safety in the north    17|old iron bridges in winter.
en|They did not inspect any of the|Smith v. Jones    17|old iron bridges in winter.
en|They did not inspect any of the|Transport Policy 12 (2019) 4–18|old iron bridges in winter.
fr|L'agence n'avait pas inspecté les|Rapport annuel 2019 - Page 17|vieux ponts du district nord.
es|La agencia no había inspeccionado los|Informe anual 2019 • Página 17|puentes del distrito norte.
it|L'agenzia non aveva ispezionato i|La sicurezza dei ponti    17|ponti del distretto nord.
ru|Агентство не проверило состояние|Годовой отчёт за 2019 год    17|мостов в северном районе.
ar|وجدت اللجنة أن الوكالة لم تقم بتفتيش|التقرير السنوي    ١٧|الجسور الواقعة في الشمال.
hi|एजेंसी ने पूरी सर्दियों में उत्तरी ज़िले के|वार्षिक रिपोर्ट    १७|पुलों का निरीक्षण नहीं किया था।
zh|该机构在整个冬季都没有对北部的|年度报告    17|桥梁进行检查，因此受到了警告。
ja|同機関は冬の間ずっと北部地区にある|第3章 橋の安全    17|橋の点検を行っていなかった。
ko|해당 기관이 겨울 내내 북부에 있는|연차 보고서    17|다리를 점검하지 않았다.
en|They could not rule out the|Journal of Health 2019; 35(2):118–127   121|influence of income.
"""
WORDS = """
a list|We offer print|Advertising|Design and layout are extra.
a word of the sentence|Er erstattete|Anzeige|gegen den Nachbarn wegen Lärms.
a word of the sentence|Он прислал судье|фото|моста.
a word of the sentence|उसने जज को पुल की|तस्वीर|भेजी थी।
a heading that governs|Nicht erstattet werden:|Anzeige|Die Kosten trägt der Kunde.
a negation|Die Mühle schloss.|Lesen Sie auch: Besitzer ging nicht|Die Stadt trauerte.
a negation|磨坊关闭了。|相关阅读：市长没有辞职|全城哀悼。
a negation|水車小屋は閉まった。|関連記事：市長は辞任しない|町は泣いた。
an exception|Die Mühle schloss.|Ausgenommen Seite 3|Der Besitzer ging.
an exception|Młyn zamknięto.|Z wyjątkiem strony 3|Miasto płakało.
an exception|Cối xay đã đóng cửa.|Trừ trang 3|Thị trấn khóc.
an exception|चक्की बंद हो गई।|केवल पृष्ठ 3|शहर रोया।
a sentence|The mill closed.|Photo: it was the owner who set fire to it.|The town mourned.
a speaker|Le moulin a fermé.|Rédacteur : je pense le contraire|La ville est en deuil.
a row|The table lists costs.|Printing      400      Advertising      900|Prices are in euro.
a row|Les coûts sont connus.|Publicité      900 €|Il reste 400 euros.
an amount|Der Käufer zahlt für das Grundstück|450|Euro je Quadratmeter.
an amount|El precio subió en abril un total de|23|por ciento en la costa.
an amount|该公司应当支付|500|元罚款并公开道歉。
a quantity|They did not inspect more than|About half    17|old iron bridges in winter.
a name and its figure|The schools would be open in|Aberdeen    12|to all of the children.
a row|The invoice lists what was ordered in|Red lamps    12|and many other goods.
an amount|The fee of the tenants is set at|EUR    17|for each of the rooms.
a share|The bridge was closed.|Share: 40 %|The work took three years.
"""


def rows(table: str) -> list[list[str]]:
    return [line.split("|") for line in table.strip().splitlines()]


class TestLinesOfThePage:
    @pytest.mark.parametrize(("language", "before", "line", "after"), rows(LINES))
    @pytest.mark.parametrize("gap", ["\n", "\n\n", "\r\n"])
    def test_are_left_out(
        self, language: str, before: str, line: str, after: str, gap: str
    ) -> None:
        text = gap.join((before, line, after))
        edits = compare(f"{before} {after}", text, 0, len(text))
        assert [edit.reason for edit in edits if edit.material] == [], language

    @pytest.mark.parametrize(("kind", "before", "line", "after"), rows(WORDS))
    @pytest.mark.parametrize("gap", ["\n", "\r\n"])
    def test_are_no_lines_that_say_something(
        self, kind: str, before: str, line: str, after: str, gap: str
    ) -> None:
        text = gap.join((before, line, after))
        edits = compare(f"{before} {after}", text, 0, len(text))
        assert any(edit.material for edit in edits), kind
