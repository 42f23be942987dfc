"""What an agent is told of a project: on request, and when a session starts."""
