"""Run as a process: plays operations on a store, says what was acknowledged, and may be killed at a step.

    worker.py DATA_DIR OPERATIONS KILL_AT

OPERATIONS is JSON, a list of ["write", path, body], ["delete", path], ["edit", path, body] (by hand, without
the product), ["restore", path], ["import", path, body, path, body, ...], ["query", text], ["past", text] (as
of now), ["superseded", text], ["embed"], ["remove", folder of the data dir]. The process kills itself when it
reaches its KILL_AT-th step (0: never), or the step of that name (`name#2`: the second time). Each finished
operation is one line on stdout, its position in the list; `steps N` at the end tells how many there were.

A caller's memory has ["note", topic, text], ["rotate", topic, text], ["skill", name, text],
["log", op, detail], ["profile", section, text] and ["maintain", action, path], then
["task", "add" | "complete" | "dismiss", title] and ["turn", text].

Handing over has ["handoff", "begin", summary], ["handoff", "accept", session], ["handoff", "cancel"],
["message", "send", body] to acme/warehouse, ["message", "pop", session] there, and ["message", "cancel"].

Recording has ["hook", event, session, text], which spools as a hook does, ["fold"] and ["finalize", session].
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
from collections import Counter
from datetime import datetime, timezone
from pathlib import Path

from memory_mcp.app import App
from memory_mcp.callers.tasks.confirmation import Confirmation
from memory_mcp.callers.topics.topic_kind import NOTE, SKILL
from memory_mcp.capture.hook_entry import new_key
from memory_mcp.capture.spool import Spool, time_text
from memory_mcp.config import load_settings
from memory_mcp.continuity.handoff import HandoffDraft
from memory_mcp.continuity.handoff_receiver import Receiver
from memory_mcp.errors import UserError
from memory_mcp.model.actor import Actor
from memory_mcp.model.scope import Scope
from memory_mcp.pages.page_write import PageDraft
from memory_mcp.store import steps

ACTOR = Actor("worker")
TOPICS = ("note", "rotate", "skill", "log", "profile", "maintain")
SCOPE = {"workspace": "acme", "project": "importer"}


def play_topic(app: App, operation: list[str]) -> None:
    match operation:
        case ["note", topic, text]:
            app.caller.topic_writer.write(NOTE, topic, text, ACTOR)
        case ["rotate", topic, text]:
            app.caller.topic_writer.write(NOTE, topic, text, ACTOR, mode="rotate_actuel")
        case ["skill", name, text]:
            app.caller.topic_writer.write(SKILL, name, text, ACTOR)
        case ["log", op, detail]:
            app.caller.log.append(op, detail, ACTOR)
        case ["profile", section, text]:
            app.caller.profile.write(text, ACTOR, section=section)
        case ["maintain", action, path]:
            app.caller.topic_maintainer.maintain(action, path, ACTOR)


def play(app: App, operation: list[str]) -> None:
    match operation:
        case ["write", path, body]:
            app.writer.write(PageDraft(path, body), ACTOR, **SCOPE)
        case ["delete", path]:
            app.deleter.delete(path, ACTOR, **SCOPE)
        case ["edit", path, body]:
            file = app.data_dir.wiki / "acme" / "importer" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            draft = file.with_name(f"{file.name}~")  # as editors do, so that a kill never leaves half a page
            draft.write_text(body, encoding="utf-8", newline="")
            draft.replace(file)
        case ["restore", path]:
            app.history.restore(path, "", ACTOR, **SCOPE)
        case ["import", *files]:
            folder = app.data_dir.root.parent / f"{app.data_dir.root.name}-vault"
            for path, body in zip(files[::2], files[1::2], strict=True):
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(body, encoding="utf-8", newline="")
            app.importer.import_folder(folder, ACTOR, **SCOPE)
        case ["query", text]:
            app.query.query(text, **SCOPE)
        case ["past", text]:
            app.query.query(text, as_of=datetime.now(timezone.utc).isoformat(), **SCOPE)
        case ["superseded", text]:
            app.query.query(text, include_superseded=True, **SCOPE)
        case ["embed"]:
            app.vectors.embed()
        case ["remove", folder]:
            shutil.rmtree(app.data_dir.root / folder, ignore_errors=True)
        case _:
            play_task(app, operation)


def play_record(app: App, operation: list[str]) -> None:
    handoffs, messages = app.continuity.handoffs, app.continuity.messages
    match operation:
        case ["handoff", "begin", summary]:
            handoffs.begin(HandoffDraft("", summary), ACTOR, **SCOPE)
        case ["handoff", "accept", session]:
            print(handoffs.accept("", Receiver("worker", session), **SCOPE).status, flush=True)
        case ["handoff", "cancel"]:
            handoffs.cancel(handoffs.look(**SCOPE).handoffs[0].id, ACTOR, **SCOPE)
        case ["message", "send", body]:
            messages.send("acme", "warehouse", body, ACTOR, **SCOPE)
        case ["message", "pop", session]:
            taken = messages.pop("", Actor("worker", session), workspace="acme", project="warehouse")
            print(taken.message.body if taken.message else "nothing", flush=True)
        case ["message", "cancel"]:
            messages.cancel("", ACTOR, **SCOPE)


def play_task(app: App, operation: list[str]) -> None:
    match operation:
        case ["task", "add", title]:
            app.caller.task_writer.add(title, "today", ACTOR)
        case ["task", verb, title]:
            [task] = [task for task in app.caller.tasks.all() if task.title == title]
            if verb == "complete":
                app.caller.task_writer.complete(task.code, ACTOR)
            else:
                app.caller.task_writer.dismiss(task.code, ACTOR, Confirmation(task.id, "command"))
        case ["turn", text]:
            app.caller.turns.begin(text, "s1", ACTOR)


def play_session(app: App, operation: list[str]) -> None:
    match operation:
        case ["hook", event, session, text]:
            time.sleep(0.002)  # entries of one millisecond have no order
            created = time.time_ns() // 1_000_000
            entry = {
                **{"v": 1, "key": new_key(), "created": time_text(created), "event": event, "kind": event},
                **{"agent": "codex", "native_id": session, "scope": "acme/importer", "title": text},
                "body": text,
            }
            Spool(str(app.data_dir.spool)).put(entry, created)
        case ["fold"]:
            app.continuity.spool_fold.fold()
        case ["finalize", session]:
            app.continuity.session_closer.finalize(Scope(**SCOPE), session_id=session)


PLAYERS = dict.fromkeys(TOPICS, play_topic) | dict.fromkeys(("handoff", "message"), play_record)
PLAYERS |= dict.fromkeys(("hook", "fold", "finalize"), play_session)


def main() -> None:
    data_dir, operations, kill_at = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3]
    app = App(load_settings(data_dir, os.environ, Path.cwd()))
    reached = 0
    named: Counter[str] = Counter()

    def count(step: str) -> None:
        nonlocal reached
        reached += 1
        named[step] += 1
        if kill_at in (str(reached), f"{step}#{named[step]}"):
            print(f"killed at {step}", flush=True)
            os.kill(os.getpid(), signal.SIGKILL)

    steps.listeners.append(count)
    for number, operation in enumerate(operations):
        try:
            PLAYERS.get(operation[0], play)(app, operation)
        except UserError as error:
            print(f"refused {number} {error}", flush=True)
            continue
        print(number, flush=True)
    print(f"steps {reached}", flush=True)


if __name__ == "__main__":
    main()
