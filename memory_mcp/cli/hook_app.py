"""The services of a hook that does more than record: for the folder and the session of its event."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memory_mcp.app import App
from memory_mcp.config import load_settings

if TYPE_CHECKING:
    from memory_mcp.capture.hook_event import Taken


def open_hook_app(taken: Taken) -> App:
    """The services, which leave the index to the next reader."""
    cwd = Path(taken.cwd)
    settings = load_settings(taken.data_dir, os.environ, cwd, taken.caller or None)
    return App(replace(settings, start_folder=cwd, session=taken.native_id), indexes=False)
