"""What a page's own styles hide and strike out: `Styles`, and the `Look` of its elements.

Of CSS (Cascading Style Sheets) this reads what can make text unseen, with the cascade: rules of
`<style>` elements, `style` attributes, and the attributes that older pages have in their place.
Style sheets elsewhere are read only if the caller has them, as those of an e-book: without them,
only colours set beside each other in the page itself are compared. A screen of 1,280 × 720 pixels
is assumed, and what differs on one from 1,200 to 1,920 wide is a question.

What cannot be known, such as whether a reader prefers a dark screen or a browser knows a
pseudo-class, is a question. A page is read under each combination of answers: text that only some
of them hide is in doubt, and so is text with a value that is not understood.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib import import_module
from itertools import groupby, islice, pairwise, product
from math import inf
from operator import itemgetter, length_hint
from typing import Any, NamedTuple

from citeguard.documents.html.looks import Look, State, World, may_cover, shown
from citeguard.documents.html.tree import IN_DOUBT, IN_SHADOW, Element, tag_of
from citeguard.documents.html.values import (
    COLOURS,
    INHERITED,
    PIXELS,
    SCREEN,
    UNKNOWN,
    WIDE,
    known_as,
    longhands,
    parts,
    set_by,
    tokens_of,
)

_selectors: Any = import_module("cssselect2")  # it has no types
_wrapper: Any = _selectors.ElementWrapper
_css: Any = import_module("tinycss2")

# What frameworks name the class of text for screen readers alone; their style sheet is elsewhere.
_UNSEEN_CLASSES = frozenset(
    "a11y-hidden assistive-text element-invisible screen-reader-text sr-only u-hidden"
    " visually-hidden visually-hidden-focusable visuallyhidden".split()
)
_SHOWN = ("d-s", "d-m", "d-l", "d-x", "d-p")  # "d-md-block"
_HIDDEN_CLASSES = frozenset(("d-none", "hidden"))  # unless others show it on wide screens
_OLD_ATTRIBUTES = {
    **dict.fromkeys(("col", "td", "th"), (("width", "width"), ("bgcolor", "background-color"))),
    "font": (("color", "color"), ("size", "-")),
    "body": (("text", "color"), ("bgcolor", "background-color")),
    "": (("bgcolor", "background-color"),),
}
# What browsers' own style sheets declare.
_PRESENTED: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("ul", "menu", "dir"), ("list-style-type", "disc")),
    "ol": ("list-style-type", "decimal"),
    **dict.fromkeys(("del", "s", "strike"), ("text-decoration", "line-through")),
    **{"mphantom": ("visibility", "hidden"), "bdo": ("unicode-bidi", "bidi-override")},
    **{"pre": ("white-space", "pre"), "nobr": ("white-space", "nowrap")},
    **dict.fromkeys(("marquee", "maction"), ("moves", UNKNOWN)),
    **dict.fromkeys(("input", "select"), ("overflow-x", "clip")),
}
_MARKS = {"a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
# Pseudo-classes that are understood. Others may match or not, and browsers that do not know them
# drop the rule.
_PSEUDO_CLASSES = frozenset(
    (
        "link any-link visited hover active focus focus-within focus-visible target root scope host"
        " first-child last-child first-of-type last-of-type only-child only-of-type empty disabled"
        " checked is where not has lang nth-child nth-last-child nth-of-type nth-last-of-type"
        " before after first-line first-letter"
    ).split()
)
_PSEUDO_ELEMENTS = frozenset(
    (
        "before after marker first-line first-letter selection placeholder backdrop part slotted"
        " file-selector-button cue target-text highlight"
    ).split()
)
# Attributes of HTML with values in any case.
_CASELESS = frozenset(
    "align bgcolor color dir disabled checked face lang link media method rel rev rules scope shape"
    " target text type valign".split()
)
_TEXTS = ("attr", "counter", "counters")
_ADDING, _OF_TEXT = ("before", "after", "marker"), ("first-line", "first-letter")
# Rules that hide nothing by themselves.
_INERT = frozenset(
    (
        "charset namespace page counter-style font-feature-values font-palette-values"
        " view-transition color-profile position-try viewport -ms-viewport"
    ).split()
)
_VARIABLE = re.compile(r"var\(\s*(--[^\s,()]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)", re.IGNORECASE)
_INITIAL = {"color": "canvastext", "font-size": "medium"}
_MISSING = "\0"  # in the place of a variable without a value
_BOUND = re.compile(
    r"\(\s*(?P<end>min|max)-(?:device-)?(?P<side>width|height)\s*:\s*(?P<number>[\d.]+)(?P<unit>[a-z]*)\s*\)"
)
_WIDTHS = (1_200, SCREEN[0], 1_920)  # of the screens of nearly all computers, in pixels
_MOST_ASKED = 3  # questions that are answered in each combination
# What the rules of a page may cost, in steps of some 3 microseconds: tests of an element, looks at
# its relatives, and characters of selectors. Once they are taken, rules select nothing more, and
# all text of the page is in doubt.
_MOST_STEPS = 2_000_000
_STEPS_TO_COMPILE, _STEPS_TO_CHILD = 100, 10  # a selector, an element in another
_STEPS_TO_SHOW = 60  # an element with other values than any before
_LONGEST = 100  # parts of a selector, so that a test of an element stays one step
_COUNTED_IN_A_STEP = 8  # elements of a type
_LONGEST_CSS = 2_000_000  # characters, which take some 4 seconds
_DEEPEST, _LONGEST_NESTED = 20, 10_000  # rules in rules, characters of the selectors of one
_MOST_VARIABLES, _LONGEST_VALUE = 8, 1_000  # that refer to one another, characters of what they are

_Declared = Sequence[tuple[str, str, bool]]
"""Declarations: the property, the value, and whether it is important."""


@dataclass(frozen=True, slots=True, eq=False)
class _Rule:
    """Declarations, and what decides between them and others.

    Attributes:
        declared: The declarations.
        rank: Of the element itself, the layer, the specificity, and the order.
        asked: The questions on which it depends.
        pseudo: The pseudo-element that it is about.
        selector: Which elements it is about.
    """

    declared: _Declared
    rank: tuple[int, Sequence[float], Any, int] = (-1, (), (), 0)
    asked: World = frozenset()
    pseudo: str = ""
    selector: Any = None

    def weight(self, important: bool) -> Any:
        own, layer, *rest = self.rank
        return important, own, [-each for each in layer] if important else layer, rest


Load = Callable[[str], str]
"""Returns the style sheet at an address."""


class Styles:
    """The styles of a page.

    Args:
        root: The page.
        load: Returns the style sheet at an address as the page gives it, or "" if it has none. By
            default they are not known.

    Attributes:
        first: The look of what has no style.
        steps: What the rules may still cost.
    """

    def __init__(self, root: Element, load: Load | None = None) -> None:
        self.steps = iter(range(_MOST_STEPS))
        self._load, self._loaded = load, set[str]()
        self._rules: defaultdict[str, list[_Rule]] = defaultdict(list)
        self._frames: defaultdict[str, list[_Rule]] = defaultdict(list)
        self._layers: dict[tuple[int, ...], dict[str, int]] = {}
        self._passed: dict[str, str] = {}  # the first values of variables
        self._registered: dict[str, str] = {}  # of those that are not inherited
        self._nodes: dict[Element, _Node] = {}
        self._looks: dict[Any, Look] = {}
        self._order = 0
        self._known, self._all_read, self._left = True, True, _LONGEST_CSS
        document = root.getroottree().docinfo  # with the parser's type, if a page of HTML has none
        kind = (document.public_id or "").lower()
        loose = "html 4.01 " in kind and not document.system_url
        old = loose or any(each in kind for each in ("html 4.0 ", "html 3", "html 2", "ietf"))
        named = document.internalDTD is None or document.internalDTD.name.lower() == "html"
        self._quirks = old or not named
        self._ink = ""  # of the body
        self._links = "".join(root.xpath("//body/@link"))
        self._scheme = "".join(root.xpath("//meta[@name='color-scheme']/@content")).lower()
        names = [f"#{each.get('id')}" for each in root.iter()]
        names += [f".{name}" for each in root.iter() for name in _classes(each)]
        self._names = {*map(self.cased, names)}
        self._named = set[str]()  # the ids and classes that selectors name
        titles = [str(each.get("title", "")) for each in root.iter("style")]
        chosen = next(filter(len, titles), "")  # readers may choose styles of other titles
        for element in root.iter("style", "link"):
            holds = _holds(media := element.get("media") or "all")
            asked = [] if holds else [media]
            asked += [tag_of(each) for each in element.iterancestors("noscript", "template")]
            place, kind = _Place(asked=frozenset(asked)), element.get("type", "").strip().lower()
            if holds is False or IN_SHADOW in element.attrib:
                continue
            kinds = {"stylesheet", "alternate"} & {*element.get("rel", "").lower().split()}
            if tag_of(element) == "link" and kinds == {"stylesheet"}:
                self._import(re.sub(r"\s", "", element.get("href", "")), place)
            elif kind in ("", "text/css") and element.get("title", "") in ("", chosen):
                self._read_sheet("".join(element.itertext()), place)
        self.first = Look({frozenset(): State(passed=self._passed)})

    @property
    def complete(self) -> bool:
        """Whether all rules have been read and tried so far: else they may hide more."""
        return self._all_read and length_hint(self.steps) > 0

    def _read_sheet(self, css: str, place: _Place) -> None:
        self._all_read &= len(css) <= self._left
        self._read(_parts_of(css[: self._left]), place)
        self._left = max(0, self._left - len(css))

    def _import(self, address: str, place: _Place) -> None:
        """Read a style sheet elsewhere; one within its address may hide anything."""
        self._known &= self._load is not None
        self._all_read &= not address.lower().startswith("data:")
        named = posixpath.join(posixpath.dirname(place.address), address)
        if self._load is not None and named not in self._loaded:
            self._loaded.add(named)
            self._read_sheet(self._load(named), replace(place, address=named))

    def _read(self, read: Iterable[_Part], place: _Place) -> None:
        """Read the declarations and rules of a style sheet or of a rule."""
        for part in read:
            if part.declared:
                self._add(place, part.declared)
                continue
            if part.keyword == "":
                inner = place.nested(part.text)
                self._all_read &= inner is not None and place.depth < _DEEPEST
            else:
                inner = self._read_at_rule(part, place)
            if inner is not None and place.depth < _DEEPEST:
                self._read(part.inside, inner)

    def _read_at_rule(self, rule: _Part, place: _Place) -> _Place | None:
        """Return where the rules in a rule are; `None` if they do not apply."""
        keyword, condition = rule.keyword, rule.text
        inner = replace(place, depth=place.depth + 1)
        if keyword == "media" and (holds := _holds(condition)) is not None:
            return inner if holds else None
        if keyword == "layer":
            for name in (condition or f" {len(self._layers)}").split(","):
                inner = replace(inner, layer=place.layer)
                for part in name.strip().split("."):
                    above = self._layers.setdefault(inner.layer, {})
                    inner = replace(inner, layer=(*inner.layer, above.setdefault(part, len(above))))
            return inner
        if keyword in ("import", "keyframes", "property", "font-face"):
            self._read_named(rule, inner)
            return None
        if keyword == "scope":
            inner = replace(inner, outer="*")
        return None if keyword in _INERT else replace(inner, asked=inner.asked | {condition})

    def _read_named(self, rule: _Part, place: _Place) -> None:
        """Read a style sheet elsewhere, the frames of an animation, or a variable's first value."""
        if rule.keyword == "import":
            first, *others = parts(rule.text or "all")
            named = (each.value for each in tokens_of([first]) if each.type in ("string", "url"))
            holds = _holds(media := " ".join(_text([each]) for each in others) or "all")
            if holds is not False:
                asked = place.asked if holds else place.asked | {media}
                self._import(next(named, ""), replace(place, asked=asked))
        elif rule.keyword == "property":
            told = {name: value for part in rule.inside for name, value, _ in part.declared}
            own = self._passed if told.get("inherits") == "true" else self._registered
            own[rule.text] = told.get("initial-value", _MISSING)
        elif rule.keyword == "font-face":
            told = {name: value for part in rule.inside for name, value, _ in part.declared}
            self._all_read &= "size-adjust" not in told
        for each in rule.inside:
            for part in each.inside:
                asked = place.asked | {f"{rule.text} {each.text}"}
                self._frames[rule.text.lower()].append(_Rule(part.declared, (2, (), (), 0), asked))

    def _add(self, place: _Place, declared: _Declared) -> None:
        """Add a rule, but for selectors that name an id or a class that the page does not have."""
        if not place.outer:
            return
        next(islice(self.steps, len(place.outer), None), None)
        tokens, asked = self._tamed(_parsed(place.outer))
        lists = [
            [*group]
            for is_comma, group in groupby(tokens, lambda part: part == ",")
            if not is_comma
        ]
        if True not in [*map(self._is_present, lists)]:
            return
        found = list[tuple[Any, str]]()
        for selector, pseudo in map(_split, lists):
            if len([*tokens_of(selector)]) > _LONGEST:
                self._all_read = False
                return
            if next(islice(self.steps, _STEPS_TO_COMPILE, None), None) is None:
                return
            try:
                (compiled,) = _selectors.compile_selector_list(selector)
            except _UNKNOWN_SELECTORS:  # a browser that knows it may select anything by it
                asked |= {_text(selector)}
                (compiled,) = _selectors.compile_selector_list("*")
            if not compiled.never_matches and pseudo in ("", *_OF_TEXT, *_ADDING):
                found.append((compiled, pseudo))
        self._order += 1
        for compiled, pseudo in found:
            key = compiled.lower_local_name or "*"
            if name := compiled.id or compiled.class_name:
                key = f"#{name}" if compiled.id else f".{name}"
            rank = (0, (*place.layer, inf), compiled.specificity, self._order)
            depends = place.asked | asked | ({pseudo} & {*_OF_TEXT})
            about = pseudo if pseudo in _ADDING else ""
            self._rules[key].append(_Rule(declared, rank, depends, about, compiled))

    def _is_present(self, selector: Sequence[Any]) -> bool:
        """Return whether the page has the ids and the classes that a selector names."""
        names = {f"#{each.value}" for each in selector if each.type == "hash"}
        named = (name for dot, name in pairwise(selector) if dot == "." and name.type == "ident")
        names |= {f".{name.value}" for name in named}
        self._named |= names
        return names <= self._names

    def _tamed(self, tokens: Iterable[Any]) -> tuple[list[Any], frozenset[str]]:
        """Return selectors without unknown pseudo-classes, and these."""
        tamed, unknown = list[Any](), frozenset[str]()
        for token in tokens:
            dotted = tamed[-1:] == ["."]
            if self._quirks and (token.type == "hash" or (dotted and token.type == "ident")):
                token.value = token.value.lower()
            tested = [e for e in getattr(token, "content", ()) if e.type != "whitespace"]
            if len(tested) == 3 and getattr(tested[0], "lower_value", "") in _CASELESS:
                token.content += _parsed(" i")
            if tamed[-1:] == [":"] != tamed[-2:-1] and token.type in ("ident", "function"):
                name = getattr(token, "lower_value", None) or token.lower_name
                inner = self._tamed(getattr(token, "arguments", ()))[1]
                if name not in _PSEUDO_CLASSES or inner:
                    unknown |= {name}
                    token = _ANY_CHILD
            elif tamed[-2:] == [":", ":"]:
                name = getattr(token, "lower_value", "") or getattr(token, "lower_name", "")
                known = name in _PSEUDO_ELEMENTS or name.startswith("-webkit-")
                unknown |= set[str]() if known else {name}
            tamed.append(token)
        return tamed, unknown

    def look_of(self, element: Element, around: Look) -> Look:
        """Return the look of an element's text, given that of what is around the element."""
        rules, tag = self._rules_of(element), tag_of(element)
        tag = tag if tag in ("html", "body") else ""
        if not (rules or around.adds or around.signs):
            return around
        key = (rules, around, tag)
        if key not in self._looks:
            self._looks[key] = self._look(rules, around, tag)
        look = self._looks[key]
        if tag == "body":
            self._ink = look.usual.style.get("color", "canvastext" if self._known else "")
        style = look.usual.style
        if "table-column" in style.get("display", "") and "collapse" in style.get("visibility", ""):
            self._all_read &= tag_of(element) in ("col", "colgroup")  # which cells it hides
        return look

    def _look(self, rules: Sequence[_Rule], around: Look, tag: str, pseudo: str = "") -> Look:
        own = [rule for rule in rules if rule.pseudo == pseudo]
        asked = frozenset[str]().union(*(rule.asked for rule in own)) - around.asked
        questions = [*sorted(around.asked), *sorted(asked)]
        most = min(len(questions), _MOST_ASKED) if length_hint(self.steps) else 0
        steps = _STEPS_TO_SHOW + len(next(iter(around.states.values())).passed)
        next(islice(self.steps, steps << most, None), None)
        outside, states = around.states[World()], dict[World, State]()
        for answers in product((False, True), repeat=most):
            world = frozenset(q for q, yes in zip(questions, answers, strict=False) if yes)
            applied = [rule for rule in own if rule.asked <= world]
            states[world] = self._state(
                applied, around.states.get(world & around.asked, outside), tag
            )
        for question in questions[:most]:
            if all(states[world] == states[world ^ {question}] for world in states):
                states = {world: state for world, state in states.items() if question not in world}
        if len(questions) > most:
            states = {
                world: replace(each, doubted=True, unsure=True) for world, each in states.items()
            }
        look = Look(states)
        pseudos = {
            each: self._look(rules, look, "", each).states.values()
            for each in _ADDING
            if not pseudo and any(rule.pseudo == each for rule in rules)
        }
        added = [
            state
            for each in pseudos.values()
            for state in each
            if state.style.get("content", "none") not in ("none", "normal")
        ]
        adds = any(not each.unseen and _is_worded(each.style["content"]) for each in added)
        adds |= any(map(may_cover, added))
        adds |= any(
            _is_worded(state.style.get(name, ""))
            for name in ("quotes", "list-style-type")
            for state in states.values()
        )
        signs = any(not each.unseen and _is_sign(each.style["content"]) for each in added)
        numbered = not any(
            each.unseen or each.style.get("content", "normal") != "normal"
            for each in pseudos.get("marker", ())
        )
        return replace(look, adds=adds, signs=signs, numbered=numbered)

    def _state(self, rules: Sequence[_Rule], around: State, tag: str) -> State:
        """Return how an element with these rules is shown."""
        found = [
            (rule.weight(important), name, value)
            for rule in rules
            for name, value, important in rule.declared
        ]
        found.sort(key=itemgetter(0))
        style = self._variables([each[1:] for each in found], around)
        presented = {name: value for (_, own, *_), name, value in found if own < 0}
        for _, name, value in found:
            for each, chosen in self._longhands(name, value, style).items():
                if chosen == "revert-layer" and not self._layers:
                    chosen = "revert"
                chosen = presented.get(each, chosen) if chosen == "revert" else chosen
                if (each, chosen) == ("color", "currentcolor"):
                    chosen = "inherit"
                if chosen == "revert-layer":
                    chosen = UNKNOWN
                elif chosen == "initial":
                    chosen = _INITIAL.get(each, "")
                elif chosen in WIDE:
                    inherits = chosen == "inherit" or each in INHERITED
                    chosen = around.style.get(each, "") if inherits else ""
                style[each] = chosen
        style = {name: value for name, value in style.items() if value}
        return shown(style, around, tag=tag, known=self._known)

    def _variables(self, found: Sequence[Sequence[str]], around: State) -> dict[str, str]:
        """Return the variables of an element, and what else it has from what is around it."""
        style = {**around.passed, **self._registered}
        for name, value in found:
            if name.startswith("--"):
                outer = self._registered if value.lower() == "initial" else around.passed
                style[name] = outer.get(name, _MISSING) if value.lower() in WIDE else value
        for name, _ in found:
            if name.startswith("--"):
                style[name] = _resolved(style[name], style)
        return style

    def _longhands(self, name: str, value: str, variables: Mapping[str, str]) -> Mapping[str, str]:
        """Return the properties that a declaration sets, with their values."""
        if name.startswith("--"):
            return {}
        text = " ".join(_resolved(value, variables).lower().split())
        if _MISSING in text:  # a style sheet that is not read may have it
            text = UNKNOWN if name in COLOURS and not self._known else "unset"
        given = longhands(name, text, self._quirks)
        unset = not given and "var(" in value.lower()
        return dict.fromkeys(set_by(name), "unset") if unset else given

    def _rules_of(self, element: Element) -> tuple[_Rule, ...]:
        """Return the rules of an element, with what its tag and its attributes say."""
        tag = tag_of(element)
        found = [*self._set_by_page(element, tag), *_presentation(element)]
        rules = [_presented(tuple(found))] if found else []
        if inline := element.get("style"):
            rules.append(_inline(inline))
        if tag == "table" and self._has_styled_columns(element):
            rules.append(_presented((("columns", UNKNOWN, False),)))
        keys = ["*", tag, f"#{element.get('id', '')}"]
        keys += [f".{name}" for name in _classes(element)]
        keys = [] if IN_SHADOW in element.attrib else keys
        node = self._node(element) if self._rules else None
        for key in keys:
            for rule, _ in zip(self._rules.get(self.cased(key), ()), self.steps, strict=False):
                if rule.selector.test(node):
                    rules.append(rule)
        moving = " ".join(v for rule in rules for n, v, _ in rule.declared if n == "animation-name")
        for name, frames in self._frames.items() if moving else ():
            rules += frames if name in moving.lower() or "var(" in moving else ()
        return tuple(rules)

    def _set_by_page(self, element: Element, tag: str) -> Iterator[tuple[str, str, bool]]:
        """Yield what the page as a whole declares for an element."""
        if names := _unseen_classes(element):
            if not self._known:
                yield "display", "none", False
            elif not self._named & {f".{self.cased(name)}" for name in names}:
                yield "display", UNKNOWN, False  # a script may bring styles
        if tag == "html" and self._scheme:
            yield "color-scheme", self._scheme, False
        elif tag == "table" and self._quirks and self._ink:  # whatever is around it says
            yield "color", self._ink, False
        elif tag == "a" and self._links and "href" in element.attrib:
            yield "color", self._links, False

    def _has_styled_columns(self, table: Element) -> bool:
        """Return whether columns are styled so that their cells may be unseen."""
        return any(
            name in ("visibility", *COLOURS) or (name == "width" and value.startswith(("0", "1px")))
            for group in table
            if tag_of(group) in ("col", "colgroup")
            for column in (group, *group)
            for rule in self._rules_of(column)
            for name, value, _ in rule.declared
        )

    def cased(self, name: str) -> str:
        """Return a class or an id as it is compared: without a document type, in lower case."""
        return name.lower() if self._quirks else name

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
            node = _Node(element, around, index, previous, True, page=self)
            if around is not None and len(around.etree_children) == index:
                around.etree_children.append(element)  # a Markdown file's tree grows as it is read
            self._nodes[element] = node
        return self._nodes[element]


# What is no selector or only of one browser; what is nested too deeply; and what `cssselect2` trips
# over: "a|".
_UNKNOWN_SELECTORS = (
    _selectors.SelectorError,
    SyntaxError,
    RuntimeError,
    MemoryError,
    AttributeError,
)


class _Node(_wrapper):
    """An element as selectors see it; each look at a relative is a step.

    Without that, the time of a selector can grow with a power of the number of elements.
    """

    def __init__(self, *given: Any, page: Styles | None = None, **named: Any) -> None:
        _wrapper.__init__(self, *given, **named)
        self.page: Styles = page or self.parent.page
        self.steps: Iterator[int] = self.page.steps

    @cached_property
    def classes(self) -> set[str]:
        """Its classes, as they are compared."""
        return {*map(self.page.cased, self.etree_element.get("class", "").split())}

    @cached_property
    def id(self) -> str | None:
        """Its id, as it is compared."""
        return self.page.cased(self.etree_element.get("id", "")) or None

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


class _Part(NamedTuple):
    """A rule, or declarations that follow one another.

    Attributes:
        text: The selectors of the rule, or its condition.
        keyword: That of an at-rule.
        inside: What is in the rule.
        declared: The declarations.
    """

    text: str = ""
    keyword: str = ""
    inside: Sequence[_Part] = ()
    declared: _Declared = ()


@lru_cache(maxsize=4)  # the pages of an e-book share their style sheet
def _parts_of(css: str) -> Sequence[_Part]:
    return [*_parts_among(_css.parse_stylesheet(_parsed(css)), 0)]


def _parts_among(read: Iterable[Any], depth: int) -> Iterator[_Part]:
    known = (each for each in read if each.type in ("declaration", "qualified-rule", "at-rule"))
    for declares, group in groupby(known, lambda each: each.type == "declaration"):
        if declares:
            yield _Part(declared=_declared(group))
            continue
        for each in group:
            content = _css.parse_blocks_contents(each.content or ())
            inside = [*_parts_among(content, depth + 1)] if depth <= _DEEPEST else []
            keyword = getattr(each, "lower_at_keyword", "").removeprefix("-webkit-")
            yield _Part(_text(each.prelude), keyword, inside)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in style sheets a rule is.

    Attributes:
        address: The address of its style sheet.
        outer: The selectors of the rule that it is in, if any.
        depth: How many rules it is in.
        asked: The questions on which it depends.
        layer: The numbers of the cascade layers that it is in.
    """

    address: str = ""
    outer: str = ""
    depth: int = 0
    asked: World = frozenset()
    layer: tuple[int, ...] = ()

    def nested(self, selectors: str) -> _Place | None:
        """Return the place in a rule with these selectors that is here."""
        if self.outer:  # "&" is the outer rule's element; without it, an element in that
            selectors = selectors.replace(":scope", "&")
            selectors = selectors if "&" in selectors else f"& {selectors}"
            selectors = selectors.replace("&", f":is({self.outer})")
            if len(selectors) > _LONGEST_NESTED:
                return None
        return replace(self, outer=selectors, depth=self.depth + 1)


def _presentation(element: Element) -> list[tuple[str, str, bool]]:
    """Return what the tag and the attributes of an element declare."""
    tag, attributes = tag_of(element), element.attrib
    found = [(*_PRESENTED[tag], False)] if tag in _PRESENTED else list[tuple[str, str, bool]]()
    if tag == "menclose" and "strike" in attributes.get("notation", ""):
        found.append((*_PRESENTED["strike"], False))
    if {"hidden", "popover"} & {*attributes} or (tag == "dialog" and "open" not in attributes):
        found.append(("display", "none", False))
    if tag in ("ol", "li") and (marks := _MARKS.get(attributes.get("type", ""))):
        found.append(("list-style-type", marks, False))
    if IN_DOUBT in attributes:
        found.append(("shadow", UNKNOWN, False))
    for name, property_ in _OLD_ATTRIBUTES.get(tag, _OLD_ATTRIBUTES[""]):
        if name in attributes:
            value = attributes[name].strip().lower()
            if name == "width" and value.isdigit():
                value += "px"
            value = re.sub(r"^(?=(?:[\da-f]{3}){1,2}$)", "#", value)
            found.append((property_, value, False))
    return found


def _unseen_classes(element: Element) -> set[str]:
    """Return the classes of an element by which frameworks hide."""
    classes = {*_classes(element)}
    shown = any(":" in each or each[:3] in _SHOWN for each in classes)
    return classes & (_UNSEEN_CLASSES if shown else _UNSEEN_CLASSES | _HIDDEN_CLASSES)


@lru_cache(maxsize=1_000)  # word processors give most paragraphs the same style
def _inline(style: str) -> _Rule:
    read = _css.parse_blocks_contents(_parsed(style))
    return _Rule(_declared(read), (1, (), (), 0))


@lru_cache(maxsize=1_000)
def _presented(declared: _Declared) -> _Rule:
    return _Rule(declared)  # any rule is stronger than an attribute


def _declared(read: Iterable[Any]) -> _Declared:
    """Return the name and the value of each declaration, and whether it is important."""
    names = (
        (each.name if each.name.startswith("--") else known_as(each.lower_name), each)
        for each in read
        if each.type == "declaration"
    )
    return tuple(
        (name, " ".join(_text(each.value).split()), each.important) for name, each in names if name
    )


def _resolved(value: str, variables: Mapping[str, str]) -> str:
    """Return a value with the values of its variables."""
    for _ in range(_MOST_VARIABLES):
        if "var(" not in value.lower():
            return value
        value = _VARIABLE.sub(
            lambda match: next(
                each
                for each in (variables.get(match[1], _MISSING), match[2], _MISSING)
                if each is not None and (each != _MISSING or match[2] is None)
            ),
            value[: _LONGEST_VALUE + 1],
        )
        if len(value) > _LONGEST_VALUE:
            break
    return UNKNOWN


def _split(selector: Sequence[Any]) -> tuple[Sequence[Any], str]:
    """Return a selector without its pseudo-element, and the name of that."""
    for place, (colon, token) in enumerate(pairwise(selector)):
        name = getattr(token, "lower_value", "")
        if colon == ":" and (token == ":" or name in (*_ADDING, *_OF_TEXT)):
            end = place + 2 if token == ":" else place + 1
            rest = selector[end:]
            found = getattr(rest[0], "lower_value", "other") if len(rest) == 1 else "other"
            before = selector[:place]
            alone = not before or before[-1].type == "whitespace" or before[-1] in (">", "+", "~")
            return [*before, *(_parsed("*") if alone else [])], found
    return selector, ""


def _holds(media: str) -> bool | None:
    """Return whether media queries hold for the assumed screen, or `None` if that is not known."""
    found = list[bool | None]()
    for one in media.lower().split(","):
        negated = re.fullmatch(r"\s*not\s+(.*)", one)
        each = [
            _on_screen(part.strip())
            for part in re.split(r"\band\b", negated[1] if negated else one)
        ]
        holds = False if False in each else None if None in each else True
        found.append(not holds if negated and holds is not None else holds)
    return True if True in found else None if None in found else False


def _on_screen(part: str) -> bool | None:
    """Return whether a part of a media query holds for the assumed screen."""
    if part.isalpha():
        return part in ("all", "screen", "only screen")
    bound = _BOUND.fullmatch(part)
    if bound is None or bound["unit"] not in PIXELS:
        return {"(orientation: landscape)": True, "only screen": True}.get(part)
    number = float(bound["number"]) * PIXELS[bound["unit"]]
    own = (SCREEN[1],) if bound["side"] == "height" else _WIDTHS
    holds = {size >= number if bound["end"] == "min" else size <= number for size in own}
    return holds.pop() if len(holds) == 1 else None


def _is_worded(value: str) -> bool:
    """Return whether a value has strings with words or numbers, or may have some."""
    return value == UNKNOWN or any(
        any(map(str.isalnum, each.value)) if each.type == "string" else each.name in _TEXTS
        for each in tokens_of(parts(value))
        if each.type in ("string", "function")
    )


def _is_sign(value: str) -> bool:
    """Return whether a value has a string with a sign of numbers, such as "−", "." or "%"."""
    return any(
        unicodedata.category(sign) in ("Sm", "Sc", "Pd", "Mn") or sign in ".,%‰°"
        for each in tokens_of(parts(value))
        if each.type == "string"
        for sign in each.value
    )


def _parsed(css: str) -> list[Any]:
    return _css.parse_component_value_list(css, skip_comments=True)


def _text(parsed: Sequence[Any]) -> str:
    try:
        return _css.serialize(parsed).strip()
    except RecursionError:  # nothing that means something has so many brackets in one another
        return ""


def _classes(element: Element) -> list[str]:
    return element.get("class", "").split()


_ANY_CHILD = _parsed(":nth-child(n)")[1]
