"""`capture off`, `on` and `status`, as hooks see them."""

import json
import os

from memory_mcp.capture.hook_event import OFF_FILE, take
from memory_mcp.sessions.capture_off import NAME

SESSION = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"


def is_recorded(folder, place):
    payload = json.dumps({"session_id": SESSION, "cwd": str(folder), "prompt": "Make it retry"}).encode()
    words = ["--event", "user-prompt", "--agent", "codex", "--data-dir", str(place / "data")]
    taken = take(words, payload, {"HOME": str(place)})
    assert taken.problem == ""
    return taken.is_recorded


def test_hooks_read_the_file_that_the_command_writes():
    assert f"state/{NAME}" == OFF_FILE


def test_off_holds_for_the_folder_and_all_below_it_until_it_is_on_again(memory, place):
    below, beside = place / "app" / "src", place / "apple"
    below.mkdir()
    beside.mkdir()
    done = memory("capture", "off")
    assert done.out == f"{place / 'app'}: nothing is recorded any more.\n"
    assert memory("capture", "off", ".").out == f"{place / 'app'}: nothing is recorded, as before.\n"
    assert [is_recorded(each, place) for each in (place / "app", below, beside)] == [False, False, True]
    done = memory("capture", "on", str(below))
    assert done.out == f"{below}: still off, because of {place / 'app'}; turn it on there.\n"
    assert memory("capture", "on").out == f"{place / 'app'}: sessions are recorded.\n"
    assert is_recorded(below, place)


def test_status_tells_of_this_folder_and_of_all_that_are_off(memory, place):
    other = place / "other"
    other.mkdir()
    memory("capture", "off", str(other))
    shown = memory("capture", "status", "--json").json
    assert shown == {"folder": str(place / "app"), "recorded": True, "off": [str(other)]}
    shown = memory("capture", "status", str(other / "deep"), "--json").json
    assert not shown["recorded"]


def test_a_folder_that_is_gone_can_be_turned_on_but_not_off(memory, place):
    other = place / "other"
    other.mkdir()
    memory("capture", "off", str(other))
    other.rmdir()
    assert memory("capture", "on", str(other)).out == f"{other}: sessions are recorded.\n"
    assert memory("capture", "status", "--json").json["off"] == []
    done = memory("capture", "off", str(other))
    assert (done.code, done.err) == (
        1,
        f"error: {other} is no folder: name one that is there, or none for this one.\n",
    )


def test_a_link_to_a_folder_means_the_folder(memory, place):
    (place / "link").symlink_to(place / "app")
    memory("capture", "off", str(place / "link"))
    assert not is_recorded(place / "app", place)


def test_names_of_any_bytes_are_kept_and_a_line_break_is_refused(memory, place):
    odd = place / os.fsdecode(b"caf\xe9\x0b\xc2\x85")
    odd.mkdir()
    assert memory("capture", "off", str(odd)).code == 0
    assert not is_recorded(odd, place)
    assert memory("capture", "status", "--json").json["off"] == [str(odd)]
    broken = place / "a\nb"
    broken.mkdir()
    done = memory("capture", "off", str(broken))
    assert done.code == 1
    assert "holds a line break: turn the folder above it off." in done.err
    assert memory("capture", "status", "--json").json["off"] == [str(odd)]
