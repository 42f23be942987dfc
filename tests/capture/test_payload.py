"""Reading what clients send, whatever it is."""

import json

import pytest
from hypothesis import given

from memory_mcp.capture.payload import (
    MAX_PAYLOAD_BYTES,
    NotAPayload,
    first_text,
    first_value,
    folder_of,
    read_payload,
    session_of,
)
from tests.capture.json_values import PAYLOADS


def test_a_byte_order_mark_is_no_part_of_the_json():
    assert read_payload(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff\xfe{", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[1]", "a JSON list"),
        (b"null", "a JSON NoneType"),
        (b'"text"', "a JSON str"),
        (b" " * (MAX_PAYLOAD_BYTES + 1), "larger than"),
    ],
)
def test_what_is_no_json_object_is_said_to_be_none(data, why):
    with pytest.raises(NotAPayload, match=why):
        read_payload(data)


@pytest.mark.parametrize(
    "payload",
    [
        {"session_id": "s"},
        {"sessionId": "s"},
        {"sessionID": "s"},
        {"session": "s"},
        {"conversationId": "s"},
        {"conversation_id": "s"},
        {"session_id": 7, "sessionId": "s"},
        {"session_id": "  ", "sessionId": "s"},
        {"properties": {"sessionID": "s"}},
        {"properties": {"info": {"session_id": "s"}}},
        {"properties": {"info": {"id": "s"}}},
        {"info": {"id": "s"}},
        {"payload": {"session_id": "s"}},
        {"event": {"properties": {"sessionID": "s"}}},
        {"event": {"info": {"id": "s"}}},
    ],
)
def test_the_session_is_found_where_clients_put_it(payload):
    assert session_of(payload) == "s"


@pytest.mark.parametrize(
    "payload",
    [
        {"cwd": "/p"},
        {"current_dir": "/p"},
        {"working_dir": "/p"},
        {"directory": "/p"},
        {"workspacePaths": ["/p", "/q"]},
        {"workspace_roots": ["/p"]},
        {"path": {"cwd": "/p"}},
        {"info": {"directory": "/p"}},
        {"event": {"properties": {"info": {"directory": "/p"}}}},
        {"cwd": ["/q"], "workspace_roots": [], "payload": {"workspace_roots": ["/p"]}},
    ],
)
def test_the_folder_is_found_where_clients_put_it(payload):
    assert folder_of(payload) == "/p"


def test_the_first_key_that_says_something_wins_not_the_first_place():
    payload = {"b": "outer", "properties": {"a": "inner"}}
    assert first_text(payload, ("a", "b")) == "inner"
    assert first_value({"a": "", "b": [], "c": {}, "d": 0}, ("a", "b", "c", "d")) == 0


@given(PAYLOADS)
def test_no_payload_is_too_odd_to_look_into(payload):
    again = read_payload(json.dumps(payload).encode())
    assert isinstance(session_of(again), str)
    assert isinstance(folder_of(again), str)
    assert isinstance(first_text(again, ("cwd", "id")), str)
