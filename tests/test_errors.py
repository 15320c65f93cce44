"""Packages that are not installed: what is said of them, and which extra has them."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

from citeguard import CiteguardError, server
from citeguard.errors import missing_package, optional_packages
from rows import each_row


class TestOptionalPackages:
    @each_row(
        ("module", "install"),
        [
            ("sklearn.metrics", '"pydantic-citeguard[metrics]"'),
            ("fastapi", '"pydantic-citeguard[server]"'),
            ("some_package", "some-package"),
        ],
    )
    def test_a_missing_one_says_what_to_install(self, module: str, install: str) -> None:
        with (
            pytest.raises(CiteguardError, match=re.escape(f"pip install {install}")),
            optional_packages("this"),
        ):
            raise ModuleNotFoundError(name=module)

    def test_a_missing_one_is_named_where_a_public_name_is_imported(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delitem(sys.modules, "citeguard.server.app", raising=False)
        monkeypatch.delitem(vars(server), "create_app", raising=False)
        monkeypatch.setitem(sys.modules, "fastapi", None)
        with pytest.raises(CiteguardError) as caught:
            from citeguard.server import create_app  # noqa: F401
        assert str(caught.value) == (
            "fastapi is required for citeguard.server.create_app: "
            'pip install "pydantic-citeguard[server]"'
        )

    def test_a_module_of_citeguard_is_not_optional(self) -> None:
        with pytest.raises(ImportError), optional_packages("this"):
            raise ImportError(name="citeguard.no_such_module")


def test_every_optional_package_is_in_the_extra_that_its_error_names() -> None:
    pyproject = Path(__file__).parent.parent / "pyproject.toml"
    extras = tomllib.loads(pyproject.read_text("utf-8"))["project"]["optional-dependencies"]
    packages = (
        "cssselect2 lxml lxml_html_clean markdown_it mdit_py_plugins PIL pypdfium2 docx pptx"
        " tinycss2 trafilatura sentence_transformers rouge_score scipy sklearn pyarrow pandas ray"
        " fastapi multipart starlette tqdm uvicorn"
    )
    for package in packages.split():
        message = str(missing_package(ImportError(name=package), "this"))
        named = re.fullmatch(
            r'([\w-]+) is required for this: pip install "pydantic-citeguard\[(\w+)\]"', message
        )
        assert named is not None, message
        assert any(each.startswith((f"{named[1]}>", f"{named[1]}[")) for each in extras[named[2]])
