"""The log file: bounded, shared, without anything that a user said."""

import logging
import sys

from memory_mcp.store.log_file import KEPT_FILES, MAX_BYTES, LogFile, PlainFormatter


def a_record(message, *, exc_info=None):
    return logging.LogRecord("memory_mcp.x", logging.ERROR, "x.py", 1, message, (), exc_info)


def exception_info(error):
    try:
        raise error
    except Exception:
        return sys.exc_info()


def test_no_file_before_the_first_record(tmp_path):
    handler = LogFile(tmp_path / "server.log")
    assert not list(tmp_path.iterdir())
    handler.emit(a_record("it broke"))
    assert "ERROR memory_mcp.x: it broke\n" in (tmp_path / "server.log").read_text(encoding="utf-8")


def test_a_traceback_names_places_and_type_but_not_the_message(tmp_path):
    text = PlainFormatter("%(message)s").format(
        a_record("bug", exc_info=exception_info(KeyError("my secret")))
    )
    assert "test_log_file.py" in text
    assert text.endswith("KeyError")
    assert "my secret" not in text


def test_an_os_error_keeps_its_number():
    text = PlainFormatter("%(message)s").format(a_record("bug", exc_info=exception_info(OSError(28, "full"))))
    assert text.endswith("OSError [Errno 28]")


def test_the_log_is_rotated_and_bounded(tmp_path):
    handler = LogFile(tmp_path / "server.log")
    for _ in range(5):
        handler.emit(a_record("x" * MAX_BYTES))
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["server.1.log", "server.2.log", "server.log"]
    assert len(names) == KEPT_FILES


def test_a_log_that_cannot_be_written_fails_nothing(tmp_path):
    LogFile(tmp_path / "missing" / "server.log").emit(a_record("lost"))
