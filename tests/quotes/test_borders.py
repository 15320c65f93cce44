"""Where a quote begins and ends in its source."""

from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.language.tokens import to_word_borders
from citeguard.quotes.borders import clipped, widen
from citeguard.quotes.canonical import PreparedText
from citeguard.quotes.find import QuoteForm, find_quote
from quotes.tables import rows
from rows import each_row

# The text, the quote in it, and what the cut tears off of the token beside it.
CUTS = rows(r"""
석조 건축물로, 높다. | 석조 건축물 |
개당 4만 2천원입니다. | 개당 4만 2천원 |
석조 건축물로, 높다. | 석조 건축 | 물로,
그 도로를 지났다. | 그 도 | 로를
It cost 25 million. | 5 million | 2
It cost 250 then. | cost 25 | 0
It cost $25 then. | 25 then | $
It cost 1,250 then. | 250 then | 1,
It cost 1,250 then. | cost 1 | ,250
It rose 1.5 points. | 5 points | 1.
It rose 1.5 points. | rose 1 | .5
It rose 1.5 points. | .5 points | 1
It cost 1\xa0250 then. | cost 1 | 250
It fell to -5 degrees. | 5 degrees | -
It fell to −5 degrees. | 5 degrees | −
A loss ($-5) there | 5) there | ($-
They won 3–2 there. | 2 there | 3–
They won 3–2 there. | won 3 | –2
It rose 1·5 points. | rose 1 | ·5
It rose 1⁄5 there. | rose 1 | ⁄5
It was 5 ± 4 there. | was 5 | ±
It was 5×4 there. | 4 there | 5×
It rose .5 points. | 5 points | .
It was ≠5 there. | 5 there | ≠
It fell ➖5 degrees | 5 degrees | ➖
It was made in 2019 · 5 men | in 2019 |
It rose 25% then. | rose 25 | %
It rose 25 % then. | rose 25 | %
It rose 25 percent then. | rose 25 | percent
It rose 25\n% in May. | rose 25 | %
It rose 25%of it. | rose 25 | %of
Then $x=25$ %textstyle | x=25$ |
Cost 11 1 214\n% of sales 3 4 | Cost 11 1 214 |
It cost 25 million then. | cost 25 | million
It cost 25-million then. | cost 25 | -million
It was 25° there. | was 25 | °
It had 10⁶ cells. | had 10 | ⁶
an area of x² here | area of x | ²
It is unlawful. | lawful | un
It is lawfully so. | is lawful | ly
It isn't so. | It is | n't
It can't be. | It can | 't
It can’t be. | It can | ’t
a non-fatal case | fatal case | non-
a drug-free life | a drug | -free
it was law-\nless then | it was law | -
They don't know | t know | don'
Il n'est pas là | est pas | n'
Tom O'Brien came | Brien came | O'
at 10:30 then | at 10 | :30
on 1/2 then | on 1 | /2
It cost 1\u202f250 then. | 250 then | 1
it was un-\nlawful then | lawful then | un-
承認されていない。 | 承認されて | いない。
这不是真的 | 是真的 | 这不
全日本 | 日本 |
a字b | 字 |
在十二月二十五日去世 | 二月二十五日去世 | 在十
共三千二百元。 | 二百元 | 共三千
有35万人 | 万人 | 有35
第十二条规定 | 第十 | 二条规定
第十二条规定 | 十二条规定 | 第
第12条规定 | 12条规定 | 第
written in C++ and Go | written in C | ++
written in C++ and Go | written in C+ | +
all aged 65+ may go | all aged 65 | +
my grade was A- then | grade was A | -
增长百分之五点六。 | 百分之五 | 点六。
在统一三国之后 | 三国之后 |
有一点一定要注意 | 一定要注意 |
是十二月二十五日 | 十二月二十五日 |
One hundred and five died. | five died | and
It cost two hundred five million. | five million | hundred
It took two and a half years. | a half years | and
It had two hundred and five men. | had two hundred | and
It hurt twenty and a dog died. | a dog died |
One hundred died, and two were hurt | two were hurt |
non\u00adtoxic salt | toxic salt | non\u00ad
a (non)toxic salt | toxic salt | (non)
a non-**toxic** salt | toxic** salt | non-**
an un<b>lawful</b> act | lawful</b> act | un<b>
un&shy;lawful acts | lawful acts | un&shy;
has 1 250 rooms | 250 rooms | 1
has 1’250 rooms | 250 rooms | 1’
was &minus;250 then | 250 then | &minus;
was −**250** then | 250** then | −**
sold 250 000 cups | sold 250 | 000
sold 250&nbsp;million | sold 250 | &nbsp;million
it cost 250&nbsp;million | it cost 250 | &nbsp;million
sold 250 × 10⁶ cups | sold 250 | ×
rose 250\\% then | rose 250 | \\%
You should**n't** go | You should | **n't**
See table 1 250 houses | 250 houses |
In 2019 250 houses | In 2019 |
It cost 25 million. | 25 million |
It cost 25 million. | It cost 25 million. |
It cost $25, then | $25 |
It cost 25, then | cost 25 |
It cost 25. Then | cost 25 |
It fell -5 degrees | -5 degrees |
on pages 12 and 13 | pages 12 |
the dogs' bones | the dogs |
the dog's bones | the dog |
vu l’élève hier | élève hier |
dit qu'elle vient | elle vient |
l'estate nell'opera | opera |
“safe” it said | safe |
so—safe—here | safe |
It was so. - Then | Then |
as shown.³ Then | as shown. |
the word³ says | the word |
sold in 1664.¹ Then | sold in 1664. |
(safe) | safe |
…safe | safe |
**safe** | safe |
_safe_ | safe |
日本は広い | 日本 |
a 3 - 2 win | 3 - 2 win |
""")
# The text, the quote, and the words that both share.
WIDENED = rows(r"""
plots of 50 m² (Miller et al., 2017). | of 50 m². | of 50 m²
from 1926–1931²³. We | from 1926–1931. | from 1926–1931
He said: “Go now.” Then | "Go now." | “Go now.”
He said: Go now. Then | "Go now" | Go now
Go now, then | Go now. | Go now
Go now. Then | Go now. | Go now.
Go now. Then | Go now | Go now
It cost $5 then | $5 | $5
It cost €5 then | $5 | 5
It fell −5 then | -5 | −5
It rose 5 % then | 5% | 5 %
It rose 5％ then | 5% | 5％
cafe\u0301 x | café | cafe\u0301
（そう）と | (そう) | （そう）
「そう」と | "そう" | 「そう」
so | «so» | so
“It fell.[1]” he said | "It fell." | “It fell.[1]”
AT&amp;T &quot;fell&quot; then | "fell" | &quot;fell&quot;
He left. “Then” it | "He left." | He left.
He left.\n\n“Then” it | "He left." | He left.
See [the guide](http://a.b/c) now | See the guide | See [the guide](http://a.b/c)
It froze in May (Lee 1964). It thawed | froze in May. | froze in May
It froze in May.[4] It thawed | in May. | in May.
Use `go home` now | "go home" | go home
He said ``go home'' now | "go home" | ``go home''
It rained ... so we left | “It rained.” | It rained
Is it <b>so</b>, <i>now</i>. Then | so, now. | so</b>, <i>now</i>.
The ``one`` is ``it`` here | one is it | ``one`` is ``it``
**Never** open **it**, I say | Never open it | **Never** open **it**
So \\emph{no} man \\textbf{went} on | no man went | \\emph{no} man \\textbf{went}
For $n$ the sum of $m$ it | n the sum of m | $n$ the sum of $m$
Ana, "Yo soy" y | Ana, Yo soy | Ana, "Yo soy"
4. Stop.\n5. Go on.\n6. End it. | 5. Go on. 6. End it. | 5. Go on.\n6. End it.
In 15.\nWe go on. | 5. We go on. | We go on.
He wrote: I went on. | "[I] went on." | I went on.
""")
outside = st.one_of(st.text(max_size=5), st.text(alphabet="\"“”'. [1]&quot;²", max_size=12))


def place(text: str, quote: str) -> tuple[int, int]:
    start = text.index(quote)
    return start, start + len(quote)


class TestClipped:
    @each_row("text, quote, torn", CUTS)
    def test_names_what_is_torn_off(self, text: str, quote: str, torn: str) -> None:
        assert clipped(text, *place(text, quote)) == torn

    @settings(derandomize=True)
    @given(
        words=st.lists(st.text(alphabet="abcdéß", min_size=1, max_size=6), min_size=1),
        data=st.data(),
    )
    def test_leaves_a_cut_between_words_alone(self, words: list[str], data: st.DataObject) -> None:
        first = data.draw(st.integers(0, len(words) - 1))
        last = data.draw(st.integers(first + 1, len(words)))
        start, end = (len(" ".join([*words[:i], ""])) for i in (first, last))
        assert clipped(" ".join(words), start, end - 1) == ""

    @settings(derandomize=True)
    @given(word=st.text(alphabet="abcdéß0123456789", min_size=2, max_size=9), data=st.data())
    def test_sees_every_cut_within_a_word(self, word: str, data: st.DataObject) -> None:
        cut = data.draw(st.integers(1, len(word) - 1))
        assert clipped(f"so {word} so", 0, 3 + cut) == word[cut:]
        assert clipped(f"so {word} so", 3 + cut, 6 + len(word)) == word[:cut]


class TestWiden:
    @each_row("text, quote, words", WIDENED)
    def test_takes_what_both_share(self, text: str, quote: str, words: str) -> None:
        found = find_quote(QuoteForm(quote), PreparedText(text))
        assert found is not None
        assert text[slice(*found.intervals[0])] == words

    @settings(derandomize=True)
    @given(before=outside, quoted=st.tuples(outside, outside), after=outside)
    def test_stays_in_the_text(self, before: str, quoted: tuple[str, str], after: str) -> None:
        text = f"{before}word{after}"
        start, end = widen(text, len(before), len(before) + 4, *quoted)
        assert 0 <= start <= len(before) < len(before) + 4 <= end <= len(text)


@each_row(
    ("text", "cut", "words"),
    [
        ("the unlawful act", "lawf", "unlawful"),
        ("lawful", "wf", "lawful"),
        ("日本は広い", "本は", "本は"),
        ("字abc字", "b", "abc"),
    ],
)
def test_to_word_borders(text: str, cut: str, words: str) -> None:
    start, end = to_word_borders(text, *place(text, cut))
    assert text[start:end] == words
