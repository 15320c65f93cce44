"""What a faithful quote may leave out of a sentence or read in it: notes, references, LaTeX."""

import json
from pathlib import Path

from citeguard import Sources, locate
from quotes.tables import misjudged, rows

HARMLESS = rows(r"""
The bank kept its policy.3 The market fell. | The bank kept its policy. The market fell.
In 2019 growth12 was stronger than expected. | growth was stronger than expected
In 2019 growth12 was stronger than expected. | In 2019 growth
He called it “a scandal.”8 He resigned. | He called it “a scandal.” He resigned.
In mice,3,4 rats,5 and dogs6 the drug worked well. | In mice, rats, and dogs the drug worked well.
Sleep improves memory (12) in adults. | Sleep improves memory in adults.
Payment is due within thirty (30) days. | Payment is due within thirty days.
Sleep improves memory【3】in adults. | Sleep improves memory in adults.
Sleep improves memory [SLB+09, Lee11] in adults. | Sleep improves memory in adults.
Sleep helps (Deng\n   et al.,\n2009) in adults. | Sleep helps in adults.
They was (sic) late for the meeting. | They was late for the meeting.
The rule (citations omitted) holds in every state. | The rule holds in every state.
No change was seen (see Table 3) in the groups. | No change was seen in the groups.
the flow was ≥ 5 litres then. | >= 5 litres then
the flow was <= 5 litres then. | ≤ 5 litres then
p* is the value of Smith† in it. | p is the value of Smith in it
We used 10~GPUs of G\\"odel's na\\"{\\i}ve kind. | We used 10 GPUs of Gödel's naïve kind
;; It opens a file and\n;; returns its handle. | It opens a file and returns its handle
/* It opens a file and */\n/* returns its handle. */ | It opens a file and returns its handle
It rained. He left. | it rained. he left.
It rained. He left. | It rained, He left.
""")
MATERIAL = rows(r"""
Covid19 was widespread in the region. | Covid was widespread in the region.
Patients took B12 every morning. | Patients took B every morning.
The rate was 2.5 per cent of income. | The rate was 2 per cent of income.
It rose to level3 in the test of reading. | It rose to level in the test of reading.
growth12 was 3 in 2010 and 4 in 2011. | growth13 was 3 in 2010
Under paragraph (2) of this section, it ends. | Under paragraph of this section, it ends.
A total of (7) members voted against it. | A total of members voted against it.
They sold 300 (12) units in the shop. | They sold 300 units in the shop.
Smith (2009) found that sleep helps. | Smith (2010) found that sleep helps.
In Kenya (2009) wages rose sharply in towns. | In Kenya wages rose sharply in towns.
Sales were high [Before 2020] and then fell. | Sales were high and then fell.
The treaty [Paris 2015] was signed by all. | The treaty was signed by all.
Prices rose (except in 2010) in the region. | Prices rose in the region.
The area is x² for every square. | The area is $x^3$ for every square.
We need $n \\geq 5$ samples per group. | We need n ≤ 5 samples per group.
It cost $5 or $6 per unit sold. | It cost 5 or 6 per unit sold.
By his account, it rained. He left. | It rained, he left.
Selon lui, il a plu. L'eau monte. | Il a plu ; l'eau monte.
""")


def test_marks_and_markup_may_be_left_out() -> None:
    assert misjudged(same=HARMLESS, changed=MATERIAL) == []


def test_the_text_itself_is_accepted() -> None:
    texts = [text for text, _ in (*HARMLESS, *MATERIAL)]
    assert misjudged(same=[(text, text.strip()) for text in texts]) == []


def test_a_rejected_match_has_no_grade() -> None:
    match = locate("Smith (2010) found it.", Sources("Smith (2009) found it."))
    assert match is not None
    assert match.grade is None


def read_pairs(name: str) -> list[tuple[str, str]]:
    """Return pairs of a source and a quote."""
    lines = Path(__file__).with_name(f"markup_{name}.jsonl").read_text(encoding="utf-8")
    return [(source, quote) for source, quote in map(json.loads, lines.splitlines())]


def test_markup_is_read_on_either_side_where_it_parses() -> None:
    same = read_pairs("same")
    assert misjudged(same=same, changed=read_pairs("changed")) == []
    assert misjudged(same=[(source, source) for source, _ in same]) == []
