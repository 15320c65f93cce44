from hypothesis import given
from hypothesis import strategies as st

from citeguard.reports.page import Change, changes_of
from citeguard.reports.report import CheckedClaim, Correction, Replacement
from page.page_samples import claim, everything


def _corrected(text: str, *swaps: tuple[int, int, str]) -> CheckedClaim:
    replacements = tuple(Replacement(start=low, end=high, text=new) for low, high, new in swaps)
    correction = Correction(claim="", sentence="", replacements=replacements)
    return claim(1, text, text, "contradicted", correction=correction)


def _read(changes: list[Change], *kinds: str) -> str:
    return "".join(words for kind, words in changes if kind in kinds)


class TestChangesOf:
    def test_are_of_the_words_of_the_sentence(self) -> None:
        report = everything()
        assert changes_of(report.text, report.claims[1]) == [
            ("kept", "The institute was founded in "),
            ("removed", "1985"),
            ("added", "1984"),
            ("kept", " by Marta Lindqvist"),
        ]

    @given(st.data(), st.text("ab/( .九[", min_size=1, max_size=40))
    def test_read_as_the_sentence_before_and_after(self, data: st.DataObject, text: str) -> None:
        borders = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
        new = st.text("xy (", max_size=4)
        pairs = zip(borders[::2], borders[1::2], strict=False)
        swaps = [(low, high, data.draw(new)) for low, high in pairs]
        after, at = "", 0
        for low, high, words in swaps:
            after, at = after + text[at:low] + words, high
        changes = changes_of(text, _corrected(text, *swaps))
        assert _read(changes, "kept", "removed") == text
        assert _read(changes, "kept", "added") == after + text[at:]
