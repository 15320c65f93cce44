"""Check what `python -m build` made: `check_distribution.py FOLDER`.

The wheel has the package with its data, and nothing else; the archive of the sources has what the
tests and the documentation need; both have the version that the package says it is.
"""

from __future__ import annotations

import re
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "citeguard"
MOST_BYTES = 48_000_000  # of the wheel, 34 of them the reader's weights


def main(folder: Path) -> int:
    """Print each mistake, and return how many there are."""
    (wheel,), (archive,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    version = re.search(r'__version__ = "([^"]+)"', (PACKAGE / "__init__.py").read_text("utf-8"))
    mistakes = [*_wheel(wheel), *_archive(archive)]
    for file in (wheel, archive):
        if version is None or f"-{version[1]}" not in file.name:
            mistakes.append(f"{file.name} has another version than the package")
    for mistake in mistakes:
        sys.stdout.write(f"{mistake}\n")
    sys.stdout.write(f"{wheel.name}: {wheel.stat().st_size:,} bytes\n")
    return len(mistakes)


def _wheel(file: Path) -> list[str]:
    with zipfile.ZipFile(file) as wheel:
        names = {name for name in wheel.namelist() if not name.endswith("/")}
    expected = {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    inside = {name for name in names if name.startswith("citeguard/")}
    others = {name for name in names - inside if ".dist-info/" not in name}
    mistakes = [f"the wheel lacks {name}" for name in sorted(expected - inside)]
    mistakes += [f"the wheel has {name}" for name in sorted(inside - expected | others)]
    if file.stat().st_size > MOST_BYTES:
        mistakes.append(f"the wheel is larger than {MOST_BYTES:,} bytes")
    return mistakes


def _archive(file: Path) -> list[str]:
    with tarfile.open(file) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = "README.md LICENSE CHANGELOG.md pyproject.toml .ci/run tests/conftest.py docs/index.md"
    return [f"the archive lacks {each}" for each in wanted.split() if each not in names]


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
