from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeguard import (
    AlignmentQuestion,
    Answer,
    CiteguardError,
    Evidence,
    JudgeFailedError,
    MemoryCache,
    Outcome,
    Policy,
    Sources,
    Span,
    SupportQuestion,
    Verdict,
    verify,
)
from citeguard.judges.short_answers import ShortAnswers
from citeguard.judges.short_answers.compare import Agreement, compare_answers
from citeguard.judges.short_answers.extractor import FoundAnswer, LexicalExtractor, candidates
from citeguard.judges.short_answers.kinds import AnswerKind, Asked, asked_for
from citeguard.judges.short_answers.yes_no import find_yes_or_no
from citeguard.testing import ScriptedJudge
from rows import each_row
from tiny_entailment import save_question_answering

NOTICE = "The notice period is one month. It does not apply during probation."
HOW_LONG = "How long is the notice period?"
KINDS: list[AnswerKind] = ["number", "date", "person", "place", "name", "phrase"]
QUESTIONS = ["Who led it?", "When?", "How many were there?", "Is it so?", "What is it?", "Why?", ""]

S: Outcome = "supported"
C: Outcome = "contradicted"
U: Outcome = "undecided"


def about(statement: str, *texts: str) -> SupportQuestion:
    evidence = (Evidence(text=text, source_id=str(n)) for n, text in enumerate(texts, 1))
    return SupportQuestion(statement=statement, evidence=tuple(evidence))


def judged(question: str, statement: str, *texts: str, **settings: Any) -> Verdict:
    (verdict,) = ShortAnswers(question=question, **settings).judge([about(statement, *texts)])
    return verdict


class TestAskedFor:
    @each_row(
        ("question", "kind"),
        [
            ("Who led the Panthers in sacks?", "person"),
            ("By whom was it written?", "person"),
            ("When did it close?", "date"),
            ("In what year did it close?", "date"),
            ("Which century was that?", "date"),
            ("Where was he born?", "place"),
            ("What is the capital of Norway?", "place"),
            ("In which city is it?", "place"),
            ("How many employees resigned?", "number"),
            ("How long is the notice period?", "number"),
            ("How old was she?", "number"),
            ("What percentage was paid?", "number"),
            ("What is the population of Oslo?", "number"),
            ("Which company built it?", "name"),
            ("What is the name of the ship?", "name"),
            ("What did the Queen open?", "phrase"),
            ("He is known for creating which company?", "name"),
            ("The man who wrote it was born in what year?", "date"),
            ("Is the drug safe?", "yes_no"),
            ("Can visitors enter without a badge?", "yes_no"),
            ("Is Anna or Berta the elder?", "open"),
            ("Which is older, Anna or Berta?", "open"),
            ("Were both of them American?", "open"),
            ("Why did it close?", "open"),
            ("How does it work?", "open"),
            ("Do you know who did it?", "open"),
            ("Who was it? And when?", "open"),
            ("Explain what it does.", "open"),
            ("Tell me.", "open"),
            ("", "open"),
            ("为什么？", "open"),
        ],
    )
    def test_tells_the_kind(self, question: str, kind: AnswerKind) -> None:
        assert asked_for(question).kind == kind

    def test_tells_what_is_counted(self) -> None:
        assert asked_for("How many more employees?") == Asked(kind="number", unit="employe")


class TestCandidates:
    @each_row(
        ("kind", "text", "found"),
        [
            ("number", "It took 3 weeks and $5 million, or 12%.", ["3 weeks", "$5 million", "12%"]),
            ("number", "In 1990, B12 was sold to twenty-five people.", ["twenty-five"]),
            ("number", "Chapter 3.1.4 of 2016-02-07", []),
            ("date", "It may rain on 7 May 2016 or in the 1990s.", ["7 May 2016", "1990s"]),
            ("name", "On 7 May 2016 the Denver Broncos won.", ["Denver Broncos"]),
            ("person", "An actor in Rome met Marie Curie.", ["Rome", "Marie Curie"]),
            (
                "name",
                "She studied at the University of the Pacific.",
                ["University of the Pacific"],
            ),
            ("name", "The rain fell.", []),
            ("phrase", "It was of white marble, by hand.", ["white marble", "hand"]),
            ("open", "Anything at all in 1990.", []),
        ],
    )
    def test_by_shape(self, kind: AnswerKind, text: str, found: list[str]) -> None:
        spans = candidates(text, kind)
        assert [text[slice(*span)] for span in spans] == found

    @given(st.text(max_size=200), st.sampled_from(KINDS))
    def test_are_not_empty_and_in_the_text(self, text: str, kind: AnswerKind) -> None:
        for start, end in candidates(text, kind):
            assert 0 <= start < end <= len(text)


class TestCompareAnswers:
    @each_row(
        ("kind", "stated", "found", "agreement"),
        [
            ("number", "twenty-five", "25", "same"),
            ("number", "1,000", "1000 people", "same"),
            ("number", "3.5 million", "3,500,000", "same"),
            ("number", "12 months", "one year", "same"),
            ("number", "two months", "one month", "different"),
            ("number", "one year", "one month", "different"),
            ("number", "30 days", "one month", "unclear"),
            ("number", "5 km", "5 kg", "unclear"),
            ("number", "20 °C", "68 °F", "same"),
            ("number", "20 °C", "20 °F", "different"),
            ("number", "5 litres", "500 ml", "different"),
            ("number", "5%", "5", "same"),
            ("number", "$5", "€5", "unclear"),
            ("number", "twice", "2", "same"),
            ("date", "2016", "7 February 2016", "same"),
            ("date", "7 February 2016", "2016", "unclear"),
            ("date", "February 7, 2016", "7 Feb. 2016", "same"),
            ("date", "8 February 2016", "7 February 2016", "different"),
            ("date", "2015", "February 2016", "different"),
            ("date", "1990s", "1995", "same"),
            ("date", "the 19th century", "the nineteenth century", "same"),
            ("person", "Curie", "Marie Curie", "same"),
            ("person", "Dr. Marie Curie", "Marie Curie", "same"),
            ("person", "Pierre Curie", "Marie Curie", "unclear"),
            ("person", "Ada Lovelace", "Marie Curie", "different"),
            ("person", "Marie", "Marie and Pierre", "unclear"),
            ("name", "British-American", "American", "different"),
            ("phrase", "the white marble", "white marbles", "same"),
            ("phrase", "black marble", "white marble", "unclear"),
            ("phrase", "sand", "white marble", "different"),
            ("phrase", "", "white marble", "unclear"),
        ],
    )
    def test_by_kind(self, kind: AnswerKind, stated: str, found: str, agreement: Agreement) -> None:
        assert compare_answers(stated, found, kind) == agreement

    @given(st.sampled_from(KINDS), st.text(max_size=40), st.text(max_size=40))
    def test_no_answer_differs_from_itself(self, kind: AnswerKind, one: str, other: str) -> None:
        assert compare_answers(one, one, kind) != "different"
        forth = compare_answers(one, other, kind)
        assert (forth == "different") == (compare_answers(other, one, kind) == "different")

    @given(st.integers(0, 10**9), st.integers(0, 10**9))
    def test_numbers_are_the_same_if_they_are_equal(self, one: int, other: int) -> None:
        agreement: Agreement = "same" if one == other else "different"
        assert compare_answers(f"{one:,}", str(other), "number") == agreement


class TestYesOrNo:
    @each_row(
        ("question", "text", "yes"),
        [
            ("Is the drug safe for children?", "The drug is safe for children.", True),
            ("Is the drug safe for children?", "The drug is not safe for children.", False),
            ("Is the drug safe for children?", "The drug is safe for adults.", None),
            ("Is smoking allowed?", "Smoking is prohibited.", False),
            ("Is the deposit refundable?", "The deposit is refundable only in May.", None),
            ("Is the deposit refundable?", "The deposit may be refundable.", None),
            ("Is the deposit refundable?", "Is the deposit refundable? Ask us.", None),
            ("Do all members vote?", "Some members vote.", None),
            ("Isn't the drug safe?", "The drug is safe.", None),
            ("Is the drug not safe?", "Yes.", None),
            ("Is the drug safe?", "Yes, it is.", True),
            ("Is the drug safe?", "No.", False),
            ("Is the drug safe?", "No drug is safe. It is known.", False),
            ("Is the drug safe?", "No actors were there.", None),
            ("Is the drug safe?", "Yes, unless you are ill.", None),
            ("Is the drug safe?", "Yes. The drug is not safe.", None),
            ("Is the drug safe?", "", None),
        ],
    )
    def test_is_told_or_unclear(self, question: str, text: str, yes: bool | None) -> None:
        found = find_yes_or_no(question, text)
        assert (None if found is None else found.yes) == yes

    def test_first_word_of_a_passage_answers_another_question(self) -> None:
        assert find_yes_or_no("Is the drug safe?", "No, they said.", reply=False) is None


class TestLexicalExtractor:
    @each_row(
        ("question", "passage", "answer"),
        [
            (HOW_LONG, NOTICE, "one month"),
            ("When did it close?", "It opened in 1969. It closed in 1990.", "1990"),
            (
                "Who led the team in sacks?",
                "Ann Lee led the team in sacks. Bo Ray watched.",
                "Ann Lee",
            ),
            ("Where was Ada born?", "Ada was born in London and died in Rome.", "London"),
            ("How many people came?", "5 cars and 300 people came.", "300"),
        ],
    )
    def test_finds_what_stands_nearest(self, question: str, passage: str, answer: str) -> None:
        found = LexicalExtractor()(question, passage)
        assert found is not None
        assert found.text == answer
        assert passage[found.start : found.end] == answer

    @each_row("passage", ["", "  ", "It rained all day.", "下雨了。"])
    def test_finds_nothing_where_nothing_is(self, passage: str) -> None:
        assert LexicalExtractor()("When did it close?", passage) is None

    def test_is_surer_without_a_rival(self) -> None:
        alone = LexicalExtractor()("When did it close?", "It closed in 1990.")
        rivalled = LexicalExtractor()("When did it close?", "It closed in 1990 or 1991.")
        assert alone is not None
        assert rivalled is not None
        assert alone.score > rivalled.score

    @given(st.sampled_from(QUESTIONS), st.text(max_size=200))
    def test_answers_stand_in_the_passage(self, question: str, passage: str) -> None:
        ranked = LexicalExtractor().ranked(question, passage)
        for each in ranked:
            assert passage[each.start : each.end] == each.text
            assert 0 <= each.score < 1


class TestVerdict:
    @each_row(
        ("question", "statement", "text", "outcome"),
        [
            (HOW_LONG, "The notice period is one month.", NOTICE, S),
            (HOW_LONG, "1 month", NOTICE, S),
            (HOW_LONG, "The notice period is two months.", NOTICE, C),
            (HOW_LONG, "It is one year.", NOTICE, C),
            (HOW_LONG, "The notice period is not one month.", NOTICE, C),
            (HOW_LONG, "The notice period is long enough for all who work here.", NOTICE, U),
            (HOW_LONG, "The notice period is one month.", "Lunch is free.", U),
            (HOW_LONG, "Either one month or two months.", NOTICE, U),
            ("How does notice work?", "The notice period is one month.", NOTICE, U),
            ("Does it apply during probation?", "It applies during probation.", NOTICE, C),
            ("Does it apply during probation?", "No.", NOTICE, S),
            ("Does it apply during probation?", "Yes.", NOTICE, C),
            ("Does it apply to interns?", "Yes.", NOTICE, U),
            ("", "The notice period is one month.", NOTICE, U),
            (HOW_LONG, " ", NOTICE, U),
            (HOW_LONG, "One month.", " ", U),
        ],
    )
    def test_of_one_passage(
        self, question: str, statement: str, text: str, outcome: Outcome
    ) -> None:
        assert judged(question, statement, text).outcome == outcome

    def test_names_both_answers_and_the_sentence(self) -> None:
        verdict = judged(HOW_LONG, "It is two months.", NOTICE)
        assert verdict.score is not None
        assert verdict.score <= 0.1
        assert replace(verdict, score=None) == Verdict(
            "contradicted",
            reason='The passage answers "one month", not "two months".',
            words="The notice period is one month.",
            span=Span("1", 0, 31),
            judge="short answers",
        )

    def test_names_the_sentence_that_says_no(self) -> None:
        verdict = judged("Does it apply during probation?", "Yes.", NOTICE)
        assert verdict.reason == "The passage answers no, and the statement does not."
        assert verdict.span == Span("1", 32, 67)

    @each_row(
        ("texts", "outcome"),
        [
            (["Lunch is free.", NOTICE], S),
            (["The notice period is two months.", NOTICE], S),
            (["The notice period is two months.", "Lunch is free."], C),
            (["", NOTICE], S),
            ([], U),
        ],
        ids=["one that says", "two that differ", "one against", "one blank", "none"],
    )
    def test_of_several_passages(self, texts: list[str], outcome: Outcome) -> None:
        assert judged(HOW_LONG, "One month.", *texts).outcome == outcome

    @each_row(
        ("question", "word"),
        [(HOW_LONG, "12"), ("Who was it?", "Word,"), ("Is notice given?", "one or")],
    )
    @pytest.mark.parametrize("words", [2_000, pytest.param(10_000, marks=pytest.mark.slow)])
    def test_of_text_without_end_is_given(self, question: str, word: str, words: int) -> None:
        long = f"{word} " * words
        verdict = judged(question, long, long)
        assert verdict.outcome in (S, U)

    @given(st.sampled_from(QUESTIONS), st.text(max_size=100), st.text(max_size=200))
    def test_of_anything_stands_in_the_passage(
        self, question: str, statement: str, text: str
    ) -> None:
        verdict = judged(question, statement, text)
        if verdict.decided:
            assert verdict.span is not None
            assert text[verdict.span.start : verdict.span.end] == verdict.words
        else:
            assert verdict.reason

    @given(st.text(max_size=100))
    def test_nothing_is_supported_by_what_does_not_answer(self, statement: str) -> None:
        assert judged(HOW_LONG, statement, "Lunch is free for all.").outcome == U


GUESTS, SHOPS = "How many guests may come?", "How many shops closed?"
SCHOOLS, HURT = "How many schools closed?", "How many people were hurt?"
CEDED, GOALS = "Which country ceded the island?", "How many goals did Bob score?"
FINAL, MILL = "Who won the final?", "When did the mill close?"
OF_SCHOOLS = "12 of the 40 schools closed."
OF_GROUPS = "Five men and seven women were hurt."
OF_MILL = "Although the mill opened in 1969, it closed in 1990."

# What the passage seems to say, and does not: never supported. Then what it does say.
NOT_SAID = [
    ("at-least", GUESTS, "At least two guests may come.", "Up to two guests may come."),
    ("at-least-bare", GUESTS, "At least two.", "Up to two guests may come."),
    ("up-to", GUESTS, "Up to two guests may come.", "At least two guests may come."),
    ("exact", SHOPS, "500 shops closed.", "Fewer than 500 shops closed."),
    ("more", SHOPS, "More than 500 shops closed.", "Fewer than 500 shops closed."),
    ("although-when", MILL, "The mill closed in 1969.", OF_MILL),
    ("although-who", FINAL, "Bob Ford won the final.",
     "Although Bob Ford led at first, Ann Lee won the final."),
    ("agent", CEDED, "The island was ceded by Spain.", "France ceded the island to Spain."),
]  # fmt: skip
SAID = [
    ("up-to", GUESTS, "Up to two guests may come.", "At most two guests may come."),
    ("over", SHOPS, "Over 500 shops closed.", "More than 500 shops closed."),
    ("about", SHOPS, "About 500 shops closed.", "Some 500 shops closed."),
    ("although", HURT, "12 people were hurt.", "Although 300 people came, 12 people were hurt."),
    ("although-who", FINAL, "Ann Lee won the final.",
     "Although Bob Ford led at first, Ann Lee won the final."),
    ("although-where-asked", "When did the mill open?", "The mill opened in 1969.", OF_MILL),
    ("agent", "Who ceded it?", "It was ceded by France.", "France ceded it to Spain."),
    ("agent-passive", "Who ceded it?", "France.", "It was ceded by France to Spain."),
    ("recipient", "Which country was the island ceded to?", "Spain.",
     "France ceded the island to Spain."),
    ("agent-of-beating", "Who beat Novak?", "Novak was beaten by Keller.", "Keller beat Novak."),
    ("group", "How many men were hurt?", "Five men were hurt.", OF_GROUPS),
    ("group-bare", "How many women were hurt?", "Seven.", OF_GROUPS),
    ("one", "How many goals did Ann score?", "Ann scored 12 goals.",
     "Ann scored 12 goals and Bob 9."),
    ("thing", "How many pupils does the school have?", "The school has 500 pupils.",
     "The school has 500 pupils and 30 teachers."),
]  # fmt: skip
# True as well, and no more than left open.
LEFT_OPEN = [
    ("part", SCHOOLS, "12 schools closed.", OF_SCHOOLS),
    ("whole", "How many schools are there?", "There are 40 schools.", OF_SCHOOLS),
    ("although", MILL, "The mill closed in 1990.", OF_MILL),
    ("agent", CEDED, "The island was ceded by France.", "France ceded the island to Spain."),
    ("bound", SHOPS, "More than 500 shops closed.", "620 shops closed."),
    ("rounded", SHOPS, "About 500 shops closed.", "510 shops closed."),
]


class TestDoubtful:
    @each_row(
        ("question", "statement", "text"),
        [row[1:] for row in NOT_SAID],
        ids=[row[0] for row in NOT_SAID],
    )
    def test_keep_what_is_not_said_from_support(
        self, question: str, statement: str, text: str
    ) -> None:
        assert judged(question, statement, text).outcome in (U, C)

    @each_row(
        ("question", "statement", "text"), [row[1:] for row in SAID], ids=[row[0] for row in SAID]
    )
    def test_leave_what_is_said(self, question: str, statement: str, text: str) -> None:
        assert judged(question, statement, text).outcome == S

    @each_row(
        ("question", "statement", "text"),
        [row[1:] for row in LEFT_OPEN],
        ids=[row[0] for row in LEFT_OPEN],
    )
    def test_contradict_nothing_that_is_said(
        self, question: str, statement: str, text: str
    ) -> None:
        assert judged(question, statement, text).outcome in (U, S)


# Said of the answer is the contrary, or only what is planned, or what was once: never supported.
NOT_ASSERTED = [
    ("not-where", "Where was she born?", "In Rome.", "She was not born in Rome."),
    ("none", "How many patients died?", "12", "Of 12 patients, none died."),
    ("not-by", "Who wrote the book?", "Ann Lee.", "The book was not written by Ann Lee."),
    ("doesnt", "How many seats does the hall have?", "300.", "The hall doesn’t have 300 seats."),
    ("failed", "Who won the prize?", "Ann Lee.", "Ann Lee failed to win the prize."),
    ("no-evidence", "Where did he die?", "In Rome.", "There is no evidence that he died in Rome."),
    ("would-have", "How many people died?", "12.",
     "If the dam had broken, 12 people would have died."),
    ("sold", "Who bought the house?", "Ann Lee.", "Ann Lee sold the house to Bo Ek."),
    ("survived", "How many people survived?", "12.", "12 people died."),
    ("born", "Where was she born?", "In Rome.", "She died in Rome."),
    ("women", "How many women voted?", "500.", "500 men voted."),
    ("no-one", "How many people were hurt?", "Forty.", "No one was hurt among the forty people."),
    ("not-place", "Where is the office?", "In Berlin.", "The office is not in Berlin."),
    ("denied-having", "Who wrote the song?", "Ann Lee.", "Ann Lee denied having written the song."),
]  # fmt: skip
ASSERTED = [
    ("where", "Where was she born?", "In Rome.", "She was born in Rome."),
    ("age", "How old is he?", "40.", "He is 40 years old."),
    ("died2", "How many patients died?", "12", "12 patients died."),
    ("killed", "How many people were killed?", "Five.",
     "Five people were killed, and nobody was injured."),
    ("injured", "How many people were injured?", "Five.",
     "Five people were injured, and nobody was killed."),
    ("won", "Who won the match?", "Anna.", "Anna won the match against Bert."),
    ("lost", "Who lost the match?", "Anna.", "Anna lost the match to Bert."),
    ("opened", "When did it open?", "In 2019.", "It opened in 2019."),
    ("by", "Who wrote the book?", "Ann Lee.", "The book was written by Ann Lee."),
    ("not-then", "Who led the team?", "Ann Lee.", "Ann Lee led the team, and not Bo Ek."),
    ("seats", "How many seats does the hall have?", "300.", "The hall has 300 seats."),
    ("planned", "When was the museum planned to open?", "In 2021.",
     "The museum was planned to open in 2021."),
    ("will", "When will the museum open?", "In 2031.", "The museum will open in 2031."),
    ("hopes", "Who hopes to win the cup?", "Ann Lee.", "Ann Lee hopes to win the cup."),
    ("almost", "Who almost won the race?", "Ann Lee.", "Ann Lee almost won the race."),
    ("former", "Who is the former mayor?", "Ann Lee.", "The former mayor is Ann Lee."),
    ("used-to", "How much did the ticket use to cost?", "$50", "The ticket used to cost $50."),
    ("lived", "Where did she live?", "In Rome.", "She lived in Rome until 2010."),
    ("lives", "Where does she live?", "In Rome.", "She lives in Rome."),
    ("sold", "Who sold the house?", "Ann Lee.", "Ann Lee sold the house to Bo Ek."),
    ("lowest", "What is the lowest temperature?", "5 °C", "The lowest temperature was 5 °C."),
    ("survived", "How many people survived?", "12.", "12 people survived; three died."),
    ("born", "Where was she born?", "In Rome.", "She was born in Rome and died in Paris."),
    ("smallest", "Which country is the smallest?", "Malta.", "Malta is the smallest country."),
    ("first", "Who was the first king?", "Ann Lee.", "The first king was Ann Lee."),
    ("year", "How many people died in 2019?", "12.", "In 2019, 12 people died."),
    ("day", "Who spoke on Monday?", "Ann Lee.", "On Monday, Ann Lee spoke."),
    ("none", "How many ships sailed?", "Three.", "Three ships sailed, but none sank."),
    ("although-not", "Who won the cup?", "Ann Lee.",
     "Although she was not fit, Ann Lee won the cup."),
    ("discovered", "Who discovered the island?", "Drake.", "Drake discovered the island."),
    ("opposed", "Who opposed the bill?", "Ann Lee.",
     "Ann Lee opposed the bill, and Bo Ek supported it."),
    ("will-be", "When will the bridge be built?", "In 2030.", "The bridge will be built in 2030."),
    ("beaten", "Who was beaten in the final?", "Bo Ek.", "Bo Ek was beaten in the final."),
    ("arrested", "When was he arrested?", "In 1990.",
     "He was arrested in 1990 and released in 1995."),
    ("games", "Which city hosted the games in 2012?", "London.",
     "In 2012, London hosted the games."),
    ("rose", "How much did revenue rise?", "5 %", "Revenue rose by 5 %."),
    ("how-long", "How long did the war last?", "Four years.",
     "The war lasted four years, from 1914 to 1918."),
    ("first-half", "Who scored in the first half?", "Ann Lee.",
     "Ann Lee scored in the first half, and Bo Ek in the second half."),
    ("head-office", "Where is the head office?", "In Rome.", "The head office is in Rome."),
    ("members", "How many members does it have?", "300.", "It has 300 members."),
    ("may", "When may members vote?", "In May.", "Members may vote in May."),
    ("may-stay", "How many days may guests stay?", "Ten days.", "Guests may stay for ten days."),
    ("maximum-speed", "What is the maximum speed?", "50 km", "The maximum speed is 50 km."),
    ("without", "Who killed the king?", "Bo Ek.", "Bo Ek killed the king without hesitation."),
    ("shop", "When did the shop open?", "In May.", "The shop opened in May."),
]  # fmt: skip
# True as well, and no more than left open.
NOT_CONTRADICTED = [
    ("did-not", "How many people did not vote?", "500.", "500 people did not vote."),
    ("refused", "Who refused to marry Bo?", "Ann Lee.", "Ann Lee refused to marry Bo."),
    ("but", "When was it built?", "In 1925.", "It was not built in 1920 but in 1925."),
    ("died", "How many patients died?", "12", "Of 40 patients, 12 died."),
    ("minimum", "What is the minimum dose?", "50 mg",
     "The minimum dose is 50 mg; the maximum dose is 80 mg."),
    ("range-end", "When did the war end?", "In 1918.", "The war lasted from 1914 to 1918."),
    ("now", "Who is the CEO?", "Bo Ek.", "Ann Lee was the CEO until 2019; Bo Ek is the CEO now."),
    ("not-only", "Where did they meet?", "In Paris.", "They met not only in Paris."),
    ("invented", "Who invented the lamp?", "Ann Lee.",
     "Ann Lee invented the lamp, which is no myth."),
    ("closed", "When did the school close?", "In 1990.",
     "The school opened in 1969 and closed in 1990."),
    ("never-before", "Who won the cup?", "Ann Lee.",
     "Ann Lee, who had never won it before, won the cup."),
    ("defeated", "Who won the final?", "Ann Lee.", "Ann Lee defeated Bo Ek in the final."),
]  # fmt: skip


class TestAssertions:
    @each_row(
        ("question", "statement", "text"),
        [row[1:] for row in NOT_ASSERTED],
        ids=[row[0] for row in NOT_ASSERTED],
    )
    def test_that_are_not_made_support_nothing(
        self, question: str, statement: str, text: str
    ) -> None:
        assert judged(question, statement, text).outcome in (U, C)

    @each_row(
        ("question", "statement", "text"),
        [row[1:] for row in ASSERTED],
        ids=[row[0] for row in ASSERTED],
    )
    def test_that_are_made_support(self, question: str, statement: str, text: str) -> None:
        assert judged(question, statement, text).outcome == S

    @each_row(
        ("question", "statement", "text"),
        [row[1:] for row in NOT_CONTRADICTED],
        ids=[row[0] for row in NOT_CONTRADICTED],
    )
    def test_contradict_nothing_that_is_said(
        self, question: str, statement: str, text: str
    ) -> None:
        assert judged(question, statement, text).outcome in (U, S)

    @each_row(
        ("question", "statement", "text", "outcome"),
        [
            ("Where was she born?", "She was born in Rome.", "She was not born in Rome.", C),
            ("Where was she born?", "She was not born in Rome.", "She was born in Rome.", C),
            ("Where was she born?", "Not in Rome.", "She was born in Rome.", C),
            ("Where was she born?", "She was not born in Rome.", "She was not born in Rome.", U),
            ("Who did not come?", "Ann Lee.", "Ann Lee came.", U),
            ("Who did not come?", "Ann Lee.", "Ann Lee did not come.", U),
        ],
        ids=["passage", "statement", "bare", "both", "question", "question-and-passage"],
    )
    def test_that_deny(self, question: str, statement: str, text: str, outcome: Outcome) -> None:
        assert judged(question, statement, text).outcome == outcome

    def test_that_are_not_made_are_named_in_the_reason(self) -> None:
        verdict = judged("Where was she born?", "In Rome.", "She was not born in Rome.")
        assert verdict.reason == "the answers agree, but they may not answer this question"


class TestAlignment:
    def test_of_a_right_answer(self) -> None:
        question = AlignmentQuestion(
            question=HOW_LONG, statements=(about("One month.", NOTICE), about("So be it."))
        )
        alignment = ShortAnswers().align(question)
        assert alignment.answer.outcome == S
        assert [v and v.outcome for v in alignment.statements] == [S, None]
        assert alignment.decided

    def test_of_a_wrong_answer_lies_with_its_statement(self) -> None:
        question = AlignmentQuestion(question=HOW_LONG, statements=(about("Two months.", NOTICE),))
        alignment = ShortAnswers().align(question)
        assert alignment.answer.outcome == S
        assert [v and v.outcome for v in alignment.statements] == [C]

    @each_row("question", [None, "Why?", " "])
    def test_is_undecided_without_a_question_of_its_kind(self, question: str | None) -> None:
        asked = AlignmentQuestion(question=question, statements=(about("One month.", NOTICE),))
        alignment = ShortAnswers().align(asked)
        assert alignment.answer.outcome == U
        assert alignment.answer.reason

    @each_row(
        ("text", "codes"),
        [
            ("The notice period is one month.", []),
            ("The notice period is two months.", ["statement_contradicted"]),
            ("Ask the manager about all of that.", ["undecided"]),
        ],
    )
    def test_as_a_policy(self, text: str, codes: list[str], failures: Any) -> None:
        citation = {"quote": "The notice period is one month.", "source_id": "1"}
        data = {"statements": [{"text": text, "citations": [citation]}]}
        policy = Policy(alignment=ShortAnswers())

        def validate() -> Answer:
            return verify(Answer, data, sources=Sources([NOTICE]), policy=policy, question=HOW_LONG)

        if codes:
            assert [error["type"] for error in failures(validate)] == codes
        else:
            assert validate().alignment is not None

    def test_hands_on_what_it_cannot_tell(self) -> None:
        citation = {"quote": "The notice period is one month.", "source_id": "1"}
        judge = ScriptedJudge()
        policy = Policy(alignment=[ShortAnswers(), judge])
        for text in ("It is one month.", "Ask the manager."):
            data = {"statements": [{"text": text, "citations": [citation]}]}
            verify(Answer, data, sources=Sources([NOTICE]), policy=policy, question=HOW_LONG)
        assert [each.statements[0].statement for each in judge.aligned] == ["Ask the manager."]


class TestExtractorsOfOnesOwn:
    def test_are_asked_about_statement_and_passage(self) -> None:
        asked: list[tuple[str, str]] = []

        def extractor(question: str, passage: str) -> FoundAnswer | None:
            asked.append((question, passage))
            return FoundAnswer(passage[-7:], len(passage) - 7, len(passage), 0.9)

        verdict = judged(HOW_LONG, "It is a month.", "Notice: a month.", extractor=extractor)
        assert verdict.outcome == S
        assert asked == [(HOW_LONG, "It is a month."), (HOW_LONG, "Notice: a month.")]

    @each_row(
        "found",
        [
            "one month",
            FoundAnswer("x", 5, 5, 0.9),
            FoundAnswer("x", 0, 10_000, 0.9),
            FoundAnswer("x", 0, 3, math.nan),
            FoundAnswer("x", 0, 3, 1.5),
        ],
        ids=repr,
    )
    def test_that_give_no_answer_fail(self, found: Any) -> None:
        with pytest.raises(JudgeFailedError, match="the extractor returned"):
            judged(HOW_LONG, "One month.", NOTICE, extractor=lambda *_: found)

    @given(st.floats(0, 1), st.floats(0, 1))
    def test_decide_from_their_thresholds_on(self, score: float, threshold: float) -> None:
        def extractor(question: str, passage: str) -> FoundAnswer | None:
            return LexicalExtractor()(question, passage) and FoundAnswer(
                passage[21:30], 21, 30, score
            )

        settings = {
            "extractor": extractor,
            "supported_from": threshold,
            "contradicted_from": threshold,
        }
        right = judged(HOW_LONG, "The notice period is one month.", NOTICE, **settings)
        assert right.decided == (score >= threshold)


DOCS = Path(__file__).parents[2].joinpath("docs/how-to/short-answers.md").read_text("utf-8")


@pytest.fixture(scope="module")
def extractor(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The docs' class, with a model that finds "closed" and then a year, set by hand."""
    folder = tmp_path_factory.mktemp("answers")
    save_question_answering(folder)
    code = re.search(r"```python\nimport threading\n.*?(?=\n\n\njudge = )", DOCS, re.DOTALL)
    assert code is not None
    names: dict[str, Any] = {"FoundAnswer": FoundAnswer}
    written = code[0].removeprefix("```python\n")
    exec(written.replace("from citeguard import FoundAnswer\n", ""), names)
    return names["QuestionAnswering"](str(folder))


class TestTheRecipeForTransformers:
    def test_finds_an_answer_where_it_stands(self, extractor: Any) -> None:
        passage = "It opened early. It closed in 1990, they say."
        found = extractor("When did it close?", passage)
        assert found is not None
        assert passage[found.start : found.end] == found.text == "1990"
        assert 0.5 < found.score <= 1

    def test_finds_nothing_where_nothing_is(self, extractor: Any) -> None:
        assert extractor("When did it close?", "Nobody knows.") is None
        assert extractor("When did it close?", "") is None

    def test_reads_nothing_in_part(self, extractor: Any) -> None:
        assert extractor("When did it close?", "It closed in 1990. " * 200) is None

    def test_serves_as_a_judge(self, extractor: Any) -> None:
        verdict = judged(
            "When did it close?", "In 1990.", "It closed in 1990.", extractor=extractor
        )
        assert verdict.outcome == S


class TestSetUp:
    @each_row(
        "settings",
        [
            {"supported_from": -0.1},
            {"supported_from": math.nan},
            {"supported_from": True},
            {"contradicted_from": 1.1},
            {"contradicted_from": "0.8"},
            {"question": 5},
            {"version": 5},
        ],
        ids=str,
    )
    def test_of_what_makes_no_sense(self, settings: dict[str, Any]) -> None:
        (name,) = settings
        with pytest.raises(CiteguardError, match=rf"ShortAnswers\({name}=\.\.\.\)"):
            ShortAnswers(**settings)

    def test_of_an_extractor_that_is_none(self) -> None:
        with pytest.raises(CiteguardError, match=r"ShortAnswers\(extractor\) must be a function"):
            ShortAnswers(3)  # pyright: ignore[reportArgumentType]

    def test_shows_itself(self) -> None:
        assert repr(ShortAnswers(question="How long?")) == (
            "ShortAnswers(LexicalExtractor(), question='How long?', supported_from=0.1, "
            "contradicted_from=0.8)"
        )

    def test_is_asked_once_for_an_answer(self) -> None:
        settings = ShortAnswers().settings
        assert (settings.batch_size, settings.concurrency, settings.local) == (None, 1, True)

    def test_of_a_support_judge_without_a_question(self) -> None:
        with pytest.raises(CiteguardError, match=r"ShortAnswers\(question="):
            ShortAnswers().judge([about("One month.", NOTICE)])

    def test_version_names_what_verdicts_depend_on(self) -> None:
        version = ShortAnswers().settings.version
        assert version == ShortAnswers().settings.version
        assert version != ShortAnswers(supported_from=0.5).settings.version
        assert version != ShortAnswers(question=HOW_LONG).settings.version

    @pytest.mark.parametrize("algorithm", ["verifier.differences", "judges.short_answers.check"])
    def test_verdicts_of_another_release_are_not_served(
        self, algorithm: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = ShortAnswers().settings.version
        monkeypatch.setattr(f"citeguard.{algorithm}.VERSION", "next")
        assert ShortAnswers().settings.version != before

    def test_an_extractor_without_a_name_is_not_kept_beyond_its_judge(self) -> None:
        def extractor(question: str, passage: str) -> FoundAnswer | None:
            return None

        assert ShortAnswers(extractor, cache=MemoryCache()).settings.version is None
        named = ShortAnswers(extractor, cache=MemoryCache(), version="3")
        assert named.settings.version is not None
        extractor.version = "3"  # pyright: ignore[reportFunctionMemberAccess]
        told = ShortAnswers(extractor, cache=MemoryCache())
        assert told.settings.version == named.settings.version
