"""What an agent knows about the person it works for, what it can do, and what it still owes.

caller_folder   where the files of a caller lie, and reading them
caller_change   changing them: one commit, with whatever file is missing
caller_facts    everything that prompt and lint know of them, read once
caller_lint     what needs mending in them, by rules over those facts
caller_log      the log, one line an event
content_clean   the text of a note, a skill or the profile, checked and without secrets
caller_day      which day it is where a caller is
recall          what a vague request may mean
recall_score    which candidates are the best, and how sure that is
topics/         notes and skills: one file a topic, and the indexes over them
profile/        the profile, its preferences, and when not to disturb a person
tasks/          open ends, and what counts as a person's own word to drop one
prompt/         everything of it that a session starts with
"""
