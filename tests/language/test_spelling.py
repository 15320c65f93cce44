"""A slip is forgiven only where one of the two spellings is no word."""

from citeguard.language.spelling import is_english_word, is_slip

SLIPS = [
    ("recieve", "receive"),
    ("goverment", "government"),
    ("occured", "occurred"),
    ("seperate", "separate"),
    ("enviroment", "environment"),
    ("accomodation", "accommodation"),
    ("definately", "definitely"),
    ("begining", "beginning"),
    ("becuase", "because"),
    ("receive", "recieve"),
]
OTHER_WORDS = [
    ("contract", "contact"),
    ("trail", "trial"),
    ("causal", "casual"),
    ("united", "untied"),
    ("hypotension", "hypertension"),
    ("intestate", "interstate"),
    ("affect", "effect"),
    ("prescribe", "proscribe"),
    ("public", "pubic"),
    ("marital", "martial"),
    ("form", "from"),
    ("allusion", "illusion"),
]


def judged(quoted: str, source: str) -> bool:
    known = {"quoted_known": is_english_word(quoted), "source_known": is_english_word(source)}
    return is_slip(quoted, source, **known)


class TestIsSlip:
    def test_where_one_is_no_word(self) -> None:
        for quoted, source in SLIPS:
            assert judged(quoted, source)

    def test_never_where_both_are_words(self) -> None:
        for quoted, source in OTHER_WORDS:
            assert not judged(quoted, source)

    def test_never_too_far(self) -> None:
        for quoted, source in [
            ("cet", "cat"),  # too short
            ("recxxve", "receive"),  # two edits in a short word
            ("governmentxyz", "government"),  # three edits
            ("frobnicate5", "frobnicate"),  # a digit
        ]:
            assert not is_slip(quoted, source, quoted_known=False, source_known=True)

    def test_never_of_an_affix(self) -> None:
        for quoted, source in [
            ("frobnicates", "frobnicate"),  # inflection
            ("unfrobnicate", "frobnicate"),  # negating prefix
            ("hyperfrobosis", "hypofrobosis"),  # opposite prefixes
            ("prefrobal", "postfrobal"),  # before and after
            ("methylfrob", "ethylfrob"),  # two chemicals
        ]:
            assert not is_slip(quoted, source, quoted_known=False, source_known=True)

    def test_never_of_two_unknown_words(self) -> None:
        for quoted, source in [
            ("frobniccate", "frobnicate"),  # doubled: "Phillips" and "Phillipps" are two names
            ("frobnikate", "frobnicata"),  # at the end
            ("drobnicate", "frobnicate"),  # at the start
            ("frobs", "frabs"),  # short
            ("frxbnixate", "frobnicate"),  # twice
        ]:
            assert not is_slip(quoted, source, quoted_known=False, source_known=False)


class TestIsEnglishWord:
    def test_true(self) -> None:
        for word in ["an", "aardvark", "government", "color", "colour", "zygote"]:
            assert is_english_word(word)

    def test_false(self) -> None:
        for word in [
            "",
            "goverment",
            "xqzt",
            "\n",
            "zzzzzz",
            "aaaa",
            "naïve!",
            "Government",
            "\ud800",
            "日本",
        ]:
            assert not is_english_word(word)
