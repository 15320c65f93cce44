"""What stands between two sentences, cells, items or turns may not be lost, nor invented."""

import re

import pytest

from quotes.tables import accepted, misjudged, rows
from quotes.test_same_text import TEXTS

RUN_TOGETHER = rows(r"""
We recommend aspirin. For children it is dangerous. | We recommend aspirin for children
we recommend aspirin. for children it is dangerous. | we recommend aspirin for children
We recommend aspirin! For children it is dangerous. | aspirin For children it is dangerous
We recommend aspirin; for children it is dangerous. | We recommend aspirin for children
We recommend aspirin: for children it is dangerous. | We recommend aspirin for children
We recommend aspirin – for children it is dangerous. | We recommend aspirin for children
We recommend aspirin—for children it is dangerous. | We recommend aspirin for children
We recommend aspirin (for children it is dangerous). | We recommend aspirin for children
We recommend (aspirin). For children it is dangerous. | We recommend (aspirin) for children
We recommend "aspirin". For children it is dangerous. | recommend "aspirin" for children
We recommend `aspirin`. For children it is not. | We recommend `aspirin`, for children it is not
We took (aspirin, etc.). The drug is dangerous. | We took (aspirin, etc.) the drug is dangerous
It is in dists/ and pool/. The second is a pool. | It is in dists/ and pool/ the second is a pool
We recommend aspirin [3]. For children it is dangerous. | We recommend aspirin for children
We recommend aspirin\n\nFor children it is dangerous. | We recommend aspirin for children
We recommend aspirin for children under twelve. | We recommend aspirin. For children under twelve
- We recommend aspirin\n- For children it is dangerous | recommend aspirin For children it is
<li>We recommend aspirin</li><li>For children it is not</li> | recommend aspirin For children it
1. We recommend aspirin\n2. For children it is not | We recommend aspirin for children it is not
[00:10] Ann: We use aspirin\n[00:17] Ben: Not for children | We use aspirin Not for children
Forbidden\n\n- smoking is\n- eating is not | Forbidden smoking is eating is
Managers\nAll employees\nOnly interns | Managers all employees only interns
In 1990 it rose. 3 men fell. 4 women stood. | In 1990 it rose. men fell. 4 women stood
-- We recommend aspirin\n-- Children must not | We recommend aspirin children must not
我们推荐阿司匹林。儿童服用很危险。 | 我们推荐阿司匹林儿童服用
Мы рекомендуем аспирин. Для детей он опасен. | Мы рекомендуем аспирин для детей
""")
KEPT = rows(r"""
We recommend aspirin. For children it is dangerous. | We recommend aspirin. For children it is
We recommend aspirin. For children it is dangerous. | We recommend aspirin; For children it is
We recommend aspirin\n\nfor children over twelve. | We recommend aspirin for children over twelve.
INTRODUCTION\n\nThe drug was safe. | INTRODUCTION The drug was safe.
We met Dr. Smith at 9 p.m. on Friday. | We met Dr Smith at 9 pm on Friday.
Das ABl. L 12 vom Mai nennt die Frist. | Das ABl L 12 vom Mai nennt die Frist.
Signs:\n- fever\n- dry cough | Signs: fever, dry cough
Gene \x7c Finding\nPOLG \x7c depletion \x7c severe | POLG depletion severe
Peak (GB) 8.9 14.5 3.2 | Peak (GB): 8.9, 14.5, 3.2
Signs:\n- fever\n- dry cough | Signs:\n• fever\n• dry cough
It rained all day.[1] Nobody came. | It rained all day. Nobody came.
The plan (made in May) was dropped. | The plan, made in May, was dropped.
Apprenez que tout flatteur\nVit aux dépens, crois-moi,\nDe celui qui l'écoute. | tout flatteur
| vit aux dépens, crois-moi, de celui qui l'écoute
-- The reader is suspended\n-- until the debt is paid. | reader is suspended until the debt is paid
1 In the beginning it rose.\n2 The earth was void.\n3 And it fell. | it rose. The earth was void
""")
CELLS = "| Drug | Dose | May |\n|---|---|---|\n| Balm | | 7 |\n| Lint | 3 | - |"
SAME_CELLS = ["Balm | | 7", "|Balm||7|", "Balm 7", "May |\n| Balm | | 7", "Dose | May\nBalm | | 7"]
OTHER_CELLS = ["Balm | 7", "Lint | - | 3", "7 | Lint | 3", "May | Balm"]
ROWS = "| Drug | For whom |\n|---|---|\n| Aspirin | not for children |\n| Balm | for children |"


def test_parts_are_not_run_together() -> None:
    assert misjudged(same=KEPT, changed=RUN_TOGETHER) == []


def test_rows_of_a_table_may_be_quoted_whole() -> None:
    assert accepted("Aspirin not for children Balm for children", ROWS)
    assert not accepted("for children Balm for", ROWS)


def test_borders_between_cells_are_those_of_the_source() -> None:
    same, changed = ([(CELLS, each) for each in quotes] for quotes in (SAME_CELLS, OTHER_CELLS))
    assert misjudged(same=same, changed=changed) == []


@pytest.mark.parametrize("language", ["en", "es", "de", "zh", "hi"])
def test_a_lost_stop_is_noticed_in_any_script(language: str) -> None:
    text = f"{TEXTS[language]} {TEXTS[language]}"
    lost = re.sub(r"(?<=\w)([.;。।]) ?(?=[A-Z2न])", " ", text)
    assert lost == text or not accepted(lost, text)
