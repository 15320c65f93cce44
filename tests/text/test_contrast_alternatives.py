"""Which statements say both of what the passage says one or the other of."""

import pytest

from citeguard.text.contrast import contrasts

# Kind of the contrast, what is tried, statement, passage.
DIFFERENT = [
    ("quantity", "and for or",
     "The prize was given to a painter and a sculptor.",
     "The prize was given to a painter or a sculptor."),
    ("quantity", "and for either or",
     "The patient has asthma and bronchitis.", "The patient has either asthma or bronchitis."),
    ("quantity", "one of either or",
     "The patient has asthma.", "The patient has either asthma or bronchitis."),
    ("quantity", "both and for or",
     "Both cash and cheques were stolen from the shop.",
     "Cash or cheques were stolen from the shop."),
    ("negation", "neither nor",
     "Neither the mayor nor the bishop came to the feast.",
     "The mayor and the bishop came to the feast."),
    ("negation", "and for neither nor",
     "The mayor and the bishop came to the feast.",
     "Neither the mayor nor the bishop came to the feast."),
    ("negation", "neither: one",
     "The bishop came to the feast.", "Neither the mayor nor the bishop came to the feast."),
    ("quantity", "or: long",
     "The train stops at the castle and at the harbour.",
     "The train stops at the castle or at the harbour."),
    ("quantity", "both for one of",
     "Both of the pilots survived the crash.", "One of the pilots survived the crash."),
    ("quantity", "one of either or, second",
     "The patient has bronchitis.", "The patient has either asthma or bronchitis."),
]  # fmt: skip

# What is tried, statement, passage.
SAME = [
    ("or for and", "The box holds pens or pencils.", "The box holds pens and pencils."),
    ("or, same",
     "The prize was given to a sculptor or a painter.",
     "The prize was given to a painter or a sculptor."),
    ("and, same",
     "The patient has bronchitis and asthma.", "The patient has asthma and bronchitis."),
    ("and: one of two", "The patient has asthma.", "The patient has asthma and bronchitis."),
    ("not or", "The box holds no pens and no pencils.", "The box does not hold pens or pencils."),
    ("neither, both not",
     "The mayor and the bishop did not come to the feast.",
     "Neither the mayor nor the bishop came to the feast."),
    ("neither, one",
     "The bishop did not come to the feast.",
     "Neither the mayor nor the bishop came to the feast."),
    ("neither, same",
     "Neither the bishop nor the mayor came.",
     "Neither the mayor nor the bishop came to the feast."),
    ("or for choice", "You can pay by card and by cheque.", "You can pay by card or by cheque."),
    ("either, same",
     "The patient has asthma or bronchitis.", "The patient has either asthma or bronchitis."),
    ("both", "Both the mayor and the bishop came.", "The mayor and the bishop came to the feast."),
    ("or: whole class",
     "Children and adults with asthma or bronchitis are treated here.",
     "Children and adults with bronchitis or asthma are treated here."),
    ("or, other things",
     "The patient has a cough, a fever and pain.",
     "The patient has influenza or pain, a cough and a fever."),
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
