"""What a rewriting of a paragraph may change, and that it never has words of its own."""

import re

from hypothesis import given
from hypothesis import strategies as st

from citeguard.library.rewriting import RawText, Rejection, Rewriting, rewrite
from rows import each_row


def rewritten(raw: str, proposed: str) -> Rewriting | Rejection:
    """Rewrite a text as a whole."""
    return rewrite(RawText(raw), 0, len(raw), proposed)


def text_of(raw: str, proposed: str) -> str:
    found = rewritten(raw, proposed)
    assert isinstance(found, Rewriting), found
    return found.text


def cause_of(raw: str, proposed: str) -> str:
    found = rewritten(raw, proposed)
    assert isinstance(found, Rejection), found
    return found.cause


class TestRepairs:
    @each_row(
        ("raw", "proposed", "text"),
        [
            ("The notice\nperiod.", "The notice period.", "The notice period."),
            ("The re-\nsult is in.", "The result is in.", "The result is in."),
            ("The re- sult is in.", "The result is in.", "The result is in."),
            ("The re\u00adsult is in.", "The result is in.", "The result is in."),
            ("The re\u0002\nsult is in.", "The result is in.", "The result is in."),
            ("A well-\nknown fact.", "A well-known fact.", "A well-known fact."),
            ("It was deve loped ofthe house.", "It was developed of the house.", None),
            ("It isnot so.", "It is not so.", "It is not so."),
            ("One para-\n\ngraph.", "One paragraph.", "One paragraph."),
            ("One. Two.", "One.\n\nTwo.", "One.\n\nTwo."),
            ("signi\ufb01cant e\ufb00ect", "significant effect", "significant effect"),
            ("They said “yes”.", 'They said "yes".', "They said “yes”."),
            ("in 2010–\n2015", "in 2010–2015", "in 2010–2015"),
            ("against COVID-\n19", "against COVID-19", "against COVID-19"),
            ("• one\n• two", "- one\n- two", "• one\n• two"),
            ("It is bold.", "It is **bold**.", "It is bold."),
            ("It is plain ,\nthey say .", "It is plain, they say.", "It is plain, they say."),
            ("Cafe\u0301 closed.", "Café closed.", "Cafe\u0301 closed."),
            ("日本\n語です。", "日本語です。", "日本語です。"),
        ],
    )
    def test_are_accepted(self, raw: str, proposed: str, text: str | None) -> None:
        assert text_of(raw, proposed) == (text or proposed)

    def test_restore_headings(self) -> None:
        found = rewritten("Results\nIt rains.", "## Results\n\nIt rains.")
        assert isinstance(found, Rewriting)
        assert (found.text, found.headings) == ("Results\n\nIt rains.", [(2, 0, 7)])

    def test_do_not_make_a_heading_of_a_paragraph(self) -> None:
        paragraph = "It rains and rains. " * 12
        found = rewritten(paragraph, f"# {paragraph}")
        assert isinstance(found, Rewriting)
        assert (found.text, found.headings) == (paragraph.strip(), [])


class TestFurniture:
    def test_goes_where_pages_show_it(self) -> None:
        page = "It rains in the hills and in the valleys. " * 30
        raw = f"{page}\n\n7\n\n{page}\n\n8\n\n{page}"
        at = raw.index("7")
        found = rewrite(RawText(raw), at, at + 1, "")
        assert isinstance(found, Rewriting)
        assert found.text == ""

    @each_row(
        ("raw", "proposed"),
        [
            ("Total\n12\nApples and pears", "Total\nApples and pears"),
            ("Population\nNew York\n12\nBoston\n13", "Population\nBoston\n13"),
            ("It rains.\n\n12\n\nIt pours.", "It rains.\n\nIt pours."),
            ("one of a high-\nand low key\nremark he made", "one of a highremark he made"),
            ("Yes\nNo\nYes\nYes\nNo", "Yes\nNo\nYes\nNo"),
        ],
    )
    def test_is_not_what_only_looks_like_it(self, raw: str, proposed: str) -> None:
        found = rewritten(raw, proposed)
        assert isinstance(found, Rejection)
        assert found.cause == "words"


class TestChanges:
    @each_row(
        ("raw", "proposed", "reason"),
        [
            ("It rose by 31%.", "It rose by 30%.", "number: “30” for “31”"),
            ("It was not approved.", "It was approved.", "negation: “” for “not”"),
            ("Li met Farrar.", "Li met Suzuki.", "name: “Suzuki” for “Farrar”"),
            ("It rained.", "It rained. It will rain.", "qualifier: “It will rain” for “”"),
            ("It rained a lot.", "It rained.", "word: “” for “a lot”"),
            ("He said “yes” to it.", "He said yes to it.", "signs differ at “He said yes to it.”"),
            ("The US agreed.", "The us agreed.", "case: “us” for “US”"),
            ("Let's eat, Anna.", "Let's eat Anna.", "signs differ at “Let's eat Anna.”"),
            ("Smith (1999) ran [3].", "Smith (1999) ran.", "signs differ at “Smith (1999) ran.”"),
            ("about 10⁵ reads", "about 105 reads", "number: “105” for “10⁵”"),
            ("an eror", "an error", "signs differ at “an error”"),
        ],
    )
    def test_are_refused_and_named(self, raw: str, proposed: str, reason: str) -> None:
        found = rewritten(raw, proposed)
        assert isinstance(found, Rejection)
        assert (found.cause, found.reason.removeprefix("letters or ")) == ("words", reason)

    @each_row(
        ("raw", "proposed"),
        [
            ("It rose by 10 5 mg.", "It rose by 105 mg."),
            ("It rose by 105 mg.", "It rose by 10 5 mg."),
            ("It rose by 1. 5 mg.", "It rose by 1.5 mg."),
            ("so x - 5 is", "so x -5 is"),
            ("in 10,\n000 cases", "in 10,000 cases"),
            ("It was not able.", "It was notable."),
            ("It was notable.", "It was not able."),
            ("every day life", "everyday life"),
            ("an in valid pass", "an invalid pass"),
            ("keiner kommt, kein er, nein er", "kein er kommt, kein er, nein er"),
            ("der Heng Li", "der HengLi"),
        ],
    )
    def test_of_where_words_begin_are_refused(self, raw: str, proposed: str) -> None:
        assert cause_of(raw, proposed) == "spacing"

    @each_row(
        ("raw", "proposed"),
        [
            ("A rose.\n\nB fell.\n\nC stood.", "C stood.\n\nA rose.\n\nB fell."),
            ("the dog bit\nthe man and\nran away", "the man and\nthe dog bit\nran away"),
            ("short-\nand long", "shortand long"),
            ("the two-\nthirds rule", "the twothirds rule"),
            ("so no-\none came", "so noone came"),
            ("It rains.", "It rains. It rains."),
            ("It rains.", "#"),
        ],
    )
    def test_of_order_and_of_compounds_are_refused(self, raw: str, proposed: str) -> None:
        assert cause_of(raw, proposed) == "words"


class TestAnyProposal:
    @given(
        st.text("ab -\n1.\u00ad\ufb01“#*", min_size=1, max_size=40),
        st.text('ab -\n1.fi"#*', max_size=40),
    )
    def test_adds_no_character(self, raw: str, proposed: str) -> None:
        found = rewritten(raw, proposed)
        if isinstance(found, Rewriting):
            assert_is_made_of(raw, found)

    @given(st.text("ab é-\n1.\u00ad\ufb01“#*\u0301\u200b", min_size=1, max_size=60))
    def test_that_is_the_raw_text_is_accepted(self, raw: str) -> None:
        if re.search(r"[ab1]", raw):
            found = rewritten(raw, raw)
            assert isinstance(found, Rewriting), found
            assert_is_made_of(raw, found)


def assert_is_made_of(raw: str, found: Rewriting) -> None:
    """Check that all but white space comes from the raw text, in order."""
    assert len(found.origins) == len(found.text)
    for char, origin in zip(found.text, found.origins, strict=True):
        own = raw[origin].replace("\u00ad", "-")
        assert char.isspace() if origin < 0 else char.replace("\u00ad", "-") == own or own == "ﬁ"
    used = [origin for origin in found.origins if origin >= 0 and raw[origin] != "ﬁ"]
    assert used == sorted(set(used))
