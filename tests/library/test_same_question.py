"""Which questions ask for the same as others, and which ask for something else."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from citeguard.library.same_question import QuestionMatch, same_question
from rows import each_row

FROZEN = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "questions.jsonl").read_text("utf-8").splitlines()
]
TEXTS = sorted({row[side] for row in FROZEN for side in ("stored", "asked")})
SAME = [
    # Politeness
    ("When was it built?", "Hello! Could you please tell me when it was built? Thanks."),
    ("Does the API support pages?", "Do you know if the API supports pages?"),
    ("How do I pay?", "I need help: how do I pay, please?"),
    # Case, punctuation, contractions, numbers, spelling
    ("What is the capital of Ohio?", "what's the capital of ohio"),
    ("Why can't I pay with 3 cards?", "Why can I not pay with three cards?"),
    ("why dont the colours match", "Why don't the colors match?"),
    ("What's happened to the king's crown?", "What is happened to the king's crown?"),
    # Inflection and synonyms
    ("Which planes land in cities?", "Which plane lands in a city?"),
    ("When did the war begin?", "When did the war start?"),
    ("How do I turn the alarm off?", "How do I disable the alarm?"),
    ("Where is the U.S. embassy?", "Where is the United States embassy?"),
    # Frames
    ("How do I undo a merge?", "How can I undo a merge?"),
    ("How do I undo a merge?", "What are the steps to undo a merge?"),
    ("How do I undo a merge?", "How does one go about undoing a merge?"),
    ("Can I undo a merge?", "Is there a way to undo a merge?"),
    ("When did Tesla die?", "In which year did Tesla die?"),
    ("When did Tesla die?", "What year did Tesla die in?"),
    ("Where is Fresno?", "In what place is Fresno located?"),
    ("Why is the sky blue?", "What is the reason that the sky is blue?"),
    ("How tall is the tower?", "What is the height of the tower?"),
    ("How much does a seat cost?", "What is the price of a seat?"),
    ("How many users are there?", "What is the number of users?"),
    ("What is the name of the river?", "What is the river called?"),
    ("What does SSO mean?", "What is the meaning of SSO?"),
    ("Who wrote Emma?", "Who is the author of Emma?"),
    ("Which artist made the cuts?", "Who was the artist that made the cuts?"),
    ("What is the size limit?", "Tell me the size limit."),
    ("difference between A and B", "What is the difference between B and A?"),
    # Order of words
    ("Who won in 1998?", "In 1998, who won?"),
    ("What happens when a trial ends?", "When a trial ends, what happens?"),
    ("Which gorge is between Bonn and Bingen?", "Which gorge is between Bingen and Bonn?"),
    ("Where does the river start and end?", "Where does the river end and start?"),
    ("What is it used for?", "For what is it used?"),
    ("When was Montreal taken?", "Montreal was taken when?"),
    ("Who is the mother of the king?", "Who is the king's mother?"),
    ("What is the list of users?", "What is the user list?"),
    ("Who built the tower?", "By whom was the tower built?"),
    ("When did Rome sack the town?", "When was the town sacked by Rome?"),
    ("Who can approve a request?", "By whom can a request be approved?"),
    ("Does Python support threads?", "Are threads supported by Python?"),
]  # fmt: skip
POLITE = [
    "Please, when did the war end?",
    "Hello there, when did the war end?",
    "And when did the war end?",
    "Quick question: when did the war end?",
    "Just wondering, when did the war end?",
    "I need help: when did the war end?",
    "When did the war end, please?",
    "When did the war end? Thanks in advance!",
    "Could someone please tell me when the war ended?",
    "Do you happen to know when the war ended?",
    "Any idea when the war ended?",
    "I would like to know when the war ended.",
    "I'm wondering when the war ended.",
    "I am trying to find out when the war ended.",
    "I don't know when the war ended.",
    "May I ask when the war ended?",
    "Tell me when the war ended.",
    "Please explain when the war ended.",
    "Let me know when the war ended.",
    "When exactly did the war end?",
    "When did the war end exactly?",
    "When was it that the war ended?",
]
FRAMES = [
    ("What is a tenant?", "Define a tenant."),
    ("What is a tenant?", "What is the definition of a tenant?"),
    ("What do people protest against?", "What is it that people protest against?"),
    ("How do you undo a merge?", "How to undo a merge?"),
    ("How do I undo a merge?", "Please explain how I undo a merge."),
    ("How do I undo a merge?", "What do I need to do to undo a merge?"),
    ("How do I undo a merge?", "What steps must I take to undo a merge?"),
    ("Can I undo a merge?", "Is it possible to undo a merge?"),
    ("Can I undo a merge?", "Am I able to undo a merge?"),
    ("Why can't I undo a merge?", "Why am I unable to undo a merge?"),
    ("Who can undo a merge?", "Who is allowed to undo a merge?"),
    ("When is the next release?", "What is the date of the next release?"),
    ("Where is the office?", "What is the location of the office?"),
    ("Who owns it?", "Which person owns it?"),
    ("Why is it closed?", "For what reason is it closed?"),
    ("When was the strike?", "When did the strike take place?"),
    ("When is the strike?", "When does the strike happen?"),
    ("What is the meaning of SSO?", "What is meant by SSO?"),
    ("How do bees and wasps differ?", "What is the difference between wasps and bees?"),
    ("What is the common name of the acid?", "What is the common name for the acid?"),
    ("How old is the king?", "What is the age of the king?"),
    ("How long is the bridge?", "What is the length of the bridge?"),
    ("How wide is the bridge?", "What is the width of the bridge?"),
    ("How deep is the lake?", "What is the depth of the lake?"),
    ("How heavy is the bell?", "What is the weight of the bell?"),
    ("How large is the file?", "What is the size of the file?"),
    ("How fast is the train?", "What is the speed of the train?"),
    ("How expensive is a seat?", "What is the cost of a seat?"),
    ("How much did a seat cost?", "What was the price of a seat?"),
    ("How long does a backup take?", "How much time does a backup take?"),
    ("How often does it sync?", "How frequently does it sync?"),
    ("How many users pay?", "What number of users pay?"),
    ("Are 5 calls per minute free?", "Are 5 calls a minute free?"),
    ("Who founded the firm?", "Who was the founder of the firm?"),
    ("Who invented the lamp?", "Who was the inventor of the lamp?"),
    ("Who discovered the comet?", "Who was the discoverer of the comet?"),
    ("Who composed the opera?", "Who was the composer of the opera?"),
    ("Who created the language?", "Who is the creator of the language?"),
    ("Who painted the ceiling?", "Who was the painter of the ceiling?"),
    ("Who sang the anthem?", "Who was the singer of the anthem?"),
    ("How many states are within the basin?", "How many states are there within the basin?"),
    ("Which gorge is near Bonn?", "Which gorge is located near Bonn?"),
    ("What kind of file is it?", "What type of file is it?"),
    ("Which dye is used to detect sugar?", "Which dye is used for detecting sugar?"),
    ("Who sells it in the us?", "Who sells it in the USA?"),
]
DIFFERENT = [
    # Who does what to whom
    ("Who did Google acquire?", "Who acquired Google?"),
    ("Who defeated Napoleon?", "Whom defeated Napoleon?"),
    ("When was Rome sacked by the Gauls?", "When did Rome sack the Gauls?"),
    ("By whom was Ann hired?", "Whom did Ann hire?"),
    ("What has wings?", "What do wings have?"),
    ("Who is the mother of the king?", "Who is the king of the mother?"),
    ("What is the key of the user's group?", "What is the user of the key's group?"),
    ("How do I copy files from A to B?", "How do I copy files from B to A?"),
    ("Which company did Ann sell before Bob bought it?",
     "Which company did Bob buy before Ann sold it?"),
    ("How do I share my file with your team?", "How do I share your file with my team?"),
    ("How do I share my file with the team?", "How do I share the file with my team?"),
    # What is denied
    ("Which browsers are supported?", "Which browsers are not supported?"),
    ("Which users who do not pay may log in?", "Which users who pay may not log in?"),
    ("Are all users not admins?", "Are not all users admins?"),
    ("Why do users not paying get mail?", "Why do users paying not get mail?"),
    # Tense and mood
    ("Who is the CEO?", "Who was the CEO?"),
    ("Who wins the cup?", "Who won the cup?"),
    ("How much does it cost?", "How much did it cost?"),
    ("Who was the man who is king?", "Who is the man who was king?"),
    ("What is the longest time that a permit is good for?",
     "What was the longest time that a permit is good for?"),
    ("Must I pay?", "Can I pay?"),
    ("How should I store keys?", "How can I store keys?"),
    # Numbers, units, names, flags, acronyms
    ("What changed in version 2.1?", "What changed in version 2.10?"),
    ("Who led with 4:51 left?", "Who led with 5:51 left?"),
    ("Is the limit 500 MB?", "Is the limit 500 GB?"),
    ("How do I compile C?", "How do I compile C++?"),
    ("What does -v do?", "What does -V do?"),
    ("What is .env?", "What is env?"),
    ("What is @admin?", "What is admin?"),
    ("Which bills did Bill sign?", "Which Bill did bills sign?"),
    ("What is vitamin A?", "What is vitamin?"),
    ("What does the team tell us?", "What does the team tell US?"),
    ("How many planes are there?", "How many plans are there?"),
    ("Where is the Adams house?", "Where is the Adam house?"),
    # What is asked for
    ("In what year did it end?", "On what date did it end?"),
    ("How tall is it?", "How old is it?"),
    ("What date format is used?", "What format is used when?"),
    # Opposites, quantity, qualifiers
    ("How do I turn logging on?", "How do I turn logging off?"),
    ("Why do few users leave?", "Why do a few users leave?"),
    ("Which is the larger disk?", "Which is the largest disk?"),
    ("Can admins delete only projects?", "Can only admins delete projects?"),
    ("What is included?", "What else is included?"),
    ("How do I list files?", "How do I list files recursively?"),
    # Who is asked
    ("How do you store passwords?", "How do I store passwords?"),
    ("How do I contact you?", "How do you contact me?"),
    # What looks polite, but is not
    ("Who sang Thank You?", "Who sang?"),
    ("How do I pay? And how do I cancel?", "How do I pay?"),
]  # fmt: skip


class TestSameQuestion:
    @each_row(("stored", "asked"), SAME)
    def test_a_paraphrase_asks_for_the_same(self, stored: str, asked: str) -> None:
        assert same_question(asked, stored) == QuestionMatch()
        assert same_question(stored, asked)

    @each_row(("stored", "asked"), FRAMES)
    def test_another_way_of_asking_asks_for_the_same(self, stored: str, asked: str) -> None:
        assert same_question(asked, stored) == QuestionMatch()

    @each_row("asked", POLITE)
    def test_politeness_asks_for_nothing(self, asked: str) -> None:
        assert same_question(asked, "When did the war end?") == QuestionMatch()

    @each_row(("stored", "asked"), DIFFERENT)
    def test_a_change_of_meaning_asks_for_something_else(self, stored: str, asked: str) -> None:
        assert not same_question(asked, stored)
        assert not same_question(stored, asked)

    @each_row(
        ("stored", "asked", "difference"),
        [
            ("What changed in 2023?", "What changed in 2024?", "2024 / 2023"),
            ("Who can log in?", "Who can't log in?", "not / –"),
            ("Who is the CEO?", "Who was the CEO?", "past / present"),
            ("Who did Ann hire?", "Who hired Ann?", "order of words: hired ann / ann hire"),
            ("What year did it end?", "What date did it end?", "date / year"),
            ("Where is my key?", "Where is your key?", "your key / my key"),
            ("Must I pay?", "May I pay?", "may / must"),
            ("Why?", "", "no words"),
            ("What is the user of the group's key?", "What is the group of the user's key?",
             "order of words: user key group / group key user"),
            ("Is it the king's sister son?", "Is it the king sister's son?",
             "whose: son / sister"),
        ],
    )  # fmt: skip
    def test_it_says_what_differs(self, stored: str, asked: str, difference: str) -> None:
        assert same_question(asked, stored).difference == difference

    @each_row(
        ("stored", "asked", "same"),
        [
            ("Was ist das?", "was ist das", True),
            ("Wer hat Anna gesehen?", "Wen hat Anna gesehen?", False),
            ("Quién mató a Juan?", "Quién mató Juan?", False),
            ("Was ist die Stadt?", "Was ist Stadt?", False),
            ("日本の首都は?", "日本の首都は？", True),
            ("日本の首都は?", "中国の首都は?", False),
        ],
    )
    def test_in_other_languages_the_words_must_be_the_same(
        self, stored: str, asked: str, *, same: bool
    ) -> None:
        assert bool(same_question(asked, stored)) is same

    @each_row("text", ["", "?", " … ", "!!"])
    def test_a_text_without_words_matches_nothing(self, text: str) -> None:
        assert not same_question(text, text)

    @each_row("unit", ["please ", "and ", "what is the ", "of ", "not ", "a, ", "between a and "])
    def test_long_questions_are_compared_as_they_are(self, unit: str) -> None:
        assert same_question(unit * 20_000, unit * 20_000)
        assert not same_question(unit * 20_000, unit * 20_001)


class TestAnyQuestion:
    @given(st.sampled_from(TEXTS))
    def test_asks_for_what_it_asks_for(self, question: str) -> None:
        assert same_question(question, question)
        assert same_question(f"  {question.upper()} ", question.upper())

    @given(st.sampled_from(TEXTS), st.sampled_from(TEXTS))
    def test_order_of_the_two_makes_no_difference(self, one: str, other: str) -> None:
        assert bool(same_question(one, other)) is bool(same_question(other, one))

    @given(st.text(max_size=80), st.lists(st.sampled_from("who by was of and not , 's to".split())))
    def test_of_any_words_can_be_compared(self, text: str, words: list[str]) -> None:
        question = " ".join([*words, text])
        assert same_question(question, question).difference in ("", "no words")


class TestFrozenPairs:
    @each_row("half", ["tuning", "held_out", "later"])
    def test_no_question_that_differs_is_taken_for_the_same(self, half: str) -> None:
        pairs = [row for row in FROZEN if row["half"] == half and not row["same"]]
        hits = [row for row in pairs if same_question(row["asked"], row["stored"])]
        assert hits == []

    @each_row(("half", "least"), [("tuning", 0.75), ("held_out", 0.6)])
    def test_most_plain_paraphrases_are_taken_for_the_same(self, half: str, least: float) -> None:
        pairs = [row for row in FROZEN if row["half"] == half and row["same"]]
        hits = sum(bool(same_question(row["asked"], row["stored"])) for row in pairs)
        assert hits >= least * len(pairs)
