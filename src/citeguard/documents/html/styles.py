"""What a page's own styles hide and strike out: `Styles`, and the `Look` of its elements.

Of CSS (Cascading Style Sheets) this reads what can make text unseen, with the cascade: rules of
`<style>` elements, `style` attributes, and the attributes that older pages have in their place.
Style sheets elsewhere are read only if the caller has them, as those of an e-book: without them,
only colours set beside each other in the page itself are compared. A screen of 1,280 pixels is
assumed.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib import import_module
from itertools import accumulate, chain, groupby, islice, pairwise
from operator import length_hint
from typing import Any

from citeguard.documents.document import FAINTEST, SMALLEST, Colour, Reason, contrast
from citeguard.documents.html.tree import Element, tag_of

_selectors: Any = import_module("cssselect2")  # it has no types
_wrapper: Any = _selectors.ElementWrapper
_css: Any = import_module("tinycss2")
_parse_colour: Any = import_module("tinycss2.color4").parse_color

_SCREEN = 1_280  # pixels
_AWAY = 500  # pixels to the left or above: not even a wide menu slides in from there
_FAR = 5_000  # pixels to the right or below
_OF_ITSELF = 3  # pixels that a percent of an element is assumed to have
_FAINT = 0.1  # opacity
_ALL = 99  # percent
_PIXELS = {
    **{"px": 1, "": 1, "pt": 4 / 3, "pc": 16, "in": 96, "cm": 37.8, "mm": 3.78, "q": 0.945},
    **{"em": 16, "rem": 16, "ex": 8, "ch": 8, "lh": 20, "vw": 12.8, "vh": 7.2, "%": 12.8},
}
_SIZES = ("xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large")
_STRUCK = frozenset(("del", "s", "strike"))
# What frameworks name the class of text for screen readers alone; their style sheet is elsewhere.
_UNSEEN_CLASSES = frozenset(
    "a11y-hidden assistive-text element-invisible screen-reader-text sr-only u-hidden"
    " visually-hidden visually-hidden-focusable visuallyhidden".split()
)
_SHOWN = ("d-s", "d-m", "d-l", "d-x", "d-p")  # "d-md-block"
_HIDDEN_CLASSES = frozenset(("d-none", "hidden"))  # unless others show it on wide screens
_PROPERTIES = frozenset(
    (
        "display visibility content-visibility opacity filter font font-size position left right"
        " top bottom inset margin-left margin-top text-indent clip clip-path width height max-width"
        " max-height overflow overflow-x overflow-y transform scale translate text-decoration"
        " text-decoration-line color -webkit-text-fill-color text-shadow background"
        " background-color background-image background-clip -webkit-background-clip"
        " block-size inline-size max-block-size max-inline-size inset-inline-start"
        " inset-inline-end inset-block-start inset-block-end margin-inline-start"
        " margin-block-start contain line-height zoom content text-security"
        " -webkit-text-security"
    ).split()
)
_OLD_ATTRIBUTES = {
    "font": (("color", "color"), ("size", "-")),
    "body": (("text", "color"), ("bgcolor", "background-color")),
    "": (("bgcolor", "background-color"),),
}
# Values of `display`; a browser ignores others.
_DISPLAYS = re.compile(
    r"none|contents|(?:inherit|initial|unset|revert(?:-layer)?)|.*(?:block|inline|flex|grid|table"
    r"|flow|run-in|list-item|ruby|box).*|.*var\(.*"
)
_VARIABLE = re.compile(r"var\(\s*(--[^\s,()]+)\s*(?:,([^()]*))?\)")
_WIDTH = re.compile(r"(min|max)-width\s*:\s*([\d.]+)([a-z]*)")
# What the rules of a page may cost, in steps of some 3 microseconds: tests of an element, looks at
# its relatives, and characters of selectors. Once they are taken, rules select nothing more, and
# all text of the page is in doubt.
_MOST_STEPS = 2_000_000
_STEPS_TO_COMPILE, _STEPS_TO_CHILD = 100, 10  # a selector, an element in another
_LONGEST = 100  # parts of a selector, so that a test of an element stays one step
_COUNTED_IN_A_STEP = 8  # elements of a type
_LONGEST_CSS = 2_000_000  # characters, which take some 4 seconds
_DEEPEST, _LONGEST_NESTED = 20, 10_000  # rules in rules, characters of the selectors of one
_MOST_VARIABLES, _LONGEST_VALUE = 8, 1_000  # that refer to one another, characters of what they are


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How text of an element looks, as far as the page itself says.

    Attributes:
        gone: Whether nothing in it is shown, whatever its elements say.
        struck: Whether a line strikes it out.
        visible: Whether it is drawn at all.
        size: The size of its type, in pixels.
        colour: Its colour; `None` if unknown.
        ground: The colour behind it; `None` if unknown.
    """

    gone: bool = False
    struck: bool = False
    visible: bool = True
    size: float = 16
    colour: Colour | None = None
    ground: Colour | None = None

    @property
    def unseen(self) -> Reason | None:
        """Why a reader does not see the text, or sees it struck out; `None` if neither."""
        if self.gone or not self.visible or self.size < SMALLEST * _PIXELS["pt"]:
            return "hidden"
        if self.colour and self.ground and contrast(self.colour, self.ground) < FAINTEST:
            return "hidden"
        return "struck out" if self.struck else None


_Declared = list[tuple[str, str, bool]]
"""Declarations: the property, the value, and whether it is important."""

_Weight = tuple[bool, bool, tuple[int, int, int], int]
"""What decides between declarations: important, of the element itself, specificity, order."""

Load = Callable[[str], str]
"""Returns the style sheet at an address."""

_PRESENTED: _Weight = (False, False, (-1, 0, 0), 0)  # by an attribute: any rule is stronger


class Styles:
    """The styles of a page.

    Args:
        root: The page.
        load: Returns the style sheet at an address as the page gives it, or "" if it has none. By
            default they are not known.

    Attributes:
        first: The look of what has no style.
    """

    def __init__(self, root: Element, load: Load | None = None) -> None:
        css: list[str] = []
        known, seen = True, set[str]()
        for sheet in root.iter("style", "link"):
            kinds = sheet.get("rel", "").lower().split()
            text = "".join(sheet.itertext())
            if "stylesheet" in kinds:
                text = f'@import "{sheet.get("href")}";' if "alternate" not in kinds else ""
            known = known and (load is not None or "@import" not in text)
            if text and _applies("media", sheet.get("media") or "all"):
                css += [text] if load is None else _imported(text, "", load, seen)
        self.first = Look(colour=(0, 0, 0), ground=(255, 255, 255)) if known else Look()
        self._variables: dict[str, str] = {}
        self._rules: defaultdict[str, list[tuple[Any, _Declared, int]]] = defaultdict(list)
        self._nodes: dict[Element, _Node] = {}
        self._steps = iter(range(_MOST_STEPS))
        self._all_read = sum(map(len, css)) <= _LONGEST_CSS
        if not css:
            return
        names = {f"#{each.get('id')}" for each in root.iter()}
        self._names = names | {f".{name}" for each in root.iter() for name in _classes(each)}
        starts = accumulate(map(len, css), initial=0)
        sheets = (
            _rules_of(text[: max(0, _LONGEST_CSS - start)])
            for start, text in zip(starts, css, strict=False)
        )
        for order, (selectors, declared) in enumerate(chain.from_iterable(sheets)):
            self._variables.update((n, v) for n, v, _ in declared if n.startswith("--"))
            if declared:
                self._add(selectors, declared, order)

    @property
    def complete(self) -> bool:
        """Whether all rules have been read and tried so far: else they may hide more."""
        return self._all_read and length_hint(self._steps) > 0

    def _add(self, selectors: str, declared: _Declared, order: int) -> None:
        """Add a rule, but for selectors that name an id or a class that the page does not have.

        Unlike in a browser, an unknown selector leaves the others of its list.
        """
        next(islice(self._steps, len(selectors), None), None)
        for is_comma, parts in groupby(_parsed(selectors), lambda part: part == ","):
            selector = [*parts]
            named = {f"#{each.value}" for each in selector if each.type == "hash"}
            named |= {
                f".{name.value}"
                for dot, name in pairwise(selector)
                if dot == "." and name.type == "ident"
            }
            if is_comma or not named <= self._names or len([*_tokens(selector)]) > _LONGEST:
                continue
            if next(islice(self._steps, _STEPS_TO_COMPILE, None), None) is None:
                return
            try:
                (compiled,) = _selectors.compile_selector_list(selector)
            except _UNKNOWN:
                continue
            if compiled.pseudo_element is None and not compiled.never_matches:
                key = compiled.lower_local_name or "*"
                if name := compiled.id or compiled.class_name:
                    key = f"#{name}" if compiled.id else f".{name}"
                self._rules[key].append((compiled, declared, order))

    def look_of(self, element: Element, around: Look) -> Look:
        """Return the look of an element's text, given that of what is around the element."""
        style = self._style_of(element)
        if not style:
            return around
        # Pages that hide themselves whole do so until their script runs.
        whole = tag_of(element) in ("html", "body")
        visibility = "" if whole else style.get("visibility", "")
        visible = around.visible if not visibility else visibility not in ("hidden", "collapse")
        look = replace(
            around,
            gone=around.gone or (not whole and _is_gone(style)),
            struck=around.struck or "line-through" in _either(style, "text-decoration", "-line"),
            visible=visible,
            size=_size(style, around.size),
        )
        ground = style.get("background", "") + " " + style.get("background-image", "")
        if "url(" in ground or "gradient(" in ground:
            stops = {_colour(each) for each in _tokens(_values(ground))} - {None}
            plain = stops.pop() if len(stops) == 1 and "url(" not in ground else None
            look = replace(look, ground=plain)
        else:
            for each in _values(_either(style, "background", "-color")):
                look = replace(look, ground=_colour(each) or look.ground)
        ground_is_ink = "currentcolor" in _either(style, "background", "-color").split()
        ink = style.get("-webkit-text-fill-color") or style.get("color", "")
        inks = _values(ink)
        clipped = "text" in (style.get("background-clip"), style.get("-webkit-background-clip"))
        if any(map(_is_transparent, inks)):
            shows = clipped or style.get("text-shadow", "none") != "none"
            return replace(look, colour=None, visible=look.visible and shows)
        if clipped or (ink and style.get("text-shadow", "none") != "none"):
            return replace(look, colour=None)
        colour = next(filter(None, map(_colour, inks)), look.colour)
        if ground_is_ink:
            look = replace(look, ground=colour)
        return replace(look, colour=colour)

    def _style_of(self, element: Element) -> Mapping[str, str]:  # noqa: C901 - one case each
        """Return the values that win the cascade, by property."""
        tag, attributes = tag_of(element), element.attrib
        found: list[tuple[_Weight, str, str]] = []
        if tag in _STRUCK or (tag == "menclose" and "strike" in attributes.get("notation", "")):
            found.append((_PRESENTED, "text-decoration", "line-through"))
        if tag == "mphantom":
            found.append((_PRESENTED, "visibility", "hidden"))
        keys = ["*", tag]
        if attributes:
            classes = _classes(element)
            if (
                {"hidden", "popover"} & {*attributes}
                or not _UNSEEN_CLASSES.isdisjoint(classes)
                or (
                    not _HIDDEN_CLASSES.isdisjoint(classes)
                    and all(":" not in each and each[:3] not in _SHOWN for each in classes)
                )
            ):
                found.append((_PRESENTED, "display", "none"))
            for name, property_ in _OLD_ATTRIBUTES.get(tag, _OLD_ATTRIBUTES[""]):
                if name in attributes:
                    value = re.sub(r"^(?=(?:[\da-f]{3}){1,2}$)", "#", attributes[name].lower())
                    found.append((_PRESENTED, property_, value))
            keys += [f".{name}" for name in classes] + [f"#{attributes.get('id', '')}"]
            declared = _declared_inline(attributes.get("style", ""))
            found += [((m, True, (0, 0, 0), 0), name, value) for name, value, m in declared]
        first = element[0] if len(element) else None
        if (tag == "dialog" and "open" not in attributes) or (
            # What a shadow tree has no slot for is not shown.
            first is not None
            and first.get("shadowrootmode") is not None
            and next(first.iter("slot"), None) is None
        ):
            found.append((_PRESENTED, "display", "none"))
        node = self._node(element) if self._rules else None
        for key in keys:
            for (selector, declared, order), _ in zip(
                self._rules.get(key, ()), self._steps, strict=False
            ):
                if selector.test(node):
                    weight = selector.specificity
                    found += [((m, False, weight, order), name, v) for name, v, m in declared]
        found.sort(key=lambda each: each[0])
        own = {name: value for _, name, value in found if name.startswith("--")}
        style: dict[str, str] = {}
        for _, name, value in found:
            if not _is_valid(name, value):
                continue
            if name in ("text-decoration", "background", "font"):  # it resets what is part of it
                for part in [each for each in style if each.startswith(f"{name}-")]:
                    del style[part]
            for _ in range(_MOST_VARIABLES):
                if "var(" not in value or len(value) > _LONGEST_VALUE:
                    break
                value = _VARIABLE.sub(
                    lambda match: (
                        own.get(match[1]) or self._variables.get(match[1], match[2] or "")
                    ),
                    value,
                )
            style[name] = value
        return style

    def _node(self, element: Element) -> _Node:
        if element in self._nodes:
            return self._nodes[element]
        parent = element.getparent()
        around = None if parent is None else self._node(parent)
        before = element.getprevious()
        while before is not None and not isinstance(before.tag, str):  # a comment
            before = before.getprevious()
        if around is not None and before is not None and before not in self._nodes:
            self._nodes.update((each.etree_element, each) for each in around.all_children())
        else:
            previous = self._nodes.get(before)
            index = 0 if previous is None else previous.index + 1
            node = _Node(element, around, index, previous, True, steps=self._steps)
            if around is not None and len(around.etree_children) == index:
                around.etree_children.append(element)  # a Markdown file's tree grows as it is read
            self._nodes[element] = node
        return self._nodes[element]


# What is no selector or only of one browser; what is nested too deeply; and what `cssselect2` trips
# over: "a|".
_UNKNOWN = (_selectors.SelectorError, SyntaxError, RuntimeError, MemoryError, AttributeError)


class _Node(_wrapper):
    """An element as selectors see it; each look at a relative is a step.

    Without that, the time of a selector can grow with a power of the number of elements.
    """

    def __init__(self, *given: Any, steps: Iterator[int] | None = None, **named: Any) -> None:
        _wrapper.__init__(self, *given, **named)
        self.steps: Iterator[int] = steps or self.parent.steps

    def _along(self, direction: str) -> Iterator[_Node]:
        node = getattr(self, direction)
        for _ in self.steps:
            if node is None:
                break
            yield node
            node = getattr(node, direction)

    @property
    def ancestors(self) -> Iterator[_Node]:
        """The elements around this one."""
        return self._along("parent")

    @property
    def previous_siblings(self) -> Iterator[_Node]:
        """The elements before it in the same one."""
        return self._along("previous")

    all_children: Any = _wrapper.iter_children

    def iter_children(self) -> Iterator[_Node]:
        """Yield the elements in it."""
        steps = islice(self.steps, 0, None, _STEPS_TO_CHILD)
        return (each for each, _ in zip(self.all_children(), steps, strict=False))

    @cached_property
    def etree_children(self) -> list[Element]:
        """The elements in it."""
        return _Children(self)


class _Children(list[Any]):
    """The elements in one; to go through those before or after one of them takes steps."""

    def __init__(self, node: _Node) -> None:
        super().__init__(each for each in node.etree_element if isinstance(each.tag, str))
        self._steps = node.steps

    def __getitem__(self, place: Any) -> Any:
        next(islice(self._steps, len(self) // _COUNTED_IN_A_STEP, None), None)
        return list[Any].__getitem__(self, place)


def _imported(css: str, address: str, load: Load, seen: set[str]) -> list[str]:
    """Return a style sheet after those that it imports, but for those seen before."""
    found: list[str] = []
    parts = _css.parse_stylesheet(_parsed(css)) if "@import" in css else ()
    for each in parts:
        if each.type == "at-rule" and each.lower_at_keyword == "import":
            tokens = _tokens(each.prelude)
            values = (token.value for token in tokens if token.type in ("string", "url"))
            named = posixpath.join(posixpath.dirname(address), next(values, ""))
            if named not in seen:
                seen.add(named)
                found += _imported(load(named), named, load, seen)
    return [*found, css]


@lru_cache(maxsize=4)  # the pages of an e-book share their style sheet
def _rules_of(css: str) -> list[tuple[str, _Declared]]:
    return list(_rules(_css.parse_stylesheet(_parsed(css)), "", 0))


def _rules(parts: Sequence[Any], outer: str, depth: int) -> Iterator[tuple[str, _Declared]]:
    """Yield the selectors and the declarations of each rule that applies to the screen.

    Args:
        parts: What a style sheet or a rule is made of.
        outer: The selectors of the rule that they are in, if any.
        depth: How many rules they are in.
    """
    if outer:
        yield outer, _declared(parts)
    for each in parts if depth < _DEEPEST else ():
        selectors = outer
        if each.type == "qualified-rule":
            selectors = _text(each.prelude)
            if outer:  # "&" is the outer rule's element; without it, an element in that
                nested = selectors if "&" in selectors else f"& {selectors}"
                selectors = nested.replace("&", f":is({outer})")
        elif each.type != "at-rule" or not _applies(each.lower_at_keyword, _text(each.prelude)):
            continue
        if each.content is not None and (not outer or len(selectors) <= _LONGEST_NESTED):
            yield from _rules(_css.parse_blocks_contents(each.content), selectors, depth + 1)


def _declared(parts: Iterable[Any]) -> _Declared:
    """Return the name and the value of each declaration, and whether it is important."""
    return [
        (each.lower_name, " ".join(_text(each.value).lower().split()), each.important)
        for each in parts
        if each.type == "declaration"
        and (each.lower_name in _PROPERTIES or each.name.startswith("--"))
    ]


@lru_cache(maxsize=1_000)  # word processors give most paragraphs the same style
def _declared_inline(style: str) -> _Declared:
    return _declared(_css.parse_blocks_contents(_parsed(style)))


def _parsed(css: str) -> list[Any]:
    return _css.parse_component_value_list(css, skip_comments=True)


def _text(parsed: Sequence[Any]) -> str:
    try:
        return _css.serialize(parsed).strip()
    except RecursionError:  # nothing that means something has so many brackets in one another
        return ""


def _classes(element: Element) -> list[str]:
    return element.get("class", "").split()


def _is_valid(name: str, value: str) -> bool:
    """Return whether a browser takes a value, or keeps one declared before."""
    if name == "display":
        return _DISPLAYS.fullmatch(value) is not None
    return name != "opacity" or "var(" in value or bool(_numbers(value))


def _applies(keyword: str, condition: str) -> bool:
    """Return whether what is in a rule with this keyword applies to the assumed screen."""
    if keyword == "media":
        return any(map(_is_screen, condition.lower().split(",")))
    if keyword == "supports":
        return "not" not in condition.lower().split()
    return keyword in ("layer", "container", "scope")


def _is_screen(query: str) -> bool:
    if query.strip().startswith("not "):
        return not _is_screen(query.strip().removeprefix("not "))
    if any(word in query for word in ("print", "speech", "not ", "prefers-", "portrait")):
        return False
    return all(
        (float(width) * _PIXELS.get(unit, 1) <= _SCREEN) == (bound == "min")
        for bound, width, unit in _WIDTH.findall(query)
    )


def _is_gone(style: Mapping[str, str]) -> bool:
    """Return whether an element with this style shows nothing, whatever is in it."""
    value = style.get
    if (
        value("display") == "none"
        or value("content-visibility") == "hidden"
        or value("text-security", "none") != "none"
        or value("-webkit-text-security", "none") != "none"
        or value("content", "").startswith("url(")
        or (value("opacity") and _share(value("opacity", "")) < _FAINT)
        or any(n == "opacity" and _share(a) < _FAINT for n, a in _functions(value("filter", "")))
    ):
        return True
    return _is_clipped(style) or _is_shrunk_away(style) or _is_elsewhere(style)


def _is_clipped(style: Mapping[str, str]) -> bool:
    value = style.get
    clip = _numbers(value("clip", ""))
    if value("position") in ("absolute", "fixed") and clip and max(clip)[0] <= 1:
        return True
    overflow = {*_either(style, "overflow", "-x", "-y").split(), *value("contain", "").split()}
    if not overflow.isdisjoint(("hidden", "clip", "scroll", "auto", "paint", "strict", "content")):
        sides = (
            value(f"{most}{side}", "")
            for most in ("", "max-")
            for side in ("width", "height", "block-size", "inline-size")
        )
        lines = _lengths(value("line-height", "")) if "hidden" in overflow else []
        if 0 in lines or any(number <= 1 for side in sides for number in _lengths(side)):
            return True
    for name, arguments in _functions(value("clip-path", "")):
        numbers = _numbers(arguments)
        if name == "inset" and any(number >= 50 and unit == "%" for number, unit in numbers):
            return True
        centre = [each.type == "ident" and each.lower_value == "at" for each in arguments] + [True]
        numbers = _numbers(arguments[: centre.index(True)])
        if name in _CLIPS and numbers and not any(number for number, _ in numbers):
            return True
    return False


_CLIPS = ("circle", "ellipse", "polygon", "rect", "xywh")


def _is_shrunk_away(style: Mapping[str, str]) -> bool:
    scale = ("scale", _values(style.get("scale", "")))
    for name, arguments in [*_functions(style.get("transform", "")), scale]:
        numbers = [number for number, _ in _numbers(arguments)]
        if name.startswith("scale") and any(abs(n) < _FAINT / 2 for n in numbers[:2]):
            return True
        if name in ("rotatex", "rotatey", "rotate3d") and numbers and abs(numbers[-1]) == 90:
            return True
        if name == "matrix" and len(numbers) == 6:
            width, skew, other_skew, height, *_ = numbers
            if abs(width * height - skew * other_skew) < _FAINT**2:
                return True
    return False


def _is_elsewhere(style: Mapping[str, str]) -> bool:
    names = [
        *("margin-left", "margin-top", "text-indent", "translate"),
        *("margin-inline-start", "margin-block-start"),
    ]
    if style.get("position") in ("absolute", "fixed", "relative"):
        ends = ("right", "bottom", "inset-inline-end", "inset-block-end")
        if any(n >= _SCREEN + _AWAY for name in ends for n in _lengths(style.get(name, ""))):
            return True
        names += ["left", "top", "inset", "inset-inline-start", "inset-block-start", *ends]
    moved = [number for name in names for number in _lengths(style.get(name, ""))]
    for name, arguments in _functions(style.get("transform", "")):
        if name.startswith("translate"):  # percentages are of the element itself
            shares = [n * _OF_ITSELF for n, unit in _numbers(arguments) if unit == "%"]
            moved += shares or _lengths(arguments)
    return any(number <= -_AWAY or number >= _FAR for number in moved)


def _either(style: Mapping[str, str], name: str, *ends: str) -> str:
    """Return the values of a property and of its parts."""
    return " ".join(style.get(f"{name}{end}", "") for end in ("", *ends)).strip()


@lru_cache(maxsize=10_000)
def _values(value: str) -> tuple[Any, ...]:
    """Return what a value is made of, without white space; a function is one part of it."""
    return tuple(each for each in _parsed(value) if each.type != "whitespace")


def _functions(value: str) -> list[tuple[str, Sequence[Any]]]:
    return [(e.lower_name, e.arguments) for e in _values(value) if e.type == "function"]


def _tokens(values: Iterable[Any]) -> Iterator[Any]:
    """Yield what values are made of, and so what is in functions."""
    waiting = [*values][::-1]
    while waiting:
        yield (token := waiting.pop())
        waiting += getattr(token, "arguments", ())[::-1]


def _numbers(values: str | Iterable[Any]) -> list[tuple[float, str]]:
    """Return the numbers in a value, with their units."""
    return [
        (token.value, "%" if token.type == "percentage" else getattr(token, "lower_unit", ""))
        for token in _tokens(_values(values) if isinstance(values, str) else values)
        if token.type in ("number", "percentage", "dimension")
    ]


def _lengths(values: str | Iterable[Any]) -> list[float]:
    """Return the lengths in a value, in pixels."""
    return [number * _PIXELS.get(unit, 1) for number, unit in _numbers(values)]


def _share(values: str | Iterable[Any]) -> float:
    """Return the lowest of the shares in a value, which may be percentages; 1 without any."""
    return min((number / (100 if unit else 1) for number, unit in _numbers(values)), default=1)


def _size(style: Mapping[str, str], around: float) -> float:
    """Return the size of type in pixels, given that around the element."""
    zoom = next((number for number, unit in _numbers(style.get("zoom", "")) if not unit), 1) or 1
    around *= zoom
    value = style.get("font-size", "")
    if not value and (font := style.get("font", "")):
        value = font.partition("/")[0].rpartition(" ")[2] if "/" in font else font
    if value in _SIZES:
        return 10.0 + 2 * _SIZES.index(value)
    found = [each for each in _numbers(value) if each[1] or each[0] == 0]
    if not found:
        return around
    number, unit = found[0]
    if unit in ("em", "%"):
        return around * number / (100 if unit == "%" else 1)
    return number * _PIXELS.get(unit, 1)


def _parsed_colour(value: Any) -> Any:
    try:
        colour = _parse_colour(value)
    except ValueError:  # of "color()"
        return None
    return None if colour == "currentcolor" else colour


def _is_transparent(value: Any) -> bool:
    colour = _parsed_colour(value)
    return colour is not None and colour.alpha < _FAINT


def _colour(value: Any) -> Colour | None:
    """Return a colour, or `None` for what is none or hardly covers anything."""
    if value.type == "ident" and value.lower_value in _OF_THE_SYSTEM:
        return _OF_THE_SYSTEM[value.lower_value]
    colour = _parsed_colour(value)
    if colour is None or colour.alpha < _FAINT:
        return None
    if colour.space in ("srgb", "hsl", "hwb"):
        red, green, blue = (round(255 * min(1, max(0, n))) for n in colour.to("srgb")[:3])
        return red, green, blue
    if colour.space in ("lab", "lch", "oklab", "oklch"):  # only black and white are told apart
        light = colour.to("lab")[0]
        return (255, 255, 255) if light >= _ALL else (0, 0, 0) if light <= 100 - _ALL else None
    return None


_OF_THE_SYSTEM: dict[str, Colour] = {"canvas": (255, 255, 255), "canvastext": (0, 0, 0)}
