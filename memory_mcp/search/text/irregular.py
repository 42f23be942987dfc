"""English words whose forms no stemmer joins: `bought` is a form of `buy`, `children` of `child`.

Left out are forms that are words of their own at least as often (`left`, `rose`, `bit`, `ground`, `leaves`,
`axes`), since a false join costs more than a missed one, and forms that are stop words.
"""

from __future__ import annotations

_FORMS = """
arise arose arisen; awake awoke awoken; become became; begin began begun; bend bent; bet betted; bind bound;
bite bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring brought; build built; burn
burnt; buy bought; catch caught; choose chose chosen; cling clung; come came; creep crept; deal dealt; dig
dug; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen;
feed fed; feel felt; fight fought; find found; flee fled; fly flew flown; forbid forbade forbidden; forget
forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got gotten; give gave given; go went gone
goes; grow grew grown; hang hung; hear heard; hide hid hidden; hold held; keep kept; kneel knelt; know knew
known; lay laid; lead led; lean leant; leap leapt; learn learnt; lend lent; light lit; lose lost; make made;
mean meant; meet met; mistake mistook mistaken; overcome overcame; override overrode overridden; overwrite
overwrote overwritten; pay paid; prove proven; rebuild rebuilt; redo redid redone; rerun reran; rewrite
rewrote rewritten; ride rode ridden; ring rang rung; rise risen; run ran; say said; see saw seen; seek sought;
sell sold; send sent; shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk; sing sang
sung; sink sank sunk; sit sat; sleep slept; slide slid; speak spoke spoken; speed sped; spend spent; spin
spun; stand stood; steal stole stolen; stick stuck; strike struck stricken; swear swore sworn; sweep swept;
swim swam swum; swing swung; take took taken; teach taught; tear tore torn; tell told; think thought; throw
threw thrown; undergo underwent undergone; understand understood; undo undid undone; wake woke woken; wear
wore worn; weave wove woven; weep wept; win won; withdraw withdrew withdrawn; write wrote written;

child children; foot feet; goose geese; half halves; knife knives; loaf loaves; man men; mouse mice; person
people; shelf shelves; thief thieves; tooth teeth; wife wives; wolf wolves; woman women;

analysis analyses; appendix appendices; crisis crises; criterion criteria; diagnosis diagnoses; hypothesis
hypotheses; matrix matrices; phenomenon phenomena; synthesis syntheses; thesis theses; vertex vertices
"""

IRREGULAR = {
    form: base
    for base, *forms in (entry.split() for entry in _FORMS.replace("\n", " ").split(";"))
    for form in forms
}
"""The base of each irregular form."""
