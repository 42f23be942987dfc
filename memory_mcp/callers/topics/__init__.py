"""Notes and skills: one file a topic, and the indexes over them.

topic_kind      what tells notes from skills: folder, index, name
topic_scan      what every file says of itself, fast
heading_find    headings outside of code
topic_index     MEMORY.md and SKILLS.md: their entries, read and written
"""
