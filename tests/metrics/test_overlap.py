from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard import Citation, CiteguardError, Evidence, Sources
from citeguard.metrics import citation_overlap, rouge_l

steady = settings(deadline=None, derandomize=True, max_examples=40)
texts = st.text(st.characters(max_codepoint=127), max_size=40)
words = st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join)


def cited(text: str, source_id: str | None = "s") -> Evidence:
    return Evidence(text=text, source_id=source_id)


class TestRougeL:
    def test_by_hand(self) -> None:
        for predicted, gold, expected in [
            ("one month", "One Month!", 1.0),
            ("a b c d", "a x c", 2 * (2 / 4) * (2 / 3) / (2 / 4 + 2 / 3)),
            ("a b", "b a", 0.5),
            ("a", "b", 0.0),
            ("don’t go", "don't go", 1.0),
        ]:
            assert rouge_l(predicted, gold) == pytest.approx(expected)

    def test_without_words_is_undefined(self) -> None:
        for predicted, gold in [("", ""), ("a", ""), ("", "a"), ("…", "a"), ("🎉", "🎉")]:
            assert rouge_l(predicted, gold) is None

    @given(texts | words, texts | words)
    @steady
    def test_is_that_of_rouge_score_on_ascii(self, predicted: str, gold: str) -> None:
        from rouge_score.rouge_scorer import RougeScorer

        found = rouge_l(predicted, gold)
        assert (found or 0.0) == RougeScorer(["rougeL"]).score(gold, predicted)["rougeL"].fmeasure

    def test_reads_other_scripts(self) -> None:
        for one, other, expected in [
            ("été", "e\u0301te\u0301", 1.0),
            ("l’été", "l’hiver", 0.5),
            ("雨が降る", "雨が止む", 0.5),
            ("हिन्दी भाषा", "हिन्दी", 2 / 3),
        ]:
            assert rouge_l(one, other) == pytest.approx(expected)

    def test_rejects_what_is_no_text(self) -> None:
        for predicted, gold in [(None, "a"), ("a", 1), (b"a", "a")]:
            with pytest.raises(CiteguardError, match="compares texts"):
                rouge_l(predicted, gold)


class TestCitationOverlap:
    def test_by_hand(self) -> None:
        for predicted, gold, exact_source, overlap in [
            ([cited("a b")], [cited("a b")], 1.0, 1.0),
            ([cited("a b", "t")], [cited("a b")], 0.0, 1.0),
            ([cited("c")], [cited("a b")], 1.0, 0.0),
            ([], [cited("a")], 0.0, 0.0),
            ([cited("a")], [], 0.0, 0.0),
            ([cited("a")] * 2, [cited("a")], 0.5, 0.5),
            ([cited("")], [cited("a")], 1.0, 0.0),
            ([cited("a", None)], [cited("a")], 0.0, 1.0),
        ]:
            found = citation_overlap([predicted], [gold])
            assert (found.exact_source, found.rouge_l) == (exact_source, overlap)
            assert found.combined == (exact_source + overlap) / 2

    def test_does_not_depend_on_the_order(self) -> None:
        one, two = cited("a b", "s"), cited("c d", "t")
        found = citation_overlap([[two, one]], [[one, two]])
        assert (found.combined, found.missing, found.spurious) == (1.0, 0, 0)

    def test_pairs_within_an_answer_only(self) -> None:
        one, two = cited("a", "s"), cited("b", "t")
        found = citation_overlap([[one], [two]], [[two], [one]])
        assert (found.combined, found.missing, found.spurious) == (0.0, 2, 2)

    def test_of_nothing_is_undefined(self) -> None:
        for answers in ([], [[]]):
            found = citation_overlap(answers, answers)
            assert found.exact_source is found.rouge_l is found.combined is None

    def test_without_gold_sources_has_only_words(self) -> None:
        found = citation_overlap([[cited("a")]], [[cited("a", None)]])
        assert (found.exact_source, found.rouge_l, found.combined) == (None, 1.0, None)

    def test_without_gold_words_has_only_sources(self) -> None:
        for source_id in ("s", "t"):
            found = citation_overlap([[cited("a", source_id)]], [[cited("", "s")]])
            assert (found.rouge_l, found.combined) == (None, None)
            assert found.exact_source == (1.0 if source_id == "s" else 0.0)

    @given(*[st.lists(st.builds(cited, words, st.sampled_from("st")), max_size=4)] * 2)
    @steady
    def test_is_the_best_pairing(self, predicted: list[Evidence], gold: list[Evidence]) -> None:
        found = citation_overlap([predicted], [gold])
        for value in (found.exact_source, found.rouge_l, found.combined):
            assert value is None or 0 <= value <= 1
        assert len(gold) - found.missing == len(predicted) - found.spurious >= 0
        if found.combined is not None:
            total = found.combined * max(len(predicted), len(gold))
            assert total == pytest.approx(best(predicted, gold))

    def test_takes_validated_citations(self) -> None:
        context = Sources({"handbook": "Notice is one month."}).as_context()
        citation = Citation.model_validate({"quote": "one month"}, context=context)
        found = citation_overlap([[citation]], [[cited("one month", "handbook")]])
        assert found.combined == 1.0

    def test_rejects_a_citation_that_was_not_validated(self) -> None:
        with pytest.raises(CiteguardError, match="validated Citation or Evidence"):
            citation_overlap([[Citation.model_construct(quote="a")]], [[]])

    def test_rejects_what_is_no_list(self) -> None:
        for citations in ("a", cited("a"), None, 1):
            with pytest.raises(CiteguardError, match="must be a list"):
                citation_overlap([[]], [citations])

    def test_rejects_answers_without_gold(self) -> None:
        with pytest.raises(CiteguardError, match="2 answers and gold citations of 1"):
            citation_overlap([[], []], [[]])


def best(predicted: Sequence[Evidence], gold: Sequence[Evidence]) -> float:
    """Try every pairing."""
    few, many = sorted((predicted, gold), key=len)
    return max(
        sum(
            ((one.source_id == other.source_id) + (rouge_l(one.text, other.text) or 0.0)) / 2
            for one, other in zip(few, chosen, strict=True)
        )
        for chosen in permutations(many, len(few))
    )
