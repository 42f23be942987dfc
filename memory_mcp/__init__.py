"""One long-term memory for coding agents: markdown pages in git, served over MCP on stdio."""

__version__ = "0.1.0"
