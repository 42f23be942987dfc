"""What an agent knows about the person it works for, what it can do, and what it still owes.

caller_folder   where the files of a caller lie, and reading them
caller_change   changing them: one commit, with whatever file is missing
topics/         notes and skills: one file a topic, and the indexes over them
profile/        the profile, its preferences, and when not to disturb a person
tasks/          open ends, and what counts as a person's own word to drop one
prompt/         everything of it that a session starts with
"""
