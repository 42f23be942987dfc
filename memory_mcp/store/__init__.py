"""Bytes on disk: atomic writes, the writer lock, git, the stat scan."""
