"""Pages that answer "200 OK" without showing what was asked for: `wall_of`.

Nothing here is about single sites. A page is taken for one of these if it says so in the way that
is made for machines, or if it says so to its readers and has hardly any other text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, cast

from citeguard.documents.html.tree import Element

Wall = tuple[Literal["dead", "blocked", "paywalled"], str]
"""The outcome, and the reason in a sentence."""

_SHORT = 800  # letters and digits; a page with more is a page, whatever else it says
_CUT = 4_000  # letters and digits of a text that may be the beginning of another one
_READ = 5_000  # characters of a short text, of which the rest has hardly any letters
_END = 400  # characters in which a text that is cut asks for money
_MOST_NODES = 1_000  # of structured data
_LONGEST_DATA = 200_000  # characters of one element with structured data

_MISSING = re.compile(
    r"""
    \b (?: 404 | 410 ) \b [^\w\n]{0,9} (?: error | not \s found | gone ) \b
    | ^ \W{0,9} (?: (?: http | error | fehler | erreur ) \W{1,9} ){0,3} 404 \b
    | (?: ^ | [|–—:-] ) \s? not \s found \s? (?: $ | [|–—:.-] )
    | \b (?: page | article | document | file | story | content | url | site ) \b [^.\n]{0,40}?
      (?: \b not \s found \b
        | \b (?: cannot | can['’]?t | could \s not | couldn['’]?t ) \s be \s found
        | \b (?: does | did ) (?: \s not | n['’]t ) \s exist
        | \b (?: is | are | was | been | isn['’]t | not ) \b [^.\n]{0,20} \b
          (?: no \s longer \s available | available \s any \s?more | removed | deleted | missing
            | moved ) \b
        | \b no \s longer \s (?: exists | available ) \b )
    | \b (?: cannot | can['’]?t | could \s not | couldn['’]?t ) \s find \b [^.\n]{0,30} \b
      (?: page | article | document | file | looking \s for ) \b
    | \b seite \b [^.\n]{0,40} \b
      (?: nicht \s (?: gefunden | vorhanden | mehr | verfügbar ) | existiert \s nicht )
    | \b page \b [^.\n]{0,30} \b
      (?: introuvable | n['’]existe \s (?: pas | plus ) | non \s trouvée )
    | \b página \b [^.\n]{0,30} \b (?: no \s (?: encontrada | existe | se \s encuentra ) )
    | \b no \s encontrad[ao] \b
    | \b página \b [^.\n]{0,30} \b não \s (?: encontrada | existe )
    | \b pagina \b [^.\n]{0,30} \b (?: non \s (?: trovata | esiste ) | niet \s gevonden )
    | \b strony? \b [^.\n]{0,30} \b nie \s (?: znaleziono | istnieje )
    | \b sid(?:an|en) \b [^.\n]{0,30} \b (?: hittades \s inte | ikke \s (?: fundet | funnet ) )
    | страница \s не \s найдена
    | 页面不存在 | 頁面不存在 | 找不到[^。\n]{0,10}(?:页面|网页|頁面|網頁)
    | ページが(?:見つかり|存在し)ません | 페이지를\s찾을\s수\s없 | 존재하지\s않는\s페이지
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ROBOT = re.compile(
    r"""
    \b (?: enable | activate | turn \s on | requires? | needs? ) \b
      [^.\n]{0,40} \b javascript \b
    | \b javascript \b [^.\n]{0,40} \b
      (?: disabled | required | enabled | not \s (?: supported | available ) | turned \s off ) \b
    | \b (?: enable | accept | allow ) \b [^.\n]{0,20} \b cookies \b [^.\n]{0,40} \b
      (?: continue | proceed | access | try \s again ) \b
    | \b captcha \b | \b re-?captcha \b
    | \b (?: verify | confirm | prove | make \s sure | check ) \b [^.\n]{0,30} \b
      (?: human | not \s a \s (?: ro)?bot ) \b
    | \b are \s you \s (?: a \s (?: human | (?: ro)?bot ) | human ) \b
    | \b (?: checking | verifying ) \s your \s (?: browser | connection ) \b
    | ^ just \s a \s moment \b | ^ attention \s required \b
    | \b unusual \s (?: traffic | activity ) \b | \b automated \s (?: requests | access ) \b
    | ^ \W{0,9} access \s (?: is \s | to \s this \s page \s (?: has \s been | is ) \s )?
      (?: denied | blocked ) \b
    | ^ \W{0,9} (?: 403 \s )? forbidden \b
    | \b you \s have \s been \s blocked \b
    | \b javascript \b [^.\n]{0,30} \b (?: aktivieren | activer | activar | abilita | ativar ) \b
    | \b (?: aktivieren | activez | active | activa | abilita | ative ) \b [^.\n]{0,30} \b
      javascript \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_CONSENT = re.compile(
    r"""
    ^ \W{0,9} before \s you \s continue \b
    | \b we (?: \s and \s (?: our | \d+ ) [^.\n]{0,30} )? \s
      (?: value | care \s about | respect ) \s your \s privacy \b
    | \b (?: accept | reject | manage ) \s (?: all | cookies ) \b
    | \b (?: consent | agree ) \b [^.\n]{0,60} \b (?: cookies | privacy | personal \s data ) \b
    | \b (?: alle \s (?: cookies \s )? akzeptieren | tout \s accepter | aceptar \s todo )
    | \b (?: accetta \s tutt[oi] | alles \s accepteren | aceitar \s tudo )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_COOKIES = re.compile(r"\bcookies?\b|\bprivacy\b|\bdatenschutz\b|\bpersonal data\b", re.IGNORECASE)
_PAY = re.compile(
    r"""
    \b (?: subscribe | sign \s (?: in | up ) | log \s in | register | join | become \s a | start |
           create \s (?: a | an ) | buy | purchase | upgrade ) \b [^.\n]{0,80} \b
      (?: to \s (?: continue | keep | finish ) \s reading \b
        | to \s (?: read | access | view | see | unlock ) \s (?: the | this ) \s
          (?: (?: full | rest | whole | entire | complete ) \b | article | story )
        | for \s (?: full | unlimited ) \s access \b )
    | \b (?: continue | keep | finish ) \s reading \b [^.\n]{0,60} \b
      (?: subscri | sign | log | account | trial | free \s article )
    | \b (?: this | the ) \s (?: article | content | story | post ) \s is \s
      (?: for | only \s (?: for | available ) | reserved \s for | exclusive ) \b [^.\n]{0,40}
      (?: subscriber | member | customer )
    | \b already \s a \s (?: subscriber | member ) \s? \?
    | \b (?: you ['’]?ve | you \s have ) \s (?: reached | read | used ) \b [^.\n]{0,40} \b
      (?: free | article ) [^.\n]{0,20} \b (?: articles | limit | month )
    | \b (?: abonnieren | anmelden | registrieren ) \b [^.\n]{0,40} \b weiter(?: zu )?lesen
    | \b weiterlesen \s mit \b | \b abonnez-vous \s pour | \b réservé \s aux \s abonnés
    | \b suscríbe(?: te|ase) \s para | \b exclusivo \s para \s (?: suscriptores | assinantes )
    | \b abbonati \s per | \b assine \s para
    """,
    re.IGNORECASE | re.VERBOSE,
)


def wall_of(
    text: str, title: str | None, headings: Sequence[str], root: Element | None
) -> Wall | None:
    """Return what a page shows instead of what was asked for; `None` if it is a page.

    - **paywalled**: its structured data says that it is not free (schema.org
      `isAccessibleForFree`, or `article:content_tier` is `locked`); or it has no more than 4,000
      letters, and the last ones ask the reader to pay or to sign in.
    - **dead**: no more than 800 letters, of which the title or a heading says that there is no such
      page.
    - **blocked**: no more than 800 letters, which ask for JavaScript, cookies or consent, or for
      proof of being human.

    Args:
        text: The text that was read.
        title: The title of the page.
        headings: Its headings.
        root: The root of its tree, if it is HTML.
    """
    letters = sum(map(str.isalnum, text))
    if root is not None and _is_declared_locked(root):
        return "paywalled", "the page says that it is not free to read"
    if letters <= _CUT and _PAY.search(text[-_END:]):
        return "paywalled", "its text ends where it asks readers to pay or to sign in"
    if letters > _SHORT:
        return None
    shown = [line[:_READ] for line in (title or "", *headings[:2])]
    if any(map(_MISSING.search, shown)) or _MISSING.match(text.strip()):
        return "dead", "the page says that there is no such page"
    every = "\n".join([*shown, text[:_READ]])
    if _ROBOT.search(every):
        return "blocked", "the page asks for JavaScript, or for proof of being human"
    if _CONSENT.search(every) and _COOKIES.search(every):
        return "blocked", "the page asks for consent"
    return None


def needs_scripts(root: Element | None) -> bool:
    """Return whether a page can only show text by running scripts, given that it has none."""
    return root is not None and next(root.iter("script"), None) is not None


def _is_declared_locked(root: Element) -> bool:
    return (
        any(
            meta.get("property", "").lower() == "article:content_tier"
            and meta.get("content", "").strip().lower() == "locked"
            for meta in root.iter("meta")
        )
        or any(
            each.get("itemprop", "") == "isAccessibleForFree"
            and _is_false(each.get("content", "") or each.get("href", "") or each.text)
            for each in root.iter("meta", "link", "span", "div")
        )
        or any(map(_is_not_free, _structured(root)))
    )


def _structured(root: Element) -> Iterator[dict[str, Any]]:
    """Yield what a page's JSON-LD says of the page itself: its top, and the graph there."""
    for script in root.iter("script"):
        data = script.text or ""
        if (
            script.get("type", "").strip().lower() != "application/ld+json"
            or len(data) > _LONGEST_DATA
        ):
            continue
        try:
            parsed = json.loads(data)
        except (ValueError, RecursionError):  # many pages have it wrong
            continue
        for node in _listed(parsed):
            yield node
            yield from _listed(node.get("@graph"))


def _listed(value: Any) -> Iterable[dict[str, Any]]:
    many = cast("list[Any]", value) if isinstance(value, list) else [value]
    return [cast("dict[str, Any]", each) for each in many[:_MOST_NODES] if isinstance(each, dict)]


def _is_not_free(node: dict[str, Any]) -> bool:
    """Return whether a node, one of its parts, or its main entity is said not to be free."""
    parts = [node, *_listed(node.get("hasPart")), *_listed(node.get("mainEntity"))]
    return any(_is_false(part.get("isAccessibleForFree")) for part in parts)


def _is_false(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().lower().removeprefix("http://schema.org/").removeprefix(
            "https://schema.org/"
        ) in ("false", "no")
    return value is False
