"""What a page's own styles hide and strike out: `Styles`, and the `Look` of its elements.

Of CSS (Cascading Style Sheets) this reads what can make text unseen, with the cascade: rules of
`<style>` elements, `style` attributes, and the attributes that older pages have in their place.
Nothing is loaded: where a page names a style sheet elsewhere, only colours set beside each other
in the page itself are compared. A screen of 1,280 pixels is assumed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from PIL import ImageColor

from citeguard.documents.document import FAINTEST, SMALLEST, Colour, Reason, contrast
from citeguard.documents.html.tree import Element, tag_of

_Tests = list[tuple[str, str, str, str]]  # kind, name, operator, value
_Steps = list[tuple[str, _Tests]]  # each with the combinator before it

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

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_TOKEN = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\\.|[{};]|[^\"'\\{};]+|.", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.DOTALL | re.IGNORECASE)
_DECLARATION = re.compile(r"(?:\"[^\"]*\"|'[^']*'|\([^()]*\)|[^;\"'(]|[\"'(])+")
_COMMA = re.compile(r",(?![^(\[]*[)\]])")  # outside of brackets
_NTH = re.compile(r"([+-]?\d*)n\s*(?:([+-])\s*(\d+))?|([+-]?\d+)")
# What a page may cost: siblings counted and descendants looked through, and of a selector its
# pseudo-classes and the characters in the brackets of one.
_MOST_SIBLINGS, _MOST_PSEUDOS, _LONGEST_PSEUDO = 100, 6, 500
_MOST_VARIABLES = 8  # that refer to one another
# Values of `display`; a browser ignores others.
_DISPLAYS = re.compile(
    r"none|contents|(?:inherit|initial|unset|revert(?:-layer)?)|.*(?:block|inline|flex|grid|table"
    r"|flow|run-in|list-item|ruby|box).*|.*var\(.*"
)
_VARIABLE = re.compile(r"var\(\s*(--[^\s,()]+)\s*(?:,([^()]*))?\)")
_NUMBER = re.compile(r"(?<![\w#.-])([+-]?(?:\d*\.)?\d+(?:e[+-]?\d+)?)([a-z]+|%|)")
_WIDTH = re.compile(r"(min|max)-width\s*:\s*([\d.]+)([a-z]*)")
_FUNCTION = re.compile(r"([\w-]+)\(([^()]*)\)")
_NAME = r"(?:[\w-]|[^\x00-\x7f]|\\[0-9a-fA-F]{1,6}\s?|\\.)+"
_PART = re.compile(
    rf"""
    (?P<combinator> \s*[>+~]\s* | \s+ )
    | (?P<tag> \* | {_NAME} )
    | \.(?P<class> {_NAME} )
    | \#(?P<id> {_NAME} )
    | \[\s*(?P<attribute> {_NAME} )\s*
        (?: (?P<operator> [~|^$*]?= )\s*(?P<value> "[^"]*" | '[^']*' | [^\]\s]+ )\s*[iIsS]?\s* )?\]
    | :(?P<pseudo> [\w-]+ (?: \( (?: [^()] | \([^()]*\) )* \) )? )
    """,
    re.VERBOSE,
)


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


@dataclass(frozen=True, slots=True)
class _Rule:
    """A selector, how specific it is, and what it declares; a later rule has a higher order."""

    steps: _Steps
    weight: tuple[int, int, int]
    order: int
    declared: list[tuple[str, str, bool]]


class Styles:
    """The styles of a page.

    Attributes:
        first: The look of what has no style.
    """

    def __init__(self, root: Element) -> None:
        sheets = [
            each for each in root.iter("style") if _applies(f"@media {each.get('media', '')}")
        ]
        texts = ["".join(each.itertext()) for each in sheets]
        linked = any("stylesheet" in each.get("rel", "").lower() for each in root.iter("link"))
        known = not linked and not any("@import" in text for text in texts)
        self.first = Look(colour=(0, 0, 0), ground=(255, 255, 255)) if known else Look()
        self._variables: dict[str, str] = {}
        self._rules: defaultdict[str, list[_Rule]] = defaultdict(list)
        for order, (selectors, body) in enumerate(
            block for text in texts for block in _blocks(_COMMENT.sub(" ", text))
        ):
            declared = list(_declared(body))
            self._variables.update((n, v) for n, v, _ in declared if n.startswith("--"))
            declared = [each for each in declared if each[0] in _PROPERTIES or each[0][:2] == "--"]
            for selector in _COMMA.split(selectors) if declared else ():
                if steps := _steps(selector.strip()):
                    tests = [test for _, each in steps for test in each]
                    weight = (
                        sum(kind == "id" for kind, *_ in tests),
                        sum(kind not in ("id", "tag") for kind, *_ in tests),
                        sum(kind == "tag" and name != "*" for kind, name, *_ in tests),
                    )
                    self._rules[_key(steps[-1][1])].append(_Rule(steps, weight, order, declared))

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
            stops = {_colour(word) for word in re.findall(r"[#\w][\w#]*", ground)} - {None}
            plain = next(iter(stops), None) if len(stops) == 1 and "url(" not in ground else None
            look = replace(look, ground=plain)
        else:
            for word in _words(_either(style, "background", "-color")):
                look = replace(look, ground=_colour(word) or look.ground)
        ground_is_ink = "currentcolor" in _either(style, "background", "-color").split()
        ink = style.get("-webkit-text-fill-color") or style.get("color", "")
        clipped = "text" in (style.get("background-clip"), style.get("-webkit-background-clip"))
        if _is_transparent(ink):
            shows = clipped or style.get("text-shadow", "none") != "none"
            return replace(look, colour=None, visible=look.visible and shows)
        if clipped or (ink and style.get("text-shadow", "none") != "none"):
            return replace(look, colour=None)
        colour = _colour(ink) or look.colour
        if ground_is_ink:
            look = replace(look, ground=colour)
        return replace(look, colour=colour)

    def _style_of(self, element: Element) -> Mapping[str, str]:  # noqa: C901 - one case each
        """Return the values that win the cascade, by property."""
        tag, attributes = tag_of(element), element.attrib
        found: list[tuple[tuple[bool, bool, tuple[int, int, int], int], str, str]] = []
        if tag in _STRUCK or (tag == "menclose" and "strike" in attributes.get("notation", "")):
            found.append(((False, False, (-1, 0, 0), 0), "text-decoration", "line-through"))
        if tag == "mphantom":
            found.append(((False, False, (-1, 0, 0), 0), "visibility", "hidden"))
        keys = ["*", tag]
        if attributes:
            classes = attributes.get("class", "").split()
            if (
                {"hidden", "popover"} & {*attributes}
                or not _UNSEEN_CLASSES.isdisjoint(classes)
                or (
                    not _HIDDEN_CLASSES.isdisjoint(classes)
                    and all(":" not in each and each[:3] not in _SHOWN for each in classes)
                )
            ):
                found.append(((False, False, (-1, 0, 0), 0), "display", "none"))
            for name, property_ in _OLD_ATTRIBUTES.get(tag, _OLD_ATTRIBUTES[""]):
                if name in attributes:
                    value = re.sub(r"^(?=(?:[\da-f]{3}){1,2}$)", "#", attributes[name].lower())
                    found.append(((False, False, (-1, 0, 0), 1), property_, value))
            keys += [f".{name}" for name in classes] + [f"#{attributes.get('id', '')}"]
            for name, value, important in _declared(_COMMENT.sub(" ", attributes.get("style", ""))):
                found.append(((important, True, (0, 0, 0), 0), name, value))
        first = element[0] if len(element) else None
        if (tag == "dialog" and "open" not in attributes) or (
            # What a shadow tree has no slot for is not shown.
            first is not None
            and first.get("shadowrootmode") is not None
            and next(first.iter("slot"), None) is None
        ):
            found.append(((False, False, (-1, 0, 0), 0), "display", "none"))
        for key in keys if self._rules else ():
            for rule in self._rules.get(key, ()):
                if _matches(element, rule.steps, len(rule.steps) - 1, set()):
                    for name, value, important in rule.declared:
                        found.append(((important, False, rule.weight, rule.order), name, value))
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
                if "var(" not in value:
                    break
                value = _VARIABLE.sub(
                    lambda match: (
                        own.get(match[1]) or self._variables.get(match[1], match[2] or "")
                    ),
                    value,
                )
            style[name] = value
        return style


_OLD_ATTRIBUTES = {
    "font": (("color", "color"), ("size", "-")),
    "body": (("text", "color"), ("bgcolor", "background-color")),
    "": (("bgcolor", "background-color"),),
}


def _blocks(css: str) -> Iterator[tuple[str, str]]:
    """Yield the selectors and the declarations of each rule that applies to a screen."""
    open_: list[str] = []  # what the open braces belong to
    text = ""
    for token in _TOKEN.findall(css):
        in_rule = bool(open_) and not open_[-1].startswith("@")
        if token == "{":
            before, _, prelude = text.rpartition(";") if in_rule else ("", "", text)
            if in_rule:
                yield open_[-1], before
                outer, prelude = open_[-1], prelude.strip()
                if not prelude.startswith("@"):
                    prelude = (
                        prelude.replace("&", outer) if "&" in prelude else f"{outer} {prelude}"
                    )
            open_.append(prelude.strip())
            text = ""
        elif token == "}":
            if open_ and all(map(_applies, open_)):
                # Declarations in `@media` inside of a rule are that rule's.
                rule = next((each for each in reversed(open_) if not each.startswith("@")), None)
                if rule is not None:
                    yield rule, text
            del open_[-1:]
            text = ""
        elif token == ";" and not open_:
            text = ""
        else:
            text += token
    if open_ and not open_[-1].startswith("@") and all(map(_applies, open_)):
        yield open_[-1], text  # a browser closes what the sheet leaves open


def _is_valid(name: str, value: str) -> bool:
    """Return whether a browser takes a value, or keeps one declared before."""
    if name == "display":
        return _DISPLAYS.fullmatch(value) is not None
    return name != "opacity" or "var(" in value or bool(_numbers(value))


def _applies(prelude: str) -> bool:
    """Return whether what is in a rule with this beginning applies to the assumed screen."""
    words = prelude.lower()
    if words.startswith("@media"):
        return any(map(_is_screen, words.removeprefix("@media").split(",")))
    if words.startswith("@supports"):
        return "not" not in words.split()
    return not words.startswith("@") or words.startswith(("@layer", "@container", "@scope"))


def _is_screen(query: str) -> bool:
    if query.strip().startswith("not "):
        return not _is_screen(query.strip().removeprefix("not "))
    if any(word in query for word in ("print", "speech", "not ", "prefers-", "portrait")):
        return False
    return all(
        (float(width) * _PIXELS.get(unit, 1) <= _SCREEN) == (bound == "min")
        for bound, width, unit in _WIDTH.findall(query)
    )


def _declared(body: str) -> Iterator[tuple[str, str, bool]]:
    """Yield the name and the value of each declaration, and whether it is important."""
    for declaration in _DECLARATION.findall(body):
        name, colon, value = _unescaped(declaration).partition(":")
        if colon:
            value, mark, _ = value.lower().partition("!")
            yield name.strip().lower(), " ".join(value.split()), bool(mark)


def _unescaped(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        code = int(match[1], 16) if match[1] else 0
        return match[2] or (chr(code) if 0 < code <= 0x10FFFF else "\ufffd")

    return _ESCAPE.sub(character, text) if "\\" in text else text


def _steps(selector: str) -> _Steps | None:
    """Return a selector in parts, or `None` for one of a state, a pseudo-element, or unknown."""
    steps: _Steps = [("", [])]
    place = 0
    while place < len(selector):
        part = _PART.match(selector, place)
        if part is None:
            return None
        place = part.end()
        kind, value = str(part.lastgroup), part[str(part.lastgroup)]
        if kind in ("operator", "value"):
            kind, value = "attribute", part["attribute"]
        if kind == "combinator":
            steps.append((value.strip() or " ", []))
        elif kind == "pseudo":
            name, _, inner = value.partition("(")
            if (
                name.lower() not in _PSEUDOS
                or len(inner) > _LONGEST_PSEUDO
                or selector.count(":") > _MOST_PSEUDOS
            ):
                return None
            steps[-1][1].append((kind, name.lower(), "", inner.removesuffix(")").strip()))
        else:
            wanted = (part["value"] or "").strip("\"'")
            name = _unescaped(value)
            name = name.lower() if kind in ("tag", "attribute") else name
            steps[-1][1].append((kind, name, part["operator"] or "", _unescaped(wanted)))
    return steps if all(tests for _, tests in steps) else None


def _key(tests: _Tests) -> str:
    """Return what an element must have for these tests to pass: an id, a class, a tag; or "*"."""
    for wanted, sign in (("id", "#"), ("class", "."), ("tag", "")):
        for kind, name, *_ in tests:
            if kind == wanted:
                return sign + name
    return "*"


def _matches(element: Element, steps: _Steps, at: int, failed: set[tuple[Element, int]]) -> bool:
    """Return whether an element is selected by the steps up to one; each pair is tried once."""
    combinator, tests = steps[at]
    if (element, at) in failed:
        return False
    if all(_passes(element, *test) for test in tests):
        if at == 0:
            return True
        if combinator in (">", " "):
            others = element.iterancestors()
        else:
            others = element.itersiblings(preceding=True)
        for other in others:
            if _matches(other, steps, at - 1, failed):
                return True
            if combinator in (">", "+"):
                break
    failed.add((element, at))
    return False


def _passes(element: Element, kind: str, name: str, operator: str, wanted: str) -> bool:
    match kind:
        case "tag":
            return name in ("*", tag_of(element))
        case "class":
            return name in element.get("class", "").split()
        case "id":
            return element.get("id") == name
        case "attribute":
            value = element.get(name)
            return value is not None and _OPERATORS[operator](value, wanted)
        case _:
            return _has_state(element, name, wanted)


_PSEUDOS = frozenset(
    "is where matches -webkit-any not has root empty defined lang link any-link first-child"
    " last-child only-child first-of-type last-of-type only-of-type nth-child nth-last-child"
    " nth-of-type nth-last-of-type hover focus focus-within focus-visible active visited target"
    " checked disabled".split()
)


@lru_cache(maxsize=1_000)
def _selectors(listed: str) -> list[_Steps]:
    found = (_steps(each.strip().lstrip("> ")) for each in _COMMA.split(listed))
    return [each for each in found if each]


def _has_state(element: Element, name: str, wanted: str) -> bool:  # noqa: C901 - one case each
    """Return whether an element is in the state that a pseudo-class names."""

    def selects(other: Element) -> bool:
        return any(_matches(other, each, len(each) - 1, set()) for each in _selectors(wanted))

    def before(*tags: str, after: bool = False) -> int:  # at most so many as can matter
        others: Iterator[Element] = element.itersiblings(*(tags or ("*",)), preceding=not after)
        most = _MOST_SIBLINGS if name.startswith("nth") else 1
        return sum(1 for _ in islice(others, most))

    match name:
        case "is" | "where" | "matches" | "-webkit-any":
            return selects(element)
        case "not":
            return not selects(element)
        case "has":
            inside: Iterator[Element] = element.iterdescendants("*")
            return any(map(selects, islice(inside, _MOST_SIBLINGS)))
        case "root":
            return element.getparent() is None
        case "empty":
            return not len(element) and not element.text
        case "defined":
            return True
        case "link" | "any-link":
            return tag_of(element) == "a" and "href" in element.attrib
        case "lang":
            around = (element, *element.iterancestors())
            return next((each.get("lang") for each in around if each.get("lang")), "").startswith(
                wanted.strip("'\"").lower()
            )
        case _ if name.endswith(("-child", "-of-type")):
            tags = (element.tag,) if name.endswith("-of-type") else ()
            if name.startswith("only"):
                return not before(*tags) and not before(*tags, after=True)
            place = 1 + before(*tags, after="last" in name)
            if not name.startswith("nth"):
                return place == 1
            return place <= _MOST_SIBLINGS and _is_nth(place, wanted)
        case _:
            return False  # of what a reader does, or what is not known


def _is_nth(place: int, formula: str) -> bool:
    named = {"odd": "2n+1", "even": "2n"}.get(formula.lower(), formula.lower())
    match = _NTH.fullmatch(named.partition(" of ")[0].strip())
    if match is None:
        return False
    if match[4]:
        return place == int(match[4])
    step = int(match[1] + "1") if match[1] in ("", "+", "-") else int(match[1])
    first = int(f"{match[2]}{match[3]}") if match[3] else 0
    return (
        place == first if step == 0 else (place - first) % step == 0 and (place - first) / step >= 0
    )


_OPERATORS: dict[str, Callable[[str, str], bool]] = {
    "": lambda value, wanted: True,
    "=": str.__eq__,
    "~=": lambda value, wanted: wanted in value.split(),
    "|=": lambda value, wanted: value == wanted or value.startswith(f"{wanted}-"),
    "^=": lambda value, wanted: bool(wanted) and value.startswith(wanted),
    "$=": lambda value, wanted: bool(wanted) and value.endswith(wanted),
    "*=": lambda value, wanted: bool(wanted) and wanted in value,
}


def _is_gone(style: Mapping[str, str]) -> bool:  # noqa: C901 - one case each
    """Return whether an element with this style shows nothing, whatever is in it."""
    value = style.get
    if value("display") == "none" or value("content-visibility") == "hidden":
        return True
    functions = [*_FUNCTION.findall(value("filter", "")), ("opacity", value("opacity", ""))]
    for name, argument in functions:
        if name == "opacity" and any(n < _FAINT * (100 if u else 1) for n, u in _numbers(argument)):
            return True
    if value("text-security", "none") != "none" or (
        value("-webkit-text-security", "none") != "none" or value("content", "").startswith("url(")
    ):
        return True
    placed = value("position") in ("absolute", "fixed")
    moved = [value(name, "") for name in _MOVING]
    if placed or value("position") == "relative":
        moved += [value(name, "") for name in ("left", "top", "inset")]
        moved += [value(f"inset-{name}-start", "") for name in ("inline", "block")]
        ends = ("right", "bottom", "inset-inline-end", "inset-block-end")
        if any(n >= _SCREEN + _AWAY for name in ends for n in _lengths(value(name, ""))):
            return True
        moved += [value(name, "") for name in ends]
    clip = _numbers(value("clip", ""))
    if placed and clip and max(number for number, _ in clip) <= 1:
        return True
    overflow = _either(style, "overflow", "-x", "-y").split() + value("contain", "").split()
    if {"hidden", "clip", "scroll", "auto", "paint", "strict", "content"} & {*overflow}:
        sides = [
            value(f"{most}{side}", "")
            for most in ("", "max-")
            for side in ("width", "height", "block-size", "inline-size")
        ]
        sides.append(value("line-height", "") if "hidden" in overflow else "")
        if any(number <= 1 for side in sides[:-1] for number in _lengths(side)) or any(
            number == 0 for number in _lengths(sides[-1])
        ):
            return True
    for name, argument in _FUNCTION.findall(value("clip-path", "")):
        numbers = [number for number, _ in _numbers(argument.partition(" at ")[0])]
        if name == "inset" and any(n >= 50 and unit == "%" for n, unit in _numbers(argument)):
            return True
        if numbers and name in _CLIPS and not any(numbers):
            return True
    functions = [*_FUNCTION.findall(value("transform", "")), ("scale", value("scale", ""))]
    for name, argument in functions:
        numbers = [number for number, _ in _numbers(argument)]
        if name.startswith("translate"):  # percentages are of the element itself
            shares = [n * _OF_ITSELF for n, unit in _numbers(argument) if unit == "%"]
            moved += [f"{share}px" for share in shares] or [argument]
        elif (
            (name == "matrix" and len(numbers) == 6 and _area(numbers) < _FAINT**2)
            or (name.startswith("scale") and any(abs(n) < _FAINT / 2 for n in numbers[:2]))
            or (name in ("rotatex", "rotatey", "rotate3d") and abs(numbers[-1]) == 90)
        ):
            return True
    return any(n <= -_AWAY or n >= _FAR for each in moved for n in _lengths(each))


_MOVING = (
    *("margin-left", "margin-top", "text-indent", "translate"),
    *("margin-inline-start", "margin-block-start"),
)
_CLIPS = ("circle", "ellipse", "polygon", "rect", "xywh")


def _area(matrix: list[float]) -> float:
    return abs(matrix[0] * matrix[3] - matrix[1] * matrix[2])


def _either(style: Mapping[str, str], name: str, *ends: str) -> str:
    """Return the values of a property and of its parts."""
    return " ".join(style.get(f"{name}{end}", "") for end in ("", *ends)).strip()


def _numbers(value: str) -> list[tuple[float, str]]:
    return [(float(number), unit) for number, unit in _NUMBER.findall(value)]


def _lengths(value: str) -> list[float]:
    """Return the lengths in a value, in pixels."""
    return [number * _PIXELS.get(unit, 1) for number, unit in _numbers(value)]


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


def _words(value: str) -> list[str]:
    """Return the words of a value, each function as one."""
    return re.findall(r"[\w-]+\([^()]*\)|[^\s()]+", value)


def _is_transparent(value: str) -> bool:
    if value == "transparent":
        return True
    numbers = _numbers(value.partition("(")[2])
    if len(numbers) == 4 and not value.startswith("#"):
        return numbers[3][0] < _FAINT * (100 if numbers[3][1] else 1)
    return (
        value.startswith("#")
        and len(value) in (5, 9)
        and set(value[len(value) * 3 // 4 :]) == {"0"}
    )


def _colour(value: str) -> Colour | None:
    """Return a colour, or `None` for what is none or hardly covers anything."""
    if not value or _is_transparent(value):
        return None
    numbers = _numbers(value.partition("(")[2])
    if value.startswith(("rgb", "color(srgb")) and len(numbers) >= 3:
        whole = 255 if value.startswith("color") else 1
        red, green, blue = (
            min(255, round(number * 2.55 if unit else number * whole))
            for number, unit in numbers[:3]
        )
        return red, green, blue
    if value.startswith(("lab", "lch", "oklab", "oklch")) and numbers:
        light = numbers[0][0] * (100 if value.startswith("ok") and not numbers[0][1] else 1)
        return (255, 255, 255) if light >= _ALL else (0, 0, 0) if light <= 100 - _ALL else None
    if value.startswith("hwb") and len(numbers) >= 3:
        (_, (white, _), (black, _)), grey = numbers[:3], 0
        if white + black < _ALL:
            return None
        grey = round(255 * white / (white + black))
        return grey, grey, grey
    if value.startswith("hsl") and len(numbers) >= 3:
        value = "hsl({},{}%,{}%)".format(*(number for number, _ in numbers[:3]))
    value = {"canvas": "white", "canvastext": "black"}.get(value, value)
    try:
        red, green, blue = ImageColor.getrgb(value)[:3]
    except ValueError:
        return None
    return red, green, blue
