"""Any JSON that a client may send, by Hypothesis."""

from hypothesis import strategies as st

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NAMES = (
    "session_id session cwd properties info path payload event workspace_roots id prompt message text"
    " tool_name tool_input tool_use_id tool_response toolCall source reason agent_id model title summary"
    " hook_event_name last_assistant_message cursor_version invocationNum"
)
KEYS = st.sampled_from(NAMES.split())
PAYLOADS = st.dictionaries(KEYS, JSON | st.dictionaries(KEYS, JSON, max_size=4), max_size=8)
