"""Which differences of fact are found between a statement and a passage, and which are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeguard.facts import Contrast, contrasts

# Statement and passage: the one denies what the other says.
FOREIGN = [
    ("Die Frist gilt für Lehrlinge.", "Die Frist gilt nicht für Lehrlinge."),
    ("Das Museum hat einen Garten.", "Das Museum hat keinen Garten."),
    ("Le délai s’applique aux apprentis.", "Le délai ne s’applique pas aux apprentis."),
    ("El plazo se aplica a los aprendices.", "El plazo no se aplica a los aprendices."),
    ("Il termine vale per gli apprendisti.", "Il termine non vale per gli apprendisti."),
    ("O prazo se aplica aos aprendizes.", "O prazo não se aplica aos aprendizes."),
    ("De termijn geldt voor leerlingen.", "De termijn geldt niet voor leerlingen."),
    ("Срок действует для учеников.", "Срок не действует для учеников."),
    ("ينطبق الموعد على المتدربين.", "لا ينطبق الموعد على المتدربين."),
]


class TestNames:
    def test_name_tells_what_stands_in_its_place(self) -> None:
        (found,) = contrasts(
            "It was built by Ann Lee in Rome.", "It was built by Bob Ford in Rome."
        )
        assert (found.stated, found.found) == ("Ann Lee", "Bob Ford")

    def test_name_that_the_passage_lacks_has_nothing_in_its_place(self) -> None:
        (found,) = contrasts("The old house in Selby was sold.", "The old house was sold.")
        assert (found.found, found.passage_start, found.passage_end) == ("", 0, 0)


class TestOtherLanguages:
    @pytest.mark.parametrize(("statement", "passage"), FOREIGN)
    def test_a_denial_of_one_of_them_is_a_negation(self, statement: str, passage: str) -> None:
        for one, other in ((statement, passage), (passage, statement)):
            assert [found.kind for found in contrasts(one, other)] == ["negation"]

    @pytest.mark.parametrize(
        ("statement", "passage"),
        [
            ("Niemand unter 14 zahlt Eintritt.", "Eintritt zahlt niemand unter 14."),
            ("Il n’a pas vu le film.", "Il n’a pas vu le film en mai."),
        ],
    )
    def test_the_same_denial_is_none(self, statement: str, passage: str) -> None:
        assert contrasts(statement, passage) == ()


class TestEmpty:
    @pytest.mark.parametrize(("statement", "passage"), [("", ""), ("", "A dog."), ("Not.", "")])
    def test_empty_text_has_no_contrast(self, statement: str, passage: str) -> None:
        assert contrasts(statement, passage) == ()


# Units of long texts, of which each has something for the other to contradict.
UNITS = [
    ("a ", "good a "),
    ("cats and dogs ", "cats or dogs "),
    ("cats and dogs. ", "either cats or dogs. "),
    ("neither cats nor dogs ", "cats and dogs "),
    ("will open the door. ", "may open the door. "),
    ("must pay the tax. ", "should pay the tax. "),
    ("the firm paid. ", "the firm is accused of paying. "),
    ("the ship sank. ", "the ship nearly sank. "),
    ("he won. ", "he denied that he won. "),
    ("not good. ", "good. "),
    ("happy dogs ", "unhappy dogs "),
    ("all dogs bark. ", "some dogs bark. "),
    ("The dogs bark. ", "One of the dogs barks. "),
    ("only dogs bark. ", "dogs bark. "),
    ("it holds 300 people. ", "it holds up to 300 people. "),
    ("5 dogs and 7 cats ", "8 dogs and 9 cats "),
    ("$5 million in 1999 ", "€5 million in 1998 "),
    ("12 % in May and 15 % in June. ", "15 % in May and 12 % in June. "),
    ("Ann Lee met Bob Ford. ", "Ann Ray met Tom Ford. "),
    ("Leeds beat York. ", "York beat Leeds. "),
    ("red doors and blue walls ", "blue doors and red walls "),
    ("prices rose. ", "prices fell. "),
    ("zinc is cheaper than tin. ", "tin is cheaper than zinc. "),
    ("the nurse thanked the doctor. ", "the doctor thanked the nurse. "),
    ("it rings if it is open. ", "it rings unless it is open. "),
    ("it rings. ", "it rings if it is open. "),
    ("我不是人。", "我是人。"),
    (".,!?", "good .,!?"),
]


WORDS = st.sampled_from(
    "The cat did not sit in Berlin on 5 May 1999 , while prices rose by $3 million or fell . Ann"
    " Lee never won all of it 不 是 苹果 un happy unhappy U.S. “ ” may".split()
)
TEXTS = st.lists(WORDS, max_size=20).map(" ".join) | st.text(max_size=60)


class TestContrasts:
    @given(statement=TEXTS, passage=TEXTS)
    def test_slice_back(self, statement: str, passage: str) -> None:
        for found in contrasts(statement, passage):
            assert statement[found.start : found.end] == found.stated != ""
            assert passage[found.passage_start : found.passage_end] == found.found

    @given(statement=TEXTS, passage=TEXTS)
    def test_are_in_order_and_differ(self, statement: str, passage: str) -> None:
        found = contrasts(statement, passage)
        assert [c.start for c in found] == sorted(c.start for c in found)
        assert len(set(found)) == len(found)

    @given(text=st.lists(WORDS, max_size=20).map(" ".join))
    def test_of_a_sentence_and_a_longer_text_with_it_are_none_by_negation(self, text: str) -> None:
        found = contrasts(text, f"{text} . Then it rained .")
        assert [c for c in found if c.kind == "negation"] == []

    @pytest.mark.parametrize(("unit", "other"), UNITS)
    def test_of_long_texts_are_bounded(self, unit: str, other: str) -> None:
        statement, passage = (text * (6_000 // len(text)) for text in (unit, other))
        assert len(contrasts(statement, passage)) <= 1_000
        assert len(contrasts(passage, statement)) <= 1_000

    @pytest.mark.parametrize("unit", ["not ", "5 7 ", "Ann Bob ", "不是", ".,!?"])
    def test_beyond_the_longest_text_nothing_is_read(self, unit: str) -> None:
        statement, passage = unit * 10_000, f"good {unit}" * 10_000
        assert contrasts(statement, passage) == contrasts(statement[:6_000], passage[:6_000])

    def test_are_values(self) -> None:
        one = Contrast("number", "3", "4", 0, 1, 2, 3)
        assert one == Contrast("number", "3", "4", 0, 1, 2, 3)
        assert "number" in repr(one)


class TestTimesOfDay:
    OPEN = "It is open on Monday from 9:00 to 17:00."

    @pytest.mark.parametrize("hours", ["9 to 5", "9 am to 5 pm", "9:00 a.m. to 5 p.m."])
    def test_of_other_clocks_are_the_same(self, hours: str) -> None:
        assert contrasts(f"It is open on Monday from {hours}.", self.OPEN) == ()

    def test_that_differ(self) -> None:
        (found,) = contrasts("It is open on Monday from 9 to 6 pm.", self.OPEN)
        assert (found.kind, found.stated, found.found) == ("number", "6 pm", "17:00")

    def test_are_likelier_to_differ_if_both_are_times(self) -> None:
        passage = "3pm: The Morro Bay forecast for Monday is 64 degrees."
        claim = "We see that the weather in Morro Bay at 1 pm is 64 degrees."
        assert [(each.stated, each.found) for each in contrasts(claim, passage)] == [
            ("1 pm", "3pm")
        ]


class TestDirectSpeech:
    @pytest.mark.parametrize(
        "passage",
        [
            '"The plan works," said Lee.',
            'Lee said: "We are fine. The plan works."',
            "“We are proud of it. The plan works,” Lee told reporters.",
            "A man stood up. «We know that the plan works.» He was led out.",
        ],
    )
    def test_is_somebodys(self, passage: str) -> None:
        assert "modality" in {found.kind for found in contrasts("The plan works.", passage)}
        assert contrasts("Lee said that the plan works.", passage) == ()

    @pytest.mark.parametrize(
        "passage",
        [
            'The "new" plan works.',
            'The plan works. "The plan works," said Lee.',
            'The plan works with a 5" pipe and a 6" lid.',
        ],
    )
    def test_is_not_all_between_marks(self, passage: str) -> None:
        assert contrasts("The plan works.", passage) == ()
