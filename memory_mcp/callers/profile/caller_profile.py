"""The profile of the caller: showing it, writing it, and asking whether its person may be approached."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from memory_mcp.callers.caller_change import CallerChanges
from memory_mcp.callers.caller_folder import PROFILE, CallerFolder
from memory_mcp.callers.content_clean import MAX_CONTENT_BYTES, clean_content
from memory_mcp.callers.profile.nudge import SOURCES, Nudge, decide_nudge
from memory_mcp.callers.profile.preference_change import PreferenceChange
from memory_mcp.callers.profile.preferences import Preferences, read_preferences
from memory_mcp.callers.profile.profile_merge import MergedProfile, merge, merge_preferences
from memory_mcp.callers.profile.profile_text import EMPTY_PROFILE, Profile, parse_profile
from memory_mcp.capture.sanitizer import Sanitizer
from memory_mcp.errors import InvalidInput
from memory_mcp.model.actor import Actor
from memory_mcp.model.clock import Clock, parse_time

_TOO_LONG = "move what is no fact about the person into notes."
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ProfileView:
    """The profile as its file has it, and what it says; the empty one where there is no file."""

    path: str
    file: Path
    text: str
    profile: Profile
    preferences: Preferences


@dataclass(frozen=True, slots=True)
class WrittenProfile:
    """What became of a write: `outcome` is created, updated or unchanged, `text` the whole file.

    `commit` is the git commit, None when nothing changed. `redacted` says whether the sanitizer took a
    secret out of the text.
    """

    path: str
    file: Path
    outcome: str
    text: str
    warnings: tuple[str, ...]
    commit: str | None
    redacted: bool


class CallerProfile:
    """The profile of the caller for whom this process works."""

    def __init__(
        self, folder: CallerFolder, changes: CallerChanges, sanitizer: Sanitizer, clock: Clock
    ) -> None:
        self._folder = folder
        self._changes = changes
        self._sanitizer = sanitizer
        self._clock = clock

    def show(self) -> ProfileView:
        """The profile as it is; reading one from before the sections does not rewrite it.

        Raises:
            Conflict: the file is not UTF-8, or the folder belongs to a caller of another name.
        """
        self._folder.check_owner()
        text = self._folder.read_text(PROFILE)
        if not text.strip():
            text = EMPTY_PROFILE
        file = self._folder.file(PROFILE)
        return ProfileView(PROFILE, file, text, parse_profile(text), read_preferences(text))

    def write(self, content: str, actor: Actor, *, section: str = "") -> WrittenProfile:
        """Bring `content` into the profile, into one section or all; see `profile_merge.merge`.

        Raises:
            InvalidInput: the content breaks a rule, or there is no such section.
            Conflict: a person has to mend the file first.
            Busy, Unavailable: see `CallerChanges.begin`.
        """
        clean = clean_content(content, self._sanitizer, _TOO_LONG)
        return self._change(
            "profile-write", actor, lambda text: merge(text, clean, section), redacted=clean != content
        )

    def set_preferences(self, wanted: PreferenceChange, actor: Actor) -> WrittenProfile:
        """Change the typed preferences.

        Raises:
            InvalidInput: a value breaks its rule.
            Conflict: a person has to mend the file first.
            Busy, Unavailable: see `CallerChanges.begin`.
        """
        topic = wanted.less_like_this
        clean = replace(wanted, less_like_this=None if topic is None else self._sanitizer.clean(topic))
        return self._change(
            "profile-preferences",
            actor,
            lambda text: merge_preferences(text, clean, self._clock()),
            redacted=clean != wanted,
        )

    def nudge(
        self, *, topic: str = "", source: str = SOURCES[0], sent_today: int = 0, now: str = ""
    ) -> Nudge:
        """Whether the person may be approached at `now` (RFC 3339, else the present); see `decide_nudge`.

        Raises:
            InvalidInput: there is no such source, the count is negative, or `now` is no time.
            Conflict: see `show`.
        """
        if source not in SOURCES:
            raise InvalidInput(f"source = {source!r:.80} is none of {', '.join(SOURCES)}.")
        if sent_today < 0:
            raise InvalidInput(f"sent_today = {sent_today} is less than 0: give how many were sent today.")
        moment = _parse_now(now) if now else self._clock()
        return decide_nudge(self.show().preferences, moment, sent_today, source, topic)

    def _change(
        self, operation: str, actor: Actor, edit: Callable[[str], MergedProfile], *, redacted: bool
    ) -> WrittenProfile:
        _edit(self._folder.read_text(PROFILE), edit)  # what is refused waits for nobody and makes no store
        with self._changes.begin(operation, PROFILE, actor) as change:
            old = change.read(PROFILE)
            merged = _edit(change.read_text(PROFILE), edit)
            new = merged.text.encode()
            if new != old:
                change.put(PROFILE, merged.text)
        outcome = "unchanged" if new == old else "created" if old is None else "updated"
        file = self._folder.file(PROFILE)
        return WrittenProfile(PROFILE, file, outcome, merged.text, merged.warnings, change.commit, redacted)


def _parse_now(text: str) -> datetime:
    try:
        moment = parse_time(text.strip())
        _ = moment - 2 * _DAY, moment + 2 * _DAY  # no zone and no batch leads out of the calendar
    except (ValueError, OverflowError):
        raise InvalidInput(
            f"now = {text!r:.80} is not a time: give an RFC 3339 time like 2026-11-30T12:00:00Z."
        ) from None
    return moment


def _edit(text: str, edit: Callable[[str], MergedProfile]) -> MergedProfile:
    """The edited profile, unless it outgrows the limit; one that a person made larger may still shrink."""
    merged = edit(text)
    size = len(merged.text.encode())
    if size > MAX_CONTENT_BYTES and size > len(text.encode()):
        raise InvalidInput(
            f"{PROFILE} would have {size:,} bytes; the limit is {MAX_CONTENT_BYTES:,}: {_TOO_LONG}"
        )
    return merged
