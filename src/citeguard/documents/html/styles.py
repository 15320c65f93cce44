"""What a page's own styles hide and strike out: `Styles`, and the `Look` of its elements.

Of CSS (Cascading Style Sheets) this reads what ordinary pages use to make text unseen: rules of
`<style>` elements, `style` attributes, and the attributes that older pages have in their place.
Style sheets elsewhere are read only if the caller has them, as those of an e-book: without them,
only colours set beside each other in the page itself are compared. A screen of 1,280 × 720 pixels
is assumed, and what differs on one from 1,200 to 1,920 wide is a question.

What is not known or not understood, such as whether a reader prefers a dark screen, a pseudo-class
or a new kind of rule, is a question, too. A page is read under each combination of answers: text
that only some of them hide is in doubt, and so is text with a value that is not understood.
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
from itertools import groupby, pairwise, product
from math import inf
from operator import itemgetter
from typing import Any

from citeguard.documents.html.css_values import (
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
from citeguard.documents.html.tree import IN_DOUBT, Element, tag_of
from citeguard.documents.html.visibility import Look, State, World, may_cover, shown

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
    # "<td width=0 style=overflow:hidden>" shows nothing.
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
    # What moves, or changes on a click, may not be seen as it is written.
    **dict.fromkeys(("marquee", "maction"), ("moves", UNKNOWN)),
    **dict.fromkeys(("input", "select"), ("overflow-x", "clip")),
}
_MARKS = {"a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
# Pseudo-classes that are understood. Others may match or not, and browsers that do not know them
# drop the rule, as they do with pseudo-elements.
_PSEUDO_CLASSES = frozenset(
    (
        "link any-link visited hover active focus focus-within focus-visible target root host"
        " first-child last-child only-child empty checked is where not nth-child nth-last-child"
        " first-of-type last-of-type only-of-type nth-of-type nth-last-of-type"
        " before after first-line first-letter"
    ).split()
)
_WITHOUT_WORDS = ("selection", "placeholder", "backdrop", "file-selector-button")
# Attributes of HTML with values in any case.
_CASELESS = frozenset(
    "align bgcolor color dir disabled checked face lang link media method rel rev rules scope shape"
    " target text type valign".split()
)
_TEXTS = ("attr", "counter", "counters")
_WORDED = ("quotes", "list-style-type")
_ADDING, _OF_TEXT = ("before", "after", "marker"), ("first-line", "first-letter")
_ALSO = "*"  # the pseudo-element of what an animation may declare for any
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
_STEPS_TO_COMPILE = 100  # a selector
_STEPS_TO_SHOW = 60  # an element with other values than any before
_COUNTED_IN_A_STEP = 8  # elements of a type
_LONGEST = 100  # parts of a selector, so that a test of an element stays one step
_LONGEST_CSS = 2_000_000  # characters, which take some 4 seconds
_DEEPEST, _LONGEST_NESTED = 20, 10_000  # rules in rules, characters of the selectors of one
_MOST_VARIABLES, _LONGEST_VALUE = 8, 1_000  # that refer to one another, characters of what they are
_BY_ATTRIBUTE, _BY_RULE, _BY_ELEMENT, _ON_TOP = range(-1, 3)

_Declared = Sequence[tuple[str, str, bool]]
"""Declarations: the property, the value, and whether it is important."""
_DOUBT: _Declared = (("moves", UNKNOWN, False),)
"""What may hide anything."""


@dataclass(frozen=True, slots=True, eq=False)
class _Rule:
    """Declarations, and what decides between them and others."""

    declared: _Declared
    origin: int = _BY_ATTRIBUTE  # any other is stronger than an attribute
    rank: tuple[Any, int] = ((), 0)  # the specificity, and the order
    layer: float = inf  # the number of its layer
    asked: World = frozenset()  # the questions on which it depends
    pseudo: str = ""  # the pseudo-element that it is about
    selector: Any = None  # which elements it is about

    def weight(self, important: bool) -> Any:
        return important, self.origin, -self.layer if important else self.layer, self.rank


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
    """

    def __init__(self, root: Element, load: Load | None = None) -> None:
        self._steps = _MOST_STEPS
        self._load, self._loaded = load, set[str]()
        self._rules: defaultdict[str, list[_Rule]] = defaultdict(list)
        self._frames: defaultdict[str, list[_Rule]] = defaultdict(list)  # of animations
        self._layers: dict[str, int] = {}
        self._passed: dict[str, str] = {}  # the first values of variables
        self._registered: dict[str, str] = {}  # of those that are not inherited
        self._marks = set[str]()  # the names of the page's own marks of lists
        self._nodes: dict[Element, _Node] = {}
        self._looks: dict[Any, Look] = {}
        self._order = 0
        self._known, self._all_read, self._left = True, True, _LONGEST_CSS
        self._quirks = _has_quirks(root.getroottree().docinfo)
        self._ink = ""  # of the body
        # "<body link=white>" makes links unseen on white.
        self._links = "".join(root.xpath("//body/@link"))
        self._scheme = "".join(root.xpath("//meta[@name='color-scheme']/@content")).lower()
        names = [f"#{each.get('id')}" for each in root.iter()]
        names += [f".{name}" for each in root.iter() for name in _classes(each)]
        self._names = {*map(self.cased, names)}
        self._named = set[str]()  # the ids and classes that selectors name
        for element in root.iter("style", "link"):
            holds = _holds(media := element.get("media") or "all")
            if holds is False:
                continue
            asked = [] if holds else [media]
            # In <noscript>, styles are for browsers without scripts only.
            asked += [tag_of(each) for each in element.iterancestors("noscript", "template")]
            kind, title = element.get("type", "").strip().lower(), element.get("title", "")
            # A sheet that is an "alternate" is off until a reader chooses it.
            kinds = {"stylesheet", "alternate"} & {*element.get("rel", "").lower().split()}
            if tag_of(element) == "link" and kinds == {"stylesheet"}:
                # Browsers drop white space in addresses: " DATA:,b{opacity:0}" is one.
                self._import(re.sub(r"\s", "", element.get("href", "")), "", frozenset(asked))
            elif kind in ("", "text/css"):
                asked += [title] if title else []  # readers may choose another
                self._read_sheet("".join(element.itertext()), "", frozenset(asked))
        self.first = Look({frozenset(): State(passed=self._passed)})

    @property
    def complete(self) -> bool:
        """Whether all rules have been read and tried so far: else they may hide more."""
        return self._all_read and self._steps > 0

    def spend(self, steps: int) -> bool:
        """Count steps; return whether more of them may be taken."""
        self._steps -= steps
        return self._steps > 0

    def cased(self, name: str) -> str:
        """Return a class or an id as it is compared: without a document type, in lower case."""
        return name.lower() if self._quirks else name

    def _import(self, address: str, base: str, asked: World) -> None:
        """Read a style sheet elsewhere; one within its address may hide anything."""
        self._known &= self._load is not None
        self._all_read &= not address.lower().startswith("data:")
        named = posixpath.join(posixpath.dirname(base), address)
        if self._load is not None and named not in self._loaded:
            self._loaded.add(named)
            self._read_sheet(self._load(named), named, asked)

    def _read_sheet(self, css: str, address: str, asked: World) -> None:
        self._all_read &= len(css) <= self._left
        css, self._left = css[: self._left], max(0, self._left - len(css))
        for place, declared in _sheet_of(css):
            place = replace(place, asked=place.asked | asked)
            for name in place.layer.split(",") if place.layer else ():
                self._layers.setdefault(name.split(".")[0].strip(), len(self._layers))
            if place.keyword == "import":
                first, *others = parts(place.name or "all")
                links = (e.value for e in tokens_of([first]) if e.type in ("string", "url"))
                media = " ".join(_text([each]) for each in others) or "all"
                if (holds := _holds(media)) is not False:
                    depends = place.asked if holds else place.asked | {media}
                    self._import(next(links, ""), address, depends)
            elif place.keyword and declared:
                self._name(place, declared)
            elif place.origin == _ON_TOP:  # others may be stronger than some of these
                for each in declared:
                    # Each is a question of its own, as some of them may win and others lose.
                    depends = place.asked | {f"{each[0]} {self._order}"}
                    self._add(replace(place, asked=depends), [each])
            elif declared:
                self._add(place, declared)

    def _name(self, place: _Place, declared: _Declared) -> None:
        """Note frames of an animation, the first value of a variable, marks of items, or a font."""
        told = {name: value for name, value, _ in declared}
        if place.keyword == "keyframes":
            depends = place.asked | {f"{place.name} {place.outer}"}
            frame = _Rule(declared, _ON_TOP, asked=depends, pseudo=_ALSO)
            self._frames[place.name.lower()].append(frame)
        elif place.keyword == "property":
            own = self._passed if told.get("inherits") == "true" else self._registered
            own[place.name] = told.get("initial-value", _MISSING)
        elif place.keyword == "counter-style":
            self._marks.add(place.name.lower())
        else:
            # "size-adjust: 0%" leaves nothing of a font's letters.
            self._all_read &= "size-adjust" not in told

    def _add(self, place: _Place, declared: _Declared) -> None:
        """Add a rule, but for selectors that name an id or a class that the page does not have."""
        if not place.outer or not self.spend(len(place.outer)):
            return
        listed = groupby(_parsed(place.outer), lambda part: part == ",")
        lists = [[*group] for is_comma, group in listed if not is_comma]
        if True not in [*map(self._is_present, lists)]:
            return
        layer = self._layers.get(place.layer.split(".")[0].strip(), inf)
        asked, found = place.asked, list[tuple[Any, Any, str]]()
        for selector, pseudo in map(_split, lists):
            compiled, specificity, unknown = self._compiled(selector)
            asked |= unknown
            # "::selection" and "::-webkit-scrollbar" hold no words of the page.
            if pseudo in _WITHOUT_WORDS or pseudo.startswith("-webkit-"):
                continue
            rank = specificity, self._order
            found += [(compiled, rank, pseudo)] * (not compiled.never_matches)
            asked |= {pseudo} - {"", *_OF_TEXT, *_ADDING}
        self._order += 1
        for compiled, rank, pseudo in found:
            key = compiled.lower_local_name or "*"
            if name := compiled.id or compiled.class_name:
                key = f"#{name}" if compiled.id else f".{name}"
            of_text = {pseudo} & {*_OF_TEXT}
            about = "" if of_text else pseudo
            rule = _Rule(declared, place.origin, rank, layer, asked | of_text, about, compiled)
            self._rules[key].append(rule)

    def _compiled(self, selector: Sequence[Any]) -> tuple[Any, Any, World]:
        """Return a compiled selector, its specificity, and the questions on which it depends."""
        try:
            if not self.spend(_STEPS_TO_COMPILE) or len([*tokens_of(selector)]) > _LONGEST:
                raise SyntaxError
            tamed, unknown = self._tamed(selector)
            (compiled,) = _selectors.compile_selector_list(tamed)
            # It ranks as it is written: "p:has(#a, b)" counts the id.
            (exact,) = _selectors.parser.parse(selector) if unknown else (compiled,)
        except _NO_SELECTOR:  # a browser that knows it may select anything by it
            return *_selectors.compile_selector_list("*"), (inf,), World({_text(selector)})
        return compiled, exact.specificity, unknown

    def _is_present(self, selector: Sequence[Any]) -> bool:
        """Return whether the page has the ids and the classes that a selector names."""
        names = {f"#{self.cased(each.value)}" for each in selector if each.type == "hash"}
        named = (name for dot, name in pairwise(selector) if dot == "." and name.type == "ident")
        names |= {f".{self.cased(name.value)}" for name in named}
        self._named |= names
        return names <= self._names

    def _tamed(self, tokens: Iterable[Any]) -> tuple[list[Any], frozenset[str]]:
        """Return a selector without unknown pseudo-classes, and these."""
        tamed, unknown = list[Any](), frozenset[str]()
        for token in tokens:
            if token.type == "hash" or (tamed[-1:] == ["."] and token.type == "ident"):
                token.value = self.cased(token.value)
            tested = [e for e in getattr(token, "content", ()) if e.type != "whitespace"]
            # HTML compares the values of these in any case: '[align="LEFT"]' selects "left", too.
            if len(tested) == 3 and getattr(tested[0], "lower_value", "") in _CASELESS:
                token.content += _parsed(" i")
            if tamed[-1:] == [":"] and token.type in ("ident", "function"):
                name = getattr(token, "lower_value", "") or token.lower_name
                inside = getattr(token, "arguments", ())
                # ":nth-child(2 of .x)" counts only some elements, which is not understood.
                counts = any(getattr(each, "value", "") == "of" for each in inside)
                if name not in _PSEUDO_CLASSES or counts or self._tamed(inside)[1]:
                    unknown |= {_text([token])}
                    token = _ANY_CHILD
            tamed.append(token)
        return tamed, unknown

    def look_of(self, element: Element, around: Look) -> Look:
        """Return the look of an element's text, given that of what is around the element."""
        rules, tag = self._rules_of(element), tag_of(element)
        # Other tags change nothing: elements with the same rules share a look.
        tag = tag if tag in ("html", "body", "col", "colgroup") else ""
        if not (rules or around.adds or around.signs):
            return around
        key = (rules, around, tag)
        if key not in self._looks:
            self._looks[key] = self._look(rules, around, tag)
        look = self._looks[key]
        style = look.usual.style
        if tag == "body":
            self._ink = style.get("color", "canvastext" if self._known else "")
        if tag.startswith("col") or "table-column" in style.get("display", ""):
            self._all_read &= not any(  # it may hide cells
                name in ("visibility", *COLOURS)
                or (name == "width" and value.startswith(("0", "1px")))
                for rule in rules
                for name, value, _ in rule.declared
            )
        return look

    def _look(self, rules: Sequence[_Rule], around: Look, tag: str, pseudo: str = "") -> Look:
        own = [rule for rule in rules if rule.pseudo in (pseudo, _ALSO)]
        asked = World().union(*(rule.asked for rule in own)) - around.asked
        questions = [*sorted(around.asked), *sorted(asked)]
        outside, states = around.usual, dict[World, State]()
        most = min(len(questions), _MOST_ASKED)
        left = {*questions[most:]}
        most = most if self.spend((_STEPS_TO_SHOW + len(outside.passed)) << most) else 0
        # What one answer hides, another one may show: all combinations are looked at.
        for answers in product((False, True), repeat=most):
            world = frozenset(q for q, yes in zip(questions, answers, strict=False) if yes)
            applied = [rule for rule in own if rule.asked <= world]
            behind = around.states.get(world & around.asked, outside)
            state = self._state(applied, behind, tag)
            if len(questions) > most:
                state = replace(state, doubted=True, unsure=True)
                # Hidden text stays hidden, unless one of the rules not tried would show it.
                others = (rule for rule in own if rule.asked & left and self.spend(_STEPS_TO_SHOW))
                if any(not self._state([*applied, e], behind, tag).unseen for e in others):
                    style = {**state.style, "content": UNKNOWN}
                    state = replace(state, gone=behind.gone, unseen=None, style=style)
            states[world] = state
        # A question that changes nothing is dropped, as each doubles the states.
        for question in () if pseudo else questions[:most]:
            if all(states[world] == states[world ^ {question}] for world in states):
                states = {world: state for world, state in states.items() if question not in world}
        look = Look(states)
        if pseudo:
            return look
        pseudos = {
            each: [*self._look(rules, look, "", each).states.values()]
            for each in {rule.pseudo for rule in rules} - {"", _ALSO}
        }
        added = [
            (state, content)
            for each in pseudos.values()
            for state in each
            if (content := state.style.get("content", "none")) not in ("none", "normal")
        ]
        drawn = [content for state, content in added if not state.unseen]
        worded = [each.style.get(name, "") for name in _WORDED for each in states.values()]
        # "@counter-style x { symbols: 'never' }" gives items words as marks.
        worded += [UNKNOWN] * (not self._marks.isdisjoint(" ".join(worded).split()))
        return replace(
            look,
            adds=any(map(_is_worded, drawn + worded)) or any(may_cover(each) for each, _ in added),
            signs=any(map(_is_sign, drawn + worded)),
            numbered=not any(
                each.unseen or each.style.get("content", "normal") != "normal"
                for each in pseudos.get("marker", ())
            ),
        )

    def _state(self, rules: Sequence[_Rule], around: State, tag: str) -> State:
        """Return how an element with these rules is shown."""
        found = [
            (rule.weight(important), name, value)
            for rule in rules
            for name, value, important in rule.declared
        ]
        found.sort(key=itemgetter(0))
        style = self._variables([each[1:] for each in found], around)
        for _, name, value in found:
            for each, chosen in self._longhands(name, value, style).items():
                # "revert" and "revert-layer" bring back what rules of others say.
                if chosen.startswith("revert"):
                    chosen = UNKNOWN
                elif chosen == "initial":
                    chosen = _INITIAL.get(each, "")
                elif chosen in WIDE or (each, chosen) == ("color", "currentcolor"):
                    inherits = chosen in ("inherit", "currentcolor") or each in INHERITED
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
        # "display: var(--d)" without any --d is valid, and takes back an earlier "display: none".
        unset = not given and "var(" in value.lower()
        return dict.fromkeys(set_by(name), "unset") if unset else given

    def _rules_of(self, element: Element) -> tuple[_Rule, ...]:
        """Return the rules of an element, with what its tag and its attributes say."""
        tag = tag_of(element)
        found = [*self._set_by_page(element, tag), *_presentation(element)]
        rules = [_presented(tuple(found))] if found else []
        if inline := element.get("style"):
            rules.append(_inline(inline))
        names = (f"#{element.get('id', '')}", *(f".{name}" for name in _classes(element)))
        keys = ("*", tag, *map(self.cased, names)) if self._rules else ()
        node = self._node(element) if self._rules else None
        for key in keys:
            for rule in self._rules.get(key, ()):
                if not self.spend(1):
                    break
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

    def _node(self, element: Element) -> _Node:
        """Return an element as selectors see it; those beside it are made with it."""
        if element not in self._nodes:
            parent, before = element.getparent(), None
            around = None if parent is None else self._node(parent)
            beside = [element] if around is None else around.etree_children
            for place, each in enumerate(beside):
                before = self._nodes[each] = _Node(each, around, place, before, True)
                before.page = self
        return self._nodes[element]


# What is no selector or only of one browser; what is nested too deeply; and what `cssselect2` trips
# over: "a|".
_NO_SELECTOR = (_selectors.SelectorError, SyntaxError, RuntimeError, MemoryError, AttributeError)


class _Node(_wrapper):
    """An element as selectors see it; each look at a relative is a step.

    Without that, the time of a selector can grow with a power of the number of elements.
    """

    page: Styles

    @cached_property
    def classes(self) -> set[str]:
        """Its classes, as they are compared."""
        return {*map(self.page.cased, _classes(self.etree_element))}

    @cached_property
    def id(self) -> str | None:
        """Its id, as it is compared."""
        return self.page.cased(self.etree_element.get("id", "")) or None

    def _along(self, direction: str) -> Iterator[_Node]:
        node = getattr(self, direction)
        while node is not None and self.page.spend(1):
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

    @cached_property
    def etree_children(self) -> list[Element]:
        """The elements in it."""
        children = _Children(each for each in self.etree_element if isinstance(each.tag, str))
        children.page = self.page
        return children


class _Children(list[Any]):
    """The elements in one; to go through those before or after one of them takes steps."""

    page: Styles

    def __getitem__(self, place: Any) -> Any:
        self.page.spend(len(self) // _COUNTED_IN_A_STEP)
        return list[Any].__getitem__(self, place)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a style sheet declarations are."""

    outer: str = ""  # the selectors of the rule that they are in
    keyword: str = ""  # of the at-rule, if it has a name
    name: str = ""
    asked: World = frozenset()  # the questions on which they depend
    layer: str = ""  # the names of the layers around them
    origin: int = _BY_RULE
    depth: int = 0

    def within(self, keyword: str, text: str) -> _Place | None:
        """Return the place in a rule that is here; `None` if it does not apply."""
        inner = replace(self, depth=self.depth + 1)
        if not keyword:
            return inner.nested(text)
        if keyword == "media" and (holds := _holds(text)) is not None:
            return inner if holds else None
        if keyword in ("media", "supports", "container"):
            return replace(inner, asked=self.asked | {text})
        if keyword in ("import", "keyframes", "property", "font-face", "counter-style"):
            return replace(inner, keyword=keyword, name=text)
        if keyword == "layer" and text and not self.layer:
            inner = replace(inner, layer=text)
            if "." not in text:
                return inner
        return replace(inner, origin=_ON_TOP)  # what decides between it and others is not known

    def nested(self, selectors: str) -> _Place:
        """Return the place with further selectors."""
        if self.outer:  # "&" is the outer rule's element; without it, an element in that
            selectors = selectors if "&" in selectors else f"& {selectors}"
            selectors = selectors.replace("&", f":is({self.outer})")
            if len(selectors) > _LONGEST_NESTED:
                return replace(self, outer="*", asked=self.asked | {"a long selector"})
        return replace(self, outer=selectors)


@lru_cache(maxsize=4)  # the pages of an e-book share their style sheet
def _sheet_of(css: str) -> Sequence[tuple[_Place, _Declared]]:
    return [*_rules_in(_css.parse_stylesheet(_parsed(css)), _Place())]


def _rules_in(read: Iterable[Any], place: _Place) -> Iterator[tuple[_Place, _Declared]]:
    """Yield declarations that follow one another, and the start of each rule without any."""
    known = (each for each in read if each.type in ("declaration", "qualified-rule", "at-rule"))
    for declares, group in groupby(known, lambda each: each.type == "declaration"):
        if declares or place.depth > _DEEPEST:
            yield place, _declared(group) if declares else _DOUBT
            continue
        for each in group:
            keyword = getattr(each, "lower_at_keyword", "").removeprefix("-webkit-")
            if inner := place.within(keyword, _text(each.prelude)):
                yield inner, ()
                yield from _rules_in(_css.parse_blocks_contents(each.content or ()), inner)


def _has_quirks(document: Any) -> bool:
    """Return whether browsers read a page as they did old ones, by its type."""
    kind = (document.public_id or "").lower()  # that of the parser, if a page of HTML has none
    # Of HTML 4.01, browsers take "Transitional" without an address for old.
    loose = "html 4.01 " in kind and not document.system_url
    old = loose or any(each in kind for each in ("html 4.0 ", "html 3", "html 2", "ietf"))
    return old or (document.internalDTD is not None and document.internalDTD.name.lower() != "html")


def _presentation(element: Element) -> list[tuple[str, str, bool]]:
    """Return what the tag and the attributes of an element declare."""
    tag, attributes = tag_of(element), element.attrib
    found = [_PRESENTED[tag]] if tag in _PRESENTED else list[tuple[str, str]]()
    if tag == "menclose" and "strike" in attributes.get("notation", ""):
        found.append(_PRESENTED["strike"])
    if {"hidden", "popover"} & {*attributes} or (tag == "dialog" and "open" not in attributes):
        found.append(("display", "none"))
    if tag in ("ol", "li") and (marks := _MARKS.get(attributes.get("type", ""))):
        found.append(("list-style-type", marks))
    if IN_DOUBT in attributes:
        found.append(("shadow", UNKNOWN))
    for name, property_ in _OLD_ATTRIBUTES.get(tag, _OLD_ATTRIBUTES[""]):
        if name in attributes:
            value = attributes[name].strip().lower()
            if name == "width" and value.isdigit():
                value += "px"
            # Old pages leave out the "#": "<font color=fff>".
            found.append((property_, re.sub(r"^(?=(?:[\da-f]{3}){1,2}$)", "#", value)))
    return [(*each, False) for each in found]


def _unseen_classes(element: Element) -> set[str]:
    """Return the classes of an element by which frameworks hide."""
    classes = {*_classes(element)}
    # "hidden md:block" of Tailwind and "d-none d-md-block" of Bootstrap are seen on wide screens.
    shown = any(":" in each or each[:3] in _SHOWN for each in classes)
    return classes & (_UNSEEN_CLASSES if shown else _UNSEEN_CLASSES | _HIDDEN_CLASSES)


@lru_cache(maxsize=1_000)  # word processors give most paragraphs the same style
def _inline(style: str) -> _Rule:
    return _Rule(_declared(_css.parse_blocks_contents(_parsed(style))), _BY_ELEMENT)


_presented = lru_cache(maxsize=1_000)(_Rule)


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
        # Variables that name one another twice double at each step.
        if len(value) > _LONGEST_VALUE:
            break
    return UNKNOWN


def _split(selector: Sequence[Any]) -> tuple[Sequence[Any], str]:
    """Return a selector without its pseudo-element, and the name of that."""
    for place, (colon, token) in enumerate(pairwise(selector)):
        name = getattr(token, "lower_value", "")
        # Older pseudo-elements may have one colon: ":before".
        if colon == ":" and (token == ":" or name in (*_ADDING, *_OF_TEXT)):
            first, *rest = selector[place + 2 if token == ":" else place + 1 :] or [token]
            name = getattr(first, "lower_value", "") or getattr(first, "lower_name", "other")
            before = selector[:place]
            alone = not before or before[-1].type == "whitespace" or before[-1] in (">", "+", "~")
            # With a pseudo-class behind it, it is not always there.
            return [*before, *(_parsed("*") if alone else [])], "selection" if rest else name
    return selector, ""


def _holds(media: str) -> bool | None:
    """Return whether media queries hold for the assumed screen, or `None` if that is not known."""
    found = set[bool | None]()
    for query in media.lower().split(","):
        words = " ".join(query.split())
        each = {*map(_on_screen, words.removeprefix("not ").split(" and "))}
        holds = False if False in each else None if None in each else True
        found.add(not holds if words.startswith("not ") and holds is not None else holds)
    return True if True in found else None if None in found else False


def _on_screen(part: str) -> bool | None:
    """Return whether a part of a media query holds for the assumed screen."""
    if part.isalpha() or part == "only screen":
        return part in ("all", "screen", "only screen")
    bound = _BOUND.fullmatch(part)
    if bound is None or bound["unit"] not in PIXELS:
        return True if part == "(orientation: landscape)" else None
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
