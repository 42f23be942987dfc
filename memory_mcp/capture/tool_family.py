"""What kind of tool was called, as far as its name tells."""

from __future__ import annotations

FILE = "file"
SEARCH = "search-list"
SHELL = "non-file"
UNKNOWN = "unknown"

_NAMES = {
    FILE: (
        "read write edit apply_patch notebookedit notebook_edit create_file delete_file remove rename_file "
        "move_file multi_edit multiedit replace replace_all view_file replace_file_content "
        "multi_replace_file_content write_to_file fs_read fs_write read_file write_file edit_file patch"
    ),
    SEARCH: "search grep glob find list ls list_files read_dir list_dir grep_search search_files",
    SHELL: (
        "bash shell shell_command execute run_command web_search terminal execute_bash execute_cmd "
        "exec_command"
    ),
}
_FAMILIES = {name: family for family, names in _NAMES.items() for name in names.split()}


def tool_family(name: str) -> str:
    """The family of the tool of this name: `file`, `search-list`, `non-file` or `unknown`."""
    return _FAMILIES.get(name.strip().lower(), UNKNOWN)
