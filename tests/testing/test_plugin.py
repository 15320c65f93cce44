# ruff: noqa: E501 - a snapshot holds a message as it is
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from inline_snapshot import snapshot

import citeguard
import citeguard.documents
from citeguard import Policy
from citeguard.testing import ScriptedJudge, assert_cited

pytest_plugins = ["pytester"]


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """Load what a run loads: one inside this process forgets the modules that it was first to load.

    Classes would exist twice, and numpy cannot be loaded again.
    """
    judged = Policy.fast(alignment=ScriptedJudge())
    data: Any = {
        "statements": [{"text": "It is.", "citations": [{"quote": "Lunch costs 3 euros."}]}]
    }
    with pytest.raises(AssertionError):
        assert_cited(data, "Lunch costs 4 euros.", policy=judged)
    data["statements"][0]["citations"] = [{"quote": "Lunch costs 4 euros."}]
    with pytest.raises(AssertionError):
        assert_cited(data, "Lunch costs 4 euros.", policy=judged)


HANDBOOK = "Rules.\n\nVisitors may not enter the laboratory. The deposit is 25 million euros.\n"
FAQ = "Lunch is free.\n"

HELPERS = """
import pytest
from citeguard import CiteguardError, Policy
from citeguard.testing import ScriptedJudge, assert_cited, assert_quote

def data(*quotes, text="As the handbook says."):
    citations = [{"quote": quote, "source_id": "handbook"} for quote in quotes]
    return {"statements": [{"text": text, "citations": citations}]}
"""
TRUE = "The deposit is 25 million euros."


@pytest.fixture(autouse=True)
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project with a folder of sources, and no plugin but citeguard's and what it is run with."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "citeguard.testing.plugin")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(Path(citeguard.__file__).parent.parent))
    pytester.makeini(
        "[pytest]\nstrict_markers = true\nstrict_config = true\nfilterwarnings = error"
    )
    folder = pytester.mkdir("documents")
    folder.joinpath("handbook.md").write_text(HANDBOOK, "utf-8")
    folder.joinpath("faq.txt").write_text(FAQ, "utf-8")


def run(pytester: pytest.Pytester, tests: str, *options: str) -> pytest.RunResult:
    """Run a test file that has the helpers."""
    pytester.makepyfile(test_answers=HELPERS + dedent(tests))
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", "--color=no", *options)


def errors(result: pytest.RunResult) -> str:
    """Return what the run said of errors, without what depends on the machine."""
    said = "\n".join(line[1:].strip() for line in result.outlines if re.match("E  ", line))
    return re.sub(r"/\S*/(?=test_|documents|nowhere|empty)", "…/", said)


class TestAssertions:
    def test_fail_with_a_difference_and_without_frames_of_their_own(
        self, pytester: pytest.Pytester
    ) -> None:
        result = run(
            pytester,
            """
            def test_answer(citeguard_sources):
                quotes = ["Visitors may enter the laboratory.", "5 million euros"]
                assert_cited(data(*quotes), citeguard_sources)
            """,
            "--citeguard-sources=documents",
        )
        result.assert_outcomes(failed=1)
        shown = "\n".join(result.outlines)
        assert shown[shown.index("____ test_answer") : shown.index("=== short")].strip(
            "_"
        ) == snapshot("""\
 test_answer __________________________________

citeguard_sources = Sources('faq', 'handbook')

    def test_answer(citeguard_sources):
        quotes = ["Visitors may enter the laboratory.", "5 million euros"]
>       assert_cited(data(*quotes), citeguard_sources)
E       AssertionError: 2 problems in the answer: quote_altered, quote_clipped
E       In a diff, [-the quote's words-] and {+the source's words+}.
E       \n\
E       statements[0].citations[0].quote: quote_altered (negation)
E         quote    Visitors may enter the laboratory.
E         source   Visitors may not enter the laboratory.
E         in       handbook, documents/handbook.md:3
E         diff     Visitors may {+not+} enter the laboratory
E       \n\
E       statements[0].citations[1].quote: quote_clipped
E         quote    5 million euros
E         source   The deposit is 25 million euros.
E         in       handbook, documents/handbook.md:3
E         diff     [-5-] {+25+} million euros

test_answers.py:11: AssertionError
========================\
""")


SOURCES_TEST = """
def test_sources(citeguard_sources):
    assert citeguard_sources.ids == {ids}
"""


class TestSources:
    def test_come_from_the_option(self, pytester: pytest.Pytester) -> None:
        ids = ("faq", "handbook")
        result = run(pytester, SOURCES_TEST.format(ids=ids), "--citeguard-sources=documents")
        result.assert_outcomes(passed=1)

    def test_come_from_the_marker_and_the_folder_of_the_test(
        self, pytester: pytest.Pytester
    ) -> None:
        tests = pytester.mkdir("below")
        tests.joinpath("more").mkdir()
        tests.joinpath("more/rules.md").write_text("No smoking.")
        tests.joinpath("test_below.py").write_text(
            "import pytest\n\npytestmark = pytest.mark.citeguard(sources='nowhere')\n\n"
            "@pytest.mark.citeguard(sources='more')" + SOURCES_TEST.format(ids=("rules",))
        )
        option = "--citeguard-sources=documents"
        result = pytester.runpytest_inprocess("-p", "no:cacheprovider", option, "below")
        result.assert_outcomes(passed=1)

    @pytest.mark.parametrize(
        ("options", "expected"),
        [
            (
                [],
                'citeguard_sources: no sources are named: use --citeguard-sources=PATH, the setting citeguard_sources, or @pytest.mark.citeguard(sources="PATH")',
            ),
            (["--citeguard-sources=nowhere"], "…/nowhere: no such folder or file of sources"),
        ],
        ids=["not named", "no folder"],
    )
    def test_that_cannot_be_read_are_an_error(
        self, pytester: pytest.Pytester, options: list[str], expected: str
    ) -> None:
        result = run(pytester, SOURCES_TEST.format(ids=()), *options)
        result.assert_outcomes(errors=1)
        assert errors(result) == f"citeguard.errors.CiteguardError: {expected}"


UNCITED = """
def test_answer():
    assert_cited(data(), "Notice is one month.")
"""


class TestPolicy:
    def test_comes_from_the_marker(self, pytester: pytest.Pytester) -> None:
        result = run(pytester, f"@pytest.mark.citeguard(policy=Policy(uncited='pass')){UNCITED}")
        result.assert_outcomes(passed=1)

    def test_fast_judges_support_without_a_model(self, pytester: pytest.Pytester) -> None:
        tests = """
        @pytest.mark.parametrize("text", ["Notice is one month.", "Dogs are not allowed."])
        def test_answer(text, citeguard_policy):
            sources = {"handbook": "Notice is one month."}
            assert_cited(data("Notice is one month.", text=text), sources)
            assert citeguard_policy == Policy.fast()
        """
        run(pytester, tests, "--citeguard-policy=fast").assert_outcomes(passed=1, failed=1)

    def test_of_the_options_is_checked_at_once(self, pytester: pytest.Pytester) -> None:
        result = run(pytester, UNCITED, "--citeguard-policy=quick")
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        assert "the policy must be quotes or fast, not 'quick'" in result.stderr.str()

    @pytest.mark.parametrize(
        ("marker", "expected"),
        [
            ("policy='quick'", "(policy=...) must be quotes, fast or a Policy, not 'quick'"),
            ("polcy='fast'", " takes sources=... and policy=..., not citeguard(polcy=...)"),
        ],
        ids=["no name of one", "misspelt"],
    )
    def test_of_a_wrong_marker_is_an_error(
        self, pytester: pytest.Pytester, marker: str, expected: str
    ) -> None:
        result = run(pytester, f"@pytest.mark.citeguard({marker})\ndef test_answer(): pass\n")
        result.assert_outcomes(errors=1)
        said = f"citeguard.errors.CiteguardError: @pytest.mark.citeguard{expected}"
        assert errors(result) == said


class TestPlugin:
    def test_is_found_by_its_name_and_can_be_left_out(
        self, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("PYTEST_PLUGINS")
        tests = f"""
        def test_answer(pytestconfig):
            assert pytestconfig.pluginmanager.has_plugin("citeguard") is {{loaded}}
            with pytest.raises(AssertionError):
                assert_cited(data("Nothing appears."), {{{{"handbook": "{TRUE}"}}}})
            assert_cited(data("{TRUE}"), {{{{"handbook": "{TRUE}"}}}})
        """
        for option, loaded in (("citeguard", True), ("no:citeguard", False)):
            given = tests.format(loaded=loaded)
            run(pytester, given, "-p", option).assert_outcomes(passed=1)


def loaded_by(statement: str) -> set[str]:
    program = f"{statement}; import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    return set(done.stdout.decode().split())


class TestImport:
    def test_of_the_plugin_loads_next_to_nothing(self) -> None:
        loaded = loaded_by("import citeguard.testing.plugin") - loaded_by("import pytest")
        assert sorted(loaded) == snapshot(
            [
                "citeguard",
                "citeguard.errors",
                "citeguard.lazy",
                "citeguard.testing",
                "citeguard.testing.plugin",
                "citeguard.testing.selection",
            ]
        )
