"""The session that may take a handoff over, and where it works."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from memory_mcp.errors import InvalidInput
from memory_mcp.model.session_id import session_id
from memory_mcp.store.checkout import current_branch, folder_in_checkout


class Receiver(NamedTuple):
    """The session that may take a handoff over; what is not known is "".

    `cwd` is its absolute folder, `dir` the same relative to the root of the repository.
    """

    agent: str
    session: str
    cwd: str = ""
    dir: str = ""
    branch: str = ""


def receiver_in(agent: str, native_id: str, cwd: str) -> Receiver:
    """The session of the client `agent`, whose own id of it is `native_id`, in the folder `cwd`.

    Raises:
        InvalidInput: the folder is not absolute.
    """
    session = session_id(agent, native_id)
    if not cwd:
        return Receiver(agent, session)
    if not os.path.isabs(cwd) or "\0" in cwd:
        raise InvalidInput(f"cwd = {cwd!r:.120} is no absolute path: give the whole path of the folder.")
    # Two names of one folder, by way of a symbolic link say, are one.
    real = os.path.realpath(cwd)
    return Receiver(agent, session, real, folder_in_checkout(real), current_branch(Path(real)))
