"""`GroundingVerifier`, its model and how it scores statements."""

import gzip
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.errors import CiteguardError
from citeguard.judges.grounding import GroundingVerifier
from citeguard.judges.verdicts import Evidence, SupportQuestion, Verdict
from citeguard.sources.collection import Span
from citeguard.verifier.evidence import EvidenceIndex
from citeguard.verifier.features import NAMES, Features
from citeguard.verifier.model import Tree, read_model, shipped_model
from citeguard.verifier.scoring import measured_claims, weakest_claim
from rows import each_row

HANDBOOK = (
    "The notice period is one month. It doesn’t apply during probation. Employees resign in "
    "writing, and e-mail counts as writing. The company was founded in Berlin in 1998 by Anna Kurz."
)


def judged(statement: str, *texts: str, verifier: GroundingVerifier | None = None) -> Verdict:
    evidence = tuple(
        Evidence(text=text, source_id=f"source {number}", start=100)
        for number, text in enumerate(texts or (HANDBOOK,))
    )
    question = SupportQuestion(statement=statement, evidence=evidence)
    (verdict,) = (verifier or GroundingVerifier()).judge([question])
    return verdict


class TestTree:
    def test_goes_left_up_to_the_border(self) -> None:
        tree = Tree((1,), (0.5,), (-1,), (-2,), (10.0, 20.0))
        assert [tree((0.0, value)) for value in (0.4, 0.5, 0.6)] == [10.0, 10.0, 20.0]

    def test_of_a_single_leaf_says_always_the_same(self) -> None:
        assert Tree((0,), (0.0,), (-1,), (-1,), (3.0,))((7.0,)) == 3.0


class TestModel:
    def test_is_small(self) -> None:
        packed = files("citeguard.verifier").joinpath("model.json.gz").read_bytes()
        assert len(packed) < 500_000

    def test_of_other_features_is_refused(self) -> None:
        with pytest.raises(ValueError, match="train it again"):
            read_model({"features": ["length"]})

    def test_its_version_names_its_weights(self) -> None:
        packed = files("citeguard.verifier").joinpath("model.json.gz").read_bytes()
        assert json.loads(gzip.decompress(packed))["version"] == shipped_model().version

    def test_its_thresholds_are_in_order(self) -> None:
        model = shipped_model()
        assert 0 < model.unsupported_below < 0.5 < model.supported_from < 1

    @each_row("name", [name for name in NAMES if name not in ("reverse", "odd_negation")])
    def test_no_feature_has_an_effect_against_its_sense(self, name: str) -> None:
        model = shipped_model()
        middle = dict.fromkeys(NAMES[:9], 0.5)
        values = [place / 10 for place in range(11)]
        if name not in middle:
            values = [float(place) for place in range(11)]
        scores = [model.score(Features(**{**middle, name: value})) for value in values]
        assert scores == sorted(scores, reverse=name not in middle)


class TestWeakestClaim:
    def test_a_statement_is_as_well_supported_as_its_weakest_sentence(self) -> None:
        index, model = EvidenceIndex((HANDBOOK,)), shipped_model()
        true, false = "The notice period is one month.", "Zithers are sold in Paris."
        weakest = weakest_claim(f"{true} {false}", index, model)
        alone = weakest_claim(false, index, model)
        assert weakest is not None
        assert alone is not None
        assert (weakest.measured.claim, weakest.score) == (false, alone.score)

    def test_a_sentence_that_is_said_again_is_measured_once(self) -> None:
        index = EvidenceIndex((HANDBOOK,))
        statement = "The notice period is one month. " * 1_000
        assert len(measured_claims(statement, index, shipped_model().rarity_of)) == 1

    def test_without_content_there_is_none(self) -> None:
        assert weakest_claim("So it is.", EvidenceIndex((HANDBOOK,)), shipped_model()) is None


class TestOutcome:
    @each_row(
        "statement",
        [
            "The notice period is one month.",
            "The notice period is 1 month.",
            "The notice period is one month [1].",
            "According to the passage, the notice period is one month.",
            "The notice period does not apply during probation.",
            "Anna Kurz founded the company in 1998.",
        ],
    )
    def test_true_statements_are_supported(self, statement: str) -> None:
        assert judged(statement).outcome == "supported"

    @each_row(
        "statement",
        [
            pytest.param("The notice period is two months.", id="number"),
            pytest.param("The notice period is 3 months.", id="digits"),
            pytest.param("The notice period applies during probation.", id="negation lost"),
            pytest.param("The notice period is not one month.", id="negation gained"),
            pytest.param("Anna Kurz founded the company in 1999.", id="year"),
            pytest.param("The company was founded in Munich in 1998.", id="place"),
        ],
    )
    def test_one_changed_fact_is_a_contradiction(self, statement: str) -> None:
        assert judged(statement).outcome == "contradicted"

    @each_row(
        ("statement", "outcome"),
        [
            ("Edda Lund led the choir until May 2003.", "supported"),
            ("Edda Lund led the choir until May 2011.", "contradicted"),
            ("Knut Aas led the choir until May 2011.", "supported"),
            ("Knut Aas led the choir until May 2003.", "contradicted"),
        ],
    )
    def test_a_value_of_something_else_is_a_contradiction(
        self, statement: str, outcome: str
    ) -> None:
        passage = "Edda Lund led the choir until May 2003. Knut Aas led it until May 2011."
        assert judged(statement, passage).outcome == outcome

    @each_row(
        "statement",
        [
            "Exports grew 9 percent to about €310 million.",
            "The licence runs until 7 June 2024.",
            "The crossing takes 11 hours.",
        ],
    )
    def test_numbers_may_be_rounded_and_written_in_other_ways(self, statement: str) -> None:
        passage = (
            "Exports grew 9 % to €311.8 million. The licence runs until 2024-06-07. "
            "The crossing takes 11 h."
        )
        assert judged(statement, passage).outcome == "supported"

    def test_what_the_evidence_does_not_speak_of_is_unsupported(self) -> None:
        assert judged("Employees get free lunch every Friday.").outcome == "unsupported"

    @each_row("statement", ["", "  ", "…", "So it is.", "\n\n"])
    def test_without_content_nobody_can_tell(self, statement: str) -> None:
        verdict = judged(statement)
        assert (verdict.outcome, verdict.score) == ("undecided", None)
        assert "no words of its own" in verdict.reason

    @each_row("texts", [("",), (" \n",), ("", "")])
    def test_by_blank_evidence_nobody_can_tell(self, texts: tuple[str, ...]) -> None:
        verdict = judged("The notice period is one month.", *texts)
        assert (verdict.outcome, verdict.reason) == ("undecided", "there is no evidence")

    def test_without_evidence_nobody_can_tell(self) -> None:
        question = SupportQuestion(statement="The notice period is one month.", evidence=())
        assert GroundingVerifier().judge([question])[0].outcome == "undecided"

    @each_row(
        "statement",
        [
            "The passage does not mention a notice period.",
            "It is not stated when the company was founded.",
            "The sources say nothing of probation.",
        ],
    )
    def test_of_what_the_sources_do_not_say_words_tell_nothing(self, statement: str) -> None:
        verdict = judged(statement)
        assert verdict.outcome == "undecided"
        assert "do not say" in verdict.reason

    @each_row(
        ("statement", "text"),
        [
            ("All of the inhabitants had left.", "Most of the inhabitants had left."),
            ("The drug improves survival.", "The drug may improve survival."),
            ("It was approved in all countries.", "It was approved in some countries."),
        ],
    )
    def test_what_claims_more_than_the_passage_is_not_supported(
        self, statement: str, text: str
    ) -> None:
        assert judged(statement, text).outcome != "supported"

    @each_row(
        "sentence",
        [
            "He lost the title after it was found that he had played before the Games.",
            "It is possible that all of these many classes collapse to one class.",
            "The origin of the word is not stated and cannot be explained.",
            "It lies between Essex and Kent, at the end of most of the route and the entire canal.",
        ],
    )
    def test_what_the_evidence_says_word_for_word_is_supported(self, sentence: str) -> None:
        around = "All roads were closed. {} Some were never built before 1900."
        verdict = judged(" ".join(sentence.upper().split(" ")), around.format(sentence))
        assert verdict.outcome == "supported"

    def test_a_statement_of_ten_thousand_words_is_judged(self) -> None:
        assert judged("The zither hums in Paris. " * 2_000).outcome == "unsupported"

    def test_the_end_of_a_statement_without_stops_counts(self) -> None:
        statement = "the notice period is one month and " * 100 + "zithers hum in Paris"
        assert judged(statement).outcome != "supported"

    def test_evidence_without_sentence_borders_is_read(self) -> None:
        text = "price list " * 2_000 + "the notice period is one month " + "price list " * 2_000
        assert judged("The notice period is one month.", text).outcome == "supported"

    @given(st.text(max_size=300), st.text(max_size=300))
    @settings(max_examples=50)
    def test_any_text_gives_a_verdict(self, statement: str, text: str) -> None:
        assert judged(statement, text).outcome is not None


class TestVerdict:
    def test_names_the_sentence_that_decides_and_its_place(self) -> None:
        verdict = judged("The notice period is two months.")
        assert verdict.words == "The notice period is one month."
        assert verdict.span == Span("source 0", 100, 131)

    def test_finds_the_place_in_the_right_source(self) -> None:
        verdict = judged("Lunch is free.", HANDBOOK, "Supper is dear. Lunch is free.")
        assert verdict.span == Span("source 1", 116, 130)

    def test_of_evidence_from_no_source_has_no_place(self) -> None:
        question = SupportQuestion(
            statement="Lunch is free.", evidence=(Evidence(text="Lunch is free."),)
        )
        assert GroundingVerifier().judge([question])[0].span is None

    def test_of_a_contradiction_says_what_differs(self) -> None:
        verdict = judged("Anna Kurz founded the company in 1999.")
        assert verdict.reason == 'It says "1999" where the passage says "1998".'

    def test_of_a_value_of_something_else_the_right_value_decides(self) -> None:
        passage = "The Leeds office opens at 8:00. The York office opens at 9:30."
        verdict = judged("The Leeds office opens at 9:30.", passage)
        assert verdict.words == "The Leeds office opens at 8:00."
        assert verdict.reason == 'It says "9:30" where the passage says "8:00".'
        assert verdict.score is not None
        assert verdict.score < 0.5

    def test_of_what_is_missing_names_the_words(self) -> None:
        verdict = judged("Employees get free lunch every Friday.")
        assert verdict.reason == "The evidence says nothing of: get, free, lunch, every, Friday."

    def test_says_who_said_so(self) -> None:
        assert judged("Lunch is free.").judge == "GroundingVerifier"

    def test_score_orders_true_before_changed_before_foreign(self) -> None:
        statements = (
            "The notice period is one month.",
            "A period of one month is required as notice.",
            "Zithers hum in Paris.",
        )
        scores = [judged(statement).score or 0.0 for statement in statements]
        assert scores == sorted(scores, reverse=True)


class TestThresholds:
    def test_the_same_for_both_decides_everything(self) -> None:
        verifier = GroundingVerifier(supported_from=0.5, unsupported_below=0.5)
        statements = ("A month’s notice is required.", "Writing is by e-mail.", "Zithers hum.")
        assert all(judged(statement, verifier=verifier).decided for statement in statements)

    def test_apart_as_far_as_can_be_decide_nothing(self) -> None:
        verifier = GroundingVerifier(supported_from=1, unsupported_below=0)
        assert judged("The notice period is two months.", verifier=verifier).outcome == "undecided"

    @each_row(
        ("high", "low"),
        [(0.2, 0.8), (1.5, 0.5), (0.5, -1), (float("nan"), 0.5), ("high", 0.5), (True, 0.5)],
    )
    def test_that_make_no_sense_are_refused(self, high: float, low: float) -> None:
        with pytest.raises(CiteguardError, match=r"GroundingVerifier\("):
            GroundingVerifier(supported_from=high, unsupported_below=low)

    def test_one_alone_never_crosses_the_other(self) -> None:
        assert "supported_from=0.1, unsupported_below=0.1" in repr(
            GroundingVerifier(supported_from=0.1)
        )

    def test_of_nothing_supports_what_is_covered_by_nothing_no_more(self) -> None:
        verifier = GroundingVerifier(supported_from=0.5, unsupported_below=0.0)
        assert judged("Zithers hum in Paris.", verifier=verifier).outcome == "undecided"

    def test_are_part_of_the_key_of_kept_verdicts(self) -> None:
        versions = {GroundingVerifier(supported_from=each).settings.version for each in (0.7, 0.8)}
        assert len(versions) == 2


class TestUse:
    def test_order_of_questions_is_kept(self) -> None:
        evidence = (Evidence(text=HANDBOOK),)
        statements = ["The notice period is one month.", "The notice period is two months."] * 3
        questions = [SupportQuestion(statement=each, evidence=evidence) for each in statements]
        outcomes = [verdict.outcome for verdict in GroundingVerifier().judge(questions)]
        assert outcomes == ["supported", "contradicted"] * 3

    def test_threads_get_the_same_verdicts(self) -> None:
        statements = [f"The notice period is {number} months." for number in range(1, 40)]
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(judged, statements)) == [judged(each) for each in statements]

    def test_loads_neither_numpy_nor_torch(self) -> None:
        program = (
            "import sys; from citeguard import GroundingVerifier, SupportQuestion, Evidence;"
            "e = (Evidence(text='Notice is one month.'),);"
            "GroundingVerifier().judge([SupportQuestion(statement='It is a month.', evidence=e)]);"
            "print([name for name in ('numpy', 'torch', 'openai') if name in sys.modules])"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
        assert done.stdout.strip() == b"[]"


class TestContradictedFrom:
    ABOUT_OTHERS = "Thomas Wilson was born in Staunton on December 28, 1856."

    def test_evidence_about_somebody_else_contradicts_nothing(self) -> None:
        statement = "Brad Pitt was born on December 18, 1963."
        plain, careful = (
            judged(
                statement,
                self.ABOUT_OTHERS,
                verifier=GroundingVerifier(unsupported_below=0.4, contradicted_from=least),
            )
            for least in (0.0, 0.5)
        )
        assert (plain.outcome, careful.outcome) == ("contradicted", "unsupported")

    def test_evidence_about_the_same_contradicts_as_before(self) -> None:
        careful = GroundingVerifier(contradicted_from=0.5)
        verdict = judged("Thomas Wilson was born in Staunton in 1860.", self.ABOUT_OTHERS)
        again = judged(
            "Thomas Wilson was born in Staunton in 1860.", self.ABOUT_OTHERS, verifier=careful
        )
        assert again == verdict

    def test_has_a_cache_key_of_its_own(self) -> None:
        one, other = GroundingVerifier(), GroundingVerifier(contradicted_from=0.5)
        assert one.settings.version != other.settings.version

    @each_row("share", [-0.1, 1.1, "half"])
    def test_rejects_what_is_no_share(self, share: float) -> None:
        with pytest.raises(CiteguardError, match="contradicted_from"):
            GroundingVerifier(contradicted_from=share)
