"""Which differences of fact are found between a statement and a passage, and which are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeguard.text.contrast import Contrast, contrasts

# Kind, statement, passage, and what stands for what.
DIFFERENT = [
    ("negation", "The drug was not approved.", "The drug was approved.", "not approved"),
    ("negation", "The drug was approved.", "The drug wasn’t approved.", "approved"),
    ("negation", "The team never won the cup.", "The team won the cup in May.", "never won"),
    ("negation", "He no longer lives in Paris.", "He lives in Paris.", "no longer lives"),
    ("negation", "The firm failed to pay its staff.", "The firm paid its staff.", "failed to pay"),
    ("negation", "The trial found no signs of harm.", "The trial found signs of harm.", "no signs"),
    ("negation", "The result was unexpected here.", "The result was expected here.", "unexpected"),
    ("negation", "She has not made a large contribution to physics.",
     "She has created a large contribution to physics.", "not made"),
    ("negation", "She has created a large contribution to physics.",
     "She has not made a large contribution to physics.", "created"),
    ("negation", "It is a myth that the vaccine harms children.", "The vaccine harms children.",
     "myth that the vaccine"),
    ("negation", "他不喜欢吃苹果。", "他喜欢吃苹果。", "不喜欢"),
    ("negation", "他喜欢吃苹果。", "他不喜欢吃苹果。", "喜欢"),
    ("number", "The bridge is 300 metres long.", "The bridge is 400 metres long.", "300"),
    ("number", "Three people were hurt.", "Two people were hurt.", "Three"),
    ("number", "The company earned $5 million.", "The company earned $5 billion.", "5 million"),
    ("number", "Sales rose by 12 percent in May.", "Sales rose by 21% in May.", "12"),
    ("number", "The school was founded in 1912.", "The school was founded in 1921.", "1912"),
    ("number", "She came in third in the race.", "She came in second in the race.", "third"),
    ("number", "Over 500 shops are open here.", "The 440 shops are open here.", "500"),
    ("number", "The firm sold 5 km of cable.", "The firm sold 5 miles of cable.", "5 km"),
    ("number", "It was held on May 3, 2013.", "It was held on May 13, 2013.", "3"),
    ("number", "He ruled from 1979 to 1979.", "He ruled from 1975 to 1979.", "1979"),
    ("name", "The film was directed by Ann Lee.", "The film was directed by Bob Ford.", "Ann Lee"),
    ("name", "The law was signed by Hillary Clinton.", "The law was signed by Bill Clinton.",
     "Hillary Clinton"),
    ("name", "Keller beat Novak in the final.", "Novak beat Keller in the final.",
     "Keller beat Novak"),
    ("name", "The house in Selby was sold to a large bank.", "The house was sold to a large bank.",
     "Selby"),
    ("opposite", "Prices increased sharply in June.", "Prices fell sharply in June.", "increased"),
    ("opposite", "The shop opens before noon.", "The shop opens after noon.", "before"),
    ("opposite", "He bought the old mill.", "He sold the old mill.", "bought"),
    ("exclusive", "The car is red.", "The car is blue.", "red"),
    ("exclusive", "The meeting is on Monday.", "The meeting is on Friday.", "Monday"),
    ("exclusive", "They are in Thailand.", "They are in Japan.", "Thailand"),
    ("exclusive", "A French writer won the prize.", "A German writer won the prize.", "French"),
    ("exclusive", "She plays the violin in a band.", "She plays the piano in a band.", "violin"),
    ("quantity", "All students passed the exam.", "Some students passed the exam.", "All"),
    ("quantity", "Only the mayor signed the letter.", "The mayor signed the letter.", "Only"),
    ("modality", "The drug causes cancer.", "The drug may cause cancer.", "causes"),
]  # fmt: skip

SAME = [
    ("The bridge is about 5 million years old.", "The bridge is 4.98 million years old."),
    ("Twenty-five cats were found.", "In the house 25 cats were found."),
    ("The road is 1,250 m long.", "The road is 1250 m long."),
    ("He was born in the 1990s.", "He was born in 1995."),
    ("The dose is between 5 and 10 mg.", "The dose is 5 to 10 mg."),
    ("At least 500 people came.", "Some 620 people came."),
    ("It is not unusual to see one.", "It is usual to see one."),
    ("The trial has not found any evidence.", "The trial has found no evidence."),
    ("It may or may not have a cover.", "It may have a cover."),
    ("He not only wrote the song but sang it.", "He wrote the song and sang it."),
    ("The man is not walking his cat.", "A man is walking a dog."),
    ("Profits were not high.", "Profits were low."),
    ("American troops left in May.", "Troops of the United States left in May."),
    ("Clinton signed the law.", "William Clinton signed the law."),
    ("Bob Dylan wrote the song.", "Robert Dylan wrote the song."),
    ("The WHO published the report.", "The World Health Organization published the report."),
    ("The play is by Noel Coward.", "The play is by Noël Coward."),
    ("It includes England, Scotland and Wales.", "It includes Wales, England and Scotland."),
    ("Penny Marshall acted in the show.", "She acted in the show."),
    ("Novak was beaten by Keller.", "Keller beat Novak."),
    ("The dress is black and red.", "The dress is red and black."),
    ("The drug may cause cancer.", "The drug causes cancer."),
    ("Some students passed.", "All students passed."),
    ("苹果不同于梨。", "苹果同于梨。"),
]  # fmt: skip


class TestDifferent:
    @pytest.mark.parametrize(("kind", "statement", "passage", "stated"), DIFFERENT)
    def test_facts_are_found(self, kind: str, statement: str, passage: str, stated: str) -> None:
        found = [(contrast.kind, contrast.stated) for contrast in contrasts(statement, passage)]
        assert (kind, stated) in found

    def test_name_tells_what_stands_in_its_place(self) -> None:
        (found,) = contrasts(
            "It was built by Ann Lee in Rome.", "It was built by Bob Ford in Rome."
        )
        assert (found.stated, found.found) == ("Ann Lee", "Bob Ford")

    def test_name_that_the_passage_lacks_has_nothing_in_its_place(self) -> None:
        (found,) = contrasts("The old house in Selby was sold.", "The old house was sold.")
        assert (found.found, found.passage_start, found.passage_end) == ("", 0, 0)


class TestSame:
    @pytest.mark.parametrize(("statement", "passage"), SAME)
    def test_facts_in_other_words_are_no_contrast(self, statement: str, passage: str) -> None:
        assert contrasts(statement, passage) == ()

    @pytest.mark.parametrize("text", [row[2] for row in DIFFERENT])
    def test_text_has_no_contrast_with_itself(self, text: str) -> None:
        assert contrasts(text, text) == ()

    @pytest.mark.parametrize(("statement", "passage"), [("", ""), ("", "A dog."), ("Not.", "")])
    def test_empty_text_has_no_contrast(self, statement: str, passage: str) -> None:
        assert contrasts(statement, passage) == ()


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

    @pytest.mark.parametrize(
        "unit", ["a ", "not ", "5 7 ", "red ", "blue ", "Ann Bob ", "不是", ".,!?", "may all "]
    )
    def test_of_long_texts_are_bounded(self, unit: str) -> None:
        statement, passage = unit * 10_000, f"good {unit}" * 10_000
        assert len(contrasts(statement, passage)) < len(statement)

    def test_are_values(self) -> None:
        one = Contrast("number", "3", "4", 0, 1, 2, 3)
        assert one == Contrast("number", "3", "4", 0, 1, 2, 3)
        assert "number" in repr(one)
