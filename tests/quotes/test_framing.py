"""What the sentence around a quote does to it."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from citeguard.quotes.framing import find_framing, find_limit
from hostile import hostile
from quotes.tables import accepted
from rows import each_row

CLIPS, PARTS = ((Path(__file__).parent / f"{name}.txt").read_text() for name in ("clips", "parts"))


def cut(sentence: str) -> tuple[str, int, int]:
    """Return a text without its brackets, and the interval that was in them."""
    before, rest = sentence.split("[[")
    quote, after = rest.split("]]")
    return before + quote + after, len(before), len(before) + len(quote)


def rows(table: str) -> list[tuple[str, str]]:
    lines = [line.split(" | ") for line in table.splitlines() if " | " in line]
    return [(kind, sentence) for kind, sentence in lines]


class TestFindLimit:
    @each_row(
        ("words", "text"),
        [
            ("No", "No [[employee may smoke in the storage rooms]]."),
            ("Only", "Only [[managers get a bonus at the end of the year]]."),
            ("Up to", "Up to [[50 staff will lose their jobs]]."),
            ("None of the", "None of the [[samples tested positive for lead]]."),
            ("does not", "The drug does not [[reduce the risk of a second stroke]]."),
            ("doesn’t", "The drug doesn’t [[reduce the risk of a second stroke]]."),
            ("fails to", "The alarm fails to [[protect the archive against fire]]."),
            ("ej", "[[Städning ingår i hyran]] ej."),
            ("only", "[[The library is open to the public]] only on Sundays."),
            ("except", "[[The pool is open from May to September]], except on Mondays."),
            ("No more than", "No more than [[50 staff may attend the meeting]]."),
            ("not really", "The drug is not really [[safe for children]]."),
            ("instead of", "The city cut its budget instead of [[raising taxes again]]."),
            ("n't", "You should**n't** [[leave the house at night]]."),
            ("❌", "❌ [[Share your password with the team]]"),
            ("not", "[[The drug is safe for children]], not."),
            ("false", "[[The drug is safe for children]] (false)."),
            ("❌", "[[Share your password with the team]] ❌\n"),
            ("n o t", "The device is n o t [[safe for children]]."),
            ("almost", "It is almost [[as effective as the first of them]]."),
            ("All but", "All but [[two members voted for it]]."),
            ("but not", "Some, but not [[all, of the patients recovered in May]]."),
            ("Not quite", "Not quite [[all of the patients recovered in May]]."),
            ("Nicht ganz", "Nicht ganz [[alle Patienten wurden im Mai gesund]]."),
            ("Pas tout à fait", "Pas tout à fait [[tous les patients ont guéri en mai]]."),
            ("No del todo", "No del todo [[todos los pacientes sanaron en mayo]]."),
            ("Höchstens", "Höchstens [[drei Gäste dürfen das Bad benutzen]]."),
            ("Seuls", "Seuls [[les cadres reçoivent une prime en fin d'année]]."),
            ("Ни один", "Ни один [[сотрудник не может курить на складе]]."),
            ("只有", "只有[[经理在年底领取奖金]]。"),
        ],
    )
    def test_is_right_outside_the_cut(self, words: str, text: str) -> None:
        whole, start, end = cut(text)
        limit = find_limit(whole, start, end)
        assert limit is not None
        assert whole[slice(*limit)].endswith(words.split()[-1])

    @each_row(
        "text",
        [
            "[[We sell the house]], not the garden.",
            "| [[Share your password with the team]] | ❌ |",
            "* [[The key opens all three doors]]\n* only for members",
            "They were not, as a rule, [[all of them as ill as their friends]].",
            "It was not cold, [[all of the patients recovered in May]].",
            "No. 5\n[[The perfume was launched in 1921]].",
            "Allowed: yes/no\t[[The tenant pays for water]]\tnot paid",
            "It is not. [[The road was closed all winter]].",
            "- ☐ [[Write the page on the second option]]",
            "[[The whole club chose tea]] instead of coffee.",
            "[[Der Verein wählte Tee]] statt Kaffee.",
            "This is the only [[station on the line that has a roof]].",
            "[[The bridge was closed for repairs.]] Only one lane was open.",
            "[[Das Gelege besteht aus drei Eiern]], die nur vom Weibchen bebrütet werden.",
            "จะตกอยู่ในสภาวะจำยอมไม่ได้ [[ห้ามความเป็นทาสและการค้าทาส]]",
            "He walked over [[the bridge that the monks had built]].",
        ],
    )
    def test_is_of_another_clause_or_none(self, text: str) -> None:
        assert find_limit(*cut(text)) is None

    def test_a_quote_without_it_is_rejected(self) -> None:
        assert not accepted("employee may smoke", "No employee may smoke.")
        # Another occurrence is free of it.
        text = "No employee may smoke. In the yard any guest or employee may smoke."
        match = accepted("employee may smoke", text)
        assert match is not None
        assert match.span.start > 23


class TestFindFraming:
    def test_clips_are_framed_as_what_they_are(self) -> None:
        found = [
            (kind, find_framing(*cut(sentence)), find_limit(*cut(sentence)))
            for kind, sentence in rows(CLIPS)
        ]
        assert sum(bool(framing or limit) for _, framing, limit in found) >= 0.92 * len(found)
        same = [framing.kind == kind for kind, framing, _ in found if framing]
        assert sum(same) >= 0.9 * len(same)

    def test_parts_are_not_framed(self) -> None:
        parts = [cut(sentence) for _, sentence in rows(PARTS)]
        assert sum(bool(find_framing(*part)) for part in parts) <= 0.03 * len(parts)

    @each_row(
        ("kind", "text"),
        [
            ("attributed", "[[The dam is safe]], stressed the owner."),
            ("asked", "Add salt. ¿[[Conviene añadir sal al agua]]? Pruebe."),
            ("asked", "He ran. [[The council will repay the loan]]? No."),
            ("conditional", "It rained. 4. If the light blinks, [[the filter is full of dust]]."),
            ("conditional", "Dr. Lee came. If it rains, [[the match is played on Monday]]. So."),
            # Markup and the marks of items hide no frame.
            ("conditional", "• Take one a day.\n• If you are ill, [[the dose is halved]].\n"),
            ("conditional", "4.4 Jeżeli pompa nie działa, [[wylej wodę ze zbiornika]]."),
            (
                "asked",
                "0:30.0 --> 0:33.2\n<v Margot><i>Est-ce que [[maman est au courant]] ?</i>\n",
            ),
            ("conditional", "[[Sie können zweimal verlängern]], <em>es sei denn</em>, es eilt."),
            ("attributed", "Sebagian analis mem\u00adperkirakan [[harga minyak akan turun]]."),
            # A condition that precedes its clause, whatever is before it and between both.
            ("conditional", "However, if the lamp is red, [[do not open the door]]."),
            ("conditional", "If the device is wet — [[do not use it]]."),
            ("conditional", "If the lamp in the hall is red [[do not open the door]]."),
            ("conditional", "Except on Sundays, [[the library is open to all]]."),
            ("conditional", "[[Tenants may not keep a pet]] without written consent."),
            (
                "conditional",
                "Hvis tilvalget\n   -j gives uden tal, [[vil make ikke vente på det]].",
            ),
            ("conditional", "Si pasa del <em>número</em>, [[esta indicación no vale]]."),
            ("denied", "Nośniki te nie są [[wystarczająco pojemne na archiwum]]."),
            ("denied", "La commissione non ha [[approvato il nuovo bilancio]]."),
            # In marks of quotation.
            ("attributed", "The old belief “[[the lake is of ice]]” has many friends."),
            ("attributed", "The old belief &ldquo;[[the lake is of ice]]&rdquo; has friends."),
        ],
    )
    def test_frames(self, kind: str, text: str) -> None:
        framing = find_framing(*cut(text))
        assert framing is not None
        assert framing.kind == kind

    @each_row(
        "text",
        [
            "Il ne fait aucun doute que [[la lettre fut écrite à Leyde]].",  # a denied doubt
            "Es gibt nicht den geringsten Zweifel, dass [[der Brief echt ist]].",
            "[[A third chapel was built]], added in 1890 by the monks.",  # no speaker
            "By May [[2003 the company had moved]] to York.",  # words of two meanings
            "وقد [[بلغ عدد سكان المدينة عشرين ألفا]] عام 1990.",
            "Кроме того, [[в городе есть музей и театр]].",
            "Om boken: [[den handlar om livet på landet]] i början av seklet.",
            "[[The drug is safe.]] Whether it sells is another question.",  # other sentences
            "It is false that the drug is safe. [[It is sold in every city.]]",
            "int f(void) {\n  [[return errno = EINVAL, -1;]]\n  if (n > 3) return 0;\n}",
            "[[वह तीन साल बाद घर लौट आया।]] उसे काम नहीं मिला।",
            "[09:19] Ann: if it rains, no\n[09:21] Bo: [[the trip is free for all]]",
            '{"note": "[[The dam is safe for now]]\\nand dry."}',
            'said,that\n"The owner claims","[[the dam is safe for now]]"\n',
            "Nav taisnība, ka [[zāles bērniem ir drošas]].",  # no tables for the language
        ],
    )
    def test_no_frame(self, text: str) -> None:
        assert find_framing(*cut(text)) is None

    def test_whole_sentences_are_not_framed(self) -> None:
        for _, sentence in rows(CLIPS):
            text, _, _ = cut(sentence)
            assert find_framing(text, 0, len(text)) is None, text

    def test_says_where_the_words_are(self) -> None:
        text, start, end = cut("He left.  The firm\nclaims that [[the drug is safe]].")
        framing = find_framing(text, start, end)
        assert framing is not None
        assert (framing.kind, framing.words) == ("attributed", "The firm claims that")
        assert " ".join(text[slice(*framing.span)].split()) == framing.words

    def test_of_letters_that_grow_in_lower_case(self) -> None:
        text, start, end = cut("İİİ: Eğer [[ilaç çocuklar için güvenli ise]], satışa çıkacak.")
        framing = find_framing(text, start, end)
        assert framing is not None
        assert text[slice(*framing.span)] == "Eğer"

    @given(hostile, st.integers(0, 60), st.integers(0, 60))
    def test_bears_any_text(self, text: str, start: int, length: int) -> None:
        start = min(start, len(text))
        framing = find_framing(text, start, min(len(text), start + length))
        assert framing is None or framing.words == " ".join(text[slice(*framing.span)].split())
