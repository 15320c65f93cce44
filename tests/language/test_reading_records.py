from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from citeguard.language.records import find_records
from rows import each_row

CAFE = """{"name": "Blue Door", "hours": {"Monday": "9:00-17:00", "Sunday": "closed"},
 "wifi": true, "delivery": false, "parking": {"street": false}, "tags": ["old", "quiet"]}"""
YELP = "{'name': 'El Faro', 'attributes': {'OutdoorSeating': True, 'Bar': None}, 'stars': 4.0}"
KEYS = "hours.monday: 9:00-17:00\nwifi: true\nprice.adult: $7.50\nprice.child: $3.00\n"
YAML = """server:
  port: 5432
  timeout_seconds: 30
backup:
  enabled: false
users:
  - name: alice
    role: admin
  - name: bob
    role: viewer
regions:
  - eu-west
  - us-east
"""
LIST = "- **Address:** 9 Mill Lane\n- **Opening hours:** Mon-Fri 8-18\n- **Founded:** 1921\n"
HOURS = "Name: Dr. Lee\nOffice: 4.12\nHours: Tue 10:00-12:00, Thu 14:00-16:00\n"


def said(text: str) -> list[str]:
    return [each for table in find_records(text) for cell in table.cells for each in cell.sentences]


class TestFindRecords:
    @each_row(
        ("text", "sentence"),
        [
            (CAFE, "Blue Door is open on Monday from 9:00 am to 17:00."),
            (CAFE, "Blue Door opens at 9:00 am and closes at 17:00 on Monday."),
            (CAFE, "Blue Door is closed on Sunday."),
            (CAFE, "Blue Door has wifi."),
            (CAFE, "Blue Door has no delivery."),
            (CAFE, "Delivery is not available at Blue Door."),
            (CAFE, "Blue Door has no street parking."),
            (CAFE, "The tags of Blue Door is old and quiet."),
            (YELP, "El Faro has outdoor seating."),
            (YELP, "The stars of El Faro is 4.0."),
            (KEYS, "It is open on Monday from 9:00 am to 17:00."),
            (KEYS, "It has wifi."),
            (KEYS, "The price adult is $7.50."),
            (YAML, "The server port is 5432."),
            (YAML, "The server timeout is 30 seconds."),
            (YAML, "The backup is not enabled."),
            (YAML, "The role of bob is viewer."),
            (YAML, "The regions is eu-west and us-east."),
            (LIST, "The Address is 9 Mill Lane."),
            (
                LIST,
                "It is open on Monday, Tuesday, Wednesday, Thursday and Friday"
                " from 8:00 am to 18:00.",
            ),
            (LIST, "It was founded in 1921."),
            (HOURS, "Dr. Lee is open on Thursday from 14:00 to 16:00."),
        ],
    )
    def test_values_are_sentences(self, text: str, sentence: str) -> None:
        assert sentence in said(text)

    @each_row(
        "text",
        [
            "See [1] and {2}. It rained.",
            '{"a": 1, "b": ',
            "[1, 2, 3]",
            "Note: the shop is closed.",
            "Q: Why did it fall?\nA: It was old.\nQ: Is it gone?\nA: It is.\n",
            "[" * 5_000,
            '{"a":' * 5_000,
        ],
    )
    def test_other_texts_have_none(self, text: str) -> None:
        assert find_records(text) == []

    def test_null_says_nothing(self) -> None:
        assert "bar" not in " ".join(said(YELP)).lower()

    def test_what_is_around_the_record_is_no_part_of_it(self) -> None:
        text = f"Here it is:\n{CAFE}\nThat is all."
        (table,) = find_records(text)
        assert text[table.start : table.end] == CAFE

    @given(
        st.dictionaries(
            st.text(st.characters(codec="utf-8"), min_size=1, max_size=8),
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.text(max_size=8),
                lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner),
                max_leaves=6,
            ),
        )
    )
    def test_any_json_is_read_and_has_its_places(self, value: dict[str, object]) -> None:
        text = json.dumps(value)
        for table in find_records(text):
            for cell in table.cells:
                assert table.start <= cell.shown[0] <= cell.start < cell.end <= table.end
