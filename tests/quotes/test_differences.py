"""The difference guard: what it lets pass, what it rejects, and why."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.quotes.differences import Edit, compare
from quotes.tables import accepted, rows
from rows import each_row

DRUG = "The drug isn’t approved in the United States, but 25 million doses were sold for $1,250.50."

# (the quote, the source's words): the same text, whatever the typography.
NO_EDIT = rows(r"""
The drug | The drug
the drug was safe | The drug was safe
THE DRUG WAS SAFE | The drug was safe
The Drug Was Safe | The drug was safe
it's "safe" | it’s “safe”
safe - so far | safe—so far
Settings > Display | Settings › Display
safe ... so far | safe … so far
safe and sound | safe\n   and\u00a0sound
developed | deve-\nloped
developed | deve\u00adloped
final office | ﬁnal oﬃce
café | cafe\u0301
AT&T | AT&amp;T
bold words | **bold** <b>words</b>
the page | [the page](https://example.org/x)
1,250 doses | 1250 doses
from -5 to 5 | from −5 to 5
pages 10-20 | pages 10–20
safe, or so | safe; or so
full 12 | ｆｕｌｌ １２
東京 は | 東京は
salt & pepper | salt and pepper
[he] was safe | he was safe
""")
HARMLESS = rows(r"""
citation mark | was safe here | was safe [12] here
citation mark | was safe here | was safe (Smith et al., 2019) here
citation mark | was safe. | was safe.³
citation mark | was safe【4:2†source】here | was safe here
citation mark | was safe [1] here | was safe here
editorial bracket | [Smith] was safe and well | he was safe and well
editorial bracket | he [Smith] was safe and well | he was safe and well
spelling | we recieve the answer | we receive the answer
spelling | we receive the answer | we recieve the answer
spelling | the goverment of the day | the government of the day
spacing | has been developed | has been deve loped
spacing | chaque clé a au moins 2048 bits | chaquecléaaumoins2048bits
spacing | as θ₁ = θ₀ + ρ g(θ₀). | as θ1 = θ0 + ρg(θ0).
markup | with ∇_θ f | with ∇θ f
spacing | of the time | ofthe time
accent | the naive view of it | the naïve view of it
accent | the café in the town | the cafe in the town
page furniture | most of its soldiers | most of\n\n12\nAnnual Report\n\nits soldiers
item number | It rained. It fell. | It rained.\n2. It fell.
spacing | [t]he old mill | the old mill
spelling | pages 10-20 of it | pages 10\ufffd20 of it
garbled | it was so | it was \ufffd so
accent | Le rapport que l'Etat a rendu | Le rapport que l’État a rendu
accent | E' vietato fumare nei locali | È vietato fumare nei locali
accent | non è mai la stessa di prima | non e’ mai la stessa di prima
accent | Старый замок стоит на горе | Старый за́мок стоит на горе
accent | قال أحمد | قال احمد
accent | اداره میراث فرهنگی | ادارهٔ میراث فرهنگی
spacing | 하루에 4만2천원입니다 | 하루에 4만 2천원입니다
accent | die STRASSE war | die Straße war
accent | the naive view of it | the na¨ıve view of it
spelling | on the mat | on the m\ufffdt
""")
MATERIAL = rows(r"""
negation | The drug was approved | The drug was not approved
negation | The drug was not approved | The drug was approved
negation | The drug is safe | The drug isn’t safe
negation | The drug is safe | The drug isn't safe
negation | It isn't so | It is so
negation | It can be so | It cannot be so
negation | It was so | It was never so
negation | there is reason | there is no reason
negation | with delay | without delay
negation | either of them | neither of them
negation | It is lawful now | It is unlawful now
negation | It is possible now | It is impossible now
negation | a fatal case | a non-fatal case
negation | There is hardly any | There is any
negation | 这是真的 | 这不是真的
word | 承認された | 承認されなかった
negation | Das ist wahr | Das ist nicht wahr
negation | keine Frage war offen | eine Frage war offen
negation | هذا صحيح | هذا ليس صحيح
number | in 2018 it fell | in 2019 it fell
number | sold 1,260 of them | sold 1,250 of them
number | sold 500 mg of it | sold 50 mg of it
number | it rose 15 points | it rose 1.5 points
number | it rose five points | it rose six points
number | 25 million doses | 25 billion doses
number | 25 doses | 25 million doses
sign or unit | a loss of 5 | a loss of -5
sign or unit | a loss of 5 million | a loss of (5) million
number | a win by 32 there | a win by 3–2 there
sign or unit | for $25 each | for €25 each
sign or unit | for 25 each | for $25 each
sign or unit | by 25 more | by 25% more
unit | 50 g of it | 50 mg of it
unit | 5 m wide | 5 µm wide
number | x2 plus y | x² plus y
number | 106 cells | 10⁶ cells
number | 52 cells | 5₂ cells
number | 5 2 cells | 5₂ cells
number | 5₂ cells | 52 cells
number | log28 there | log₂8 there
number | see 51 there | see 5① there
case | 5 MW of power | 5 mW of power
sign or unit | p > 0.05 here | p < 0.05 here
sign or unit | the f(x) g(x) rest | the f(x) - g(x) rest
number | on 12 March 2019 | on 13 March 2019
date | on 12 March 2019 | on 12 April 2019
number | on 1 1 2019 | on 11 2019
name | said Mr Jones today | said Mr Smith today
name | said Mr Smyth today | said Mr Smith today
name | in the United Kingdom | in the United States
qualifier | all patients recovered | some patients recovered
qualifier | fewer than before | more than before
qualifier | it will help them | it may help them
qualifier | men recovered | only men recovered
qualifier | the thief fled | the alleged thief fled
qualifier | 25 were there | about 25 were there
qualifier | 25 were there | up to 25 were there
qualifier | it falls when it rains | it falls if it rains
qualifier | sales went down again | sales went up again
word | the contract was lost | the contact was lost
citation mark | (7) Everybody is free | (2) Everybody is free
citation mark | 3. Everybody is free | 2. Everybody is free
word | pip install recap[extras] | pip install recap[other]
word | they were [un]blind to it | they were blind to it
word | 保証の対象にな[ります] | 保証の対象になりません
number | The dose is ⅓ mg | The dose is ½ mg
word | they took the maleate | they took the malate
word | the trail went on | the trial went on
word | a casual link to it | a causal link to it
word | he said it was big | he said it was very big
word | he said it was very big | he said it was big
word | dogs bite men | men bite dogs
word | the dog barked | the dogs barked
word | it works | it worked
word | hypotension was seen | hypertension was seen
word | 用于儿童 | 用于成人
case | they told us so | they told US so
case | they told us so | they told U.S. so
spacing | it was a typical case | it was atypical case
spacing | it is in appropriate use | it is inappropriate use
case | it weighed 5 Mg then | it weighed 5 mg then
sign or unit | by 5 it rose | by 5\ufffd it rose
sign or unit | a dose of 5 mg | a dose of ·5 mg
sign or unit | a dose of 5 mg | a dose of ,5 mg
sign or unit | it fell to 5 °C | it fell to ˗5 °C
sign or unit | it fell to 5 °C | it fell to ➖5 °C
case | in may they met | in May they met
accent | Er wurde gehen | Er würde gehen
accent | E vietato fumare nei locali | È vietato fumare nei locali
accent | Старый замо́к стоит на горе | Старый за́мок стоит на горе
accent | Le rapport de l'etat de la ville | Le rapport de l’état de la ville
accent | in Massen | in Maßen
spacing | an every day thing | an everyday thing
spacing | the well being of all | the wellbeing of all
accent | we resume the work | we résumé the work
accent | it was safe here | it was s\u0336a\u0336f\u0336e\u0336 here
sign or unit | it was safe here | it was 🅽🅾🆃 safe here
citation mark | see [3] there | see [2] there
citation mark | was safe (Smith 2019) here | was safe here
case | the option `-v` prints more | the option `-V` prints more
sign or unit | Aspirin† was safe here | Aspirin‡ was safe here
sign or unit | the p* value | the p value
sign or unit | a cell \x7c Bo Ed \x7c 3 | a cell \x7c Bo \x7c Ed \x7c 3
negation | [not] safe at all | safe at all
number | it was [25 times] safe | it was safe
name | [Smith] was safe | Jones was safe
""")


def judge(quote: str, source: str) -> tuple[Edit, ...]:
    return compare(quote, source, 0, len(source))


class TestCompare:
    @each_row("quote, source", NO_EDIT)
    def test_sees_no_edit_either_way(self, quote: str, source: str) -> None:
        assert judge(quote, source) == judge(source, quote) == ()

    @each_row("reason, quote, source", HARMLESS)
    def test_lets_pass(self, reason: str, quote: str, source: str) -> None:
        edits = judge(quote, source)
        assert [edit.reason for edit in edits] == [reason]
        assert not any(edit.material for edit in edits)

    @each_row("reason, quote, source", MATERIAL)
    def test_rejects(self, reason: str, quote: str, source: str) -> None:
        assert {edit.reason for edit in judge(quote, source) if edit.material} == {reason}

    @settings(derandomize=True)
    @given(text=st.text(max_size=60))
    def test_sees_no_edit_in_any_verbatim_text(self, text: str) -> None:
        assert judge(text, text) == ()

    @settings(derandomize=True)
    @given(quote=st.text(max_size=40), source=st.text(max_size=40))
    def test_names_words_of_either_side(self, quote: str, source: str) -> None:
        for edit in judge(quote, source):
            if edit.reason != "citation mark":
                assert edit.quoted in quote
                assert edit.source in source
            assert (edit.operation == "insert") == (not edit.source)
            assert (edit.operation == "delete") == (not edit.quoted)


class TestEdits:
    @pytest.mark.parametrize(
        ("quote", "expected"),
        [
            pytest.param(
                DRUG.replace("isn’t", "is"), [("replace", "is", "isn’t", "negation")], id="replaced"
            ),
            pytest.param(
                DRUG.replace("were sold", "were quickly sold"),
                [("insert", "quickly", "", "word")],
                id="added",
            ),
            pytest.param(
                DRUG.replace("million ", ""), [("delete", "", "million", "number")], id="left out"
            ),
            pytest.param(
                DRUG.replace("$1,250.50", "$1,260.50"),
                [("replace", "1,260.50", "1,250.50", "number")],
                id="number",
            ),
            pytest.param(
                DRUG.replace("The drug", "The pill").replace("25 ", "26 "),
                [("replace", "pill", "drug", "word"), ("replace", "26", "25", "number")],
                id="two, in order",
            ),
        ],
    )
    def test_by_hand(self, quote: str, expected: list[tuple[str, ...]]) -> None:
        edits = judge(quote, DRUG)
        assert [(e.operation, e.quoted, e.source, e.reason) for e in edits] == expected
        assert all(edit.material for edit in edits)

    def test_name_the_words_of_the_passage_in_its_text(self) -> None:
        text = "Before. The drug was not approved. After."
        (edit,) = compare("The drug was approved", text, 8, 33)
        assert edit.source == "not"


class TestWords:
    """A spelling that the source itself uses is a word, whatever the lists say."""

    def test_of_the_source_are_no_slips(self) -> None:
        text = "The frobnicate is not the frobnicale. The frobnicale of the frobnicate was there."
        edits = compare("The frobnicale is", text, 0, 17)
        assert [edit.material for edit in edits] == [True]

    def test_seen_once_may_be_one(self) -> None:
        text = "We could not recieve the answer of the court."
        (edit,) = compare("could not receive the answer of the court", text, 3, 44)
        assert (edit.material, edit.reason) == (False, "spelling")


@each_row(
    ("quote", "text"),
    [
        ("(7) Everybody is free.", "(1) Nobody is.\n(2) Everybody is free."),
        ("3. Everybody is free.", "1. Nobody is.\n2. Everybody is free."),
        ("3. Everybody is free.", "So: 1. Nobody is. 2. Everybody is free."),
        ("3. Everybody is free.", "1. Nobody is.\n\n**2. Everybody is free.**"),
        ("3. Everybody is free.", "1. Nobody is. <b>2.</b> Everybody is free."),
        ("10. November 1989 fiel die Mauer.", "Am 9. November 1989 fiel die Mauer."),
        ("10. November 1989 fiel die Mauer.", "Im November 1989 fiel die Mauer."),
        ('pip install "recap[other]"', '```\npip install "recap[transcription]"\n```'),
        ("at [https://a.org/you](https://a.org/b)", "at [https://a.org/b](https://a.org/b)"),
    ],
)
def test_a_number_of_an_item_and_a_name_in_code_may_not_be_exchanged(quote: str, text: str) -> None:
    assert accepted(quote, text) is None
