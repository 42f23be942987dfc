"""The profile, its preferences, and when not to disturb a person.

profile_text    USER.md and its sections, read and written
preferences     the typed preferences inside it
"""
