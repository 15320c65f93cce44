"""What a split would tear apart: reported words, conditions, pairs, lists and ellipses."""

from __future__ import annotations

from collections.abc import Sequence

from citeguard.auditing.claims.phrases import (
    ADVERBS,
    CONDITIONS,
    SUBORDINATORS,
    Clause,
    Group,
    clause_at,
    group_at,
    verb_after,
)
from citeguard.auditing.claims.word_list import (
    BE,
    DETERMINERS,
    DO,
    FINITE,
    HAVE,
    HE,
    NOUNS,
    PAST_ONLY,
    SHE,
    is_listed_verb,
)
from citeguard.auditing.claims.words import Word
from citeguard.facts.tables import root

_AUXILIARIES = BE | HAVE | DO | frozenset("will would can could may might must should".split())
_PAIRED = frozenset("either neither both nor whether".split())
_SUBORDINATE = frozenset("because that whose although though whereas".split())
# Verbs whose complement is what somebody says or thinks, and not what is so.
_REPORTING = frozenset(
    map(
        root,
        "say state claim report believe think argue suggest allege deny announce add note explain"
        " tell warn insist assert admit acknowledge mention indicate show find reveal hope expect"
        " suspect assume estimate conclude know learn realize hear doubt wish feel propose imply"
        " confirm declare testify write agree ensure mean".split(),
    )
)
_EVERYONE = frozenset("everyone everybody everything someone somebody something nobody".split())
_MARKED = frozenset(("PRP", "EX", "DT", "PRP$"))
_BARE = NOUNS - {"QUOTE"} | frozenset(("JJ",))
# Words with a clause after them that begins without "that": "he knows Tom and Bob left".
_TAKES_CLAUSE = _REPORTING | frozenset(
    map(
        root,
        "see hear recognize remember forget notice understand discover guess prove require demand"
        " prefer fear remind predict imagine dream ask decide promise recommend observe guarantee"
        " consider".split(),
    )
)
# And with a bare verb: "it helps Ann and her men win".
_TAKES_BARE_VERB = frozenset(map(root, "watch make let help have get want need".split()))
_CERTAINTY = frozenset("sure certain glad aware happy afraid confident sorry like unlike".split())
# Verbs without an object, whose form in "ed" after a noun is its verb: "the hunt started in May".
_NEVER_PASSIVE = frozenset(
    map(
        root,
        "start begin continue happen occur arrive die live stay remain appear return"
        " belong".split(),
    )
)
_CLEAR_OBJECTS = frozenset(("DT", "PRP", "PRP$", "NNP", "QUOTE", "EX"))
_NOT_IN_BARE = frozenset("CC PRP VBG WP WDT".split())
_CLOSING = frozenset(", : ; . - CC BRACKET".split())
_LISTING = frozenset("such including like both between".split())
_LONGEST_SUBJECT = 8  # words of one that begins with a name or a bare noun
# Participles that an object may follow: "men called heroes", "shares valued at $5".
_OF_TWO_OBJECTS = frozenset(
    "called named dubbed titled considered deemed given offered awarded paid sent shown taught told"
    " entitled made left assigned allotted granted valued priced compared"
    " estimated based expected related located known".split()
)


def is_paired(words: Sequence[Word], verb: int, at: int) -> bool:
    """Tell whether "either", "both" or "not only" stands before a link in its clause."""
    keys = [word.key for word in words[verb:at]]
    return not _PAIRED.isdisjoint(keys) or ("only" in keys and "not" in keys)


def is_elliptic(words: Sequence[Word], verb: int, end: int) -> bool:
    """Tell whether a clause is only understood with the one before: "while others do not"."""
    return words[verb].key in _AUXILIARIES and all(
        word.tag in ADVERBS or word.tag in (",", "CC") for word in words[verb + 1 : end]
    )


def is_listed(words: Sequence[Word], at: int) -> bool:
    """Tell whether names are listed before ", and": "when Ann, Bob, and Eve founded it"."""
    first = at
    while first and words[first - 1].tag in NOUNS | {"DT", "JJ", "CD", "POS", "PRP$"}:
        first -= 1
    return 0 < first < at and words[first - 1].tag == ","


def may_be_participle(words: Sequence[Word], group: Group, end: int) -> bool:
    """Tell whether the verb may be none: "a diet combined with rest and a walk is good"."""
    after = words[group.main + 1].tag if group.main + 1 < end else ""
    return group.kind == "simple" and words[group.main].key.endswith("ed") and after == "IN"


def is_clear_clause(words: Sequence[Word], group: Group, at: int, clause: Clause, end: int) -> bool:
    """Tell whether a clause after a link without a comma is one, and no object of the verb before.

    Args:
        words: The words of the sentence.
        group: The verbs of the clause before the link.
        at: The link.
        clause: What may be a clause.
        end: Where the sentence ends.
    """
    first, verb = words[clause.subject].tag, words[clause.verb]
    # "leaving an officer and the suspect injured".
    if clause.verb + 1 >= end and verb.key.endswith("ed") and first in ("DT", "PRP$"):
        return False
    if first in ("PRP", "EX"):
        return True
    own = group_at(words, clause.verb, end)
    is_active = root(words[group.main].key) in _NEVER_PASSIVE and words[group.main + 1].key != "by"
    is_doubtful = may_be_participle(words, own, end) or not is_active
    if may_be_participle(words, group, end) and is_doubtful:
        return False
    if first in _MARKED or words[clause.subject].key in _EVERYONE:
        return True
    if words[at].key == "but" and first in ("NNP", "NNS"):
        return True
    return first in _BARE and _is_bare_clause(words, group, at, clause, own)


def _is_bare_clause(
    words: Sequence[Word], group: Group, at: int, clause: Clause, own: Group
) -> bool:
    """Tell whether a clause that begins with a name or a bare noun is one."""
    inner, verb = words[group.main + 1 : at], words[clause.verb]
    # "the size and type of oven you use"; "dyes such as A and B are"; "until men and women came".
    subject = words[clause.subject : clause.subject_end]
    if len(subject) > _LONGEST_SUBJECT or any(word.tag in _NOT_IN_BARE for word in subject):
        return False
    if any(word.tag in _CLOSING or word.key in SUBORDINATORS | _LISTING for word in inner):
        return False
    roots = {root(word.key) for word in words[group.verb : at]}
    if not roots.isdisjoint(_TAKES_CLAUSE | _CERTAINTY) or not _agrees(words, clause):
        return False
    if verb.tag == "VBP" and not roots.isdisjoint(_TAKES_BARE_VERB):
        return False
    # "two men were killed and three injured".
    if group.kind == "passive" and verb.key.endswith("ed") and own.kind == "simple":
        return False
    if not _is_sure(words, group) and not _is_singular(verb):
        return False  # "the time spent on this and work that is left are"
    # "Anna left and Bob came", "rose 5 % and profits fell": what stands before is no object.
    if not inner or inner[-1].tag in ("CD", "SYM", "RB"):
        return verb.key not in _OF_TWO_OBJECTS and _is_known(words, clause)
    return _is_surely_finite(words, clause, own)


def _is_sure(words: Sequence[Word], group: Group) -> bool:
    """Tell whether the first verb is one: "needs and wants" may be nouns, "spent" a participle."""
    verb, after = words[group.main], words[group.main + 1]
    if group.kind != "simple" or verb.key in _AUXILIARIES or verb.key in PAST_ONLY:
        return True
    if words[group.verb - 1].tag in ("NNP", "PRP") or root(verb.key) in _NEVER_PASSIVE:
        return True
    return after.tag not in ("IN", "TO", "CC")


def _is_singular(verb: Word) -> bool:
    """Tell whether no "A and B" can be the subject of a verb."""
    return verb.tag == "VBZ" or verb.key == "was"


def _agrees(words: Sequence[Word], clause: Clause) -> bool:
    """Tell whether the subject of a clause and its verb are of one number."""
    verb, own = words[clause.verb], words[clause.subject : clause.subject_end]
    ends = (at for at, word in enumerate(own) if word.tag in ("IN", "TO") and at)
    head = own[next(ends, len(own)) - 1]
    if _is_singular(verb):
        return head.tag not in ("NNS", "NNPS", "JJ")
    if verb.tag == "VBP" or verb.key == "were":
        return head.tag in ("NNS", "NNPS") or head.key in ("many", "several", "most", "others")
    return True


def _is_surely_finite(words: Sequence[Word], clause: Clause, own: Group) -> bool:
    """Tell whether the verb of a clause can be nothing else, as "is" and "fell"."""
    verb, follows = words[clause.verb], words[own.main + 1] if own.main + 1 < len(words) else None
    if follows is None or follows.tag in FINITE:
        return False  # "what Tom likes and Bob hates is new"
    if verb.tag == "MD" or verb.key in _AUXILIARIES or verb.key in PAST_ONLY:
        return True
    is_clear = follows.tag in _CLEAR_OBJECTS or follows.key in DETERMINERS
    if verb.tag == "VBD":
        return is_clear and verb.key not in _OF_TWO_OBJECTS
    is_named = words[clause.subject_end - 1].tag == "NNP" and follows.tag not in _CLOSING
    return _is_known(words, clause) and (is_clear or is_named or follows.tag == "RB")


def _is_known(words: Sequence[Word], clause: Clause) -> bool:
    """Tell whether the word list knows a verb in the present, or a person does it."""
    verb = words[clause.verb]
    is_present = verb.tag in ("VBZ", "VBP")
    return not is_present or is_listed_verb(verb.key) or words[clause.subject].key in HE | SHE


def is_conditional(words: Sequence[Word], group: Group, at: int) -> bool:
    """Tell whether "if" stands between the verb of a clause and a place."""
    return any(word.key in CONDITIONS for word in words[group.main + 1 : at])


def is_subordinate(words: Sequence[Word], group: Group, at: int) -> bool:
    """Tell whether another verb stands between the verb of a clause and a place."""
    return is_conditional(words, group, at) or any(
        word.tag in FINITE or word.tag in ("WDT", "WP", "WRB") or word.key in _SUBORDINATE
        for word in words[group.main + 1 : at]
    )


def is_reported(words: Sequence[Word], group: Group, at: int) -> bool:
    """Tell whether what stands before a place is what somebody says or thinks."""
    main = group.main
    if root(words[main].key) not in _REPORTING or words[main].key == "founded":
        return False
    return any(word.tag in FINITE or word.key in ("that", ":") for word in words[main + 1 : at])


def goes_on(words: Sequence[Word], verb: int, end: int) -> bool:
    """Tell whether the main clause may go on after ", which …", as with ", and left"."""
    return any(
        words[at].tag == "," and words[at + 1].tag in FINITE | {"CC", "RB", "VBN"}
        for at in range(verb, end - 1)
    )


def has_last_clause(words: Sequence[Word], verb: int, end: int) -> bool:
    """Tell whether ", and she did z" follows a clause in a list of them."""
    for at in range(verb + 1, end - 2):
        if words[at].tag == "," and words[at + 1].key == "and":
            return clause_at(words, at + 2, end) is not None
    return False


def has_last_item(words: Sequence[Word], verb: int, end: int) -> bool:
    """Tell whether ", and did z" or "and did z" follows an item of verbs."""
    for at in range(verb + 1, end - 1):
        if words[at].key == "or" and words[at - 1].tag == ",":
            return False
        if words[at].key == "and":
            last = verb_after(words, at + 1, end)
            if last < end and words[last].tag in FINITE | {"VBN", "VB"}:
                return True
    return False
