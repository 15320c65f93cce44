"""What `GroundingVerifier` reads of a text, finds in the evidence, and measures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeguard.verifier.content import Word, read
from citeguard.verifier.evidence import EvidenceIndex, index_of
from citeguard.verifier.features import NAMES, Features, Measured, measure
from rows import each_row

TEXT = (
    "The company was founded in Berlin in 1998. Anna Kurz led it for ten years.\n\n"
    "It sells optimum tools. Notice is one month."
)


def measured(claim: str, *texts: str) -> Measured:
    found = measure(claim, EvidenceIndex(texts or (TEXT,)), lambda _: 2.0)
    assert found is not None
    return found


def features(claim: str, *texts: str) -> Features:
    return measured(claim, *texts).features


class TestRead:
    def test_names_begin_with_a_capital_inside_a_sentence(self) -> None:
        assert [word.kind for word in read("Visitors met Anna.").words] == ["word", "word", "name"]

    @each_row(
        ("text", "number"),
        [
            ("it had ten rooms", "10"),
            ("it had twenty-five rooms", "25"),
            ("two hundred and fifty dollars", "250"),
            ("1,250 people", "1250"),
            ("12,345,678 people", "12345678"),
            ("5.5 million people", "5500000"),
            ("the third time", "3"),
        ],
    )
    def test_numbers_are_digits(self, text: str, number: str) -> None:
        assert [word.key for word in read(text).words if word.kind == "number"] == [number]

    @each_row(
        ("one", "other"),
        [("two days", "48 hours"), ("1.5 km", "1,500 metres"), ("90 minutes", "1.5 hours")],
    )
    def test_numbers_are_compared_in_one_unit(self, one: str, other: str) -> None:
        first, second = (read(f"It took {text}.").words[-2] for text in (one, other))
        assert (first.kind, first.key) == ("number", second.key)

    def test_the_unit_of_a_number_weighs_little(self) -> None:
        assert [word.glue for word in read("It took two days by boat.").words[-3:]] == [
            *(False, True, False)
        ]

    def test_citation_marks_are_no_content(self) -> None:
        assert read("It sells tools [3].") == read("It sells tools.")

    def test_framing_is_left_out_when_told_so(self) -> None:
        claim = "According to the passage, tools sell."
        assert [word.key for word in read(claim, framing=False).words] == ["tool", "sell"]

    @each_row("text", ["It isn’t late.", "It isn't late.", "It is never late."])
    def test_negators_are_counted(self, text: str) -> None:
        assert read(text).negators == 1

    @each_row(
        ("text", "on_silence"),
        [
            ("The passage does not mention a price.", True),
            ("The price isn't stated.", True),
            ("The text says nothing about it.", True),
            ("No price is mentioned.", True),
            ("Ann said no jobs would be cut.", False),
            ("The report says nothing is wrong.", False),
        ],
    )
    def test_what_is_not_said_is_told_from_what_is(self, text: str, on_silence: bool) -> None:
        assert read(text).on_silence == on_silence

    def test_scripts_without_spaces_give_pairs(self) -> None:
        assert read("上海市").words == (Word("上海", "word", "上海"), Word("海市", "word", "海市"))


class TestEvidenceIndex:
    def test_sentences_slice_back(self) -> None:
        index = EvidenceIndex(("One day. Two days.", "Three."))
        found = [index.texts[each.text][each.start : each.end] for each in index.sentences]
        assert found == ["One day.", "Two days.", "Three."]

    def test_places_are_the_numbers_of_sentences(self) -> None:
        index = EvidenceIndex(("Tools sell. Nothing else.", "Tools again."))
        assert index.places["tool"] == [0, 2]

    def test_a_passage_does_not_reach_into_another_text(self) -> None:
        index = EvidenceIndex(("One day. Two days.", "Three."))
        assert index.passage(1, 2) == "Two days."

    def test_related_words_are_alike(self) -> None:
        index = EvidenceIndex(("An optimum was found.",))
        assert index.likeness("optimum") == 1.0
        assert 0.6 <= index.likeness("optim") < 1.0
        assert index.likeness("option") == 0.0

    def test_a_text_without_stops_is_cut(self) -> None:
        index = EvidenceIndex(("word " * 1_000,))
        assert max(each.end - each.start for each in index.sentences) <= 1_000

    def test_no_text_has_no_sentences(self) -> None:
        assert EvidenceIndex(()).sentences == []

    def test_that_of_the_same_texts_is_kept(self) -> None:
        assert index_of(("Some text.",)) is index_of(("Some text.",))


class TestMeasure:
    def test_without_content_words_there_is_nothing_to_measure(self) -> None:
        assert measure("It is so.", EvidenceIndex((TEXT,)), lambda _: 1.0) is None

    def test_of_a_verbatim_sentence_all_is_covered(self) -> None:
        found = features("Anna Kurz led it for ten years.")
        shares = (found.coverage, found.best_sentence, found.best_window, found.phrases)
        assert shares == (1.0, 1.0, 1.0, 1.0)
        assert (found.order, found.missing_names, found.rarest_missing) == (1.0, 0.0, 0.0)

    def test_the_best_sentence_has_most_of_the_words(self) -> None:
        assert measured("Anna Kurz founded it for years.").best == 1

    def test_rare_words_weigh_more(self) -> None:
        index = EvidenceIndex(("The zither is old.",))
        rare = measure("zither music", index, {"zither": 9.0, "music": 1.0, "old": 1.0}.__getitem__)
        common = measure(
            "zither music", index, {"zither": 1.0, "music": 9.0, "old": 1.0}.__getitem__
        )
        assert rare is not None
        assert common is not None
        assert rare.features.coverage == pytest.approx(0.9)
        assert common.features.coverage == pytest.approx(0.1)

    def test_missing_words_are_named_as_they_stand(self) -> None:
        assert measured("Anna Kurz painted Zithers.").missing == ("painted", "Zithers")

    def test_missing_numbers_and_names_are_counted(self) -> None:
        found = features("It was Peter who led it in 1999.")
        assert (found.missing_numbers, found.missing_names) == (1.0, 1.0)

    def test_missing_names_and_numbers_are_weighed(self) -> None:
        index = EvidenceIndex(("A zither was sold.",))
        rarity = {"zither": 1.0, "sell": 1.0, "peter": 4.0, "1999": 2.0, "string": 2.0}
        found = measure("The zither of Peter had strings in 1999", index, rarity.__getitem__)
        assert found is not None
        assert found.features.missing_facts == pytest.approx(6 / 9)

    def test_a_number_elsewhere_is_missing_from_the_window(self) -> None:
        text = f"Notice is one month. {'Nothing happened then. ' * 5}It began in 1998."
        assert features("Notice is one month since 1998.", text).missing_numbers == 1.0

    @each_row(("claim", "odd"), [("Notice is not one month.", 1.0), ("Notice is one month.", 0.0)])
    def test_a_negation_on_one_side_is_odd(self, claim: str, odd: float) -> None:
        assert features(claim).odd_negation == odd

    def test_contrasts_are_counted_by_kind(self) -> None:
        found = features("Notice is two months.")
        assert (found.number, found.negation) == (1.0, 0.0)

    def test_without_a_word_in_common_all_is_missing(self) -> None:
        found = measured("Zithers hum.")
        assert (found.best, found.features.coverage) == (None, 0.0)
        assert found.features.rarest_missing == 2.0

    def test_evidence_without_text_bears_nothing_out(self) -> None:
        assert features("Anna led it.", "").coverage == 0.0

    @given(st.text(max_size=200), st.text(max_size=200))
    def test_shares_are_from_0_to_1(self, claim: str, text: str) -> None:
        found = measure(claim, EvidenceIndex((text,)), lambda _: 1.5)
        if found is not None:
            shares = dict(zip(NAMES, found.features.values(), strict=True))
            assert all(-1e-9 <= shares[name] <= 1 + 1e-9 for name in (*NAMES[:9], "missing_facts"))
            assert all(value >= 0 for value in found.features.values()[10:])

    def test_words_taken_from_the_evidence_never_lower_the_coverage(self) -> None:
        claim = "Anna Kurz founded a company in Munich"
        assert features(f"{claim} in Berlin").coverage >= features(claim).coverage
