"""`memory-mcp handoffs`: what a person sees of the work that waits, and how they clear it away."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_mcp.app import App
from memory_mcp.config import load_settings
from memory_mcp.continuity.handoff import HandoffDraft
from memory_mcp.model.actor import Actor


@pytest.fixture
def begin(place: Path):
    """Leave a handoff as a tool does; its code."""
    apps = []

    def make(summary: str = "Retry is done.\n\nThe cap is open.", **more: tuple[str, ...]) -> str:
        (place / "app" / ".memory-mcp.toml").write_text(
            'workspace = "acme"\nproject = "app"\n', encoding="utf-8"
        )
        app = App(load_settings(None, os.environ, place / "app"))
        apps.append(app)
        return app.continuity.handoffs.begin(HandoffDraft("", summary, **more), Actor("codex")).code

    yield make
    for app in apps:
        app.close()


def test_what_waits_is_listed_without_what_it_says(memory, begin):
    code = begin()
    out = memory("handoffs").out
    assert code in out
    assert "manual" in out
    assert "cap" not in out
    [listed] = memory("handoffs", "--json").json["handoffs"]
    assert (listed["code"], listed["state"], listed["agent"]) == (code, "open", "codex")


def test_one_is_shown_and_stays_unclaimed_and_a_terminal_obeys_nothing_of_it(memory, begin):
    code = begin("Work \x1b[2J here.", next_steps=("x" * 1_400,) * 20)
    out = memory("handoffs", "--show", code).out
    assert "Work [2J here." in out
    assert "\x1b" not in out
    assert "more […]" in out
    assert len(memory("handoffs", "--json").json["handoffs"]) == 1


def test_one_is_withdrawn_once(memory, begin):
    code = begin()
    assert memory("handoffs", "--cancel", code).out == f"Cancelled handoff {code}.\n"
    assert memory("handoffs", "--cancel", code).out == f"Handoff {code} is cancelled already.\n"
    assert memory("handoffs").out == "No handoff waits.\n"
    assert "cancelled" in memory("handoffs", "--all").out


def test_all_expire_only_when_the_person_confirms(memory, begin, wiki):
    code = begin()
    asked = memory("handoffs", "--expire-all")
    assert asked.code == 0
    assert code in asked.out
    assert "1 would expire; run it again with --confirm" in asked.err
    assert memory("handoffs", "--expire-all", "--json").json["handoffs"][0]["state"] == "open"
    assert memory("handoffs", "--expire-all", "--older-than-days", "1", "--confirm").out == "0 expired.\n"
    assert len(memory("handoffs", "--json").json["handoffs"]) == 1
    assert len(memory("handoffs", "--expire-all", "--confirm", "--json").json["expired"]) == 1
    assert memory("handoffs").out == "No handoff waits.\n"
    [file] = wiki.rglob("_handoffs/*.md")
    assert "event: expired, agent: cli" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--expire-all", "--cancel", "abcd"), "exclude each other"),
        (("--all", "--show", "abcd"), "exclude each other"),
        (("--confirm",), "belong to --expire-all"),
        (("--older-than-days", "3"), "belong to --expire-all"),
        (("--show", "zz"), "is no code of a handoff"),
        (("--cancel", "0123"), "there is no handoff 0123"),
    ],
)
def test_wrong_options_change_nothing(memory, begin, arguments, words):
    begin()
    refused = memory("handoffs", *arguments)
    assert refused.code == 1
    assert words in refused.err
    assert len(memory("handoffs", "--json").json["handoffs"]) == 1
