"""Tokens, in which typography is folded and meaning is not; lengths in letters and digits."""

from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.language.tokens import has_words, is_long_enough, length_of, tokenize

SAME = [
    ("It is so", "it IS So"),  # case
    ("isn't", "isn’t"),  # curly apostrophe
    ("isn't", "isnʼt"),  # letter apostrophe
    ("“so”, he said…", '"so", he said...'),  # quotation marks and ellipsis
    ("so - here", "so — here"),  # dash between words
    ("well-known", "well‐known"),  # hyphen glyph
    ("-5", "−5"),  # minus sign
    ("H₂O and Ca(OH)₂", "H2O and Ca(OH)2"),  # indices of a formula
    ("10-20", "10–20"),  # range with an en dash
    ("10-20", "10—20"),  # range with an em dash
    ("1,250", "1250"),  # thousands comma
    ("1250000", "1\u202f250\u00a0000"),  # thousands thin space
    ("0.5", ".5"),  # leading zero
    ("½", "1/2"),  # fraction
    ("6½", "6 1/2"),  # mixed fraction
    ("café", "cafe\u0301"),  # NFC and NFD
    ("ﬁnal", "final"),  # ligature
    ("Ｔｅｎ１０", "Ten10"),  # full width
    ("deve-\nloped", "developed"),  # hyphen at a line break
    ("deve\u00adloped", "developed"),  # soft hyphen
    ("deve\u00ad\nloped", "developed"),  # soft hyphen at a line break
    ("deve¬\nloped", "developed"),  # logical not at a line break
    ("a\u200bb", "ab"),  # zero width space
    ("salt & pepper", "salt and pepper"),  # ampersand
    ("salt &amp; pepper", "salt & pepper"),  # entity
    ("<b>so</b>", "so"),  # tag
    ("**so** _it_ `is`", "so it is"),  # emphasis
    ("[page](http://x.org/a)", "page"),  # link
    ("m<sup>2</sup>", "m²"),  # raised by a tag
    ("10<sup>-5</sup>", "10^-5"),  # typed powers
    ("5 cm−1", "5 cm⁻¹"),  # a unit's power
    ("10x faster", "10× faster"),  # times
    ("[x] done", "☑ done"),  # a box
    ("=\u0338", "≠"),  # a stroke
    ("œuvre", "oeuvre"),  # oe
    ("٣٤", "34"),  # Arabic digits
    ("الكِتَاب", "الكتاب"),  # Arabic vowel signs
    ("日本 語", "日本語"),  # space between ideographs
    ("5 %", "5%"),  # space before percent
    ("100°C", "100 °C"),  # space before degrees
    ("(a) b", "a b"),  # round brackets
    ("* item", "item"),  # bullet
    ("- item", "item"),  # dash bullet
    ("# Title\n=====", "Title"),  # headings
]
DIFFERENT = [
    ("5", "-5"),  # minus
    ("5 to", "−5 to"),  # minus glyph
    ("$5", "5"),  # currency
    ("$5", "€5"),  # currencies
    ("-$5", "$5"),  # minus before a currency
    ("−\n5", "5"),  # minus at the end of a line
    ("−**5**", "**5**"),  # minus before emphasis
    ("x - y", "x y"),  # difference
    ("A−", "A"),  # grade
    ("1e-5", "1e5"),  # power of ten
    ("cm−1", "cm1"),  # power of a unit
    ("=\u0338", "="),  # stroke
    ("0.3\u0305", "0.3"),  # bar
    ("⌊x⌋", "x"),  # floor
    ("[ ] done", "[x] done"),  # boxes
    ("`[^ab]`", "`[ab]`"),  # a class of characters
    ("5%", "5"),  # percent
    ("5%", "5‰"),  # per mille
    ("5°", "5"),  # degrees
    ("1.5", "15"),  # decimal point
    ("1,5", "15"),  # decimal comma
    ("1.250", "1250"),  # three decimals
    ("1:2", "12"),  # ratio
    ("3-2", "32"),  # score
    ("10-20", "10 20"),  # range
    ("1/2", "12"),  # slash
    ("x²", "x2"),  # square and index
    ("10⁶", "106"),  # power
    ("10²", "10₂"),  # power and base
    ("10₂", "102"),  # base
    ("10₂", "10 2"),  # base
    ("10⁶", "10⁻⁶"),  # sign of a power
    ("10^6", "106"),  # caret
    ("p < 5", "p > 5"),  # less and greater
    ("p < 0.05", "p 0.05"),  # less
    ("p = 5", "p 5"),  # equals
    ("≤ 5", "≥ 5"),  # at most and at least
    ("± 5", "5"),  # plus or minus
    ("~5", "5"),  # about
    ("+5", "5"),  # plus
    ("C++", "C"),  # C++
    ("2*3", "23"),  # times
    ("wurde", "würde"),  # umlaut
    ("Maße", "Masse"),  # sharp s
    ("µm", "m"),  # micro
    ("don't", "dont"),  # apostrophe
    ("5′", "5″"),  # feet and inches
    ("is", "isn't"),  # contracted negation
    ("日本", "日木"),  # ideographs
]


def keys(text: str) -> list[str]:
    return [token.key for token in tokenize(text)]


class TestKeys:
    def test_fold_typography(self) -> None:
        for one, other in SAME:
            assert keys(one) == keys(other) != []

    def test_keep_meaning(self) -> None:
        for one, other in DIFFERENT:
            assert keys(one) != keys(other)

    def test_of_what_says_nothing(self) -> None:
        for text in ["", " \n", "…", "“ — ” . , ; !", "\u200b", "* * *", "---", "===="]:
            assert keys(text) == []

    def test_by_hand(self) -> None:
        for text, expected in [
            ("It isn’t −1,250.0 mg.", ["it", "isn't", "-", "1250.0", "mg"]),
            ("a 3–2 win", ["a", "3", "-", "2", "win"]),
            ("from $1.5 million", ["from", "$", "1.5", "million"]),
            ("25°C (77 °F)", ["25", "°", "c", "77", "°", "f"]),
            ("東京2020", ["東", "京", "2020"]),
            ("on 2020-01-31 at 10:30", ["on", "2020", "-", "01", "-", "31", "at", "10", ":", "30"]),
            ("and/or", ["and", "or"]),
            ("12,34", ["12,34"]),
        ]:
            assert keys(text) == expected


class TestTokens:
    def test_name_their_place(self) -> None:
        for text, words in [
            ("It isn’t so", ["It", "isn’t", "so"]),  # words
            ("caf&eacute; x", ["caf&eacute;", "x"]),  # entity in a word
            ("deve-\nloped x", ["deve-\nloped", "x"]),  # hyphenation
            ("6½ x", ["6", "½", "½", "½", "x"]),  # a fraction's three tokens
            ("a[12] x", ["a", "[12]", "x"]),  # mark
            ("\U0001d4d0 x", ["\U0001d4d0", "x"]),  # astral
            ("10 <sup>6</sup>", ["10", "<sup>6</sup>"]),  # tag
        ]:
            assert [text[token.start : token.end] for token in tokenize(text)] == words

    def test_say_their_kind(self) -> None:
        for text, kind in [
            ("word", "word"),
            ("1,250", "number"),
            ("$", "symbol"),
            ("字", "character"),
            ("か", "character"),
            ("a[1]", "mark"),
        ]:
            assert tokenize(text)[-1].kind == kind

    def test_keep_the_case_in_their_text(self) -> None:
        assert [token.text for token in tokenize("The ＵＳ isn’t")] == ["The", "US", "isn't"]

    def test_say_whether_they_stand_in_brackets(self) -> None:
        for text, bracketed in [
            ("[He] said", [True, False]),
            ("He [John] said", [False, True, False]),
            ("[a", [False]),
            ("a] b", [False, False]),
        ]:
            assert [token.bracketed for token in tokenize(text)] == bracketed

    def test_of_a_mark_have_its_words_as_key(self) -> None:
        assert keys("as shown [12, 13]") == ["as", "shown", "[12, 13]"]

    @settings(derandomize=True)
    @given(text=st.text(max_size=60))
    def test_lie_in_the_text_in_order(self, text: str) -> None:
        position = 0
        for token in tokenize(text):
            assert position <= token.start < token.end <= len(text)
            assert token.key
            position = token.start

    @settings(derandomize=True)
    @given(
        words=st.lists(
            st.sampled_from("alpha Beta 12 1,250 isn't $ % 字 -5 5-6 mg".split()), max_size=8
        )
    )
    def test_do_not_depend_on_white_space(self, words: list[str]) -> None:
        assert keys(" ".join(words)) == keys("\n".join(words)) == keys("  ".join(words))


LENGTHS = [
    ("", 0),  # nothing
    (" \n\t\u00a0\u200b", 0),  # spaces
    ("… — “”!?_", 0),  # punctuation
    ("👍🏽", 0),  # emoji
    ("\ud800", 0),  # half a surrogate pair
    ("abcd", 4),  # letters
    ("a b, c!d", 4),  # letters apart
    ("12 %", 2),  # digits
    ("x²", 2),  # superscript
    ("мир", 3),  # Cyrillic
    ("سلام", 4),  # Arabic
    ("caf\u00e9", 4),  # accent, composed
    ("cafe\u0301", 4),  # accent, decomposed
    ("東京", 4),  # ideographs
    ("𠀀", 2),  # rare ideograph
    ("ひるカナ", 8),  # kana
    ("ﾊﾝ", 4),  # halfwidth kana
    ("한국", 4),  # hangul
    ("東京。", 4),  # ideographic stop
    ("NHK会館", 7),  # two scripts
]
texts = st.one_of(st.text(max_size=30), st.text("a1東한 .!", max_size=30))


class TestLengthOf:
    def test_counts_letters_and_digits(self) -> None:
        for text, length in LENGTHS:
            assert length_of(text) == length

    @given(texts, texts)
    def test_adds_up(self, one: str, other: str) -> None:
        assert length_of(one + other) == length_of(one) + length_of(other)


class TestIsLongEnough:
    def test_takes_the_very_length(self) -> None:
        for text, length in LENGTHS:
            assert is_long_enough(text, length) is (length > 0)
            assert not is_long_enough(text, length + 1)

    @given(texts, st.integers(0, 40))
    def test_agrees_with_the_length(self, text: str, least: int) -> None:
        assert is_long_enough(text, least) is (length_of(text) >= max(1, least))

    def test_reads_no_more_than_needed(self) -> None:
        read = []

        class Watched(str):
            def __iter__(self):  # type: ignore[no-untyped-def]
                for character in super().__iter__():
                    read.append(character)
                    yield character

        assert is_long_enough(Watched("ä, bcdefgh"), 3)
        assert read == list("ä, bc")


class TestHasWords:
    def test_letters_and_digits_are_words(self) -> None:
        for text in ["a", "…1", "语", "é"]:
            assert has_words(text)

    def test_signs_and_blanks_are_none(self) -> None:
        for text in ["", "...", "\u200b", " — ", "()"]:
            assert not has_words(text)
