"""Questions to a library: where answers come from, and that every reference was verified."""

import asyncio
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from citeguard import CiteguardError, Policy, Source
from citeguard.library.answering import LLMAnswerer
from citeguard.library.catalogue import StoredQuestion
from citeguard.library.library import Library
from citeguard.library.reply import Message, Reply, without_marks
from entered import modules_entered
from llm_server import LLMServer
from llm_server import Reply as Sent
from rows import each_row

HANDBOOK = (
    "Notice is one month. Lunch is free on Fridays. Parking costs 20 euros a month.\n\n"
    "The office opens at 8 in the morning. Visitors need a badge."
)
FAQ = "The company was founded in 1998 in Ghent. It has 40 employees."


@pytest.fixture
def library() -> Iterator[Library]:
    with Library() as made:
        made.add({"handbook": HANDBOOK, "faq": FAQ})
        yield made


@pytest.fixture(scope="module")
def papers(paper: Source) -> Iterator[Library]:
    with Library() as made:
        made.add(paper)
        yield made


def cited(text: str, *quotes: str, source_id: str | None = "handbook") -> dict[str, Any]:
    return {
        "text": text,
        "citations": [{"quote": quote, "source_id": source_id} for quote in quotes],
    }


def said(*statements: dict[str, Any], unanswerable: str | None = None) -> dict[str, Any]:
    return {"statements": list(statements), "unanswerable": unanswerable}


PARKING_COSTS = "Parking costs 20 euros a month."
LUNCH = cited("Lunch is free on Fridays.", "Lunch is free on Fridays.")
BOTH = "When is lunch free, and how much does parking cost a month?"
PARKING = cited(PARKING_COSTS, PARKING_COSTS)


def asked(library: Library, server: LLMServer, question: str, *replies: Any, **options: Any) -> Any:
    server.push(*replies)
    answerer = LLMAnswerer(server.client(), model="scripted", retries=len(replies) - 1)
    return library.ask(question, answerer=answerer, **options)


def assert_verified(library: Library, reply: Reply) -> None:
    numbers = [reference.number for reference in reply.references]
    mentioned = [number for each in reply.statements for number in each.numbers]
    assert numbers == list(range(1, len(numbers) + 1)) == list(dict.fromkeys(mentioned))
    assert len({reference.span for reference in reply.references}) == len(numbers)
    for reference in reply.references:
        text = library.source(reference.source_id).text
        assert text[reference.span.start : reference.span.end] == reference.quote
        assert library.state_of(reference) == "stands"


class TestWithoutAModel:
    def test_the_sentence_that_answers_is_the_answer(self, library: Library) -> None:
        library.add({"copy": HANDBOOK})
        reply = library.ask("When is lunch free?")
        assert (reply.outcome, reply.asked_from) == ("answered", "passages")
        assert reply.text == "Lunch is free on Fridays. [1]"
        assert_verified(library, reply)

    @pytest.mark.parametrize(
        "question", ["What does dinner cost?", "How many parking places are there in Oslo?"]
    )
    def test_what_the_documents_do_not_say_is_not_answered(
        self, library: Library, question: str
    ) -> None:
        reply = library.ask(question)
        assert reply.outcome in ("cannot_answer", "passages")
        assert reply.statements == ()

    def test_what_does_not_clearly_answer_is_a_closest_passage(self, library: Library) -> None:
        reply = library.ask("Who paid for lunch last Friday?", threshold=1)
        assert (reply.outcome, reply.asked_from) == ("passages", "passages")
        assert reply.text == "Not answered. Closest passages: [1] [2]"
        assert all(library.state_of(each) == "stands" for each in reply.references)

    def test_nothing_is_answered_without_the_reader(
        self, library: Library, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for room in ("answering", "library", "same_question"):
            monkeypatch.setattr(f"citeguard.library.{room}.is_installed", lambda: False)
        reply = library.ask("When is lunch free?")
        assert reply.outcome == "passages"
        assert reply.references[0].quote.startswith("Notice is one month. Lunch is free")
        assert "pydantic-citeguard[reader]" in reply.reason

    def test_what_no_search_finds_is_looked_for_in_the_beginning(self, papers: Library) -> None:
        assert not papers.search("Who is the author?")
        reply = papers.ask("Who is the author?")
        assert (reply.outcome, reply.text) == ("answered", "Heng Li [1]")

    def test_the_beginning_is_no_answer_to_what_it_does_not_say(self, papers: Library) -> None:
        reply = papers.ask("Who wrote Hamlet?")
        assert (reply.outcome, reply.references) == ("cannot_answer", ())
        assert reply.text == "A search of the documents found nothing about this."

    def test_the_legend_of_a_table_is_no_answer(self, papers: Library) -> None:
        question = "Which share of aligned introns is approximately correct if 10bp are allowed?"
        assert papers.ask(question).outcome == "passages"

    def test_the_authors_of_a_paper_are_read_as_a_field(self, tmp_path: Any) -> None:
        path = tmp_path / "paper.md"
        text = "# Free lunches in Ghent\n\nAda Miller\n\n## Abstract\n\nLunches were counted.\n"
        path.write_text(text)
        with Library() as papers:
            papers.add(path)
            reply = papers.ask("Who are the authors of the paper on lunches?")
            assert (reply.outcome, reply.text) == ("answered", "Ada Miller [1]")
            reply = papers.ask("What is the title of the paper on lunches?")
            assert reply.text == "Title: Free lunches in Ghent [1]"

    @pytest.mark.parametrize(
        "text",
        ["When is lunch free on Fridays?", "Free lunch on Fridays", "- lunch: free on Fridays"],
    )
    def test_a_question_a_heading_or_a_cell_is_no_answer(self, text: str) -> None:
        with Library() as faq:
            faq.add({"faq": text})
            assert faq.ask("When is lunch free?", threshold=0).outcome == "passages"

    def test_a_question_enters_few_modules(self, library: Library) -> None:
        library.ask("When is lunch free?")
        entered = modules_entered(lambda: library.ask("What does parking cost a month?"))
        assert 15 <= len(entered) <= 25


class TestWithAModel:
    def test_references_are_numbered_by_first_mention_and_spans_once(
        self, library: Library, server: LLMServer
    ) -> None:
        both = cited(
            "Parking costs 20 euros a month.",
            "Parking costs 20 euros a month.",
            "Lunch is free on Fridays.",
        )
        reply = asked(library, server, "What does lunch cost, and parking?", said(LUNCH, both))
        assert [each.numbers for each in reply.statements] == [(1,), (2, 1)]
        assert reply.outcome == "answered"
        assert_verified(library, reply)

    def test_parts_of_an_elided_quote_are_references_of_their_own(
        self, library: Library, server: LLMServer
    ) -> None:
        elided = cited(
            "The office opens at 8 in the morning.", "The office opens … in the morning."
        )
        reply = asked(library, server, "When does the office open?", said(elided))
        assert [each.numbers for each in reply.statements] == [(1, 2)]
        assert_verified(library, reply)

    def test_an_invented_quote_goes_back_to_the_model(
        self, library: Library, server: LLMServer
    ) -> None:
        wrong = said(cited("Lunch is free on Mondays.", "Lunch is free on Mondays."))
        reply = asked(library, server, "When is lunch free?", wrong, said(LUNCH))
        assert reply.text == "Lunch is free on Fridays. [1]"
        assert '"source_id": "handbook"' in server.requests[0].texts[-1]
        assert "Lunch is free on Fridays." in server.requests[0].texts[-1]
        assert "quote" in str(server.requests[1].texts)

    def test_what_stays_wrong_is_left_out_and_said(
        self, library: Library, server: LLMServer
    ) -> None:
        wrong = said(LUNCH, cited("Dinner is free.", "Dinner is free."))
        chat = library.chat()
        server.push(wrong, wrong)
        answerer = LLMAnswerer(server.client(), model="scripted")
        reply = chat.ask("When is lunch free?", answerer=answerer)
        assert reply.text == "Lunch is free on Fridays. [1]"
        for each in (reply, library.chat(chat.id).messages[-1]):
            assert each.outcome == "partly"
            assert each.reason == "One statement was left out, as the documents do not support it."

    def test_verbatim_but_irrelevant_quotes_answer_nothing(
        self, library: Library, server: LLMServer
    ) -> None:
        evasive = said(cited("Visitors need a badge.", "Visitors need a badge."))
        reply = asked(library, server, "How much does parking in Oslo cost?", evasive, evasive)
        assert reply.outcome == "cannot_answer"
        assert not reply.references

    def test_why_it_does_not_answer_is_the_models_words_and_not_the_text(
        self, library: Library, server: LLMServer
    ) -> None:
        why = (
            "Lunch is **never** free [1] <b>here</b>\u202e, [see](http://a.example/b)." + "x" * 999
        )
        reply = asked(library, server, "Who repairs the parking lot?", said(unanswerable=why))
        assert reply.text == "No passage that was read answers this."
        lead = "Not in the sources, in the model's own, unchecked words: "
        assert reply.reason.startswith(f"{lead}Lunch is never free here, [see]")
        assert len(reply.reason) <= len(lead) + 310

    @each_row(
        "text",
        [
            "Lunch is ~~not~~ free on Fridays.",
            "Lunch is ~not~ free on Fridays.",
            "Lunch is <del>not</del> free on Fridays.",
            "Lunch is <s class='x'>not</s> free on Fridays.",
            "Lunch is <!-- not --> free on Fridays.",
            "Lunch is **free** on Fridays.",
            "Lunch is \u202efree\u202c on\u2066 Fridays.",
            "Lunch is free on Fri\u200bdays.",
            "Lunch is free ![not](http://example.org/?told=all) on Fridays.",
            "Lunch is free on Fridays [7]【3†x】［1］[[2]][1](http://a)&#91;1&#93; {1}①.",
        ],
    )
    def test_a_statement_is_judged_and_shown_as_a_reader_sees_it(
        self, library: Library, server: LLMServer, text: str
    ) -> None:
        reply = asked(
            library, server, "When is lunch free?", said(cited(text, "Lunch is free on Fridays."))
        )
        assert reply.text == "Lunch is free on Fridays. [1]"

    @pytest.mark.parametrize("sign", ["❌ ", "🚫 ", "⛔", "⁰", "f\u0336", "f\u20e0"])
    def test_a_sign_that_no_judge_reads_leaves_a_statement_unverified(
        self, library: Library, server: LLMServer, sign: str
    ) -> None:
        statement = cited(f"Lunch is {sign}free on Fridays.", "Lunch is free on Fridays.")
        reply = asked(library, server, "When is lunch free?", said(statement), said(statement))
        assert reply.outcome != "answered"
        assert "[1]" not in reply.text

    @pytest.mark.parametrize(
        "fault",
        [
            Sent(status=500),
            Sent(fault="hang_up"),
            Sent("no JSON"),
            Sent(said(unanswerable="n" * 100_000)),
        ],
    )
    def test_a_model_that_fails_leaves_the_question_undecided(
        self, library: Library, server: LLMServer, fault: Sent
    ) -> None:
        reply = asked(library, server, "When is lunch free?", fault)
        assert (reply.outcome, reply.statements) == ("undecided", ())
        assert "scripted" in reply.reason

    def test_a_model_that_takes_too_long_is_not_waited_for(
        self, library: Library, server: LLMServer
    ) -> None:
        server.push(Sent(said(LUNCH), latency=5))
        answerer = LLMAnswerer(server.client(), model="slow", timeout=0.2)
        reply = library.ask("When is lunch free?", answerer=answerer)
        assert reply.outcome == "undecided"
        assert "took longer than 0.2 s" in reply.reason

    def test_what_is_asked_for_again_is_not_printed(
        self,
        library: Library,
        server: LLMServer,
        caplog: pytest.LogCaptureFixture,
        capfd: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        wrong = said(cited("Lunch is free on Mondays.", "on Mondays"))
        # As in a program that has set up no logging: Python prints warnings that nothing handles.
        caplog.set_level(logging.WARNING, logger="instructor")
        for name in (None, "instructor"):
            monkeypatch.setattr(logging.getLogger(name), "handlers", [])
        assert asked(library, server, "When is lunch free?", wrong, wrong).outcome == "passages"
        assert capfd.readouterr() == ("", "")

    def test_a_wrong_key_is_an_error_of_the_program(
        self, library: Library, server: LLMServer
    ) -> None:
        with pytest.raises(CiteguardError, match="key"):
            asked(library, server, "When is lunch free?", Sent("no", status=401))

    def test_what_is_misquoted_gives_way_to_the_closest_passages(
        self, library: Library, server: LLMServer
    ) -> None:
        wrong = said(cited("Lunch is free on Mondays.", "Lunch is free on Mondays."))
        reply = asked(library, server, "When is lunch free?", wrong)
        assert (reply.outcome, reply.statements) == ("passages", ())
        assert reply.text.startswith(
            "The model's answer could not be verified. Closest passages: [1]"
        )
        assert reply.references[0].quote in library.source(reply.references[0].source_id).text

    def test_a_follow_up_is_written_in_full_and_shown_as_understood(
        self, library: Library, server: LLMServer
    ) -> None:
        chat = library.chat()
        answerer = LLMAnswerer(server.client(), model="scripted", retries=0)
        server.push(said(PARKING))
        first = chat.ask("What does parking cost?", answerer=answerer)
        full = "When is lunch free?"
        server.push({"question": f"{full} [1]\n"}, said(LUNCH))
        reply = chat.ask("What about lunch, and when?", answerer=answerer)
        assert first.understood == ""
        assert (reply.question, reply.understood) == ("What about lunch, and when?", full)
        assert reply.text == "Lunch is free on Fridays. [1]"
        rewriting, answering = (each.texts[-1] for each in server.requests[1:])
        assert "What does parking cost?" in rewriting
        assert full in answering
        assert "What about lunch" not in answering
        assert library.chat(chat.id).messages[-1].understood == full

    def test_a_follow_up_that_cannot_be_written_in_full_is_asked_with_its_history(
        self, library: Library, server: LLMServer
    ) -> None:
        history = [Message(role="user", text="Tell me about lunch.")]
        server.push({"wrong": 1})
        reply = asked(library, server, "When is it free?", said(LUNCH), history=history)
        assert (reply.outcome, reply.understood) == ("answered", "")
        assert "Tell me about lunch." in server.requests[-1].texts[-1]


class TestStreams:
    def events(self, library: Library, server: LLMServer, question: str) -> list[Any]:
        async def collect() -> list[Any]:
            async with server.async_client() as client:
                answerer = LLMAnswerer(client, model="scripted", retries=0)
                return [each async for each in library.astream(question, answerer=answerer)]

        return asyncio.run(collect())

    def test_text_comes_first_then_verified_statements_then_the_reply(
        self, library: Library, server: LLMServer
    ) -> None:
        server.push(Sent(said(LUNCH, PARKING), chunk_size=5))
        events = self.events(library, server, BOTH)
        kinds = [each.event for each in events]
        assert kinds == sorted(kinds, key=["text", "statement", "reply"].index)
        assert kinds.count("text") > 3
        assert [each.references[0].quote for each in events if each.event == "statement"] == [
            "Lunch is free on Fridays.",
            "Parking costs 20 euros a month.",
        ]
        assert_verified(library, events[-1].reply)

    @each_row(
        "mark",
        ["[2, 3]", "【4:0†source】", "\ue200cite\ue202turn0search1\ue201", "<co: 0>"],
    )
    def test_no_part_of_a_mark_of_the_model_is_ever_shown(
        self, library: Library, server: LLMServer, mark: str
    ) -> None:
        marked = cited(f"Parking costs{mark} 20 euros {mark} a month{mark}.", PARKING_COSTS)
        server.push(Sent(said(marked, LUNCH), chunk_size=1))
        *events, _, _, last = self.events(library, server, BOTH)
        plain = "Parking costs 20 euros a month. Lunch is free on Fridays."
        assert all(plain.startswith(each.text) for each in events)
        assert last.reply.text == (
            "Parking costs 20 euros a month. [1] Lunch is free on Fridays. [2]"
        )

    def test_needs_no_event_loop(self, library: Library, server: LLMServer) -> None:
        server.push(*[Sent(said(LUNCH, PARKING), chunk_size=5)] * 2)
        expected = self.events(library, server, BOTH)
        answerer = LLMAnswerer(server.async_client(), model="scripted", retries=0)
        events = list(library.stream(BOTH, answerer=answerer))
        assert events[-1] == expected[-1]
        kinds = [each.event for each in events]
        assert kinds == sorted(kinds, key=["text", "statement", "reply"].index)
        assert kinds.count("text") > 3
        chat = library.chat()
        assert [each.event for each in chat.stream("When is lunch free?")][-1] == "reply"
        assert len(chat.messages) == 2

    def test_that_is_no_longer_heard_ends(self, library: Library, server: LLMServer) -> None:
        server.push(Sent(said(LUNCH, PARKING), chunk_size=5))
        answerer = LLMAnswerer(server.async_client(), model="scripted", retries=0)
        chat = library.chat()
        events = chat.stream(BOTH, answerer=answerer)
        assert next(events).event == "text"
        events.close()
        assert chat.messages == ()

    @pytest.mark.parametrize(
        "wrong",
        [
            said(cited("Lunch is free on Mondays.", "on Mondays")),
            *("Lunch is free on Mondays.", "null", '{"statements": 5}', '"\\ud800"'),
            # Cut off: nothing of it was validated.
            '{"statements": [{"text": "Lunch is fr',
            said(cited("Lunch is free on Fridays. " * 40, "Lunch is free on Fridays.")),
            '{"statements": [{"text": "Lunch is free on Mondays.", "citations": [',
            '{"statements": [{"text": "Lunch.", "citations": [{"quote": "Lunch is free"}]}, {',
        ],
    )
    def test_a_stream_that_turns_out_wrong_is_asked_for_again(
        self, library: Library, server: LLMServer, wrong: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("citeguard.library.answering._LONGEST_REPLY", 1_000)
        server.push(Sent(wrong), said(LUNCH))
        events = self.events(library, server, "When is lunch free?")
        assert events[-1].reply.outcome == "answered"
        assert events[-1].reply.text == "Lunch is free on Fridays. [1]"

    def test_what_is_left_of_a_stream_is_judged_without_a_loop_of_ones_own(
        self, library: Library, server: LLMServer
    ) -> None:
        server.push(said(LUNCH, cited("Lunch is free on Mondays.", "Lunch is free on Fridays.")))
        answerer = LLMAnswerer(server.async_client(), model="scripted", retries=0)
        last = list(library.stream("When is lunch free?", answerer=answerer))[-1]
        assert last.event == "reply"
        assert last.reply.text == "Lunch is free on Fridays. [1]"


class TestStoredAnswers:
    def stored(self, library: Library, server: LLMServer, question: str) -> None:
        reply = asked(library, server, question, said(LUNCH))
        library.add_questions(
            [
                StoredQuestion(
                    question=question,
                    answer=reply.answer.model_dump(mode="json"),
                    source_id="handbook",
                )
            ]
        )

    def test_the_same_question_in_other_words_gets_the_stored_answer(
        self, library: Library, server: LLMServer
    ) -> None:
        self.stored(library, server, "When is lunch free?")
        reply = library.ask("On which day is lunch free?")
        assert (reply.outcome, reply.asked_from) == ("answered", "answer")
        assert_verified(library, reply)

    @pytest.mark.parametrize("other", ["When is lunch not free?", "When is dinner free?"])
    def test_another_question_does_not(
        self, library: Library, server: LLMServer, other: str
    ) -> None:
        self.stored(library, server, "When is lunch free?")
        assert library.ask(other).asked_from != "answer"

    def test_nor_does_the_same_once_its_quote_is_gone(
        self, library: Library, server: LLMServer
    ) -> None:
        self.stored(library, server, "When is lunch free?")
        library.add({"handbook": HANDBOOK.replace("Fridays", "Mondays")})
        reply = library.ask("When is lunch free?")
        assert reply.asked_from == "passages"
        assert reply.text.startswith("Lunch is free on Mondays.")

    def test_an_answer_that_does_not_stand_is_not_stored(self, library: Library) -> None:
        answer = said(cited("Lunch is free.", "Lunch is free on Mondays."))
        contradicted = said(cited("Lunch is free on Mondays.", "Lunch is free on Fridays."))
        for each in (answer, contradicted):
            question = StoredQuestion(question="When?", answer=each, source_id="handbook")
            with pytest.raises(CiteguardError, match="does not stand"):
                library.add_questions([question])
        assert library.questions() == []
        question = StoredQuestion(question="When is lunch free?", answer=contradicted)
        assert library.add_questions([question], policy=Policy()) == 1  # the user's own rules

    def test_one_can_be_deleted(self, library: Library) -> None:
        library.add_questions([StoredQuestion(question="When is lunch free?", answer=said(LUNCH))])
        [kept] = library.questions()
        assert kept.id is not None
        library.delete_question(kept.id)
        assert library.ask("When is lunch free?").asked_from == "passages"
        with pytest.raises(CiteguardError, match="no stored question"):
            library.delete_question(kept.id)

    def test_of_two_with_the_same_words_the_later_one_is_kept(self, library: Library) -> None:
        answers = [said(PARKING), said(LUNCH)]
        library.add_questions(
            StoredQuestion(question="What is free?", answer=answer) for answer in answers
        )
        [kept] = library.questions()
        assert kept.cited == ("handbook",)
        assert kept.answer["statements"][0]["text"] == LUNCH["text"]

    def test_the_section_of_a_near_question_is_read(
        self, library: Library, server: LLMServer, tmp_path: Any
    ) -> None:
        path = tmp_path / "rules.md"
        path.write_text("# Pay\n\nPay is monthly.\n\n# Leave\n\nLeave is 30 days.\n\nIt is paid.\n")
        library.add(path)
        answer = said(cited("Leave is 30 days.", "Leave is 30 days.", source_id="rules"))
        question = StoredQuestion(
            question="How many days of leave does the contract allow a year?",
            answer=answer,
            source_id="rules",
            headings=("Leave",),
        )
        library.add_questions([question])
        reply = library.ask("How is the leave paid that the contract does allow a year?")
        assert reply.asked_from == "section"
        assert reply.passages[0].text.startswith("Leave")
        assert "It is paid." in reply.passages[0].text


class TestChats:
    def test_messages_keep_their_references(self, library: Library, server: LLMServer) -> None:
        chat = library.chat()
        reply = chat.ask("When is lunch free?")
        again = library.chat(chat.id).messages
        assert [each.role for each in again] == ["user", "assistant"]
        assert again[1].references == reply.references
        assert again[1].text == reply.text
        assert [each.title for each in library.chats()] == ["When is lunch free?"]

    def test_a_changed_document_is_noticed(self, library: Library) -> None:
        chat = library.chat()
        chat.ask("When is lunch free?")
        library.add({"handbook": HANDBOOK + " New."})
        [reference, *_] = chat.messages[1].references
        assert library.state_of(reference) == "source_changed"
        unknown = reference.model_copy(update={"version": ""})
        assert library.state_of(unknown) == "stands"
        missing = {"version": "", "quote": "Lunch is free on Mondays."}
        assert library.state_of(reference.model_copy(update=missing)) == "quote_missing"
        library.remove("handbook")
        assert library.state_of(reference) == "source_removed"


def test_marks_of_many_brackets_are_found_in_linear_time() -> None:
    brackets = "[" * 50_000  # which took a minute
    assert without_marks(brackets) == brackets
