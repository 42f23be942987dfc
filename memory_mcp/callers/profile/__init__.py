"""The profile, its preferences, and when not to disturb a person.

caller_profile      the service: showing the profile, writing it, asking before a person is disturbed
profile_text        USER.md and its sections, read and written
profile_merge       what a write leaves of the profile that was there
preferences         the typed preferences inside it
preference_change   what a person says about them, checked
nudge               whether to send, to keep for later, or to drop
"""
