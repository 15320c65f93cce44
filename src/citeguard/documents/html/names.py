"""What the classes and ids of elements tell of them."""

from __future__ import annotations

import re

from citeguard.documents.html.elements import Element, tag_of

# What is called so is made of links and labels; a text that is called so is something else: the
# menu of a restaurant, a text in a box.
_OF_LINKS = frozenset(
    (
        "banner breadcrumb breadcrumbs catlinks footer masthead menu nav navbar navbox navigation"
        " pager pagination printfooter promotion share sharedaddy sharing sidebar sidenav social"
        " sphinxsidebar toc toolbar widget"
    ).split()
)
# What is called so has sentences too, and they are no part of the main text.
_OF_SENTENCES = frozenset(
    (
        "ad ads advert advertisement advertising ambox ccpa comment comments consent cookie cookies"
        " disqus gdpr hatnote mbox modal newsletter popup promo recommendations recommended related"
        " relatedposts respond signup sitenotice sponsor sponsored subscribe subscription"
    ).split()
)
_NAMES = _OF_LINKS | _OF_SENTENCES
# What says which part of a page it is, or whose: "comment-list" and "user-comment" are of comments,
# and "related-work" of work.
_PARTS = frozenset(
    (
        "area article articles bar block body bottom box button buttons c card cards container"
        " content customer customers embed enabled form group holder inline inner item items js"
        " layer link links list message module notice outer overlay panel part post posts reader"
        " readers row section slot stories story teaser text thread top unit user users window wp"
        " wrap wrapper"
    ).split()
)
_NAMES_AND_PARTS = _NAMES | _PARTS
_WORD = re.compile(r"[A-Z]?[a-z]+")
_DIGIT = re.compile(r"\d")


def words_of_names(element: Element) -> set[str]:
    """Return the words of an element's class and id, and of a tag that a page made up."""
    return {word for name in [*_classes(element), element.get("id", "")] for word in _words(name)}


def is_called_furniture(element: Element) -> bool:
    """Tell whether any of the words that an element is called by is one for furniture."""
    return not _NAMES.isdisjoint(words_of_names(element))


def is_called_apart(element: Element, heading: str) -> bool:
    """Tell whether an element is called furniture that has sentences, such as "user-comments".

    The last word says what it is: "subscription-terms" are terms. An id that was made from the
    heading that the element begins with says nothing.
    """
    return any(_last_word(name) in _OF_SENTENCES for name in _names(element, heading))


def is_called_nothing_else(element: Element, heading: str) -> bool:
    """Tell whether an element is so called by words for furniture alone, such as "comment-list"."""
    return any(
        _last_word(name) in _OF_SENTENCES and _NAMES_AND_PARTS.issuperset(_words(name))
        for name in _names(element, heading)
    )


def is_id_of_heading(element: Element, heading: str) -> bool:
    """Tell whether an id is called furniture by words of a heading: "cookies" by "Cookies".

    A heading with a number is one that counts: "3 comments".
    """
    named = _NAMES & set(_words(element.get("id", "")))
    return bool(named) and named <= set(_words(heading.lower())) and not _DIGIT.search(heading)


def _names(element: Element, heading: str) -> list[str]:
    of_heading = is_id_of_heading(element, heading)
    return [*_classes(element), *([] if of_heading else [element.get("id", "")])]


def _classes(element: Element) -> list[str]:
    tag = tag_of(element)
    return [*([tag] if "-" in tag else []), *element.get("class", "").split()]


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name)]


def _last_word(name: str) -> str | None:
    """Return the last word of a name that does not merely say that it is a part of a page."""
    return next((word for word in reversed(_words(name)) if word not in _PARTS), None)
