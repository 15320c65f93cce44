"""Values, verbs and subjects that the passage has for something else."""

import pytest

from citeguard.facts import misplaced_values
from rows import each_row

_GLUE = "The glue sets in 40 minutes. The varnish sets in 90 minutes."
_TRAINS = "The express stops at 7:15, while the local train stops at 7:48."
_SALES = "In 2021 exports grew 9 % to €310 million, while imports shrank 4 % to €275 million."
_REIGN = "Edda Lund led the choir until May 2003. Knut Aas led it until May 2011."
_WORKS = "Dr. Yilmaz wrote the manual and Dr. Osei translated it in 1994."
_HOMES = "Ms Pereira, 41, works in Porto. Her cousin Tiago, 26, works in Braga."

MISPLACED = [
    ("sentence", "The varnish sets in 40 minutes.", _GLUE, "40", "90"),
    ("sentence-back", "The glue sets in 90 minutes.", _GLUE, "90", "40"),
    ("clause", "The local train stops at 7:15.", _TRAINS, "7:15", "7:48"),
    ("percent", "Imports shrank 9 % in 2021.", _SALES, "9", "4"),
    ("money", "Exports were €275 million.", _SALES, "275 million", "310 million"),
    ("object-pronoun", "Edda Lund led the choir until May 2011.", _REIGN, "May 2011", "May 2003"),
    ("date", "Knut Aas led the choir until May 2003.", _REIGN, "May 2003", "May 2011"),
    ("place", "Tiago works in Porto.", _HOMES, "Porto", "Braga"),
    ("age", "Ms Pereira is 26.", _HOMES, "26", "41"),
    ("from-to", "Output was 5.5 tonnes in 1990.",
     "Output fell from 7.1 tonnes in 1990 to 5.5 tonnes in 1991.", "5.5", "7.1"),
    ("verb", "The wax is cooled to 90 °C.",
     "The wax is heated to 90 °C and then cooled to 30 °C.", "90", "30"),
    ("ellipsis", "The tall mast carries 80 lamps.",
     "The short mast carries 80 lamps. The tall mast carries 55.", "80", "55"),
    ("that-of", "Uptake of the mumps jab stood at 29 %.",
     "Uptake of the mumps jab stood at 47 %; that of the rabies jab stood at 29 %.", "29", "47"),
    ("unit", "The gel needs twenty minutes.", "The gel needs two hours, the spray twenty minutes.",
     "twenty minutes", "two hours"),
    ("opposite", "Imports grew 4 % in 2021.", _SALES, "grew", "shrank"),
    ("subject", "Dr. Osei wrote the manual.", _WORKS, "Dr. Osei", "Dr. Yilmaz"),
    ("subject-back", "Yilmaz translated the manual in 1994.", _WORKS, "Yilmaz", "Dr. Osei"),
    ("seller", "Quist sold the mill to Halvorsen.",
     "Halvorsen sold the mill to Quist in 1870.", "Quist", "Halvorsen"),
    ("passive", "Hanne Krog was cleared by the jury after saying so.",
     "Lorentzen, 51, was cleared by the jury after telling it of Hanne Krog.",
     "Hanne Krog", "Lorentzen"),
]  # fmt: skip

IN_PLACE = [
    ("own", "The varnish sets in 90 minutes.", _GLUE),
    ("own-clause", "The local train stops at 7:48.", _TRAINS),
    ("own-percent", "Imports shrank 4 % in 2021.", _SALES),
    ("own-money", "Imports were €275 million in 2021.", _SALES),
    ("own-date", "Knut Aas led the choir until May 2011.", _REIGN),
    ("own-place", "Tiago, 26, works in Braga.", _HOMES),
    ("own-subject", "Osei translated the manual.", _WORKS),
    ("both", "The glue sets in 40 minutes, and the varnish sets in 90 minutes.", _GLUE),
    ("pronoun", "The bridge was closed in 1920.",
     "The bridge opened in 1890. It was closed in 1920."),
    ("possessive", "Orvex had 400 staff in 2005.",
     "Orvex had 350 staff in 2004. In 2005 its staff were 400."),
    ("not-there", "The varnish sets in 70 minutes.", _GLUE),
    ("life", "Anne Weil was born in April 1866.",
     "Anna Weil (14 April 1866 – 20 October 1936), known as Anne Weil, was a teacher."),
    ("list", "It has 3 or 4 legs.", "The stool has 3 or 4 legs. The chair has 4 legs."),
    ("resigned", "Kohl resigned.", "Yesterday Brandt resigned. Kohl was silent."),
    ("two-subjects", "Lund wrote the play.", "Aas and Lund wrote the play."),
    ("apposition", "Lund sold the firm.", "Lund, the head of Orvex, sold the firm."),
    ("empty", "", _GLUE),
]  # fmt: skip


class TestMisplacedValues:
    @each_row(
        ("statement", "passage", "stated", "found"),
        [pytest.param(*row, id=name) for name, *row in MISPLACED],
    )
    def test_finds_the_value_of_something_else(
        self, statement: str, passage: str, stated: str, found: str
    ) -> None:
        contrasts = misplaced_values(statement, passage)
        assert [(each.stated, each.found) for each in contrasts] == [(stated, found)]

    @each_row(("statement", "passage"), [pytest.param(*row, id=name) for name, *row in IN_PLACE])
    def test_passes_what_is_in_its_place(self, statement: str, passage: str) -> None:
        assert misplaced_values(statement, passage) == ()

    def test_other_scripts_are_not_read(self) -> None:
        passage = "红线载客400人。蓝线载客650人。"
        assert misplaced_values("红线载客650人。", passage) == ()

    def test_both_ends_of_a_span_have_one_verb(self) -> None:
        passage = "The pool opens at 8:00. It closes at 18:00."
        assert misplaced_values("The pool is open from 8:00 to 18:00.", passage) == ()
