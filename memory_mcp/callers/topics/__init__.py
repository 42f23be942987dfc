"""Notes and skills: one file a topic, and the indexes over them.

topic_index     MEMORY.md and SKILLS.md: their entries, read and written
"""
