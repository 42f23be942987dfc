"""Words that carry no topic: dropped from bodies, and from queries that have other words.

Question and auxiliary words are among them, since agents ask in sentences. `may` is not: it is a month.
Neither are `go`, `c`, `r`, `id`, `set`, `us` and other words that name things in code. The operators of other
search engines (`and`, `or`, `not`) are words like any other. Apostrophes are folded away before.

A person may add words of other languages. Those count in queries alone, so that the index stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from memory_mcp.search.text.characters import compose, fold, is_unspaced

STOP_WORDS = frozenset(
    """
    a about above after again against all also although always am an and any are arent as at be because been
    before being below between both but by can cannot cant could couldnt did didnt do does doesnt doing done
    dont during each either etc even ever every few for from further had hadnt has hasnt have havent having
    he her here hers herself him himself his how however i if im in into is isnt it its itself ive just many
    me might more most much must my myself neither no nor not of off on once only onto or other our ours
    ourselves out over own per please quite rather really shall she should shouldnt since so some such than
    that the their theirs them themselves then there these they this those though through thus to too under
    until up upon very via was wasnt we were werent what whatever when where whether which while who whom
    whose why will with within without wont would wouldnt yet you youre your yours yourself yourselves e.g i.e
    """.split()  # noqa: SIM905 - as a list these would be four pages
)

_EDGES = ".,;:!?()[]{}\"'`*¿¡…«»“”„‘、。「」"


class AddedStopWords:
    """Stop words of a person's choice, compared without case and accents.

    A word of a script without spaces is cut out of a run of its script, if it has two characters or
    more: one character is a part of too many words.
    """

    def __init__(self, words: Iterable[str] = ()) -> None:
        folded = {fold(compose(word)) for word in words}
        runs = {word for word in folded if len(word) > 1 and all(map(is_unspaced, word))}
        self._words = frozenset(folded - runs)
        longest_first = sorted(runs, key=lambda word: (-len(word), word))
        self._runs = re.compile("|".join(longest_first)) if runs else None

    def cut(self, text: str) -> str:
        """The text without these words."""
        if self._runs is not None:
            text = self._runs.sub(" ", compose(text))
        if not self._words:
            return text
        return " ".join(chunk for chunk in text.split() if not self._is_one(chunk))

    def _is_one(self, chunk: str) -> bool:
        return fold(compose(chunk.strip(_EDGES))) in self._words
