"""Where programs with a window keep the user's configuration."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path


def user_config_folder(environ: Mapping[str, str], home: Path) -> Path:
    """Below the user's library on macOS, `APPDATA` on Windows, else `XDG_CONFIG_HOME` or `.config`."""
    if sys.platform == "darwin":
        return home / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(environ.get("APPDATA") or home / "AppData" / "Roaming")
    configured = environ.get("XDG_CONFIG_HOME", "").strip()
    return Path(configured) if configured else home / ".config"
