"""What each rule of `contrasts` finds, and what it lets pass."""

import pytest

from citeguard.facts import ContrastKind, contrasts

Row = tuple[str, str, str, ContrastKind]

FOUND: list[Row] = [
    ("not", "The drug was not approved.", "The drug was approved in May.", "negation"),
    ("no-longer", "The shop is no longer open.", "The shop is open.", "negation"),
    ("never", "Ann never met Bob in Rome.", "Ann met Bob in Rome.", "negation"),
    ("fail", "The firm failed to pay the fine.", "The firm paid the fine.", "negation"),
    ("neither", "Neither Ann nor Bob came to Rome.", "Ann came to Rome.", "negation"),
    ("prefix", "The claim was unproven.", "The claim was proven.", "negation"),
    ("count", "The fire killed 30 people.", "The fire killed 13 people.", "number"),
    ("word", "The fire killed thirty people.", "The fire killed 13 people.", "number"),
    ("unit", "The dose was 5 g a day.", "The dose was 5 mg a day.", "number"),
    ("currency", "The deal cost €5 million.", "The deal cost $5 million.", "number"),
    ("percent", "Sales rose by 12%.", "Sales rose by 15 per cent.", "number"),
    ("sign", "It was −5 °C at noon.", "It was 5 °C at noon.", "number"),
    ("bound", "It holds at least 20 litres.", "It holds at most 20 litres.", "number"),
    ("range", "It takes 5 to 10 days.", "It takes 5 to 12 days.", "number"),
    ("share", "A third of the voters stayed away.", "Half of the voters stayed away.", "number"),
    ("year", "The bridge opened in 1969.", "The bridge opened in 1996.", "number"),
    ("day", "It opened on 3 May 2019.", "It opened on 13 May 2019.", "number"),
    ("month", "It opened in May 2019.", "It opened on 3 June 2019.", "number"),
    ("times", "Sales doubled in May.", "Sales tripled in May.", "number"),
    ("by-and-to", "Sales rose by 12% in May.", "Sales rose to 12% in May.", "number"),
    ("up-to", "The van holds up to nine people.", "The van holds up to four people.", "number"),
    ("ordinal", "He was the first mayor of Selby.", "He was the third mayor of Selby.", "number"),
    ("decimals", "The parcel weighs 5.14 kg.", "The parcel weighs 5.68 kg.", "number"),
    ("label", "Use Form 730 for this.", "Use Form 731 for this.", "number"),
    ("half", "Half of the voters came.", "30% of the voters came.", "number"),
    ("score", "Leeds won 4–1 in Rome.", "Leeds won 1–4 in Rome.", "number"),
    ("negative", "The balance is -40.", "The balance is 40.", "number"),
    ("dollars", "It costs A$5 million.", "It costs NZ$5 million.", "number"),
    ("version", "Section 4.1 applies.", "Section 4.10 applies.", "number"),
    ("rebound", "Entry is £4 for adults and £9 for students.",
     "Entry is £9 for adults and £4 for students.", "number"),
    ("name", "It was built by Ann Lee in Rome.", "It was built by Bob Ford in Rome.", "name"),
    ("first-name", "Hillary Clinton spoke in Boston.", "Bill Clinton spoke in Boston.", "name"),
    ("unknown", "The old house in Selby was sold.", "The old house was sold.", "name"),
    ("opposite", "Prices rose sharply in May.", "Prices fell sharply in May.", "opposite"),
    ("class", "The car was red and fast.", "The car was blue and fast.", "exclusive"),
    ("letter", "Plan A was cheaper than Plan B.", "Plan B was cheaper than Plan A.", "roles"),
    ("than", "Zinc is cheaper than tin.", "Tin is cheaper than zinc.", "roles"),
    ("all", "All guests left early.", "Some guests left early.", "quantity"),
    ("generic", "Banks charge fees for transfers.", "Certain banks charge fees for transfers.",
     "quantity"),
    ("none", "No guests left early.", "Many guests left early.", "quantity"),
    ("only", "Only nurses may enter.", "Nurses may enter.", "quantity"),
    ("both", "Both doors are locked.", "Either of the doors is locked.", "quantity"),
    ("must", "Staff must wear a badge.", "Staff may wear a badge.", "modality"),
    ("have-to", "Staff have to wear a badge.", "Staff may wear a badge.", "modality"),
    ("planned", "The city built a new bridge.", "The city planned to build a new bridge.",
     "modality"),
    ("accused", "He stole the money from the fund.",
     "He was accused of stealing the money from the fund.", "modality"),
    ("unless", "The alarm rings at night.", "The alarm rings at night unless it is off.",
     "modality"),
    ("said", "The bridge is unsafe.", "Engineers warned that the bridge is unsafe.", "modality"),
    ("only-some", "Every guest may use the sauna.", "Only members may use the sauna.",
     "quantity"),
    ("only-some-anyone", "Anyone can book the hall.", "Only residents can book the hall.",
     "quantity"),
    ("spoken-beside", "The tonic cures colds in most adults.",
     '"The tonic cures colds in most adults," claimed Ms Roe. A trial of adults found no cures.',
     "modality"),
    ("said-after", "The bridge is unsafe.", "The bridge is unsafe, an engineer said.", "modality"),
    ("according", "The bridge is unsafe.", "According to an engineer, the bridge is unsafe.",
     "modality"),
    ("omitted-if", "The firm will pay a bonus.", "If profits rise, the firm will pay a bonus.",
     "modality"),
    ("omitted-only", "The shop sells bread.", "The shop sells bread exclusively to members.",
     "modality"),
    ("if", "The bell rings unless the door is open.", "The bell rings if the door is open.",
     "modality"),
    ("before", "The ferries ran before the flights resumed.",
     "The ferries ran after the flights resumed.", "modality"),
    ("roles", "The nurse thanked the doctor.", "The doctor thanked the nurse.", "roles"),
    ("passive-of-countries", "Italy was defeated by Spain.", "Italy defeated Spain.", "roles"),
    ("passive-of-names", "Sally was sued by Emily.", "Sally sued Emily.", "roles"),
    ("nouns-in-ly", "The family sued the ally.", "The family was sued by the ally.", "roles"),
    ("adverb", "Tom quickly hit Bill.", "Tom was quickly hit by Bill.", "roles"),
    ("passive", "The city was attacked by the rebels.", "The city attacked the rebels.",
     "roles"),
    ("named-roles", "Leeds beat York in the final.", "York beat Leeds in the final.", "roles"),
]  # fmt: skip

NOT_FOUND = [
    ("drop", "The change was -3%.", "It dropped 3%."),
    ("dash", "It takes 2-3 days.", "It takes 2 to 3 days."),
    ("scores", "They won 3-2.", "They won 3-2 after losing 2-3."),
    ("zero", "It weighs 2.1 kg.", "It weighs 2.10 kg."),
    ("us-dollars", "It costs US$5.", "It costs $5."),
    ("arrived", "Doctors arrived at noon.", "Some doctors arrived at noon."),
    ("both-said", "The bridge is unsafe, they said.", "They said that the bridge is unsafe."),
    ("said-else", "It is unsafe.", "It is unsafe. Engineers said it would be closed."),
    ("if-in-both", "If profits rise, the firm pays.", "The firm pays provided profits rise."),
    ("the-only", "The library opens at nine.", "The library, the only one in town, opens at nine."),
    ("same", "The drug was approved.", "The drug was approved in May."),
    ("two-denials", "The claim was not unproven.", "The claim was proven."),
    ("not-only", "It is not only cheap but fast.", "It is cheap and fast."),
    ("no-doubt", "There is no doubt that it works.", "It works."),
    ("whether", "He asked whether or not it was open.", "He asked whether it was open."),
    ("object", "The study did not find any evidence.", "The study found no evidence."),
    ("digits", "The fire killed thirteen people.", "The fire killed 13 people."),
    ("refuses", "The firm refused to pay the fine.", "The firm did not pay the fine."),
    ("hardly", "He hardly ever came to Rome.", "He seldom came to Rome."),
    ("no-one", "No one knows the way.", "Nobody knows the way."),
    ("rounded-large", "It cost $4.9 million.", "It cost $4,912,000."),
    ("or", "It has four or six doors.", "It has six doors."),
    ("other-label", "Form 730 is short.", "The form has 12 pages."),
    ("must-not", "Staff must not smoke.", "Staff may not smoke."),
    ("separators", "It cost 1.250.000 euros.", "It cost €1,250,000."),
    ("rounded", "It has about 20,000 seats.", "It has 20,400 seats."),
    ("converted", "The hike is 5 km long.", "The hike is 5,000 metres long."),
    ("hours", "It took two days.", "It took 48 hours."),
    ("bounded", "It has over 500 rooms.", "It has 620 rooms."),
    ("within", "It takes 7 days.", "It takes 5 to 10 days."),
    ("half", "Half of the members left.", "50% of the members left."),
    ("one-in", "One in five voters stayed away.", "20% of voters stayed away."),
    ("date-forms", "It opened on May 3rd, 2019.", "It opened on 3 May 2019."),
    ("less-precise", "It opened in 2019.", "It opened on 3 May 2019."),
    ("decade", "It opened in the 1990s.", "It opened in 1996."),
    ("loss", "The loss was −5 million dollars.", "The firm had a loss of 5 million dollars."),
    ("short-name", "Bill Gates spoke.", "William Gates spoke."),
    ("accent", "Noel Ford sang in Rome.", "Noël Ford sang in Rome."),
    ("acronym", "The BBC reported it.", "The British Broadcasting Corporation reported it."),
    ("country", "A French firm bought it.", "A firm from France bought it."),
    ("same-group", "Prices rose in May.", "Prices climbed in May."),
    ("converse", "Ann is older than Bob.", "Bob is younger than Ann."),
    ("not-opposite", "The price is not high.", "The price is low."),
    ("fewer", "Some guests left early.", "All guests left early."),
    ("both-may", "Staff may wear a badge.", "Staff may wear a badge at work."),
    ("both-planned", "The city plans a new bridge.", "The city planned to build a new bridge."),
    ("month-may", "The bridge opened in May.", "In May the bridge opened."),
    ("noun", "A month is the period of notice.", "The notice period is one month."),
    ("symmetric", "Ann married Bob in Selby.", "Bob married Ann in Selby."),
    ("active", "The rebels attacked the city.", "The city was attacked by the rebels."),
    ("chinese", "苹果不好吃。", "苹果不好吃，但是便宜。"),
]


@pytest.mark.parametrize(
    ("statement", "passage", "kind"), [row[1:] for row in FOUND], ids=[row[0] for row in FOUND]
)
def test_difference_is_found(statement: str, passage: str, kind: ContrastKind) -> None:
    assert kind in {found.kind for found in contrasts(statement, passage)}


@pytest.mark.parametrize(
    ("statement", "passage"),
    [row[1:] for row in NOT_FOUND],
    ids=[row[0] for row in NOT_FOUND],
)
def test_same_fact_is_no_difference(statement: str, passage: str) -> None:
    assert contrasts(statement, passage) == ()


class TestShownWords:
    @pytest.mark.parametrize(
        ("statement", "passage", "stated", "found"),
        [
            ("It cost $5 million.", "It cost $8 million.", "5 million", "8 million"),
            ("The dose was 5 g a day.", "The dose was 5 mg a day.", "5 g", "5 mg"),
            ("It holds at least 20 litres.", "It holds up to 20 litres.",
             "at least 20 litres", "up to 20 litres"),
            ("It opened on 3 May 2019.", "It opened on 13 May 2019.", "3 May 2019", "13 May 2019"),
        ],
        ids=["value", "unit", "bound", "date"],
    )  # fmt: skip
    def test_of_numbers(self, statement: str, passage: str, stated: str, found: str) -> None:
        (each,) = contrasts(statement, passage)
        assert (each.stated, each.found) == (stated, found)

    def test_of_a_denial_with_its_negator(self) -> None:
        (each,) = contrasts("The drug was not approved.", "The drug was approved.")
        assert (each.stated, each.found) == ("not approved", "approved")


class TestIdeographs:
    @pytest.mark.parametrize(
        ("statement", "passage"),
        [
            ("该药物没有批准上市。", "该药物批准上市。"),
            ("この薬は承認されなかった。", "この薬は承認された。"),
        ],
        ids=["chinese", "japanese"],
    )
    def test_denied_in_one_text(self, statement: str, passage: str) -> None:
        for one, other in ((statement, passage), (passage, statement)):
            assert [found.kind for found in contrasts(one, other)] == ["negation"]

    @pytest.mark.parametrize(
        ("statement", "passage"),
        [("他非常高兴。", "他高兴。"), ("それは可能かもしれない。", "それは可能だ。")],
        ids=["very", "may-be"],
    )
    def test_words_that_only_look_like_denials(self, statement: str, passage: str) -> None:
        assert contrasts(statement, passage) == ()
