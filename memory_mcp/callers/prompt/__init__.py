"""Everything of a caller that a session starts with.

session_prompt  the whole text, from its parts, within what clients take
rules           what an agent is told about keeping the memory
snapshot        profile and indexes, within their size
tasks_block     the active tasks
maintenance     what needs mending
prompt_version  the stamp that changes when a file does which the prompt carries
digest          profile and tasks in a few lines, for the server's instructions
"""
