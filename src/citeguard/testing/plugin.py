"""The pytest plugin: the fixtures `citeguard_sources` and `citeguard_policy`, a marker, options.

It imports nothing slow until a test uses it. Without the plugin (`-p no:citeguard`) the assertions
work the same, with the default policy.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import pytest

from citeguard.errors import CiteguardError
from citeguard.testing.selection import choosing

if TYPE_CHECKING:
    from citeguard.sources.collection import Source, Sources
    from citeguard.validation.policy import Policy

T = TypeVar("T")

_MARKER = (
    "citeguard(sources=None, policy=None): the sources of the fixture citeguard_sources (a folder "
    "or a file, relative to the test's own folder, or what Sources accepts), and the policy of "
    "assert_cited (quotes, fast, or a Policy)"
)
_POLICIES = ("quotes", "fast")
_ARGUMENTS = ("sources", "policy")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, and the settings that give their defaults."""
    group = parser.getgroup("citeguard", "quotes and citations")
    group.addoption(
        "--citeguard-sources",
        metavar="PATH",
        help="the folder, or the file, that the fixture citeguard_sources loads",
    )
    group.addoption(
        "--citeguard-policy",
        metavar="NAME",
        help="the policy that assert_cited uses where a test names none: quotes or fast",
    )
    parser.addini(
        "citeguard_sources", "default of --citeguard-sources, relative to the configuration file"
    )
    parser.addini("citeguard_policy", "default of --citeguard-policy")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and read the options."""
    config.addinivalue_line("markers", _MARKER)
    policy = config.getoption("--citeguard-policy") or config.getini("citeguard_policy") or None
    config.stash[_SETTINGS] = _Settings(_folder(config), policy)
    if policy not in (None, *_POLICIES):
        raise pytest.UsageError(f"citeguard: the policy must be quotes or fast, not {policy!r}")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None]:
    """Let the assertions of a test use the policy that its marker or the options choose."""
    # A function, so that a test that asserts nothing does not load a policy.
    with choosing(lambda: _policy_of(item)):
        yield


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Reject a misspelt marker, with which a test would check something else."""
    _without_frames(_marked, item)


@pytest.fixture
def citeguard_sources(request: pytest.FixtureRequest) -> Sources:
    """The sources of the test: those of its marker, or of --citeguard-sources.

    The files of a folder are loaded once per run, as by `Sources.from_paths`.

    Raises:
        CiteguardError: No sources are named, or they cannot be read.
    """
    return _without_frames(_sources_of, request)


@pytest.fixture
def citeguard_policy(request: pytest.FixtureRequest) -> Policy:
    """The policy of the test: that of its marker, or of --citeguard-policy, or the default one.

    Raises:
        CiteguardError: The marker or the option does not name a policy.
    """
    from citeguard.validation.policy import DEFAULT_POLICY

    return _without_frames(_policy_of, request.node) or DEFAULT_POLICY


def _without_frames(read: Callable[[Any], T], node: Any) -> T:
    """Return `read(node)`; pytest shows an error without the frames below this one."""
    __tracebackhide__ = True
    try:
        return read(node)
    except CiteguardError as error:
        raise error.with_traceback(None) from error.__cause__


@dataclass
class _Settings:
    """The options, and the sources that were loaded for them and for markers."""

    folder: Path | None
    policy: str | None
    sources: dict[Path, Sources] = field(default_factory=dict["Path", "Sources"])


_SETTINGS = pytest.StashKey[_Settings]()


def _sources_of(request: pytest.FixtureRequest) -> Sources:
    settings = request.config.stash[_SETTINGS]
    named = _marked(request.node).get("sources", settings.folder)
    if named is None:
        raise CiteguardError(
            "citeguard_sources: no sources are named: use --citeguard-sources=PATH, the setting "
            'citeguard_sources, or @pytest.mark.citeguard(sources="PATH")'
        )
    if isinstance(named, (str, PathLike)):
        path = request.path.parent / fspath(cast("str | PathLike[str]", named))
        path = path.resolve()
        if path not in settings.sources:
            settings.sources[path] = _load(path)
        return settings.sources[path]
    from citeguard.sources.collection import as_sources

    return as_sources(named)


def _folder(config: pytest.Config) -> Path | None:
    if given := config.getoption("--citeguard-sources"):
        return config.invocation_params.dir / given
    if given := config.getini("citeguard_sources"):
        return (config.inipath.parent if config.inipath else config.rootpath) / given
    return None


def _load(path: Path) -> Sources:
    """Load a file, or the files of a folder; the source of a text file has the file as its URL."""
    from citeguard.documents.files import find_files
    from citeguard.sources.collection import Sources

    if not path.exists():
        raise CiteguardError(f"{path}: no such folder or file of sources")
    files = list(find_files(path))
    loaded = Sources.from_paths(files)
    texts = [each for each in files if each.suffix.lower() != ".json"]
    # A text's id is its path if another text, or an entry of a JSON file, has its name.
    homes = {each.as_posix() if each.as_posix() in loaded else each.stem: each for each in texts}

    def named(source: Source) -> Source:
        if source.id not in homes:
            return source
        # An id that is a path is relative to the folder, so that it is the same on every machine.
        file = Path(source.id)
        name = file.relative_to(path).as_posix() if file.is_relative_to(path) else source.id
        return replace(source, id=name, url=homes[source.id].as_uri())

    return Sources([named(source) for source in loaded])


def _marked(item: pytest.Item) -> dict[str, Any]:
    """Return the arguments of an item's markers that are not `None`; the closest marker wins."""
    marked: dict[str, Any] = {}
    for mark in item.iter_markers("citeguard"):
        if mark.args or not mark.kwargs.keys() <= set(_ARGUMENTS):
            shown = ", ".join([*map(repr, mark.args), *(f"{name}=..." for name in mark.kwargs)])
            raise CiteguardError(
                f"@pytest.mark.citeguard takes sources=... and policy=..., not citeguard({shown})"
            )
        given = {name: value for name, value in mark.kwargs.items() if value is not None}
        marked = {**given, **marked}
    policy = marked.get("policy")
    if isinstance(policy, str) and policy not in _POLICIES:
        raise CiteguardError(
            f"@pytest.mark.citeguard(policy=...) must be quotes, fast or a Policy, not {policy!r}"
        )
    return marked


def _policy_of(item: pytest.Item) -> Policy | None:
    """Return what a test's marker, or else the option, gives as the policy; or `None`."""
    named = _marked(item).get("policy", item.config.stash[_SETTINGS].policy)
    if named is None:
        return None
    from citeguard.validation.policy import Policy

    policy = {"quotes": Policy, "fast": Policy.fast}[named]() if isinstance(named, str) else named
    if not isinstance(policy, Policy):
        raise CiteguardError(f"the policy of a test must be a Policy(...), not {policy!r}")
    return policy
