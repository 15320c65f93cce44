"""Elided quotes: their segments, and what an ellipsis may not swallow."""

import re

import pytest

from citeguard.quotes.differences import Edit
from citeguard.quotes.ellipsis import find_hidden, split_at_ellipses
from quotes.tables import accepted, rows
from rows import each_row

ELLIPSES = [
    "...",
    "…",
    " ... ",
    " … ",
    "[...]",
    " [...] ",
    "[…]",
    "(...)",
    " (…) ",
    ". . .",
    "....",
    " . . . ",
    "⋯",
    "[ ... ]",
    "・・・",
    "。。。",
    "（……）",
    "（中略）",
    " [omissis] ",
    "(중략)",
    "〔省略〕",
]
# A text, and the words that a quote has.
OPEN = rows(r"""
报告指出，该地区的空气明显改善，但仍需努力。|该地区的空气明显改善
報告書によれば、この地域の大気は改善したとされる。|この地域の大気は改善した
보고서에 따르면 이 지역의 대기는 개선되었으며 앞으로도 그렇다.|이 지역의 대기는 개선되었으며
قال التقرير إن الحكومة ستبدأ بناء المدارس في العام المقبل.|الحكومة ستبدأ بناء المدارس
נכתב כי המשרד יפעל לשיפור התחבורה הציבורית בפריפריה.|המשרד יפעל לשיפור התחבורה
รายงานว่าคุณภาพอากาศในพื้นที่นี้ดีขึ้นมากในปีนี้|คุณภาพอากาศในพื้นที่นี้ดีขึ้นมาก
""")

# The gap is in double square brackets.
HARMLESS = rows(r"""
The company[[, founded in 1999 by two sisters,]] sells tea.
The council[[, when it met in May,]] approved the plan.
You should wait[[ (that is, read the list and send nothing)]] before you start.
Sort them so that our offset[[ (which we got from the output above)]] is followed by the next.
He said [[that ]]the mill closed in May.
It was[[ red and big and]] round.
It rained.[[ They did not go out. ]]It was May.
It rained.[[ Only men came. All left. ]]It was May.
The team designed[[ and built]] engines.
The walls were red[[ and dotted]] all over.
雨が降った。[[彼は来なかった。]]五月だった。
It was[[ ]]so.
Mr. Smith: I sold it.[[ It was old.\nIt ran well. ]]I left.
The plan has two parts.[[\nCosts: it will cost a lot.\n]]It ends in May.
It rained.[[ They went.\n\nWe did. ]]So what.
She sang[[ and left the hall]]! He stayed.
The page asked us to "load[[ the dot", a program,]] and to wait.
The minister agreed[[ on Monday]] to raise the tax.
Das Museum zeigt Bilder, [[Karten, Münzen ]]und Möbel aus zwei Jahrhunderten.
Le musée montre des tableaux, [[des cartes et ]]des meubles.
They met[[, in May 2019 and about 5 km away,]] and left.
He unpacked. He found socks. [[Shirts, ties, ]]shoes and a torch lay on the floor.
The market opens at six. [[Apples, plums, ]]pears and nuts fill the stalls.
She signed the lease, [[not without misgivings, ]]on the second of May.
The parish bought the field[[, not least because the school had grown,]] for ninety pounds.
Sie unterschrieb[[, nicht ohne Bedenken,]] den Vertrag am zweiten Mai.
Elle signa[[, non sans hésiter,]] le bail au mois de mai.
Firmò[[, non senza esitare,]] il contratto nel mese di maggio.
Podpisała[[, nie bez wahania,]] umowę w maju.
Она подписала[[, не без колебаний,]] договор в мае.
So said[[ Dr. Smith of the]] council.
The rule[[ as printed in the annex]] is the one to follow.
4.1 Members pay no fee.[[\n4.2 Guests pay ten euros.\n4.3 ]]Late payment costs three euros.
You must give:[[\n1. a name;\n2. the address of the home.\n3. ]]a date of birth.
- butter\n[[- eggs\n- sugar\n]]- two lemons\n- flour
(a) soap; (b) [[candles; (c) ]]matches; (d) lamp oil
Řeka zamrzla; [[přívoz nejezdil; ]]pošta přišla přes led.
A bizottság[[, amely tegnap délelőtt ülésezett,]] elfogadta az éves jelentést.
Kommunen har[[, efter flere møder med beboerne,]] vedtaget den nye lokalplan.
Styret vedtok[[, på møtet i Bergen,]] å bygge en ny skole.
Kaupunginvaltuusto hyväksyi[[, pitkän keskustelun jälkeen,]] uuden asemakaavan.
Pemerintah kota meresmikan jembatan baru[[, yang dibangun oleh perusahaan lokal,]] pada hari Senin.
شهرداری تهران[[، پس از چند ماه مذاکره،]] قرارداد ساخت مترو را امضا کرد.
הממשלה אישרה[[, בישיבה מיוחדת,]] את תקציב המדינה.
Общинският съвет прие[[, след продължителни разисквания,]] новия бюджет.
L'ajuntament va aprovar[[, en una sessió extraordinària,]] el nou pla urbanístic.
""")
HIDDEN = rows(r"""
two speakers joined | “You dear child, [[come with me!” He rose. “Father!” He called.” ]]Be still.
two speakers joined | He said: “I came[[. I saw it.” ]]Then she went home.
negation | The swallows...[[ will not return!\n\n]]They will nest again.
two speakers joined | Mr. Smith: I sold the car.[[\nMs. Jones: ]]I bought a boat.
two speakers joined | [10:01] Ann: Sales rose.[[\n[10:02] Bob: ]]Costs fell.
qualifier | The fine is[[ the greater of]] 20 million and 4 % of sales.
qualifier | La multa es[[ la mayor de]] 20 millones y el 4 % de las ventas de la empresa.
qualifier | The law will[[, when used wisely,]] protect the poor.
qualifier | He[[ briefly]] led the party in the war.
qualifier | Le produit est[[ relativement]] sûr pour les enfants de la ville.
two rows joined | Anna\t[[guilty\nBen\t]]acquitted
two rows joined | - Anna is[[ guilty\n- Ben is]] acquitted
two rows joined | Allowed:[[\n- dogs\n- cats\n\nProhibited:\n- ]]snakes
two rows joined | Safe for children[[\n- honey\n\nUnsafe for children\n]]- bleach
two rows joined | The board:\n  Smith,[[ chair\n  Jones, secretary\n  Brown,]] treasurer
two rows joined | All servers listen.\n\nserver:[[\n  port: 3\nclient:\n  ]]port: 5
different passages | Is the roof sound?[[ No. Is the wall sound?]] Yes.
qualifier | The committee[[ rejected the plan to]] extend the licence.
qualifier | The minister[[ opposes plans to]] cut the pension of the miners.
qualifier | Staff may[[, with the consent of the director,]] work from home.
negation | The device is[[ nоt]] waterproof in the sea.
negation | The device is[[ ɴᴏᴛ]] waterproof in the sea.
negation | The device is[[ n-o-t]] waterproof in the sea.
negation | Das Gerät ist[[ n i c h t]] für den Gebrauch im Freien gebaut.
negation | The shop is open[[ (but not on Sundays in May)]] in all of the towns.
negation | The drug was[[ not tested and not]] approved.
negation | The drug[[ isn’t tested and]] approved.
negation | They[[ never]] came.
negation | He came[[ without any]] friends.
two sentences joined | It rained[[ again. They did not]] go.
two sentences joined | It did rain[[ if not here. Later]] it did.
qualifier | They came[[ only if asked and]] left.
qualifier | The[[ alleged and wanted]] thief fled.
qualifier | It fell[[ by up to]] 25 points.
two sentences joined | So said Dr[[. Smith. It was not]] so.
different passages | It rained.[[ They went.\n\n## Later\n\nWe did. ]]So what.
number | Sales were[[ 20 million, against]] 80 million.
another subject | The firm settled.[[ Its rival]] paid.
qualifier | It fell[[, he claimed.]] We left.
negation | It cures[[, which is a myth,]] all.
qualifier | The drug[[, he said, ]]is safe.
negation | The patients[[ who did not survive]] were old.
negation | 药物[[并不]]安全。
another subject | The bakers [[rose at three; the millers ]]slept until noon.
two sentences joined | In the spring, [[the mill closed. The river rose, ]]the bakery hired.
two sentences joined | If paid, [[the permit is valid. The holder is careful, ]]the garden is open.
qualifier | The police arrested[[ the wife of]] the mayor.
qualifier | The police arrested[[ a man who had shot]] the mayor.
qualifier | The firm[[ stopped]] making profits in May.
qualifier | The report[[ refutes the claim of the firm]] that the drug is toxic.
part of a sentence | Das Gericht[[ lehnte den Antrag ab,]] die Steuer zu senken.
part of a sentence | Le conseil[[ a abandonné le projet de]] fermer la piscine.
part of a sentence | El ministro[[ renunció a]] subir el impuesto de los carburantes.
part of a sentence | Minister[[ przestał]] podnosić podatek od paliw.
part of a sentence | Министр[[ перестал]] повышать налог на топливо.
part of a sentence | Nájomca je povinný zaplatiť nájomné [[na účet prenajímateľa ]]do piateho dňa.
another verb | In 2019 the firm bought Alpha[[ and sold]] Beta.
another verb | In 2019 the firm bought Alpha[[ and sold Beta]] in May.
another verb | She washed the car[[ and quickly painted]] the wall.
two sentences joined | The mayor praised [[the plan. The council rejected ]]the budget.
negation | The tablet is safe; [[not for children; ]]it costs two pounds.
negation | The museum is free; [[it does not open on Mondays; ]]bring a coat.
negation | The firm, [[never, ]]paid its suppliers.
negation | The firm paid, [[in no case, ]]a penny to its suppliers.
negation | He spent, [[not always, ]]his Sundays at the club.
negation | The tenant may, [[not before May, ]]sublet the flat.
negation | The prize went to Ann. [[Nobody thought that ]]the judges were fair.
negation | We met in Rome. [[Without vaccines, ]]measles and mumps spread in weeks.
qualifier | We met in Rome. [[According to Dr Smith, ]]measles and mumps are rare.
negation | Der Wirt[[, niemals,]] zahlte seine Schulden.
part of a sentence | Die Bäcker [[stehen um drei auf; die Müller ]]schlafen bis mittags.
negation | Das Tor ist[[, nicht immer,]] am Abend geschlossen.
negation | Le musée est[[, pas toujours,]] ouvert le soir.
part of a sentence | Les boulangers [[se lèvent tôt ; les meuniers ]]dorment jusqu'à midi.
negation | El museo abre[[, no siempre,]] por la tarde.
part of a sentence | El alcalde [[duda de que ]]la fábrica cierre en mayo.
part of a sentence | Il sindaco [[dubita che ]]la fabbrica chiuda a maggio.
number | The price was [[ten million dollars, against ]]eight million dollars.
part of a sentence | De bakkers [[staan om drie uur op; de molenaars ]]slapen tot de middag.
qualifier | The lights are burning low,\n[[Unless my eyes deceive,\n]]The ferry leaves by day.
qualifier | And all the bells,\n[[they say,\n]]Were melted down for guns.
part of a sentence | Piekarze [[wstają o trzeciej; młynarze ]]śpią do południa.
part of a sentence | Пекари [[встают в три; мельники ]]спят до полудня.
part of a sentence | Bagarna [[stiger upp klockan tre; mjölnarna ]]sover till middag.
negation | Lék se [[nesmí podávat dětem a ]]podává večer s jídlem.
negation | Výbor [[odmietol návrh, aby sa ]]postavil nový štadión.
negation | A gyógyszer [[nem ]]okozott súlyos mellékhatást.
negation | Patienten kan [[næppe ]]udskrives i morgen.
negation | Hunden er [[aldri ]]farlig for barn.
negation | Yhtiö [[ei ole ]]rikkonut sopimusta.
negation | Obat ini [[tidak boleh ]]diberikan kepada anak-anak.
negation | وزیر [[انکار کرد که ]]این قرارداد را امضا کرده است.
negation | החברה [[לא ]]הפרה את ההסכם.
part of a sentence | Лекарството [[не ]]причинява алергия.
negation | Tvrtka [[nije ]]prekršila ugovor.
part of a sentence | Le programme n'exécute [[que ]]les commandes du dossier.
part of a sentence | Le soir, elle ne mange [[que ]]du pain avec sa sœur.
negation | L'empresa [[no ]]ha incomplert el contracte.
""")


class TestSplitAtEllipses:
    @pytest.mark.parametrize("ellipsis", ELLIPSES)
    def test_gives_the_segments(self, ellipsis: str) -> None:
        assert split_at_ellipses(f"The drug{ellipsis}was safe") == ["The drug", "was safe"]

    @pytest.mark.parametrize("ellipsis", ELLIPSES)
    def test_leaves_blank_segments_out(self, ellipsis: str) -> None:
        assert split_at_ellipses(f"{ellipsis}The drug{ellipsis}") == ["The drug"]

    @pytest.mark.parametrize(
        "quote", ["The drug. Was safe", "a..b", "1.5.2", "e.g. this", "[the] drug"]
    )
    def test_sees_none(self, quote: str) -> None:
        assert split_at_ellipses(quote) == [quote]

    @pytest.mark.parametrize("quote", ["", "...", " … ", "?!…"])
    def test_of_no_words(self, quote: str) -> None:
        assert split_at_ellipses(quote) == []


def hidden_in(text: str) -> Edit | None:
    before, gap, after = re.split(r"\[\[|\]\]", text)
    return find_hidden(before + gap + after, len(before), len(before + gap))


class TestSwallowed:
    @each_row("text", [text for (text,) in HARMLESS])
    def test_nothing(self, text: str) -> None:
        assert hidden_in(text) is None

    def test_nothing_of_many_sentences(self) -> None:
        assert hidden_in(f"It rained.[[{' It poured. No.' * 400}]] It was May.") is None

    @each_row("reason, text", HIDDEN)
    def test_something(self, reason: str, text: str) -> None:
        edit = hidden_in(text)
        assert edit is not None
        assert (edit.material, edit.operation, edit.quoted) == (True, "delete", "")
        assert edit.reason == reason
        assert edit.source


@pytest.mark.parametrize(
    "ellipsis", ["...", "…", "……", "⋯", "[…]", "・・・", "（前略）", "(以下略)", "‥"]
)
@each_row("text, words", OPEN)
def test_an_ellipsis_at_an_end_omits_nothing(text: str, words: str, ellipsis: str) -> None:
    for quote in (f"{ellipsis}{words}", f"{words}{ellipsis}", f"{ellipsis}{words}{ellipsis}"):
        match = accepted(quote, text)
        assert match is not None
        assert [text[span.start : span.end] for span in match.spans] == [words]


# A sentence, and a quote that has lost its denial.
DENIED = rows(r"""
Per questo motivo non si devono usare guanti di lana.|si devono usare guanti di lana
Dieser Hook wird nicht vor jedem Bau des Pakets aufgerufen.|Dieser Hook wird ... vor jedem Bau
Les gants ne doivent jamais être portés à la maison.|Les gants ... doivent ... être portés
Эта команда никогда не расжимает файлы.|Эта команда ... расжимает файлы
Die opdracht verwijdert geen bestanden van de schijf.|bestanden van de schijf
The command does not erase the files on the disk.|The command does ... erase the files
""")
AROUND = [
    "The size of the key depends on the password which is selected. It is now recommended. ",
    "Die Sicherheit hängt von der Stärke des Verfahrens ab. Neuere werden jetzt empfohlen. ",
]


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("border", [" ", "\n\n"])
@each_row("text, quote", DENIED)
def test_a_denial_counts_in_a_text_of_two_languages(
    text: str, quote: str, around: str, border: str
) -> None:
    assert accepted(quote, f"{around * 4}{border}{text}{border}{around * 4}") is None
