"""Folder names for anything that may be called anything."""

import re

from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.model.page_path import is_device_name
from memory_mcp.model.safe_name import safe_folder_name
from memory_mcp.model.scope import check_scope_name


def test_a_name_that_every_file_system_takes_stays_itself():
    for name in ("default", "ana", "a", "0", "ana.perez_2-x", "a" * 64):
        assert safe_folder_name(name) == name


def test_other_names_stay_readable_and_get_a_hash():
    assert safe_folder_name("telegram:123") == "telegram-123-71883adaf4"
    assert safe_folder_name("Ana").startswith("ana-")
    assert safe_folder_name("con").startswith("con-")
    assert safe_folder_name("a.").startswith("a-")
    assert safe_folder_name("a" * 65) == "a" * 40 + "-" + safe_folder_name("a" * 65)[-10:]
    assert re.fullmatch(r"[0-9a-f]{10}", safe_folder_name("日本"))


def test_names_that_look_alike_do_not_share_a_folder():
    names = ["telegram:123", "telegram;123", "telegram-123", "Telegram:123", "TELEGRAM:123", "日本", "日木"]
    assert len({safe_folder_name(name).lower() for name in names}) == len(names)


@given(st.text())
def test_a_folder_name_is_a_scope_name(name):
    folder = safe_folder_name(name)
    assert check_scope_name(folder, "project") == folder
    assert not is_device_name(folder)
    assert len(folder) <= 64
