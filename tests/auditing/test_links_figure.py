"""How many findings are right on a text with 40 links over a site with pages of all kinds."""

from collections import Counter

from auditing.forty_links import OTHERS, ROWS, path_of
from citeguard import audit
from citeguard.reports.report import Report
from citeguard.web import Fetcher
from linked_site import Site

RIGHT = 37
"""Links of 40 whose findings are right: 36 when the audit was first run on the text.

The three others are claims that the embedded verifier decides wrongly, or not at all.
"""


def findings_of(report: Report, url: str) -> list[str]:
    """Return the problems of the link with an address; each address is in the text once."""
    return [each.problem for each in report.findings if each.cited == url]


class TestFortyLinks:
    def test_findings(self) -> None:
        replies = {path_of(number): row.reply for number, row in enumerate(ROWS)}
        with Site({**OTHERS, **replies}).running() as site:
            urls = [f"{site.url}{path_of(number)}" for number in range(len(ROWS))]
            said = [row.sentence.format(url) for row, url in zip(ROWS, urls, strict=True)]
            fetcher = Fetcher(allow=[site.host], timeout=5)
            report = audit("\n\n".join(said), links=fetcher)
            asked = Counter(site.pages_asked())
        right = Counter(
            row.problem
            for row, url in zip(ROWS, urls, strict=True)
            if findings_of(report, url) == ([row.problem] if row.problem else [])
        )
        assert right.total() >= RIGHT
        # What does not depend on a judge.
        assert (right["link_dead"], right["link_blocked"], right["link_redirected"]) == (4, 5, 3)
        assert {asked[path_of(number)] for number in range(len(ROWS))} == {1}
        unread = [each.url for each in report.links if each.outcome in ("dead", "unread")]
        numbers = [each.claims for each in report.findings if each.cited in unread]
        assert {report.claims[number - 1].verdict for [number] in numbers} == {"undecided"}
