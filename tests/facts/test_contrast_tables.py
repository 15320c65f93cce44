"""The tables of words that exclude one another."""

import pytest

from citeguard.facts.reading.tables import memberships, phrases, root


class TestMemberships:
    @pytest.mark.parametrize(
        ("one", "other"), [("rise", "fall"), ("buy", "sold"), ("red", "blue"), ("violin", "piano")]
    )
    def test_words_of_two_groups_exclude_each_other(self, one: str, other: str) -> None:
        groups = {m.name: m.group for m in memberships()[root(one)]}
        others = {m.name: m.group for m in memberships()[root(other)]}
        assert any(groups[name] != others[name] for name in groups.keys() & others.keys())

    def test_country_and_its_people_are_one_group(self) -> None:
        (country,) = [m for m in memberships()["france"] if m.name == "country"]
        assert country.kind == "exclusive"

    def test_word_is_in_a_class_once(self) -> None:
        for word, found in memberships().items():
            names = [membership.name for membership in found]
            assert len(set(names)) == len(names), word


class TestPhrases:
    def test_longest_come_first(self) -> None:
        found = [len(phrase.keys) for phrase in phrases()["united"]]
        assert found == sorted(found, reverse=True)
