"""One family of errors: what a tool returns to an agent and a command prints before it exits with 1.

The message of a `UserError` is one sentence that names what was wrong, where, and what to do. When one
is raised nothing was changed. Every other exception is a bug and is reported as such at the edges.
"""


class UserError(Exception):
    """A sentence that the reader can act on."""


class InvalidInput(UserError):
    """An argument breaks a rule; the message names the argument, its value and the rule."""


class NotFound(UserError):
    """What was asked for does not exist; the message names the nearest that does."""


class Conflict(UserError):
    """The store holds something else than the caller believes; read again, then decide."""


class Busy(UserError):
    """Another process holds the writer lock for too long; the message names it. Try again."""


class Unavailable(UserError):
    """The machine does not let us: disk full or read-only, no git, a store of a newer format."""


class Cancelled(Exception):
    """The client withdrew the request; long work stops at its next progress step."""
