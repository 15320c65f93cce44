"""Which denials and opposites cancel, and which do not."""

import pytest

from citeguard.text.contrast import contrasts

# Kind of the contrast, what is tried, statement, passage.
DIFFERENT = [
    ("negation", "not disabled",
     "The feature isn't disabled by default.", "The feature is disabled by default."),
    ("negation", "not enabled",
     "The feature isn't enabled by default.", "The feature is enabled by default."),
    ("negation", "uncommon",
     "Such storms are uncommon in the region.", "Such storms are common in the region."),
    ("negation", "not uncommon",
     "Such storms are not uncommon in the region.", "Such storms are uncommon in the region."),
    ("negation", "prohibited",
     "Taking photos in the chapel is prohibited.", "Visitors can take photos in the chapel."),
    ("opposite", "one opposite",
     "The group was younger and had more members.", "The group was older and had more members."),
    ("negation", "not deny", "He did not deny the charges.", "He denied the charges."),
    ("negation", "fail", "The motor failed to start.", "The motor never failed to start."),
    ("negation", "not false",
     "It is not false that the mill was sold.", "It is false that the mill was sold."),
]  # fmt: skip

# What is tried, statement, passage.
SAME = [
    ("not enabled, disabled",
     "The feature isn't enabled by default.", "The feature is disabled by default."),
    ("disabled, not enabled",
     "The feature is disabled by default.", "The feature is not enabled by default."),
    ("not uncommon, common",
     "Such storms are not uncommon in the region.", "Such storms are common in the region."),
    ("not rare, common",
     "Such storms are not rare in the region.", "Such storms are common in the region."),
    ("not cheap, expensive", "The tickets were not cheap.", "The tickets were expensive."),
    ("not fail, succeed", "The motor did not fail to start.", "The motor started."),
    ("never fails", "He never fails to answer letters.", "He always answers letters."),
    ("not impossible",
     "It is not impossible to climb the wall.", "It is possible to climb the wall."),
    ("cannot, unable", "He cannot read the sign.", "He is unable to read the sign."),
    ("forbidden, not allowed",
     "Dogs are not allowed in the park.", "Dogs are forbidden in the park."),
    ("more younger, less older",
     "More patients were younger than 50.", "Fewer patients were older than 50."),
    ("fell, less",
     "The risk is reduced in the treated group.", "The treated group has a lower risk."),
    ("without, lack", "The village lacks a school.", "The village is without a school."),
    ("not alive, dead", "The king was no longer alive in 1500.", "The king was dead in 1500."),
    ("not true", "The mill was not sold.", "It is not true that the mill was sold."),
    ("rejected claim",
     "The mayor did not steal the money.",
     "The report rejected the claim that the mayor stole the money."),
    ("absent, not present", "The gene is not present in mice.", "The gene is absent in mice."),
]  # fmt: skip


class TestDifferent:
    @pytest.mark.parametrize(
        ("kind", "statement", "passage"), [pytest.param(k, s, p, id=i) for k, i, s, p in DIFFERENT]
    )
    def test_facts_are_found(self, kind: str, statement: str, passage: str) -> None:
        assert kind in {found.kind for found in contrasts(statement, passage)}

    @pytest.mark.parametrize("text", sorted({row[3] for row in DIFFERENT}))
    def test_text_has_no_contrast_with_itself(self, text: str) -> None:
        assert contrasts(text, text) == ()


class TestSame:
    @pytest.mark.parametrize(
        ("statement", "passage"), [pytest.param(s, p, id=i) for i, s, p in SAME]
    )
    def test_facts_in_other_words_are_no_contrast(self, statement: str, passage: str) -> None:
        assert contrasts(statement, passage) == ()
