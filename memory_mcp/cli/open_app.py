"""The services of this process, as the options and the environment choose them."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memory_mcp.cli.options import given_caller, given_data_dir
from memory_mcp.model.actor import Actor

if TYPE_CHECKING:
    from memory_mcp.app import App
    from memory_mcp.config import Settings

# ruff: noqa: PLC0415 - `--help` and `--version` need no services

ACTOR = Actor("cli")
"""Who changes the store when a command does."""


def read_settings() -> Settings:
    """The settings of the running command."""
    from memory_mcp.config import load_settings

    ctx = click.get_current_context()
    return load_settings(given_data_dir(ctx), os.environ, Path.cwd(), given_caller(ctx))


def open_app() -> App:
    """The services, closed again when the command ends."""
    import logging

    from memory_mcp.app import App
    from memory_mcp.store.log_file import log_to

    settings = read_settings()
    log_to(settings.data_dir / "logs" / "cli.log", logging.StreamHandler(sys.stderr))
    app = App(settings)
    click.get_current_context().call_on_close(app.close)
    return app
