"""Notes and skills: one file a topic, and the indexes over them.

topic_kind      what tells notes from skills: folder, index, names
slug            the name of a topic's file, and which topics are one
topic_place     which file a topic has, among those that are there
sections        Actuel and Archive: what holds now, what held before
topic_file      frontmatter and text of one file, composed
topic_scan      what every file says of itself, fast
topic_index     MEMORY.md and SKILLS.md as data: parsed, rebuilt from the files, formatted
index_write     writing an index as part of a change
topic_write     writing one note or skill
topic_read      listing them, and reading one
topic_maintain  touching, archiving, keeping and pruning
memory_import   taking in another memory as notes
foreign_note    what was read of another memory
claude_memory   reading Claude Code's own memory folder
server_memory   reading the file of the server-memory MCP server
"""
