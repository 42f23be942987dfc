"""Whatever agents and people do to the files of a caller, and in whatever order, no text gets lost.

A machine plays the operations of agents, and edits by hand between them, on one store. After each operation
every file is compared with what it was: all that the operation was not asked to replace is still there, and
what it replaced is in git.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Set
from pathlib import Path
from typing import TypeVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from memory_mcp.callers.caller_folder import LOG, NOTE_INDEX, PROFILE, SKILL_INDEX
from memory_mcp.callers.caller_lint import SNAPSHOT_CHARS
from memory_mcp.callers.profile.preference_change import PreferenceChange
from memory_mcp.callers.profile.profile_text import (
    NOTHING,
    SECTIONS,
    format_profile,
    is_structured,
    parse_profile,
    split_sections,
)
from memory_mcp.callers.prompt.session_prompt import ASKED_PROMPT_CHARS, PROMPT_CHARS, SEPARATOR
from memory_mcp.callers.tasks.confirmation import Confirmation
from memory_mcp.callers.topics import sections
from memory_mcp.callers.topics.topic_file import KEYS, body_of
from memory_mcp.callers.topics.topic_index import NO_ENTRIES, entry_path, format_index, parse_index
from memory_mcp.callers.topics.topic_kind import KINDS, TopicKind
from memory_mcp.callers.topics.topic_maintain import ACTIONS, PRUNE
from memory_mcp.callers.topics.topic_scan import scan_topics
from memory_mcp.callers.topics.topic_write import REPLACE, ROTATE
from memory_mcp.errors import UserError
from memory_mcp.model.caller_text import ARCHIVE
from memory_mcp.model.plain_text import with_lf
from memory_mcp.wiki.front_edit import map_file
from memory_mcp.wiki.heading_find import close_code
from tests.memory import CODEX, Memory

Result = TypeVar("Result")

TOPICS = ["alpha", "Beta", "c", "C++", "alpha beta"]
SLUGS = ["alpha", "beta", "c", "alpha-beta", "by-hand"]
HEADINGS = [
    "# MEMORY.md",
    "# USER.md",
    "# user.md",
    "# alpha",
    "## Index",
    "## Indexing",
    "## Actuel",
    "## Archive",
]
HEADINGS += [
    "### [2026-04-10]",
    "### deep",
    "## Hobbies",
    "## profile",
    "## `a`",
    *(f"## {each}" for each in SECTIONS),
]
BLOCKS = [
    "```",
    "~~~ sh",
    "````",
    "<!--",
    "-->",
    "> ```",
    "- ```",
    "  ```",
    "`",
    "    code",
    "\tcode",
    "> quote",
]
ENTRIES = ["- [alpha](notes/alpha.md): hook", "  - [beta](/memory/notes/beta.md):hook", "- [c](c.md): hook"]
ENTRIES += [
    "- [gone](notes/gone.md): hook",
    "- [gone](gone.md):",
    "- [x](notes/x.md) no colon",
    "* [d](/d.md): z",
]
ENTRIES += ["- [two](notes/alpha.md): hook", "- [web](https://example.org): x", "- [a b](notes/a%20b.md): x"]
OTHERS = [
    NO_ENTRIES,
    NOTHING,
    "_No profile yet. Ask._",
    "---",
    "- item",
    "1. one",
    "===",
    "\\",
    "\x0c",
    "\u2028",
]
OTHERS += [
    "<!-- proactive-preferences:start -->",
    "<!-- proactive-preferences:end -->",
    "{}",
    "\ufeff",
    "",
    "",
    " ",
]
FRONT = [
    "summary: a hook",
    "summary:",
    "summary: [",
    "created: 2026-01-01T00:00:00Z",
    "updated: last week",
    "tags:",
]
FRONT += [
    "archived: true",
    "permanent: true",
    "tags: [a, b]",
    "  - one",
    "mine: kept",
    "# remark",
    "archived: 1",
]

facts = st.integers(0, 9_999).map("fact {}".format)
lines = facts | st.sampled_from([*HEADINGS, *BLOCKS, *ENTRIES, *OTHERS]) | st.text(max_size=6)
chunks = st.builds("{}\n{}".format, st.sampled_from([*HEADINGS, *ENTRIES]), facts)
texts = st.lists(chunks | chunks | facts | lines, min_size=1, max_size=6).map("\n".join)
fronts = st.lists(st.sampled_from(FRONT) | facts.map("mine: {}".format), max_size=5).map(
    lambda front: "".join(f"{line}\n" for line in ["---", *front, "---"])
)
ends = st.sampled_from(["\n", "\r\n"])
kinds = st.sampled_from(KINDS)
topic_files = [kind.path(slug) for kind in KINDS for slug in SLUGS]
files = st.sampled_from([*(NOTE_INDEX, SKILL_INDEX, PROFILE) * 3, LOG, *topic_files])


def flat(text: str) -> set[str]:
    """The lines that say something, without the white space around and between their words."""
    return {line for each in text.split("\n") if (line := " ".join(each.removeprefix("\ufeff").split()))}


def our_keys(text: str) -> set[str]:
    """The lines of a frontmatter that a write may renew."""
    parts, found = map_file(text)
    return {"---"}.union(
        *(flat(parts.front[each.start : each.end]) for each in found.entries if each.key in KEYS)
    )


def empty_words(profile: str) -> set[str]:
    """The lines of a profile that say nothing of anybody, which a write may leave out or say once."""
    known = {f"## {title}" for title in (*SECTIONS, "Actuel")}
    return {
        line
        for line in flat(profile)
        if line in known
        or line == NOTHING
        or line.lower() == "# user.md"
        or line.startswith("_No profile yet.")
    }


class CallerFiles(RuleBasedStateMachine):
    """One caller, whose files agents and a person change in turn."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.memory = Memory(Path(self.folder.name))
        self.app = self.memory.app
        self.root = self.app.caller.folder.root
        self.logged: set[str] = set()
        self.before: dict[str, str] = {}

    def teardown(self) -> None:
        self.app.close()
        self.folder.cleanup()

    @initialize(
        text=st.lists(texts, min_size=8, max_size=8), front=st.just("") | fronts, kind=kinds, end=ends
    )
    def begin_by_hand(self, text: list[str], front: str, kind: TopicKind, end: str) -> None:
        """What a person had before any agent came."""
        made = {
            kind.index: f"# {kind.index_name}\n\n{text[0]}\n## Index\n{text[1]}\n\n## More\n{text[2]}\n",
            kind.path("alpha"): f"{front}# alpha\n\n## Actuel\n\n{text[3]}\n\n## Archive\n\n{text[4]}\n",
            PROFILE: f"{text[5]}\n## Profile\n{text[6]}\n## Hobbies\n{text[7]}\n## Profile\nfact\n",
        }
        for path, whole in made.items():
            self._put(path, whole.replace("\n", end))

    @rule(kind=kinds, topic=st.sampled_from(TOPICS), content=texts, hook=st.just("") | lines)
    def replace(self, kind: TopicKind, topic: str, content: str, hook: str) -> None:
        self._write_topic(kind, topic, content, hook, REPLACE)

    @rule(kind=kinds, topic=st.sampled_from(TOPICS), content=texts)
    def rotate(self, kind: TopicKind, topic: str, content: str) -> None:
        self._write_topic(kind, topic, content, "", ROTATE)

    def _write_topic(self, kind: TopicKind, topic: str, content: str, hook: str, mode: str) -> None:
        written = self._play(
            lambda: self.app.caller.topic_writer.write(kind, topic, content, CODEX, hook=hook, mode=mode)
        )
        if written is None:
            return
        old = with_lf(self.before.get(written.path, ""))
        parts = sections.split(body_of(old))
        replaced = flat(parts.actuel) if mode == REPLACE else set()
        if not parts.archive:
            replaced.add(ARCHIVE)  # the heading of nothing
        self._check({written.path: our_keys(old) | replaced}, kind)
        assert sections.current(body_of(self._files()[written.path])) == sections.make_body(content).text

    @rule(content=texts, section=st.sampled_from(["", "", *SECTIONS, "Hobbies"]))
    def write_profile(self, content: str, section: str) -> None:
        if self._play(lambda: self.app.caller.profile.write(content, CODEX, section=section)) is None:
            return
        text = self.before.get(PROFILE, "")
        old = parse_profile(text)
        preamble, found = split_sections(close_code(content))
        titles = {section} if section else {title for title, _ in found}
        if not section and not titles.intersection(SECTIONS):
            titles |= {"Profile", "Actuel"}
        replaced = empty_words(text)
        for title, body in (*old.sections.items(), *old.others):
            if title in titles:
                replaced |= flat(f"## {title}\n{body}")
        if preamble and not section:
            replaced |= flat(old.preamble)
        self._check({PROFILE: replaced})

    @rule(zone=st.sampled_from(["Europe/Paris", "America/New_York"]), topic=facts)
    def set_preferences(self, zone: str, topic: str) -> None:
        wanted = PreferenceChange(timezone=zone, less_like_this=topic)
        if self._play(lambda: self.app.caller.profile.set_preferences(wanted, CODEX)) is None:
            return
        text = self.before.get(PROFILE, "")
        block = {line for line in flat(text) if line[0] in '"{}[]' or "proactive-preferences:" in line}
        self._check({PROFILE: empty_words(text) | block})

    @rule(op=st.sampled_from(["decision_made", "a|b", " x "]), detail=facts)
    def log(self, op: str, detail: str) -> None:
        logged = self._play(lambda: self.app.caller.log.append(op, detail, CODEX))
        if logged is not None:
            self.logged.add(logged.line)
            self._check({})

    @rule(data=st.data(), action=st.sampled_from(ACTIONS), kind=kinds)
    def maintain(self, data: st.DataObject, action: str, kind: TopicKind) -> None:
        there = [topic.path for topic in scan_topics(self.app.caller.folder, kind)]
        path = data.draw(st.sampled_from([*there, kind.path("gone")]), "path")
        if self._play(lambda: self.app.caller.topic_maintainer.maintain(action, path, CODEX)) is not None:
            pruned = {path} if action == PRUNE else set()
            self._check({path: our_keys(with_lf(self.before.get(path, "")))}, kind, pruned)

    @rule(title=facts, due=st.sampled_from(["", "2026-01-01"]))
    def add_task(self, title: str, due: str) -> None:
        if self._play(lambda: self.app.caller.task_writer.add(title, "today", CODEX, due=due)):
            self._check({})

    @precondition(lambda self: self.app.caller.tasks.active())
    @rule(data=st.data(), verb=st.sampled_from(["complete", "dismiss"]), by_hand=st.just("") | facts)
    def end_task(self, data: st.DataObject, verb: str, by_hand: str) -> None:
        task = data.draw(st.sampled_from(self.app.caller.tasks.active()), "task")
        with open(self.root / task.path, "a", encoding="utf-8", newline="") as file:
            file.write(by_hand)
        writer, yes = self.app.caller.task_writer, Confirmation(task.id, "command")
        ended = self._play(
            lambda: (
                writer.complete(task.code, CODEX)
                if verb == "complete"
                else writer.dismiss(task.code, CODEX, yes)
            )
        )
        if ended is not None:
            self.logged |= {
                line for line in flat(self._files()[LOG]) if f"[{task.code}] {task.title}" in line
            }
            self._check({task.path: {"state: active"}})
            assert task.id not in {each.id for each in self.app.caller.tasks.active()}

    @rule(path=files, text=texts, front=st.just("") | fronts, end=ends)
    def write_by_hand(self, path: str, text: str, front: str, end: str) -> None:
        old = self._files().get(LOG, "") if path == LOG else ""
        self._put(path, f"{old}{front}{text}\n".replace("\n", end))

    @rule(path=files, text=texts, at=st.floats(0, 1), end=ends)
    def insert_by_hand(self, path: str, text: str, at: float, end: str) -> None:
        old = self._files().get(path, "").split("\n")
        place = int(at * len(old))
        self._put(path, "\n".join([*old[:place], text, *old[place:]]).replace("\n", end))

    @rule(path=files.filter(lambda path: path != LOG))
    def delete_by_hand(self, path: str) -> None:
        (self.root / path).unlink(missing_ok=True)

    @rule(request=st.just("continue") | lines)
    def read(self, request: str) -> None:
        before = self._files()
        prompt = self.app.caller.prompt
        parts = prompt.build().text.split(SEPARATOR)
        assert len(SEPARATOR.join(parts)) <= PROMPT_CHARS
        assert len(parts[1]) <= SNAPSHOT_CHARS
        assert len(prompt.build(request=request).text) <= ASKED_PROMPT_CHARS
        assert len(self.app.caller.digest()) < 700
        assert self.app.caller.profile.show().path == PROFILE
        assert self._files() == before

    def _put(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())

    def _files(self) -> dict[str, str]:
        found = (file for file in sorted(self.root.rglob("*")) if file.is_file())
        return {file.relative_to(self.root).as_posix(): file.read_bytes().decode() for file in found}

    def _play(self, operation: Callable[[], Result]) -> Result | None:
        """What the operation gives; None if it was refused in one sentence, which changed nothing."""
        self.before = self._files()
        try:
            return operation()
        except UserError as error:
            assert self._files() == self.before
            assert "\n" not in str(error)
            return None

    def _check(
        self, replaced: dict[str, set[str]], kind: TopicKind | None = None, pruned: Set[str] = frozenset()
    ) -> None:
        """Nothing is missing but what was replaced, in the files that the operation had to do with."""
        after = self._files()
        mine = {LOG, *replaced} | ({kind.index} if kind else set())
        for path, old in self.before.items():
            if after.get(path) != old:
                assert path in mine
                self._check_history(path, old)
                if not kind or path != kind.index:
                    lost = flat(old) - flat(after[path]) - replaced.get(path, set())
                    assert not lost, path
        if kind:
            self._check_index(kind, after[kind.index], pruned)
        if PROFILE in replaced:
            text = after[PROFILE]
            assert format_profile(parse_profile(text)) == text
            assert is_structured(text)
        old_log, log = (with_lf(each.get(LOG, "").removeprefix("\ufeff")) for each in (self.before, after))
        assert log.startswith(old_log)
        assert self.logged <= flat(after[LOG])

    def _check_index(self, kind: TopicKind, text: str, pruned: Set[str]) -> None:
        """It lists every file once, and has lost no line and no entry without a file."""
        index, old = parse_index(text), parse_index(self.before.get(kind.index, ""))
        assert format_index(index) == text
        topics = scan_topics(self.app.caller.folder, kind)
        listed = [entry_path(entry, kind) for entry in index.entries]
        for topic in topics:
            if not topic.unreadable:
                assert listed.count(topic.path) == (not topic.archived)
        there = {topic.path for topic in topics} | pruned
        lost = [entry for entry in old.entries if entry not in index.entries]
        assert all(there & {entry_path(entry, kind), kind.path(entry.slug)} for entry in lost)
        kept = "\n".join((old.header, *old.malformed, old.rest))
        assert flat(kept) <= flat(text)

    def _check_history(self, path: str, old: str) -> None:
        """What a person wrote before is in the commit below that of the operation."""
        blob = b"blob %d\0" % len(old.encode()) + old.encode()
        in_git = self.memory.git("rev-parse", f"HEAD~1:_callers/default/{path}")
        assert in_git == hashlib.sha1(blob, usedforsecurity=False).hexdigest()


def test_no_text_of_a_caller_is_lost_whatever_agents_and_people_do() -> None:
    run_state_machine_as_test(
        CallerFiles, settings=settings(max_examples=settings().max_examples // 10, stateful_step_count=20)
    )
