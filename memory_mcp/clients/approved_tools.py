"""Which tools a client need not ask its user about: those that read, and those that only add.

A tool that withdraws, drops, deletes or speaks to another project is asked about, and so is every tool that a
later version brings, until it is named here.
"""

from __future__ import annotations

APPROVED_TOOLS = (
    "memory_query",
    "memory_recent",
    "memory_read_page",
    "memory_write_page",
    "memory_status",
    "session_context",
    "memory_write",
    "skill_write",
    "memory_append_log",
    "memory_maintain",
    "task_add",
    "task_complete",
    "task_list_active",
    "memory_briefing",
    "memory_explore",
    "memory_read_session_observations",
    "memory_install_self_routing",
    "memory_handoff_begin",
    "memory_handoff_list",
    "memory_handoff_accept",
    "memory_message_list",
    "memory_message_pop",
)
