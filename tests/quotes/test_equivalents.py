"""What means the same by construction is accepted, what nearly does is not, both ways."""

import pytest

from citeguard import FuzzyQuote, Policy, Sources, locate
from citeguard.language.tokens import tokenize
from citeguard.quotes.equivalents import may_vary, us_spelling
from citeguard.quotes.find import Grade
from citeguard.sources.matches import Match
from rows import each_row

EQUIVALENT = [
    ("It doesn't matter to them", "It does not matter to them"),
    ("They won’t come back before noon", "They will not come back before noon"),
    ("You shouldn't've opened the box", "You should not have opened the box"),
    ("The minister can't attend the meeting", "The minister cannot attend the meeting"),
    ("DON'T PANIC IN THE TUNNEL", "DO NOT PANIC IN THE TUNNEL"),
    ("It isn't clear where it went", "It's not clear where it went"),
    ("There's been a leak in the tank", "There has been a leak in the tank"),
    ("I'd like to thank the committee", "I would like to thank the committee"),
    ("By noon she'd written three letters", "By noon she had written three letters"),
    ("We'd better leave before the storm", "We had better leave before the storm"),
    ("Let's begin with the simplest case", "Let us begin with the simplest case"),
    ("I'm sure that's what they've seen", "I am sure that is what they have seen"),
    ("The colour of the centre is grey", "The color of the center is gray"),
    ("They organise and analyse the catalogue", "They organize and analyze the catalog"),
    ("Skilful travellers were labelled", "Skillful travelers were labeled"),
    ("The paediatric anaesthetist knew", "The pediatric anesthetist knew"),
    ("He manoeuvred through the mould", "He maneuvered through the mold"),
    ("It took twelve days to finish", "It took 12 days to finish"),
    ("Twenty-one people signed it", "21 people signed it"),
    ("About two hundred families left", "About 200 families left"),
    ("It cost two million dollars", "It cost 2,000,000 dollars"),
    ("The $1.2bn deal was signed", "The $1.2 billion deal was signed"),
    ("It fell by one percent in a year", "It fell by 1% in a year"),
    ("He was the 2nd man on the moon", "He was the second man on the moon"),
    ("Some 12.5 % were women", "Some 12.5 per cent were women"),
    ("The rate is five percent.", "The rate is 5 %."),
    ("Environ 40 pour cent des voix", "Environ 40 % des voix"),
    ("45パーセントの人々が賛成した", "45%の人々が賛成した"),
    ("It was signed on 7 June 1929", "It was signed on June 7, 1929"),
    ("It was signed on the 7th of June 1929", "It was signed on 7 June 1929"),
    ("Sales in Jan 2018 were poor", "Sales in January 2018 were poor"),
    ("The city has 2 161 000 people", "The city has 2,161,000 people"),
    ("The level of TNF-alpha rose", "The level of TNF-α rose"),
    ("It binds kappa B in the cell", "It binds κB in the cell"),
    ("It binds NF-kappaB in the cell", "It binds NF-κB in the cell"),
    ("The level of TNFalpha rose", "The level of TNFα rose"),
    ("The level of TGFbeta1 rose", "The level of TGF-β1 rose"),
    ("The DeltaNp63 level rose", "The ΔNp63 level rose"),
    ("The alpha-beta complex is bound", "The α-β complex is bound"),
    ("The beta- and gamma-chains rose", "The β- and γ-chains rose"),
    ("Each pi-helix and tau protein", "Each π-helix and τ protein"),
    ("Each omega-3 fatty acid fell", "Each ω-3 fatty acid fell"),
    ("Turn it by 45 degrees to the left", "Turn it by 45° to the left"),
    ("Der Umsatz von 1.250.000 Euro", "Der Umsatz von 1’250’000 Euro"),
    ("Der Preis betrug 1.250,50 Euro", "Der Preis betrug 1250,50 Euro"),
    ("The flat has 250 m² of space", "The flat has 250 m2 of space"),
    ("Hij betaalde 1,5 miljoen EUR", "Hij betaalde 1,5 miljoen €"),
    ("The slit is 10 um wide in both", "The slit is 10 μm wide in both"),
    ("The doors open at 7:30 p.m. today", "The doors open at 7.30 p.m. today"),
]
DIFFERENT = [
    ("The level of TNF-alpha rose", "The level of TNF-β rose"),
    ("The level of TNFalpha rose", "The level of TNFβ rose"),
    ("The alpha beta value fell", "The α-β value fell"),
    ("The value α(β+γ) fell in it", "The value α-(β+γ) fell in it"),
    ("They saw 5 meV in the cell", "They saw 5 MeV in the cell"),
    ("They saw 7 ms in the cell", "They saw 7 mS in the cell"),
    ("They took 7 ms in the cell", "They took 7 Ms in the cell"),
    ("The file has 63 Kb in it", "The file has 63 KB in it"),
    ("its plan was good for all", "it's plan was good for all"),
    ("We were late for the train", "We're late for the train"),
    ("The dogs bark at night here", "The dog's bark at night here"),
    ("John's here for the day", "John is here for the day"),
    ("It has changed since the war", "It is changed since the war"),
    ("It isn't changed by the war", "It hasn't changed by the war"),
    ("It's a large garden behind it", "It has a large garden behind it"),
    ("He'd gone to the city", "He would gone to the city"),
    ("He had put the book away", "He would put the book away"),
    ("They won't leave before noon", "They will leave before noon"),
    ("They won't leave before noon", "They wouldn't leave before noon"),
    ("He wont to walk in the woods", "He won't to walk in the woods"),
    ("Die Maße sind bekannt dort", "Die Masse sind bekannt dort"),
    ("Er wurde dort gut bezahlt", "Er würde dort gut bezahlt"),
    ("They practise law in the city", "They practice law in the city"),
    ("The meter was broken again", "The metre was broken again"),
    ("Mr Grey left the room in tears", "Mr Gray left the room in tears"),
    ("They prise open the boxes", "They prize open the boxes"),
    ("There were seven judges there", "There were 17 judges there"),
    ("One of them left the room", "1 of them left the room"),
    ("It cost 2.5 million dollars", "It cost 2,500 million dollars"),
    ("It was 5.0 million in the end", "It was 5 million in the end"),
    ("A dozen people were at the door", "12 people were at the door"),
    ("It grew by 5 percent in a year", "It grew by 5 percentage points in a year"),
    ("It was signed on 3/4/2019", "It was signed on 4/3/2019"),
    ("It was signed on 3/4/2019", "It was signed on 3 April 2019"),
    ("It was signed on 7 June 1929", "It was signed on 6 July 1929"),
    ("It is dated 2021-11-30", "It is dated 2021-11-03"),
    ("The price is 1.250 dollars a kilo", "The price is 1250 dollars a kilo"),
    ("Der Preis ist mit 1.250 Euro hoch", "Der Preis ist mit 1,250 Euro hoch"),
    ("The tank holds 250 m³ of oil", "The tank holds 250 m2 of oil"),
    ("The rate was 7:30 in the cell", "The rate was 7.30 in the cell"),
    ("The tank holds 3.000 litres", "The tank holds 3000 litres"),
    ("The drug is given at 10 um", "The drug is given at 10 mm"),
    ("It was 5 us later in the cell", "It was 5 ms later in the cell"),
    ("The value of x² is high", "The value of x2 is high"),
    ("Version 1.2.3 was released then", "Version 12.3 was released then"),
]
SAME = [
    ("It was 5 +- 0.1 in the cell", "It was 5 ± 0.1 in the cell"),
    ("Mulţi oameni au plecat", "Mulți oameni au plecat"),
    ("Thuỷ điện và hoà bình", "Thủy điện và hòa bình"),
    ("بلغت الزيادة ١٢٪ في السنة", "بلغت الزيادة 12% في السنة"),
    ("لقد ارتفع بنسبة ٢٥٪", "لقد ارتفع بنسبة 25%"),
    ("بلغ السعر ٣٫٥ دولار", "بلغ السعر 3.5 دولار"),
    ("İZMİR'DE IŞIKLAR SÖNDÜ", "İzmir'de ışıklar söndü"),
    ("ΤΟ ΚΟΙΝΟΒΟΥΛΙΟ ΨΗΦΙΣΕ ΝΟΜΟΥΣ", "Το κοινοβούλιο ψήφισε νόμους"),
    ("УКРАЇНА ЗДОБУЛА НЕЗАЛЕЖНІСТЬ", "Україна здобула незалежність"),
    ("Bis zu mässiger Hitze, dass es reicht", "Bis zu mäßiger Hitze, daß es reicht"),
    ("A conserver au frais pour la nuit", "À conserver au frais pour la nuit"),
    ("A todos, el 1° de mayo y no antes", "A todos, el 1º de mayo y no antes"),
    ("Не выше 80 °C в течение суток", "Не выше 80 °С в течение суток"),
    ("GROSSE STRASSEN SIND BREIT", "Große Straßen sind breit"),
    ("The file has 63 KB in it", "The file has 63 kB in it"),
]
OTHER_LETTERS = [
    ("sık giden insanlar geldi", "sik giden insanlar geldi"),
    ("DIŞ TİCARET ARTTI BU YIL", "Diş ticaret arttı bu yıl"),
    ("Use tar -x to unpack the files.", "Use tar -X to unpack the files."),
    ("The form is {0:x} for numbers.", "The form is {0:X} for numbers."),
    ("El llegó a casa por la noche", "Él llegó a casa por la noche"),
    ("Il a été là pour la nuit", "Il à été là pour la nuit"),
    ("Πότε ήρθε στην πόλη ο ίδιος", "Ποτέ ήρθε στην πόλη ο ίδιος"),
    ("que evalúe el plan de hoy", "que evalué el plan de hoy"),
    ("Ông ấy là người hoa lạ", "Ông ấy là người hoà lạ"),
]


# Long enough that approximate search finds what is written in another way.
FRAME = "So they said in the town and in the whole country at that time: {}"


def found(quote: str, text: str) -> Match | None:
    return locate(quote, Sources({"s": f"# I.\n\n{text}\n\n* * *"}))


def found_in_frame(quote: str, text: str) -> Match | None:
    return found(FRAME.format(quote), FRAME.format(text))


def both_ways(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [pair for one, other in pairs for pair in ((one, other), (other, one))]


class TestEquivalent:
    def test_is_accepted_with_the_words_of_the_source(self) -> None:
        for quote, text in both_ways(EQUIVALENT):
            match = found_in_frame(quote, text)
            assert match is not None, quote
            assert (match.accepted, match.grade) == (True, "equivalent"), quote
            assert match.text.rstrip(".") == FRAME.format(text).rstrip("."), quote
            assert {edit.reason for edit in match.edits} <= {"equivalent"}, quote

    @each_row(
        "quote, text",
        [
            ("Der Zuschuss beträgt 30000 Kronen", "Der Zuschuss beträgt 30.000 Kronen"),
            ("Kapılar bugün 23:30'da kapanır", "Kapılar bugün 23.30'da kapanır"),
        ],
    )
    def test_depends_on_the_decimal_sign(self, quote: str, text: str) -> None:
        match = found(quote, text)
        assert match is not None
        assert match.grade == "equivalent"
        assert not (match := found_in_frame(quote, text)) or not match.accepted

    def test_is_no_other_word(self) -> None:
        for quote, text in both_ways(DIFFERENT):
            match = found(quote, text)
            assert match is None or not match.accepted, quote

    def test_shows_each_place(self) -> None:
        match = found("It doesn't cover five colours", "It does not cover 5 colors")
        assert match is not None
        assert [(edit.quoted, edit.source) for edit in match.edits] == [
            ("doesn't", "does not"),
            ("five", "5"),
            ("colours", "colors"),
        ]

    def test_does_not_hide_a_change_beside_it(self) -> None:
        match = found("It doesn't cost five pounds", "It does not cost 6 pounds")
        assert match is not None
        assert [(edit.quoted, edit.source) for edit in match.material] == [("five", "6")]

    def test_is_the_grade_of_a_quote_in_parts(self) -> None:
        match = found("They couldn't ... leave it", "They could not, in the end, leave it")
        assert match is not None
        assert (match.accepted, match.grade, len(match.spans)) == (True, "equivalent", 2)

    @each_row(
        "quote",
        [
            pytest.param("It doesn't matter to them", id="contraction"),
            pytest.param("It does not matter to em", id="another word"),
        ],
    )
    def test_can_be_rejected(self, quote: str) -> None:
        match = found(quote, "It does not matter to them")
        assert match is not None
        assert not FuzzyQuote(equivalent=False).accepts(match)
        assert isinstance(Policy(quote=FuzzyQuote(equivalent=False)).quote, FuzzyQuote)


class TestSameLetters:
    def test_are_typography(self) -> None:
        for quote, text in both_ways(SAME):
            match = found(quote, text)
            assert match is not None, quote
            grade: Grade = "normalized"
            assert (match.accepted, match.grade) == (True, grade), quote

    def test_are_not_letters_that_look_alike(self) -> None:
        for quote, text in both_ways(OTHER_LETTERS):
            match = found(quote, text)
            assert match is None or not match.accepted, quote


class TestSpelling:
    def test_goes_both_ways(self) -> None:
        for british, american in [
            ("favourable", "favorable"),
            ("theatres", "theaters"),
            ("centred", "centered"),
            ("organisations", "organizations"),
            ("paralysed", "paralyzed"),
            ("cancelled", "canceled"),
            ("oesophagus", "esophagus"),
            ("defence", "defense"),
            ("dialogue", "dialog"),
        ]:
            assert us_spelling(british) == american

    def test_leaves_other_words(self) -> None:
        for word in "hour four advise surprise called metre poem shoes acre ox größe".split():
            assert us_spelling(word) == word


def test_tokens_keep_their_places() -> None:
    text = "They’ve 12 colours"
    (match,) = [found(text, "They have twelve colors")]
    assert match is not None
    assert match.source.text[match.span.start : match.span.end] == "They have twelve colors"
    assert [token.key for token in tokenize(text)] == ["they've", "12", "colours"]


@each_row(
    "word, varies",
    [
        *((word, True) for word in ("colour", "five", "5", "don't", "twenty-five", "%", "percent")),
        *((word, False) for word in ("laboratory", "well-known", "(visitors)")),
    ],
)
def test_whether_a_word_may_vary(word: str, varies: bool) -> None:
    assert may_vary(word) is varies
