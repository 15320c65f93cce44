"""Ways of asking that ask for the same: "Could you tell me …", "What are the steps to …".

They are patterns over the words of a question with blanks between them, and a comma for each pause.
All are fixed: no part of a question becomes one.
"""

from __future__ import annotations

import re

_ASKS = "(?:who|whom|whose|what|which|when|where|why|how)"
_ASKS_WITHIN = rf"(?=(?:\w+ )?{_ASKS}\b|if\b|whether\b)"
_ASKS_NEXT = (
    rf"(?=(?:(?:but|so|and|please) )?(?:{_ASKS}|if|whether|is|are|do|does|did|can|could|would|will"
    r"|was|were|i|we)\b)"
)
_ANYONE = "(?:you|someone|somebody|anyone|anybody)"
_ME = "(?: to me| me| us)?"
_LEARN = "(?:know|find out|ask|learn|understand)"
_GREETING = (
    "hi|hello|hey|good (?:morning|day|afternoon|evening)|thanks|thank you|ok|okay|well|so|and|but"
    "|also|sorry|excuse me"
)
_BEFORE = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"please ",
        rf"(?:{_GREETING})(?: (?:there|all|everyone|team))? (?:, ?|{_ASKS_NEXT})",
        r"(?:just )?(?:a )?(?:quick |simple )?question , ?",
        rf"(?:just )?wondering ,? ?{_ASKS_NEXT}",
        r"(?:i|we) need (?:some )?help(?: with)? ?, ?",
        rf"(?:can|could|would|will) {_ANYONE}(?: please| kindly)?"
        rf" (?:tell|explain|show|remind|help|let|say){_ME}(?: {_LEARN})? {_ASKS_WITHIN}",
        rf"(?:do|does) {_ANYONE}(?: happen to)? know {_ASKS_WITHIN}",
        rf"(?:any|no) idea {_ASKS_WITHIN}",
        rf"(?:i|we) (?:would like|want|need|wish) to {_LEARN} {_ASKS_WITHIN}",
        rf"(?:i|we) (?:am|are|was|were) (?:just )?(?:wondering|curious) {_ASKS_WITHIN}",
        rf"(?:i|we) (?:am|are) trying to {_LEARN} {_ASKS_WITHIN}",
        rf"(?:i|we) (?:do not|can not) {_LEARN} {_ASKS_WITHIN}",
        r"(?:may|can|could) (?:i|we) (?:please )?ask ?,? ",
        rf"(?:tell|show|remind){_ME} {_ASKS_WITHIN}",
        rf"(?:explain|describe|say)(?: to me)? {_ASKS_WITHIN}",
        rf"let me know {_ASKS_WITHIN}",
    )
]
# Other than "please", only behind a pause: "Who sang Thank You?"
_AFTER = re.compile(
    r"(?: ,)*(?: please| , (?i:please|pls|(?:many )?thanks|thank you|cheers)(?: in advance)?)?"
    r"(?: ,)*$"
)


def without_politeness(text: str) -> str:
    """Return the words of a question without what is only polite around it.

    Examples:
        >>> without_politeness("Hello , could you tell me when it was built , please")
        'when it was built'
    """
    before, whole = None, text
    while before != text:
        before = text
        for pattern in _BEFORE:
            text = text[match.end() :] if (match := pattern.match(text)) else text
    if text != whole:
        text = re.sub(r"^(?:if|whether) ", "", text)
    return _AFTER.sub("", text)


_IS = "(is|are|was|were)"
# How vendors are asked what they do: "How do you store my data?"
_NOT_MINE = r"(?!.*\b(?:my|me|mine|our|us)\b)"
_ONE = "(?:i|you|we|one|1|someone|somebody|a person)"
_GO = "(?:go about )?"
_HAVE_TO = "(?: need to| have to)?"
_UNITS_OF_TIME = "(?:second|minute|hour|day|week|month|year)"
_MEASURES = {
    "tall|high": "height", "old": "age", "long": "length", "wide": "width", "deep": "depth",
    "heavy": "weight", "big|large": "size", "fast": "speed", "expensive": "cost",
}  # fmt: skip
_AGENTS = {
    "author|writer": "wrote", "founder": "founded", "inventor": "invented",
    "discoverer": "discovered", "composer": "composed", "creator": "created", "painter": "painted",
    "singer": "sang",
}  # fmt: skip
_FRAMES = [
    (re.compile(pattern, re.IGNORECASE), written)
    for pattern, written in (
        # Emphasis
        (rf"\b({_ASKS}) (?:exactly|precisely|actually|on earth)\b", r"\1"),
        (rf"^(.*\b{_ASKS}\b.*) (?:exactly|precisely)$", r"\1"),
        # "Tell me the …", and no verb at all
        (r"^(?:tell me|name|list|give me|identify|state) (?=(?:the|some|all|\d+)\b)", "what is "),
        (r"^(?:define|definition of) ", "what is "),
        (r"^(?=(?:the )?\w+ (?:of|between) (?!.*\b(?:is|are|was|were|do|does|did|can|will)\b))",
         "what is "),
        # "What was it that …"
        (rf"^what {_IS} the reason (?:that |why )?(?!for\b|of\b)", r"copula:\1 why "),
        (rf"^({_ASKS}) {_IS} it (?:that|who|which) ", r"copula:\2 \1 "),
        (rf"^(?:who|what|which) {_IS} the ((?:\w+ ){{1,2}})(?:that|who) (?!{_IS} )",
         r"copula:\1 which \2"),
        # How to
        (rf"\b(how|where) do (you) {_GO}{_NOT_MINE}", r"subject:\2 \1 to "),
        (rf"\b(how|where) (?:do|can|could|would) (i|we) {_GO}", r"subject:i \1 to "),
        (rf"\b(how|where) (?:can|could|would|does) {_ONE} {_GO}{_NOT_MINE}", r"\1 to "),
        (r"^how (?:i|one) (?:can |could |would )?", "how to "),
        (r"^what (?:is|are) (?:the|a) (?:steps?|ways?|procedure|process|method)"
         r"(?: needed| required)? (?:to|for|of) ", "how to "),
        (rf"^what (?:do|must|should) {_ONE}{_HAVE_TO} do to ", "how to "),
        (rf"^what steps (?:do|must|should) {_ONE}{_HAVE_TO} take to ", "how to "),
        (rf"^is (?:there )?(?:a|any) way (?:for {_ONE} )?(?:to|of) ", "can i "),
        (r"^is it possible (?:for (?:me|us) )?to ", "can i "),
        (r"^(?:am|are) (?:i|we) able to ", "can i "),
        (r"\b(?:am|are) (i|we|you|they) unable to ", r"can \1 not "),
        (r"^(who|which \w+|what \w+) (?:is|are) (?:allowed|permitted|able) to ", r"\1 can "),
        # When, where, who, why
        (r"\b(?:in |during |at |on )?(?:what|which) (year|date|day)\b(?! of)", r"when:\1"),
        (r"^(when:\w+ .+) (?:in|on)$", r"\1"),
        (r"^what (is|was) the (date|year) of ", r"when:\2 \1 "),
        (r"\b(?:in|at) (?:what|which) (?:place|location)\b", "where"),
        (rf"^what {_IS} the location of ", r"where \1 "),
        (r"\b(?:what|which) person\b", "who"),
        (r"^(?:for what reason|how come) ", "why "),
        (r"^(when\S*) did (.+) (?:take place|happen|occur)\b", r"\1 was \2"),
        (r"^(when\S*) do(?:es)? (.+) (?:take place|happen|occur)\b", r"\1 is \2"),
        # Names and meanings
        (rf"^what {_IS} (?!called\b|named\b)(.+) (?:called|named)( ,.*)?$",
         r"what \1 the name of \2\3"),
        (r"^what (?:do|does) (.+) mean\b", r"what is the meaning of \1"),
        (rf"^what {_IS} meant by ", r"what \1 the meaning of "),
        (rf"^what {_IS} the definition of ", r"what \1 "),
        (r"^how (?:do|does) (.+ and .+) differ$", r"what is the difference between \1"),
        (r"\bname for\b", "name of"),
        # Measures
        *((rf"^how (?:{words}) {_IS} (?!there\b)", rf"what \1 the {noun} of ")
          for words, noun in _MEASURES.items()),
        (r"^(?:how much|what) do(?:es)? (.+) cost\b", r"what is the cost of \1"),
        (r"^(?:how much|what) did (.+) cost\b", r"what was the cost of \1"),
        (rf"^what {_IS} the price of ", r"what \1 the cost of "),
        (r"\bhow much time\b|\bfor how long\b", "how long"),
        (r"\b(?:what|which) number of\b", "how many"),
        (rf"^what {_IS} the (?:total )?number of (.+)$", r"how many \2 \1 there"),
        (rf"((?:\d+|how many|how much) \w+) an? (?={_UNITS_OF_TIME}\b)", r"\1 per "),
        # Who made something: the present and the past say the same
        *((rf"^who {_IS} the (?:{words}) of ", f"who {verb} ") for words, verb in _AGENTS.items()),
        # Where something is
        (rf"\b{_IS} there\b", r"\1"),
        (rf"\b{_IS} (?:located|situated)(?= (?:in|at|on|near|between|within|under)\b|$)", r"\1"),
        (rf"^(where {_IS} .+) (?:located|situated)\b", r"\1"),
        # Words that are read otherwise alone
        (r"\b(?:type|sort)(s?) of\b", r"kind\1 of"),
        (r"\ba (few|little|lot|bit)\b", r"a_\1"),
        (r"\bused for (?=\w+ing\b)", "used to "),
        (r"\bthe us\b", "the usa"),
    )
]  # fmt: skip


def in_plain_frame(text: str) -> str:
    """Return the words of a question in the one frame that is compared for each way of asking.

    What a frame says beside that is in front, or in its place, with a colon: "when:year",
    "subject:i", "copula:was".

    Examples:
        >>> in_plain_frame("in which year did he die")
        'when:year did he die'
        >>> in_plain_frame("how tall is the tower")
        'what is the height of the tower'
    """
    for pattern, written in _FRAMES:
        text = pattern.sub(written, text, count=1)
    return text
