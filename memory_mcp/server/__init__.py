"""The MCP surface over the services; no logic of its own."""
