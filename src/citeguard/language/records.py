"""Records of a text: JSON, Python literals, YAML and lines of keys and values, as cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from citeguard.language.cells import Cell, Interval, Table
from citeguard.language.measures import (
    in_sentence,
    is_period,
    lowered,
    measures_in,
    read_value,
    unit_of,
)
from citeguard.language.quantities import CURRENCIES, WEEKDAYS

Scalar = str | bool | None
_Path = tuple[str | int, ...]

_MOST_WASTED = 20_000  # values of what turns out to be no JSON
_DEEPEST = 60
_FEWEST_LEAVES = 2
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"|\'((?:[^\'\\\n]|\\.)*)\'')
_BARE = re.compile(r"-?\d[\d.eE+-]*|true|false|null|True|False|None|NaN")
_BLANK = re.compile(r"\s*")
_START = re.compile(r"(?m)^[ \t]*(?:[^\s\[{}][^\n\[{}]{0,80}[:=]\s*)?([\[{])")
_LITERALS: dict[str, Scalar] = {
    "true": True, "True": True, "false": False, "False": False,
    "null": None, "None": None, "NaN": None,
}  # fmt: skip
_ESCAPES = {"n": " ", "t": " ", "r": " ", "b": " ", "f": " "}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")


class _Leaf(NamedTuple):
    """A value that is no container, where it is, and how it is reached.

    Attributes:
        path: The keys, and the places in lists.
        shown: The interval from its key to its end.
        start: Where the value starts.
        end: Where it ends.
        value: The value; numbers as they are written.
        quoted: Whether it is in quotation marks.
    """

    path: _Path
    shown: Interval
    start: int
    end: int
    value: Scalar


def find_records(text: str) -> list[Table]:
    """Return the records of a text, in order."""
    found = [*_json(text)]
    return found or [*_keyed(text)]


# JSON and literals of Python


class _NotJSONError(Exception):
    """A text that is no JSON."""


def _json(text: str) -> Iterator[Table]:
    end = wasted = 0
    for start in _START.finditer(text):
        if wasted > _MOST_WASTED:
            return
        if start.start(1) < end:
            continue
        leaves: list[_Leaf] = []
        try:
            end = _value(text, start.start(1), (), start.start(1), leaves, 0)
        except _NotJSONError:
            wasted += len(leaves)
            continue
        if len(leaves) >= _FEWEST_LEAVES and any(isinstance(k, str) for k in leaves[0].path):
            yield Table(start.start(1), end, tuple(_cells(leaves)))


def _after_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, path: _Path, key: int, leaves: list[_Leaf], depth: int) -> int:
    """Read the value at a place, add its leaves, and return the place after it.

    Raises:
        _NotJSONError: there is none.
    """
    if depth > _DEEPEST:
        raise _NotJSONError
    opening = text[at : at + 1]
    if opening and opening in "{[":
        return _container(text, at, path, leaves, depth)
    string = _STRING.match(text, at)
    if string is not None:
        leaves.append(_Leaf(path, (key, string.end()), at, string.end(), _plain(string)))
        return string.end()
    bare = _BARE.match(text, at)
    if bare is None:
        raise _NotJSONError
    leaves.append(_Leaf(path, (key, bare.end()), at, bare.end(), _LITERALS.get(bare[0], bare[0])))
    return bare.end()


def _container(text: str, at: int, path: _Path, leaves: list[_Leaf], depth: int) -> int:
    is_object = text[at] == "{"
    closing, number = "}" if is_object else "]", 0
    at = _after_blanks(text, at + 1)
    while not text.startswith(closing, at):
        key, name = at, number
        if is_object:
            string = _STRING.match(text, at)
            colon = _after_blanks(text, string.end()) if string else at
            if string is None or not text.startswith(":", colon):
                raise _NotJSONError
            at = _after_blanks(text, colon + 1)
            name = _plain(string)
        at = _after_blanks(text, _value(text, at, (*path, name), key, leaves, depth + 1))
        number += 1
        if text.startswith(",", at):
            at = _after_blanks(text, at + 1)
        elif not text.startswith(closing, at):
            raise _NotJSONError
    return at + 1


def _plain(string: re.Match[str]) -> str:
    written = string[1] if string[1] is not None else string[2]
    return _ESCAPE.sub(_unescaped, written)


def _unescaped(escape: re.Match[str]) -> str:
    letter = escape[1]
    return chr(int(letter[1:], 16)) if len(letter) > 1 else _ESCAPES.get(letter, letter)


# Lines of keys and values

_PAIR = re.compile(
    r"(?P<indent>[ \t]*)(?P<item>(?:[-*•][ \t]+)?)(?:\*\*)?"
    r"(?P<key>[^\W\d_][\w .()/&+'-]{0,58}?)(?:\*\*)?[ \t]*[:=](?:\*\*)?(?:[ \t]+|(?=$))"
    r"(?P<value>.*)"
)
_ITEM = re.compile(r"(?P<indent>[ \t]*)-[ \t]+(?P<value>\S.*)")
_IDENTIFIER = re.compile(r"[^\W\d]\w*(?:[._-][^\W_]\w*)+|[a-z]\w*")
_COMMENT = re.compile(r"\s+#\s.*")
_LONGEST_LINE = 300  # characters of a value
_LONGEST_KEY, _SHORT = 5, 3  # words of a key, and of a value that is no sentence
_SENTENCE = re.compile(r"[^\s.]{3,}[.!?]\s+[A-Z]")
_FEWEST_PAIRS = 3
_BOOLEANS: dict[str, bool] = {
    "true": True, "yes": True, "on": True, "✓": True, "✔": True,
    "false": False, "no": False, "off": False, "✗": False, "✘": False, "✕": False,
}  # fmt: skip
_NULLS = frozenset(("null", "none", "~", "n/a", ""))


def _keyed(text: str) -> Iterator[Table]:
    """Yield the runs of lines that are keys and values, of which no line is a blank one twice."""
    lines = [*re.finditer(r"[^\n]+", text)]
    at = 0
    while at < len(lines):
        run = _Run(lines, at)
        if run.is_record:
            yield Table(lines[at].start(), lines[run.end - 1].end(), tuple(_cells(run.leaves)))
        at = max(run.end, at + 1)


class _Run:
    """A run of lines of keys and values, nested by their indents.

    Attributes:
        end: The index after its last line.
        leaves: Its values.
    """

    def __init__(self, lines: Sequence[re.Match[str]], first: int) -> None:
        self.end, self.leaves = first, list[_Leaf]()
        self._lines = lines
        self._open: list[tuple[int, _Path]] = []  # indents and paths of what is around
        self._counts: dict[_Path, int] = {}
        while self.end < len(lines) and self._reads(self.end):
            self.end += 1

    @property
    def is_record(self) -> bool:
        """Whether it is one: no dialogue, whose keys come again and whose values are sentences."""
        pairs = [leaf for leaf in self.leaves if isinstance(leaf.path[-1], str)]
        texts = [leaf.value for leaf in pairs if isinstance(leaf.value, str)]
        sentences = sum(len(text.split()) > _SHORT and text[-1] in ".!?" for text in texts)
        if len({leaf.path for leaf in pairs}) < len(pairs) or sentences > len(pairs) / 3:
            return False
        return len(pairs) >= _FEWEST_PAIRS or (bool(pairs) and all(map(_is_technical, pairs)))

    def _reads(self, at: int) -> bool:
        """Read a line, and return whether it goes on with the run."""
        line = self._lines[at]
        if at and self.leaves and line.start() - self._lines[at - 1].end() > len("\n\n"):
            return False
        pair = _PAIR.fullmatch(_COMMENT.sub("", line[0]).rstrip())
        if pair is not None:
            return self._reads_pair(at, pair)
        item = _ITEM.fullmatch(line[0])
        return item is not None and self._reads_item(line.start(), item)

    def _reads_item(self, start: int, item: re.Match[str]) -> bool:
        self._close(len(item["indent"]) + 1)
        if not self._open or len(item["value"].split()) > _LONGEST_VALUE:
            return False
        low, high = start + item.start("value"), start + item.end("value")
        path = self._next_item(self._open[-1][1])
        self.leaves.append(_Leaf(path, (low, high), low, high, _scalar(item["value"])))
        return True

    def _reads_pair(self, at: int, pair: re.Match[str]) -> bool:
        key, value, start = pair["key"].strip(), pair["value"].strip(), self._lines[at].start()
        if len(key.split()) > _LONGEST_KEY or len(value) > _LONGEST_LINE:
            return False
        if _SENTENCE.search(value) or value.endswith((":", "{")):
            return False
        indent, mark = len(pair["indent"]), len(pair["item"])
        if pair["item"].startswith("-") and (self._open or _opens_item(self._lines, at)):
            # Items may be indented no more than the key of their list.
            self._close(indent + 1)
            while (
                self._open
                and self._open[-1][0] == indent
                and isinstance(self._open[-1][1][-1], int)
            ):
                self._open.pop()
            around = self._open[-1][1] if self._open else ()
            self._open.append((indent, self._next_item(around)))
            indent += mark
        else:
            self._close(indent + mark)
        around = self._open[-1][1] if self._open else ()
        path = (*around, *(key.split(".") if _IDENTIFIER.fullmatch(key) else (key,)))
        if value:
            low = start + pair.start("value")
            shown = start + pair.start("key"), low + len(value)
            self.leaves.append(_Leaf(path, shown, low, low + len(value), _scalar(value)))
        else:
            self._open.append((indent, path))
        return True

    def _close(self, indent: int) -> None:
        """Close what is indented as much, or more."""
        while self._open and self._open[-1][0] >= indent:
            self._open.pop()

    def _next_item(self, path: _Path) -> _Path:
        self._counts[path] = self._counts.get(path, -1) + 1
        return (*path, self._counts[path])


def _is_technical(leaf: _Leaf) -> bool:
    """Return whether a key is an identifier such as "hours.monday", or a value is a truth value."""
    parts = [part for part in leaf.path if isinstance(part, str)]
    if not all(map(str.isidentifier, parts)):
        return isinstance(leaf.value, bool)
    return len(parts) > 1 or any("_" in part for part in parts) or isinstance(leaf.value, bool)


def _opens_item(lines: Sequence[re.Match[str]], at: int) -> bool:
    """Return whether a dash begins an item of several keys: the next line is indented more."""
    if at + 1 >= len(lines):
        return False
    here, after = (len(each[0]) - len(each[0].lstrip()) for each in (lines[at], lines[at + 1]))
    return after > here


def _scalar(written: str) -> Scalar:
    plain = written.strip().rstrip(",")
    string = _STRING.fullmatch(plain)
    if string is not None:
        return _plain(string)
    lower = plain.lower()
    return None if lower in _NULLS else _BOOLEANS.get(lower, plain)


# What leaves say

_NAMES = (
    "name",
    "full name",
    "full_name",
    "fullname",
    "title",
    "label",
    "product",
    "item",
    "model",
    "id",
    "sku",
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+(?:\.\d+)?|[A-Z]+")
_BEGINS_CLAIM = frozenset("is are was has have had can accepts allows supports does good".split())
_DENIED = {"is": "is not", "are": "are not", "was": "was not", "has": "has no", "have": "have no",
           "had": "had no", "can": "cannot"}  # fmt: skip
_VERBS = {"price": "costs", "cost": "costs", "fee": "costs", "weight": "weighs"}
_LONGEST_VALUE = 12  # words
_NOON = 12
_HOLDERS = frozenset("attributes features amenities details info properties options data".split())
_STATES = ("able", "ible", "proof", "active", "free", "ready", "only")
_HOURS = frozenset("hours hour open opening schedule times".split())
_DAYS = {day[:3]: day.capitalize() for day in WEEKDAYS} | {
    "tues": "Tuesday", "thur": "Thursday", "thurs": "Thursday", "wed": "Wednesday",
}  # fmt: skip
_DAY_ORDER = [day.capitalize() for day in WEEKDAYS]
_TIMES = re.compile(
    r"(\d{1,2})(?:[:.h](\d{1,2}))?\s*([ap]\.?m\.?)?\s*(?:-|–|—|to|until)\s*"
    r"(\d{1,2})(?:[:.h](\d{1,2}))?\s*([ap]\.?m\.?)?(?:\s*(?:h|uhr))?",
    re.IGNORECASE,
)


def _cells(leaves: Sequence[_Leaf]) -> Iterator[Cell]:
    subjects = {
        leaf.path[:-1]: leaf.value
        for name in reversed(_NAMES)
        for leaf in leaves
        if isinstance(leaf.path[-1], str)
        and leaf.path[-1].lower() == name
        and isinstance(leaf.value, str)
    }
    axes = _axes(leaves, subjects)
    for leaf in _with_lists(leaves):
        if leaf.value is None:
            continue
        owner, path = _owner(leaf.path, subjects)
        names = [
            (_axis(leaf.path[:depth]), name)
            for depth in range(len(leaf.path))
            for name in axes.get(leaf.path[: depth + 1], ())
        ]
        for days, value in _by_days(leaf.value):
            sentences = _sentences(owner, (*path, *days), value)
            listed = [(_axis(leaf.path), day) for part in days for day in _days(part)]
            yield Cell(leaf.start, leaf.end, leaf.shown, sentences, (*names, *listed))


def _axis(path: _Path) -> str:
    """Return the name of the axis on which the things below a path are; of items it is one."""
    return "/".join(part if isinstance(part, str) else "*" for part in path)


def _with_lists(leaves: Sequence[_Leaf]) -> Iterator[_Leaf]:
    """Yield leaves, with those of one list of plain values as one."""
    for path, group in groupby(leaves, lambda leaf: _list_of(leaf) or leaf):
        first, *others = group
        if not others or isinstance(path, _Leaf):
            yield first
            continue
        values = [str(leaf.value) for leaf in (first, *others)]
        last = others[-1]
        shown = first.shown[0], last.end
        yield _Leaf(first.path[:-1], shown, first.start, last.end, _listed(values))


def _list_of(leaf: _Leaf) -> _Path | None:
    is_item = isinstance(leaf.path[-1], int) and isinstance(leaf.value, str)
    return leaf.path[:-1] if is_item else None


def _by_days(value: str | bool) -> Iterator[tuple[tuple[str, ...], str | bool]]:
    """Yield the parts of a value that are of some weekdays: "Mon-Fri 9:00-17:00; Sat 10-14"."""
    parts = re.split(r"\s*[;\n]\s*|,\s*(?=[A-Za-z])", value) if isinstance(value, str) else []
    pairs = [
        (first.rstrip(":"), rest) for first, _, rest in (part.partition(" ") for part in parts)
    ]
    if pairs and all(_days(first) and _TIMES.search(rest) for first, rest in pairs):
        yield from (((first,), rest) for first, rest in pairs)
    else:
        yield (), value


def _axes(leaves: Sequence[_Leaf], subjects: Mapping[_Path, Scalar]) -> dict[_Path, list[str]]:
    """Return the names of what excludes its siblings: items, weekdays, and figures in one group."""
    named = {path: [str(name)] for path, name in subjects.items() if path}
    children: dict[_Path, set[str]] = {}
    for leaf in leaves:
        for depth, part in enumerate(leaf.path):
            path = leaf.path[: depth + 1]
            if isinstance(part, str) and (_days(part) or is_period(part)):
                named.setdefault(path, _days(part) or [part])
            if depth + 1 < len(leaf.path) and isinstance(leaf.path[depth + 1], str):
                children.setdefault(path, set()).add(str(leaf.path[depth + 1]))
    for path, keys in children.items():
        siblings = (other for at, other in children.items() if at != path and at[:-1] == path[:-1])
        if isinstance(path[-1], str) and any(keys & other for other in siblings):
            named.setdefault(path, [_words(path[-1])])
    for leaf in leaves:
        # "price.adult" and "price.child": figures side by side below one key.
        last = leaf.path[-1]
        if len(leaf.path) > 1 and isinstance(last, str) and isinstance(leaf.path[-2], str):
            figure = isinstance(leaf.value, str) and read_value(leaf.value) is not None
            if figure and leaf.path[:-1] not in subjects:
                named.setdefault(leaf.path, [_words(last)])
    return named


def _owner(path: _Path, subjects: Mapping[_Path, Scalar]) -> tuple[str, tuple[str, ...]]:
    """Return the name of the innermost thing that has a value, and the keys below it."""
    for depth in range(len(path) - 1, -1, -1):
        name = subjects.get(path[:depth])
        if name is not None and (path[:depth] or depth == 0):
            rest = tuple(part for part in path[depth:] if isinstance(part, str))
            return str(name), rest
    return "", tuple(part for part in path if isinstance(part, str))


def _words(key: str) -> str:
    """Return the words of a key: "review_count" and "reviewCount" are "review count"."""
    if " " in key.strip() or re.fullmatch(r"[^\W\d_]+(?:-[^\W\d_]+)+", key):
        return lowered(key.strip())
    if key.isalpha() and (key.islower() or key.istitle()):
        return key
    words = _WORD.findall(key)
    return " ".join(word if len(word) > 1 and word.isupper() else word.lower() for word in words)


def _days(key: str) -> list[str]:
    """Return the weekdays that a key names: "monday", "Mon-Fri", "weekends"."""
    lower = key.lower().strip().replace("_", " ")
    if lower in ("weekday", "weekdays"):
        return _DAY_ORDER[:5]
    if lower in ("weekend", "weekends"):
        return _DAY_ORDER[5:]
    parts = [part for part in re.split(r"\s*(?:-|–|—|,|&|/|\bto\b|\band\b)\s*", lower) if part]
    days = [
        _DAYS.get(
            part.rstrip("s."), _DAYS.get(part[:3], "") if part.rstrip("s") in WEEKDAYS else ""
        )
        for part in parts
    ]
    if not days or not all(days):
        return []
    if len(days) == 2 and re.search(r"-|–|—|\bto\b", lower):
        first, last = map(_DAY_ORDER.index, days)
        return (_DAY_ORDER * 2)[first : last + 1 + (7 if last < first else 0)]
    return days


def _sentences(owner: str, path: Sequence[str], value: str | bool) -> tuple[str, ...]:
    """Return what a value says, in one or more ways."""
    return tuple(map(in_sentence, _said(owner, path, value)))


def _said(owner: str, path: Sequence[str], value: str | bool) -> list[str]:
    days = next((days for part in path if (days := _days(part))), list[str]())
    keys = [words for part in path if not _days(part) and (words := _words(part))]
    keys = [*(key for key in keys[:-1] if key.lower() not in _HOLDERS), *keys[-1:]]
    when = f" on {_listed(days)}" if days else ""
    if isinstance(value, bool):
        return _of_truth(owner, keys, when, value=value)
    if _is_of_hours(keys, days) and (said := _of_hours(owner, keys, when, value)):
        return said
    if not keys:
        return [f"{owner}{when} {value}" if owner else value]
    if keys[-1].lower() in _NAMES and value == owner:
        return [f"{keys[-1]}: {owner}"]
    if re.search(r"[.!?]\s", value) or len(value.split()) > _LONGEST_VALUE:
        return [f"{_of(owner, keys)}{when}: {value}"]
    last, figure = _with_unit(keys[-1], value)
    names = [*keys[:-1], last]
    participle = last.lower()
    if participle in ("died", "born") or (participle.endswith("ed") and is_period(figure)):
        was = "" if participle == "died" else "was "
        return [f"{' '.join((*names[:-1], owner or 'it'))} {was}{participle} in {figure}"]
    said = [f"{_of(owner, names)}{when} is {figure}"]
    verb = _VERBS.get(last.split()[-1].lower() if last else "")
    if verb is not None and (owner or len(names) > 1):
        who = " ".join(filter(None, (*names[:-1], owner)))
        said.append(f"{who} {verb} {figure}{when}")
    return said


def _of(owner: str, keys: Sequence[str]) -> str:
    """Return what a value belongs to: "the price of Peak Stove"."""
    named = " ".join(filter(None, keys))
    return f"the {named} of {owner}" if owner and named else (owner or f"the {named}")


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _of_truth(owner: str, keys: Sequence[str], when: str, *, value: bool) -> list[str]:
    """Return a truth value in sentences: "It has delivery", "It is not active"."""
    named = keys[-1] if keys else "this"
    first, _, rest = named.partition(" ")
    outer = " ".join(keys[:-1])
    who = owner or "it"
    if outer:
        who = f"the {outer} of {owner}" if owner else f"the {outer}"
    denied = "" if value else " not"
    subject, _, last = named.rpartition(" ")
    if first in ("in", "on", "under", "out") and rest:
        return [f"{who} is{denied} {named}{when}"]
    if first in ("is", "are", "was") and rest:
        return [f"{who} {first}{denied} {rest}{when}"]
    if subject and last.endswith("ed") and first not in _BEGINS_CLAIM:
        about = f"{owner}: " if owner else ""
        return [f"{about}{subject} are{denied} {last}{when}"]
    if last.endswith(("ed", *_STATES)):
        return [f"{who} is{denied} {named}{when}"]
    if first in _BEGINS_CLAIM and rest:
        verb = _DENIED.get(first, f"does not {first.removesuffix('s')}")
        return [f"{who} {first if value else verb} {rest}{when}"]
    what = f"{named} {outer}".strip()
    who = owner or "it"
    of = f" at {owner}" if owner else ""
    does = "" if value else "does not "
    s = "s" if value else ""
    return [
        f"{who} has {'' if value else 'no '}{what}{when}",
        f"{what} is{denied} available{of}{when}",
        f"{what} are{denied} available{of}{when}",
        *(f"{who} {does}{verb}{s} {what}{when}" for verb in ("offer", "accept", "provide")),
    ]


def _is_of_hours(keys: Sequence[str], days: Sequence[str]) -> bool:
    words = {word.lower() for key in keys for word in key.split()}
    return bool(words & _HOURS) or (bool(days) and not keys)


def _of_hours(owner: str, keys: Sequence[str], when: str, value: str) -> list[str]:
    """Return opening hours in sentences; none if the value is none."""
    others = " ".join(
        " ".join(word for word in key.split() if word.lower() not in _HOURS) for key in keys
    ).strip()
    who = owner or "it"
    if others:
        who = f"the {others} of {owner}" if owner else f"the {others}"
    if value.strip().lower() == "closed":
        return [f"{who} is closed{when}"]
    spans = [*_TIMES.finditer(value)]
    if not spans or _TIMES.sub("", value).strip(" ,;/&and"):
        return []
    times = [(_clock(span, 0), _clock(span, 3)) for span in spans]
    said = " and ".join(f"from {opens} to {closes}" for opens, closes in times)
    return [
        f"{who} is open{when} {said}",
        f"{who} opens at {times[0][0]} and closes at {times[-1][1]}{when}",
    ]


def _clock(span: re.Match[str], first: int) -> str:
    """Return a time as it is said, with the half of the day if the other time shows which it is."""
    hour, minutes, half = span.groups()[first : first + 3]
    hours = [int(each) for each in (span[1], span[4])]
    written = f"{int(hour)}:{int(minutes or 0):02}"
    if half:
        return f"{written} {half.lower().replace('.', '')}"
    if max(hours) > _NOON and int(hour) <= _NOON and not (span[3] or span[6]):
        return f"{written} {'pm' if int(hour) == _NOON else 'am'}" if int(hour) else written
    return written


def _with_unit(key: str, value: str) -> tuple[str, str]:
    """Return a key without the unit that it ends in, and a value with it: "weight_g", 180."""
    number = read_value(value)
    first, _, last = key.rpartition(" ")
    if number is None:
        return key, value
    if last in CURRENCIES and first:
        sign = measures_in(last).currency
        return first, f"{sign}{value}" if sign else f"{value} {last}"
    unit = unit_of(last) if first else ""
    if last in ("percent", "pct") and first:
        return first, f"{value}%"
    return (first, f"{value} {unit}") if unit else (key, value)
