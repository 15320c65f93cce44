"""ZIM files, written by the tests."""

from pathlib import Path
from typing import Any

from libzim.writer import Creator, Hint, Item, StringProvider

PAGES = {
    "Eiffel_Tower": (
        "Eiffel Tower",
        "<h1>Eiffel Tower</h1><p>The Eiffel Tower is a lattice tower of iron in Paris, "
        "completed in 1889.</p><h2>Height</h2><p>The tower is 330 metres tall.</p>",
    ),
    "Mercury_(planet)": (
        "Mercury (planet)",
        "<h1>Mercury (planet)</h1><p>Mercury is the planet nearest to the Sun.</p>",
    ),
    "Paris": ("Paris", "<h1>Paris</h1><p>Paris is the capital of France &amp; a city.</p>"),
    "Tower": ("Tower", "<h1>Tower</h1><p>A tower is a tall structure. Many are of iron.</p>"),
    "हिन्दी": ("हिन्दी", "<h1>हिन्दी</h1><p>हिन्दी भारत की एक भाषा है।</p>"),
    "Café": ("Café", "<h1>Café</h1><p>A café serves coffee and small meals.</p>"),
}
REDIRECTS = {"Tour_Eiffel": ("Tour Eiffel", "Eiffel_Tower")}


class ZimPage(Item):
    def __init__(self, path: str, title: str, content: str, mimetype: str) -> None:
        super().__init__()
        self._fields = (path, title, content, mimetype)

    def get_path(self) -> str:
        return self._fields[0]

    def get_title(self) -> str:
        return self._fields[1]

    def get_mimetype(self) -> str:
        return self._fields[3]

    def get_contentprovider(self) -> Any:
        return StringProvider(self._fields[2])

    def get_hints(self) -> dict[Any, Any]:
        return {Hint.FRONT_ARTICLE: True}


def write_zim(path: Path, *, index: bool = True, date: str = "2026-01-02") -> Path:
    """Write a ZIM file with `PAGES`, `REDIRECTS` and a picture, and return its path."""
    with Creator(path).config_indexing(index, "eng") as creator:
        creator.set_mainpath("Paris")
        for name, (title, body) in PAGES.items():
            content = f"<html><head><title>{title}</title></head><body>{body}</body></html>"
            creator.add_item(ZimPage(name, title, content, "text/html"))
        creator.add_item(ZimPage("empty", "Empty", "<html><body></body></html>", "text/html"))
        creator.add_item(ZimPage("tower.svg", "", "<svg/>", "image/svg+xml"))
        for name, (title, target) in REDIRECTS.items():
            creator.add_redirection(name, title, target, {Hint.FRONT_ARTICLE: True})
        creator.add_metadata("Title", "Towers")
        creator.add_metadata("Language", "eng")
        creator.add_metadata("Date", date)
    return path
