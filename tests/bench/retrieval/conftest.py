"""Data in the formats of the public sets, made by hand and tiny."""

import gzip
import json

import pytest

from bench.retrieval.load import load_sets


def turn(number, speaker, text, **more):
    return {"speaker": speaker, "dia_id": number, "text": text, **more}


LOCOMO = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ana",
            "speaker_b": "Bo",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                turn("D1:1", "Ana", "I adopted a beagle."),
                turn("D1:2", "Bo", "Lovely!", blip_caption="a dog on a sofa"),
            ],
            "session_2_date_time": "9:00 am on 1 June, 2023",
            "session_2": [turn("D2:1", "Bo", "I moved to Lisbon.")],
            "session_3_date_time": "9:00 am on 2 June, 2023",
        }
        | {"session_3": []},
        "qa": [
            {"question": "Which dog did Ana adopt?", "answer": "x", "evidence": ["D1:1"], "category": 4},
            {
                "question": "To Lisbon, and which dog?",
                "answer": "x",
                "evidence": ["D1:1; D2:1"],
                "category": 1,
            },
            {"question": "No evidence?", "answer": "x", "evidence": [], "category": 3},
            {"question": "Of an empty session?", "answer": "x", "evidence": ["D3:1"], "category": 2},
        ],
        "session_summary": {
            "session_1_summary": "Ana adopts a dog. " * 100,
            "session_2_summary": "Bo moves.",
        },
    }
]
HAYSTACK = {
    "question_id": "q1",
    "question_type": "multi-session",
    "question": "Which kayak is mine?",
    "question_date": "2023/06/30 (Fri) 10:00",
    "haystack_session_ids": ["s1", "answer_1"],
    "haystack_dates": ["2023/06/01 (Thu) 10:00", "2023/06/02 (Fri) 11:30"],
    "haystack_sessions": [
        [{"role": "user", "content": "Hello"}],
        [{"role": "user", "content": "I bought a kayak"}, {"role": "assistant", "content": "Nice"}],
    ],
    "answer_session_ids": ["answer_1"],
}
CODE = [
    {
        "doc_id": "doc_1",
        "original_uuid": "u1",
        "content": "pub struct Kayak;\nfn paddle() {}\n",
        "chunks": [
            {"chunk_id": "doc_1_chunk_0", "original_index": 0, "content": "pub struct Kayak;"},
            {"chunk_id": "doc_1_chunk_1", "original_index": 1, "content": "/**\n```\n*/\nfn paddle() {}"},
        ],
    },
    {
        "doc_id": "doc_2",
        "original_uuid": "u2",
        "content": "def sail(): ...",
        "chunks": [{"chunk_id": "doc_2_chunk_0", "original_index": 0, "content": "def sail(): ..."}],
    },
]
CODE_QUESTIONS = [
    {"query": "How to paddle?", "golden_chunk_uuids": [["u1", 1]], "golden_doc_uuids": ["u1"], "meta": {}}
]
SECTIONS = [
    {
        "chunk_link": "https://x.org/docs/boats#a",
        "chunk_heading": "Kayaks",
        "text": "Kayaks\n\nNarrow.\n",
    },
    {
        "chunk_link": "https://x.org/docs/boats#b",
        "chunk_heading": "Oars",
        "text": "Oars\n\nLong.\nWet.\n",
    },
    {"chunk_link": "https://x.org/docs/sails#c", "chunk_heading": "", "text": "White."},
]
SECTION_QUESTIONS = [
    {"question": "How long are oars?", "correct_chunks": ["https://x.org/docs/boats#b", "gone"]}
]
CRANFIELD = """<doc>
<docno>7</docno>
<title>slip & stream
of wings .</title>
<author>a</author>
<text>slip & stream
of wings .
  lift of a < b wing</text>
</doc>
<doc><docno>8</docno><title></title><text></text></doc>"""
CRANFIELD_QUESTIONS = [{"id": "1", "query": "lift", "relevant": ["7", "8"]}]
KNOWN_ITEMS = """
from dataclasses import dataclass

@dataclass
class Note:
    key: str
    path: str
    title: str
    body: str

    def file_text(self):
        return f"---\\ntitle: {self.title}\\ncreated: 2026-01-01\\n---\\n\\n{self.body}"

def corpus(count):
    return [Note(f"n{i}", f"notes/n{i}.md", f"Note {i}", f"# Note {i}\\n\\nT{i}\\n") for i in range(count)]

def queries(notes):
    return [{"q": "T3", "kind": "ident", "right": ["n3"]}]
"""


@pytest.fixture
def data(tmp_path):
    """A folder with all of them, some gzipped, and files that are none."""
    folder = tmp_path / "sets"
    (folder / "deep").mkdir(parents=True)

    def dump(name, value):
        text = json.dumps(value) if not isinstance(value, str) else value
        if name.endswith(".gz"):
            (folder / name).write_bytes(gzip.compress(text.encode()))
        else:
            (folder / name).write_text(text, encoding="utf-8")

    dump("locomo10.json", LOCOMO)
    dump("deep/longmemeval_s.json.gz", [HAYSTACK, HAYSTACK | {"question_id": "q2_abs"}])
    dump("chunks.json", CODE)
    dump("code.jsonl", "\n".join(map(json.dumps, CODE_QUESTIONS)) + "\n")
    dump("docs.json.gz", SECTIONS)
    dump("docs_questions.json", SECTION_QUESTIONS)
    dump("cran.xml.gz", CRANFIELD)
    dump("cran_questions.json", CRANFIELD_QUESTIONS)
    dump("package.json", {"name": "no set"})
    dump("empty.json", [])
    dump("README.md", "no data")
    return folder


@pytest.fixture
def sets(data):
    return {each.name: each for each in load_sets([data])}
