"""The names that a text has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeguard.facts.mentions import Mention, MentionKind, Tagger, mentions
from named_mentions import Half, f1, labelled
from rows import each_row

NAMES: list[tuple[str, str, list[str]]] = [
    ("person", "In 1901 Marie Curie lived in Paris.", ["Marie Curie", "Paris"]),
    ("start", "Students of chemistry met Ada Yonath.", ["Ada Yonath"]),
    ("initials", "We met J. K. Rowling and George H. W. Bush.",
     ["J. K. Rowling", "George H. W. Bush"]),
    ("numeral", "Poems of James I and of Edward VII.", ["James I", "Edward VII"]),
    ("pronoun", "Then I met Anna.", ["Anna"]),
    ("suffix", "Oliver Wendell Holmes Jr. and Martin Luther King, Jr. met.",
     ["Oliver Wendell Holmes Jr.", "Martin Luther King, Jr."]),
    ("title", "He wrote to Pope Innocent III.", ["Pope Innocent III"]),
    ("title-alone", "The Queen met the President of France.", ["France"]),
    ("senator", "Marcus Morton was a U.S. Senator.", ["Marcus Morton", "U.S."]),
    ("profession", "Actor Tom Hanks was born there.", ["Tom Hanks"]),
    ("particle", "They fought al Qaeda and Charles de Gaulle.", ["al Qaeda", "Charles de Gaulle"]),
    ("possessive", "Giuseppe Verdi's first opera was new.", ["Giuseppe Verdi"]),
    ("of", "The Battle of Gettysburg was in July.", ["Battle of Gettysburg"]),
    ("of-the", "It is in the Democratic Republic of the Congo.",
     ["Democratic Republic of the Congo"]),
    ("of-person", "He met Stevie Nicks of Fleetwood Mac.", ["Stevie Nicks", "Fleetwood Mac"]),
    ("for", "It won the Pulitzer Prize for Drama.", ["Pulitzer Prize for Drama"]),
    ("and-names", "Germany and France met.", ["Germany", "France"]),
    ("and-title", "She read Pride and Prejudice.", ["Pride and Prejudice"]),
    ("ampersand", "They sued Johnson & Johnson.", ["Johnson & Johnson"]),
    ("epithet", "He painted Alexander the Great.", ["Alexander the Great"]),
    ("article", "The Quiet Man has a famous fight.", ["The Quiet Man"]),
    ("no-article", "The Boston Marathon is run in April.", ["Boston Marathon"]),
    ("a-title", "A Place in the Sun is a film.", ["A Place in the Sun"]),
    ("our", "Our Town was first seen there.", ["Our Town"]),
    ("small-words", "Since You Went Away is a film.", ["Since You Went Away"]),
    ("as-i", "As I Lay Dying is a novel.", ["As I Lay Dying"]),
    ("colon", "He liked Avengers: Infinity War.", ["Avengers: Infinity War"]),
    ("after-colon", "There were two ways: Bridge building was one.", []),
    ("quoted", 'It opens "The Dark Knight Rises."', ["The Dark Knight Rises"]),
    ("only-quoted", 'He was nicknamed "Lucky" there.', []),
    ("acronym", "The Federal Aviation Administration (FAA) agreed.",
     ["Federal Aviation Administration", "FAA"]),
    ("no-acronym", "She studies natural language processing (NLP).", []),
    ("number", "They flew Apollo 11 in 1969.", ["Apollo 11"]),
    ("year", "The 2016 FA Cup Final was won.", ["2016 FA Cup Final"]),
    ("dates", "On Friday, 4 May 1990 and August 4 it rained.", []),
    ("people", "A French and two American teachers spoke Hebrew.", []),
    ("british", "British Prime Minister Winston Churchill agreed.",
     ["Prime Minister Winston Churchill"]),
    ("region", "He moved to Bali, Indonesia.", ["Bali", "Indonesia"]),
    ("language", "C# was new.", ["C#"]),
    ("lower", "it was made by william shatner in new mexico .", ["william shatner", "new mexico"]),
    ("lower-common", "i know that donald trump is rich . donald likes us .", ["donald trump"]),
    ("title-of", "The Prime Minister of Japan met us.", ["Japan"]),
    ("title-of-work", "They read the Lord of the Flies.", ["Lord of the Flies"]),
    ("acronym-at", "Shares in AT&T fell.", ["AT&T"]),
    ("score", "Real Madrid beat Borussia Dortmund 2-0.", ["Real Madrid", "Borussia Dortmund"]),
    ("model", "He flew a Boeing 737 and an Airbus.", ["Boeing 737", "Airbus"]),
    ("hyphens", "She lives in Stratford-upon-Avon.", ["Stratford-upon-Avon"]),
    ("war", "World War I ended, and after the War I left.", ["World War I", "War"]),
    ("and-the-work", "He made Barry Lyndon and The Shining.", ["Barry Lyndon", "The Shining"]),
    ("headline", "NASA SENDS A ROCKET TO MARS FROM KENYA", ["NASA", "KENYA"]),
    ("headline-person", "ANGELA MERKEL MEETS PUTIN IN OSLO", ["ANGELA MERKEL", "PUTIN", "OSLO"]),
    ("headline-common", "STOCKS FALL AS RATES RISE AGAIN", []),
    ("nickname", 'They met Edward "Duke" Ellington.', ['Edward "Duke" Ellington']),
    ("no-nickname", 'Then Edward made "Duke" there.', ["Edward", "Duke"]),
    ("capitals", "UNITED NATIONS SECURITY COUNCIL", ["UNITED NATIONS SECURITY COUNCIL"]),
    ("nothing", "the dominant wavelength is 5 nm .", []),
    ("empty", "", []),
]  # fmt: skip

KINDS: list[tuple[str, MentionKind | None]] = [
    ("Marie Curie", "person"),
    ("Sister Carrie", "person"),
    ("France", "place"),
    ("Lake Geneva", "place"),
    ("University of Oslo", "organisation"),
    ("Vietnam War", "event"),
    ("The Trial", "work"),
    ("Borobudur", None),
]


class TestMentions:
    @each_row(("text", "names"), [pytest.param(*row, id=name) for name, *row in NAMES])
    def test_names_of_a_text(self, text: str, names: list[str]) -> None:
        assert [mention.text for mention in mentions(text)] == names

    @each_row(("name", "kind"), KINDS)
    def test_kinds(self, name: str, kind: MentionKind | None) -> None:
        (mention,) = mentions(f"They saw {name}.")
        assert (mention.text, mention.kind) == (name, kind)

    @given(
        st.lists(
            st.sampled_from(
                ["The", "I", "a", "of", "and", "King's", "Paris", "Anna", "in", "US", "2", "1990",
                 '"', "'", "(", ")", ":", ",", ".", "-", "Jr", "Lake", "é", "de", "C", "#", "\n"]
            ),
            max_size=12,
        ).map(" ".join)
        | st.text(max_size=40)
    )  # fmt: skip
    def test_offsets_are_those_of_the_text(self, text: str) -> None:
        before = 0
        for mention in mentions(text):
            assert before <= mention.start < mention.end
            assert text[mention.start : mention.end] == mention.text
            before = mention.end

    def test_a_function_is_a_tagger(self) -> None:
        def first_word(text: str) -> list[Mention]:
            return [Mention(0, len(text.split()[0]), text.split()[0])]

        taggers: list[Tagger] = [mentions, first_word]
        assert [next(iter(tagger("Oslo grew"))).text for tagger in taggers] == ["Oslo", "Oslo"]


class TestFloors:
    """Frozen samples: on 2026-11-23 .94 and .84 for persons, organisations and places."""

    @pytest.mark.parametrize(("half", "named", "of_all"), [("A", 0.93, 0.92), ("B", 0.82, 0.82)])
    def test_exact_borders(self, half: Half, named: float, of_all: float) -> None:
        found: set[tuple[str, int, int]] = set()
        kinds: dict[tuple[str, int, int], str] = {}
        for row in labelled(half):
            found |= {(row["id"], each.start, each.end) for each in mentions(row["text"])}
            kinds |= {
                (row["id"], each["start"], each["end"]): each["kind"] for each in row["mentions"]
            }
        others = {place for place, kind in kinds.items() if kind in ("work", "event")}
        assert f1(found - others, kinds.keys() - others) >= named
        assert f1(found, kinds) >= of_all
